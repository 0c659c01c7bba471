/* interpreter.run_parallel: reading the call, and running its grid on a machine of its own. */
#include "reference/custom_calls/run_parallel.h"

#include <stdlib.h>

#include "base/text_reader.h"
#include "devices/grid.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/machine/machine.h"
#include "reference/reference.h"
#include "shape/dims.h"
#include "shape/shape.h"

/* ---- Reading ---- */

bool hlo_is_parallel(const hlo_instruction *instruction) {
  return instruction->opcode == HLO_OP_CUSTOM_CALL &&
         hlo_span_is(hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text, "interpreter.run_parallel");
}

static bool refuse(const hlo_instruction *instruction, const char *reason, hlo_status *status) {
  return hlo_fail_at(status, HLO_SHAPE, &(hlo_text_place){.line = instruction->line}, "interpreter.run_parallel %s: %s",
                     instruction->name, reason);
}

/* Reads backend_config: {"replicas":2,"partitions":1,"infeeds":0} */
static bool read_grid(const hlo_instruction *instruction, hlo_parallel *p, hlo_status *status) {
  const hlo_attribute *config = hlo_instruction_attribute(instruction, HLO_ATTR_backend_config);
  hlo_status inner = {0};
  hlo_reader r;
  int64_t replicas, partitions, infeeds;
  hlo_reader_init(&r, config ? config->text.text : "", config ? config->text.length : 0, &inner);
  bool ok = hlo_reader_accept(&r, "{\"replicas\":") && hlo_reader_int(&r, &replicas) && hlo_reader_accept(&r, ",\"partitions\":") &&
            hlo_reader_int(&r, &partitions) && hlo_reader_accept(&r, ",\"infeeds\":") && hlo_reader_int(&r, &infeeds) &&
            hlo_reader_accept(&r, "}");
  ok = ok && replicas >= 1 && partitions >= 1 && replicas <= HLO_MAX_GRID_DEVICES && partitions <= HLO_MAX_GRID_DEVICES && infeeds >= 0;
  ok = ok && hlo_instruction_ints(instruction, HLO_ATTR_called_computations)->count - infeeds == replicas * partitions;
  if (!ok)
    return refuse(instruction, "backend_config must give replicas, partitions and infeeds, as many as called_computations has", status);
  p->replicas = (int)replicas;
  p->partitions = (int)partitions;
  p->infeed_count = (int)infeeds;
  return true;
}

/* Returns how many results of the call a function's root gives, where a result of shape `wanted` is next: as many as a tuple has
 * elements; -1 where the root as a whole is one result. */
static int spread_count(const hlo_shape *root, const hlo_shape *wanted) {
  return hlo_shape_is_tuple(root) && !(wanted && hlo_shape_compatible(root, wanted)) ? root->element_count : -1;
}

static const hlo_shape *part_shape(const hlo_shape *shape, bool whole, int i) {
  if (whole) return i == 0 ? shape : NULL;
  return i < shape->element_count ? shape->elements[i] : NULL;
}

static bool check_results(const hlo_parallel *p, const hlo_instruction *instruction, hlo_status *status) {
  bool whole = !hlo_shape_is_tuple(instruction->shape);
  int next = 0;
  for (int d = 0; d < p->replicas * p->partitions; d++) {
    const hlo_shape *root = hlo_computation_root(p->programs[d])->shape;
    int spread = spread_count(root, part_shape(instruction->shape, whole, next));
    for (int i = 0; i < abs(spread); i++, next++) {
      const hlo_shape *place = part_shape(instruction->shape, whole, next);
      if (!place || !hlo_shape_compatible(spread < 0 ? root : root->elements[i], place))
        return refuse(instruction, "its result is not the results of the programs, in order", status);
    }
  }
  return part_shape(instruction->shape, whole, next) == NULL || refuse(instruction, "it has more results than the programs give", status);
}

static bool check_operands(const hlo_parallel *p, const hlo_computation *computation, const hlo_instruction *instruction,
                           hlo_status *status) {
  int next = 0;
  for (int d = 0; d < p->replicas * p->partitions; d++)
    for (int i = 0; i < p->programs[d]->parameter_count; i++, next++) {
      const hlo_shape *parameter = p->programs[d]->instructions[p->programs[d]->parameters[i]]->shape;
      if (next >= instruction->operand_count || !hlo_shape_compatible(parameter, hlo_operand(computation, instruction, next)->shape))
        return refuse(instruction, "its operands are not the parameters of the programs, in order", status);
    }
  return next == instruction->operand_count || refuse(instruction, "it has more operands than the programs take", status);
}

bool hlo_parallel_read(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                       hlo_arena *arena, hlo_parallel *p, hlo_status *status) {
  hlo_ints called = *hlo_instruction_ints(instruction, HLO_ATTR_called_computations);
  if (!read_grid(instruction, p, status)) return false;
  p->programs = hlo_arena_many(arena, const hlo_computation *, called.count, status);
  if (!p->programs) return false;
  for (int i = 0; i < called.count; i++) p->programs[i] = module->computations[called.data[i]];
  p->infeeds = p->programs + p->replicas * p->partitions;
  for (int i = 0; i < p->infeed_count; i++)
    if (p->infeeds[i]->parameter_count) return refuse(instruction, "functions that feed the infeed queue take no parameters", status);
  return check_operands(p, computation, instruction, status) && check_results(p, instruction, status);
}

void hlo_parallel_gather(const hlo_parallel *p, hlo_literal *const *results, hlo_literal *result) {
  bool whole = !hlo_shape_is_tuple(result->shape);
  int next = 0;
  for (int d = 0; d < p->replicas * p->partitions; d++) {
    int spread = spread_count(results[d]->shape, part_shape(result->shape, whole, next));
    for (int i = 0; i < abs(spread); i++, next++)
      hlo_literal_assign(whole ? result : result->elements[next], spread < 0 ? results[d] : results[d]->elements[i]);
  }
}

/* ---- The host inside ---- */

/* The result of an infeed function, an array or a tuple, is one value of the queue. */
static bool queue_infeed(hlo_host *host, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status) {
  hlo_queue_host *queue = (hlo_queue_host *)host;
  if (!queue->count) return queue->outer->infeed(queue->outer, shape, value, empty, status);
  *empty = queue->next == queue->count;
  if (*empty) return true;
  hlo_literal *next = queue->values[queue->next++];
  bool one = hlo_shape_is_tuple(shape) && shape->element_count == 1 && hlo_shape_compatible(shape->elements[0], next->shape);
  if (!one && !hlo_shape_compatible(shape, next->shape))
    return hlo_fail(status, HLO_INPUT, "infeed: expected %pS, the queue holds %pS", shape, next->shape);
  hlo_literal_assign(one ? value->elements[0] : value, next);
  return true;
}

void hlo_queue_host_init(hlo_queue_host *queue, hlo_host *outer, hlo_literal *const *values, int count) {
  *queue = (hlo_queue_host){.host = *outer, .outer = outer, .values = values, .count = count};
  queue->host.checks = 0;
  if (count || outer->infeed) queue->host.infeed = queue_infeed;
}

/* ---- Running ---- */

static bool run_grid(const hlo_parallel *p, hlo_evaluation *e, hlo_host *outer, const hlo_literal *const *operands,
                     hlo_literal *result, hlo_arena *arena) {
  int devices = p->replicas * p->partitions;
  hlo_literal **fed = hlo_arena_many(arena, hlo_literal *, p->infeed_count, e->status);
  hlo_literal **results = hlo_arena_many(arena, hlo_literal *, devices, e->status);
  if (!fed || !results) return false;
  hlo_queue_host queue;
  hlo_queue_host_init(&queue, outer, fed, p->infeed_count);
  hlo_run_options options = {.replicas = 1, .partitions = 1, .seed = e->rng_state ? e->rng_state[0] : 0, .host = outer,
                             .work = e->work};
  for (int i = 0; i < p->infeed_count; i++) {
    options.programs = &p->infeeds[i];
    if (!hlo_reference_run(e->module, &options, NULL, arena, &fed[i], e->status)) return false;
  }
  options.host = &queue.host;
  options.replicas = p->replicas;
  options.partitions = p->partitions;
  options.programs = p->programs;
  if (!hlo_reference_run(e->module, &options, operands, arena, results, e->status)) return false;
  outer->checks += queue.host.checks;
  hlo_parallel_gather(p, results, result);
  return true;
}

bool hlo_builtin_run_parallel(hlo_evaluation *evaluation, const hlo_instruction *instruction, const hlo_literal *const *operands,
                                hlo_literal *result) {
  hlo_host alone = {0}, *outer = evaluation->host ? evaluation->host : &alone;
  hlo_parallel parallel = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  bool ok = hlo_parallel_read(evaluation->module, evaluation->computation, instruction, &arena, &parallel, evaluation->status) &&
            run_grid(&parallel, evaluation, outer, operands, result, &arena);
  hlo_arena_free(&arena);
  return ok;
}
