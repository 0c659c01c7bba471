/* Tokens of MLIR text, and the growing lists that readers collect into. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/mlir/mlir_reader.h"

bool hlo_list_push(hlo_list *list, const void *item, hlo_status *status) {
  if (!hlo_list_grow_allocated(&list->items, list->count, &list->capacity, list->size, status)) return false;
  memcpy((char *)list->items + (size_t)list->count * list->size, item, list->size);
  list->count++;
  return true;
}

void *hlo_list_take(hlo_list *list, hlo_arena *arena, hlo_status *status) {
  void *items = hlo_arena_array(arena, list->count, list->size, status);
  if (items && list->count) memcpy(items, list->items, (size_t)list->count * list->size);
  hlo_list_drop(list);
  return items;
}

void hlo_list_drop(hlo_list *list) {
  free(list->items);
  list->items = NULL;
  list->capacity = 0;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

hlo_span hlo_mlir_read_bare(hlo_mlir_reader *r) {
  hlo_reader_skip_space(&r->text);
  const char *start = r->text.cursor, *p = start;
  if (p < r->text.end && is_letter(*p))
    while (p < r->text.end && (is_letter(*p) || is_digit(*p) || *p == '$' || *p == '.')) p++;
  r->text.cursor = p;
  return (hlo_span){start, (size_t)(p - start)};
}

hlo_span hlo_mlir_read_suffix(hlo_mlir_reader *r) {
  const char *start = r->text.cursor, *p = start;
  while (p < r->text.end && (is_letter(*p) || is_digit(*p) || *p == '$' || *p == '.' ||
                             (*p == '-' && p + 1 < r->text.end && p[1] != '>')))
    p++;
  r->text.cursor = p;
  return (hlo_span){start, (size_t)(p - start)};
}

hlo_span hlo_mlir_keep(hlo_mlir_reader *r, hlo_span span) {
  char *copy = hlo_arena_text(r->arena, span.text, span.length, r->status);
  return (hlo_span){copy ? copy : "", copy ? span.length : 0};
}

/* Reads a string, and replaces \n, \t, \\, \", and \XX for any byte. */
bool hlo_mlir_read_string(hlo_mlir_reader *r, hlo_span *text) {
  hlo_span raw;
  if (!hlo_reader_quoted(&r->text, &raw)) return false;
  char *out = hlo_arena_text(r->arena, raw.text, raw.length, r->status);
  if (!out) return false;
  size_t length = 0;
  for (size_t i = 0; i < raw.length; i++) {
    char c = raw.text[i];
    if (c == '\\' && i + 1 < raw.length) {
      char next = raw.text[++i];
      int high = hlo_hex_digit(next), low = i + 1 < raw.length ? hlo_hex_digit(raw.text[i + 1]) : -1;
      if (next == 'n') c = '\n';
      else if (next == 't') c = '\t';
      else if (high >= 0 && low >= 0) c = (char)(high * 16 + low), i++;
      else c = next;
    }
    out[length++] = c;
  }
  out[length] = 0;
  *text = (hlo_span){out, length};
  return true;
}

bool hlo_mlir_read_symbol(hlo_mlir_reader *r, hlo_span *symbol) {
  if (!hlo_reader_expect(&r->text, "@")) return false;
  if (r->text.cursor < r->text.end && *r->text.cursor == '"') {
    if (!hlo_mlir_read_string(r, symbol)) return false;
  } else {
    hlo_span name = hlo_mlir_read_suffix(r);
    if (!name.length) return hlo_reader_fail(&r->text, "expected a symbol name after '@'");
    *symbol = hlo_mlir_keep(r, name);
  }
  if (!hlo_reader_accept(&r->text, "::")) return hlo_ok(r->status);
  hlo_span nested;
  if (!hlo_mlir_read_symbol(r, &nested)) return false;
  char *joined = hlo_arena_format(r->arena, r->status, "%.*s::%.*s", (int)symbol->length, symbol->text,
                                  (int)nested.length, nested.text);
  if (!joined) return false;
  *symbol = (hlo_span){joined, symbol->length + 2 + nested.length};
  return true;
}

bool hlo_mlir_read_angle(hlo_mlir_reader *r, hlo_span *body) {
  const char *start = r->text.cursor;
  char stack[HLO_READER_MAX_DEPTH];
  int depth = 0;
  while (r->text.cursor < r->text.end) {
    char c = *r->text.cursor;
    if (c == '"') {
      hlo_span ignored;
      if (!hlo_reader_quoted(&r->text, &ignored)) return false;
      continue;
    }
    char next = r->text.cursor + 1 < r->text.end ? r->text.cursor[1] : 0;
    if ((c == '-' && next == '>') || (c == '>' && next == '=')) {
      r->text.cursor += 2;
      continue;
    }
    if (c == '>' && depth == 0) {
      *body = (hlo_span){start, (size_t)(r->text.cursor - start)};
      r->text.cursor++;
      return true;
    }
    if (c == '<' || c == '(' || c == '[' || c == '{') {
      if (depth == HLO_READER_MAX_DEPTH)
        return hlo_reader_fail_at(&r->text, r->text.cursor, HLO_LIMIT, "brackets are nested deeper than %d", HLO_READER_MAX_DEPTH);
      stack[depth++] = c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == '>' || c == ')' || c == ']' || c == '}') {
      if (depth == 0 || stack[depth - 1] != c) return hlo_reader_fail(&r->text, "'%c' closes nothing", c);
      depth--;
    }
    r->text.cursor++;
  }
  return hlo_reader_fail_at(&r->text, start, HLO_PARSE, "'<' is never closed");
}
