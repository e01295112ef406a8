// SPDX-License-Identifier: MIT
// Names that CUDA C++ has and these headers do not support: using one is an error with file, line and what to
// do instead. Included by the prelude; must not include anything.
#pragma once
#pragma clang system_header

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define __PTXCC_UNSUPPORTED__(name, words)       \
  template <class T = float, class... Arguments> \
  __attribute__((host, device, unavailable(words))) T name(Arguments...)
#define __PTXCC_NO_TEXTURE__(name) \
  __PTXCC_UNSUPPORTED__(name, "textures are not part of this toolkit; read linear memory by a pointer")
#define __PTXCC_NO_SURFACE__(name) \
  __PTXCC_UNSUPPORTED__(name, "surfaces are not part of this toolkit; use linear memory by a pointer")
__PTXCC_NO_TEXTURE__(tex1D);
__PTXCC_NO_TEXTURE__(tex2D);
__PTXCC_NO_TEXTURE__(tex3D);
__PTXCC_NO_TEXTURE__(tex1Dfetch);
__PTXCC_NO_TEXTURE__(tex1DLod);
__PTXCC_NO_TEXTURE__(tex2DLod);
__PTXCC_NO_TEXTURE__(tex3DLod);
__PTXCC_NO_TEXTURE__(tex1DGrad);
__PTXCC_NO_TEXTURE__(tex2DGrad);
__PTXCC_NO_TEXTURE__(tex3DGrad);
__PTXCC_NO_TEXTURE__(tex1DLayered);
__PTXCC_NO_TEXTURE__(tex2DLayered);
__PTXCC_NO_TEXTURE__(texCubemap);
__PTXCC_NO_TEXTURE__(tex2Dgather);
__PTXCC_NO_SURFACE__(surf1Dread);
__PTXCC_NO_SURFACE__(surf2Dread);
__PTXCC_NO_SURFACE__(surf3Dread);
__PTXCC_NO_SURFACE__(surf1Dwrite);
__PTXCC_NO_SURFACE__(surf2Dwrite);
__PTXCC_NO_SURFACE__(surf3Dwrite);
__PTXCC_NO_SURFACE__(surf2DLayeredread);
__PTXCC_NO_SURFACE__(surf2DLayeredwrite);
#undef __PTXCC_NO_TEXTURE__
#undef __PTXCC_NO_SURFACE__
#undef __PTXCC_UNSUPPORTED__
