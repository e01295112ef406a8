// SPDX-License-Identifier: MIT
// An image that a program passes as code: PTX text, a fatbin, a cubin, or a linked image of our own. Which
// kind it is, and the text in it.
//
// Images are untrusted. read_fatbin and read_linked are bounded by their span; an image that comes as a bare
// pointer states its own size, as with a real driver. Does not depend on contexts or handles.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/api.hpp"
#include "core/device.hpp"
#include "ptx/module.hpp"

namespace driver {

// PTX text, read. Shared by every module that was made of it.
struct Image {
  ptx::Module tree;
  std::string text;             // `tree` was made from it, and the process that runs kernels gets it
  unsigned most_registers = 0;  // CU_JIT_MAX_REGISTERS; 0 if not given
};

// The result of loading an image, and the texts of the logs that the caller may have asked for.
struct ImageResult {
  CUresult result = CUDA_SUCCESS;
  std::string log;
  std::string info;
  std::shared_ptr<Image> image;
};

// Alone: an undefined symbol is an error. Linked: another input of the link may define it.
enum class Completeness { Alone, Linked };

// The PTX text in an image, or why there is none.
struct ImageText {
  CUresult result = CUDA_SUCCESS;
  std::string log;
  std::string text;
  bool linked = false;   // of a link, which has applied its options already
  bool at_once = false;  // a library, too, is refused when it is loaded, and not only when it is used
};
// Reads a whole file. FILE_NOT_FOUND if there is none or it cannot be read; OUT_OF_MEMORY for a folder:
// measured for cuModuleLoad, cuLibraryLoadFromFile and cuLinkAddFile. Not with a C++ stream, which does not
// report that it had no memory.
CUresult read_file(const char* path, std::string& bytes);
ImageText find_text(const void* data, const Device& device);
ImageText find_text(std::span<const std::byte> data, const Device& device);

// For an architecture: 89 for 8.9.
ImageResult read_text(std::string text, int architecture, Completeness completeness);
ImageResult read_image(ImageText found, const Device& device);
// The error, with the reason that a load of code gives for the log.
CUresult no_code(CUresult error, const Device& device);

// The best image for the device: a linked one that it can run, or else the newest PTX that it can run.
ImageText read_fatbin(std::span<const std::byte> fatbin, const Device& device);
// A linked image (ptx/linked_image.hpp), or why it cannot be loaded: a cubin of a real compiler.
ImageText read_linked(std::span<const std::byte> image, const Device& device);

int capability_of(const Device& device);  // 89
// Machine code runs on devices with the same major number and the same minor number or a higher one.
bool machine_code_runs(int architecture, int capability);

}  // namespace driver
