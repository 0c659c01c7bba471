/* Reading the backend_config of a custom call, such as {uplo = 76 : ui8} or {"largest": false}. */
#ifndef HLO_REFERENCE_BACKEND_CONFIG_H
#define HLO_REFERENCE_BACKEND_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text_reader.h"
#include "graph/module.h"

/* Finds `name = ` or `"name": ` in the call's backend_config. If it is there, the reader stands behind it. `ignored` must
 * live as long as the reader. */
bool hlo_config_find(const hlo_instruction *instruction, const char *name, hlo_reader *reader, hlo_status *ignored);
/* Returns the number behind a name. It may stand for a letter: 76 for 'L'. */
int64_t hlo_config_int(const hlo_instruction *instruction, const char *name, int64_t missing);
/* Returns whether anything but `false` stands behind a name. */
bool hlo_config_bool(const hlo_instruction *instruction, const char *name, bool missing);

#endif
