/* The functions of devices/remote.h, each a call of MPI that does not wait. */
#include "mpi/ranks.h"
#include "base/status.h"
#include "devices/grid.h"
#include "devices/remote.h"
#include "graph/opcode.h"
#include "shape/element_type.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A rank that waits asks again and again. After so many rounds in which nothing came it lets others have its processor, at once where there are
 * more ranks than processors; and after some more it sleeps between rounds. */
enum { ROUNDS_BEFORE_YIELD = 20000, ROUNDS_BEFORE_SLEEP = 24000, SLEEP_NANOSECONDS = 50000, CHANNELS = 1 << 14 };

struct hlo_mpi_group {
  hlo_rank_group group; /* first, so that its functions can be given the whole */
  hlo_mpi_group *next;
  hlo_device_set set;
  MPI_Comm comm, second; /* second: of the second exchanges of gatherings */
  int ranks, own;
};

struct hlo_exchange {
  MPI_Request request;
  int *counts; /* and places, which MPI reads until the exchange is done */
};

static hlo_ranks *of(hlo_remote *remote) { return (hlo_ranks *)remote; }
static hlo_mpi_group *mpi_of(hlo_rank_group *group) { return (hlo_mpi_group *)group; }
static MPI_Comm comm_of(hlo_rank_group *group, bool second) { return second ? mpi_of(group)->second : mpi_of(group)->comm; }

double hlo_ranks_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool hlo_ranks_check(const hlo_ranks *ranks, int code, const char *what, hlo_status *status) {
  if (code == MPI_SUCCESS) return true;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  return hlo_fail(status, HLO_INTERNAL, "rank %d: %s failed: %.*s", ranks->remote.rank, what, length, text);
}

/* ---- Groups ---- */

static bool same_set(hlo_device_set a, hlo_device_set b) {
  return a.count == b.count && memcmp(a.devices, b.devices, (size_t)a.count * sizeof *a.devices) == 0;
}

static hlo_rank_group *find_group(hlo_remote *remote, hlo_device_set set) {
  hlo_mpi_group *group = of(remote)->groups;
  while (group && !same_set(group->set, set)) group = group->next;
  return group ? &group->group : NULL;
}

static void free_group(hlo_mpi_group *group) {
  if (group->second != MPI_COMM_NULL) MPI_Comm_free(&group->second);
  if (group->comm != MPI_COMM_NULL) MPI_Comm_free(&group->comm);
  free((void *)group->set.devices);
  free(group);
}

/* Remembers a set that this rank is in, with the ranks that hold it. */
static bool keep_group(hlo_ranks *ranks, hlo_device_set set, MPI_Comm comm, hlo_status *status) {
  hlo_mpi_group *group = calloc(1, sizeof *group);
  int *devices = malloc((size_t)set.count * sizeof *devices);
  if (!group || !devices) {
    free(group);
    free(devices);
    return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a group of %d devices", set.count);
  }
  memcpy(devices, set.devices, (size_t)set.count * sizeof *devices);
  *group = (hlo_mpi_group){.next = ranks->groups, .set = {devices, set.count}, .comm = comm, .second = MPI_COMM_NULL};
  ranks->groups = group;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return hlo_ranks_check(ranks, MPI_Comm_size(comm, &group->ranks), "MPI_Comm_size", status) &&
         hlo_ranks_check(ranks, MPI_Comm_rank(comm, &group->own), "MPI_Comm_rank", status) &&
         hlo_ranks_check(ranks, MPI_Comm_dup(comm, &group->second), "MPI_Comm_dup", status);
}

/* Marks the ranks that hold a set, unless one of them is marked already. */
static bool claim(const hlo_ranks *ranks, hlo_device_set set, bool *taken) {
  for (int i = 0; i < set.count; i++)
    if (taken[set.devices[i] / ranks->remote.devices_per_rank]) return false;
  for (int i = 0; i < set.count; i++) taken[set.devices[i] / ranks->remote.devices_per_rank] = true;
  return true;
}

static bool holds(const hlo_ranks *ranks, hlo_device_set set) {
  for (int i = 0; i < set.count; i++)
    if (set.devices[i] / ranks->remote.devices_per_rank == ranks->remote.rank) return true;
  return false;
}

/* Makes the groups of as many sets as have no rank in common, by one split: `made` says which sets have theirs. */
static bool split(hlo_ranks *ranks, const hlo_device_set *sets, int count, bool *made, bool *taken, int *left, hlo_status *status) {
  int color = MPI_UNDEFINED;
  memset(taken, 0, (size_t)ranks->remote.rank_count * sizeof *taken);
  for (int i = 0; i < count; i++) {
    if (made[i] || !claim(ranks, sets[i], taken)) continue;
    made[i] = true;
    --*left;
    if (holds(ranks, sets[i])) color = i;
  }
  MPI_Comm comm;
  if (!hlo_ranks_check(ranks, MPI_Comm_split(MPI_COMM_WORLD, color, ranks->remote.rank, &comm), "MPI_Comm_split", status)) return false;
  return color == MPI_UNDEFINED || keep_group(ranks, sets[color], comm, status);
}

static bool make_groups(hlo_remote *remote, const hlo_device_set *sets, int count, hlo_status *status) {
  hlo_ranks *ranks = of(remote);
  bool *made = calloc((size_t)count + 1, sizeof *made), *taken = calloc((size_t)remote->rank_count, sizeof *taken);
  bool ok = made && taken ? true : hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d groups", count);
  for (int left = count; ok && left > 0;) ok = split(ranks, sets, count, made, taken, &left, status);
  free(made);
  free(taken);
  return ok;
}

/* ---- Exchanges ---- */

/* Makes an exchange with room for `lists` lists of a number for each rank of the group. */
static hlo_exchange *new_exchange(const hlo_mpi_group *group, int lists, hlo_status *status) {
  hlo_exchange *exchange = calloc(1, sizeof *exchange);
  if (exchange) exchange->counts = calloc((size_t)(group->ranks * lists) + 1, sizeof *exchange->counts);
  if (exchange && exchange->counts) return exchange;
  free(exchange);
  hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for an exchange of %d ranks", group->ranks);
  return NULL;
}

static hlo_exchange *begun(hlo_ranks *ranks, hlo_exchange *exchange, int code, const char *what, hlo_status *status) {
  if (hlo_ranks_check(ranks, code, what, status)) return exchange;
  free(exchange->counts);
  free(exchange);
  return NULL;
}

/* Copies numbers of units, and sums them up to places. */
static void fill_places(const int *units, int count, int *counts, int *places) {
  for (int i = 0, at = 0; i < count; at += units[i++]) {
    counts[i] = units[i];
    places[i] = at;
  }
}

static void count_sent(hlo_ranks *ranks, int64_t units) { ranks->sent += units * HLO_REMOTE_UNIT; }

static hlo_exchange *all_gather(hlo_remote *remote, hlo_rank_group *g, bool second, const void *block, void *blocks, const int *units, hlo_status *status) {
  const hlo_mpi_group *group = mpi_of(g);
  hlo_exchange *e = new_exchange(group, 2, status);
  if (!e) return NULL;
  int *counts = e->counts, *places = counts + group->ranks;
  fill_places(units, group->ranks, counts, places);
  count_sent(of(remote), (int64_t)units[group->own] * (group->ranks - 1));
  MPI_Datatype unit = of(remote)->unit;
  int code = MPI_Iallgatherv(block, counts[group->own], unit, blocks, counts, places, unit, comm_of(g, second), &e->request);
  return begun(of(remote), e, code, "MPI_Iallgatherv", status);
}

static hlo_exchange *all_to_all(hlo_remote *remote, hlo_rank_group *g, bool second, const void *out, const int *out_units, void *in,
                                const int *in_units, hlo_status *status) {
  const hlo_mpi_group *group = mpi_of(g);
  hlo_exchange *e = new_exchange(group, 4, status);
  int n = group->ranks;
  if (!e) return NULL;
  int *out_counts = e->counts, *out_places = out_counts + n, *in_counts = out_places + n, *in_places = in_counts + n;
  fill_places(out_units, n, out_counts, out_places);
  fill_places(in_units, n, in_counts, in_places);
  for (int r = 0; r < n; r++) count_sent(of(remote), r == group->own ? 0 : out_units[r]);
  MPI_Datatype unit = of(remote)->unit;
  int code = MPI_Ialltoallv(out, out_counts, out_places, unit, in, in_counts, in_places, unit, comm_of(g, second), &e->request);
  return begun(of(remote), e, code, "MPI_Ialltoallv", status);
}

static hlo_exchange *broadcast(hlo_remote *remote, hlo_rank_group *g, int root, void *block, int units, hlo_status *status) {
  const hlo_mpi_group *group = mpi_of(g);
  hlo_exchange *e = new_exchange(group, 0, status);
  if (!e) return NULL;
  if (group->own == root) count_sent(of(remote), (int64_t)units * (group->ranks - 1));
  return begun(of(remote), e, MPI_Ibcast(block, units, of(remote)->unit, root, group->comm, &e->request), "MPI_Ibcast", status);
}

/* ---- MPI's own operators ---- */

static MPI_Datatype type_of(hlo_type type) {
  switch (type) {
  case HLO_TYPE_S8: return MPI_INT8_T;
  case HLO_TYPE_S16: return MPI_INT16_T;
  case HLO_TYPE_S32: return MPI_INT32_T;
  case HLO_TYPE_S64: return MPI_INT64_T;
  case HLO_TYPE_U8: return MPI_UINT8_T;
  case HLO_TYPE_U16: return MPI_UINT16_T;
  case HLO_TYPE_U32: return MPI_UINT32_T;
  case HLO_TYPE_U64: return MPI_UINT64_T;
  case HLO_TYPE_F32: return MPI_FLOAT;
  case HLO_TYPE_F64: return MPI_DOUBLE;
  default: return MPI_DATATYPE_NULL;
  }
}

/* MPI's maximum and minimum of floats do not say what a NaN gives, so that those of HLO have no operator. */
static MPI_Op operator_of(hlo_opcode opcode, hlo_type type) {
  bool is_float = type == HLO_TYPE_F32 || type == HLO_TYPE_F64;
  switch (opcode) {
  case HLO_OP_ADD: return MPI_SUM;
  case HLO_OP_MULTIPLY: return MPI_PROD;
  case HLO_OP_MAXIMUM: return is_float ? MPI_OP_NULL : MPI_MAX;
  case HLO_OP_MINIMUM: return is_float ? MPI_OP_NULL : MPI_MIN;
  default: return MPI_OP_NULL;
  }
}

static bool can_reduce(hlo_opcode opcode, hlo_type type) {
  return type_of(type) != MPI_DATATYPE_NULL && operator_of(opcode, type) != MPI_OP_NULL;
}

static hlo_exchange *all_reduce(hlo_remote *remote, hlo_rank_group *g, hlo_opcode opcode, hlo_type type, void *elements, int64_t count,
                                hlo_status *status) {
  if (count > INT_MAX) {
    hlo_fail(status, HLO_LIMIT, "an all-reduce of %lld elements is too large for MPI", (long long)count);
    return NULL;
  }
  const hlo_mpi_group *group = mpi_of(g);
  hlo_exchange *e = new_exchange(group, 0, status);
  if (!e) return NULL;
  of(remote)->sent += 2 * (int64_t)(group->ranks - 1) * count * hlo_type_bytes(type) / group->ranks; /* as much as its algorithms need */
  int code = MPI_Iallreduce(MPI_IN_PLACE, elements, (int)count, type_of(type), operator_of(opcode, type), group->comm, &e->request);
  return begun(of(remote), e, code, "MPI_Iallreduce", status);
}

/* ---- Going on ---- */

/* Something has come to an end, so that this rank no longer waits. */
static void note_event(hlo_ranks *ranks) {
  ranks->events++;
  if (ranks->idle) ranks->waited += hlo_ranks_seconds() - ranks->idle_since;
  ranks->idle = false;
}

static bool test(hlo_remote *remote, hlo_exchange *exchange, bool *done, hlo_status *status) {
  int flag = 0;
  if (!hlo_ranks_check(of(remote), MPI_Test(&exchange->request, &flag, MPI_STATUS_IGNORE), "a collective of MPI", status)) return false;
  *done = flag;
  if (!flag) return true;
  note_event(of(remote));
  free(exchange->counts);
  free(exchange);
  return true;
}

/* Frees the bytes of messages that have arrived. */
static bool sweep(hlo_ranks *ranks, hlo_status *status) {
  for (hlo_sending **link = &ranks->sendings; *link;) {
    hlo_sending *sending = *link;
    int flag = 0;
    if (!hlo_ranks_check(ranks, MPI_Test(&sending->request, &flag, MPI_STATUS_IGNORE), "MPI_Issend", status)) return false;
    if (!flag) {
      link = &sending->next;
      continue;
    }
    *link = sending->next;
    free(sending->bytes);
    free(sending);
  }
  return true;
}

static bool send(hlo_remote *remote, int rank, int64_t channel, void *bytes, size_t size, hlo_status *status) {
  hlo_ranks *ranks = of(remote);
  hlo_sending *sending = size > INT_MAX ? NULL : calloc(1, sizeof *sending);
  if (!sending) {
    free(bytes);
    return size > INT_MAX ? hlo_fail(status, HLO_LIMIT, "a message of %zu bytes is too large for MPI", size)
                          : hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a message");
  }
  *sending = (hlo_sending){.next = ranks->sendings, .bytes = bytes};
  ranks->sendings = sending;
  ranks->sent += (int64_t)size;
  /* A synchronous send ends when the message is taken, so that none is under way once all ranks have finished. */
  int code = MPI_Issend(bytes, (int)size, MPI_BYTE, rank, (int)(channel % CHANNELS), ranks->mail, &sending->request);
  return hlo_ranks_check(ranks, code, "MPI_Issend", status);
}

static bool receive(hlo_remote *remote, void **bytes, size_t *size, hlo_status *status) {
  hlo_ranks *ranks = of(remote);
  MPI_Message message;
  MPI_Status found;
  int flag = 0, count = 0;
  *bytes = NULL;
  if (!sweep(ranks, status)) return false;
  if (!hlo_ranks_check(ranks, MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks->mail, &flag, &message, &found), "MPI_Improbe", status)) return false;
  if (!flag) return true;
  MPI_Get_count(&found, MPI_BYTE, &count);
  *size = (size_t)count;
  *bytes = malloc(*size + 1);
  if (!*bytes) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a message of %d bytes", count);
  note_event(ranks);
  return hlo_ranks_check(ranks, MPI_Mrecv(*bytes, count, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv", status);
}

static void pause_for_others(hlo_ranks *ranks) {
  static int rounds;
  static uint64_t events;
  rounds = ranks->events == events ? rounds + 1 : 0;
  events = ranks->events;
  if (rounds < ROUNDS_BEFORE_YIELD && !ranks->crowded) return;
  if (rounds < ROUNDS_BEFORE_SLEEP) sched_yield();
  else nanosleep(&(struct timespec){.tv_nsec = SLEEP_NANOSECONDS}, NULL);
}

static bool idle(hlo_remote *remote, bool (*waiting)(const void *context, hlo_status *status), const void *context, hlo_status *status) {
  hlo_ranks *ranks = of(remote);
  if (!ranks->idle) ranks->idle_since = hlo_ranks_seconds();
  ranks->idle = true;
  if (hlo_watch_is_due(ranks)) {
    static const char prefix[] = "deadlock: ";
    hlo_status text = {0};
    waiting(context, &text);
    hlo_watch_say(ranks, strncmp(text.message, prefix, strlen(prefix)) == 0 ? text.message + strlen(prefix) : text.message);
  }
  if (!sweep(ranks, status) || !hlo_watch(ranks, HLO_RANK_WAITS, status)) return false;
  pause_for_others(ranks);
  return true;
}

/* ---- Begin and end ---- */

bool hlo_ranks_open(hlo_ranks *ranks, int devices_per_rank, bool fast, double timeout, hlo_status *status) {
  *ranks = (hlo_ranks){
      .remote = {.devices_per_rank = devices_per_rank, .fast = fast, .make_groups = make_groups, .find_group = find_group, .all_gather = all_gather,
                 .all_to_all = all_to_all, .broadcast = broadcast, .can_reduce = can_reduce, .all_reduce = all_reduce, .test = test, .send = send,
                 .receive = receive, .idle = idle},
      .timeout = timeout, .beating = MPI_REQUEST_NULL};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks->remote.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks->remote.rank_count);
  const char *neighbours = getenv("OMPI_COMM_WORLD_LOCAL_SIZE"); /* how many ranks this machine has, by Open MPI */
  ranks->crowded = neighbours && strtol(neighbours, NULL, 10) > sysconf(_SC_NPROCESSORS_ONLN);
  return hlo_ranks_check(ranks, MPI_Comm_dup(MPI_COMM_WORLD, &ranks->mail), "MPI_Comm_dup", status) &&
         hlo_ranks_check(ranks, MPI_Comm_dup(MPI_COMM_WORLD, &ranks->control), "MPI_Comm_dup", status) &&
         hlo_ranks_check(ranks, MPI_Type_contiguous(HLO_REMOTE_UNIT, MPI_BYTE, &ranks->unit), "MPI_Type_contiguous", status) &&
         hlo_ranks_check(ranks, MPI_Type_commit(&ranks->unit), "MPI_Type_commit", status) && hlo_watch_open(ranks, status);
}

/* Takes what nobody has asked for; returns whether all that this rank sent was taken. */
static bool drain(hlo_ranks *ranks, bool *empty, hlo_status *status) {
  void *bytes = NULL;
  size_t size;
  do {
    free(bytes);
    if (!receive(&ranks->remote, &bytes, &size, status)) return false;
  } while (bytes);
  *empty = ranks->sendings == NULL;
  return true;
}

bool hlo_ranks_finish(hlo_ranks *ranks, hlo_status *status) {
  MPI_Request barrier = MPI_REQUEST_NULL;
  hlo_watch_say(ranks, "has finished");
  for (int done = 0; !done;) {
    bool empty;
    if (!drain(ranks, &empty, status) || !hlo_watch(ranks, HLO_RANK_FINISHED, status)) return false;
    if (empty && barrier == MPI_REQUEST_NULL && !hlo_ranks_check(ranks, MPI_Ibarrier(ranks->mail, &barrier), "MPI_Ibarrier", status)) return false;
    if (barrier != MPI_REQUEST_NULL && !hlo_ranks_check(ranks, MPI_Test(&barrier, &done, MPI_STATUS_IGNORE), "MPI_Ibarrier", status)) return false;
    if (!done) pause_for_others(ranks);
  }
  ranks->idle = false;
  hlo_watch_say(ranks, "");
  return true;
}

void hlo_ranks_close(hlo_ranks *ranks) {
  while (ranks->groups) {
    hlo_mpi_group *next = ranks->groups->next;
    free_group(ranks->groups);
    ranks->groups = next;
  }
  if (ranks->beating != MPI_REQUEST_NULL) MPI_Cancel(&ranks->beating);
  free(ranks->pulses);
}
