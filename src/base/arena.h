/* Memory that is freed all at once: a module's, a plan's, a run's scratch. */
#ifndef HLO_BASE_ARENA_H
#define HLO_BASE_ARENA_H

#include "base/status.h"

typedef struct hlo_arena_chunk hlo_arena_chunk;

typedef struct hlo_adopted hlo_adopted;

typedef struct hlo_arena {
  hlo_arena_chunk *newest; /* chunks in a list, newest first */
  hlo_adopted *adopted;    /* blocks from elsewhere, newest first */
  size_t bytes;            /* total handed out since the last reset */
  size_t limit;            /* refuse to hand out more than this; 0: no limit */
} hlo_arena;

void hlo_arena_init(hlo_arena *arena);
void hlo_arena_free(hlo_arena *arena);

/* Forgets everything handed out but keeps the memory for the next use, merged into one chunk,
 * so that a scratch arena stops allocating after its first round. */
void hlo_arena_reset(hlo_arena *arena);

/* Zeroed, 16-byte aligned, valid until the arena is freed or reset.
 * NULL and OUT_OF_MEMORY when there is none. bytes == 0 gives a valid pointer. */
void *hlo_arena_alloc(hlo_arena *arena, size_t bytes, hlo_status *status);

/* The same for `count` items of `size`, product checked (negative counts refused). */
void *hlo_arena_array(hlo_arena *arena, int64_t count, size_t size, hlo_status *status);

/* Takes over a block of malloc or aligned_alloc: it is freed when the arena is freed or reset. False leaves it with the caller. */
bool hlo_arena_adopt(hlo_arena *arena, void *block, size_t bytes, hlo_status *status);

#define hlo_arena_new(arena, type, status) ((type *)hlo_arena_alloc((arena), sizeof(type), (status)))
#define hlo_arena_many(arena, type, count, status) \
  ((type *)hlo_arena_array((arena), (count), sizeof(type), (status)))

/* A NUL-terminated copy of `length` bytes. */
char *hlo_arena_text(hlo_arena *arena, const char *text, size_t length, hlo_status *status);
/* A copy of any bytes. */
void *hlo_arena_copy(hlo_arena *arena, const void *bytes, size_t length, hlo_status *status);
/* printf into the arena. */
char *hlo_arena_format(hlo_arena *arena, hlo_status *status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
