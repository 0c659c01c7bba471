/* Strided copies by a team. */
#include "kernels/strided_copy.h"

typedef struct shared_copy {
  const hlo_strided_map *map;
  const char *in;
  char *out;
  int dimension;
  int64_t share;
} shared_copy;

static void copy_part(void *context, int64_t unit, int thread) {
  const shared_copy *c = context;
  int d = c->dimension;
  int64_t begin = unit * c->share, left = c->map->dims[d] - begin;
  hlo_strided_map part = *c->map;
  part.dims[d] = left < c->share ? left : c->share;
  hlo_strided_map_simplify(&part);
  hlo_strided_copy_simd128(&part, c->in + begin * c->map->in_strides[d], c->out + begin * c->map->out_strides[d]);
}

void hlo_strided_copy_shared(const hlo_strided_map *map, const void *in, void *out, hlo_team *team) {
  if (map->rank == 0 || hlo_team_threads(team) == 1) {
    hlo_strided_copy_simd128(map, in, out);
    return;
  }
  /* Major dimensions keep what a thread writes together; a part of the last one would cut its runs. */
  int d = map->rank > 2 && map->dims[0] < 16 && map->dims[1] > map->dims[0];
  double bytes = map->element_bytes;
  for (int i = 0; i < map->rank; i++) bytes *= (double)map->dims[i];
  shared_copy c = {map, in, out, d, hlo_team_share(team, map->dims[d], map->dims[d] >= 256 ? 16 : 1, bytes / 4)};
  hlo_team_run(team, hlo_ceil_div(map->dims[d], c.share), bytes / 4, copy_part, &c);
}
