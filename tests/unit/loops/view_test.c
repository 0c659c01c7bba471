/* Views through random chains of instructions that move elements: reading through them gives the elements that the reference moves. */
#include "loops/view.h"

#include "program.h"

enum { RANK = 4, LENGTH = 6, MOST_ELEMENTS = 4000 };

typedef struct moved {
  int rank;
  int64_t dims[RANK];
} moved;

static int64_t elements_of(const moved *v) {
  int64_t count = 1;
  for (int d = 0; d < v->rank; d++) count *= v->dims[d];
  return count;
}

static void put_shape(char *text, const moved *v) {
  sprintf(text + strlen(text), "s32[");
  for (int d = 0; d < v->rank; d++) sprintf(text + strlen(text), "%s%d", d ? "," : "", (int)v->dims[d]);
  strcat(text, "]");
}

static void put_dims(char *text, const int *dims, int count) {
  strcat(text, ", dimensions={");
  for (int d = 0; d < count; d++) sprintf(text + strlen(text), "%s%d", d ? "," : "", dims[d]);
  strcat(text, "}");
}

/* Each function makes an instruction: it changes the shape to that of the result, and writes the text after the operand. */
static moved slice(char *rest, moved v) {
  strcpy(rest, ", slice={");
  for (int d = 0; d < v.rank; d++) {
    int start = random_below((int)v.dims[d]), limit = start + 1 + random_below((int)v.dims[d] - start), stride = 1 + random_below(2);
    if (random_below(2)) start = 0, limit = (int)v.dims[d], stride = 1;
    sprintf(rest + strlen(rest), "%s[%d:%d:%d]", d ? "," : "", start, limit, stride);
    v.dims[d] = (limit - start + stride - 1) / stride;
  }
  strcat(rest, "}");
  return v;
}

static moved reverse(char *rest, moved v) {
  int dims[RANK], count = 0;
  for (int d = 0; d < v.rank; d++)
    if (random_below(2)) dims[count++] = d;
  put_dims(rest, dims, count);
  return v;
}

static moved transpose(char *rest, moved v) {
  int order[RANK] = {0, 1, 2, 3};
  moved to = v;
  for (int d = 0; d < v.rank; d++) {
    int other = random_below(v.rank), kept = order[d];
    order[d] = order[other], order[other] = kept;
  }
  for (int d = 0; d < v.rank; d++) to.dims[d] = v.dims[order[d]];
  put_dims(rest, order, v.rank);
  return to;
}

static moved broadcast(char *rest, moved v) {
  int kept[RANK], count = 0;
  moved to = {0};
  for (int d = 0; d < v.rank; d++) {
    if (to.rank + v.rank - d < RANK && random_below(2)) to.dims[to.rank++] = 1 + random_below(3);
    kept[count++] = to.rank;
    to.dims[to.rank++] = v.dims[d];
  }
  if (to.rank < RANK && random_below(2)) to.dims[to.rank++] = 1 + random_below(3);
  put_dims(rest, kept, count);
  return to;
}

static moved reshape(char *rest, moved v) {
  int64_t left = elements_of(&v);
  moved to = {0};
  while (to.rank < RANK - 1) {
    int64_t size = 1 + random_below(6);
    if (left % size == 0) to.dims[to.rank++] = size, left /= size;
    else if (random_below(3) == 0) break;
  }
  to.dims[to.rank++] = left;
  return to;
}

static moved (*const ops[])(char *, moved) = {slice, reverse, transpose, broadcast, reshape};
static const char *const names[] = {"slice", "reverse", "transpose", "broadcast", "reshape"};

static int write_chain(char *text) {
  char shapes[1024] = "", values[256] = "";
  moved v = {.rank = 1 + random_below(RANK)};
  for (int d = 0; d < v.rank; d++) v.dims[d] = 1 + random_below(6);
  strcpy(text, "HloModule m\nENTRY e {\n  v0 = ");
  put_shape(text, &v);
  strcat(text, " parameter(0)\n");
  int count = 0;
  for (;;) {
    sprintf(values + strlen(values), "%sv%d", count ? ", " : "", count);
    if (count) strcat(shapes, ", ");
    put_shape(shapes, &v);
    if (count == LENGTH) break;
    char rest[256] = "";
    int op = random_below(5);
    moved to = ops[op](rest, v);
    if (elements_of(&to) > MOST_ELEMENTS) break;
    v = to;
    sprintf(text + strlen(text), "  v%d = ", ++count);
    put_shape(text, &v);
    sprintf(text + strlen(text), " %s(v%d)%s\n", names[op], count - 1, rest);
  }
  sprintf(text + strlen(text), "  ROOT r = (%s) tuple(%s)\n}\n", shapes, values);
  return count;
}

/* How many instructions the view of value `last` leads through. */
static int check_view(const program *p, const char *text, int last) {
  const hlo_computation *c = hlo_module_entry(p->module);
  const hlo_instruction *i = c->instructions[last];
  hlo_view view;
  hlo_strides s;
  hlo_view_start(&view, i->shape, i->shape);
  hlo_view before = view;
  while (hlo_is_view(c, i) && hlo_view_through(&view, c, i)) {
    i = c->instructions[i->operands[0]];
    before = view;
  }
  hlo_view_strides(&before, &s);
  const int32_t *read = p->reference_outputs[0].leaves[last], *source = p->reference_outputs[0].leaves[i->index];
  int64_t count = hlo_shape_element_count(c->instructions[last]->shape), elements = hlo_shape_element_count(i->shape);
  bool same = true;
  for (int64_t n = 0; n < count && same; n++) {
    int64_t at = s.offset, rest = n;
    for (int t = s.count - 1; t >= 0; t--) {
      at += rest % s.sizes[t] * s.strides[t];
      rest /= s.sizes[t];
    }
    same = rest == 0 && at >= 0 && at < elements && read[n] == source[at];
  }
  CHECK(same, "v%d read from v%d in\n%s", last, i->index, text);
  return last - i->index;
}

int main(int argc, char **argv) {
  int chains = argc > 1 ? atoi(argv[1]) : 400, instructions = 0, gone = 0;
  char text[8192];
  for (int n = 0; n < chains; n++) {
    int length = write_chain(text);
    program p;
    bool ran = program_open(&p, text, 0, NULL);
    CHECK(ran, "%s\n%s", p.status.message, text);
    for (int64_t k = 0; ran && k < hlo_shape_element_count(hlo_module_entry(p.module)->instructions[0]->shape); k++)
      ((int32_t *)p.inputs[0].leaves[0])[k] = (int32_t)k;
    ran = ran && program_run_reference(&p);
    for (int last = 1; ran && last <= length; last++) {
      instructions += last;
      gone += check_view(&p, text, last);
    }
    program_close(&p);
  }
  printf("views go through %d of %d instructions\n", gone, instructions);
  CHECK(gone > instructions / 2, "%d of %d", gone, instructions);
  return unit_report();
}
