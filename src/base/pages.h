/* The pages of a memory that grows only at its end, as a table of runs: consecutive pages that are all free or one block in use.
 *
 *   | in use | free | in use |      in use      | free |
 *
 * Runs are in the order of their addresses, and free neighbours are merged. A block is taken from the front of the shortest free run
 * that is long enough. */
#ifndef HLO_BASE_PAGES_H
#define HLO_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HLO_PAGE_BYTES = 1 << 16,
  HLO_MOST_PAGES = 65535, /* one less than 2^16: memory that ends at 4 GiB would end at address 0 */
  HLO_LEAST_RUN = 16,     /* pages of the shortest run in use: shorter requests are rounded up, which bounds the size of the table */
  HLO_MOST_RUNS = 2 * (HLO_MOST_PAGES / HLO_LEAST_RUN) + 1
};

typedef struct hlo_page_run {
  uint16_t first, count;
  bool in_use;
} hlo_page_run;

typedef struct hlo_pages {
  int count;
  hlo_page_run runs[HLO_MOST_RUNS];
} hlo_pages;

/* Limits the memory of this process to so many pages: what would make it larger finds no memory. */
void hlo_memory_limit(size_t page_count);

/* Adds free pages at the end. Requires that they lie behind all others. */
void hlo_pages_add(hlo_pages *pages, int first, int count);

/* Returns the length of the last run if it is free and ends at page `end`, else 0. */
int hlo_pages_free_at(const hlo_pages *pages, int end);

/* Returns how many pages a memory of `end` pages lacks at its end for a run of `count`, which no free run is long enough for. */
int hlo_pages_lacking(const hlo_pages *pages, int end, int count);
/* Returns by how many pages it had better grow, not less: for a short run by a part of what it has, since older engines collect garbage
 * whenever a memory grows. A quarter of it while that is at most 2 MiB; then 2 MiB, or, of a memory of more than 128 MiB, a 64th, but at most 16 MiB. */
int hlo_pages_growth(const hlo_pages *pages, int end, int count);

/* Takes `count` consecutive pages. Returns the first of them, or -1 if no free run is long enough. */
int hlo_pages_take(hlo_pages *pages, int count);

/* Returns the length of the run in use that begins at `first`, or 0 if none does. */
int hlo_pages_in_use(const hlo_pages *pages, int first);

/* Removes the run in use that begins at `first` from the table: its pages are never free again. */
void hlo_pages_forget(hlo_pages *pages, int first);

/* Frees the run in use that begins at `first`. */
void hlo_pages_give(hlo_pages *pages, int first);

#endif
