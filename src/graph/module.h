/* The graph: a module holds computations, a computation holds instructions.
 *
 * Instructions refer to operands by index within their computation; an operand always comes before
 * its users, so the order of instructions is a topological order. Computations are referred to by
 * index in the module, in any order. Everything is owned by the module's arena. */
#ifndef HLO_GRAPH_MODULE_H
#define HLO_GRAPH_MODULE_H

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/name_table.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"
#include "shape/shared_array.h"

typedef struct hlo_instruction {
  hlo_opcode opcode;
  int index;             /* place in its computation */
  const char *name;      /* unique in its computation, without '%' */
  const hlo_shape *shape;
  int operand_count;
  const int *operands;   /* indices, each less than `index` */
  int attribute_count;
  const hlo_attribute *attributes; /* in the order of the op's row, then the common ones */
  int line;              /* line of the text; 0 if it was built */
} hlo_instruction;

typedef struct hlo_computation {
  const char *name;      /* unique in the module, without '%' */
  int index;             /* in the module */
  int instruction_count, capacity;
  hlo_instruction **instructions;
  int root;              /* index; -1 until set */
  int parameter_count, parameter_capacity;
  int *parameters;       /* instruction index of each parameter number; -1 until it is added */
  hlo_name_table names;  /* of the instructions */
  hlo_span execution_thread; /* as it stood in the text, for printing */
  int line;
} hlo_computation;

/* A header field of the module that WebHLO does not interpret: it is kept and printed back. */
typedef struct hlo_module_field {
  hlo_span name, text;
} hlo_module_field;

typedef struct hlo_module {
  hlo_arena arena;
  const char *name;
  int computation_count, capacity;
  hlo_computation **computations;
  hlo_name_table names;  /* of the computations */
  int entry;             /* index; -1 until set */
  int entry_parameter_count;                /* length of entry_parameter_shapes */
  const hlo_shape **entry_parameter_shapes; /* entry_computation_layout, with layouts; NULL when not given */
  const hlo_shape *entry_result_shape;      /* NULL when not given */
  int64_t replica_count, num_partitions;    /* 1 when not given */
  int field_count;
  hlo_module_field *fields;  /* other header fields, in order: input_output_alias={...}, is_scheduled=true, ... */
  hlo_span trailer;          /* tables of stack frames after the header, printed back; empty if none */
  int pins;                  /* see hlo_module_pin */
} hlo_module;

/* ---- Building ---- */
hlo_module *hlo_module_new(const char *name, size_t length, hlo_status *status); /* freed by hlo_module_free */
void hlo_module_free(hlo_module *module);
/* Makes a module with the header and the computations of another, which must outlive it; lists of its own hold them. */
hlo_module *hlo_module_share(const hlo_module *source, hlo_status *status);
/* Names of modules and computations are made fit for HLO text: see hlo_name_fit. The name must be free. */
hlo_computation *hlo_module_add_computation(hlo_module *module, const char *name, size_t length, hlo_status *status);
/* Appends an instruction; operands and attributes are copied into the arena, the shape is taken as it is (same arena).
 * A parameter takes its place in `parameters`; refuses duplicate numbers. The name must be
 * free: see hlo_computation_unique_name. */
hlo_instruction *hlo_computation_add(hlo_module *module, hlo_computation *computation, hlo_opcode opcode,
                                     const char *name, const hlo_shape *shape, const int *operands, int operand_count,
                                     const hlo_attribute *attributes, int attribute_count, hlo_status *status);
/* Makes room for so many instructions in a computation that has none. */
bool hlo_computation_reserve(hlo_module *module, hlo_computation *computation, int count, hlo_status *status);
/* `stem`, fit for HLO text, or stem.N with the least N that is free. */
const char *hlo_computation_unique_name(hlo_module *module, hlo_computation *computation, const char *stem, hlo_status *status);
const char *hlo_module_unique_name(hlo_module *module, const char *stem, hlo_status *status); /* for a computation */

/* Copies a computation, and all that it calls, from another module. Computations that are structurally equal and have the same name are
 * shared, so that a second copy finds the first. Names are made unique. Returns the index of the copy, -1 on failure. */
int hlo_module_import(hlo_module *module, const hlo_module *from, int computation, hlo_status *status);
/* Makes a module with the header of another, its entry, and all that this calls, in memory of its own. */
hlo_module *hlo_module_copy(const hlo_module *source, hlo_status *status);

/* ---- Large constants, whose elements are shared (shape/shared_array.h) ----
 * A new module has them pinned: their literals have data. hlo_module_settle undoes that, and each hlo_module_pin. */
bool hlo_module_pin(hlo_module *module, hlo_status *status);
void hlo_module_settle(hlo_module *module);
/* Makes a module in which parameters of the entry are constants: those for which `arrays`, by parameter, is not NULL. The others keep their
 * order. Arrays have the elements of static parameters. The source, which shares all else, must outlive it. */
hlo_module *hlo_module_bind(const hlo_module *source, hlo_shared_array *const *arrays, hlo_status *status);

/* ---- Asking ---- */
static inline const hlo_instruction *hlo_instruction_at(const hlo_computation *c, int index) { return c->instructions[index]; }
static inline const hlo_instruction *hlo_operand(const hlo_computation *c, const hlo_instruction *i, int n) {
  return c->instructions[i->operands[n]];
}
static inline const hlo_instruction *hlo_computation_root(const hlo_computation *c) { return c->instructions[c->root]; }
static inline const hlo_computation *hlo_module_entry(const hlo_module *m) { return m->computations[m->entry]; }
int hlo_module_find_computation(const hlo_module *module, hlo_span name);         /* index or -1 */
int hlo_computation_find(const hlo_computation *computation, hlo_span name);     /* index or -1 */
/* Offers the names of all its instructions, for "did you mean". */
void hlo_computation_offer_names(const hlo_computation *computation, hlo_nearest_name *nearest);

/* NULL when the instruction does not carry the attribute. */
const hlo_attribute *hlo_instruction_attribute(const hlo_instruction *instruction, hlo_attribute_id id);
/* Shorthands, which return the given value for a missing attribute. */
int64_t hlo_instruction_int(const hlo_instruction *instruction, hlo_attribute_id id, int64_t missing);
bool hlo_instruction_bool(const hlo_instruction *instruction, hlo_attribute_id id, bool missing);
const hlo_ints *hlo_instruction_ints(const hlo_instruction *instruction, hlo_attribute_id id); /* never NULL */
int hlo_instruction_enum(const hlo_instruction *instruction, hlo_attribute_id id, int missing);
/* Never NULL: without a window it returns one of rank 0. */
const hlo_window *hlo_instruction_window(const hlo_instruction *instruction);
/* NULL when missing. */
const hlo_computation *hlo_instruction_computation(const hlo_module *module, const hlo_instruction *instruction,
                                                   hlo_attribute_id id);
/* Returns the computation that an asynchronous op runs: its own, or that of the start it belongs to; -1 if there is none. */
int hlo_instruction_async_computation(const hlo_computation *computation, const hlo_instruction *instruction);
/* Gives the n-th computation that the instruction calls, in attribute order; false if there are no more. */
bool hlo_instruction_call(const hlo_instruction *instruction, int n, int *computation);
/* Lists the computations that the instruction calls, in attribute order, at most `capacity`; returns how many there are. */
int hlo_instruction_called(const hlo_instruction *instruction, int *computations, int capacity);

/* Structural equality of two instructions of one computation (opcode, shape, operands, and the attributes that affect the result), and a hash
 * that equal instructions share. */
bool hlo_instruction_equal(const hlo_instruction *a, const hlo_instruction *b);
uint64_t hlo_instruction_hash(const hlo_instruction *instruction);

/* The names of this module and computation, for attributes that refer to them. `scope_storage` must outlive the scope. */
typedef struct hlo_graph_scope {
  const hlo_module *module;
  const hlo_computation *computation;
} hlo_graph_scope;
hlo_name_scope hlo_graph_name_scope(hlo_graph_scope *scope_storage);

/* True, with the opcode, for a computation of two scalars that is a single binary op (add, maximum, ...; not compare) of its two parameters
 * in order, or in either order if the op is commutative. */
bool hlo_computation_is_binary_op(const hlo_computation *computation, hlo_opcode *opcode);
/* The dimension along which an array counts: an iota, or a broadcast of one line of it. -1: the array is neither. */
int64_t hlo_counted_dimension(const hlo_computation *computation, const hlo_instruction *array);

#endif
