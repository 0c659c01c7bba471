/* Open MPI as the carrier of a run's bytes (devices/remote.h), and what is kept beside: how long ranks wait, how much they send. */
#ifndef HLO_MPI_RANKS_H
#define HLO_MPI_RANKS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "devices/grid.h"
#include "devices/remote.h"

enum { HLO_BEAT_TEXT = 1000 };

typedef enum hlo_rank_state { HLO_RANK_BUSY, HLO_RANK_WAITS, HLO_RANK_FINISHED } hlo_rank_state;

/* What a rank tells rank 0 about itself, once a second. */
typedef struct hlo_beat {
  int state;
  uint64_t events; /* exchanges and messages that have come to an end */
  char text[HLO_BEAT_TEXT]; /* what it waits for */
} hlo_beat;

/* What rank 0 knows of a rank. */
typedef struct hlo_pulse {
  hlo_beat beat;
  double heard, still; /* when it was last heard of, and since when it has done nothing but wait */
} hlo_pulse;

typedef struct hlo_mpi_group hlo_mpi_group; /* a group with its communicators */

typedef struct hlo_sending {
  struct hlo_sending *next;
  MPI_Request request;
  void *bytes;
} hlo_sending;

typedef struct hlo_ranks {
  hlo_remote remote; /* first, so that its functions can be given the whole */
  MPI_Comm mail, control;
  MPI_Datatype unit; /* HLO_REMOTE_UNIT bytes */
  hlo_mpi_group *groups;
  hlo_sending *sendings;
  bool crowded;      /* this machine has more ranks than processors */
  double timeout;    /* seconds without any progress after which a run is given up */
  uint64_t events;
  bool idle;
  double idle_since, waited; /* seconds in all */
  int64_t sent;              /* bytes to other ranks */
  /* The watch: watch.c. */
  hlo_beat beat;
  hlo_pulse *pulses;  /* rank 0: of every rank; others: of rank 0 alone */
  MPI_Request beating;
  double next_beat;
} hlo_ranks;

double hlo_ranks_seconds(void);
/* Fills *ranks in, once MPI is initialised. All ranks call it. */
bool hlo_ranks_open(hlo_ranks *ranks, int devices_per_rank, bool fast, double timeout, hlo_status *status);
/* Waits until all ranks have come this far, and takes messages that nobody asked for. */
bool hlo_ranks_finish(hlo_ranks *ranks, hlo_status *status);
void hlo_ranks_close(hlo_ranks *ranks);
/* False, with a message that says what failed, unless `code` is MPI_SUCCESS. */
bool hlo_ranks_check(const hlo_ranks *ranks, int code, const char *what, hlo_status *status);

/* ---- watch.c ---- */
bool hlo_watch_open(hlo_ranks *ranks, hlo_status *status);
/* Begins the watch over a run: from now on ranks are expected to be heard of. */
void hlo_watch_begin(hlo_ranks *ranks);
/* Around a call of MPI that waits: with what it waits for, which are the last words if it takes longer than the user allows; with "" afterwards. */
void hlo_watch_call(hlo_ranks *ranks, const char *text);
/* Tells rank 0, now and then, how this rank is; rank 0 finds out whether any rank can still go on. */
bool hlo_watch(hlo_ranks *ranks, hlo_rank_state state, hlo_status *status);
/* Sets what this rank waits for; a rank that is ended by a signal says so as its last words. */
void hlo_watch_say(hlo_ranks *ranks, const char *text);
/* Returns whether the text would be out of date: it is renewed once for each beat. */
bool hlo_watch_is_due(const hlo_ranks *ranks);

#endif
