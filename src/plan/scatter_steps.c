/* scatter of one array: windows of updates are combined into a copy of the operand, one after another, by the element-wise kernel of
 * a well-known computation; or they are written over it. Where windows are the same or apart, each thread of a team looks at all of
 * them, and takes those that begin in its part of the operand. */
#include "kernels/strided_copy.h"
#include "plan/index_steps.h"

typedef struct scatter_parameters {
  hlo_index_batch batch;
  hlo_strided_map window; /* from the updates to the operand */
  hlo_elementwise_kernel *combine; /* NULL: updates replace */
  int64_t run; /* elements side by side in both, in the last dimension of the map */
  bool adds_elements; /* windows are single elements of f32, and added */
  int64_t bytes; /* of the operand */
  int64_t places; /* where windows may begin, from 0 on; 1: they are not to be shared */
  double nanoseconds; /* about, of all windows */
} scatter_parameters;

typedef struct scatter_arrays {
  const scatter_parameters *parameters;
  char *out;
  const char *updates;
  const void *indices;
  ptrdiff_t begin, end; /* offsets of windows that are taken */
} scatter_arrays;

static void combine_run(const scatter_parameters *p, char *out, const char *updates) {
  const void *operands[2] = {out, updates};
  p->combine(operands, 0, out, p->run);
}

/* A window that is not one run: row after row of the map. */
static void combine_window(const scatter_parameters *p, char *out, const char *updates) {
  const hlo_strided_map *map = &p->window;
  int rank = p->run == 1 ? map->rank : map->rank - 1; /* dimensions that are walked through */
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  for (int d = 0; d < rank; d++)
    if (map->dims[d] == 0) return;
  for (int d = 0; d >= 0;) {
    combine_run(p, out, updates);
    for (d = rank - 1; d >= 0; d--) {
      out += map->out_strides[d];
      updates += map->in_strides[d];
      if (++index[d] < map->dims[d]) break;
      out -= map->out_strides[d] * map->dims[d];
      updates -= map->in_strides[d] * map->dims[d];
      index[d] = 0;
    }
  }
}

static void scatter_windows(const void *context, const ptrdiff_t *offsets, int count, ptrdiff_t first, ptrdiff_t stride) {
  const scatter_arrays *arrays = context;
  const scatter_parameters *p = arrays->parameters;
  const char *updates = arrays->updates + first;
  bool is_run = p->window.rank == 0 || (p->window.rank == 1 && p->run > 1);
  for (int i = 0; i < count && p->adds_elements; i++, updates += stride)
    if (offsets[i] >= arrays->begin && offsets[i] < arrays->end) *(float *)(arrays->out + offsets[i]) += *(const float *)updates;
  for (int i = 0; i < count && !p->adds_elements; i++, updates += stride) {
    if (offsets[i] < arrays->begin || offsets[i] >= arrays->end) continue;
    char *out = arrays->out + offsets[i];
    if (!p->combine) hlo_strided_copy_simd128(&p->window, updates, out);
    else if (is_run) combine_run(p, out, updates);
    else combine_window(p, out, updates);
  }
}

typedef struct shared_scatter {
  const scatter_arrays *arrays;
  int64_t units;
} shared_scatter;

static void scatter_part(void *context, int64_t unit, int thread) {
  const shared_scatter *s = context;
  scatter_arrays arrays = *s->arrays;
  int64_t places = arrays.parameters->places;
  arrays.begin = (ptrdiff_t)(places * unit / s->units);
  arrays.end = s->units > 1 ? (ptrdiff_t)(places * (unit + 1) / s->units) : PTRDIFF_MAX;
  hlo_index_batch_visit(&arrays.parameters->batch, arrays.indices, scatter_windows, &arrays);
}

static void run_scatter(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const scatter_parameters *p = parameters;
  const scatter_arrays arrays = {.parameters = p, .out = result, .updates = operands[2], .indices = operands[1]};
  bool is_shared = team && p->places > 1 && p->nanoseconds >= team->least_nanoseconds;
  shared_scatter s = {&arrays, is_shared ? team->threads : 1};
  if (p->bytes == 0) return;
  if (result != operands[0]) hlo_copy_shared(operands[0], result, p->bytes, team);
  hlo_team_run(team, s.units, p->nanoseconds, scatter_part, &s);
}

/* The kernel of the computation; false where there is none. */
static HLO_BUILT_SMALL bool find_combine(const hlo_kernel_question *question, hlo_type type, hlo_elementwise_kernel **combine) {
  const hlo_computation *c = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_to_apply);
  const hlo_instruction *root = hlo_computation_root(c);
  hlo_opcode opcode;
  *combine = NULL;
  if (root->index == c->parameters[1]) return root->shape->type == type;
  if (!hlo_computation_is_binary_op(c, &opcode) || root->shape->type != type) return false;
  if (opcode == HLO_OP_ADD && hlo_type_is_float(type) && hlo_type_bits(type) < 32) return false; /* long sums are taken wide */
  *combine = hlo_elementwise_kernel_of(opcode, type, type, HLO_ANY_VARIANT);
  return *combine != NULL;
}

/* Windows at two indices have nothing in common if they are one element wide in all dimensions that are indexed. */
static HLO_BUILT_SMALL int64_t places_of(const hlo_index_batch *batch, hlo_ints map, const int64_t *sizes) {
  int64_t places = 1;
  for (int d = 0; d < batch->rank; d++) places += (batch->dims[d] - 1) * batch->array_strides[d];
  for (int c = 0; c < map.count; c++) {
    if (sizes[map.data[c]] != 1) return 1;
    places += batch->last_start[c] * batch->array_stride[c];
  }
  return places;
}

static HLO_BUILT_SMALL void swap_sides(hlo_strided_map *map) {
  for (int d = 0; d < map->rank; d++) {
    int64_t kept = map->in_strides[d];
    map->in_strides[d] = map->out_strides[d];
    map->out_strides[d] = kept;
  }
  hlo_strided_map_simplify(map);
}

HLO_BUILT_SMALL bool hlo_setup_scatter(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  if (instruction->operand_count != 3) return false;
  const hlo_shape *shapes[3];
  for (int n = 0; n < 3; n++) shapes[n] = hlo_kernel_operand(question, n);
  hlo_index_attributes attributes = {.window_dims = *hlo_instruction_ints(instruction, HLO_ATTR_update_window_dims),
                                     .map = *hlo_instruction_ints(instruction, HLO_ATTR_scatter_dims_to_operand_dims),
                                     .absent = *hlo_instruction_ints(instruction, HLO_ATTR_inserted_window_dims),
                                     .array_batching = *hlo_instruction_ints(instruction, HLO_ATTR_input_batching_dims),
                                     .index_batching = *hlo_instruction_ints(instruction, HLO_ATTR_scatter_indices_batching_dims)};
  const hlo_shape *operand = shapes[0];
  scatter_parameters p = {.batch = {.drops = true}, .run = 1,
                          .bytes = hlo_shape_element_count(operand) * hlo_type_bytes(operand->type)};
  if (shapes[2]->type != operand->type || !find_combine(question, operand->type, &p.combine)) return false;
  int64_t sizes[HLO_MAX_RANK];
  hlo_index_windows_sizes(&attributes, operand, shapes[2], sizes);
  for (int d = 0; d < operand->rank; d++)
    if (sizes[d] > operand->dims[d] && p.bytes) return false;
  hlo_index_batch_describe(instruction, &attributes, operand, sizes, shapes[1], shapes[2], &p.batch, &p.window);
  swap_sides(&p.window);
  int last = p.window.rank - 1, bytes = p.window.element_bytes;
  if (last >= 0 && p.window.in_strides[last] == bytes && p.window.out_strides[last] == bytes) p.run = p.window.dims[last];
  p.adds_elements = p.window.rank == 0 && p.combine && p.combine == hlo_elementwise_kernel_of(HLO_OP_ADD, HLO_TYPE_F32, HLO_TYPE_F32, HLO_ANY_VARIANT);
  choice->overwritable = 1;
  if (!p.combine) choice->kernel = "scatter_copies_simd128";
  p.nanoseconds = (double)hlo_shape_element_count(shapes[2]) / 2;
  p.places = p.window.rank == 0 ? 1 : places_of(&p.batch, attributes.map, sizes); /* single elements are less work than their indices */
  return HLO_RUN(question, choice, run_scatter, p);
}
