/* What the makers of libforeign.so tell about it: one function. A pointer comes back, and not a word about
   the context that it belongs to, nor about who frees it. */
#ifndef FOREIGN_H
#define FOREIGN_H
#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

CUdeviceptr generate_gpu_data(void);

#ifdef __cplusplus
}
#endif
#endif
