#include "reference/backend_config.h"

#include <string.h>

#include "graph/attribute.h"

bool hlo_config_find(const hlo_instruction *instruction, const char *name, hlo_reader *reader, hlo_status *ignored) {
  const hlo_attribute *config = hlo_instruction_attribute(instruction, HLO_ATTR_backend_config);
  size_t length = strlen(name);
  for (size_t i = 0; config && i + length < config->text.length; i++) {
    if (memcmp(config->text.text + i, name, length) != 0) continue;
    hlo_reader_init(reader, config->text.text + i + length, config->text.length - i - length, ignored);
    hlo_reader_accept(reader, "\"");
    if (hlo_reader_accept(reader, ":") || hlo_reader_accept(reader, "=")) return true;
  }
  return false;
}

int64_t hlo_config_int(const hlo_instruction *instruction, const char *name, int64_t missing) {
  hlo_status ignored = {0};
  hlo_reader reader;
  int64_t value;
  return hlo_config_find(instruction, name, &reader, &ignored) && hlo_reader_int(&reader, &value) ? value : missing;
}

bool hlo_config_bool(const hlo_instruction *instruction, const char *name, bool missing) {
  hlo_status ignored = {0};
  hlo_reader reader;
  return hlo_config_find(instruction, name, &reader, &ignored) ? !hlo_reader_accept_word(&reader, "false") : missing;
}
