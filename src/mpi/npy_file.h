/* Arrays as NumPy's .npy files. */
#ifndef HLO_MPI_NPY_FILE_H
#define HLO_MPI_NPY_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "shape/shape.h"

/* Reads a whole file; the caller frees it. NULL on failure, with a message that names the file. */
char *hlo_file_read(const char *path, size_t *size, hlo_status *status);
/* Reads an array of this shape into memory in the shape's layout, of hlo_shape_array_size bytes. Messages name the file. */
bool hlo_npy_read(const char *path, const hlo_shape *shape, void *memory, hlo_status *status);
/* Writes an array from memory in the shape's layout. */
bool hlo_npy_write(const char *path, const hlo_shape *shape, const void *memory, hlo_status *status);

#endif
