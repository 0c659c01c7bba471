/* Tests of SHA-256: the examples of FIPS 180-4, lengths around a block, and pieces of any length. */
#include "base/sha256.h"
#include "unit.h"

static const char *hex(const uint8_t digest[HLO_SHA256_BYTES]) {
  static char text[2 * HLO_SHA256_BYTES + 1];
  for (int i = 0; i < HLO_SHA256_BYTES; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
  return text;
}

static const char *sum_of(const char *bytes, size_t length, size_t piece) {
  hlo_sha256 sum;
  uint8_t digest[HLO_SHA256_BYTES];
  hlo_sha256_begin(&sum);
  for (size_t at = 0; at < length; at += piece) hlo_sha256_add(&sum, bytes + at, length - at < piece ? length - at : piece);
  hlo_sha256_end(&sum, digest);
  return hex(digest);
}

static void has_the_sums_of_the_standard(void) {
  static const struct { const char *text, *sum; } cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
  };
  for (int i = 0; i < COUNT(cases); i++) CHECK_TEXT(sum_of(cases[i].text, strlen(cases[i].text), 1000), cases[i].sum);
}

static void many_bytes(void) {
  static char a[1000000];
  memset(a, 'a', sizeof a);
  CHECK_TEXT(sum_of(a, sizeof a, sizeof a), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  for (size_t length = 0; length < 200; length++) {
    char whole[2 * HLO_SHA256_BYTES + 1];
    memcpy(whole, sum_of(a, length, 200), sizeof whole);
    for (size_t piece = 1; piece < 70; piece += 3) CHECK_TEXT(sum_of(a, length, piece), whole);
  }
}

int main(void) {
  has_the_sums_of_the_standard();
  many_bytes();
  return unit_report();
}
