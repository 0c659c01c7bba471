/* MLIR bytecode: StableHLO's portable artifacts, and the wrapper that jax.export puts around them.
 *
 * An artifact holds operations of VHLO, the versioned copy of StableHLO: vhlo.add_v1, vhlo.dot_general_v2. The tree
 * that comes out is the one the text reader makes of the same program: stablehlo.* names, attributes in StableHLO's form.
 * Errors say at which byte of the file they are: "byte 123: ...". */
#ifndef HLO_STABLEHLO_BYTECODE_H
#define HLO_STABLEHLO_BYTECODE_H

#include "stablehlo/mlir/mlir.h"

/* The newest VHLO that is understood; artifacts of a later one are refused, by their version. */
enum { HLO_VHLO_NEWEST_MAJOR = 1, HLO_VHLO_NEWEST_MINOR = 21, HLO_VHLO_OLDEST_MAJOR = 0, HLO_VHLO_OLDEST_MINOR = 9 };

bool hlo_bytecode_recognise(const char *bytes, size_t length);
/* The tree refers to nothing of `bytes` afterwards. NULL on failure. */
hlo_mlir *hlo_bytecode_read(const char *bytes, size_t length, hlo_status *status);

/* What jax.export's serialize() writes: a FlatBuffers table that holds an artifact. */
bool hlo_jax_export_recognise(const char *bytes, size_t length);
/* The artifact inside, a part of `bytes`. */
bool hlo_jax_export_module(const char *bytes, size_t length, hlo_span *module, hlo_status *status);
/* Writes what the file says of the exported function, its trees and its calling convention, as JSON (jax_export_tree.c); nothing
 * where the convention is older or newer than those that are known. `tree` is its artifact: arguments of its main function
 * that have no name are named by their key paths. */
bool hlo_jax_export_describe(const char *bytes, size_t length, hlo_mlir *tree, hlo_writer *json, hlo_status *status);

#endif
