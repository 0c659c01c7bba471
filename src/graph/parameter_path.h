/* Where a parameter belongs in the trees of the program that a module was made from, as XLA's metadata tells it.
 *
 * JAX calls a parameter by its key path, params['dense'][0].kernel; its path is params/dense/0/kernel. */
#ifndef HLO_GRAPH_PARAMETER_PATH_H
#define HLO_GRAPH_PARAMETER_PATH_H

#include "graph/module.h"

/* What stands behind a field of {op_type="..." op_name="..." source_line=3}: of a text what is in the quotes, still escaped. */
bool hlo_metadata_field(hlo_span metadata, const char *field, hlo_span *contents);
/* What metadata={op_name="..."} calls the instruction, in `arena`; empty where it calls it nothing. */
hlo_span hlo_instruction_op_name(const hlo_instruction *instruction, hlo_arena *arena, hlo_status *status);
/* The metadata that calls an instruction so. */
bool hlo_make_op_name(hlo_span op_name, hlo_arena *arena, hlo_attribute *metadata, hlo_status *status);

/* A key path as a path; any other text as it stands. */
void hlo_write_key_path(hlo_writer *writer, hlo_span key_path);
/* The path of a parameter, or its name where nothing tells a path. */
void hlo_write_parameter_path(hlo_writer *writer, const hlo_instruction *parameter);

#endif
