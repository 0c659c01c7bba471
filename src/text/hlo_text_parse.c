/* Parses a module: its header, then computations to the end of the text. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/module.h"
#include "text/hlo_text.h"
#include "text/hlo_text_parser.h"
#include "verify/verify.h"

int hlo_text_line(hlo_text_parser *parser, const char *where) {
  for (; parser->line_at < where; parser->line_at++) parser->line += *parser->line_at == '\n';
  return parser->line;
}

bool hlo_text_name(hlo_text_parser *parser, const char *what, hlo_span *name) {
  hlo_reader_accept(&parser->reader, "%");
  *name = hlo_reader_name(&parser->reader);
  return name->length || hlo_reader_fail(&parser->reader, "expected the name of %s, found %s", what, HLO_FOUND(&parser->reader));
}

bool hlo_text_at_shape(hlo_text_parser *parser) {
  if (hlo_reader_peek(&parser->reader) == '(') return true;
  hlo_reader ahead = parser->reader;
  return hlo_reader_name(&ahead).length && ahead.cursor < ahead.end && *ahead.cursor == '[';
}

static bool parse_computations(hlo_text_parser *parser) {
  if (!hlo_text_scan_computations(parser)) return false;
  while (!hlo_reader_at_end(&parser->reader))
    if (!hlo_text_parse_computation(parser)) return false;
  return true;
}

/* Fails if the scan found a computation that the parser did not: the scan can be misled by a malformed text. */
static bool check_complete(hlo_text_parser *parser) {
  const hlo_module *module = parser->module;
  if (module->computation_count == 0) return hlo_reader_fail(&parser->reader, "the module has no computation");
  for (int i = 0; i < module->computation_count; i++)
    if (module->computations[i]->root < 0)
      return hlo_reader_fail(&parser->reader, "computation '%s' is not defined", module->computations[i]->name);
  return true;
}

/* The entry is the computation marked ENTRY, or else the last one. */
static bool parse_all(hlo_text_parser *parser) {
  hlo_module *module = parser->module;
  if (!hlo_text_parse_header(parser) || !parse_computations(parser) || !check_complete(parser)) return false;
  if (module->entry < 0) module->entry = parser->last;
  if (!hlo_text_check_entry_layout(parser)) return false;
  if (parser->deferred_count) {
    int *order = hlo_arena_many(&parser->scratch, int, module->computation_count, parser->reader.status);
    if (!order || !hlo_module_call_order(module, order, parser->reader.status)) return false;
  }
  return hlo_text_check_deferred(parser) && hlo_ok(parser->reader.status);
}

hlo_module *hlo_text_parse(const char *text, size_t length, hlo_status *status) {
  hlo_text_parser parser = {.line_at = text, .line = 1, .last = -1};
  hlo_reader_init(&parser.reader, text, length, status);
  hlo_arena_init(&parser.scratch);
  hlo_arena_init(&parser.temporary);
  parser.module = hlo_module_new("module", 6, status);
  bool read = parser.module && parse_all(&parser) && hlo_verify_module(parser.module, status);
  hlo_arena_free(&parser.scratch);
  hlo_arena_free(&parser.temporary);
  if (!read) hlo_reader_locate_line(&parser.reader);
  if (read) return parser.module;
  hlo_module_free(parser.module);
  return NULL;
}
