/* Strided copies by a team: each thread copies ranges of one dimension. */
#include "base/ranges.h"
#include "base/team.h"
#include "kernels/move/strided_copy.h"

typedef struct shared_copy {
  const hlo_strided_map *map;
  const char *in;
  char *out;
  int dimension;
} shared_copy;

static void copy_part(const void *context, int64_t first, int64_t count, int thread) {
  const shared_copy *c = context;
  int d = c->dimension;
  hlo_strided_map part = *c->map;
  part.dims[d] = count;
  hlo_strided_map_simplify(&part);
  hlo_strided_copy_simd128(&part, c->in + first * c->map->in_strides[d], c->out + first * c->map->out_strides[d]);
}

void hlo_strided_copy_shared(const hlo_strided_map *map, const void *in, void *out, hlo_team *team) {
  if (map->rank == 0 || hlo_team_threads(team) == 1) {
    hlo_strided_copy_simd128(map, in, out);
    return;
  }
  /* A range of a major dimension is contiguous in the output; ranges of the last dimension would cut its runs. */
  int d = map->rank > 2 && map->dims[0] < 16 && map->dims[1] > map->dims[0];
  double bytes = map->element_bytes;
  for (int i = 0; i < map->rank; i++) bytes *= (double)map->dims[i];
  const shared_copy c = {map, in, out, d};
  hlo_ranges_run(team, map->dims[d], map->dims[d] >= 256 ? 16 : 1, bytes / 4, copy_part, &c);
}

void hlo_copy_shared(const void *in, void *out, int64_t bytes, hlo_team *team) {
  const hlo_strided_map map = {.rank = 1, .element_bytes = 1, .dims = {bytes}, .in_strides = {1}, .out_strides = {1}};
  hlo_strided_copy_shared(&map, in, out, team);
}
