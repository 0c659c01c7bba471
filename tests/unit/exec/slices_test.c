/* Long steps in slices: a kernel is left between two units of its work, and goes on in the next slice, with the same bits. */
#include "program.h"

typedef struct case_row {
  const char *name, *entry;
  int slices; /* at least */
} case_row;

static const case_row rows[] = {
    {"dot", "x = f32[512,1024] parameter(0) y = f32[1024,512] parameter(1) ROOT r = f32[512,512] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}", 8},
    {"dot_of_a_transpose", "x = f32[1024,512] parameter(0) y = f32[1024,512] parameter(1) ROOT r = f32[512,512] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}", 8},
    {"dot_with_epilogue",
     "x = f32[512,1024] parameter(0) y = f32[1024,512] parameter(1) b = f32[512] parameter(2) d = f32[512,512] dot(x, y), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0} c = f32[512,512] broadcast(b), dimensions={1} s = f32[512,512] add(d, c) ROOT r = f32[512,512] tanh(s)", 8},
    {"batched_dot",
     "x = f32[4,256,512] parameter(0) y = f32[4,512,512] parameter(1) ROOT r = f32[4,256,512] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, "
     "lhs_contracting_dims={2}, rhs_contracting_dims={1}", 4},
    {"attention",
     "q = f32[3,1024,64] parameter(0) k = f32[3,1024,64] parameter(1) v = f32[3,1024,64] parameter(2) z = f32[] constant(0) s = f32[3,1024,1024] dot(q, k), lhs_batch_dims={0}, "
     "rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2} e = f32[3,1024,1024] exponential(s) t = f32[3,1024] reduce(e, z), dimensions={2}, to_apply=add "
     "b = f32[3,1024,1024] broadcast(t), dimensions={0,1} p = f32[3,1024,1024] divide(e, b) ROOT r = f32[3,1024,64] dot(p, v), lhs_batch_dims={0}, rhs_batch_dims={0}, "
     "lhs_contracting_dims={2}, rhs_contracting_dims={1}", 4},
    {"bf16_dot", "x = bf16[512,1024] parameter(0) y = bf16[1024,512] parameter(1) ROOT r = bf16[512,512] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}", 8},
    {"convolution", "x = f32[1,64,64,64] parameter(0) w = f32[3,3,64,128] parameter(1) ROOT r = f32[1,64,64,128] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
                    "dim_labels=b01f_01io->b01f", 8},
    {"loop_in_place", "x = f32[4194304] parameter(0) n = f32[4194304] sort(x), dimensions={0}, to_apply=less e = f32[4194304] exponential(n) "
                      "m = f32[4194304] multiply(e, n) ROOT r = f32[4194304] sine(m)", 4},
    {"fft", "x = c64[64,32768] parameter(0) ROOT r = c64[64,32768] fft(x), fft_type=FFT, fft_length={32768}", 4},
    {"fft_of_planes", "x = c64[32,256,256] parameter(0) ROOT r = c64[32,256,256] fft(x), fft_type=FFT, fft_length={256,256}", 4},
    {"sums", "x = f32[64,65536] parameter(0) z = f32[] constant(0) ROOT r = f32[64] reduce(x, z), dimensions={1}, to_apply=add", 0},
};

static const char head[] =
    "HloModule m\nless { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }\n"
    "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\nENTRY e { %s }";

/* Each question ends the slice. */
static double step_clock(hlo_host *host) {
  static double time;
  return time += 1;
}

static void check(const case_row *row) {
  hlo_host host = {.now = step_clock};
  char text[1000];
  program p;
  snprintf(text, sizeof text, head, row->entry);
  bool opened = program_open(&p, text, 0, &host);
  CHECK(opened, "%s: %s", row->name, p.status.message);
  if (opened) {
    program_fill_inputs(&p, UNIT_NUMBERS);
    CHECK(hlo_executable_run(p.planned, p.inputs, p.reference_outputs, 7, 0, &p.status), "%s: %s", row->name, p.status.message);
    int64_t work = hlo_executable_work(p.planned);
    int slices = 0;
    bool finished = false;
    CHECK(hlo_executable_begin(p.planned, p.inputs, p.planned_outputs, 7, work, &p.status), "%s: %s", row->name, p.status.message);
    for (; !finished && hlo_ok(&p.status); slices++) hlo_executable_continue(p.planned, 0.5, p.planned_outputs, &finished);
    CHECK(finished, "%s: %s", row->name, p.status.message);
    CHECK(slices >= row->slices, "%s: %d slices", row->name, slices);
    CHECK(hlo_executable_work(p.planned) == work, "%s: %lld units of work, %lld in slices", row->name, (long long)work, (long long)hlo_executable_work(p.planned));
    CHECK(program_outputs_distance(&p) == 0, "%s: other results in %d slices", row->name, slices);
    CHECK(hlo_executable_begin(p.planned, p.inputs, p.planned_outputs, 7, 0, &p.status) &&
              hlo_executable_continue(p.planned, 0.5, p.planned_outputs, &finished), "%s: %s", row->name, p.status.message);
    hlo_executable_abandon(p.planned); /* and the next run begins at the beginning */
    CHECK(program_run_planned(&p) && program_outputs_distance(&p) == 0, "%s: a run after one that was abandoned", row->name);
  }
  program_close(&p);
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&rows[i]);
  return unit_report();
}
