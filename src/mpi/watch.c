/* The watch over ranks that wait. Each tells rank 0 once a second whether it computes, waits or has finished, and rank 0 answers:
 *
 *   rank 1: waits, 12 events, "replica 1 waits at all-reduce.3 for replica 0"
 *
 * When all wait or have finished, and nothing has come to an end anywhere for the time that the user allows, no rank will ever go on. When a rank is not heard
 * of for that time, it hangs. Either ends the run with what each was waiting for. A rank that dies is noticed by mpirun, which ends the
 * others by a signal: they say what they waited for. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/format.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "mpi/ranks.h"

enum { BEAT = 1, ANSWER = 2 };
static const double BEAT_SECONDS = 1;

/* ---- Last words ---- */

static char last_words[HLO_BEAT_TEXT + 100];
static volatile sig_atomic_t last_length;

static void speak(int signal) {
  if (last_length > 0 && write(STDERR_FILENO, last_words, (size_t)last_length) < 0) _exit(1);
  _exit(128 + signal);
}

void hlo_watch_say(hlo_ranks *ranks, const char *text) {
  last_length = 0;
  hlo_format(ranks->beat.text, sizeof ranks->beat.text, "%s", text);
  if (!text[0]) return;
  hlo_format(last_words, sizeof last_words, "webhlo-native: rank %d was ended: %s\n", ranks->remote.rank, ranks->beat.text);
  last_length = (sig_atomic_t)strlen(last_words);
}

bool hlo_watch_is_due(const hlo_ranks *ranks) { return ranks->beat.text[0] == '\0' || hlo_ranks_seconds() >= ranks->next_beat; }

void hlo_watch_begin(hlo_ranks *ranks) {
  double now = hlo_ranks_seconds();
  for (int r = 0; r < ranks->remote.rank_count; r++) ranks->pulses[r].heard = ranks->pulses[r].still = now;
}

bool hlo_watch_open(hlo_ranks *ranks, hlo_status *status) {
  ranks->pulses = calloc((size_t)ranks->remote.rank_count, sizeof *ranks->pulses);
  if (!ranks->pulses) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d ranks", ranks->remote.rank_count);
  hlo_watch_begin(ranks);
  struct sigaction action = {.sa_handler = speak};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  return true;
}

void hlo_watch_call(hlo_ranks *ranks, const char *text) {
  hlo_watch_say(ranks, text);
  alarm(text[0] ? (unsigned)ranks->timeout + 1 : 0);
}

/* ---- Rank 0 ---- */

static void hear(hlo_pulse *pulse, const hlo_beat *beat, double now) {
  bool moved = beat->state == HLO_RANK_BUSY || beat->events != pulse->beat.events || beat->state != pulse->beat.state;
  pulse->beat = *beat;
  pulse->heard = now;
  if (moved) pulse->still = now;
}

static bool hear_all(hlo_ranks *ranks, double now, hlo_status *status) {
  for (;;) {
    MPI_Status from;
    hlo_beat beat;
    int flag = 0;
    if (!hlo_ranks_check(ranks, MPI_Iprobe(MPI_ANY_SOURCE, BEAT, ranks->control, &flag, &from), "MPI_Iprobe", status)) return false;
    if (!flag) return true;
    int code = MPI_Recv(&beat, sizeof beat, MPI_BYTE, from.MPI_SOURCE, BEAT, ranks->control, MPI_STATUS_IGNORE);
    if (!hlo_ranks_check(ranks, code, "MPI_Recv", status)) return false;
    hear(&ranks->pulses[from.MPI_SOURCE], &beat, now);
    /* An answer is so small that sending it waits for nobody. */
    if (!hlo_ranks_check(ranks, MPI_Send(NULL, 0, MPI_BYTE, from.MPI_SOURCE, ANSWER, ranks->control), "MPI_Send", status)) return false;
  }
}

/* Fails with what every rank was waiting for. */
static bool give_up(const hlo_ranks *ranks, int silent, hlo_status *status) {
  hlo_writer text;
  hlo_status ignored = {0};
  hlo_writer_init(&text, &ignored);
  if (silent >= 0) hlo_write_format(&text, "rank %d has not been heard of for %g seconds", silent, ranks->timeout);
  else hlo_write_format(&text, "deadlock: no rank has gone on for %g seconds", ranks->timeout);
  for (int r = 0; r < ranks->remote.rank_count; r++)
    if (r != silent && ranks->pulses[r].beat.text[0]) hlo_write_format(&text, "\n  rank %d: %s", r, ranks->pulses[r].beat.text);
  hlo_fail(status, HLO_DEADLOCK, "%s", text.text ? text.text : "deadlock");
  hlo_writer_free(&text);
  return false;
}

static bool judge(hlo_ranks *ranks, double now, hlo_status *status) {
  bool all_still = true, all_finished = true;
  for (int r = 0; r < ranks->remote.rank_count; r++) {
    const hlo_pulse *pulse = &ranks->pulses[r];
    if (now - pulse->heard > ranks->timeout) return give_up(ranks, r, status);
    all_finished = all_finished && pulse->beat.state == HLO_RANK_FINISHED;
    all_still = all_still && pulse->beat.state != HLO_RANK_BUSY && now - pulse->still > ranks->timeout;
  }
  return !all_still || all_finished || give_up(ranks, -1, status);
}

/* ---- The other ranks ---- */

static bool take_answers(hlo_ranks *ranks, double now, hlo_status *status) {
  for (int flag = 1; flag;) {
    if (!hlo_ranks_check(ranks, MPI_Iprobe(0, ANSWER, ranks->control, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe", status)) return false;
    if (!flag) break;
    if (!hlo_ranks_check(ranks, MPI_Recv(NULL, 0, MPI_BYTE, 0, ANSWER, ranks->control, MPI_STATUS_IGNORE), "MPI_Recv", status)) return false;
    ranks->pulses[0].heard = now;
  }
  /* Rank 0 judges first; only when it does not, it is what hangs. */
  return now - ranks->pulses[0].heard <= 2 * ranks->timeout ||
         hlo_fail(status, HLO_DEADLOCK, "rank 0 has not been heard of for %g seconds\n  rank %d: %s", 2 * ranks->timeout, ranks->remote.rank, ranks->beat.text);
}

static bool tell(hlo_ranks *ranks, hlo_status *status) {
  static hlo_beat sent; /* which MPI reads until it has been received */
  int flag = 1;
  if (!hlo_ranks_check(ranks, MPI_Test(&ranks->beating, &flag, MPI_STATUS_IGNORE), "MPI_Isend", status)) return false;
  if (!flag) return true;
  sent = ranks->beat;
  return hlo_ranks_check(ranks, MPI_Isend(&sent, sizeof sent, MPI_BYTE, 0, BEAT, ranks->control, &ranks->beating), "MPI_Isend", status);
}

bool hlo_watch(hlo_ranks *ranks, hlo_rank_state state, hlo_status *status) {
  double now = hlo_ranks_seconds();
  if (now < ranks->next_beat) return true;
  ranks->next_beat = now + (BEAT_SECONDS < ranks->timeout / 4 ? BEAT_SECONDS : ranks->timeout / 4);
  ranks->beat.state = state;
  ranks->beat.events = ranks->events;
  if (ranks->remote.rank == 0) {
    hear(&ranks->pulses[0], &ranks->beat, now);
    return hear_all(ranks, now, status) && (state == HLO_RANK_BUSY || judge(ranks, now, status));
  }
  return tell(ranks, status) && take_answers(ranks, now, status);
}
