/* HLO_SMALL: a function that runs once for many elements, in a folder that is built fast (CMakeLists.txt). It is built small and stays a
 * function of its own. */
#ifndef HLO_BASE_BUILT_SMALL_H
#define HLO_BASE_BUILT_SMALL_H

#ifdef __wasm__
#define HLO_SMALL __attribute__((minsize, noinline))
#else
#define HLO_SMALL
#endif

#endif
