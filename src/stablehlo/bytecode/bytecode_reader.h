/* The state of reading MLIR bytecode, shared by the readers of sections, types, attributes and operations.
 *
 * The format is described in mlir/docs/BytecodeFormat.md of llvm-project. Types and attributes are in tables; each is read once, when
 * it is first used. */
#ifndef HLO_STABLEHLO_BYTECODE_BYTECODE_READER_H
#define HLO_STABLEHLO_BYTECODE_BYTECODE_READER_H

#include "base/arena.h"
#include "base/list.h"
#include "base/source_bytes.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

/* The unread rest of a part of the file. */
typedef struct hlo_bytecode_cursor {
  size_t at, end; /* bytes from the start of the file */
} hlo_bytecode_cursor;

typedef enum hlo_bytecode_section {
  HLO_BYTECODE_STRINGS, HLO_BYTECODE_DIALECTS, HLO_BYTECODE_ENTRIES, HLO_BYTECODE_ENTRY_OFFSETS, HLO_BYTECODE_IR,
  HLO_BYTECODE_RESOURCES, HLO_BYTECODE_RESOURCE_OFFSETS, HLO_BYTECODE_DIALECT_VERSIONS, HLO_BYTECODE_PROPERTIES,
  HLO_BYTECODE_SECTION_COUNT
} hlo_bytecode_section;

/* Versions of the format, named by what they changed. */
enum {
  HLO_BYTECODE_DIALECT_VERSIONED = 1, /* dialects may carry a version */
  HLO_BYTECODE_LAZY = 2,              /* isolated regions are in sections of their own */
  HLO_BYTECODE_USE_LISTS = 3,
  HLO_BYTECODE_ELIDED_LOCATIONS = 4,  /* block arguments may have no location; the number of operation names is given */
  HLO_BYTECODE_HAS_PROPERTIES = 5,
  HLO_BYTECODE_NEWEST = 6
};

/* An entry of the tables of types and attributes. */
typedef struct hlo_bytecode_entry {
  hlo_bytecode_cursor where;
  int dialect;
  bool custom;       /* encoded by the dialect; text otherwise */
  bool open;         /* being read: an entry that is used while it is open contains itself */
  int weight;        /* number of entries that it consists of, itself included */
  const void *value; /* hlo_mlir_type or hlo_mlir_attribute; NULL: not read yet */
} hlo_bytecode_entry;

typedef struct hlo_bytecode_op_name {
  hlo_span dialect, name; /* "vhlo", "add_v1" */
  hlo_span full;
  bool registered;
  hlo_span stable;        /* of VHLO: "stablehlo.add" */
  const char *attributes; /* and the names of its attributes, in the order of its properties; NULL: it is not known */
} hlo_bytecode_op_name;

typedef struct hlo_bytecode_resource {
  hlo_bytecode_cursor where;
  int kind; /* 0: blob, 1: bool, 2: string */
  hlo_span key;
} hlo_bytecode_resource;

typedef struct hlo_bytecode {
  const uint8_t *bytes;
  size_t length;
  hlo_status *status;
  hlo_mlir *tree;
  hlo_arena *arena;   /* the tree's */
  hlo_arena scratch;  /* for tables, freed when the tree is made */
  hlo_source *source; /* that `bytes` are part of, and that large constants may stay in; or NULL */
  hlo_list blobs;     /* such constants (bytecode_blobs.c) */
  int64_t format;
  hlo_bytecode_cursor sections[HLO_BYTECODE_SECTION_COUNT];
  hlo_span *strings, *dialects;
  hlo_bytecode_entry *attributes, *types;
  hlo_bytecode_op_name *op_names;
  hlo_bytecode_cursor *properties;
  hlo_bytecode_resource *resources; /* those of dialects, in the order of the file */
  int64_t string_count, dialect_count, attribute_count, type_count, op_name_count, property_count, resource_count;
  int depth;          /* nesting of types, attributes and regions */
  int64_t weight;     /* of the entry being read */
  int64_t copied;     /* number of items copied from shared entries so far */
  int value_capacity;
  int *scope;         /* the tree's number of each value by its number in the file, innermost region last; -1: not defined yet */
  int64_t scope_count, scope_capacity, scope_base;
} hlo_bytecode;

/* Fails with "byte 123: ...". Always returns false. */
bool hlo_bytecode_fail(hlo_bytecode *b, size_t at, hlo_code code, const char *format, ...) __attribute__((format(printf, 4, 5)));
bool hlo_bytecode_enter(hlo_bytecode *b, size_t at); /* counts nesting, to bound recursion */
void hlo_bytecode_leave(hlo_bytecode *b);
/* Counts copied items, and fails when there are too many: a small file may name a large entry many times. */
bool hlo_bytecode_spend(hlo_bytecode *b, size_t at, int64_t items);

/* ---- Primitives. Each moves the cursor, and fails at the byte where it cannot ---- */
bool hlo_bytecode_byte(hlo_bytecode *b, hlo_bytecode_cursor *c, uint8_t *value);
bool hlo_bytecode_uint(hlo_bytecode *b, hlo_bytecode_cursor *c, uint64_t *value);
bool hlo_bytecode_int(hlo_bytecode *b, hlo_bytecode_cursor *c, int64_t *value); /* zigzag */
/* Reads a count of things that take at least one byte each, so it cannot exceed the bytes that are left. */
bool hlo_bytecode_count(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *what, int64_t *count);
/* Reads a number below `limit`. */
bool hlo_bytecode_index(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *what, int64_t limit, int64_t *index);
bool hlo_bytecode_string(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_span *string); /* read as an index; NUL-terminated */
bool hlo_bytecode_blob(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_bytecode_cursor *blob);
bool hlo_bytecode_section_header(hlo_bytecode *b, hlo_bytecode_cursor *c, int *id, hlo_bytecode_cursor *section);
/* Read an integer of a known width, sign-extended to 64 bits, and a float of a type. */
bool hlo_bytecode_bits(hlo_bytecode *b, hlo_bytecode_cursor *c, int width, int64_t *value);
bool hlo_bytecode_real(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_type type, double *value);
/* Reads a list of signed integers into the tree's arena. */
bool hlo_bytecode_ints(hlo_bytecode *b, hlo_bytecode_cursor *c, int64_t **values, int64_t *count);

/* ---- Types and attributes; their index is read from the cursor ---- */
const hlo_mlir_type *hlo_bytecode_type(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_bytecode_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
/* *attribute stays NULL if there is none. */
/* Reads an attribute of Shardy, as text (bytecode_sharding.c). */
const hlo_mlir_attribute *hlo_sdy_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
bool hlo_bytecode_optional_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_attribute **attribute);
bool hlo_bytecode_attributes(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_attribute ***attributes, int *count);
bool hlo_bytecode_types(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_type ***types, int *count);
const hlo_mlir_type *hlo_bytecode_type_at(hlo_bytecode *b, int64_t index);

/* Returns the name in the location of this index (bytecode_location.c); empty if it has none. */
hlo_span hlo_bytecode_location_name(hlo_bytecode *b, int64_t index);

/* ---- Making attributes ---- */
hlo_mlir_attribute *hlo_bytecode_new_attribute(hlo_bytecode *b, hlo_mlir_attribute_kind kind);
const hlo_mlir_attribute *hlo_bytecode_word(hlo_bytecode *b, hlo_mlir_attribute_kind kind, const char *text);
const hlo_mlir_attribute *hlo_bytecode_integer(hlo_bytecode *b, int64_t value);
/* Makes a dictionary of `count` named values with a mnemonic such as "stablehlo.dot". */
const hlo_mlir_attribute *hlo_bytecode_dict(hlo_bytecode *b, hlo_span mnemonic, const hlo_mlir_named *named, int count);
static inline hlo_mlir_named hlo_bytecode_named(const char *name, const hlo_mlir_attribute *value) {
  hlo_mlir_named named = {{name, __builtin_strlen(name)}, value};
  return named;
}

/* Codes of the builtin dialect's attributes. */
typedef enum hlo_builtin_attribute {
  HLO_BUILTIN_ARRAY = 0,
  HLO_BUILTIN_DICTIONARY = 1,
  HLO_BUILTIN_STRING = 2,
  HLO_BUILTIN_STRING_TYPED = 3,
  HLO_BUILTIN_FLAT_SYMBOL = 4,
  HLO_BUILTIN_SYMBOL = 5,
  HLO_BUILTIN_TYPE = 6,
  HLO_BUILTIN_UNIT = 7,
  HLO_BUILTIN_INTEGER = 8,
  HLO_BUILTIN_FLOAT = 9,
  HLO_BUILTIN_LOCATION_CALL = 10,
  HLO_BUILTIN_LOCATION_FILE = 11,
  HLO_BUILTIN_LOCATION_FUSED = 12,
  HLO_BUILTIN_LOCATION_FUSED_METADATA = 13,
  HLO_BUILTIN_LOCATION_NAME = 14,
  HLO_BUILTIN_LOCATION_UNKNOWN = 15,
  HLO_BUILTIN_DENSE_RESOURCE = 16,
  HLO_BUILTIN_DENSE_ARRAY = 17,
  HLO_BUILTIN_DENSE = 18
} hlo_builtin_attribute;

/* ---- The parts of the reader ---- */
bool hlo_bytecode_read_ir(hlo_bytecode *b);
/* Read a type or attribute of one dialect, from its code on. */
const hlo_mlir_type *hlo_builtin_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_builtin_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_stablehlo_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_stablehlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_chlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_vhlo_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_vhlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
/* Attributes that both dialects have, with the same encoding behind their code. */
typedef enum hlo_bytecode_common {
  HLO_BYTECODE_ARRAY, HLO_BYTECODE_DICTIONARY, HLO_BYTECODE_STRING, HLO_BYTECODE_TYPE, HLO_BYTECODE_INTEGER, HLO_BYTECODE_FLOAT,
  HLO_BYTECODE_DENSE
} hlo_bytecode_common;
const hlo_mlir_attribute *hlo_bytecode_common_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_bytecode_common kind);
/* Reads a dense array's elements: all of them, one for all, or (i1) eight in a byte. */
const hlo_mlir_attribute *hlo_bytecode_dense(hlo_bytecode *b, const hlo_mlir_type *type, hlo_bytecode_cursor blob);
/* Finds the element type with this code in VHLO or in the builtin dialect (element_codes.def). */
bool hlo_bytecode_element_of_code(uint64_t code, bool vhlo, hlo_type *type);
hlo_type hlo_bytecode_integer_type(uint64_t width, bool is_unsigned); /* HLO_TYPE_COUNT: there is no such type */
/* Makers that both dialects' types use. */
const hlo_mlir_type *hlo_bytecode_scalar(hlo_bytecode *b, hlo_type element, const char *text); /* text: NULL for the element's own name */
const hlo_mlir_type *hlo_bytecode_tensor(hlo_bytecode *b, hlo_bytecode_cursor *c, bool has_encoding);
const hlo_mlir_type *hlo_bytecode_complex(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_bytecode_function(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_bytecode_tuple(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_bytecode_other(hlo_bytecode *b, const char *text);
const hlo_mlir_type *hlo_bytecode_unranked(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_bytecode_token(hlo_bytecode *b);
const hlo_mlir_type *hlo_bytecode_future(hlo_bytecode *b, hlo_bytecode_cursor *c);

/* Attributes that are words or structures of fields (bytecode_fields.c), by their code in VHLO or StableHLO. */
bool hlo_bytecode_has_fields(uint64_t code, bool vhlo);
/* Returns the fields of a structure as words like "handle:n type:n", by its mnemonic. Requires a mnemonic that exists. */
const char *hlo_bytecode_fields_of(const char *mnemonic);
const hlo_mlir_attribute *hlo_bytecode_read_fields(hlo_bytecode *b, hlo_bytecode_cursor *c, uint64_t code, bool vhlo);

/* A constant of the file whose elements have not been placed yet: its literal has no data. */
typedef struct hlo_bytecode_constant {
  hlo_literal *literal;
  size_t at; /* in the source */
} hlo_bytecode_constant;
/* Returns whether the elements of a constant of this shape stay in the source. */
bool hlo_bytecode_keeps(const hlo_bytecode *b, const hlo_shape *shape);
/* Makes the literal of such a constant, whose elements are all at byte `at`. */
hlo_literal *hlo_bytecode_keep(hlo_bytecode *b, const hlo_shape *shape, size_t at);
/* Gives all these literals their elements, once nothing else is read from the bytes. */
bool hlo_bytecode_place_blobs(hlo_bytecode *b);

/* ---- VHLO to StableHLO ---- */
typedef struct hlo_vhlo_op {
  size_t at;
  bool in_function; /* in the body of a function, rather than in a region of an operation */
  const hlo_bytecode_op_name *op;
  hlo_list *named; /* hlo_mlir_named; is rewritten */
  hlo_span name;   /* is set: that of StableHLO */
} hlo_vhlo_op;

/* Finds what is known of an operation of VHLO. Fails only for lack of memory. */
bool hlo_vhlo_look_up(hlo_bytecode *b, hlo_bytecode_op_name *op);
bool hlo_vhlo_convert(hlo_bytecode *b, hlo_vhlo_op *op);
/* Joins a convolution's nine dimension attributes in `named` into one of StableHLO's form. */
bool hlo_vhlo_gather_convolution(hlo_bytecode *b, hlo_vhlo_op *op);

#endif
