/* Large constants that stay where they are in the file: each moves down by a few bytes, so that it is aligned. Nothing else of the file is read
 * from then on: what lies between constants may be overwritten. */
#include <string.h>

#include "base/arena.h"
#include "base/heap_sort.h"
#include "base/list.h"
#include "base/source_bytes.h"
#include "base/status.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shared_array.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir_reader.h"

enum { ALIGNMENT = 16 };

typedef hlo_bytecode_constant blob;

bool hlo_bytecode_keeps(const hlo_bytecode *b, const hlo_shape *shape) {
  return b->source && hlo_literal_is_large(shape) && hlo_type_bits(shape->type) >= 8;
}

hlo_literal *hlo_bytecode_keep(hlo_bytecode *b, const hlo_shape *shape, size_t at) {
  blob kept = {.literal = hlo_literal_wrap(b->arena, shape, NULL, b->status), .at = (size_t)((const char *)b->bytes - b->source->bytes) + at};
  return kept.literal && hlo_list_push(&b->blobs, &kept, b->status) ? kept.literal : NULL;
}

static int compare(const void *a, const void *b) {
  const blob *left = a, *right = b;
  return left->at < right->at ? -1 : left->at > right->at;
}

/* Gives a literal elements of its own. */
static bool copy_out(hlo_bytecode *b, const blob *kept) {
  size_t bytes = hlo_literal_bytes(kept->literal);
  hlo_shared_array *shared = hlo_shared_array_make(bytes, b->status);
  if (!shared) return false;
  memcpy((void *)hlo_shared_array_pin(shared, b->status), b->source->bytes + kept->at, bytes); /* its home, so that writing is allowed */
  hlo_shared_array_unpin(shared);
  bool ok = hlo_literal_refer(b->arena, kept->literal, shared, b->status);
  hlo_shared_array_release(shared);
  return ok;
}

static bool place_at(hlo_bytecode *b, const blob *kept, size_t place) {
  size_t bytes = hlo_literal_bytes(kept->literal);
  memmove(b->source->bytes + place, b->source->bytes + kept->at, bytes);
  hlo_shared_array *shared = hlo_shared_array_new(b->source->bytes + place, bytes, NULL, NULL, b->status);
  if (!shared) return false;
  hlo_shared_array_own(shared, hlo_source_release, hlo_source_keep(b->source));
  bool ok = hlo_literal_refer(b->arena, kept->literal, shared, b->status);
  hlo_shared_array_release(shared);
  return ok;
}

static bool is_same(const blob *a, const blob *b) { return a->at == b->at && hlo_literal_bytes(a->literal) == hlo_literal_bytes(b->literal); }

/* Blobs that overlap an earlier one get elements of their own before anything moves; blobs that are the same share. */
static bool place_overlapping(hlo_bytecode *b, blob *blobs, int64_t count) {
  size_t end = 0;
  for (int64_t i = 0; i < count; i++) {
    bool shares = i > 0 && is_same(&blobs[i], &blobs[i - 1]);
    if (!shares && blobs[i].at < end && !copy_out(b, &blobs[i])) return false;
    size_t own_end = blobs[i].at + hlo_literal_bytes(blobs[i].literal);
    if (own_end > end) end = own_end;
  }
  return true;
}

bool hlo_bytecode_place_blobs(hlo_bytecode *b) {
  blob *blobs = b->blobs.items;
  int64_t count = b->blobs.count;
  if (count == 0) return true;
  hlo_heap_sort(blobs, (size_t)count, sizeof *blobs, compare);
  if (!place_overlapping(b, blobs, count)) return false;
  size_t end = 0; /* of what has been placed, rounded up */
  for (int64_t i = 0; i < count; i++) {
    if (blobs[i].literal->shared) continue;
    if (i > 0 && is_same(&blobs[i], &blobs[i - 1])) {
      if (!hlo_literal_refer(b->arena, blobs[i].literal, blobs[i - 1].literal->shared, b->status)) return false;
      continue;
    }
    size_t place = blobs[i].at / ALIGNMENT * ALIGNMENT;
    if (place < end) place = end;
    bool fits = place <= blobs[i].at;
    if (!(fits ? place_at(b, &blobs[i], place) : copy_out(b, &blobs[i]))) return false;
    if (fits) end = (place + hlo_literal_bytes(blobs[i].literal) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  return true;
}
