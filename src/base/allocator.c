/* malloc for WebAssembly: each large block is a run of 64 KiB pages, small blocks come from the C library's allocator.
 *
 *   | data, stack | small blocks | large | small | large |  free  | large |
 *
 * The C library's allocator alone would scatter small blocks over the room of freed large ones, and would grow memory by the whole of
 * a large block even where memory already ends with a free one: of 4 GiB, a freed 2 GiB could not be used again. Here, small blocks
 * stay in segments of their own, and for a large block memory grows only by the pages that are missing. Only one thread allocates. */
#ifdef __EMSCRIPTEN__
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pages.h"

void *emscripten_builtin_memalign(size_t alignment, size_t size);
void emscripten_builtin_free(void *block);
size_t emmalloc_usable_size(void *block);

enum { LARGE = HLO_LEAST_RUN * HLO_PAGE_BYTES, FIRST_SEGMENT = HLO_LEAST_RUN * HLO_PAGE_BYTES, PART = 64 };

extern char __heap_base;

static hlo_pages pages;
static int most_pages = HLO_MOST_PAGES;

void hlo_memory_limit(size_t page_count) { most_pages = page_count < HLO_MOST_PAGES ? (int)page_count : HLO_MOST_PAGES; }

/* ---- Pages ---- */

static int pages_of(size_t bytes) { return (int)(bytes / HLO_PAGE_BYTES + (bytes % HLO_PAGE_BYTES > 0)); }
static char *address_of(int page) { return (char *)((uintptr_t)page * HLO_PAGE_BYTES); }

static bool grow(int end, int more) { return end + more <= most_pages && __builtin_wasm_memory_grow(0, (size_t)more) != (size_t)-1; }

static int take_pages(int count) {
  int first = hlo_pages_take(&pages, count);
  if (first >= 0) return first;
  int end = (int)__builtin_wasm_memory_size(0);
  int more = hlo_pages_growth(&pages, end, count);
  if (!grow(end, more) && !grow(end, more = hlo_pages_lacking(&pages, end, count))) return -1;
  hlo_pages_add(&pages, end, more);
  return hlo_pages_take(&pages, count);
}

/* The number of pages of a large block; 0 for a small one. */
static int large_pages(const void *block) {
  uintptr_t place = (uintptr_t)block;
  return place % HLO_PAGE_BYTES == 0 ? hlo_pages_in_use(&pages, (int)(place / HLO_PAGE_BYTES)) : 0;
}

/* ---- Small blocks ---- */

/* The segment that small blocks are taken from, front to end. The first is the memory that the module starts with. */
static char *segment, *segment_end;
static size_t small_bytes;

/* The C library's allocator calls this for more memory, always with a positive increment. When the segment is full, a new one is begun:
 * of a 64th of all small blocks, which is also the most that may be left over. */
void *sbrk(intptr_t increment) {
  size_t bytes = ((size_t)increment + 3) & ~(size_t)3;
  if (!segment) {
    segment = &__heap_base;
    segment_end = address_of((int)__builtin_wasm_memory_size(0));
  }
  if (bytes > (size_t)(segment_end - segment)) {
    size_t size = small_bytes / PART > FIRST_SEGMENT ? small_bytes / PART : FIRST_SEGMENT;
    int count = pages_of(size > bytes ? size : bytes);
    int first = take_pages(count);
    if (first < 0) {
      errno = ENOMEM;
      return (void *)-1;
    }
    if (address_of(first) != segment_end) segment = address_of(first);
    segment_end = address_of(first + hlo_pages_in_use(&pages, first));
    /* A small block may begin at this page's address. Without an entry in `pages`, free() does not mistake it for a large block. */
    hlo_pages_forget(&pages, first);
  }
  char *start = segment;
  segment += bytes;
  small_bytes += bytes;
  return start;
}

/* ---- The C library's names ---- */

void *aligned_alloc(size_t alignment, size_t size) {
  if (size < LARGE) return emscripten_builtin_memalign(alignment, size);
  int first = take_pages(pages_of(size));
  if (first >= 0) return address_of(first);
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t size) { return aligned_alloc(_Alignof(max_align_t), size); }

void free(void *block) {
  if (large_pages(block)) hlo_pages_give(&pages, (int)((uintptr_t)block / HLO_PAGE_BYTES));
  else emscripten_builtin_free(block);
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *block = malloc(bytes);
  return block ? memset(block, 0, bytes) : NULL;
}

void *realloc(void *block, size_t size) {
  if (!block) return malloc(size);
  size_t large = (size_t)large_pages(block) * HLO_PAGE_BYTES, held = large ? large : emmalloc_usable_size(block);
  if (held >= size && (size >= LARGE || !large)) return block;
  void *moved = malloc(size);
  if (!moved) return NULL;
  memcpy(moved, block, held < size ? held : size);
  free(block);
  return moved;
}
#else
#include "base/pages.h"
/* The system's allocator, which tests use, has no limit. */
void hlo_memory_limit(size_t page_count) {}
#endif
