/* Reads a computation: ENTRY %name (x: f32[2]) -> f32[2] { instructions }, execution_thread="main" */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "shape/shape.h"
#include "text/hlo_text_parser.h"

/* ---- (x: f32[2], y: (s32[], f32[])) -> f32[2] ---- */

static bool parse_signature_parameter(hlo_text_parser *parser) {
  hlo_span name;
  return hlo_text_name(parser, "a parameter", &name) && hlo_reader_expect(&parser->reader, ":") &&
         hlo_shape_read(&parser->reader, &parser->temporary) != NULL;
}

/* *result lives in the scratch arena; it is NULL if there is no signature. */
static bool parse_signature(hlo_text_parser *parser, const hlo_shape **result, const char **where) {
  hlo_reader *reader = &parser->reader;
  *result = NULL;
  if (hlo_reader_peek(reader) != '(') return true;
  for (int count = 0; hlo_list_next(reader, "(", ")", count); count++)
    if (!parse_signature_parameter(parser)) return false;
  hlo_arena_reset(&parser->temporary);
  if (!hlo_ok(reader->status) || !hlo_reader_expect(reader, "->")) return false;
  hlo_reader_skip_space(reader);
  *where = reader->cursor;
  return (*result = hlo_shape_read(reader, &parser->scratch)) != NULL;
}

/* ---- The body ---- */

static bool parse_body(hlo_text_parser *parser, hlo_computation *computation) {
  hlo_reader *reader = &parser->reader;
  int root = -1;
  while (!hlo_reader_accept(reader, "}")) {
    if (hlo_reader_at_end(reader))
      return hlo_reader_fail(reader, "computation '%s' is never closed: expected '}'", computation->name);
    const char *where = reader->cursor;
    bool is_root = hlo_reader_accept_word(reader, "ROOT");
    if (is_root && root >= 0)
      return hlo_reader_fail_at(reader, where, HLO_PARSE, "'%s' is the root of this computation already",
                                computation->instructions[root]->name);
    if (!hlo_text_parse_instruction(parser, computation)) return false;
    if (is_root) root = computation->instruction_count - 1;
  }
  if (computation->instruction_count == 0) return hlo_reader_fail(reader, "computation '%s' has no instruction", computation->name);
  computation->root = root >= 0 ? root : computation->instruction_count - 1;
  return true;
}

static bool check_parameters(hlo_text_parser *parser, const hlo_computation *computation, const char *where) {
  for (int i = 0; i < computation->parameter_count; i++)
    if (computation->parameters[i] < 0)
      return hlo_reader_fail_at(&parser->reader, where, HLO_VERIFY, "computation '%s' has parameter %d, but no parameter %d",
                                computation->name, computation->parameter_count - 1, i);
  return true;
}

static bool parse_thread(hlo_text_parser *parser, hlo_computation *computation) {
  hlo_reader *reader = &parser->reader;
  if (!hlo_reader_accept(reader, ",")) return true;
  if (!hlo_reader_accept_word(reader, "execution_thread"))
    return hlo_reader_fail(reader, "expected execution_thread=\"name\", found %s", HLO_FOUND(reader));
  if (!hlo_reader_expect(reader, "=")) return false;
  if (hlo_reader_peek(reader) != '"')
    return hlo_reader_fail(reader, "expected a string in double quotes, found %s", HLO_FOUND(reader));
  return hlo_read_verbatim(reader, &parser->module->arena, &computation->execution_thread);
}

/* ---- The whole computation ---- */

/* Returns the computation that the scan added for the name, or NULL if it has been read already. */
static hlo_computation *computation_of(hlo_text_parser *parser, hlo_span name) {
  hlo_module *module = parser->module;
  int index = hlo_module_find_computation(module, name);
  if (index < 0) return hlo_module_add_computation(module, name.text, name.length, parser->reader.status);
  hlo_computation *computation = module->computations[index];
  if (computation->line == 0) return computation;
  hlo_reader_fail_at(&parser->reader, name.text, HLO_PARSE, "computation '%s' is defined already, on line %d", computation->name,
                     computation->line);
  return NULL;
}

bool hlo_text_parse_in_place(hlo_text_parser *parser, int *index) {
  hlo_reader *reader = &parser->reader;
  hlo_module *module = parser->module;
  if (!hlo_reader_enter(reader)) return false;
  const char *where = reader->cursor, *name = hlo_module_unique_name(module, "region", reader->status);
  hlo_computation *computation = name ? hlo_module_add_computation(module, name, strlen(name), reader->status) : NULL;
  if (!computation) return false;
  *index = computation->index;
  computation->line = hlo_text_line(parser, where);
  hlo_arena outer = parser->temporary; /* holds the attributes of the instruction around it */
  hlo_arena_init(&parser->temporary);
  bool read = hlo_reader_expect(reader, "{") && parse_body(parser, computation) && check_parameters(parser, computation, where);
  hlo_arena_free(&parser->temporary);
  parser->temporary = outer;
  hlo_reader_leave(reader);
  return read;
}

bool hlo_text_parse_computation(hlo_text_parser *parser) {
  hlo_reader *reader = &parser->reader;
  const hlo_shape *declared;
  const char *where = NULL;
  hlo_span name;
  hlo_reader_skip_space(reader);
  const char *start = reader->cursor;
  bool is_entry = hlo_reader_accept_word(reader, "ENTRY");
  if (is_entry && parser->module->entry >= 0)
    return hlo_reader_fail_at(reader, start, HLO_PARSE, "'%s' is the entry of this module already",
                              hlo_module_entry(parser->module)->name);
  if (!hlo_text_name(parser, "a computation", &name)) return false;
  hlo_computation *computation = computation_of(parser, name);
  if (!computation) return false;
  computation->line = hlo_text_line(parser, start);
  if (is_entry) parser->module->entry = computation->index;
  if (!parse_signature(parser, &declared, &where) || !hlo_reader_expect(reader, "{")) return false;
  if (!parse_body(parser, computation) || !check_parameters(parser, computation, name.text)) return false;
  parser->last = computation->index;
  const hlo_shape *result = hlo_computation_root(computation)->shape;
  if (declared && !hlo_shape_compatible(declared, result))
    return hlo_reader_fail_at(reader, where, HLO_SHAPE, "the result is declared %pS, but the root is %pS", declared, result);
  return parse_thread(parser, computation);
}
