/* Random programs on both paths: what is exact agrees to the bit, what rounds within 3 ulp. */
#include "random_program.h"

int main(int argc, char **argv) {
  int first = argc > 1 ? atoi(argv[1]) : 0, count = argc > 2 ? atoi(argv[2]) : 1500;
  for (int seed = first; seed < first + count; seed++) {
    char *text = random_program((uint64_t)seed, 5 + seed % 40);
    program p;
    bool ran = program_open(&p, text, 0, NULL);
    CHECK(ran, "seed %d: %s", seed, p.status.message);
    for (int round = 0; ran && round < 2; round++) {
      program_fill_inputs(&p, WHOLE_NUMBERS);
      ran = program_run_planned(&p) && program_run_reference(&p);
      CHECK(ran, "seed %d: %s", seed, p.status.message);
      double distance = ran ? program_outputs_distance(&p) : 0;
      CHECK(distance <= 3, "seed %d, round %d: %g ulps apart\n%s", seed, round, distance, argc > 1 ? text : "");
    }
    program_close(&p);
    free(text);
  }
  return unit_report();
}
