/* Packs images as NVIDIA's tool fatbinary does without compression: one header for all, then for each image a
   header of its own and its bytes. No manual describes these headers, so programs for users should have the
   tool make them. Here you can see what the driver looks at: the kind and the architecture of each image. */
#include "fatbin.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct top {
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size; /* of all that follows */
};

struct header {
  uint16_t kind, version;
  uint32_t header_size;
  uint64_t size; /* of the bytes, a multiple of 8 */
  uint32_t compressed_size, options;
  uint16_t minor, major; /* of the format: PTX 7.0, cubin 1.8 */
  uint32_t architecture;
  uint64_t name, flags, unknown, uncompressed_size;
  uint64_t options_end[2]; /* of PTX only */
};

static const struct header ptx = {1, 0x101, 80, 0, 0, 64, 0, 7, 0, 0, 0x11, 0, 0, {72, 0}};
static const struct header cubin = {2, 0x101, 64, 0, 0, 0, 8, 1, 0, 0, 0x11, 0, 0, {0, 0}};

const void* fatbin_pack(const struct fatbin_image* images, size_t count) {
  static char* packed = NULL;
  size_t room = sizeof(struct top), end = room;
  for (size_t i = 0; i < count; ++i) room += sizeof(struct header) + images[i].size + 8;
  free(packed);
  packed = calloc(room, 1);
  if (packed == NULL) abort();
  for (size_t i = 0; i < count; ++i) {
    struct header header = images[i].kind == FATBIN_PTX ? ptx : cubin;
    header.size = (images[i].size + 7) / 8 * 8;
    header.architecture = (uint32_t)images[i].architecture;
    memcpy(packed + end, &header, header.header_size);
    memcpy(packed + end + header.header_size, images[i].bytes, images[i].size);
    end += header.header_size + header.size;
  }
  const struct top top = {0xBA55ED50, 1, sizeof(struct top), end - sizeof(struct top)};
  memcpy(packed, &top, sizeof top);
  return packed;
}
