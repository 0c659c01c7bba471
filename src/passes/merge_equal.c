/* Replaces an instruction by an earlier one that gives the same value. Operands of commutative ops may be exchanged. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* Literals of up to so many bytes are compared by their bytes, larger ones by address. */
enum { SMALL_LITERAL = 256 };

typedef struct seen {
  int capacity; /* a power of two */
  int *values;  /* 0: free, else 1 + index */
} seen;

static const hlo_literal *large_literal(const hlo_instruction *i) {
  if (i->opcode != HLO_OP_CONSTANT) return NULL;
  const hlo_literal *literal = hlo_instruction_attribute(i, HLO_ATTR_literal)->literal;
  return hlo_shape_is_array(i->shape) && hlo_literal_bytes(literal) > SMALL_LITERAL ? literal : NULL;
}

static uint64_t hash(const hlo_instruction *i) {
  const hlo_literal *large = large_literal(i);
  if (large) return (uint64_t)(uintptr_t)hlo_literal_identity(large) * 0x9e3779b97f4a7c15 >> 32;
  uint64_t h = hlo_instruction_hash(i);
  return h ^ h >> 32;
}

static bool equal(const hlo_instruction *a, const hlo_instruction *b) {
  const hlo_literal *x = large_literal(a), *y = large_literal(b);
  if (x || y) return x && y && hlo_literal_identity(x) == hlo_literal_identity(y) && hlo_shape_equal(a->shape, b->shape);
  return hlo_instruction_equal(a, b);
}

static seen *table_of(hlo_rewriter *r) {
  if (r->state) return r->state;
  seen *table = hlo_arena_new(r->scratch, seen, r->status);
  if (!table) return NULL;
  for (table->capacity = 16; table->capacity < 2 * r->from->instruction_count;) table->capacity *= 2;
  table->values = hlo_arena_many(r->scratch, int, table->capacity, r->status);
  return table->values ? r->state = table : NULL;
}

int hlo_merge_equal(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_PARAMETER || !hlo_is_pure(r, i) || hlo_op_has(i->opcode, HLO_FLAG_FRAMES)) return HLO_KEEP;
  if (hlo_instruction_attribute(i, HLO_ATTR_control_predecessors)) return HLO_KEEP;
  seen *table = table_of(r);
  if (!table) return HLO_KEEP;
  hlo_instruction asked = *i;
  int ordered[2];
  if (hlo_op_has(i->opcode, HLO_FLAG_COMMUTATIVE) && i->operand_count == 2 && i->operands[0] > i->operands[1]) {
    ordered[0] = i->operands[1];
    ordered[1] = i->operands[0];
    asked.operands = ordered;
  }
  for (uint64_t slot = hash(&asked);; slot++) {
    int *value = &table->values[slot & (uint64_t)(table->capacity - 1)];
    if (*value == 0) {
      *value = i->index + 1;
      return HLO_KEEP;
    }
    hlo_instruction other = *hlo_rewriter_value(r, *value - 1);
    int exchanged[2];
    if (asked.operands == ordered && other.opcode == i->opcode && other.operands[0] > other.operands[1]) {
      exchanged[0] = other.operands[1];
      exchanged[1] = other.operands[0];
      other.operands = exchanged;
    }
    if (equal(&asked, &other)) return *value - 1;
  }
}
