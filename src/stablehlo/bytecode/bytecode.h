/* Reads MLIR bytecode: StableHLO's portable artifacts, and the files of jax.export that contain one.
 *
 * An artifact holds operations of VHLO, the versioned copy of StableHLO: vhlo.add_v1, vhlo.dot_general_v2. The resulting tree is the
 * one that the text reader makes of the same program: stablehlo.* names, and attributes in StableHLO's form.
 * Errors name their byte in the file: "byte 123: ...". */
#ifndef HLO_STABLEHLO_BYTECODE_BYTECODE_H
#define HLO_STABLEHLO_BYTECODE_BYTECODE_H

#include "base/source_bytes.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "stablehlo/mlir/mlir.h"

/* The range of VHLO versions that can be read; other artifacts are refused with their version. */
enum { HLO_VHLO_NEWEST_MAJOR = 1, HLO_VHLO_NEWEST_MINOR = 21, HLO_VHLO_OLDEST_MAJOR = 0, HLO_VHLO_OLDEST_MINOR = 9 };

bool hlo_bytecode_recognise(const char *bytes, size_t length);
/* Reads a tree, which keeps no reference to `bytes`. Returns NULL on failure. */
hlo_mlir *hlo_bytecode_read(const char *bytes, size_t length, hlo_status *status);
/* The same of a part of a source. Large constants stay in it: the tree keeps a reference to it, and overwrites what is between them, also on
 * failure. A source of NULL is like hlo_bytecode_read. */
hlo_mlir *hlo_bytecode_read_in(hlo_source *source, const char *bytes, size_t length, hlo_status *status);

/* Returns whether the bytes are a file of jax.export's serialize(): a FlatBuffers table that holds an artifact. */
bool hlo_jax_export_recognise(const char *bytes, size_t length);
/* Finds the artifact in such a file, as a span of `bytes`. */
bool hlo_jax_export_module(const char *bytes, size_t length, hlo_span *module, hlo_status *status);
/* Writes the exported function's name, trees and calling convention as JSON (jax_export_tree.c); writes nothing if the convention is
 * older or newer than those that are known. `tree` is the file's artifact: arguments of its main function without a name are named
 * by their key paths. */
bool hlo_jax_export_describe(const char *bytes, size_t length, hlo_mlir *tree, hlo_writer *json, hlo_status *status);

#endif
