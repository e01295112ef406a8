// SPDX-License-Identifier: MIT
// The entry points of NVRTC: each checks its arguments in the order that was measured with the real one
// (13.0), and does one step.
//
// Manual: "NVRTC", chapter 3. Results that the manual does not give, measured with 13.0: a null handle gives
// 4 before any other check; sizes before compiling are 1 for PTX and log (the ending zero) and 0 for the
// others. Must not depend on how programs are compiled.
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "boundary/instead_of_exception.hpp"
#include "program.hpp"
#include "ptx/linked_image.hpp"

#define NVRTC_ENTRY extern "C" __attribute__((visibility("default")))

using nvrtc::Program;

namespace {

constexpr std::size_t kFirstHeapSize = 256 << 20;
std::atomic<std::size_t> heap_size{kFirstHeapSize};

constexpr std::array kResultNames{
    "NVRTC_SUCCESS",
    "NVRTC_ERROR_OUT_OF_MEMORY",
    "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
    "NVRTC_ERROR_INVALID_INPUT",
    "NVRTC_ERROR_INVALID_PROGRAM",
    "NVRTC_ERROR_INVALID_OPTION",
    "NVRTC_ERROR_COMPILATION",
    "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    "NVRTC_ERROR_INTERNAL_ERROR",
    "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
    "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
    "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
    "NVRTC_ERROR_PCH_CREATE",
    "NVRTC_ERROR_CANCELLED",
    "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
};

// Every entry point that may need memory does its work in one of these: no exception leaves the library.
template <typename Call>
nvrtcResult guarded(Call call) try {
  return call();
} catch (...) {
  return boundary::instead_of_exception<nvrtcResult>({.out_of_memory = NVRTC_ERROR_OUT_OF_MEMORY,
                                                      .system = NVRTC_ERROR_INTERNAL_ERROR,
                                                      .other = NVRTC_ERROR_INTERNAL_ERROR});
}

template <typename Call>
nvrtcResult on_program(nvrtcProgram prog, Call call) {
  return guarded([&] {
    const auto program = nvrtc::find(prog);
    return program ? call(*program) : NVRTC_ERROR_INVALID_PROGRAM;
  });
}

template <typename Get>
nvrtcResult give_size(nvrtcProgram prog, std::size_t* size, Get get) {
  return on_program(prog, [&](Program& program) {
    if (size == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(program.mutex);
    *size = get(program);
    return NVRTC_SUCCESS;
  });
}

template <typename Get>
nvrtcResult give_bytes(nvrtcProgram prog, char* to, Get get) {
  return on_program(prog, [&](Program& program) {
    if (to == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(program.mutex);
    get(program, to);
    return NVRTC_SUCCESS;
  });
}

void copy_text(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
}

nvrtcResult compile_program(Program& program, const std::vector<const char*>& given) {
  const std::lock_guard lock(program.mutex);
  const nvrtc::Options options = nvrtc::read_options(given, program.source.name);
  program.ptx.clear();
  program.image.clear();
  program.lowered.clear();
  program.compiled = false;
  program.log = options.log;
  if (options.result != NVRTC_SUCCESS) return options.result;
  program.source.expressions.assign(program.expressions.begin(), program.expressions.end());
  const auto cancelled = [&program] {
    return program.callback != nullptr && program.callback(program.payload, nullptr) == 1;
  };
  nvrtc::Compiled compiled = nvrtc::compile(program.source, options, cancelled);
  program.log = std::move(compiled.log);
  program.ptx = std::move(compiled.ptx);
  program.lowered = std::move(compiled.lowered);
  program.compiled = compiled.result == NVRTC_SUCCESS;
  // There is no assembler here: for a real architecture the PTX is packed as the driver's linker packs it.
  if (program.compiled && options.for_device)
    program.image = ptx::make_linked_image(program.ptx, std::atoi(options.architecture.c_str()));
  return compiled.result;
}

}  // namespace

// nvrtcGetErrorString. What is no result is "NVRTC_ERROR unknown" (measured).
NVRTC_ENTRY const char* nvrtcGetErrorString(nvrtcResult result) {
  const auto number = static_cast<std::size_t>(static_cast<unsigned>(result));
  return number < kResultNames.size() ? kResultNames[number] : "NVRTC_ERROR unknown";
}

// nvrtcVersion: INVALID_INPUT.
NVRTC_ENTRY nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = DRIVERLAB_NVRTC_MAJOR;
  *minor = DRIVERLAB_NVRTC_MINOR;
  return NVRTC_SUCCESS;
}

// nvrtcGetNumSupportedArchs: INVALID_INPUT.
NVRTC_ENTRY nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs) {
  if (numArchs == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    *numArchs = static_cast<int>(nvrtc::supported_architectures().size());
    return NVRTC_SUCCESS;
  });
}

// nvrtcGetSupportedArchs: INVALID_INPUT.
NVRTC_ENTRY nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs) {
  if (supportedArchs == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    for (const int architecture : nvrtc::supported_architectures()) *supportedArchs++ = architecture;
    return NVRTC_SUCCESS;
  });
}

// nvrtcCreateProgram: OUT_OF_MEMORY, PROGRAM_CREATION_FAILURE, INVALID_INPUT, INVALID_PROGRAM. Measured: no
// place for the handle is 4; a null source, a negative count, and null arrays or elements where there are
// headers are 3.
NVRTC_ENTRY nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name,
                                           int numHeaders, const char* const* headers,
                                           const char* const* includeNames) {
  if (prog == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (src == nullptr || numHeaders < 0) return NVRTC_ERROR_INVALID_INPUT;
  if (numHeaders > 0 && (headers == nullptr || includeNames == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    auto program = std::make_shared<Program>();
    program->source.text = src;
    program->source.name = name == nullptr || *name == '\0' ? "default_program" : name;
    for (int index = 0; index < numHeaders; ++index) {
      if (headers[index] == nullptr || includeNames[index] == nullptr) return NVRTC_ERROR_INVALID_INPUT;
      program->source.headers.push_back({includeNames[index], headers[index]});
    }
    *prog = nvrtc::enter(std::move(program));
    return NVRTC_SUCCESS;
  });
}

// nvrtcDestroyProgram: INVALID_PROGRAM. The handle is null afterwards (measured).
NVRTC_ENTRY nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog) {
  if (prog == nullptr || !nvrtc::leave(*prog)) return NVRTC_ERROR_INVALID_PROGRAM;
  *prog = nullptr;
  return NVRTC_SUCCESS;
}

// nvrtcCompileProgram: OUT_OF_MEMORY, INVALID_INPUT, INVALID_PROGRAM, INVALID_OPTION, COMPILATION,
// BUILTIN_OPERATION_FAILURE, TIME_FILE_WRITE_FAILED, CANCELLED. Measured: a negative count is 3, options that
// are not there are 5; a program may be compiled again.
NVRTC_ENTRY nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char* const* options) {
  return on_program(prog, [&](Program& program) {
    if (numOptions < 0) return NVRTC_ERROR_INVALID_INPUT;
    if (numOptions > 0 && options == nullptr) return NVRTC_ERROR_INVALID_OPTION;
    return compile_program(program, {options, options + numOptions});
  });
}

// nvrtcGetPTXSize: INVALID_INPUT, INVALID_PROGRAM. With the ending zero.
NVRTC_ENTRY nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet) {
  return give_size(prog, ptxSizeRet, [](const Program& program) { return program.ptx.size() + 1; });
}

// nvrtcGetPTX: INVALID_INPUT, INVALID_PROGRAM.
NVRTC_ENTRY nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx) {
  return give_bytes(prog, ptx, [](const Program& program, char* to) { copy_text(program.ptx, to); });
}

// nvrtcGetCUBINSize: INVALID_INPUT, INVALID_PROGRAM. 0 for a virtual architecture.
NVRTC_ENTRY nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet) {
  return give_size(prog, cubinSizeRet, [](const Program& program) { return program.image.size(); });
}

// nvrtcGetCUBIN: INVALID_INPUT, INVALID_PROGRAM.
NVRTC_ENTRY nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin) {
  return give_bytes(prog, cubin,
                    [](const Program& program, char* to) { program.image.copy(to, program.image.size()); });
}

// nvrtcGetLTOIRSize: INVALID_INPUT, INVALID_PROGRAM. Always 0: the option that asks for it is refused.
NVRTC_ENTRY nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t* LTOIRSizeRet) {
  return give_size(prog, LTOIRSizeRet, [](const Program&) { return std::size_t{0}; });
}

// nvrtcGetLTOIR: INVALID_INPUT, INVALID_PROGRAM. Of nothing, nothing is written (measured).
NVRTC_ENTRY nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char* LTOIR) {
  return give_bytes(prog, LTOIR, [](const Program&, char*) {});
}

// nvrtcGetOptiXIRSize: INVALID_INPUT, INVALID_PROGRAM. Always 0: the option that asks for it is refused.
NVRTC_ENTRY nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t* optixirSizeRet) {
  return give_size(prog, optixirSizeRet, [](const Program&) { return std::size_t{0}; });
}

// nvrtcGetOptiXIR: INVALID_INPUT, INVALID_PROGRAM. Of nothing, nothing is written (measured).
NVRTC_ENTRY nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char* optixir) {
  return give_bytes(prog, optixir, [](const Program&, char*) {});
}

// nvrtcGetProgramLogSize: INVALID_INPUT, INVALID_PROGRAM. With the ending zero.
NVRTC_ENTRY nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet) {
  return give_size(prog, logSizeRet, [](const Program& program) { return program.log.size() + 1; });
}

// nvrtcGetProgramLog: INVALID_INPUT, INVALID_PROGRAM.
NVRTC_ENTRY nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log) {
  return give_bytes(prog, log, [](const Program& program, char* to) { copy_text(program.log, to); });
}

// nvrtcAddNameExpression: INVALID_INPUT, INVALID_PROGRAM, NO_NAME_EXPRESSIONS_AFTER_COMPILATION.
NVRTC_ENTRY nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* const name_expression) {
  return on_program(prog, [&](Program& program) {
    if (name_expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(program.mutex);
    if (program.compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program.expressions.insert(name_expression);
    return NVRTC_SUCCESS;
  });
}

// nvrtcGetLoweredName: INVALID_INPUT, NO_LOWERED_NAMES_BEFORE_COMPILATION, NAME_EXPRESSION_NOT_VALID. After a
// compile that failed it is still "before" (measured). The name lives as long as the program.
NVRTC_ENTRY nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* const name_expression,
                                            const char** lowered_name) {
  return on_program(prog, [&](Program& program) {
    if (name_expression == nullptr || lowered_name == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(program.mutex);
    if (!program.compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program.lowered.find(name_expression);
    if (found == program.lowered.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered_name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}

// nvrtcGetPCHHeapSize: INVALID_INPUT. There are no precompiled headers here; the size is only kept.
NVRTC_ENTRY nvrtcResult nvrtcGetPCHHeapSize(size_t* ret) {
  if (ret == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *ret = heap_size;
  return NVRTC_SUCCESS;
}

NVRTC_ENTRY nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
  heap_size = size;
  return NVRTC_SUCCESS;
}

// nvrtcGetPCHCreateStatus: NO_PCH_CREATE_ATTEMPTED, PCH_CREATE, INVALID_PROGRAM. None was ever attempted.
NVRTC_ENTRY nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog) {
  return on_program(prog, [](Program&) { return NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED; });
}

// nvrtcGetPCHHeapSizeRequired: INVALID_PROGRAM, INVALID_INPUT. 0 where no precompiled header was made
// (measured).
NVRTC_ENTRY nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t* size) {
  return give_size(prog, size, [](const Program&) { return std::size_t{0}; });
}

// nvrtcSetFlowCallback: INVALID_PROGRAM, INVALID_INPUT.
NVRTC_ENTRY nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void*, void*),
                                             void* payload) {
  return on_program(prog, [&](Program& program) {
    if (callback == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(program.mutex);
    program.callback = callback;
    program.payload = payload;
    return NVRTC_SUCCESS;
  });
}
