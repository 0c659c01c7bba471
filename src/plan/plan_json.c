/* The plan as JSON, for people and for executable.plan. */
#include "base/status.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/fused_loop.h"
#include "loops/fused_loop_call.h"
#include "plan/plan.h"
#include "plan/step_cost.h"
#include "shape/constant_uses.h"
#include "shape/shape.h"

static void write_name(hlo_writer *writer, const char *key, const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  hlo_write_format(writer, "\"%s\":", key);
  hlo_write_json(writer, text, length);
}

static void write_place(hlo_writer *writer, const hlo_plan_place *place) {
  static const char *const names[] = {[HLO_PLACE_WORKSPACE] = "workspace", [HLO_PLACE_CONSTANT] = "constant",
                                      [HLO_PLACE_ARGUMENT] = "argument", [HLO_PLACE_NONE] = "none", [HLO_PLACE_RESULT] = "result",
                                      [HLO_PLACE_VIEW] = "view"};
  hlo_write_format(writer, "{\"kind\":\"%s\"", names[place->kind]);
  if (place->kind != HLO_PLACE_NONE && place->kind != HLO_PLACE_CONSTANT) hlo_write_format(writer, ",\"offset\":%lld", (long long)place->offset);
  hlo_write_format(writer, ",\"bytes\":%lld}", (long long)place->bytes);
}

static void write_places(hlo_writer *writer, const char *key, const hlo_plan_place *places, int count) {
  hlo_write_format(writer, ",\"%s\":[", key);
  for (int i = 0; i < count; i++) {
    if (i) hlo_write(writer, ",");
    write_place(writer, &places[i]);
  }
  hlo_write(writer, "]");
}

static void write_moves(hlo_writer *writer, const char *key, const hlo_plan_move *moves, int count) {
  if (count == 0) return;
  hlo_write_format(writer, ",\"%s\":[", key);
  for (int i = 0; i < count; i++) {
    hlo_write(writer, i ? ",[" : "[");
    write_place(writer, &moves[i].from);
    hlo_write(writer, ",");
    write_place(writer, &moves[i].to);
    hlo_write(writer, "]");
  }
  hlo_write(writer, "]");
}

static void write_shape(hlo_writer *writer, const hlo_shape *shape) {
  hlo_writer text;
  hlo_writer_init(&text, writer->status);
  hlo_shape_write(&text, shape, false);
  hlo_write(writer, ",\"shape\":");
  hlo_write_json(writer, text.text ? text.text : "", text.length);
  hlo_writer_free(&text);
}

/* Writes the names of a fusion's ops, in order. */
static void write_ops(hlo_writer *writer, const hlo_computation *computation) {
  bool first = true;
  hlo_write(writer, ",\"ops\":[");
  for (int i = 0; i < computation->instruction_count; i++) {
    hlo_opcode opcode = computation->instructions[i]->opcode;
    if (opcode == HLO_OP_PARAMETER || opcode == HLO_OP_CONSTANT || opcode == HLO_OP_TUPLE) continue;
    hlo_write_format(writer, "%s\"%s\"", first ? "" : ",", hlo_op_name(opcode));
    first = false;
  }
  hlo_write(writer, "]");
}

static void write_step(hlo_writer *writer, const hlo_plan *plan, const hlo_routine *routine, const hlo_step *step, int index) {
  hlo_write_format(writer, "{\"index\":%d,", index);
  write_name(writer, "op", hlo_op_name(step->instruction->opcode));
  hlo_write(writer, ",");
  write_name(writer, "name", step->instruction->name);
  hlo_write(writer, ",");
  write_name(writer, "kernel", step->kernel);
  if (step->kind == HLO_STEP_KERNEL && step->covered_count == 0 && step->instruction->opcode == HLO_OP_FUSION) {
    const hlo_fused_loop_step *loop = step->parameters;
    write_ops(writer, hlo_instruction_computation(plan->module, step->instruction, HLO_ATTR_calls));
    hlo_write_format(writer, ",\"emitted\":%s", loop->function == hlo_fused_loop_run ? "false" : "true");
  }
  write_shape(writer, step->instruction->shape);
  hlo_write_format(writer, ",\"flops\":%lld,\"bytes\":%lld",
                   (long long)hlo_step_flops(plan->module, routine->computation, step), (long long)hlo_step_bytes(step));
  if (step->literals) {
    write_places(writer, "leaves", step->literals->places, step->literals->leaf_count);
  } else {
    write_places(writer, "operands", step->operands, step->operand_count);
    hlo_write(writer, ",\"result\":");
    write_place(writer, &step->result);
  }
  if (step->scratch.kind != HLO_PLACE_NONE) {
    hlo_write(writer, ",\"scratch\":");
    write_place(writer, &step->scratch);
  }
  if (step->kind == HLO_STEP_CALL) {
    hlo_write(writer, ",");
    write_name(writer, "calls", plan->routines[step->routine].computation->name);
    write_moves(writer, "before", step->before, step->before_count);
    write_moves(writer, "after", step->after, step->after_count);
  }
  if (step->loop) hlo_write_format(writer, ",\"emitted\":%s", step->loop->function ? "true" : "false");
  for (int i = 0; i < step->target_count; i++) hlo_write_format(writer, "%s%d", i ? "," : ",\"targets\":[", step->targets[i]);
  hlo_write(writer, step->target_count ? "]}" : "}");
}

void hlo_plan_write_json(const hlo_plan *plan, hlo_writer *writer) {
  hlo_write_format(writer, "{\"workspace_bytes\":%lld,\"packed_bytes\":%lld,\"routines\":[", (long long)plan->workspace_bytes,
                   (long long)(plan->packed_bytes + (int64_t)hlo_constant_uses_packed_bytes(&plan->constants)));
  for (int r = 0; r < plan->routine_count; r++) {
    const hlo_routine *routine = &plan->routines[r];
    hlo_write(writer, r ? ",{" : "{");
    write_name(writer, "name", routine->computation->name);
    hlo_write_format(writer, ",\"offset\":%lld,\"bytes\":%lld,\"steps\":[", (long long)routine->offset, (long long)routine->bytes);
    for (int s = 0; s < routine->step_count; s++) {
      if (s) hlo_write(writer, ",");
      write_step(writer, plan, routine, &routine->steps[s], s);
    }
    hlo_write(writer, "]}");
  }
  hlo_write(writer, "]}");
}
