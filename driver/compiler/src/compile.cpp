// SPDX-License-Identifier: MIT
// The compiler library's one function, declared in compile.hpp: PTX text and the name of a kernel in, an
// object file out.
//
// run_passes() lists the passes in their order; each is a function in the file of the same name. A failure in
// a pass is an exception, which becomes a text for the caller here.
#include "kernel_abi/compile.hpp"

#include <llvm-c/Core.h>

#include <array>
#include <atomic>
#include <exception>
#include <new>
#include <string>

#include "lowering.hpp"
#include "make_object.hpp"
#include "ptx/parse.hpp"

namespace compiler {
namespace {

std::vector<char> run_passes(const ptx::Module& module, const ptx::Function& kernel,
                             const std::array<std::uint32_t, 3>& shape) {
  // PTX to PTX.
  Program program = inline_waiting_calls(module, kernel);
  mark_stops(program);

  // PTX to LLVM.
  Lowering lowering(program, shape, find_common(program), find_shared_apart(program));
  if (program.has_stops)
    lower_regions(lowering, {.live = find_live(program),
                             .recomputable = find_recomputable(program),
                             .uniform = find_uniform(program, shape)});
  else
    lower_whole(lowering, find_row_guard(program.kernel));
  lower_functions(lowering);
  describe_kernel(lowering);

  // LLVM to an object.
  const Effort effort = program.has_stops             ? Effort::Thorough
                        : is_straight(program.kernel) ? Effort::Straight
                                                      : Effort::Normal;
  return make_object(lowering.ir.module, effort);
}

}  // namespace
}  // namespace compiler

namespace {

// LLVM is built without exceptions: where memory ends inside it, it keeps the locks that it holds, and
// whoever asks for one of them waits for ever. So it is not used again.
std::atomic<bool> had_no_memory = false;

template <class Step>
auto with_memory(const Step& step) {
  if (had_no_memory.load()) throw std::bad_alloc();
  try {
    return step();
  } catch (const std::bad_alloc&) {
    had_no_memory.store(true);
    throw;
  }
}

std::vector<char> compile(const driverlab_compile_request& request) {
  const ptx::ParseResult parsed = ptx::parse(std::string(request.text, request.text_bytes));
  if (!parsed.module) throw compiler::Unsupported("the text is no module");
  const ptx::Function* const kernel = parsed.module->find(request.kernel);
  if (kernel == nullptr || !kernel->kernel)
    throw compiler::Unsupported("there is no kernel '" + std::string(request.kernel) + "'");
  return compiler::run_passes(*parsed.module, *kernel,
                              {request.shape[0], request.shape[1], request.shape[2]});
}

}  // namespace

int driverlab_compile(const driverlab_compile_request* request, driverlab_take take, void* user) {
  try {
    const std::vector<char> object = with_memory([&] { return compile(*request); });
    take(user, object.data(), object.size());
    return 0;
  } catch (const std::exception& problem) {
    const std::string words = problem.what();
    take(user, words.data(), words.size());
    return 1;
  }
}

const char* driverlab_compiler_identity() {
  static const std::string identity = with_memory([] {
    unsigned version[3] = {};
    LLVMGetVersion(&version[0], &version[1], &version[2]);
    return "LLVM " + std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
           std::to_string(version[2]) + " " + compiler::processor();
  });
  return identity.c_str();
}
