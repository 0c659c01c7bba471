/* The exported C functions, and at the end of each part what its sources share. Beside them there are those of threads (api_threads.c), of tiles (api_runtime.c)
 * and of the module of linear algebra (side/linear_core.c).
 *
 * Conventions:
 *   - every function takes the runtime it works for, directly or through an object that belongs to one;
 *   - a function that can fail returns 0 (NULL, false) or, where it gives an index, -1, and leaves code and
 *     message in the runtime (hlo_api_error_*); the next call clears them;
 *   - a function whose answer is text (JSON or HLO text) leaves it in the runtime: hlo_api_text,
 *     hlo_api_text_length, valid until the next call;
 *   - texts are passed as pointer and length, without NUL; 64-bit integers are passed in memory; counts
 *     that JavaScript computes with are doubles (exact to 2^53);
 *   - arrays of leaf pointers follow the order of leaves in a shape; tokens have a place in them, which is ignored. */
#ifndef HLO_API_API_H
#define HLO_API_API_H

#include "base/arena.h"
#include "base/source_bytes.h"
#include "base/sha256.h"
#include "base/status.h"
#include "base/team.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "devices/host.h"
#include "exec/executable.h"
#include "exec/profile.h"
#include "graph/module.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/weight.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir.h"

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
  hlo_weight_count weights;
  hlo_team *team; /* threads that share steps of executables; NULL: one thread */
} hlo_runtime;

/* ---- api_runtime.c ---- */
hlo_runtime *hlo_api_runtime_new(void);
const char *hlo_api_error_name(const hlo_runtime *runtime); /* "SHAPE" */
const char *hlo_api_error_message(const hlo_runtime *runtime);
int hlo_api_error_line(const hlo_runtime *runtime);
int hlo_api_error_column(const hlo_runtime *runtime);
const char *hlo_api_text(const hlo_runtime *runtime);
size_t hlo_api_text_length(const hlo_runtime *runtime);
/* Memory is 64-byte aligned; hlo_api_release takes the size that it was allocated with. */
void *hlo_api_alloc(hlo_runtime *runtime, size_t bytes);
void hlo_api_release(hlo_runtime *runtime, void *memory, size_t bytes);
/* The answer is JSON: numbers of live objects and bytes. */
void hlo_api_memory(hlo_runtime *runtime);
/* Limits the memory to so many pages of 64 KiB. */
void hlo_api_memory_limit(size_t pages);
/* Convert elements of any type to doubles (complex: two each), and back (rounded or wrapped to the type). */
void hlo_api_decode(int type, const void *elements, size_t count, double *values);
void hlo_api_encode(int type, const double *values, size_t count, void *elements);

/* ---- api_tables.c ---- */
/* The answer is JSON: operations, attributes that any instruction may carry, element types, error codes. */
void hlo_api_ops_json(hlo_runtime *runtime);
/* The parts that a builder needs, which take less time: the names of all operations by opcode, separated by spaces; one operation as JSON. */
void hlo_api_op_names(hlo_runtime *runtime);
void hlo_api_op_json(hlo_runtime *runtime, int opcode);
void hlo_api_version(hlo_runtime *runtime);

/* ---- api_shape.c ---- */
typedef struct hlo_api_shape {
  hlo_runtime *runtime;
  hlo_arena arena;
  const hlo_shape *shape;
  hlo_layout_index *index; /* NULL until it is asked for */
} hlo_api_shape;

/* padded_dimensions: `padded_count` sizes, or NULL; padding_value a hlo_padding_value. */
hlo_api_shape *hlo_api_shape_parse(hlo_runtime *runtime, const char *text, size_t length,
                                   const int64_t *padded_dimensions, int padded_count, int padding_value);
void hlo_api_shape_free(hlo_api_shape *shape);
bool hlo_api_shape_info(hlo_api_shape *shape); /* JSON */
/* Returns -1, with a status, if the index is out of range. */
double hlo_api_shape_linear_index(hlo_api_shape *shape, const int64_t *multi_index, int count);
/* 1: written; 0: the offset is padding; -1: failed. */
int hlo_api_shape_multi_index(hlo_api_shape *shape, double offset, int64_t *multi_index);
/* Write coordinates or bounds, at most HLO_MAX_TILED_RANK values; return their number, -1 on failure. */
int hlo_api_shape_tiled_index(hlo_api_shape *shape, const int64_t *multi_index, int count, int64_t *coordinates, int64_t *bounds);
/* Writes the offset of every element, in row-major order of elements. */
bool hlo_api_shape_offsets(hlo_api_shape *shape, double *offsets);
/* 1, 0, or -1 on failure. */
int hlo_api_transpose_is_bitcast(hlo_api_shape *input, const hlo_api_shape *output, const int64_t *permutation, int count);
int hlo_api_reshape_is_bitcast(hlo_api_shape *input, const hlo_api_shape *output);
/* Convert between the bytes of the layout and the dense row-major form. */
bool hlo_api_layout_scatter(hlo_api_shape *shape, const void *dense, void *physical);
bool hlo_api_layout_gather(hlo_api_shape *shape, const void *physical, void *dense);
/* The answer is JSON: how a builder would broadcast two operands. */
bool hlo_api_broadcast_plan(hlo_runtime *runtime, const char *op_name, size_t length, const hlo_api_shape *lhs,
                            const hlo_api_shape *rhs, const int64_t *dimensions, int count);

/* Writes a shape as JSON, as it stands in all answers. */
void hlo_api_write_shape(hlo_writer *writer, const hlo_shape *shape);
/* Writes a parameter of an entry: {"name":"params/dense/kernel","shape":...}. Its name is its path, if its metadata has one. */
void hlo_api_write_parameter(hlo_writer *writer, const hlo_instruction *parameter, const hlo_shape *shape);

/* ---- api_value.c: a literal outside any program ---- */
struct hlo_value {
  hlo_runtime *runtime;
  hlo_arena arena;
  hlo_literal *literal;
  hlo_value *next;
};
/* Makes a value of the bytes of leaves in the shape's layouts. sizes: per leaf, rank actual sizes or NULL; NULL: all full. */
hlo_value *hlo_api_value_new(hlo_runtime *runtime, const hlo_api_shape *shape, const void *const *leaves,
                             const int64_t *const *sizes);
hlo_value *hlo_api_value_parse(hlo_runtime *runtime, const char *text, size_t length);
void hlo_api_value_free(hlo_value *value);
/* Reads the value in an HloSnapshot, in the form that hlo_api_module_snapshot takes; ((), ()) from any other form of a module. */
hlo_value *hlo_api_value_snapshot(hlo_runtime *runtime, const uint8_t *bytes, size_t length);
hlo_value *hlo_api_value_copy(hlo_runtime *runtime, const hlo_literal *literal); /* a value of its own */
bool hlo_api_value_shape(hlo_value *value); /* JSON */
bool hlo_api_value_text(hlo_value *value);  /* f32[2] {1, 2} */
bool hlo_api_value_read(hlo_value *value, void *const *leaves, int64_t *const *sizes);
/* Passes the value to the queue, which owns it from now on. */
void hlo_api_infeed_push(hlo_value *value);
/* Takes the oldest value, which the caller owns from now on; NULL if the queue is empty. */
hlo_value *hlo_api_outfeed_take(hlo_runtime *runtime);
int hlo_api_queue_length(const hlo_runtime *runtime, bool outfeed);
void hlo_api_queue_clear(hlo_runtime *runtime, bool outfeed);

bool hlo_api_infeed(hlo_runtime *runtime, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status);
bool hlo_api_outfeed(hlo_runtime *runtime, const hlo_literal *value, hlo_status *status);
/* Leaf `index` of a literal. */
hlo_literal *hlo_api_leaf(hlo_literal *literal, int index);

/* ---- api_weights.c: arrays beside programs (shape/weight.h) ---- */
/* Makes a weight, which is not initialised. The shape's layout is none, or row-major, with E(n) for packed elements. */
hlo_weight *hlo_api_weight_new(hlo_runtime *runtime, const hlo_api_shape *shape);
hlo_weight *hlo_api_weight_keep(hlo_weight *weight); /* the same weight, to be freed once more */
void hlo_api_weight_free(hlo_weight *weight);
void *hlo_api_weight_data(hlo_weight *weight);
/* Once all bytes are written: makes of them what evaluators expect (0 and 1 of pred, extended signs). */
void hlo_api_weight_loaded(hlo_weight *weight);
/* Writes all elements, unpacked. */
bool hlo_api_weight_read(hlo_runtime *runtime, hlo_weight *weight, void *elements);
/* A checksum of a file: in memory of the caller, at most 128 bytes. */
void hlo_api_sha256_begin(hlo_sha256 *sum);
void hlo_api_sha256_add(hlo_sha256 *sum, const void *bytes, size_t length);
void hlo_api_sha256_end(hlo_sha256 *sum, uint8_t *digest);

/* ---- api_module.c ---- */
/* A dynamic module: what modules are specialised from. */
typedef struct hlo_api_dynamic {
  hlo_mlir *tree;
  hlo_arena arena;
  hlo_span entry;
  hlo_signature signature;
} hlo_api_dynamic;

typedef struct hlo_api_module hlo_api_module;
struct hlo_api_module {
  hlo_runtime *runtime;
  hlo_module *module;       /* NULL for a dynamic module until its graph is asked for */
  hlo_api_dynamic *dynamic; /* NULL for a module that is not dynamic, and can run as it is */
  hlo_api_module *origin;   /* the dynamic module that this one was specialised from, with which it shares constants; or NULL */
  hlo_writer exported;      /* description of a jax.export file (stablehlo/bytecode/jax_export_tree.c); empty for other forms */
  int references;           /* number of handles, of executables compiled from it, and of modules specialised from it */
};

/* Wraps a module or a dynamic one (the other is NULL), and owns it from now on, also on failure. NULL if both are NULL. */
hlo_api_module *hlo_api_module_wrap(hlo_runtime *runtime, hlo_module *module, hlo_api_dynamic *dynamic);
void hlo_api_module_release(hlo_api_module *module);
/* Returns the graph; that of a dynamic module has "?" in its shapes. NULL with UNSUPPORTED if these leave too much open. */
hlo_module *hlo_api_module_graph(hlo_api_module *module);
/* The same with its large constants pinned, until hlo_api_module_close. */
hlo_module *hlo_api_module_open(hlo_api_module *module);
void hlo_api_module_close(hlo_api_module *module);
/* Returns the same module with one more handle, which is freed like the first. */
hlo_api_module *hlo_api_module_share(hlo_api_module *module);
/* Reads a module in any form that api_front.c knows. entry: the function of StableHLO that is the entry, or empty. shapes: of its arguments, as
 * the text of a tuple, to specialise a module with dynamic types; if it is empty such a module stays dynamic. */
hlo_api_module *hlo_api_module_parse(hlo_runtime *runtime, const char *bytes, size_t length, const char *entry, size_t entry_length,
                                     const char *shapes, size_t shapes_length);
/* The same of memory from hlo_api_alloc, of `allocated` bytes, which the module owns from now on, but not on failure: large constants stay in it. */
hlo_api_module *hlo_api_module_parse_own(hlo_runtime *runtime, char *bytes, size_t length, size_t allocated, const char *entry,
                                         size_t entry_length, const char *shapes, size_t shapes_length);
/* Makes a module in which parameters of the entry are weights: weights[i] that of number numbers[i]. */
hlo_api_module *hlo_api_module_bind(hlo_api_module *module, const int32_t *numbers, hlo_weight *const *weights, int count);
void hlo_api_module_free(hlo_api_module *module);
bool hlo_api_module_text(hlo_api_module *module);
bool hlo_api_module_stablehlo(hlo_api_module *module); /* StableHLO text */
/* The answer is the bytes of a protocol buffer: an HloModuleProto, or (wrapped) an HloProto that holds it; an HloSnapshot,
 * with the value ((arguments...), (result)), or ((arguments...), ()). */
bool hlo_api_module_proto(hlo_api_module *module, bool wrapped);
bool hlo_api_module_snapshot(hlo_api_module *module, const hlo_value *values);
bool hlo_api_module_is_dynamic(const hlo_api_module *module);
bool hlo_api_module_info(hlo_api_module *module); /* JSON; of a dynamic module its entry is described */
/* The answer is the description in a jax.export file of its function, as JSON; empty for other forms. */
bool hlo_api_module_exported(hlo_api_module *module);
/* The answer is HLO text of the optimised module after the last run of a pass (its place in the list of ops_json); -1: after every run of a pass
 * that changes something, each under a line `// after NAME`. */
bool hlo_api_module_dump(hlo_api_module *module, int pass);
/* Makes a module whose entry is a copy of the computation. */
hlo_api_module *hlo_api_module_extract(hlo_api_module *module, int computation);

/* ---- api_narrow.c: programs that take narrow weights (passes/narrow_parameters.h) ---- */
/* Makes a module whose entry calls no other computation; and one in which constants of this many elements or more are parameters as well. */
hlo_api_module *hlo_api_module_inlined(hlo_api_module *module);
hlo_api_module *hlo_api_module_lifted(hlo_api_module *module, double least);
/* Copies one of these constants, of a module that hlo_api_module_inlined made; ARGUMENT if there is none of this number. */
hlo_value *hlo_api_module_constant(hlo_api_module *module, double least, int number);
bool hlo_api_module_uses(hlo_api_module *module); /* JSON: hlo_parameter_use of each parameter of the entry */
hlo_api_module *hlo_api_module_narrowed(hlo_api_module *module, const int64_t *numbers, int count);

/* ---- api_graph.c ---- */
/* The answer is JSON: computations and instructions, as they stand in the module or as the passes leave them. Lines are those of the text in both. */
bool hlo_api_module_drawn(hlo_api_module *module, bool optimised);

/* ---- api_dynamic.c ---- */
/* Makes a dynamic module of the tree, which it owns from now on, also on failure. */
hlo_api_dynamic *hlo_api_dynamic_new(hlo_mlir *tree, hlo_span entry, hlo_status *status);
void hlo_api_dynamic_free(hlo_api_dynamic *dynamic);
void hlo_api_dynamic_write_info(hlo_writer *writer, const hlo_api_dynamic *dynamic); /* as hlo_api_module_info */
/* Specialises a dynamic module for arguments of these shapes (the text of a tuple). values: the number and the elements of each argument whose
 * value is known. On failure the answer lists the arguments whose values would be needed: [0,2]. */
hlo_api_module *hlo_api_module_specialise(hlo_api_module *module, const char *shapes, size_t length, const int64_t *values, int count);

/* ---- api_front.c ---- */
/* Reads a module, or, for dynamic StableHLO, *dynamic. Neither on failure. source: that of the bytes, in which large constants may stay; or
 * NULL. exported: an empty text, which gets the description of a jax.export. */
hlo_module *hlo_api_read_module(hlo_source *source, const char *bytes, size_t length, hlo_span entry, hlo_span shapes, hlo_api_dynamic **dynamic,
                                hlo_writer *exported, hlo_status *status);
/* Reads shapes of arguments from the text of a tuple; an empty text has none. */
bool hlo_api_read_shapes(hlo_span text, hlo_arena *arena, hlo_specialisation *given, hlo_status *status);
hlo_api_module *hlo_api_module_attempt(hlo_runtime *runtime, const char *bytes, size_t length, int attempt);
bool hlo_api_functions(hlo_runtime *runtime, const char *bytes, size_t length);   /* JSON: the functions of StableHLO */
bool hlo_api_prints_same(hlo_runtime *runtime, const char *bytes, size_t length);

/* Returns whether bytes that are not StableHLO are to be read as HLO text. */
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
/* Adds a constant from bytes in the shape's layout. */
int hlo_api_builder_constant(hlo_api_builder *builder, const hlo_api_shape *shape, const void *bytes);
/* The same with memory from hlo_api_alloc, which the builder owns from now on, also on failure. If the layout is dense the constant uses it
 * without a copy. */
int hlo_api_builder_own_constant(hlo_api_builder *builder, const hlo_api_shape *shape, void *memory, size_t bytes);
/* Adds a constant from a literal's text with its shape: f32[2] {1, 2}. */
int hlo_api_builder_literal(hlo_api_builder *builder, const char *text, size_t length);
/* Adds a scalar constant: the type's least (0) or greatest (1) value, zero (2), one (3). */
int hlo_api_builder_limit(hlo_api_builder *builder, int type, int which);
/* shape: the declared one, or NULL; attributes: "dimensions={0,1}, to_apply=add"; name: or empty. */
int hlo_api_builder_add(hlo_api_builder *builder, int opcode, const int32_t *operands, int operand_count,
                        const hlo_api_shape *shape, const char *attributes, size_t attributes_length,
                        const char *name, size_t name_length);
/* Implicit broadcasting of two operands for `opcode`: writes the ids to use instead. dimensions: NULL with count 0. */
bool hlo_api_builder_broadcast(hlo_api_builder *builder, int opcode, const int64_t *dimensions, int count, int32_t *operands);
/* The answer is the text of an instruction; its name; its shape as JSON. */
bool hlo_api_builder_instruction_text(hlo_api_builder *builder, int id);
bool hlo_api_builder_instruction_name(hlo_api_builder *builder, int id);
bool hlo_api_builder_instruction_shape(hlo_api_builder *builder, int id);
/* Copies a computation into the builder's module; the answer is its name there. */
bool hlo_api_builder_import(hlo_api_builder *builder, hlo_api_module *module, int computation);
/* Sets the root, verifies, and returns the module. The builder can then only be freed. */
hlo_api_module *hlo_api_builder_finish(hlo_api_builder *builder, int root);

/* ---- api_executable.c, api_host.c ---- */
typedef struct hlo_api_executable {
  hlo_runtime *runtime;
  hlo_api_module *module;
  hlo_executable *executable;
  hlo_host host;
  uint32_t id;            /* JavaScript finds custom calls by it */
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

/* replicas, partitions: 0 for the module's own. emits: hlo_api_executable_emit follows. work_limit (base/meter.h) 0: none. donated: numbers of parameters. custom_calls: names separated by
 * newlines. */
hlo_api_executable *hlo_api_compile(hlo_api_module *module, uint32_t id, int replicas, int partitions, bool reference, bool emits, double work_limit,
                                    const int32_t *donated, int donated_count, const char *custom_calls, size_t custom_calls_length);
void hlo_api_executable_free(hlo_api_executable *executable);
bool hlo_api_executable_info(hlo_api_executable *executable); /* JSON; slots and sizes as addresses */
/* Returns how many bytes of large constants are used by other executables as well. */
double hlo_api_executable_shared_bytes(const hlo_api_executable *executable);
bool hlo_api_executable_plan(hlo_api_executable *executable); /* JSON */
/* The answer is the bytes of a WebAssembly module with functions for the loops of the executable, which JavaScript puts into the table. Returns
 * their number. fuses: the host has relaxed SIMD, so that they may use fused multiply-adds. */
int hlo_api_executable_emit(hlo_api_executable *executable, bool fuses);
/* Tells the executable where these functions are in the table. */
void hlo_api_executable_install(hlo_api_executable *executable, const uint32_t *places, int count);
/* Turns profiling of the following runs on or off; off frees the records of the last run. */
void hlo_api_profile(hlo_api_executable *executable, bool on);
/* The records of the last run. which: 0 their number, 1 the number of records that found no room. */
const hlo_profile_record *hlo_api_profile_records(const hlo_api_executable *executable);
double hlo_api_profile_count(const hlo_api_executable *executable, int which);
/* The number of checks of a conformance case that have passed so far; sets whether they compare loosely from now on. */
double hlo_api_executable_checks(hlo_api_executable *executable);
void hlo_api_executable_loose(hlo_api_executable *executable, bool loose);
/* Slots hold the pointers. work_budget (reference/work.h) 0: none. */
bool hlo_api_run(hlo_api_executable *executable, uint32_t seed_low, uint32_t seed_high, double work_budget);
/* The same in slices: begun once, and then gone on with until a slice returns 1 (finished) or 0 (failed), and no more 2, or it is abandoned. */
bool hlo_api_run_begin(hlo_api_executable *executable, uint32_t seed_low, uint32_t seed_high, double work_budget);
int hlo_api_run_slice(hlo_api_executable *executable, double milliseconds);
void hlo_api_run_abandon(hlo_api_executable *executable);
/* The work of the last run. */
double hlo_api_executable_work(const hlo_api_executable *executable);

#ifdef HLO_ORIGINS
/* ---- api_origins.c: in webhlo-origins.wasm alone ---- */
/* From now on runs of an executable for the reference evaluator follow origins. The answer is a JSON array: the names of instructions that are
 * not followed element by element. */
bool hlo_api_origins_follow(hlo_api_executable *executable);
/* The answer is JSON: {"data":[...],"control":[...]}, the numbers of elements of the parameters, ascending. */
bool hlo_api_origins_of(hlo_api_executable *executable, double output, double index);
#endif

void hlo_api_host_init(hlo_api_executable *executable);

/* ---- Shared ---- */
/* Clears status and answer: the first thing each call does. */
void hlo_api_begin(hlo_runtime *runtime);
/* Stops counting memory of hlo_api_alloc as an array, because another object owns it from now on. */
void hlo_api_disown(hlo_runtime *runtime, size_t bytes);
/* Allocates an object of `size` bytes, zeroed; NULL with OUT_OF_MEMORY. */
void *hlo_api_object(hlo_runtime *runtime, size_t size);

#endif
