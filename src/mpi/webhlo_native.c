/* The command webhlo-native: runs a program on all cores that Open MPI has, or in one process. */
#include <malloc.h>
#include <mpi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/format.h"
#include "base/status.h"
#include "mpi/native_run.h"
#include "mpi/ranks.h"
#include "mpi/settings.h"

void hlo_native_say(int file, const char *format, ...) {
  char line[1 << 14];
  va_list arguments;
  va_start(arguments, format);
  int length = hlo_format_arguments(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  if (length > (int)sizeof line - 2) length = sizeof line - 2;
  line[length++] = '\n';
  if (write(file, line, (size_t)length) < 0) _exit(1);
}

/* Blocks of exchanges come and go: memory that is given back to the system each time would have to be cleared by it again. */
static void keep_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

/* Returns whether something like mpirun has started this process, and maybe others. */
static bool is_launched(void) { return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK"); }

/* Runs the program without MPI: one rank, which has all devices. */
static int run_alone(const hlo_settings *settings) {
  hlo_ranks ranks = {.remote = {.rank_count = 1}};
  hlo_status status = {0};
  bool told = false;
  if (hlo_native_run(settings, &ranks, &told, &status)) return 0;
  hlo_native_say(2, "webhlo-native: %s", status.message);
  return 1;
}

int main(int count, char **words) {
  hlo_settings settings;
  keep_memory();
  hlo_settings_read(&settings, count, words);
  if (!settings.measures && !is_launched()) return run_alone(&settings);
  if (MPI_Init(&count, &words) != MPI_SUCCESS) {
    hlo_native_say(2, "webhlo-native: MPI could not be started");
    return 1;
  }
  static hlo_ranks ranks;
  hlo_status status = {0};
  bool told = false;
  int devices = settings.devices_per_rank ? settings.devices_per_rank : 1;
  bool ok = hlo_ranks_open(&ranks, devices, settings.fast, settings.timeout, &status) &&
            (settings.measures ? hlo_native_measure(&settings, &ranks, &status) : hlo_native_run(&settings, &ranks, &told, &status));
  if (!ok && !told) {
    hlo_native_say(2, "webhlo-native: %s", status.message);
    /* Ranks that wait for this one are ended; each then says what it waited for. */
    if (ranks.remote.rank_count > 1) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  hlo_ranks_close(&ranks);
  MPI_Finalize();
  return ok ? 0 : 1;
}
