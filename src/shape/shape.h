/* XLA's Shape: an array's element type, dimensions and layout; or a tuple, a token, an opaque.
 *
 * A shape is immutable, owned by the arena it was made in, and may be shared by all that the arena owns. */
#ifndef HLO_SHAPE_SHAPE_H
#define HLO_SHAPE_SHAPE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/layout.h"

typedef enum hlo_dim_kind {
  HLO_DIM_STATIC,
  HLO_DIM_BOUNDED,  /* "<=N": dims[i] is the bound */
  HLO_DIM_UNBOUNDED /* "?": dims[i] is HLO_UNKNOWN_SIZE */
} hlo_dim_kind;

#define HLO_UNKNOWN_SIZE INT64_MIN

/* The parameters of StableHLO's !quant.uniform; NULL in ordinary shapes. There is one scale and one zero point for the tensor
 * (dimension == -1, count == 1), or one for each slice of `dimension`. */
typedef struct hlo_quantization {
  hlo_type storage_type;
  hlo_type expressed_type;
  int64_t storage_min, storage_max;
  int dimension;
  int64_t count;
  const double *scales;
  const int64_t *zero_points;
} hlo_quantization;

typedef struct hlo_shape hlo_shape;
struct hlo_shape {
  hlo_type type;
  int rank;                              /* of arrays; 0 otherwise */
  const int64_t *dims;                   /* rank sizes or bounds */
  const uint8_t *dim_kinds;              /* rank values of hlo_dim_kind; NULL: all static */
  const hlo_layout *layout;              /* NULL: none given, which means row-major */
  const hlo_quantization *quantization;  /* NULL: none */
  int element_count;                     /* of tuples */
  const hlo_shape *const *elements;      /* of tuples */
  const int *first_leaf;                 /* of tuples: element_count + 1 numbers: leaves before each element, and all leaves */
};

/* ---- Making. All return NULL with a status on failure; dims are copied ---- */
const hlo_shape *hlo_shape_make(hlo_arena *arena, hlo_type type, const int64_t *dims, int rank, hlo_status *status);
const hlo_shape *hlo_shape_make_scalar(hlo_arena *arena, hlo_type type, hlo_status *status);
const hlo_shape *hlo_shape_make_dynamic(hlo_arena *arena, hlo_type type, const int64_t *dims,
                                        const uint8_t *dim_kinds, int rank, hlo_status *status);
const hlo_shape *hlo_shape_make_tuple(hlo_arena *arena, const hlo_shape *const *elements, int count, hlo_status *status);
const hlo_shape *hlo_shape_make_token(hlo_arena *arena, hlo_status *status);
const hlo_shape *hlo_shape_make_opaque(hlo_arena *arena, hlo_status *status);
/* Changes the element type; keeps dimensions and layout, E(n) only if the type fits into it; drops quantization. */
const hlo_shape *hlo_shape_with_type(hlo_arena *arena, const hlo_shape *shape, hlo_type type, hlo_status *status);
/* Changes the layout, which is checked against the shape but not copied; NULL removes the layout. */
const hlo_shape *hlo_shape_with_layout(hlo_arena *arena, const hlo_shape *shape, const hlo_layout *layout, hlo_status *status);
/* Removes all layouts, those of a tuple's elements too. A shape without layouts is returned as it is. */
const hlo_shape *hlo_shape_without_layouts(hlo_arena *arena, const hlo_shape *shape, hlo_status *status);
/* Makes a deep copy in another arena. */
const hlo_shape *hlo_shape_copy(hlo_arena *arena, const hlo_shape *shape, hlo_status *status);

/* The range of the storage type, which is the default of storage_min and storage_max. */
void hlo_storage_range(hlo_type storage_type, int64_t *least, int64_t *greatest);
/* Returns whether the expressed type, of floats, can hold a scale: it is positive and neither vanishes nor becomes infinite. */
bool hlo_scale_fits(hlo_type expressed_type, double scale);
const hlo_quantization *hlo_quantization_copy(hlo_arena *arena, const hlo_quantization *from, hlo_status *status);
bool hlo_quantization_equal(const hlo_quantization *a, const hlo_quantization *b); /* either may be NULL */

/* ---- Questions ---- */
static inline bool hlo_shape_is_array(const hlo_shape *s) { return hlo_type_is_array(s->type); }
static inline bool hlo_shape_is_tuple(const hlo_shape *s) { return s->type == HLO_TYPE_TUPLE; }
static inline bool hlo_shape_is_token(const hlo_shape *s) { return s->type == HLO_TYPE_TOKEN; }
static inline bool hlo_shape_is_scalar(const hlo_shape *s) { return hlo_shape_is_array(s) && s->rank == 0; }
static inline hlo_dim_kind hlo_shape_dim_kind(const hlo_shape *s, int i) {
  return s->dim_kinds ? (hlo_dim_kind)s->dim_kinds[i] : HLO_DIM_STATIC;
}
bool hlo_shape_is_static(const hlo_shape *shape);          /* every leaf has only static dimensions */
bool hlo_shape_is_plain(const hlo_shape *shape);           /* a static array without quantization */
bool hlo_shape_leaves_are_plain(const hlo_shape *shape);   /* every leaf is such an array */
bool hlo_shape_has_unbounded(const hlo_shape *shape);      /* some leaf has a "?" dimension */
/* The number of elements of an array, with bounded dimensions counted as full; 1 for scalars. Cannot overflow: sizes were checked
 * when the shape was made. HLO_UNKNOWN_SIZE if a dimension is unbounded; 0 if the shape is not an array. */
int64_t hlo_shape_element_count(const hlo_shape *shape);
int hlo_shape_true_rank(const hlo_shape *shape);           /* dimensions of size other than 1 */
/* Resolves a dimension number that may be negative: -1 is the last. Fails with ARGUMENT outside of [-rank, rank). */
bool hlo_shape_dimension_number(const hlo_shape *shape, int64_t dimension, int *result, hlo_status *status);
/* Returns whether type, dimensions and dim kinds are the same, and for tuples those of all elements. Ignores layouts. */
bool hlo_shape_compatible(const hlo_shape *a, const hlo_shape *b);
bool hlo_shape_compatible_ignoring_type(const hlo_shape *a, const hlo_shape *b); /* also ignores all element types */
bool hlo_shape_same_dims(const hlo_shape *a, const hlo_shape *b);
/* Returns whether shapes are compatible with the same layouts; a missing layout equals row-major. */
bool hlo_shape_equal(const hlo_shape *a, const hlo_shape *b);
int hlo_shape_leaf_count(const hlo_shape *shape);          /* arrays and tokens in a nested tuple; 1 for an array */
/* Returns the leaf of this number, counted in order; NULL if there is none. Takes time logarithmic in the elements of the tuple. */
const hlo_shape *hlo_shape_leaf(const hlo_shape *shape, int index);

/* XLA's ByteSizeOf: the bytes of the elements without padding (packed if there is E(n)); tuples: 4 bytes for each pointer. */
bool hlo_shape_byte_size(const hlo_shape *shape, int64_t *bytes, hlo_status *status);
/* Bytes of an array's elements, unpacked and without padding, as evaluators hold them: bounds count in full; 0 for tokens. */
int64_t hlo_shape_dense_bytes(const hlo_shape *leaf);
/* XLA's ArraySize: also counts tiles, padding and tail alignment. */
bool hlo_shape_array_size(const hlo_shape *shape, int64_t *bytes, hlo_status *status);

/* ---- Text (shape_text.c), exactly in XLA's form: f32[3,5]{1,0:T(2,2)}, (f32[], s32[<=4]), token[] ---- */
const hlo_shape *hlo_shape_read(hlo_reader *reader, hlo_arena *arena);
/* Reads a shape that a value may follow: in `s32[2] {1, 0}`, a layout's brace must directly follow the bracket. */
const hlo_shape *hlo_shape_read_before_value(hlo_reader *reader, hlo_arena *arena);
const hlo_shape *hlo_shape_parse(hlo_arena *arena, const char *text, size_t length, hlo_status *status);
void hlo_shape_write(hlo_writer *writer, const hlo_shape *shape, bool with_layout);
/* Writes the shape without layout, cut to fit `buffer`, for messages. Returns buffer. */
char *hlo_shape_text(const hlo_shape *shape, char *buffer, size_t size);
enum { HLO_SHAPE_TEXT_BYTES = 160 };
#define HLO_SHAPE_TEXT(shape) hlo_shape_text((shape), (char[HLO_SHAPE_TEXT_BYTES]){0}, HLO_SHAPE_TEXT_BYTES)

#endif
