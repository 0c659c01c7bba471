/* Attributes: named values of an instruction. A kind has one parse, print, compare and hash function. */
#ifndef HLO_GRAPH_ATTRIBUTE_H
#define HLO_GRAPH_ATTRIBUTE_H

#include "base/nearest_name.h"
#include "shape/literal.h"

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

typedef struct hlo_ints {
  const int64_t *data;
  int count;
} hlo_ints;

typedef struct hlo_window_dim {
  int64_t size, stride, padding_low, padding_high, window_dilation, base_dilation, reversal; /* reversal: 0 or 1 */
} hlo_window_dim;
typedef struct hlo_window {
  int rank;
  const hlo_window_dim *dims;
} hlo_window;

typedef struct hlo_padding_dim {
  int64_t low, high, interior;
} hlo_padding_dim;
typedef struct hlo_padding_config {
  int rank;
  const hlo_padding_dim *dims;
} hlo_padding_config;

typedef struct hlo_slice_dim {
  int64_t start, limit, stride;
} hlo_slice_dim;
typedef struct hlo_slice {
  int rank;
  const hlo_slice_dim *dims;
} hlo_slice;

/* A window, a padding or a slice as its numbers, in the order of the members above: `columns` for each dimension. */
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

/* Groups of ids; the iota form is expanded, and `verbatim` keeps it for printing. */
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
/* Whether any instruction may carry it. */
static inline bool hlo_attribute_is_common(hlo_attribute_id id) { return id >= HLO_ATTR_parameter_replication; }
/* The names of an ENUM kind, NULL-terminated; NULL for other kinds. */
const char *const *hlo_attribute_enum_names(hlo_attribute_kind kind);

hlo_rows hlo_attribute_rows(const hlo_attribute *attribute);
/* Gives a window, padding or slice these numbers, copied to the arena. */
bool hlo_attribute_set_rows(hlo_attribute *attribute, int rank, const int64_t *values, hlo_arena *arena, hlo_status *status);

/* How names become indices (and back) while attributes are read and printed. */
typedef struct hlo_name_scope {
  void *context;
  int (*computation)(void *context, hlo_span name); /* -1: none of that name */
  int (*instruction)(void *context, hlo_span name);
  const char *(*computation_name)(void *context, int index);
  const char *(*instruction_name)(void *context, int index);
  void (*offer)(void *context, bool computations, hlo_nearest_name *nearest); /* all names, of computations or of instructions; may be NULL */
} hlo_name_scope;

/* Room in an arena for one more of `count` items of a size: a larger copy of the list when it is full. items: its address. */
bool hlo_list_grow(hlo_arena *arena, void *items, int count, int *capacity, size_t size, hlo_status *status);
/* Walks a list like {1, 2}: whether there is an item after `count` of them. False at its end, and where the text is not right. */
bool hlo_list_next(hlo_reader *reader, const char *open, const char *close, int count);

/* Reads the value (what follows '=') of an attribute at the reader; a literal with its shape in front. */
bool hlo_attribute_read(hlo_reader *reader, hlo_arena *arena, const hlo_name_scope *scope, hlo_attribute *attribute);
/* The bytes that hlo_write_quoted wrote between quotes, in place of what it wrote; how many they are. */
size_t hlo_unescape(char *text, size_t length);
/* Copies one value as it stands: words, strings and balanced groups, up to a comma, a closing bracket or the line's end. */
bool hlo_read_verbatim(hlo_reader *reader, hlo_arena *arena, hlo_span *value);
/* Writes the value. The literal of a constant is written without its shape. */
void hlo_attribute_write(hlo_writer *writer, const hlo_attribute *attribute, const hlo_name_scope *scope);
/* Structural; computations compare by index. */
bool hlo_attribute_equal(const hlo_attribute *a, const hlo_attribute *b);
uint64_t hlo_attribute_hash(const hlo_attribute *attribute);

#endif
