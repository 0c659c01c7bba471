/* Chunks of memory, filled from the front:
 *
 *   newest -> [header | used ... | free ...] -> [header | used, full] -> ...
 *
 * Small requests come from the newest chunk. A request that would waste much of it gets a chunk of its own, linked behind the newest,
 * and the newest stays in use. Chunks for small requests grow with the arena, without end: what the last one leaves unused is a part of the
 * arena, however large or small that is. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/format.h"

/* A chunk is twice as large as the one before, up to DOUBLED_CHUNK, and from then on a sixteenth of all that there is. */
enum { ALIGNMENT = 16, FIRST_CHUNK = 256, DOUBLED_CHUNK = 1 << 14, PART = 16 };

struct hlo_arena_chunk {
  hlo_arena_chunk *older;
  size_t capacity; /* bytes after the header and its alignment */
  size_t used;
  size_t all; /* of the newest chunk: the capacity of all of them */
  size_t dirty; /* bytes from here on have never been used, and are still zero from calloc */
};

struct hlo_adopted {
  hlo_adopted *older;
  void *block;
  void (*release)(void *block);
};

/* A chunk's first byte for users, aligned by hand: malloc aligns to only 8 bytes in 32-bit WebAssembly. */
static char *chunk_data(hlo_arena_chunk *chunk) {
  uintptr_t data = (uintptr_t)(chunk + 1);
  return (char *)((data + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
}

static hlo_arena_chunk *chunk_make(size_t capacity) {
  hlo_arena_chunk *chunk = calloc(1, sizeof *chunk + ALIGNMENT + capacity);
  if (chunk) chunk->capacity = chunk->all = capacity;
  return chunk;
}

static void *chunk_take(hlo_arena_chunk *chunk, size_t bytes) {
  char *result = chunk_data(chunk) + chunk->used;
  if (chunk->used < chunk->dirty) {
    size_t stale = chunk->dirty - chunk->used;
    memset(result, 0, bytes < stale ? bytes : stale);
  }
  chunk->used += bytes;
  if (chunk->used > chunk->dirty) chunk->dirty = chunk->used;
  return result;
}

void hlo_arena_init(hlo_arena *arena) { *arena = (hlo_arena){0}; }

static void free_adopted(hlo_arena *arena) {
  hlo_adopted *adopted = arena->adopted;
  arena->adopted = NULL;
  for (; adopted; adopted = adopted->older) adopted->release(adopted->block);
}

static void free_chunks(hlo_arena *arena) {
  while (arena->newest) {
    hlo_arena_chunk *older = arena->newest->older;
    free(arena->newest);
    arena->newest = older;
  }
}

void hlo_arena_free(hlo_arena *arena) {
  free_adopted(arena);
  free_chunks(arena);
  arena->bytes = 0;
}

void hlo_arena_reset(hlo_arena *arena) {
  free_adopted(arena);
  arena->bytes = 0;
  if (!arena->newest) return;
  if (arena->newest->older) {
    size_t capacity = 0;
    for (hlo_arena_chunk *chunk = arena->newest; chunk; chunk = chunk->older) capacity += chunk->capacity;
    free_chunks(arena);
    arena->newest = chunk_make(capacity); /* NULL makes the arena empty: correct, but it allocates again next time */
  } else {
    arena->newest->used = 0;
  }
}

/* A chunk with room for `bytes`, or NULL. */
static hlo_arena_chunk *chunk_for(hlo_arena *arena, size_t bytes) {
  hlo_arena_chunk *newest = arena->newest;
  if (newest && newest->capacity - newest->used >= bytes) return newest;

  size_t doubled = newest ? newest->capacity * 2 : FIRST_CHUNK, part = newest ? newest->all / PART : 0;
  if (doubled > DOUBLED_CHUNK) doubled = DOUBLED_CHUNK;
  bool own = bytes > (part > doubled ? part : doubled) / 4;
  hlo_arena_chunk *chunk = !own && part > doubled ? chunk_make(part) : NULL;
  if (!chunk) chunk = chunk_make(own || bytes > doubled ? bytes : doubled); /* also where memory has no room for a part */
  if (!chunk) return NULL;
  if (own && newest) {
    chunk->older = newest->older;
    newest->older = chunk;
    newest->all += chunk->capacity;
  } else {
    chunk->older = newest;
    if (newest) chunk->all += newest->all;
    arena->newest = chunk;
  }
  return chunk;
}

void *hlo_arena_alloc(hlo_arena *arena, size_t bytes, hlo_status *status) {
  size_t asked = bytes ? bytes : 1;
  if (asked > SIZE_MAX / 2) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "%zu bytes are more than memory can hold", asked);
    return NULL;
  }
  asked = (asked + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (arena->limit && (arena->bytes > arena->limit || asked > arena->limit - arena->bytes)) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "%zu more bytes would exceed the limit of %zu bytes", asked, arena->limit);
    return NULL;
  }
  hlo_arena_chunk *chunk = chunk_for(arena, asked);
  if (!chunk) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %zu bytes", asked);
    return NULL;
  }
  arena->bytes += asked;
  return chunk_take(chunk, asked);
}

bool hlo_arena_keep(hlo_arena *arena, void *object, void (*release)(void *object), hlo_status *status) {
  hlo_adopted *adopted = hlo_arena_new(arena, hlo_adopted, status);
  if (!adopted) return false;
  *adopted = (hlo_adopted){arena->adopted, object, release};
  arena->adopted = adopted;
  return true;
}

bool hlo_arena_adopt(hlo_arena *arena, void *block, size_t bytes, hlo_status *status) {
  if (!hlo_arena_keep(arena, block, free, status)) return false;
  arena->bytes += bytes;
  return true;
}

void *hlo_arena_array(hlo_arena *arena, int64_t count, size_t size, hlo_status *status) {
  int64_t product;
  size_t bytes;
  if (count < 0 || !hlo_checked_mul(count, (int64_t)size, &product) || !hlo_checked_size(product, &bytes)) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "%lld items of %zu bytes are more than memory can hold",
             (long long)count, size);
    return NULL;
  }
  return hlo_arena_alloc(arena, bytes, status);
}

void *hlo_arena_copy(hlo_arena *arena, const void *bytes, size_t length, hlo_status *status) {
  void *copy = hlo_arena_alloc(arena, length, status);
  if (copy && length) memcpy(copy, bytes, length);
  return copy;
}

char *hlo_arena_text(hlo_arena *arena, const char *text, size_t length, hlo_status *status) {
  if (length == SIZE_MAX) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a text of %zu bytes", length);
    return NULL;
  }
  char *copy = hlo_arena_alloc(arena, length + 1, status);
  if (copy && length) memcpy(copy, text, length);
  return copy;
}

char *hlo_arena_format(hlo_arena *arena, hlo_status *status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = hlo_format_arguments(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0) {
    hlo_fail(status, HLO_INTERNAL, "the format \"%s\" cannot be printed", format);
    return NULL;
  }
  char *text = hlo_arena_alloc(arena, (size_t)length + 1, status);
  if (!text) return NULL;
  va_start(arguments, format);
  hlo_format_arguments(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}
