/* The exported C functions: the only thing JavaScript sees.
 *
 * Conventions of the border:
 *   - every function takes the runtime it works for, directly or through an object that belongs to one;
 *   - a function that can fail returns 0 (NULL, false) or, where it gives an index, -1, and leaves code and
 *     message in the runtime (hlo_api_error_*); the next call clears them;
 *   - a function that answers in words (JSON or HLO text) leaves them in the runtime: hlo_api_text,
 *     hlo_api_text_length, valid until the next call;
 *   - texts come in as pointer and length, without NUL; 64-bit integers come and go in memory, counts
 *     that JavaScript computes with as double (exact to 2^53);
 *   - arrays of leaf pointers follow the order of leaves in a shape, with a place for tokens that is ignored. */
#ifndef HLO_API_API_H
#define HLO_API_API_H

#include "exec/executable.h"
#include "infer/implicit_broadcast.h"
#include "shape/layout_index.h"
#include "stablehlo/lower/stablehlo.h"
#include "text/hlo_text.h"

#ifdef __wasm__
#define HLO_API(result, name) __attribute__((export_name(#name), used)) result name
#else
#define HLO_API(result, name) result name
#endif

typedef struct hlo_value hlo_value;

typedef struct hlo_runtime {
  hlo_status status; /* of the last call */
  hlo_writer text;   /* answer of the last call */
  hlo_value *infeed, *infeed_last;   /* queues, oldest first */
  hlo_value *outfeed, *outfeed_last;
  int live_shapes, live_values, live_modules, live_executables, live_buffers;
  int64_t buffer_bytes;
  hlo_team *team; /* that shares the steps of what is compiled; NULL: one thread */
} hlo_runtime;

/* ---- api_runtime.c ---- */
hlo_runtime *hlo_api_runtime_new(void);
const char *hlo_api_error_name(const hlo_runtime *runtime); /* "SHAPE" */
const char *hlo_api_error_message(const hlo_runtime *runtime);
int hlo_api_error_line(const hlo_runtime *runtime);
int hlo_api_error_column(const hlo_runtime *runtime);
const char *hlo_api_text(const hlo_runtime *runtime);
size_t hlo_api_text_length(const hlo_runtime *runtime);
/* 64-byte aligned; the same size goes back with it. */
void *hlo_api_alloc(hlo_runtime *runtime, size_t bytes);
void hlo_api_release(hlo_runtime *runtime, void *memory, size_t bytes);
/* JSON: live objects and bytes. */
void hlo_api_memory(hlo_runtime *runtime);
/* Elements of any type as doubles (complex: two each), and back (rounding or wrapping to the type). */
void hlo_api_decode(int type, const void *elements, size_t count, double *values);
void hlo_api_encode(int type, const double *values, size_t count, void *elements);

/* ---- api_tables.c ---- */
/* JSON: operations, attributes on any instruction, element types, error codes. */
void hlo_api_ops_json(hlo_runtime *runtime);
/* What a builder needs of it, at a fraction of the time: all names by opcode, with spaces between; one operation as JSON. */
void hlo_api_op_names(hlo_runtime *runtime);
void hlo_api_op_json(hlo_runtime *runtime, int opcode);
void hlo_api_version(hlo_runtime *runtime);

/* ---- api_shape.c ---- */
typedef struct hlo_api_shape {
  hlo_runtime *runtime;
  hlo_arena arena;
  const hlo_shape *shape;
  bool indexed; /* index holds */
  hlo_layout_index index;
} hlo_api_shape;

/* padded_dimensions: `padded_count` sizes, or NULL; padding_value a hlo_padding_value. */
hlo_api_shape *hlo_api_shape_parse(hlo_runtime *runtime, const char *text, size_t length,
                                   const int64_t *padded_dimensions, int padded_count, int padding_value);
void hlo_api_shape_free(hlo_api_shape *shape);
bool hlo_api_shape_info(hlo_api_shape *shape); /* JSON */
/* -1 and a status when the index is out of range. */
double hlo_api_shape_linear_index(hlo_api_shape *shape, const int64_t *multi_index, int count);
/* 1: written; 0: the offset is padding; -1: failed. */
int hlo_api_shape_multi_index(hlo_api_shape *shape, double offset, int64_t *multi_index);
/* Coordinates and bounds: at most HLO_MAX_TILED_RANK values each. Returns their number, -1 on failure. */
int hlo_api_shape_tiled_index(hlo_api_shape *shape, const int64_t *multi_index, int count, int64_t *coordinates, int64_t *bounds);
/* The offset of every element in row-major order. */
bool hlo_api_shape_offsets(hlo_api_shape *shape, double *offsets);
/* 1, 0, or -1 on failure. */
int hlo_api_transpose_is_bitcast(hlo_api_shape *input, const hlo_api_shape *output, const int64_t *permutation, int count);
int hlo_api_reshape_is_bitcast(hlo_api_shape *input, const hlo_api_shape *output);
/* Between the bytes of the layout and the dense row-major form. */
bool hlo_api_layout_scatter(hlo_api_shape *shape, const void *dense, void *physical);
bool hlo_api_layout_gather(hlo_api_shape *shape, const void *physical, void *dense);
/* JSON: how a builder would broadcast two operands. */
bool hlo_api_broadcast_plan(hlo_runtime *runtime, const char *op_name, size_t length, const hlo_api_shape *lhs,
                            const hlo_api_shape *rhs, const int64_t *dimensions, int count);

/* The JSON of a shape, as every answer has it. */
void hlo_api_write_shape(hlo_writer *writer, const hlo_shape *shape);
/* {"name":"params/dense/kernel","shape":...}: a parameter of an entry, by its path where anything tells one. */
void hlo_api_write_parameter(hlo_writer *writer, const hlo_instruction *parameter, const hlo_shape *shape);

/* ---- api_value.c: a literal outside any program ---- */
struct hlo_value {
  hlo_runtime *runtime;
  hlo_arena arena;
  hlo_literal *literal;
  hlo_value *next;
};
/* From the bytes of leaves in the shape's layouts; sizes: per leaf, rank actual sizes or NULL; NULL: all full. */
hlo_value *hlo_api_value_new(hlo_runtime *runtime, const hlo_api_shape *shape, const void *const *leaves,
                             const int64_t *const *sizes);
hlo_value *hlo_api_value_parse(hlo_runtime *runtime, const char *text, size_t length);
void hlo_api_value_free(hlo_value *value);
/* What an HloSnapshot holds, as hlo_api_module_snapshot takes it; ((), ()) from any other form of a module. */
hlo_value *hlo_api_value_snapshot(hlo_runtime *runtime, const uint8_t *bytes, size_t length);
bool hlo_api_value_shape(hlo_value *value); /* JSON */
bool hlo_api_value_text(hlo_value *value);  /* f32[2] {1, 2} */
bool hlo_api_value_read(hlo_value *value, void *const *leaves, int64_t *const *sizes);
/* The queue takes the value; the caller keeps nothing. */
void hlo_api_infeed_push(hlo_value *value);
/* The oldest value, now the caller's; NULL when the queue is empty. */
hlo_value *hlo_api_outfeed_take(hlo_runtime *runtime);
int hlo_api_queue_length(const hlo_runtime *runtime, bool outfeed);
void hlo_api_queue_clear(hlo_runtime *runtime, bool outfeed);

bool hlo_api_infeed(hlo_runtime *runtime, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status);
bool hlo_api_outfeed(hlo_runtime *runtime, const hlo_literal *value, hlo_status *status);
/* Leaf `index` of a literal. */
hlo_literal *hlo_api_leaf(hlo_literal *literal, int index);

/* ---- api_module.c ---- */
/* What a module is specialised from. */
typedef struct hlo_api_dynamic {
  hlo_mlir *tree;
  hlo_arena arena;
  hlo_span entry;
  hlo_signature signature;
} hlo_api_dynamic;

typedef struct hlo_api_module hlo_api_module;
struct hlo_api_module {
  hlo_runtime *runtime;
  hlo_module *module;       /* NULL for a dynamic one until somebody asks for its graph */
  hlo_api_dynamic *dynamic; /* NULL: ordinary, it runs as it is */
  hlo_api_module *origin;   /* the dynamic module that this one was specialised from and has constants in common with; or NULL */
  hlo_writer exported;      /* what a jax.export says of itself (stablehlo/bytecode/jax_export_tree.c); empty in other forms */
  int references;           /* the handles, executables compiled from it, modules specialised from it */
};

/* Both are the wrapper's from now on, also when it fails; one of them is NULL. NULL when both are. */
hlo_api_module *hlo_api_module_wrap(hlo_runtime *runtime, hlo_module *module, hlo_api_dynamic *dynamic);
void hlo_api_module_release(hlo_api_module *module);
/* The graph, of a dynamic module with "?" in its shapes; NULL with UNSUPPORTED where those leave too much open. */
hlo_module *hlo_api_module_graph(hlo_api_module *module);
/* The same module, with a handle more, to be freed like the first. */
hlo_api_module *hlo_api_module_share(hlo_api_module *module);
/* Any form that api_front.c knows. entry: the function of StableHLO that is the entry, or empty. shapes: those of its
 * arguments, as the text of a tuple, for a module with dynamic types; or empty, and then that is dynamic. */
hlo_api_module *hlo_api_module_parse(hlo_runtime *runtime, const char *bytes, size_t length, const char *entry, size_t entry_length,
                                     const char *shapes, size_t shapes_length);
void hlo_api_module_free(hlo_api_module *module);
bool hlo_api_module_text(hlo_api_module *module);
bool hlo_api_module_stablehlo(hlo_api_module *module); /* StableHLO text */
/* Protocol buffers, the answer is bytes: an HloModuleProto, or (wrapped) an HloProto that holds it; an HloSnapshot,
 * with the value ((arguments...), (result)), or ((arguments...), ()). */
bool hlo_api_module_proto(hlo_api_module *module, bool wrapped);
bool hlo_api_module_snapshot(hlo_api_module *module, const hlo_value *values);
bool hlo_api_module_info(hlo_api_module *module); /* JSON; a dynamic module says so, and describes its entry */
/* What a jax.export says of the function that it holds, JSON; nothing in other forms. */
bool hlo_api_module_exported(hlo_api_module *module);
/* HLO text of what runs, after the last run of a pass (by its place in the list of ops_json); -1: after every one that changes
 * something, each under a line `// after NAME`. */
bool hlo_api_module_dump(hlo_api_module *module, int pass);
/* A module of its own whose entry is a copy of the computation. */
hlo_api_module *hlo_api_module_extract(hlo_api_module *module, int computation);

/* ---- api_dynamic.c ---- */
/* The tree, its entry, as a module to be specialised; the tree is its from now on, also when it fails. */
hlo_api_dynamic *hlo_api_dynamic_new(hlo_mlir *tree, hlo_span entry, hlo_status *status);
void hlo_api_dynamic_free(hlo_api_dynamic *dynamic);
void hlo_api_dynamic_write_info(hlo_writer *writer, const hlo_api_dynamic *dynamic); /* as hlo_api_module_info */
/* A dynamic module for arguments of these shapes (the text of a tuple). values: for each argument whose value is known,
 * its number and its elements. On failure the answer lists the arguments whose values would be needed: [0,2]. */
hlo_api_module *hlo_api_module_specialise(hlo_api_module *module, const char *shapes, size_t length, const int64_t *values, int count);

/* ---- api_front.c ---- */
/* A module, or what it is specialised from: *dynamic. Neither on failure. exported: an empty text; what a jax.export says of itself. */
hlo_module *hlo_api_read_module(const char *bytes, size_t length, hlo_span entry, hlo_span shapes, hlo_api_dynamic **dynamic, hlo_writer *exported,
                                hlo_status *status);
/* Shapes of arguments, from the text of a tuple; none when it is empty. */
bool hlo_api_read_shapes(hlo_span text, hlo_arena *arena, hlo_specialisation *given, hlo_status *status);
hlo_api_module *hlo_api_module_attempt(hlo_runtime *runtime, const char *bytes, size_t length, int attempt);
bool hlo_api_functions(hlo_runtime *runtime, const char *bytes, size_t length);   /* JSON: the functions of StableHLO */
bool hlo_api_prints_same(hlo_runtime *runtime, const char *bytes, size_t length);

/* Whether bytes that are no StableHLO are to be read as HLO text. */
bool hlo_api_is_text(const char *bytes, size_t length);

/* ---- api_inspect.c ---- */
/* The answer is one of hlo-text, stablehlo-text, stablehlo-bytecode, jax-export, hlo-module-proto, hlo-proto, hlo-snapshot, unknown. */
void hlo_api_form(hlo_runtime *runtime, const char *bytes, size_t length);
/* JSON: {"computations":[{"name":"main","operations":["parameter","add"]}],"constantBytes":8}; of a dynamic module the functions of
 * StableHLO with their names of operations. */
bool hlo_api_module_contents(hlo_api_module *module);

/* ---- api_builder.c ---- */
typedef struct hlo_api_builder hlo_api_builder;
hlo_api_builder *hlo_api_builder_new(hlo_runtime *runtime, const char *name, size_t length);
void hlo_api_builder_free(hlo_api_builder *builder);
/* Instructions: each returns its id, or -1; the answer is the JSON of its shape. */
int hlo_api_builder_parameter(hlo_api_builder *builder, int number, const hlo_api_shape *shape, const char *name, size_t length);
/* Bytes in the shape's layout. */
int hlo_api_builder_constant(hlo_api_builder *builder, const hlo_api_shape *shape, const void *bytes);
/* The same of memory from hlo_api_alloc, which passes to the builder, whether this succeeds or not. Where the layout is dense, it
 * becomes the constant's own, so that nothing is copied. */
int hlo_api_builder_own_constant(hlo_api_builder *builder, const hlo_api_shape *shape, void *memory, size_t bytes);
/* From a literal's text with its shape: f32[2] {1, 2}. */
int hlo_api_builder_literal(hlo_api_builder *builder, const char *text, size_t length);
/* A scalar constant: the type's least (0) or greatest (1) value, zero (2), one (3). */
int hlo_api_builder_limit(hlo_api_builder *builder, int type, int which);
/* shape: the declared one, or NULL; attributes: "dimensions={0,1}, to_apply=add"; name: or empty. */
int hlo_api_builder_add(hlo_api_builder *builder, int opcode, const int32_t *operands, int operand_count,
                        const hlo_api_shape *shape, const char *attributes, size_t attributes_length,
                        const char *name, size_t name_length);
/* Implicit broadcasting of two operands for `opcode`: writes the ids to use instead. dimensions: NULL with count 0. */
bool hlo_api_builder_broadcast(hlo_api_builder *builder, int opcode, const int64_t *dimensions, int count, int32_t *operands);
/* The text of an instruction; its name; its shape as JSON. */
bool hlo_api_builder_instruction_text(hlo_api_builder *builder, int id);
bool hlo_api_builder_instruction_name(hlo_api_builder *builder, int id);
bool hlo_api_builder_instruction_shape(hlo_api_builder *builder, int id);
/* Copies a computation in; the answer is its name here. */
bool hlo_api_builder_import(hlo_api_builder *builder, hlo_api_module *module, int computation);
/* Sets the root and verifies. The module leaves the builder, which can then only be freed. */
hlo_api_module *hlo_api_builder_finish(hlo_api_builder *builder, int root);

/* ---- api_executable.c, api_host.c ---- */
typedef struct hlo_api_executable {
  hlo_runtime *runtime;
  hlo_api_module *module;
  hlo_executable *executable;
  hlo_host host;
  uint32_t id;            /* by which JavaScript finds the custom calls */
  hlo_arena arena;
  hlo_span custom_calls;  /* registered names, separated by newlines */
  int parameter_count, devices;
  int input_slots, output_slots; /* of all devices */
  void **slots;           /* leaf pointers: inputs by device and parameter, then outputs by device */
  int64_t **sizes;        /* actual sizes of each slot's leaf; NULL where the leaf is static */
  hlo_buffers *inputs, *outputs;
  hlo_status run_status;
  bool running;
  hlo_profile profile;
} hlo_api_executable;

/* replicas, partitions: 0 for the module's own. donated: numbers of parameters. custom_calls: names separated by newlines. */
hlo_api_executable *hlo_api_compile(hlo_api_module *module, uint32_t id, int replicas, int partitions, bool reference, const int32_t *donated,
                                    int donated_count, const char *custom_calls, size_t custom_calls_length);
void hlo_api_executable_free(hlo_api_executable *executable);
bool hlo_api_executable_info(hlo_api_executable *executable); /* JSON; slots and sizes as addresses */
bool hlo_api_executable_plan(hlo_api_executable *executable); /* JSON */
/* The answer is the bytes of a WebAssembly module: functions that run the loops of the executable faster, to be put into the table.
 * Returns how many there are; 0: none. fuses: they may use fused multiply-adds, of relaxed SIMD, which the host has. */
int hlo_api_executable_emit(hlo_api_executable *executable, bool fuses);
/* Where they are in the table. */
void hlo_api_executable_install(hlo_api_executable *executable, const uint32_t *places, int count);
/* Whether the runs that follow are profiled; what the last one left is freed when they are not. */
void hlo_api_profile(hlo_api_executable *executable, bool on);
/* The records of the last run; which: 0 how many there are, 1 how many found no room. */
const hlo_profile_record *hlo_api_profile_records(const hlo_api_executable *executable);
double hlo_api_profile_count(const hlo_api_executable *executable, int which);
/* How many checks of a conformance case have held so far; whether they compare loosely from now on. */
double hlo_api_executable_checks(hlo_api_executable *executable);
void hlo_api_executable_loose(hlo_api_executable *executable, bool loose);
/* Slots hold the pointers. step_budget 0: none. */
bool hlo_api_run(hlo_api_executable *executable, uint32_t seed_low, uint32_t seed_high, double step_budget);

#ifdef HLO_ORIGINS
/* ---- api_origins.c: in webhlo-origins.wasm alone ---- */
/* Runs of an executable for the reference evaluator are followed from now on. The answer is a JSON array: the names of
 * instructions that are not followed element by element. */
bool hlo_api_origins_follow(hlo_api_executable *executable);
/* JSON: {"data":[...],"control":[...]}, the numbers of elements of the parameters, ascending. */
bool hlo_api_origins_of(hlo_api_executable *executable, double output, double index);
#endif

void hlo_api_host_init(hlo_api_executable *executable);

/* ---- Shared ---- */
/* Clears status and answer: the first thing each call does. */
void hlo_api_begin(hlo_runtime *runtime);
/* Memory of hlo_api_alloc that is no array any more: somebody else frees it. */
void hlo_api_disown(hlo_runtime *runtime, size_t bytes);
/* An object of `size` bytes, zeroed; NULL with OUT_OF_MEMORY. */
void *hlo_api_object(hlo_runtime *runtime, size_t size);

#endif
