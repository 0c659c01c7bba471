/* A tree of StableHLO, however it was read: lowered, raised again, and lowered once more. */
#ifndef HLO_TESTS_FUZZ_STABLEHLO_H
#define HLO_TESTS_FUZZ_STABLEHLO_H

#include "fuzz.h"
#include "reference/fold_constant.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir_write.h"
#include "stablehlo/raise/raise.h"
#include "text.h"

/* Printed, a tree of StableHLO's own operations reads as itself. */
static inline void fuzz_print(const hlo_mlir *tree, const uint8_t *data, size_t size) {
  hlo_status status = {0};
  if (memmem(data, size, "sdy", 3) || memmem(data, size, "chlo", 4)) return;
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_mlir_write(&writer, tree);
  hlo_mlir *again = hlo_mlir_parse(writer.text, writer.length, &status);
  FUZZ_REQUIRE(again && hlo_mlir_same(tree, again, &status), "%s in\n%s", status.message, writer.text);
  hlo_mlir_free(again);
  hlo_writer_free(&writer);
}

/* What is raised from a module lowers again: as it is, and printed and read. */
static inline void fuzz_raise(const hlo_module *module) {
  hlo_status status = {0};
  hlo_mlir *raised = hlo_stablehlo_raise(module, &status);
  FUZZ_REQUIRE_RESULT(raised, &status);
  if (!raised) return; /* HLO that StableHLO has no words for */
  hlo_module *unprinted = hlo_stablehlo_lower(raised, (hlo_span){"", 0}, &status);
  FUZZ_REQUIRE(unprinted, "%s", status.message);
  hlo_module_free(unprinted);
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_mlir_write(&writer, raised);
  hlo_mlir *tree = hlo_mlir_parse(writer.text, writer.length, &status);
  hlo_module *lowered = tree ? hlo_stablehlo_lower(tree, (hlo_span){"", 0}, &status) : NULL;
  FUZZ_REQUIRE(lowered, "%s in\n%s", status.message, writer.text);
  hlo_module_free(lowered);
  hlo_mlir_free(tree);
  hlo_mlir_free(raised);
  hlo_writer_free(&writer);
}

/* Dynamic modules are lowered for the first shapes that fit them. Returns whether the tree lowers as it is. */
static inline bool fuzz_lower(const hlo_mlir *tree) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_specialisation chosen = {0};
  hlo_module *module = hlo_stablehlo_lower(tree, (hlo_span){"", 0}, &status);
  FUZZ_REQUIRE_RESULT(module, &status);
  bool lowers = module != NULL;
  if (lowers) fuzz_text(module);
  if (lowers) fuzz_raise(module);
  hlo_module_free(module);
  status = (hlo_status){0};
  if (hlo_stablehlo_choose_shapes(tree, (hlo_span){"", 0}, 0, &arena, &chosen, &status)) {
    chosen.fold = hlo_reference_fold;
    module = hlo_stablehlo_lower_for(tree, (hlo_span){"", 0}, &chosen, &status);
    FUZZ_REQUIRE_RESULT(module, &status);
    hlo_module_free(module);
  }
  hlo_arena_free(&arena);
  return lowers;
}

#endif
