/* Runs a fuzz target over files, or over all files of a folder: replay PATH... It says how many there were. */
#include <dirent.h>
#include <sys/stat.h>

#define FUZZ_REPLAYS
#include "fuzz.h"

static int count;

/* The target gets a block of exactly the file's size, so that AddressSanitizer sees a read past its end. */
static void replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  if (data && fread(data, 1, (size_t)size, file) == (size_t)size) {
    LLVMFuzzerTestOneInput(data, (size_t)size);
    count++;
  }
  free(data);
  fclose(file);
}

static void replay(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return;
  DIR *folder = S_ISDIR(status.st_mode) ? opendir(path) : NULL;
  if (!folder) {
    replay_file(path);
    return;
  }
  for (struct dirent *entry; (entry = readdir(folder));) {
    char inner[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
    replay(inner);
  }
  closedir(folder);
}

int main(int argument_count, char **arguments) {
  for (int i = 1; i < argument_count; i++) replay(arguments[i]);
  printf("%d inputs\n", count);
  return count == 0;
}
