/* Memory that runs out where a test wants it: the linker puts these functions in the place of the allocators of the C library and of arenas
 * (--wrap, see CMakeLists.txt). Each request of an arena counts, though most are served by the chunk that it has. */
#ifndef HLO_TESTS_FAILING_MEMORY_H
#define HLO_TESTS_FAILING_MEMORY_H

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/status.h"

static struct {
  bool counts;       /* requests are counted, and may fail */
  bool persists;     /* all further requests fail as well */
  bool failed;       /* a request has failed since `counts` was set */
  bool shows;        /* where the first one fails is printed */
  int64_t requests;  /* so far */
  int64_t fails;     /* the number of the request that fails, from 0; -1: none */
  int64_t live;      /* blocks that nobody has freed */
} memory = {.fails = -1};

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
void __sanitizer_print_stack_trace(void);
#define MEMORY_SHOW() __sanitizer_print_stack_trace()
#endif
#endif
#ifndef MEMORY_SHOW
#define MEMORY_SHOW() ((void)0)
#endif

static bool memory_is_out(void) {
  if (!memory.counts) return false;
  int64_t number = memory.requests++;
  bool first = number == memory.fails;
  if (first && memory.shows) MEMORY_SHOW();
  if (!first && !(memory.persists && memory.failed)) return false;
  memory.failed = true;
  return true;
}

/* ---- The C library ---- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *block);

static void *counted(void *block) {
  memory.live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t bytes) { return memory_is_out() ? NULL : counted(__real_malloc(bytes)); }
void *__wrap_calloc(size_t count, size_t bytes) { return memory_is_out() ? NULL : counted(__real_calloc(count, bytes)); }
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) { return memory_is_out() ? NULL : counted(__real_aligned_alloc(alignment, bytes)); }
void *__wrap_realloc(void *block, size_t bytes) {
  if (memory_is_out()) return NULL;
  void *moved = __real_realloc(block, bytes);
  memory.live += moved && !block;
  return moved;
}
void __wrap_free(void *block) {
  memory.live -= block != NULL;
  __real_free(block);
}

/* ---- Arenas ---- */

void *__real_hlo_arena_alloc(hlo_arena *arena, size_t bytes, hlo_status *status);
void *__real_hlo_arena_array(hlo_arena *arena, int64_t count, size_t size, hlo_status *status);
void *__real_hlo_arena_copy(hlo_arena *arena, const void *bytes, size_t length, hlo_status *status);
char *__real_hlo_arena_text(hlo_arena *arena, const char *text, size_t length, hlo_status *status);
bool __real_hlo_arena_adopt(hlo_arena *arena, void *block, size_t bytes, hlo_status *status);

static bool arena_is_out(hlo_status *status) { return memory_is_out() && !hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory, for a test"); }

void *__wrap_hlo_arena_alloc(hlo_arena *arena, size_t bytes, hlo_status *status) {
  return arena_is_out(status) ? NULL : __real_hlo_arena_alloc(arena, bytes, status);
}
void *__wrap_hlo_arena_array(hlo_arena *arena, int64_t count, size_t size, hlo_status *status) {
  return arena_is_out(status) ? NULL : __real_hlo_arena_array(arena, count, size, status);
}
void *__wrap_hlo_arena_copy(hlo_arena *arena, const void *bytes, size_t length, hlo_status *status) {
  return arena_is_out(status) ? NULL : __real_hlo_arena_copy(arena, bytes, length, status);
}
char *__wrap_hlo_arena_text(hlo_arena *arena, const char *text, size_t length, hlo_status *status) {
  return arena_is_out(status) ? NULL : __real_hlo_arena_text(arena, text, length, status);
}
bool __wrap_hlo_arena_adopt(hlo_arena *arena, void *block, size_t bytes, hlo_status *status) {
  return !arena_is_out(status) && __real_hlo_arena_adopt(arena, block, bytes, status);
}
char *__wrap_hlo_arena_format(hlo_arena *arena, hlo_status *status, const char *format, ...) {
  if (arena_is_out(status)) return NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = hlo_format_arguments(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = length < 0 ? NULL : __real_hlo_arena_alloc(arena, (size_t)length + 1, status);
  if (!text) return NULL;
  va_start(arguments, format);
  hlo_format_arguments(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

#endif
