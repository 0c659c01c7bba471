/* Functions that the readers of attribute values share. Inside src/graph only. */
#ifndef HLO_GRAPH_ATTRIBUTE_FORMS_H
#define HLO_GRAPH_ATTRIBUTE_FORMS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "shape/dims.h"
#include "shape/shape.h"

/* A list of numbers that grows in an arena. */
typedef struct hlo_int_list {
  int64_t *data;
  int count, capacity;
} hlo_int_list;
bool hlo_int_list_add(hlo_int_list *list, hlo_arena *arena, int64_t value, hlo_status *status);

/* Reads a list of numbers, such as {1,2}, between the given brackets. */
bool hlo_read_ints(hlo_reader *reader, hlo_arena *arena, const char *open, const char *close, hlo_ints *ints);
/* Reads digits, after an optional '-', without skipping space; a letter may follow, as in 2x3. */
bool hlo_read_digits(hlo_reader *reader, int64_t *value);
/* Consumes `c` only at the cursor itself, without skipping space. */
bool hlo_accept_here(hlo_reader *reader, char c);

bool hlo_read_window(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute);
bool hlo_read_padding(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute);
bool hlo_read_slice(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute);
bool hlo_read_dim_labels(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute);
bool hlo_read_groups(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute);
bool hlo_read_quantization(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute);
void hlo_write_quantization(hlo_writer *writer, const hlo_quantization *quantization);

/* Reads the iota form without its group sizes: [2,3]T(1,0) stands for the ids 0..5 laid out as 2 rows, then transposed. */
bool hlo_read_iota(hlo_reader *reader, hlo_arena *arena, hlo_ints *ids);
/* Numbers the cells of a grid in row-major order; ids[k] gets the number of the k-th cell when dimensions are walked in the order
 * `permutation`. */
void hlo_count_transposed(hlo_ints dims, const int64_t *permutation, int64_t *ids, int64_t count);
/* Reads mesh['a'=2,'b'=4] {'a'}: devices in a grid with named axes, grouped along some of them. */
bool hlo_read_mesh_groups(hlo_reader *reader, hlo_arena *arena, hlo_groups *groups);
/* Cuts the ids into groups of `size`, which divides their count. */
bool hlo_cut_groups(hlo_reader *reader, hlo_arena *arena, hlo_ints ids, int64_t size, hlo_groups *groups);
/* How many devices groups may name: a bound on memory. Far fewer can run (devices/grid.h). */
enum { HLO_MAX_NAMED_DEVICES = 1 << 20, HLO_MAX_MESH_RANK = 32 };

#endif
