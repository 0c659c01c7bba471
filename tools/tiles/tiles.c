/* A program of the build, which writes the module of tile kernels; write.js runs it. */
#include "emit/tile_emit.h"

static hlo_status status;
static hlo_writer out;

/* Writes the module, for a memory that is shared or is not, and returns its size; 0: memory ran out. */
__attribute__((export_name("write_tiles"))) size_t write_tiles(bool shared_memory) {
  hlo_writer_init(&out, &status);
  hlo_emit_tiles(shared_memory, &out);
  return hlo_ok(&status) ? out.length : 0;
}

__attribute__((export_name("tiles"))) const char *tiles(void) { return out.text; }
