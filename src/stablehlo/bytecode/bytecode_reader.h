/* The state of reading MLIR bytecode, shared by the readers of sections, types, attributes and operations.
 *
 * The format: mlir/docs/BytecodeFormat.md of llvm-project. Types and attributes stand in tables and are read when
 * something asks for them; each is read once. */
#ifndef HLO_STABLEHLO_BYTECODE_READER_H
#define HLO_STABLEHLO_BYTECODE_READER_H

#include "stablehlo/mlir/mlir_reader.h"

/* What is left of a stretch of the file. */
typedef struct hlo_bytecode_cursor {
  size_t at, end; /* bytes from the start of the file */
} hlo_bytecode_cursor;

typedef enum hlo_bytecode_section {
  HLO_BYTECODE_STRINGS, HLO_BYTECODE_DIALECTS, HLO_BYTECODE_ENTRIES, HLO_BYTECODE_ENTRY_OFFSETS, HLO_BYTECODE_IR,
  HLO_BYTECODE_RESOURCES, HLO_BYTECODE_RESOURCE_OFFSETS, HLO_BYTECODE_DIALECT_VERSIONS, HLO_BYTECODE_PROPERTIES,
  HLO_BYTECODE_SECTION_COUNT
} hlo_bytecode_section;

/* Versions of the format in which something changed. */
enum {
  HLO_BYTECODE_DIALECT_VERSIONED = 1, /* dialects may carry a version */
  HLO_BYTECODE_LAZY = 2,              /* isolated regions are sections of their own */
  HLO_BYTECODE_USE_LISTS = 3,
  HLO_BYTECODE_ELIDED_LOCATIONS = 4,  /* of block arguments; the number of operation names is given */
  HLO_BYTECODE_HAS_PROPERTIES = 5,
  HLO_BYTECODE_NEWEST = 6
};

/* A row of the tables of types and attributes. */
typedef struct hlo_bytecode_entry {
  hlo_bytecode_cursor where;
  int dialect;
  bool custom;       /* in the dialect's own encoding; text otherwise */
  bool open;         /* being read: an entry that meets itself is a cycle */
  int weight;        /* entries it is made of, itself included */
  const void *value; /* hlo_mlir_type or hlo_mlir_attribute; NULL: not read yet */
} hlo_bytecode_entry;

typedef struct hlo_bytecode_op_name {
  hlo_span dialect, name; /* "vhlo", "add_v1" */
  hlo_span full;
  bool registered;
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
  hlo_arena scratch;  /* tables, gone when the tree is made */
  int64_t format;
  hlo_bytecode_cursor sections[HLO_BYTECODE_SECTION_COUNT];
  hlo_span *strings, *dialects;
  hlo_bytecode_entry *attributes, *types;
  hlo_bytecode_op_name *op_names;
  hlo_bytecode_cursor *properties;
  hlo_bytecode_resource *resources; /* of dialects, in the order of the file */
  int64_t string_count, dialect_count, attribute_count, type_count, op_name_count, property_count, resource_count;
  int depth;          /* of types, attributes and regions within one another */
  int64_t weight;     /* of the entry being read */
  int64_t copied;     /* items copied out of shared entries, all in all */
  int value_capacity;
  int *scope;         /* values by the file's numbers, innermost region last; -1: not defined yet */
  int64_t scope_count, scope_capacity, scope_base;
} hlo_bytecode;

/* "byte 123: ...". Always returns false. */
bool hlo_bytecode_fail(hlo_bytecode *b, size_t at, hlo_code code, const char *format, ...) __attribute__((format(printf, 4, 5)));
bool hlo_bytecode_enter(hlo_bytecode *b, size_t at); /* bounds recursion */
void hlo_bytecode_leave(hlo_bytecode *b);
/* Bounds what files blow up by naming one large entry many times. */
bool hlo_bytecode_spend(hlo_bytecode *b, size_t at, int64_t items);

/* ---- Primitives: each consumes, and fails at the byte where it cannot ---- */
bool hlo_bytecode_byte(hlo_bytecode *b, hlo_bytecode_cursor *c, uint8_t *value);
bool hlo_bytecode_uint(hlo_bytecode *b, hlo_bytecode_cursor *c, uint64_t *value);
bool hlo_bytecode_int(hlo_bytecode *b, hlo_bytecode_cursor *c, int64_t *value); /* zigzag */
/* A number of things that take at least one byte each, so that it cannot exceed what is left. */
bool hlo_bytecode_count(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *what, int64_t *count);
/* A number below `limit`. */
bool hlo_bytecode_index(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *what, int64_t limit, int64_t *index);
bool hlo_bytecode_string(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_span *string); /* an index; NUL-terminated */
bool hlo_bytecode_blob(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_bytecode_cursor *blob);
bool hlo_bytecode_section_header(hlo_bytecode *b, hlo_bytecode_cursor *c, int *id, hlo_bytecode_cursor *section);
/* An integer of a known width, as bits (sign-extended to 64); a float of a type. */
bool hlo_bytecode_bits(hlo_bytecode *b, hlo_bytecode_cursor *c, int width, int64_t *value);
bool hlo_bytecode_real(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_type type, double *value);
/* A list of signed numbers, in the tree's arena. */
bool hlo_bytecode_ints(hlo_bytecode *b, hlo_bytecode_cursor *c, int64_t **values, int64_t *count);

/* ---- Entries, by index read from the cursor ---- */
const hlo_mlir_type *hlo_bytecode_type(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_bytecode_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
/* *attribute stays NULL when there is none. */
/* An attribute of Shardy as text (bytecode_sharding.c). */
const hlo_mlir_attribute *hlo_sdy_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
bool hlo_bytecode_optional_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_attribute **attribute);
bool hlo_bytecode_attributes(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_attribute ***attributes, int *count);
bool hlo_bytecode_types(hlo_bytecode *b, hlo_bytecode_cursor *c, const hlo_mlir_type ***types, int *count);
const hlo_mlir_type *hlo_bytecode_type_at(hlo_bytecode *b, int64_t index);

/* The name that the location with this index tells (bytecode_location.c); empty where it tells none. */
hlo_span hlo_bytecode_location_name(hlo_bytecode *b, int64_t index);

/* ---- Making attributes ---- */
hlo_mlir_attribute *hlo_bytecode_new_attribute(hlo_bytecode *b, hlo_mlir_attribute_kind kind);
const hlo_mlir_attribute *hlo_bytecode_word(hlo_bytecode *b, hlo_mlir_attribute_kind kind, const char *text);
const hlo_mlir_attribute *hlo_bytecode_integer(hlo_bytecode *b, int64_t value);
/* A dictionary of `count` named values, its mnemonic such as "stablehlo.dot". */
const hlo_mlir_attribute *hlo_bytecode_dict(hlo_bytecode *b, hlo_span mnemonic, const hlo_mlir_named *named, int count);
static inline hlo_mlir_named hlo_bytecode_named(const char *name, const hlo_mlir_attribute *value) {
  hlo_mlir_named named = {{name, __builtin_strlen(name)}, value};
  return named;
}

/* ---- The parts ---- */
bool hlo_bytecode_read_ir(hlo_bytecode *b);
/* A type or attribute of one dialect; the cursor stands at its code. */
const hlo_mlir_type *hlo_builtin_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_builtin_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_stablehlo_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_stablehlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_chlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_vhlo_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_attribute *hlo_vhlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c);
/* Attributes that both dialects have, in the same encoding behind their code. */
typedef enum hlo_bytecode_common {
  HLO_BYTECODE_ARRAY, HLO_BYTECODE_DICTIONARY, HLO_BYTECODE_STRING, HLO_BYTECODE_TYPE, HLO_BYTECODE_INTEGER, HLO_BYTECODE_FLOAT,
  HLO_BYTECODE_DENSE
} hlo_bytecode_common;
const hlo_mlir_attribute *hlo_bytecode_common_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_bytecode_common kind);
/* The elements of a dense array: all of them, one for all, or (i1) eight a byte. */
const hlo_mlir_attribute *hlo_bytecode_dense(hlo_bytecode *b, const hlo_mlir_type *type, hlo_bytecode_cursor blob);
/* Shared by the two dialects' types. */
hlo_type hlo_bytecode_integer_type(uint64_t width, bool is_unsigned); /* HLO_TYPE_COUNT: there is none */
const hlo_mlir_type *hlo_bytecode_scalar(hlo_bytecode *b, hlo_type element, const char *text); /* text: NULL for the element's name */
const hlo_mlir_type *hlo_bytecode_tensor(hlo_bytecode *b, hlo_bytecode_cursor *c, bool has_encoding);
const hlo_mlir_type *hlo_bytecode_complex(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_bytecode_function(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_bytecode_tuple(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_bytecode_other(hlo_bytecode *b, const char *text);
const hlo_mlir_type *hlo_bytecode_unranked(hlo_bytecode *b, hlo_bytecode_cursor *c);
const hlo_mlir_type *hlo_bytecode_token(hlo_bytecode *b);
const hlo_mlir_type *hlo_bytecode_future(hlo_bytecode *b, hlo_bytecode_cursor *c);

/* Attributes that are words or made of fields (bytecode_fields.c), by their code in VHLO or StableHLO. */
bool hlo_bytecode_has_fields(uint64_t code, bool vhlo);
const hlo_mlir_attribute *hlo_bytecode_read_fields(hlo_bytecode *b, hlo_bytecode_cursor *c, uint64_t code, bool vhlo);

/* ---- VHLO to StableHLO ---- */
typedef struct hlo_vhlo_op {
  size_t at;
  bool in_function; /* it stands in the body of a function, not in a region of an operation */
  hlo_span name;    /* "add_v1"; replaced by "stablehlo.add" */
  hlo_list *named;  /* hlo_mlir_named; rewritten */
} hlo_vhlo_op;

/* The names of the attributes of "add_v1", in the order of its properties; NULL: no such operation. */
const char *hlo_vhlo_properties(hlo_span name);
/* Steps over one of them. */
hlo_span hlo_vhlo_next_property(const char **words);
bool hlo_vhlo_convert(hlo_bytecode *b, hlo_vhlo_op *op);
/* The nine dimension attributes of a convolution as one, in `named` and of StableHLO's form. */
bool hlo_vhlo_gather_convolution(hlo_bytecode *b, hlo_vhlo_op *op);

#endif
