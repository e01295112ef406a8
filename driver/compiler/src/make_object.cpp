// SPDX-License-Identifier: MIT
// See make_object.hpp: LLVM's optimiser and code generator. What they need to know of this processor is found
// out once in each process.

// An example:
//   before:
//     ld.param.u64 %rd1, [out];
//     add.s32 %r1, 2, 3;
//     st.global.u32 [%rd1], %r1;
//   after, optimised:
//     define void @kernel(…
//     …
//     store i32 5, ptr %place, align 4

#include "make_object.hpp"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <cstdlib>
#include <stdexcept>

namespace compiler {
namespace {

std::string taken(char* text) {
  std::string copy = text != nullptr ? text : "";
  LLVMDisposeMessage(text);
  return copy;
}

struct Machine {
  std::string triple = taken(LLVMGetDefaultTargetTriple());
  std::string name = taken(LLVMGetHostCPUName());
  std::string features = taken(LLVMGetHostCPUFeatures());
  LLVMTargetRef target = nullptr;

  Machine() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    char* words = nullptr;
    if (LLVMGetTargetFromTriple(triple.c_str(), &target, &words) != 0) throw std::runtime_error(taken(words));
  }
  // One for each compilation: a target machine belongs to one thread.
  LLVMTargetMachineRef create() const {
    return LLVMCreateTargetMachine(target, triple.c_str(), name.c_str(), features.c_str(),
                                   LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
  }
};

const Machine& machine() {
  static const Machine one;
  return one;
}

void set_processor(LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != nullptr;
       function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function) != 0) continue;
    LLVMAddTargetDependentFunctionAttr(function, "target-cpu", machine().name.c_str());
    LLVMAddTargetDependentFunctionAttr(function, "target-features", machine().features.c_str());
  }
}

void optimise(LLVMModuleRef module, LLVMTargetMachineRef target, Effort effort) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
  LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, effort == Effort::Straight ? 0 : 1);
  LLVMErrorRef error =
      LLVMRunPasses(module, effort == Effort::Thorough ? "default<O3>" : "default<O2>", target, options);
  LLVMDisposePassBuilderOptions(options);
  if (error == nullptr) return;
  char* const words = LLVMGetErrorMessage(error);
  const std::string copy = words;
  LLVMDisposeErrorMessage(words);
  throw std::runtime_error(copy);
}

}  // namespace

const std::string& processor() {
  static const std::string text = machine().name + " " + machine().features;
  return text;
}

std::vector<char> make_object(LLVMModuleRef module, Effort effort) {
  LLVMTargetMachineRef target = machine().create();
  LLVMSetTarget(module, machine().triple.c_str());
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  set_processor(module);
  char* words = nullptr;
  if (const char* const path = std::getenv("DRIVERLAB_DUMP_IR")) LLVMPrintModuleToFile(module, path, &words);
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &words) != 0) throw std::runtime_error(taken(words));
  LLVMDisposeMessage(words);
  optimise(module, target, effort);
  if (const char* const path = std::getenv("DRIVERLAB_DUMP_OPTIMISED_IR"))
    LLVMPrintModuleToFile(module, path, &words);
  LLVMMemoryBufferRef buffer = nullptr;
  words = nullptr;
  const bool failed =
      LLVMTargetMachineEmitToMemoryBuffer(target, module, LLVMObjectFile, &words, &buffer) != 0;
  LLVMDisposeTargetMachine(target);
  if (failed) throw std::runtime_error(taken(words));
  const char* const start = LLVMGetBufferStart(buffer);
  std::vector<char> object(start, start + LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return object;
}

}  // namespace compiler
