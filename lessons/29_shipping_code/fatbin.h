/* The header of libfatbin.so, which packs several images of device code into one: a fatbin. */
#ifndef FATBIN_H
#define FATBIN_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_CUBIN = 2 };

struct fatbin_image {
  enum fatbin_kind kind;
  int architecture; /* 80 for 8.0 */
  const void* bytes;
  size_t size;
};

/* The fatbin is valid until the next call. */
const void* fatbin_pack(const struct fatbin_image* images, size_t count);

#ifdef __cplusplus
}
#endif
#endif
