/* Attributes: named values of an instruction. Attributes of one kind are read, written, compared and hashed in the same way. */
#ifndef HLO_GRAPH_ATTRIBUTE_H
#define HLO_GRAPH_ATTRIBUTE_H

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"

typedef enum hlo_attribute_id {
#define HLO_ATTRIBUTE(id, name, kind, doc) HLO_ATTR_##id,
#include "graph/attribute_table.def"
#undef HLO_ATTRIBUTE
  HLO_ATTRIBUTE_COUNT
} hlo_attribute_id;

typedef enum hlo_attribute_kind {
#define HLO_KIND(kind, member, form) HLO_KIND_##kind,
#include "graph/attribute_kinds.def"
#undef HLO_KIND
  HLO_KIND_COUNT
} hlo_attribute_kind;

/* Enumerants: HLO_direction_EQ, HLO_fft_type_RFFT, ...; numbered from 0 within their enum. */
#define HLO_ENUM_TYPES(X) X(direction) X(comparison_type) X(distribution) X(rng_algorithm) X(fft_type) X(transpose_a) X(fusion_kind) X(collective_mode)
enum { HLO_direction_EQ, HLO_direction_NE, HLO_direction_GE, HLO_direction_GT, HLO_direction_LE, HLO_direction_LT };
enum { HLO_comparison_type_FLOAT, HLO_comparison_type_TOTALORDER, HLO_comparison_type_SIGNED, HLO_comparison_type_UNSIGNED };
enum { HLO_distribution_rng_uniform, HLO_distribution_rng_normal };
enum { HLO_rng_algorithm_rng_default, HLO_rng_algorithm_rng_three_fry, HLO_rng_algorithm_rng_philox };
enum { HLO_fft_type_FFT, HLO_fft_type_IFFT, HLO_fft_type_RFFT, HLO_fft_type_IRFFT };
enum { HLO_transpose_a_NO_TRANSPOSE, HLO_transpose_a_TRANSPOSE, HLO_transpose_a_ADJOINT };
enum { HLO_fusion_kind_kLoop, HLO_fusion_kind_kInput, HLO_fusion_kind_kOutput, HLO_fusion_kind_kCustom };
enum { HLO_collective_mode_cross_replica, HLO_collective_mode_cross_partition, HLO_collective_mode_cross_replica_and_partition, HLO_collective_mode_flattened_id };

/* The numbers of a window, a padding or a slice: `columns` for each dimension, in the order of the struct's members. */
typedef struct hlo_rows {
  int rank, columns;
  const int64_t *values;
} hlo_rows;

/* Convolution dimension numbers: b01f_01io->b01f. '?' labels of unknown dimensions are refused. */
typedef struct hlo_dim_labels {
  int spatial_rank;
  int input_batch, input_feature, input_spatial[HLO_MAX_RANK];
  int kernel_input_feature, kernel_output_feature, kernel_spatial[HLO_MAX_RANK];
  int output_batch, output_feature, output_spatial[HLO_MAX_RANK];
} hlo_dim_labels;

/* Groups of ids. The iota form is expanded; `verbatim` keeps its text for printing. */
typedef struct hlo_groups {
  int count;
  const hlo_ints *groups;
  hlo_span verbatim;
} hlo_groups;

typedef struct hlo_attribute {
  hlo_attribute_id id;
  union {
    int64_t integer;
    bool boolean;
    double real;
    int enumerant;
    int computation; /* index in the module */
    hlo_span text;   /* STRING: unescaped; RAW: verbatim */
    hlo_ints ints;   /* also COMPUTATIONS, INSTRUCTIONS: indices */
    const hlo_window *window;
    const hlo_padding_config *padding;
    const hlo_slice *slice;
    const hlo_dim_labels *dim_labels;
    const hlo_groups *groups;
    const hlo_shape *shape;
    const hlo_literal *literal;
    const hlo_quantization *quantization;
  };
} hlo_attribute;

const char *hlo_attribute_name(hlo_attribute_id id);
hlo_attribute_kind hlo_attribute_kind_of(hlo_attribute_id id);
/* Returns whether any instruction may carry it. */
static inline bool hlo_attribute_is_common(hlo_attribute_id id) { return id >= HLO_ATTR_parameter_replication; }
/* The names of an ENUM kind, NULL-terminated; NULL for other kinds. */
const char *const *hlo_attribute_enum_names(hlo_attribute_kind kind);

hlo_rows hlo_attribute_rows(const hlo_attribute *attribute);
/* Sets the numbers of a window, padding or slice; they are copied to the arena. */
bool hlo_attribute_set_rows(hlo_attribute *attribute, int rank, const int64_t *values, hlo_arena *arena, hlo_status *status);

/* Turns names into indices and back while attributes are read and written. */
typedef struct hlo_name_scope {
  void *context;
  int (*computation)(void *context, hlo_span name); /* -1: none of that name */
  int (*instruction)(void *context, hlo_span name);
  void (*write_computation)(void *context, hlo_writer *writer, int index);
  void (*write_instruction)(void *context, hlo_writer *writer, int index);
  void (*offer)(void *context, bool computations, hlo_nearest_name *nearest); /* offers all names, of computations or of instructions; may be NULL */
  bool (*in_place)(void *context, int *index); /* reads a computation that stands in place of its name, from '{' on; NULL: none may */
} hlo_name_scope;

/* Walks a list like {1, 2}: true if another item follows the first `count`. False at the end of the list, and after a syntax error. */
bool hlo_list_next(hlo_reader *reader, const char *open, const char *close, int count);

/* Reads the value of an attribute, the text behind '='. A literal has its shape in front. */
bool hlo_attribute_read(hlo_reader *reader, hlo_arena *arena, const hlo_name_scope *scope, hlo_attribute *attribute);
/* Writes a backend_config: JSON or a dictionary, {"a":"b"}, as it is, any other text in quotes. */
void hlo_write_backend_config(hlo_writer *writer, hlo_span text);
/* Replaces text that hlo_write_quoted wrote between quotes by the bytes that it stands for; returns their number. */
size_t hlo_unescape(char *text, size_t length);
/* Copies the text of one value: words, strings and balanced groups, up to a comma, a closing bracket or the end of the line; behind a blank only groups and
 * numbers are part of it. */
bool hlo_read_verbatim(hlo_reader *reader, hlo_arena *arena, hlo_span *value);
/* Writes the value. The literal of a constant is written without its shape. */
void hlo_attribute_write(hlo_writer *writer, const hlo_attribute *attribute, const hlo_name_scope *scope);
/* Structural equality, which compares computations by index, and a hash that equal attributes share. */
bool hlo_attribute_equal(const hlo_attribute *a, const hlo_attribute *b);
uint64_t hlo_attribute_hash(const hlo_attribute *attribute);

#endif
