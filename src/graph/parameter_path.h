/* Paths of parameters in the trees of arguments of the program that a module was made from, read from XLA's metadata.
 *
 * JAX calls a parameter by its key path, params['dense'][0].kernel; its path is params/dense/0/kernel. */
#ifndef HLO_GRAPH_PARAMETER_PATH_H
#define HLO_GRAPH_PARAMETER_PATH_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"

/* Returns the value of a field of {op_type="..." op_name="..." source_line=3}; a string without its quotes, still escaped. */
bool hlo_metadata_field(hlo_span metadata, const char *field, hlo_span *contents);
/* Returns the name that metadata={op_name="..."} gives the instruction, in `arena`; empty if there is none. */
hlo_span hlo_instruction_op_name(const hlo_instruction *instruction, hlo_arena *arena, hlo_status *status);
/* Makes metadata that gives an instruction this name. */
bool hlo_make_op_name(hlo_span op_name, hlo_arena *arena, hlo_attribute *metadata, hlo_status *status);

/* Turns a key path into a path; any other text stays as it is. */
void hlo_write_key_path(hlo_writer *writer, hlo_span key_path);
/* Returns the path of a parameter, or its name if its metadata has no path. */
void hlo_write_parameter_path(hlo_writer *writer, const hlo_instruction *parameter);

#endif
