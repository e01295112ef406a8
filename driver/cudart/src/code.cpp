// SPDX-License-Identifier: MIT
// Images, kernels and variables, found by their addresses in the program.
//
// Registering happens while programs start, before main and without a driver, so it only takes notes. The
// tables are never destroyed: a program's last destructors may still launch.
#include "code.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace cudart {

struct Managed {
  void** host;
  std::string name;
};

struct Image {
  const void* wrapper = nullptr;
  std::mutex loading;
  CUlibrary library = nullptr;
  std::vector<Managed> managed;
};

namespace {

struct Kernel {
  Image* image = nullptr;
  std::string name;
  std::atomic<CUkernel> handle = nullptr;
};

struct Variable {
  Image* image = nullptr;
  std::string name;
  std::size_t size = 0;
  bool managed = false;
};

struct Tables {
  std::shared_mutex mutex;
  std::unordered_map<const void*, Kernel> kernels;
  std::unordered_map<const void*, Variable> variables;
};

Tables& tables() {
  static auto* const all = new Tables;
  return *all;
}

CUresult library_of(Image& image, CUlibrary& library) {
  const std::lock_guard lock(image.loading);
  if (image.library == nullptr) {
    const CUresult error =
        cuLibraryLoadData(&image.library, image.wrapper, nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (error != CUDA_SUCCESS) return error;
  }
  library = image.library;
  return CUDA_SUCCESS;
}

// A static variable's name in the PTX is its plain one (ptxcc), and clang registers it as _ZL3sum.
const char* plain_name(const std::string& name) {
  const std::size_t digits = name.starts_with("_ZL") ? 3 : name.size();
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), length);
  const auto begin = static_cast<std::size_t>(end - name.data());
  return error == std::errc() && length == name.size() - begin ? name.c_str() + begin : "";
}

using FindVariable = CUresult (*)(CUdeviceptr* address, std::size_t* size, CUlibrary library,
                                  const char* name);
CUresult find_named(FindVariable find, CUlibrary library, const std::string& name, CUdeviceptr& address,
                    std::size_t& size) {
  const CUresult error = find(&address, &size, library, name.c_str());
  const char* const plain = error == CUDA_ERROR_NOT_FOUND ? plain_name(name) : "";
  return *plain == '\0' ? error : find(&address, &size, library, plain);
}

}  // namespace

Image* register_image(const void* wrapper) {
  auto* const image = new Image;
  image->wrapper = wrapper;
  return image;
}

void unregister_image(Image* image) {
  Tables& all = tables();
  {
    const std::lock_guard lock(all.mutex);
    std::erase_if(all.kernels, [&](const auto& entry) { return entry.second.image == image; });
    std::erase_if(all.variables, [&](const auto& entry) { return entry.second.image == image; });
  }
  if (image->library != nullptr) cuLibraryUnload(image->library);
  delete image;
}

void register_kernel(Image* image, const void* host, const char* name) {
  Tables& all = tables();
  const std::lock_guard lock(all.mutex);
  Kernel& kernel = all.kernels[host];
  kernel.image = image;
  kernel.name = name;
}

void register_variable(Image* image, const void* host, const char* name, std::size_t size) {
  Tables& all = tables();
  const std::lock_guard lock(all.mutex);
  all.variables[host] = {.image = image, .name = name, .size = size, .managed = false};
}

void register_managed(Image* image, void** host, const char* name, std::size_t size) {
  Tables& all = tables();
  const std::lock_guard lock(all.mutex);
  all.variables[host] = {.image = image, .name = name, .size = size, .managed = true};
  image->managed.push_back({.host = host, .name = name});
}

CUresult load_managed(Image* image) {
  CUlibrary library = nullptr;
  if (image->managed.empty()) return CUDA_SUCCESS;
  if (const CUresult error = library_of(*image, library)) return error;
  for (const Managed& variable : image->managed) {
    CUdeviceptr address = 0;
    std::size_t size = 0;
    const CUresult error = find_named(cuLibraryGetManaged, library, variable.name, address, size);
    if (error == CUDA_ERROR_NOT_FOUND) continue;  // no kernel uses it, so that it is the host's alone
    if (error != CUDA_SUCCESS) return error;
    *variable.host = reinterpret_cast<void*>(address);
  }
  return CUDA_SUCCESS;
}

void know_kernel(CUkernel kernel) {
  Tables& all = tables();
  const std::lock_guard lock(all.mutex);
  all.kernels[kernel].handle = kernel;
}

CUresult find_kernel(const void* host, CUkernel& kernel) {
  Tables& all = tables();
  const std::shared_lock lock(all.mutex);
  const auto found = all.kernels.find(host);
  if (found == all.kernels.end()) return kInvalidDeviceFunction;
  Kernel& entry = found->second;
  kernel = entry.handle.load(std::memory_order_acquire);
  if (kernel != nullptr) return CUDA_SUCCESS;
  CUlibrary library = nullptr;
  if (const CUresult error = library_of(*entry.image, library)) return error;
  if (const CUresult error = cuLibraryGetKernel(&kernel, library, entry.name.c_str()))
    return error == CUDA_ERROR_NOT_FOUND ? kInvalidDeviceFunction : error;
  entry.handle.store(kernel, std::memory_order_release);
  return CUDA_SUCCESS;
}

bool is_registered(const void* host) {
  Tables& all = tables();
  const std::shared_lock lock(all.mutex);
  return host == nullptr || all.kernels.contains(host);
}

const void* host_of(CUkernel kernel) {
  Tables& all = tables();
  const std::shared_lock lock(all.mutex);
  const void* known = nullptr;
  for (const auto& [host, entry] : all.kernels) {
    if (kernel == nullptr || entry.handle != kernel) continue;
    if (entry.image != nullptr) return host;
    known = host;
  }
  return known;
}

CUresult find_function(const void* host, CUfunction& function) {
  CUkernel kernel = nullptr;
  if (const CUresult error = find_kernel(host, kernel)) return error;
  return cuKernelGetFunction(&function, kernel);
}

CUresult find_variable(const void* host, CUdeviceptr& address, std::size_t& size) {
  Tables& all = tables();
  const std::shared_lock lock(all.mutex);
  auto found = all.variables.find(host);
  if (found == all.variables.end()) {
    // The address of a managed variable is where it really lies.
    found = std::ranges::find_if(all.variables, [&](const auto& entry) {
      return entry.second.managed && *static_cast<void* const*>(entry.first) == host;
    });
  }
  if (found == all.variables.end()) return kInvalidSymbol;
  const Variable& entry = found->second;
  CUlibrary library = nullptr;
  if (const CUresult error = library_of(*entry.image, library)) return error;
  const CUresult error = find_named(entry.managed ? cuLibraryGetManaged : cuLibraryGetGlobal, library,
                                    entry.name, address, size);
  return error == CUDA_ERROR_NOT_FOUND ? kInvalidSymbol : error;
}

CUresult find_part(const void* symbol, std::size_t size, std::size_t offset, void*& part) {
  CUdeviceptr address = 0;
  std::size_t whole = 0;
  if (const CUresult error = find_variable(symbol, address, whole)) return error;
  if (offset > whole || size > whole - offset) return CUDA_ERROR_INVALID_VALUE;
  part = reinterpret_cast<void*>(address + offset);
  return CUDA_SUCCESS;
}

}  // namespace cudart
