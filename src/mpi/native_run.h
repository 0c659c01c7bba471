/* A program of webhlo-native, from its file to the files of its results. */
#ifndef HLO_MPI_NATIVE_RUN_H
#define HLO_MPI_NATIVE_RUN_H

#include <stdbool.h>

#include "base/status.h"
#include "mpi/ranks.h"
#include "mpi/settings.h"

/* Runs it. Where there is more than one rank, all call it; a failure that all ranks know of is told by rank 0, and *told is set: the others then end as it does. */
bool hlo_native_run(const hlo_settings *settings, hlo_ranks *ranks, bool *told, hlo_status *status);
/* Times MPI_Allreduce of an array of floats, for comparison, and prints a line of JSON for rank 0. */
bool hlo_native_measure(const hlo_settings *settings, const hlo_ranks *ranks, hlo_status *status);
/* Writes a line to standard output (1) or error (2) in one piece, so that lines of ranks do not mix. */
void hlo_native_say(int file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
