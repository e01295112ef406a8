/* The header of libforeign.so: one function, which returns a pointer. It says neither which context owns the
   memory nor who frees it. */
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
