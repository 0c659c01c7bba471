/* Memory that is freed all at once: that of a module, of a plan, or the scratch memory of a run. */
#ifndef HLO_BASE_ARENA_H
#define HLO_BASE_ARENA_H

#include "base/status.h"

typedef struct hlo_arena_chunk hlo_arena_chunk;

typedef struct hlo_adopted hlo_adopted;

typedef struct hlo_arena {
  hlo_arena_chunk *newest; /* chunks, linked from newest to oldest */
  hlo_adopted *adopted;    /* blocks that were allocated elsewhere, linked from newest to oldest */
  size_t bytes;            /* total handed out since the last reset */
  size_t limit;            /* allocations that would exceed this total fail; 0: no limit */
} hlo_arena;

void hlo_arena_init(hlo_arena *arena);
void hlo_arena_free(hlo_arena *arena);

/* Invalidates everything handed out but keeps the memory for the next use, merged into one chunk,
 * so that a scratch arena stops allocating after its first round. */
void hlo_arena_reset(hlo_arena *arena);

/* Returns zeroed memory, 16-byte aligned, valid until the arena is freed or reset.
 * Returns NULL and fails with OUT_OF_MEMORY if there is none. bytes == 0 gives a valid pointer. */
void *hlo_arena_alloc(hlo_arena *arena, size_t bytes, hlo_status *status);

/* Like hlo_arena_alloc, for `count` items of `size` bytes. Refuses negative counts and products that overflow. */
void *hlo_arena_array(hlo_arena *arena, int64_t count, size_t size, hlo_status *status);

/* Takes ownership of a block from malloc or aligned_alloc: it is freed when the arena is freed or reset. On failure (false), the
 * caller still owns the block. */
bool hlo_arena_adopt(hlo_arena *arena, void *block, size_t bytes, hlo_status *status);
/* Calls release(object) when the arena is freed or reset. On failure (false) it is never called. */
bool hlo_arena_keep(hlo_arena *arena, void *object, void (*release)(void *object), hlo_status *status);

#define hlo_arena_new(arena, type, status) ((type *)hlo_arena_alloc((arena), sizeof(type), (status)))
#define hlo_arena_many(arena, type, count, status) \
  ((type *)hlo_arena_array((arena), (count), sizeof(type), (status)))

/* Copies `length` bytes of text and appends a NUL. */
char *hlo_arena_text(hlo_arena *arena, const char *text, size_t length, hlo_status *status);
/* Copies `length` bytes. */
void *hlo_arena_copy(hlo_arena *arena, const void *bytes, size_t length, hlo_status *status);
/* Formats (hlo_format) into a text in the arena. */
char *hlo_arena_format(hlo_arena *arena, hlo_status *status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
