// SPDX-License-Identifier: MIT
// Calls: frames, arguments and results, and the functions that a module may call without defining them.
//
// A frame's variables are in the thread's local memory, one frame after another. Does not depend on barriers.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "interpreter.hpp"
#include "ptx/printf.hpp"

namespace ptx {
namespace {

constexpr std::size_t kMostLocalBytes = std::size_t{4} << 20;

}  // namespace

const Layout& Interpreter::layout_of(const Function& function) {
  auto found = layouts_.find(&function);
  if (found == layouts_.end()) found = layouts_.emplace(&function, frame_layout(function)).first;
  return found->second;
}

void Interpreter::copy_parameters(Thread& thread) {
  Frame& frame = thread.frames.back();
  for (const Parameter& parameter : kernel_.parameters) {
    const std::size_t offset = parameter.offset;
    if (offset + parameter.size > launch_.parameters.size()) continue;
    std::memcpy(thread.local.data() + frame.base + frame.layout->offsets.at(parameter.name),
                launch_.parameters.data() + offset, parameter.size);
  }
}

void Interpreter::push_frame(Thread& thread, const Function& function, const Instruction* call) {
  Frame frame;
  if (recursive_.count(function.name) != 0) {
    frame.stack_bytes = call_bytes(function);
    if (thread.stack_bytes + frame.stack_bytes > launch_.stack_bytes)
      throw Stop{{Fault::Kind::IllegalAddress, "stack overflow in " + function.name}};
    thread.stack_bytes += frame.stack_bytes;
  }
  frame.function = &function;
  frame.call = call;
  frame.layout = &layout_of(function);
  frame.registers.resize(function.registers.size());
  frame.base = thread.local.size();
  if (frame.base + frame.layout->bytes > kMostLocalBytes) {
    throw Stop{{Fault::Kind::IllegalAddress, "local memory exhausted in " + function.name}};
  }
  thread.local.resize(frame.base + frame.layout->bytes);
  thread.frames.push_back(std::move(frame));
}

// Back to the caller, with the results copied into its variables.
void pop_frame(Thread& thread) {
  const Frame& frame = thread.frames.back();
  const Instruction* const call = frame.call;
  const Function& callee = *frame.function;
  thread.stack_bytes -= frame.stack_bytes;
  std::vector<std::byte> results;
  for (const Parameter& result : callee.results) {
    const std::byte* from = thread.local.data() + frame.base + frame.layout->offsets.at(result.name);
    results.insert(results.end(), from, from + result.size);
  }
  thread.local.resize(frame.base);
  thread.frames.pop_back();
  thread.done = thread.frames.empty();
  if (call != nullptr && !thread.done) copy_results(thread, *call, callee, results);
}

void Interpreter::call(Thread& thread, const Instruction& in) {
  const Frame& caller = thread.frames.back();
  const Function* const callee = in.callee.empty()
                                     ? function_at(module_, caller.registers[in.operands[0].reg])
                                     : module_.find(in.callee);
  if (callee == nullptr && in.callee.empty()) throw Stop{{Fault::Kind::InvalidProgramCounter, place(in)}};
  if (callee == nullptr || callee->external) return builtin(thread, in);
  // Arguments: variables of the caller's frame, copied into the callee's before it runs.
  const std::size_t caller_index = thread.frames.size() - 1;
  push_frame(thread, *callee, &in);
  copy_arguments(thread, in, *callee, caller_index);
}

void copy_arguments(Thread& thread, const Instruction& in, const Function& callee, std::size_t caller_index) {
  const Frame& caller = thread.frames[caller_index];
  const Frame& frame = thread.frames.back();
  for (std::size_t i = 0; i < in.call_arguments.size() && i < callee.parameters.size(); ++i) {
    const auto from = caller.layout->offsets.find(in.call_arguments[i]);
    if (from == caller.layout->offsets.end()) continue;
    const u64 size =
        std::min<u64>(callee.parameters[i].size, thread.local.size() - caller.base - from->second);
    std::memcpy(thread.local.data() + frame.base + frame.layout->offsets.at(callee.parameters[i].name),
                thread.local.data() + caller.base + from->second, size);
  }
}

void copy_results(Thread& thread, const Instruction& in, const Function& callee,
                  const std::vector<std::byte>& results) {
  if (thread.done) return;
  const Frame& caller = thread.frames.back();
  std::size_t offset = 0;
  for (std::size_t i = 0; i < in.call_results.size() && i < callee.results.size(); ++i) {
    const auto to = caller.layout->offsets.find(in.call_results[i]);
    const std::size_t size = callee.results[i].size;
    if (to != caller.layout->offsets.end() && offset + size <= results.size()) {
      // By a pointer a function may be called whose result is larger than the variable that takes it.
      const std::size_t at = caller.base + to->second;
      std::memcpy(thread.local.data() + at, results.data() + offset,
                  std::min(size, thread.local.size() - at));
    }
    offset += size;
  }
}

u64 argument(Thread& thread, const Instruction& in, std::size_t index) {
  const Frame& caller = thread.frames.back();
  u64 bits = 0;
  if (index >= in.call_arguments.size()) return 0;
  const auto from = caller.layout->offsets.find(in.call_arguments[index]);
  if (from == caller.layout->offsets.end()) return 0;
  const std::size_t offset = caller.base + from->second;
  std::memcpy(&bytes_of(bits), thread.local.data() + offset,
              std::min<std::size_t>(8, thread.local.size() - offset));
  return bits;
}

// Into the variable of the caller that takes the only result of a built-in function.
void give_result(Thread& thread, const Instruction& in, u64 bits, std::size_t size) {
  if (in.call_results.empty()) return;
  const Frame& caller = thread.frames.back();
  const auto to = caller.layout->offsets.find(in.call_results[0]);
  if (to == caller.layout->offsets.end()) return;
  const std::size_t offset = caller.base + to->second;
  std::memcpy(thread.local.data() + offset, &bytes_of(bits), std::min(size, thread.local.size() - offset));
}

// What a module may call without defining it.
void Interpreter::builtin(Thread& thread, const Instruction& in) {
  const ReadGeneric read = [&](u64 address, u64 size) { return generic(thread, address, size); };
  if (in.callee == "vprintf") return print(thread, in, read);
  if (in.callee == "malloc" && environment_.allocate)
    return give_result(thread, in, environment_.allocate(argument(thread, in, 0)), sizeof(u64));
  if (in.callee == "free" && environment_.release) return environment_.release(argument(thread, in, 0));
  if (in.callee == "__assertfail") {
    // Only this thread ends here: the others of its block may have something to say too.
    if (environment_.complain) environment_.complain(assertion(thread, in, read));
    failed_assertion_ = place(in);
    thread.frames.clear();
    thread.done = true;
    return;
  }
  throw Stop{{Fault::Kind::IllegalInstruction, "call of undefined function " + in.callee}};
}

// As CUDA's printf: how many arguments the format asks for, -1 without a format.
void Interpreter::print(Thread& thread, const Instruction& in, const ReadGeneric& read) {
  const u64 format = argument(thread, in, 0);
  if (format == 0) return give_result(thread, in, ~u64{0}, sizeof(std::uint32_t));
  std::string text;
  unsigned arguments = 0;
  if (!format_printf(read, format, argument(thread, in, 1), text, arguments))
    throw Stop{{Fault::Kind::IllegalAddress, place(in)}};
  if (environment_.print) environment_.print(text);
  give_result(thread, in, arguments, sizeof(std::uint32_t));
}

// Arguments: message, file, line, function. Truth fault_assert, step 3.
std::string Interpreter::assertion(Thread& thread, const Instruction& in, const ReadGeneric& read) {
  const auto text = [&](std::size_t index) {
    std::string result;
    for (u64 address = argument(thread, in, index);; ++address) {
      const std::byte* const character = read(address, 1);
      if (character == nullptr || *character == std::byte{0}) return result;
      result += static_cast<char>(*character);
    }
  };
  const auto triple = [](const std::uint32_t(&values)[3]) {
    return "[" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," +
           std::to_string(values[2]) + "]";
  };
  return text(1) + ":" + std::to_string(argument(thread, in, 2) & 0xffffffff) + ": " + text(3) +
         ": block: " + triple(now_->index) + ", thread: " + triple(thread.tid) + " Assertion `" + text(0) +
         "` failed.\n";
}

}  // namespace ptx
