/* Reading key paths of JAX, and the metadata that holds them. */
#include "graph/parameter_path.h"

#include <string.h>

/* ---- Metadata ---- */

bool hlo_metadata_field(hlo_span metadata, const char *field, hlo_span *contents) {
  hlo_status ignored = {0};
  hlo_reader reader;
  hlo_reader_init(&reader, metadata.text, metadata.length, &ignored);
  hlo_reader_accept(&reader, "{");
  for (;;) {
    hlo_reader_accept(&reader, ",");
    hlo_span name = hlo_reader_name(&reader);
    if (!name.length || !hlo_reader_accept(&reader, "=")) return false;
    char next = hlo_reader_peek(&reader);
    hlo_span value;
    if (next == '"' ? !hlo_reader_quoted(&reader, &value) : next == '{' ? !hlo_reader_balanced(&reader, &value) : false) return false;
    const char *start = reader.cursor;
    if (next != '"' && next != '{') {
      while (reader.cursor < reader.end && !strchr(" ,}", *reader.cursor)) reader.cursor++;
      value = (hlo_span){start, (size_t)(reader.cursor - start)};
    }
    if (hlo_span_is(name, field)) return *contents = value, true;
  }
}

hlo_span hlo_instruction_op_name(const hlo_instruction *instruction, hlo_arena *arena, hlo_status *status) {
  const hlo_attribute *metadata = hlo_instruction_attribute(instruction, HLO_ATTR_metadata);
  hlo_span none = {"", 0}, contents;
  if (!metadata || !hlo_metadata_field(metadata->text, "op_name", &contents)) return none;
  char *text = hlo_arena_text(arena, contents.text, contents.length, status);
  if (!text) return none;
  size_t length = hlo_unescape(text, contents.length);
  text[length] = 0;
  return (hlo_span){text, length};
}

bool hlo_make_op_name(hlo_span op_name, hlo_arena *arena, hlo_attribute *metadata, hlo_status *status) {
  hlo_writer writer;
  hlo_writer_init(&writer, status);
  hlo_write(&writer, "{op_name=");
  hlo_write_quoted(&writer, op_name.text, op_name.length);
  hlo_write_char(&writer, '}');
  *metadata = (hlo_attribute){.id = HLO_ATTR_metadata};
  return hlo_writer_keep(&writer, arena, &metadata->text);
}

/* ---- Key paths ---- */

static bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

static const char *skip_word(const char *c, const char *end) {
  while (c < end && is_word_byte(*c)) c++;
  return c;
}

/* Skips a Python string, as in ['kernel'] or ["it's"]: from its quote to behind the closing quote; NULL if that is missing. */
static const char *read_quoted_key(hlo_writer *writer, const char *c, const char *end) {
  char quote = *c++;
  for (; c < end && *c != quote; c++) {
    if (*c == '\\' && c + 1 < end && strchr("\\'\"", c[1])) c++;
    hlo_write_char(writer, *c);
  }
  return c < end ? c + 1 : NULL;
}

/* Reads [0], [(1, 2)], or [<flat index 0>], the key of a node that has no keys of its own. */
static const char *read_plain_key(hlo_writer *writer, const char *c, const char *end) {
  static const char flat[] = "<flat index ";
  size_t prefix = sizeof flat - 1;
  const char *close = memchr(c, ']', (size_t)(end - c));
  if (!close || close == c) return NULL;
  bool is_flat = (size_t)(close - c) > prefix + 1 && memcmp(c, flat, prefix) == 0 && close[-1] == '>';
  hlo_write_bytes(writer, is_flat ? c + prefix : c, (size_t)(close - c) - (is_flat ? prefix + 1 : 0));
  return close;
}

/* Writes the rest of a key path behind its first word; false if the text is no key path. */
static bool write_keys(hlo_writer *writer, const char *c, const char *end) {
  while (c < end) {
    hlo_write_char(writer, '/');
    if (*c == '.') {
      const char *word = c + 1;
      c = skip_word(word, end);
      if (c == word || (*word >= '0' && *word <= '9')) return false;
      hlo_write_bytes(writer, word, (size_t)(c - word));
    } else {
      if (*c++ != '[' || c == end) return false;
      c = *c == '\'' || *c == '"' ? read_quoted_key(writer, c, end) : read_plain_key(writer, c, end);
      if (!c || c == end || *c++ != ']') return false;
    }
  }
  return true;
}

void hlo_write_key_path(hlo_writer *writer, hlo_span key_path) {
  const char *end = key_path.text + key_path.length, *word = skip_word(key_path.text, end);
  size_t before = writer->length;
  hlo_write_bytes(writer, key_path.text, (size_t)(word - key_path.text));
  if (word > key_path.text && write_keys(writer, word, end)) return;
  if (writer->length > before) writer->length = before; /* a writer that has failed is empty */
  hlo_write_bytes(writer, key_path.text, key_path.length);
}

void hlo_write_parameter_path(hlo_writer *writer, const hlo_instruction *parameter) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_span op_name = hlo_instruction_op_name(parameter, &arena, writer->status);
  if (op_name.length) hlo_write_key_path(writer, op_name);
  else hlo_write(writer, parameter->name);
  hlo_arena_free(&arena);
}
