/* The state that a while loop carries from iteration to iteration.
 *
 * The body's result lies in the body's frame, which the next iteration overwrites, so it is copied out. Parts of it
 * may be parts of the state before (a swap, say), so no part may be written over one that can still be read: every
 * array of the state has two places, used in turn. Arrays that the body passes on unchanged are not copied. */
#include "base/arena.h"
#include "base/status.h"
#include "reference/machine/frames.h"
#include "shape/literal.h"
#include "shape/shape.h"

struct hlo_while_state {
  hlo_arena *arena;
  hlo_literal *shells[2]; /* the tuples, in turn; NULL when the state is one array */
  int turn;
  hlo_literal **places[2]; /* by leaf; made when first needed */
};

hlo_literal *hlo_literal_make_shell(hlo_arena *arena, const hlo_shape *shape, hlo_status *status) {
  hlo_literal *shell = hlo_arena_new(arena, hlo_literal, status);
  if (!shell) return NULL;
  shell->shape = shape;
  shell->elements = hlo_arena_many(arena, hlo_literal *, shape->element_count, status);
  return shell->elements ? shell : NULL;
}

/* Makes the shells of a whole nested tuple; arrays have NULL in their place. */
static bool make_shells(hlo_arena *arena, const hlo_shape *shape, hlo_literal **shell, hlo_status *status) {
  *shell = NULL;
  if (!hlo_shape_is_tuple(shape)) return true;
  *shell = hlo_literal_make_shell(arena, shape, status);
  if (!*shell) return false;
  for (int i = 0; i < shape->element_count; i++)
    if (!make_shells(arena, shape->elements[i], &(*shell)->elements[i], status)) return false;
  return true;
}

hlo_while_state *hlo_while_state_make(hlo_arena *arena, const hlo_shape *shape, hlo_status *status) {
  hlo_while_state *loop = hlo_arena_new(arena, hlo_while_state, status);
  if (!loop) return NULL;
  loop->arena = arena;
  int leaves = hlo_shape_leaf_count(shape);
  for (int side = 0; side < 2; side++) {
    loop->places[side] = hlo_arena_many(arena, hlo_literal *, leaves, status);
    if (!loop->places[side] || !make_shells(arena, shape, &loop->shells[side], status)) return NULL;
  }
  return loop;
}

static const hlo_literal *carry_leaf(hlo_while_state *loop, int leaf, const hlo_literal *now, const hlo_literal *result,
                                     hlo_status *status) {
  if (result == now) return now;
  hlo_literal **place = &loop->places[loop->places[0][leaf] == now][leaf];
  if (!*place) *place = hlo_literal_make(loop->arena, result->shape, status);
  if (*place) hlo_literal_assign(*place, result);
  return *place;
}

static const hlo_literal *carry(hlo_while_state *loop, hlo_literal *shell, int *leaf, const hlo_literal *now,
                                const hlo_literal *result, hlo_status *status) {
  if (!hlo_shape_is_tuple(result->shape)) return carry_leaf(loop, (*leaf)++, now, result, status);
  for (int i = 0; i < result->shape->element_count; i++) {
    hlo_literal *inner = hlo_shape_is_tuple(result->shape->elements[i]) ? shell->elements[i] : NULL;
    shell->elements[i] = (hlo_literal *)carry(loop, inner, leaf, now->elements[i], result->elements[i], status);
    if (!shell->elements[i]) return NULL;
  }
  return shell;
}

const hlo_literal *hlo_while_state_advance(hlo_while_state *loop, const hlo_literal *now, const hlo_literal *result, hlo_status *status) {
  int leaf = 0;
  if (result == now) return now;
  loop->turn = !loop->turn;
  return carry(loop, loop->shells[loop->turn], &leaf, now, result, status);
}
