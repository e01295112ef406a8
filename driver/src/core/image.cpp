// SPDX-License-Identifier: MIT
// See image.hpp: recognises kinds of images and unpacks them, and checks PTX as a driver of CUDA 13.0 does.
#include "core/image.hpp"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "ptx/interpret.hpp"
#include "ptx/linked_image.hpp"
#include "ptx/parse.hpp"

namespace driver {
namespace {

// As the real loader words it (truth module_bad_images, steps 5 to 22).
constexpr const char* kNoFormat = "error   : Binary format for key='0', ident='' is not recognized";
constexpr std::uint32_t kWrapperMagic = 0x466243B1, kFatbinMagic = 0xBA55ED50;
constexpr std::uint64_t kMostText = std::uint64_t{1} << 30;

template <typename Value>
Value field(std::span<const std::byte> bytes, std::size_t offset) {
  Value value{};
  if (offset + sizeof(Value) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(Value));
  return value;
}

ImageText refused(CUresult result, std::string log = {}) {
  return {result, std::move(log), {}};
}

bool looks_like_ptx(std::string_view text) {
  // Comments and blanks may come first; then ".version" must.
  for (std::size_t at = 0; at < text.size();) {
    if (std::strchr(" \t\r\n", text[at]) != nullptr && text[at] != '\0') {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) return false;
      at = end + 2;
    } else {
      return text.substr(at, 8) == ".version";
    }
  }
  return false;
}

ImageText plain_text(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  if (!looks_like_ptx(text)) return refused(CUDA_ERROR_INVALID_IMAGE, kNoFormat);
  return {CUDA_SUCCESS, {}, std::string(text)};
}

bool is_elf(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(),
                                          "\x7f"
                                          "ELF",
                                          4) == 0;
}

// CUDA_FORCE_PTX_JIT or CUDA_FORCE_JIT is 1: of a fatbin only PTX is taken (truth
// cubin_and_ptx_as_the_tool_writes_it_CUDA_FORCE_PTX_JIT, steps 15 to 45).
bool is_ptx_forced() {
  const auto is_one = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && std::string_view(value) == "1";
  };
  return is_one("CUDA_FORCE_PTX_JIT") || is_one("CUDA_FORCE_JIT");
}

bool is_linked(std::span<const std::byte> elf) {
  return std::memcmp(elf.data() + ptx::kLinkedMark, "DLab", 4) == 0;
}

struct Entry {  // of a fatbin
  std::uint16_t kind = 0;
  std::uint32_t arch = 0;
  std::uint64_t flags = 0, unpacked = 0;
  std::span<const std::byte> payload;
};

bool unpack(const Entry& entry, std::string& text) {
  constexpr std::uint64_t kLz4Flag = 0x2000, kZstdFlag = 0x8000;
  const char* packed = reinterpret_cast<const char*>(entry.payload.data());
  if ((entry.flags & (kLz4Flag | kZstdFlag)) == 0) {
    text.assign(packed, entry.payload.size());
    return true;
  }
  // No more than the format can pack so small, so that a short image does not ask for a gigabyte: a block of
  // zstd has at least 4 bytes for 128 KiB, LZ4 at least a byte for 255.
  const std::uint64_t packed_bytes = entry.payload.size();
  const std::uint64_t most =
      (entry.flags & kZstdFlag) != 0 ? (packed_bytes / 4 + 1) << 17 : packed_bytes * 255;
  if (entry.unpacked == 0 || entry.unpacked > std::min(most, kMostText) || packed_bytes > kMostText)
    return false;
  text.resize(entry.unpacked);
  if ((entry.flags & kZstdFlag) != 0) {
    return ZSTD_decompress(text.data(), text.size(), packed, entry.payload.size()) == text.size();
  }
  return LZ4_decompress_safe(packed, text.data(), static_cast<int>(entry.payload.size()),
                             static_cast<int>(text.size())) == static_cast<int>(text.size());
}

// Reads the entry at `at` and moves past it; false at the end, or if the entry does not fit.
bool next_entry(std::span<const std::byte> fatbin, std::size_t& at, Entry& entry) {
  constexpr std::size_t kLeastHeader = 64;
  if (fatbin.size() - at < kLeastHeader) return false;
  const std::span<const std::byte> rest = fatbin.subspan(at);
  const auto header = field<std::uint32_t>(rest, 4);
  const auto size = field<std::uint64_t>(rest, 8);
  if (header < kLeastHeader || header > rest.size() || size > rest.size() - header) return false;
  entry.kind = field<std::uint16_t>(rest, 0);
  entry.arch = field<std::uint32_t>(rest, 28);
  entry.flags = field<std::uint64_t>(rest, 40);
  entry.unpacked = field<std::uint64_t>(rest, 56);
  const auto packed = field<std::uint32_t>(rest, 16);
  entry.payload = rest.subspan(header, packed != 0 && packed <= size ? packed : size);
  at += header + size;
  return true;
}

std::string ptxas_line(const ptx::ParseError& error) {
  const char* severity = error.fatal ? "fatal" : "error";
  if (error.line == 0) return std::string("ptxas ") + severity + "   : " + error.message;
  return "ptxas application ptx input, line " + std::to_string(error.line) + "; " + severity + "   : " +
         error.message;
}

ImageResult failed(CUresult result, std::string log) {
  ImageResult failure;
  failure.result = result;
  failure.log = std::move(log);
  return failure;
}

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

// All shared variables together: no kernel takes more, however they are laid out.
std::uint64_t most_shared_bytes(const ptx::Module& tree) {
  constexpr std::uint64_t kGap = 16;  // before one, and behind all
  std::uint64_t bytes = kGap;
  const auto add = [&](const ptx::Variable& variable) {
    if (variable.space == ptx::Space::Shared)
      bytes += variable.size + std::max<std::uint64_t>(variable.align, kGap);
  };
  for (const ptx::Variable& variable : tree.variables) add(variable);
  for (const ptx::Function& function : tree.functions) {
    for (const ptx::Variable& variable : function.locals) add(variable);
  }
  return bytes;
}

// Messages about limits of the device, which name no line.
std::string over_the_limit(const ptx::Module& tree) {
  constexpr std::uint64_t kSharedLimit = 0xc000, kConstLimit = 0x10000;
  const bool possible = most_shared_bytes(tree) > kSharedLimit;
  for (const ptx::Function& function : tree.functions) {
    if (!possible) break;
    if (!function.kernel || function.external) continue;
    const std::uint64_t bytes = ptx::shared_bytes(tree, function);
    if (bytes <= kSharedLimit) continue;
    return "ptxas error   : Entry function '" + function.name + "' uses too much shared data (" +
           hexadecimal(bytes) + " bytes, " + hexadecimal(kSharedLimit) + " max)";
  }
  std::uint64_t constants = 0;
  for (const ptx::Variable& variable : tree.variables) {
    if (variable.space != ptx::Space::Const) continue;
    constants = (constants + variable.align - 1) / variable.align * variable.align + variable.size;
  }
  if (constants <= kConstLimit) return {};
  return "ptxas error   : File uses too much global constant data (" + hexadecimal(constants) + " bytes, " +
         hexadecimal(kConstLimit) + " max)";
}

std::uint64_t global_bytes(const ptx::Module& tree) {
  std::uint64_t bytes = 0;
  for (const ptx::Variable& variable : tree.variables)
    bytes += variable.space == ptx::Space::Global ? variable.size : 0;
  return bytes;
}

// What a tree without mistakes can still be refused for (truth module_bad_images, steps 33 to 86).
ImageResult judge(const ptx::Module& tree, int architecture, Completeness completeness) {
  if (tree.target_number > architecture) {
    return failed(
        CUDA_ERROR_INVALID_PTX,
        "ptxas fatal   : SM version specified by .target is higher than default SM version assumed");
  }
  if (tree.address_size != 64) {
    ImageResult result =
        failed(CUDA_ERROR_INVALID_PTX,
               "ptxas fatal   :  32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported "
               "on sm_90 or higher architectures.");
    result.info =
        "ptxas warning :  64 Bit host architecture (--machine) being used mismatches with .address_size of "
        "32 bits";
    return result;
  }
  if (completeness == Completeness::Alone) {
    if (const auto missing = ptx::unresolved(tree))
      return failed(CUDA_ERROR_INVALID_PTX, ptxas_line(*missing));
  }
  if (std::string log = over_the_limit(tree); !log.empty())
    return failed(CUDA_ERROR_INVALID_PTX, std::move(log));
  return {};
}

}  // namespace

int capability_of(const Device& device) {
  return *device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
         *device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

bool machine_code_runs(int architecture, int capability) {
  return architecture / 10 == capability / 10 && architecture <= capability;
}

ImageResult read_text(std::string text, int architecture, Completeness completeness) {
  ptx::ParseResult parsed = ptx::parse(text);
  if (parsed.error) {
    if (parsed.error->version) return failed(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, ptxas_line(*parsed.error));
    std::string log;
    for (const ptx::ParseError& error : parsed.errors) log += ptxas_line(error) + "\n";
    return failed(CUDA_ERROR_INVALID_PTX, log + "ptxas fatal   : Ptx assembly aborted due to errors");
  }
  ImageResult result = judge(*parsed.module, architecture, completeness);
  if (result.result != CUDA_SUCCESS) return result;
  result.info = "ptxas info    : " + std::to_string(global_bytes(*parsed.module)) + " bytes gmem";
  result.image = std::make_shared<Image>(Image{std::move(*parsed.module), std::move(text)});
  return result;
}

ImageText read_fatbin(std::span<const std::byte> fatbin, const Device& device) {
  const auto header = field<std::uint16_t>(fatbin, 6);
  const auto size = field<std::uint64_t>(fatbin, 8);
  constexpr std::uint16_t kLeastHeader = 16, kPtxKind = 1, kCubinKind = 2;
  if (fatbin.size() < kLeastHeader || field<std::uint32_t>(fatbin, 0) != kFatbinMagic ||
      header < kLeastHeader || header > fatbin.size() || size > fatbin.size() - header)
    return refused(CUDA_ERROR_INVALID_IMAGE, kNoFormat);
  fatbin = fatbin.first(header + size);
  const int capability = capability_of(device);
  const bool takes_cubins = !is_ptx_forced();
  Entry best;
  ImageText machine_code = refused(CUDA_ERROR_NO_BINARY_FOR_GPU);
  std::uint32_t newest = 0;
  std::size_t at = header;
  for (Entry entry; at < fatbin.size() && next_entry(fatbin, at, entry);) {
    if (entry.arch > static_cast<std::uint32_t>(capability)) continue;
    const bool better = best.kind == 0 || entry.arch > best.arch;
    if (entry.kind == kPtxKind && better) best = entry;
    std::string cubin;
    if (entry.kind != kCubinKind || !takes_cubins || entry.arch <= newest ||
        !machine_code_runs(static_cast<int>(entry.arch), capability) || !unpack(entry, cubin))
      continue;
    ImageText found = read_linked(std::as_bytes(std::span(cubin)), device);
    if (found.result != CUDA_SUCCESS) continue;
    machine_code = std::move(found);
    newest = entry.arch;
  }
  // Machine code goes before PTX, wherever they stand (truth cubin_and_ptx_as_the_tool_writes_it, steps 15 to
  // 49).
  if (machine_code.result == CUDA_SUCCESS) return machine_code;
  if (best.kind == 0) return refused(CUDA_ERROR_NO_BINARY_FOR_GPU);
  ImageText found;
  if (!unpack(best, found.text)) return refused(CUDA_ERROR_INVALID_IMAGE, kNoFormat);
  return plain_text(found.text);
}

// Measured: elf_header_13_of_75 to elf_header_without_all. A cubin for the device that cannot be real returns
// 200; a real one returns 209 here, because no device here runs machine code of a GPU.
ImageText read_linked(std::span<const std::byte> image, const Device& device) {
  if (!is_elf(image) || image.size() < ptx::kElfHeader + sizeof(std::uint64_t) ||
      field<std::uint16_t>(image, 18) != ptx::kCudaMachine)
    return refused(CUDA_ERROR_INVALID_IMAGE, kNoFormat);
  constexpr std::uint8_t kAbiOfCuda13 = 8;
  const auto flags = field<std::uint32_t>(image, 48);
  const bool new_form = field<std::uint8_t>(image, 8) >= kAbiOfCuda13;
  const auto architecture = static_cast<int>((new_form ? flags >> 8U : flags) & 0xffU);
  if (architecture == 0) return refused(CUDA_ERROR_UNKNOWN, "fatal   : Unknown arch name ''");
  if (!machine_code_runs(architecture, capability_of(device))) return refused(CUDA_ERROR_NO_BINARY_FOR_GPU);
  if (!is_linked(image)) {
    const bool without_sections = field<std::uint16_t>(image, 60) == 0;
    if (!without_sections) return refused(CUDA_ERROR_NO_BINARY_FOR_GPU);
    ImageText broken = refused(CUDA_ERROR_INVALID_IMAGE);
    broken.at_once = true;
    return broken;
  }
  const auto size = field<std::uint64_t>(image, ptx::kElfHeader);
  const std::span<const std::byte> text = image.subspan(ptx::kElfHeader + sizeof(std::uint64_t));
  if (size > text.size()) return refused(CUDA_ERROR_INVALID_IMAGE, kNoFormat);
  if (size == 0) return {};  // a link of nothing
  ImageText found = plain_text({reinterpret_cast<const char*>(text.data()), size});
  found.linked = true;
  return found;
}

CUresult read_file(const char* path, std::string& bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "re"), std::fclose);
  if (file == nullptr) return CUDA_ERROR_FILE_NOT_FOUND;
  std::array<char, 16384> piece = {};
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get()))
    bytes.append(piece.data(), got);
  if (std::ferror(file.get()) == 0) return CUDA_SUCCESS;
  return errno == EISDIR ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_FILE_NOT_FOUND;
}

ImageText find_text(std::span<const std::byte> data, const Device& device) {
  if (field<std::uint32_t>(data, 0) == kFatbinMagic) return read_fatbin(data, device);
  if (is_elf(data)) return read_linked(data, device);
  return plain_text({reinterpret_cast<const char*>(data.data()), data.size()});
}

// The sizes are the image's own.
ImageText find_text(const void* data, const Device& device) {
  const auto* bytes = static_cast<const std::byte*>(data);
  // A text may be shorter than four bytes.
  if (std::memchr(bytes, 0, 4) == nullptr) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, bytes, sizeof magic);
    if (magic == kWrapperMagic) {
      const void* fatbin = nullptr;
      std::memcpy(&fatbin, bytes + 8, sizeof fatbin);
      return fatbin != nullptr ? find_text(fatbin, device) : refused(CUDA_ERROR_INVALID_IMAGE, kNoFormat);
    }
    if (magic == kFatbinMagic) {
      std::uint16_t header = 0;
      std::uint64_t size = 0;
      std::memcpy(&header, bytes + 6, sizeof header);
      std::memcpy(&size, bytes + 8, sizeof size);
      return read_fatbin({bytes, size > kMostText ? 0 : header + size}, device);
    }
    if (is_elf({bytes, 4})) {
      const std::span<const std::byte> start(bytes, ptx::kElfHeader + sizeof(std::uint64_t));
      const auto size =
          is_linked(start) ? std::min(field<std::uint64_t>(start, ptx::kElfHeader), kMostText) : 0;
      return read_linked({bytes, start.size() + size}, device);
    }
  }
  return plain_text(static_cast<const char*>(data));
}

ImageResult read_image(ImageText found, const Device& device) {
  if (found.result != CUDA_SUCCESS) return failed(found.result, std::move(found.log));
  if (!found.text.empty())
    return read_text(std::move(found.text), capability_of(device), Completeness::Alone);
  ImageResult nothing;
  nothing.image = std::make_shared<Image>();
  return nothing;
}

}  // namespace driver
