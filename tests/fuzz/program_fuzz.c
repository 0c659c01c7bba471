/* A program in HLO text through both evaluators: compiled or refused by both, run within a budget, and, where every value is a whole
 * number or pred, with equal results. */
#include "fuzz.h"
#include "program.h"

enum { MOST_ELEMENTS = 1 << 14, BUDGET = 2000000 };

/* Whether the program is small enough for the budget, and whether all its values are exact. */
static bool is_small(const hlo_module *module, bool *is_exact) {
  int64_t elements = 0;
  *is_exact = true;
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++) {
      const hlo_shape *shape = module->computations[c]->instructions[i]->shape;
      for (int leaf = 0; leaf < hlo_shape_leaf_count(shape); leaf++) {
        const hlo_shape *array = hlo_shape_leaf(shape, leaf);
        int64_t bytes;
        hlo_status ignored = {0};
        if (!hlo_shape_is_array(array) || hlo_shape_has_unbounded(array)) continue;
        if (!hlo_shape_array_size(array, &bytes, &ignored) || bytes > MOST_ELEMENTS) return false;
        elements += bytes;
        *is_exact &= !hlo_type_is_float(array->type) && !hlo_type_is_complex(array->type);
      }
    }
  return elements <= MOST_ELEMENTS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse((const char *)data, size, &status);
  bool is_exact;
  bool fits = module && is_small(module, &is_exact);
  hlo_module_free(module);
  if (!fits) return 0;
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = 0;
  program p;
  hlo_host host = {0};
  if (strlen(text) == size && program_open(&p, text, 0, &host)) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    hlo_status planned = {0}, reference = {0};
    bool ran = hlo_executable_run(p.planned, p.inputs, p.planned_outputs, 7, BUDGET, &planned);
    bool defined = hlo_executable_run(p.reference, p.inputs, p.reference_outputs, 7, BUDGET, &reference);
    FUZZ_REQUIRE(ran == hlo_ok(&planned) && defined == hlo_ok(&reference), "codes %d and %d", (int)planned.code, (int)reference.code);
    bool limited = planned.code == HLO_LIMIT || reference.code == HLO_LIMIT; /* the evaluators count differently */
    FUZZ_REQUIRE(limited || ran == defined, "planned: %s; reference: %s", planned.message, reference.message);
    if (ran && defined && is_exact) FUZZ_REQUIRE(program_outputs_distance(&p) == 0, "the evaluators differ");
    program_close(&p);
  } else if (strlen(text) == size) {
    program_close(&p);
  }
  free(text);
  return 0;
}
