/* Collects the names of all computations before anything else is read. At the first error the scan ends silently: the parser will
 * arrive at the same place and report it. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/module.h"
#include "shape/shape.h"
#include "text/hlo_text_parser.h"

/* Returns the end of the string or comment that begins at `c`; `c` if none does; the end of the text if it is never closed. */
static const char *skip_opaque(const char *c, const char *end) {
  if (*c == '"') {
    for (c++; c < end && *c != '"'; c++) c += *c == '\\';
    return c < end ? c + 1 : end;
  }
  if (*c != '/' || end - c < 2) return c;
  if (c[1] == '/') {
    while (c < end && *c != '\n') c++;
    return c;
  }
  if (c[1] != '*') return c;
  for (c += 2; end - c >= 2; c++)
    if (c[0] == '*' && c[1] == '/') return c + 2;
  return end;
}

/* Skips the '{' at the cursor and all up to the '}' that closes it. */
static bool skip_body(hlo_reader *reader) {
  int64_t depth = 0;
  for (const char *c = reader->cursor; c < reader->end;) {
    const char *after = skip_opaque(c, reader->end);
    if (after > c) {
      c = after;
      continue;
    }
    depth += (*c == '{') - (*c == '}');
    c++;
    if (depth > 0) continue;
    reader->cursor = c;
    return true;
  }
  return false;
}

/* Skips ENTRY %name (x: f32[2]) -> f32[2], and gives the name. */
static bool skip_header(hlo_text_parser *parser, hlo_reader *ahead, hlo_span *name) {
  hlo_span signature;
  hlo_reader_accept_word(ahead, "ENTRY");
  hlo_reader_accept(ahead, "%");
  *name = hlo_reader_name(ahead);
  if (name->length == 0) return false;
  if (hlo_reader_peek(ahead) == '(') {
    if (!hlo_reader_balanced(ahead, &signature)) return false;
    if (hlo_reader_accept(ahead, "->") && !hlo_shape_read(ahead, &parser->temporary)) return false;
    hlo_arena_reset(&parser->temporary);
  }
  return hlo_reader_peek(ahead) == '{';
}

static bool skip_thread(hlo_reader *ahead) {
  hlo_span thread;
  if (!hlo_reader_accept(ahead, ",")) return true;
  return hlo_reader_name(ahead).length && hlo_reader_accept(ahead, "=") && hlo_reader_quoted(ahead, &thread);
}

bool hlo_text_scan_computations(hlo_text_parser *parser) {
  hlo_status tried = {0}, *status = parser->reader.status;
  hlo_reader ahead = parser->reader;
  hlo_span name;
  ahead.status = &tried;
  while (hlo_ok(&tried) && skip_header(parser, &ahead, &name)) {
    if (hlo_module_find_computation(parser->module, name) >= 0) break;
    if (!hlo_module_add_computation(parser->module, name.text, name.length, status)) return false;
    if (!skip_body(&ahead) || !skip_thread(&ahead)) break;
  }
  return !hlo_status_out_of_memory(status, &tried);
}
