/* The header of libplaces.so, which finds out where the blocks of a kernel run. It knows nothing of green
   contexts: it launches into the stream that it is given. If a call fails, it ends the program. */
#ifndef PLACES_H
#define PLACES_H
#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The multiprocessors that ran the blocks of a kernel: how many, and for each number whether it was used. */
typedef struct {
  unsigned count;
  unsigned char used[4096];
} Places;

/* Loads the kernels from this file into the current context. */
void places_open(const char* ptx);

/* Fills so many multiprocessors with blocks, which run until they are released. The launch is cooperative: if
   they cannot all run at the same time, it fails, and its result is returned. */
CUresult places_hold(CUstream stream, unsigned multiprocessors);
void places_release(void);

/* Holds, releases, waits for the stream, and returns where the blocks ran. */
Places places_run(CUstream stream, unsigned multiprocessors);

/* Launches a kernel of one thread, which waits for nothing; and the multiprocessor that ran it. */
void places_launch_urgent(CUstream stream);
unsigned places_of_urgent(void);

/* How many multiprocessors are in both. */
unsigned places_in_common(const Places* a, const Places* b);

/* Frees what places_open() has made. The same context has to be current. */
void places_close(void);

#ifdef __cplusplus
}
#endif
#endif
