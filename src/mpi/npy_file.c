/* Reading and writing .npy files, versions 1 to 3. */
#include "mpi/npy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/format.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_BYTES = 6, HEADER_MOST = 512 };

static const struct {
  hlo_type type;
  const char *dtype;
} DTYPES[] = {
    {HLO_TYPE_PRED, "|b1"}, {HLO_TYPE_S8, "|i1"},  {HLO_TYPE_S16, "<i2"}, {HLO_TYPE_S32, "<i4"}, {HLO_TYPE_S64, "<i8"},
    {HLO_TYPE_U8, "|u1"},   {HLO_TYPE_U16, "<u2"}, {HLO_TYPE_U32, "<u4"}, {HLO_TYPE_U64, "<u8"}, {HLO_TYPE_F16, "<f2"},
    {HLO_TYPE_F32, "<f4"},  {HLO_TYPE_F64, "<f8"}, {HLO_TYPE_C64, "<c8"}, {HLO_TYPE_C128, "<c16"},
};

static const char *dtype_of(hlo_type type) {
  for (size_t i = 0; i < sizeof DTYPES / sizeof DTYPES[0]; i++)
    if (DTYPES[i].type == type) return DTYPES[i].dtype;
  return NULL;
}

/* ---- Files ---- */

static bool fail_file(const char *path, const char *what, hlo_status *status) { return hlo_fail(status, HLO_INPUT, "%s: %s", path, what); }

static bool read_all(int file, char *to, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = read(file, to + done, size - done);
    if (count <= 0) return false;
    done += (size_t)count;
  }
  return true;
}

char *hlo_file_read(const char *path, size_t *size, hlo_status *status) {
  struct stat info;
  int file = open(path, O_RDONLY);
  char *bytes = NULL;
  if (file < 0 || fstat(file, &info) != 0) fail_file(path, strerror(errno), status);
  else if (!S_ISREG(info.st_mode)) fail_file(path, "it is not a file", status);
  else if (!(bytes = malloc((size_t)info.st_size + 1))) hlo_fail(status, HLO_OUT_OF_MEMORY, "%s: no memory for %lld bytes", path, (long long)info.st_size);
  else if (!read_all(file, bytes, (size_t)info.st_size)) fail_file(path, "it could not be read to its end", status);
  if (file >= 0) close(file);
  if (!hlo_ok(status)) {
    free(bytes);
    return NULL;
  }
  *size = (size_t)info.st_size;
  bytes[*size] = '\0';
  return bytes;
}

static bool write_all(int file, const void *from, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = write(file, (const char *)from + done, size - done);
    if (count <= 0) return false;
    done += (size_t)count;
  }
  return true;
}

/* ---- Reading ---- */

/* Returns the text behind a key of the header: of 'descr': '<f4' that from the quote on. NULL: there is no such key. */
static const char *value_of(const char *header, const char *key) {
  const char *found = strstr(header, key);
  if (!found) return NULL;
  found += strlen(key);
  while (*found == ' ' || *found == ':') found++;
  return found;
}

/* Reads (2, 3), (2,) or (); returns how many sizes there are, -1 if it is none of these. */
static int read_sizes(const char *text, int64_t *sizes) {
  int count = 0;
  if (!text || *text++ != '(') return -1;
  while (*text != ')') {
    int64_t size = 0;
    if (*text < '0' || *text > '9' || count == HLO_MAX_RANK) return -1;
    for (; *text >= '0' && *text <= '9'; text++) size = size < INT32_MAX ? size * 10 + (*text - '0') : size; /* no shape here has such sizes */
    sizes[count++] = size;
    while (*text == ',' || *text == ' ') text++;
  }
  return count;
}

static bool check_header(const char *path, const char *header, const hlo_shape *shape, hlo_status *status) {
  const char *dtype = dtype_of(shape->type), *given = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'");
  int64_t sizes[HLO_MAX_RANK];
  int rank = read_sizes(value_of(header, "'shape'"), sizes);
  if (!given || *given != '\'' || !order || rank < 0) return fail_file(path, "its header is not one of an .npy file", status);
  if (!dtype) return hlo_fail(status, HLO_INPUT, "%s: an .npy file cannot hold %s, but %pS is expected", path, hlo_type_name(shape->type), shape);
  given++;
  size_t length = strlen(dtype);
  bool same_type = strncmp(given + 1, dtype + 1, length - 1) == 0 && given[length] == '\'' && given[0] != '>';
  bool same = same_type && rank == shape->rank;
  for (int d = 0; same && d < rank; d++) same = sizes[d] == shape->dims[d];
  if (!same) {
    int type_length = (int)strcspn(given, "'"), shape_length = (int)strcspn(value_of(header, "'shape'"), ")") + 1;
    return hlo_fail(status, HLO_INPUT, "%s: it holds %.*s of shape %.*s, but %pS is expected", path, type_length, given, shape_length,
                    value_of(header, "'shape'"), shape);
  }
  if (*order == 'T' && rank > 1) return fail_file(path, "it is in Fortran's order; save numpy.ascontiguousarray of the array", status);
  return true;
}

static bool read_array(const char *path, const char *bytes, size_t size, const hlo_shape *shape, void *memory, hlo_status *status) {
  if (size < 12 || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0) return fail_file(path, "it is not an .npy file", status);
  const uint8_t *b = (const uint8_t *)bytes;
  size_t start = b[6] > 1 ? 12 : 10, length = b[8] | (size_t)b[9] << 8;
  if (b[6] > 1) length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
  char header[HEADER_MOST];
  if (start + length > size) return fail_file(path, "it is cut short, within its header", status);
  if (length >= sizeof header) return hlo_fail(status, HLO_INPUT, "%s: its header has %zu bytes; at most %d are read", path, length, HEADER_MOST - 1);
  memcpy(header, bytes + start, length);
  header[length] = '\0';
  if (!check_header(path, header, shape, status)) return false;
  size_t needed = (size_t)hlo_shape_dense_bytes(shape), held = size - start - length;
  if (held < needed) return hlo_fail(status, HLO_INPUT, "%s: it is cut short: %zu bytes of elements expected, %zu found", path, needed, held);
  const char *elements = bytes + start + length;
  if (!hlo_layout_is_dense(shape)) return hlo_layout_scatter(shape, elements, memory, status);
  memcpy(memory, elements, needed);
  return true;
}

bool hlo_npy_read(const char *path, const hlo_shape *shape, void *memory, hlo_status *status) {
  size_t size;
  char *bytes = hlo_file_read(path, &size, status);
  if (!bytes) return false;
  bool ok = read_array(path, bytes, size, shape, memory, status);
  free(bytes);
  return ok;
}

/* ---- Writing ---- */

static size_t write_header(const hlo_shape *shape, char *header) {
  int length = hlo_format(header, HEADER_MOST, "{'descr': '%s', 'fortran_order': False, 'shape': (", dtype_of(shape->type));
  for (int d = 0; d < shape->rank; d++)
    length += hlo_format(header + length, (size_t)(HEADER_MOST - length), d + 1 < shape->rank ? "%lld, " : shape->rank == 1 ? "%lld," : "%lld", (long long)shape->dims[d]);
  length += hlo_format(header + length, (size_t)(HEADER_MOST - length), "), }");
  while ((10 + length + 1) % 64 && length < HEADER_MOST - 2) header[length++] = ' ';
  header[length++] = '\n';
  return (size_t)length;
}

bool hlo_npy_write(const char *path, const hlo_shape *shape, const void *memory, hlo_status *status) {
  if (!dtype_of(shape->type)) return hlo_fail(status, HLO_UNSUPPORTED, "%s: an .npy file cannot hold %s", path, hlo_type_name(shape->type));
  size_t bytes = (size_t)hlo_shape_dense_bytes(shape);
  bool is_dense = hlo_layout_is_dense(shape);
  void *dense = is_dense ? NULL : malloc(bytes + 1);
  if (!is_dense && !dense) return hlo_fail(status, HLO_OUT_OF_MEMORY, "%s: out of memory", path);
  if (dense && !hlo_layout_gather(shape, memory, dense, status)) {
    free(dense);
    return false;
  }
  char header[HEADER_MOST];
  size_t length = write_header(shape, header);
  uint8_t start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)length, (uint8_t)(length >> 8)};
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  bool ok = file >= 0 && write_all(file, start, sizeof start) && write_all(file, header, length) && write_all(file, dense ? dense : memory, bytes);
  if (file >= 0) ok = close(file) == 0 && ok;
  if (!ok) fail_file(path, strerror(errno), status);
  free(dense);
  return ok;
}
