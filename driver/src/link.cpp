// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Module Management" that link: cuLinkCreate to cuLinkDestroy.
//
// An input is read when it is added; undefined symbols are reported at the end (truth linker, steps 18 to
// 34).
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "core/call.hpp"
#include "core/code.hpp"
#include "core/jit_options.hpp"
#include "ptx/link.hpp"
#include "ptx/linked_image.hpp"
#include "ptx/parse.hpp"

using namespace driver;

namespace {

// One link: its inputs so far, and the image that it gives. Guarded by Driver's lock, exclusive.
class Link {
 public:
  Link(const Device& device, JitOptions options)
      : device_(device), architecture_(options.target_or(capability_of(device))), options_(options) {
    tell(Slots::Written);
  }

  CUresult add(CUjitInputType type, std::span<const std::byte> data, const char* name,
               const JitOptions& own) {
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t inputs = modules_.size();
    CUresult result = CUDA_SUCCESS;
    try {
      result = read(type, data, name, own);
    } catch (const std::bad_alloc&) {
      // As if it had not been added: the program may try again.
      modules_.resize(inputs);
      texts_.resize(std::min(texts_.size(), inputs));
      labels_.resize(std::min(labels_.size(), inputs));
      throw;
    }
    took_ += std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (result == CUDA_ERROR_INVALID_SOURCE || result == CUDA_ERROR_NOT_SUPPORTED) failed_ = result;
    tell(result == CUDA_SUCCESS ? Slots::Kept : Slots::Written);
    return result;
  }
  bool completed() const { return completed_; }

  CUresult complete(void*& image, std::size_t& size) {
    // A second time: measured.
    if (failed_ != CUDA_SUCCESS) return failed_;
    if (completed_) return CUDA_ERROR_INVALID_HANDLE;
    std::vector<ptx::Module> modules = modules_;
    const ptx::Module whole = ptx::link(std::move(modules)).module;
    if (const auto missing = ptx::unresolved(whole)) {
      const std::size_t open = missing->message.find('\'');
      error_ = "error   : Undefined reference to " + missing->message.substr(open) + " in '" +
               user_of(missing->message.substr(open + 1, missing->message.size() - open - 2)) + "'";
      tell(Slots::Written);
      completed_ = true;
      return failed_ = CUDA_ERROR_INVALID_SOURCE;
    }
    image_ = ptx::make_linked_image(ptx::join_units(texts_), architecture_);
    completed_ = true;
    image = image_.data();
    size = image_.size();
    tell(Slots::Written);
    return CUDA_SUCCESS;
  }

 private:
  CUresult read(CUjitInputType type, std::span<const std::byte> data, const char* name,
                const JitOptions& own) {
    ImageText found = find_text(data, device_);
    own.apply_to(found, options_);
    if (found.result != CUDA_SUCCESS) {
      error_ = found.log;
      return found.result;
    }
    if (type == CU_JIT_INPUT_NVVM) return CUDA_ERROR_NOT_SUPPORTED;
    for (const std::string_view unit : ptx::split_units(found.text)) {
      const std::string label =
          name != nullptr && *name != '\0' ? name : "Input " + std::to_string(modules_.size() + 1);
      if (const CUresult result = read_unit(std::string(unit), label)) return result;
    }
    return CUDA_SUCCESS;
  }

  CUresult read_unit(std::string text, const std::string& label) {
    const ImageResult result = read_text(text, architecture_, Completeness::Linked);
    if (!info_.empty() && !result.info.empty()) info_ += "\n";
    info_ += result.info;
    if (result.result != CUDA_SUCCESS) {
      error_ = result.log;
      return result.result;
    }
    modules_.push_back(result.image->tree);
    texts_.push_back(std::move(text));
    labels_.push_back(label);
    const ptx::LinkResult linked = ptx::link(modules_);
    if (linked.duplicates.empty()) return CUDA_SUCCESS;
    const ptx::Duplicate& twice = linked.duplicates.front();
    error_ = "error   : Multiple definition of '" + twice.name + "' in '" + labels_.at(twice.second - 1) +
             "', first defined in '" + labels_.at(twice.first - 1) + "'";
    return CUDA_ERROR_INVALID_SOURCE;
  }

  // The first input that uses what is missing.
  std::string user_of(const std::string& name) const {
    for (std::size_t i = 0; i < modules_.size(); ++i) {
      for (const ptx::Function& function : modules_[i].functions) {
        if (function.name == name) return labels_[i];
      }
      if (modules_[i].find_variable(name) != nullptr) return labels_[i];
    }
    return labels_.empty() ? "" : labels_.front();
  }

  // An H200 writes into the slots of the options at every step, even if a program has freed the array after
  // the link was made. Here they are written only when a program may read them: when the link is made, after
  // a failure, and at the end.
  enum class Slots { Kept, Written };
  void tell(Slots slots) {
    options_.write_texts(error_, info_);
    if (slots == Slots::Kept) return;
    options_.write_sizes();
    options_.write_wall_time(took_);
  }

  const Device& device_;
  const int architecture_;  // for which the image is
  JitOptions options_;
  std::vector<ptx::Module> modules_;
  std::vector<std::string> texts_, labels_;
  std::string error_, info_, image_;
  float took_ = 0;
  bool completed_ = false;
  CUresult failed_ = CUDA_SUCCESS;
};

std::map<CUlinkState, std::unique_ptr<Link>>& links() {
  static auto* all = new std::map<CUlinkState, std::unique_ptr<Link>>;  // outlives the end of the program
  return *all;
}

CUresult add(CUlinkState state, CUjitInputType type, std::span<const std::byte> data, const char* name,
             unsigned count, CUjit_option* options, void** values) {
  const Changing call;
  if (call.error) return call.error;
  const auto found = links().find(state);
  JitOptions own;  // an input has no logs of its own
  if (found == links().end() || data.empty() || type < 0 || type >= CU_JIT_NUM_INPUT_TYPES)
    return CUDA_ERROR_INVALID_VALUE;
  if (found->second->completed()) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = JitOptions::read(count, options, values, own)) return error;
  const CUresult result = found->second->add(type, data, name, own);
  return result == CUDA_ERROR_INVALID_IMAGE ? no_code(result, call.context->device()) : result;
}

}  // namespace

// cuLinkCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY,
// JIT_COMPILER_NOT_FOUND. Measured: CU_JIT_FALLBACK_STRATEGY gives 1 (jit_options, steps 30 and 33), and so
// does a target that cuda.h does not name (link_target_12345, step 4); for any other the image is made
// (link_target_75, step 8).
CUresult CUDAAPI cuLinkCreate_v2(unsigned int count, CUjit_option* options, void** values,
                                 CUlinkState* state) {
  const Changing call;
  if (call.error) return call.error;
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitOptions wanted;
  if (const CUresult error = JitOptions::read(count, options, values, wanted)) return error;
  if (wanted.has_fallback()) return CUDA_ERROR_INVALID_VALUE;
  auto link = std::make_unique<Link>(call.context->device(), wanted);
  *state = reinterpret_cast<CUlinkState>(link.get());
  links()[*state] = std::move(link);
  return CUDA_SUCCESS;
}

// cuLinkAddData. Errors: INVALID_HANDLE, INVALID_VALUE, INVALID_IMAGE, INVALID_PTX, UNSUPPORTED_PTX_VERSION,
// OUT_OF_MEMORY, NO_BINARY_FOR_GPU. Measured: what is there already gives 300 (linker, step 26), and so
// does the end then; an input with a mistake gives 218 and is left out, the others are linked. Behind the
// end nothing can be added.
CUresult CUDAAPI cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, std::size_t size,
                                  const char* name, unsigned int count, CUjit_option* options,
                                  void** values) {
  if (data == nullptr) size = 0;
  return add(state, type, {static_cast<const std::byte*>(data), size}, name, count, options, values);
}

// cuLinkAddFile. Errors: FILE_NOT_FOUND, INVALID_HANDLE, INVALID_VALUE, INVALID_IMAGE, INVALID_PTX, …
// Measured: for a destroyed link, the call fails before it looks for the file (linker, step 35).
CUresult CUDAAPI cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path,
                                  unsigned int count, CUjit_option* options, void** values) {
  {
    const Changing call;
    if (call.error) return call.error;
    if (links().count(state) == 0 || path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  }
  std::string bytes;
  if (const CUresult error = read_file(path, bytes)) return error;
  bytes += '\0';
  return add(state, type, std::as_bytes(std::span(bytes)), path, count, options, values);
}

// cuLinkComplete. Errors: INVALID_HANDLE, OUT_OF_MEMORY. Measured: an undefined symbol gives 300 (linker,
// step 20). The image is valid until the link is destroyed.
CUresult CUDAAPI cuLinkComplete(CUlinkState state, void** image, std::size_t* size) {
  const Changing call;
  if (call.error) return call.error;
  const auto found = links().find(state);
  if (found == links().end() || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::size_t bytes = 0;
  const CUresult result = found->second->complete(*image, bytes);
  if (size != nullptr && result == CUDA_SUCCESS) *size = bytes;
  return result;
}

// cuLinkDestroy. Errors: INVALID_HANDLE.
CUresult CUDAAPI cuLinkDestroy(CUlinkState state) {
  const Changing call;
  if (call.error) return call.error;
  return links().erase(state) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
