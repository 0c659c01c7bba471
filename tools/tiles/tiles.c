/* The program that a build runs to have the module of tile kernels written; see write.js. */
#include "emit/tile_emit.h"

static hlo_status status;
static hlo_writer out;

/* The module for a memory that is shared, or is not; 0: there was no memory to write it. */
__attribute__((export_name("write_tiles"))) size_t write_tiles(bool shared_memory) {
  hlo_writer_init(&out, &status);
  hlo_emit_tiles(shared_memory, &out);
  return hlo_ok(&status) ? out.length : 0;
}

__attribute__((export_name("tiles"))) const char *tiles(void) { return out.text; }
