/* The pages of a memory that only grows at its end: runs of pages, in use or free, in the order of their places.
 *
 *   | in use | free | in use |      in use      | free |
 *
 * Neighbours that are free are one run. A run is taken from the shortest free one that is long enough, from its front. */
#ifndef HLO_BASE_PAGES_H
#define HLO_BASE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

enum {
  HLO_PAGE_BYTES = 1 << 16,
  HLO_MOST_PAGES = 65535, /* of 2^16: memory that ends at 4 GiB would end at address 0 */
  HLO_LEAST_RUN = 16,     /* pages in a run that is in use: shorter ones are made so long, and the runs fit into their table */
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

/* Adds pages at the end, free. Requires that they lie behind all others. */
void hlo_pages_add(hlo_pages *pages, int first, int count);

/* How many pages the last run has, if it is free and ends at `end`; else 0. */
int hlo_pages_free_at(const hlo_pages *pages, int end);

/* The first page of `count` pages in a row, or -1. */
int hlo_pages_take(hlo_pages *pages, int count);

/* The pages of the run in use that begins at `first`, or 0 where none does. */
int hlo_pages_in_use(const hlo_pages *pages, int first);

/* Takes the run in use that begins at `first` out of the table: its pages never come back. */
void hlo_pages_forget(hlo_pages *pages, int first);

/* Frees the run in use that begins at `first`. */
void hlo_pages_give(hlo_pages *pages, int first);

#endif
