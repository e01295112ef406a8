// SPDX-License-Identifier: MIT
// Links from strangers: inputs of any kind are joined as cuLinkAddData and cuLinkComplete do, and the linked
// image is a program that can be read again.
//
// The input is cut at lines "==". It uses what the entry points use, without contexts and handles.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/image.hpp"
#include "ptx/link.hpp"
#include "ptx/linked_image.hpp"
#include "ptx/parse.hpp"

namespace {

constexpr std::string_view kCut = "\n==\n";
constexpr std::size_t kMostInputs = 8;

struct Inputs {
  std::vector<ptx::Module> modules;
  std::vector<std::string> texts;
};

void add(std::string_view data, const driver::Device& device, Inputs& inputs) {
  const driver::ImageText found = driver::find_text(std::as_bytes(std::span(data)), device);
  if (found.result != CUDA_SUCCESS) return;
  for (const std::string_view unit : ptx::split_units(found.text)) {
    driver::ImageResult result =
        driver::read_text(std::string(unit), driver::capability_of(device), driver::Completeness::Linked);
    if (result.result != CUDA_SUCCESS) return;
    inputs.modules.push_back(result.image->tree);
    inputs.texts.emplace_back(unit);
  }
}

// What is declared besides may be left out.
std::size_t defined(const ptx::Module& module) {
  std::size_t count = 0;
  for (const ptx::Function& function : module.functions) count += function.external ? 0 : 1;
  return count;
}

void check(const ptx::Module& whole) {
  for (const ptx::Function& function : whole.functions) {
    if (whole.find(function.name) == nullptr) __builtin_trap();
    for (const ptx::Instruction& instruction : function.body) {
      if (instruction.target > function.body.size()) __builtin_trap();
    }
  }
  for (const ptx::Variable& variable : whole.variables) {
    if (whole.find_variable(variable.name) == nullptr) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const driver::Device device(0, 0, nullptr);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  Inputs inputs;
  for (std::size_t count = 0; count < kMostInputs && !rest.empty(); ++count) {
    const std::size_t end = rest.find(kCut);
    add(rest.substr(0, end), device, inputs);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + kCut.size());
  }
  std::vector<ptx::Module> modules = inputs.modules;
  const ptx::LinkResult linked = ptx::link(std::move(modules));
  check(linked.module);
  if (!linked.duplicates.empty() || ptx::unresolved(linked.module)) return 0;
  const std::string image =
      ptx::make_linked_image(ptx::join_units(inputs.texts), driver::capability_of(device));
  const driver::ImageResult again =
      driver::read_image(driver::find_text(std::as_bytes(std::span(image)), device), device);
  if (again.result == CUDA_SUCCESS && defined(again.image->tree) != defined(linked.module)) __builtin_trap();
  return 0;
}
