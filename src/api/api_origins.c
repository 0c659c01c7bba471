/* Origins for JavaScript: the elements of parameters that an element of a result is computed from. */
#include "api/api.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "exec/executable.h"
#include "graph/module.h"
#include "shape/origin.h"

#ifdef HLO_ORIGINS

#include <string.h>

#include "reference/origins.h"

static void write_inexact(hlo_writer *writer, const hlo_module *module) {
  const char *comma = "";
  hlo_write_char(writer, '[');
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++) {
      const hlo_instruction *instruction = module->computations[c]->instructions[i];
      if (hlo_origins_exact(instruction->opcode)) continue;
      hlo_write(writer, comma);
      hlo_write_json(writer, instruction->name, strlen(instruction->name));
      comma = ",";
    }
  hlo_write_char(writer, ']');
}

HLO_API(bool, hlo_api_origins_follow)(hlo_api_executable *e) {
  hlo_api_begin(e->runtime);
  if (!hlo_executable_follow(e->executable, &e->runtime->status)) return false;
  write_inexact(&e->runtime->text, hlo_executable_module(e->executable));
  return hlo_ok(&e->runtime->status);
}

static void write_set(hlo_writer *writer, hlo_origins *origins, const char *name, hlo_origin_set *set) {
  const char *comma = "";
  hlo_origins_find(origins, set);
  hlo_write_format(writer, "\"%s\":[", name);
  for (int64_t i = 0; i < origins->leaf_count; i++) {
    if (!hlo_origins_found(origins, i)) continue;
    hlo_write_format(writer, "%s%lld", comma, (long long)i);
    comma = ",";
  }
  hlo_write_char(writer, ']');
}

HLO_API(bool, hlo_api_origins_of)(hlo_api_executable *e, double output, double index) {
  hlo_api_begin(e->runtime);
  hlo_writer *writer = &e->runtime->text;
  hlo_origins *origins = hlo_executable_origins(e->executable);
  hlo_origin origin;
  if (!hlo_executable_origin(e->executable, (int64_t)output, (int64_t)index, &origin, &e->runtime->status)) return false;
  hlo_write_char(writer, '{');
  write_set(writer, origins, "data", origin.data);
  hlo_write_char(writer, ',');
  write_set(writer, origins, "control", origin.control);
  hlo_write_char(writer, '}');
  return hlo_ok(&e->runtime->status);
}

#endif
