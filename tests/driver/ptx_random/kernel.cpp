// SPDX-License-Identifier: MIT
// Kernels: which operands meet, and how all of it is written.
#include "kernel.hpp"

#include <cstddef>

namespace ptx_random {
namespace {

// Every kind of value in several registers, integers of 32 bits in most.
constexpr struct {
  Kind kind;
  unsigned count;
} kInputs[] = {{Kind::Pred, 3}, {Kind::U16, 4},   {Kind::F16, 3},    {Kind::Bf16, 3}, {Kind::U32, 6},
               {Kind::F32, 4},  {Kind::F16x2, 3}, {Kind::Bf16x2, 3}, {Kind::U64, 4},  {Kind::F64, 4}};

// Registers do not distinguish signed and unsigned numbers, as in the machine.
Kind unsigned_of(Kind kind) {
  return kind == Kind::S16 ? Kind::U16 : kind == Kind::S32 ? Kind::U32 : kind == Kind::S64 ? Kind::U64 : kind;
}

Source choose(const Kernel& kernel, Kind kind, Dice& dice) {
  // Mostly a value of the kind, but any bits of the width must do.
  const bool strict = !dice.one_in(8);
  const bool early = dice.below(4) != 0;
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < kernel.slots.size(); ++i) {
    const Kind other = kernel.slots[i].kind;
    if (early && i >= kernel.inputs) continue;
    if (strict ? unsigned_of(other) == unsigned_of(kind) : width_of(other) == width_of(kind))
      candidates.push_back(i);
  }
  Source source;
  source.slot = candidates[dice.below(candidates.size())];
  return source;
}

std::string register_of(const Kernel& kernel, std::size_t slot) {
  const unsigned width = width_of(kernel.slots[slot].kind);
  return (width == 1 ? "%p" : width == 16 ? "%h" : width == 32 ? "%w" : "%x") + std::to_string(slot);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string written(const Kernel& kernel, const Step& step) {
  static constexpr const char* names[] = {"$a", "$b", "$c", "$e"};
  std::string text = step.operation->text;
  for (std::size_t i = 0; i < step.sources.size(); ++i) {
    const Source& source = step.sources[i];
    replace_all(text, names[i],
                source.immediate ? literal(step.operation->operands[i], source.bits)
                                 : register_of(kernel, source.slot));
  }
  const std::string result = register_of(kernel, step.result);
  replace_all(text, "$d", result);
  replace_all(text, "$t", result.substr(0, 2) + "t");
  replace_all(text, "$u", result.substr(0, 2) + "u");
  return text;
}

std::string offset_of(std::size_t slot, std::size_t threads) {
  return "+" + std::to_string(8 * slot * threads) + "]";
}

std::string loaded(const Kernel& kernel, std::size_t slot, std::size_t threads) {
  const unsigned width = width_of(kernel.slots[slot].kind);
  const std::string name = register_of(kernel, slot), place = "[%in" + offset_of(slot, threads);
  if (width == 1) return "  ld.global.u32 %load, " + place + ";\n  setp.ne.u32 " + name + ", %load, 0;\n";
  return "  ld.global.b" + std::to_string(width) + " " + name + ", " + place + ";\n";
}

std::string stored(const Kernel& kernel, std::size_t slot, std::size_t threads) {
  const unsigned width = width_of(kernel.slots[slot].kind);
  const std::string name = register_of(kernel, slot);
  const std::string place = "[%out" + offset_of(slot - kernel.inputs, threads);
  if (width == 1) return "  selp.u32 %load, 1, 0, " + name + ";\n  st.global.u32 " + place + ", %load;\n";
  return "  st.global.b" + std::to_string(width) + " " + place + ", " + name + ";\n";
}

}  // namespace

Kernel make_kernel(const std::vector<const Operation*>& operations, Dice& dice) {
  Kernel kernel;
  for (const auto& [kind, count] : kInputs) kernel.slots.insert(kernel.slots.end(), count, Slot{kind});
  kernel.inputs = kernel.slots.size();
  for (const Operation* operation : operations) {
    Step step;
    step.operation = operation;
    for (std::size_t i = 0; i < operation->operands.size(); ++i) {
      const Kind kind = operation->operands[i];
      Source source = choose(kernel, kind, dice);
      if (static_cast<int>(i) == operation->immediate && dice.one_in(3)) {
        source.immediate = true;
        source.counts = operation->immediate_counts;
        source.bits = draw(kind, dice) & operation->immediate_mask;
      }
      step.sources.push_back(source);
    }
    step.result = kernel.slots.size();
    kernel.slots.push_back({operation->result});
    kernel.statements += operation->statements;
    kernel.steps.push_back(std::move(step));
  }
  return kernel;
}

std::string text_of(const Kernel& kernel, std::size_t threads, int target) {
  const std::string count = "<" + std::to_string(kernel.slots.size()) + ">";
  std::string text = ".version 8.0\n.target sm_" + std::to_string(target) +
                     "\n.address_size 64\n\n"
                     ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n";
  for (const auto& [name, type] :
       {std::pair{"%p", ".pred"}, {"%h", ".b16"}, {"%w", ".b32"}, {"%x", ".b64"}}) {
    const std::string start = std::string("  .reg ") + type + " " + name;
    text += start + count + ";\n" + start + "t;\n" + start + "u;\n";
  }
  text +=
      "  .reg .b32 %load, %thread, %block, %size;\n  .reg .b64 %in, %out, %offset;\n"
      "  mov.u32 %thread, %tid.x;\n  mov.u32 %block, %ctaid.x;\n  mov.u32 %size, %ntid.x;\n"
      "  mad.lo.u32 %thread, %block, %size, %thread;\n  mul.wide.u32 %offset, %thread, 8;\n"
      "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n"
      "  cvta.to.global.u64 %in, %in;\n  cvta.to.global.u64 %out, %out;\n"
      "  add.u64 %in, %in, %offset;\n  add.u64 %out, %out, %offset;\n";
  for (std::size_t slot = 0; slot < kernel.inputs; ++slot) text += loaded(kernel, slot, threads);
  for (const Step& step : kernel.steps) text += "  " + written(kernel, step) + "\n";
  for (std::size_t slot = kernel.inputs; slot < kernel.slots.size(); ++slot)
    text += stored(kernel, slot, threads);
  return text + "  ret;\n}\n";
}

}  // namespace ptx_random
