// SPDX-License-Identifier: MIT
// Launches: limits, parameters of every size, what kernels compute, cooperative ones, printing, and faults,
// each of which sticks and therefore has a process of its own. Must not depend on how modules are found.
#include <cudaProfiler.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <thread>

#include "support.hpp"

namespace conformance {
namespace {

TEST(launch, limits_of_grid_block_and_shared_memory) {
  const Context context;
  const Module module;
  CUfunction const empty = module.function("empty");
  struct Case {
    unsigned grid[3], block[3], shared;
    CUresult expected;
  };
  const Case cases[] = {
      {{1, 1, 1}, {1, 1, 1}, 0, CUDA_SUCCESS},
      {{0, 1, 1}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 0, 1}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 1, 0}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {0, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 65535, 1}, {1, 1, 1}, 0, CUDA_SUCCESS},
      {{1, 65536, 1}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 1, 65536}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
      {{0x80000000U, 1, 1}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {1024, 1, 1}, 0, CUDA_SUCCESS},
      {{1, 1, 1}, {1025, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {1, 1, 64}, 0, CUDA_SUCCESS},
      {{1, 1, 1}, {1, 1, 65}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {32, 32, 1}, 0, CUDA_SUCCESS},
      {{1, 1, 1}, {32, 32, 2}, 0, CUDA_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {1, 1, 1}, 49152, CUDA_SUCCESS},
      {{1, 1, 1}, {1, 1, 1}, 49153, CUDA_ERROR_INVALID_VALUE},
  };
  for (const Case& one : cases) {
    ANSWERS(one.expected, cuLaunchKernel(empty, one.grid[0], one.grid[1], one.grid[2], one.block[0],
                                         one.block[1], one.block[2], one.shared, nullptr, nullptr, nullptr));
  }
  SUCCEEDS(cuCtxSynchronize());
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

TEST(launch, directives_of_the_kernel_limit_the_block) {
  const Context context;
  const Module module;
  SUCCEEDS(launch(module.function("at_most_64"), {.threads = 64}));
  SUCCEEDS(launch(module.function("at_most_64"), {.threads = 1}));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, launch(module.function("at_most_64"), {.threads = 65}));
  SUCCEEDS(launch(module.function("exactly_64"), {.threads = 64}));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, launch(module.function("exactly_64"), {.threads = 32}));
  SUCCEEDS(cuCtxSynchronize());
}

struct Twelve {
  unsigned words[3];
};
struct alignas(16) Sixteen {
  std::uint64_t words[2];
};

// What the kernel `parameters` stores.
void check_parameters(CUdeviceptr p) {
  EQUAL(0xab, read<unsigned>(p));
  EQUAL(0xcdef, read<unsigned>(p + 4));
  EQUAL(0x12345678, read<unsigned>(p + 8));
  EQUAL(0x1122334455667788, read<std::uint64_t>(p + 16));
  EQUAL(1.5F, read<float>(p + 24));
  EQUAL(2.25, read<double>(p + 32));
  EQUAL(33, read<unsigned>(p + 40));
  EQUAL(55, read<std::uint64_t>(p + 48));
  EQUAL(0x7f, read<unsigned>(p + 56));
}

TEST(launch, parameters_of_every_size_arrive) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(64);
  SUCCEEDS(launch(module.function("parameters"), {}, p, std::uint8_t{0xab}, std::uint16_t{0xcdef},
                  0x12345678U, std::uint64_t{0x1122334455667788}, 1.5F, 2.25, Twelve{{11, 22, 33}},
                  Sixteen{{44, 55}}, std::uint8_t{0x7f}));
  SUCCEEDS(cuCtxSynchronize());
  check_parameters(p);
}

TEST(launch, parameters_can_come_as_one_buffer) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(64);
  struct alignas(16) Packed {
    CUdeviceptr p;
    std::uint8_t a;
    std::uint16_t b;
    std::uint32_t c;
    std::uint64_t d;
    float e;
    double f;
    Twelve g;
    Sixteen h;
    std::uint8_t i;
  } packed{p, 0xab, 0xcdef, 0x12345678, 0x1122334455667788, 1.5F, 2.25, {{11, 22, 33}}, {{44, 55}}, 0x7f};
  std::size_t size = offsetof(Packed, i) + 1;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CUfunction const function = module.function("parameters");
  SUCCEEDS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  SUCCEEDS(cuCtxSynchronize());
  check_parameters(p);
  void* arguments[10] = {&packed.p, &packed.a, &packed.b, &packed.c, &packed.d,
                         &packed.e, &packed.f, &packed.g, &packed.h, &packed.i};
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, extra));
  void* no_size[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_END};
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, no_size));
  size = 4000;
  ANSWERS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
          cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

// A kernel with so many bytes of parameters: an address, and an array that it folds into one number, which
// depends on the place of each byte.
std::string folding_code(const char* version, std::size_t bytes) {
  const std::string size = std::to_string(bytes - sizeof(CUdeviceptr));
  return std::string(".version ") + version +
         "\n.target sm_70\n.address_size 64\n"
         ".visible .entry fold(.param .u64 to, .param .align 4 .b8 data[" +
         size +
         "]) {\n"
         "  .reg .b64 %rd<5>; .reg .b32 %r<4>; .reg .pred %p<2>;\n"
         "  ld.param.u64 %rd1, [to]; mov.u64 %rd2, data; mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
         "NEXT:\n"
         "  cvt.u64.u32 %rd3, %r2; add.s64 %rd4, %rd2, %rd3; ld.param.u8 %r3, [%rd4];\n"
         "  mad.lo.u32 %r1, %r1, 31, %r3; add.u32 %r2, %r2, 1;\n"
         "  setp.lt.u32 %p1, %r2, " +
         size +
         "; @%p1 bra NEXT;\n"
         "  st.global.u32 [%rd1], %r1; ret;\n}\n";
}

// Parameters of that kernel, in one buffer.
std::vector<unsigned char> folded_bytes(CUdeviceptr to, std::size_t bytes, unsigned seed) {
  std::vector<unsigned char> packed(bytes);
  std::memcpy(packed.data(), &to, sizeof to);
  for (std::size_t at = sizeof to; at < bytes; ++at)
    packed[at] = static_cast<unsigned char>((seed + at) * 2654435761U >> 24);
  return packed;
}

unsigned fold(const std::vector<unsigned char>& packed) {
  unsigned folded = 0;
  for (std::size_t at = sizeof(CUdeviceptr); at < packed.size(); ++at) folded = folded * 31 + packed[at];
  return folded;
}

CUresult launch_packed(CUfunction function, CUstream stream, std::vector<unsigned char>& packed) {
  std::size_t size = packed.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, extra);
}

CUresult launch_fold(CUfunction function, CUstream stream, std::vector<unsigned char>& packed) {
  void* arguments[] = {packed.data(), packed.data() + sizeof(CUdeviceptr)};
  return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
}

CUresult node_of_packed(CUfunction function, std::vector<unsigned char>& packed) {
  std::size_t size = packed.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CUDA_KERNEL_NODE_PARAMS said = {};
  said.func = function;
  said.gridDimX = said.gridDimY = said.gridDimZ = said.blockDimX = said.blockDimY = said.blockDimZ = 1;
  said.extra = extra;
  CUgraph graph = nullptr;
  NEEDS(cuGraphCreate(&graph, 0));
  CUgraphNode node = nullptr;
  const CUresult result = cuGraphAddKernelNode(&node, graph, nullptr, 0, &said);
  NEEDS(cuGraphDestroy(graph));
  return result;
}

void needs_large_parameters() {
  int version = 0;
  NEEDS(cuDriverGetVersion(&version));
  if (version < 12010) skip("more than 4,096 bytes of parameters need a driver of CUDA 12.1");
  if (attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) < 7)
    skip("more than 4,096 bytes of parameters need compute capability 7.0");
}

// The manual of PTX allows 32,764 bytes from version 8.1 on. Any driver launches kernels with 4,096.
TEST(launch, parameters_may_be_32764_bytes_in_all) {
  needs_large_parameters();
  const Context context;
  struct Case {
    const char* version;
    std::size_t bytes;
  };
  for (const Case& one :
       {Case{"7.0", 4096}, Case{"8.1", 4096}, Case{"8.1", 4097}, Case{"8.1", 32763}, Case{"8.1", 32764}}) {
    const Module module(folding_code(one.version, one.bytes).c_str());
    CUfunction const function = module.function("fold");
    const CUdeviceptr to = zeros(8);
    std::vector<unsigned char> packed = folded_bytes(to, one.bytes, 1);
    SUCCEEDS(launch_fold(function, nullptr, packed));
    EQUAL(fold(packed), read<unsigned>(to));
    packed = folded_bytes(to, one.bytes, 2);
    SUCCEEDS(launch_packed(function, nullptr, packed));
    EQUAL(fold(packed), read<unsigned>(to));
    packed.push_back(0);
    ANSWERS(packed.size() > 32764 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
            launch_packed(function, nullptr, packed));
    ANSWERS(CUDA_ERROR_INVALID_VALUE, node_of_packed(function, packed));
    packed.assign(32764, 0);
    if (one.bytes < 32764)
      ANSWERS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, launch_packed(function, nullptr, packed));
    packed.assign(32765, 0);
    ANSWERS(CUDA_ERROR_INVALID_VALUE, launch_packed(function, nullptr, packed));
    packed.clear();
    ANSWERS(CUDA_ERROR_INVALID_VALUE, launch_packed(function, nullptr, packed));
    std::size_t offset = 0, size = 0;
    SUCCEEDS(cuFuncGetParamInfo(function, 1, &offset, &size));
    EQUAL(sizeof to, offset);
    EQUAL(one.bytes - sizeof to, size);
  }
}

TEST(launch, parameters_of_32764_bytes_are_copied_before_the_call_returns_and_by_a_capture) {
  needs_large_parameters();
  const Context context;
  const Module module(folding_code("8.1", 32764).c_str()), kernels;
  CUfunction const function = module.function("fold");
  CUstream const stream = make_stream();
  const CUdeviceptr to = zeros(64);
  unsigned expected[16];
  SUCCEEDS(spin(kernels, 20, stream));
  for (unsigned at = 0; at < 16; ++at) {
    std::vector<unsigned char> packed = folded_bytes(to + 4 * at, 32764, at);
    expected[at] = fold(packed);
    SUCCEEDS(at % 2 == 0 ? launch_fold(function, stream, packed) : launch_packed(function, stream, packed));
    std::fill(packed.begin(), packed.end(), static_cast<unsigned char>(0xee));
  }
  SUCCEEDS(cuStreamSynchronize(stream));
  for (unsigned at = 0; at < 16; ++at) EQUAL(expected[at], read<unsigned>(to + 4 * at));

  NEEDS(cuMemsetD32(to, 0, 16));
  std::vector<unsigned char> packed = folded_bytes(to, 32764, 77);
  expected[0] = fold(packed);
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  NEEDS(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SUCCEEDS(launch_fold(function, stream, packed));
  NEEDS(cuStreamEndCapture(stream, &graph));
  std::fill(packed.begin(), packed.end(), static_cast<unsigned char>(0xee));
  NEEDS(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 2; ++round) {
    NEEDS(cuMemsetD32(to, 0, 16));
    SUCCEEDS(cuGraphLaunch(executable, stream));
    SUCCEEDS(cuStreamSynchronize(stream));
    EQUAL(expected[0], read<unsigned>(to));
  }
  SUCCEEDS(cuGraphExecDestroy(executable));
  SUCCEEDS(cuGraphDestroy(graph));
}

// One byte more than the version of the text allows is a mistake in the text, in the assembler's words.
// Before version 8.1 the assembler takes 4,352 bytes; whether a driver does was not measured.
TEST(launch, code_says_how_many_bytes_of_parameters_there_may_be) {
  needs_large_parameters();
  const Context context;
  const auto load = [](const char* version, std::size_t bytes, std::string& log) {
    log.assign(4096, '\0');
    CUmodule module = nullptr;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    return cuModuleLoadDataEx(&module, folding_code(version, bytes).c_str(), 2, options, values);
  };
  std::string log;
  const auto says = [&log](const char* words) { return log.find(words) != std::string::npos; };
  ANSWERS(CUDA_SUCCESS, load("8.1", 32764, log));
  ANSWERS(CUDA_ERROR_INVALID_PTX, load("8.1", 32765, log));
  HOLDS(says("Entry function 'fold' uses too much parameter space (0x7ffd bytes, 0x7ffc max)"));
  ANSWERS(CUDA_SUCCESS, load("8.0", 4096, log));
  PROBABLY_ANSWERS(CUDA_SUCCESS, load("8.0", 4352, log));
  ANSWERS(CUDA_ERROR_INVALID_PTX, load("8.0", 4353, log));
  HOLDS(says("'Kernel parameter size larger than 4352 bytes' requires PTX ISA .version 8.1 or later"));
}

TEST(launch, can_be_told_in_parts) {
  const Context context;
  const Module module;
  CUfunction const saxpy = module.function("saxpy");
  CUdeviceptr x = zeros(32);
  CUdeviceptr y = zeros(32);
  NEEDS(cuMemsetD32(x, 0x3f800000, 8));  // 1.0
  SUCCEEDS(cuFuncSetBlockShape(saxpy, 2, 1, 1));
  SUCCEEDS(cuFuncSetSharedSize(saxpy, 64));
  SUCCEEDS(cuParamSetv(saxpy, 0, &x, sizeof x));
  SUCCEEDS(cuParamSetv(saxpy, 8, &y, sizeof y));
  SUCCEEDS(cuParamSetf(saxpy, 16, 2.0F));
  SUCCEEDS(cuParamSeti(saxpy, 20, 5));
  SUCCEEDS(cuParamSetSize(saxpy, 24));
  SUCCEEDS(cuLaunch(saxpy));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(2.0F, read<float>(y + 4));
  EQUAL(0.0F, read<float>(y + 8));
  SUCCEEDS(cuLaunchGrid(saxpy, 4, 1));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(4.0F, read<float>(y + 4));
  EQUAL(2.0F, read<float>(y + 16));
  EQUAL(0.0F, read<float>(y + 20));
  CUstream const stream = make_stream();
  SUCCEEDS(cuParamSeti(saxpy, 20, 1));
  SUCCEEDS(cuLaunchGridAsync(saxpy, 4, 1, stream));
  SUCCEEDS(cuStreamSynchronize(stream));
  EQUAL(6.0F, read<float>(y));
  EQUAL(4.0F, read<float>(y + 4));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(saxpy, 0, 1, 1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(saxpy, 0, 1));
}

TEST(launch, told_in_parts_has_one_thread_when_no_shape_was_told) {
  const Context context;
  const Module module;
  SUCCEEDS(cuLaunch(module.function("empty")));
  SUCCEEDS(cuCtxSynchronize());
}

TEST(launch, arguments_are_copied_before_the_call_returns) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(64);
  SUCCEEDS(spin(module, 20));
  for (unsigned at = 0; at < 16; ++at) SUCCEEDS(launch(module.function("store"), {}, p + 4 * at, at));
  SUCCEEDS(cuCtxSynchronize());
  for (unsigned at = 0; at < 16; ++at) EQUAL(at, read<unsigned>(p + 4 * at));
}

TEST(launch, every_thread_knows_where_it_is) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4 * 2 * 3 * 2 * 4 * 2 * 3);
  CUdeviceptr argument = p;
  void* arguments[] = {&argument};
  SUCCEEDS(cuLaunchKernel(module.function("where_am_i"), 2, 3, 2, 4, 2, 3, 0, nullptr, arguments, nullptr));
  const auto found = read_many<unsigned>(p, 2 * 3 * 2 * 4 * 2 * 3);
  unsigned at = 0, wrong = 0;
  for (unsigned bz = 0; bz < 2; ++bz) {
    for (unsigned by = 0; by < 3; ++by) {
      for (unsigned bx = 0; bx < 2; ++bx) {
        for (unsigned thread = 0; thread < 24; ++thread, ++at) {
          const unsigned expected =
              bz << 20 | by << 16 | bx << 12 | (thread / 8) << 8 | (thread / 4 % 2) << 4 | thread % 4;
          wrong += found[at] == expected ? 0 : 1;
        }
      }
    }
  }
  EQUAL(0, wrong);
}

TEST(kernel, computes_saxpy_as_the_host_does) {
  const Context context;
  const Module module;
  constexpr unsigned count = 10007;
  std::vector<float> x(count), y(count);
  for (unsigned at = 0; at < count; ++at) {
    x[at] = static_cast<float>(at) * 0.25F;
    y[at] = 1.0F;
  }
  const CUdeviceptr dx = allocate(4 * count), dy = allocate(4 * count);
  NEEDS(cuMemcpyHtoD(dx, x.data(), 4 * count));
  NEEDS(cuMemcpyHtoD(dy, y.data(), 4 * count));
  SUCCEEDS(
      launch(module.function("saxpy"), {.blocks = (count + 255) / 256, .threads = 256}, dx, dy, 2.0F, count));
  const auto result = read_many<float>(dy, count);
  unsigned wrong = 0;
  for (unsigned at = 0; at < count; ++at) wrong += result[at] == 2.0F * x[at] + 1.0F ? 0 : 1;
  EQUAL(0, wrong);
}

TEST(kernel, barriers_and_shared_memory_reverse_and_sum) {
  const Context context;
  const Module module;
  std::vector<unsigned> numbers(1024);
  std::iota(numbers.begin(), numbers.end(), 1U);
  const CUdeviceptr p = allocate(4096), sums = zeros(16);
  NEEDS(cuMemcpyHtoD(p, numbers.data(), 4096));
  SUCCEEDS(launch(module.function("reverse"), {.threads = 1024, .shared = 4096}, p, 1024U));
  EQUAL(1024, read<unsigned>(p));
  EQUAL(1, read<unsigned>(p + 4092));
  SUCCEEDS(launch(module.function("block_sum"), {.blocks = 4, .threads = 256}, p, sums));
  const auto result = read_many<unsigned>(sums, 4);
  EQUAL(1024 * 1025 / 2, result[0] + result[1] + result[2] + result[3]);
  EQUAL((769 + 1024) * 256 / 2, result[0]);
  SUCCEEDS(launch(module.function("with_shared"), {.threads = 64}, sums));
  EQUAL(7, read<unsigned>(sums));
}

TEST(kernel, atomics_lose_nothing) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  SUCCEEDS(launch(module.function("count_up"), {.blocks = 97, .threads = 193}, p));
  EQUAL(97 * 193, read<unsigned>(p));
}

TEST(kernel, lanes_of_a_warp_vote_and_exchange) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(32 * 16);
  SUCCEEDS(launch(module.function("lanes"), {.threads = 32}, p));
  const auto words = read_many<unsigned>(p, 128);
  unsigned wrong = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    wrong += words[4 * lane] == 0xaaaaaaaa ? 0 : 1;
    wrong += words[4 * lane + 1] == (lane == 31 ? 31 : lane + 1) ? 0 : 1;
    wrong += words[4 * lane + 2] == (lane ^ 16) ? 0 : 1;
    wrong += words[4 * lane + 3] == 3 ? 0 : 1;
  }
  EQUAL(0, wrong);
}

TEST(kernel, dividing_by_zero_is_no_fault) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(8);
  SUCCEEDS(launch(module.function("divide"), {}, p, -7, 2));
  EQUAL(-3, read<int>(p));
  EQUAL(-1, read<int>(p + 4));
  SUCCEEDS(launch(module.function("divide"), {}, p, 7, 0));
  SUCCEEDS(cuCtxSynchronize());
}

TEST(kernel, recursion_has_the_stack_that_was_asked_for) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  SUCCEEDS(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 128 * 1024));
  SUCCEEDS(launch(module.function("recurse"), {}, 60U, p));
  SUCCEEDS(cuCtxSynchronize());
  EQUAL(1830, read<unsigned>(p));
}

TEST(launch, a_function_belongs_to_its_context) {
  const Context a;
  const Module module;
  CUfunction const function = module.function("empty");
  const Context b;
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, launch(function, {}));
  NEEDS(cuCtxPushCurrent(a));
  SUCCEEDS(launch(function, {}));
  SUCCEEDS(cuCtxSynchronize());
  NEEDS(cuCtxPopCurrent(nullptr));
}

TEST(launch, threads_launch_at_the_same_time) {
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  CUfunction const count_up = module.function("count_up");
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int at = 0; at < 4; ++at) {
    threads.emplace_back([&] {
      NEEDS(cuCtxSetCurrent(context));
      CUstream const stream = make_stream();
      for (int round = 0; round < 50; ++round) {
        NEEDS(launch(count_up, {.threads = 32, .stream = stream}, p));
      }
      NEEDS(cuStreamSynchronize(stream));
      NEEDS(cuStreamDestroy(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EQUAL(4 * 50 * 32, read<int>(p));
}

TEST(launch, cooperative_grids_must_fit_at_once) {
  const Context context;
  const Module module;
  CUfunction const empty = module.function("empty");
  SUCCEEDS(cuLaunchCooperativeKernel(empty, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr));
  ANSWERS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchCooperativeKernel(empty, 1000000, 1, 1, 1024, 1, 1, 0, nullptr, nullptr));
  SUCCEEDS(cuCtxSynchronize());
}

TEST(launch, one_call_launches_on_several_devices) {
  needs_two_devices();
  if (attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH) == 0) skip("cannot launch on several");
  const Context contexts[2] = {Context(0), Context(1)};
  CUDA_LAUNCH_PARAMS both[2] = {};
  CUdeviceptr memory[2] = {};
  unsigned values[2] = {11, 22};
  void* parameters[2][2] = {};
  for (int i = 0; i < 2; ++i) {
    NEEDS(cuCtxSetCurrent(contexts[i]));
    CUmodule module = nullptr;
    NEEDS(cuModuleLoadData(&module, kDeviceCode));
    NEEDS(cuModuleGetFunction(&both[i].function, module, "store"));
    memory[i] = zeros(64);
    NEEDS(cuStreamCreate(&both[i].hStream, CU_STREAM_NON_BLOCKING));
    both[i].gridDimX = both[i].gridDimY = both[i].gridDimZ = 1;
    both[i].blockDimX = both[i].blockDimY = both[i].blockDimZ = 1;
    parameters[i][0] = &memory[i];
    parameters[i][1] = &values[i];
    both[i].kernelParams = parameters[i];
  }
  for (unsigned flags = 0; flags < 4; ++flags) {
    ++values[0], ++values[1];
    SUCCEEDS(cuLaunchCooperativeKernelMultiDevice(both, 2, flags));
    for (int i = 0; i < 2; ++i) {
      SUCCEEDS(cuStreamSynchronize(both[i].hStream));
      EQUAL(values[i], read<unsigned>(memory[i]));
    }
  }
  const auto refused = [&both](CUresult expected, auto change, unsigned count = 2, unsigned flags = 0) {
    CUDA_LAUNCH_PARAMS changed[3] = {both[0], both[1], both[0]};
    change(changed);
    ANSWERS(expected, cuLaunchCooperativeKernelMultiDevice(changed, count, flags));
  };
  const auto as_it_is = [](CUDA_LAUNCH_PARAMS*) {};
  refused(CUDA_ERROR_INVALID_VALUE, as_it_is, 0);
  refused(CUDA_ERROR_INVALID_VALUE, as_it_is, 2, 4);
  refused(CUDA_ERROR_INVALID_VALUE, as_it_is, 99);
  refused(CUDA_ERROR_INVALID_VALUE, [](CUDA_LAUNCH_PARAMS* all) { all[1].gridDimX = 2; });
  refused(CUDA_ERROR_INVALID_VALUE, [](CUDA_LAUNCH_PARAMS* all) { all[1].blockDimX = 2; });
  refused(CUDA_ERROR_INVALID_VALUE, [](CUDA_LAUNCH_PARAMS* all) { all[1].sharedMemBytes = 64; });
  refused(CUDA_ERROR_INVALID_HANDLE, [](CUDA_LAUNCH_PARAMS* all) { all[1].hStream = nullptr; });
  refused(CUDA_ERROR_INVALID_HANDLE, [](CUDA_LAUNCH_PARAMS* all) { all[1].function = all[0].function; });
  refused(CUDA_ERROR_INVALID_HANDLE, [](CUDA_LAUNCH_PARAMS* all) { all[1].hStream = all[0].hStream; });
  refused(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          [](CUDA_LAUNCH_PARAMS* all) { all[0].gridDimX = all[1].gridDimX = 100000; });
  refused(CUDA_ERROR_INVALID_DEVICE, [](CUDA_LAUNCH_PARAMS* all) { all[1] = all[0]; });
}

TEST(launch, the_configuration_may_be_a_struct) {
  const Context context;
  const Module module;
  CUdeviceptr p = zeros(4);
  CUlaunchConfig config{};
  config.gridDimX = 3;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 7;
  config.blockDimY = config.blockDimZ = 1;
  void* arguments[] = {&p};
  SUCCEEDS(cuLaunchKernelEx(&config, module.function("count_up"), arguments, nullptr));
  EQUAL(21, read<int>(p));
  config.blockDimX = 0;
  ANSWERS(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernelEx(&config, module.function("count_up"), arguments, nullptr));
}

// Blocks of a cluster: each stores its number, and reads that of the next one in its memory.
const char* const kClusterCode = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry next(.param .u64 out) {
  .reg .b64 %rd<4>; .reg .b32 %r<9>;
  .shared .b32 own;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %ctaid.x;
  st.shared.u32 [own], %r3;
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  add.u32 %r4, %r1, 1; rem.u32 %r4, %r4, %r2;
  mov.u32 %r5, own; mapa.shared::cluster.u32 %r6, %r5, %r4; ld.shared::cluster.u32 %r7, [%r6];
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  mad.lo.u32 %r7, %r7, 10, %r2;
  mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r7;
  ret;
}
.visible .entry pairs() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
)";

TEST(launch, blocks_of_a_cluster_read_each_others_memory) {
  const Context context;
  int has = 0;
  NEEDS(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 0));
  if (has == 0) skip("needs a device with clusters");
  const Module module(kClusterCode);
  CUdeviceptr out = zeros(32);
  void* arguments[] = {&out};
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  CUlaunchConfig config{};
  config.gridDimX = 8;
  config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUfunction const next = module.function("next");
  for (const unsigned blocks : {1U, 2U, 4U, 8U}) {
    attribute.value.clusterDim = {blocks, 1, 1};
    SUCCEEDS(cuLaunchKernelEx(&config, next, arguments, nullptr));
    SUCCEEDS(cuCtxSynchronize());
    for (unsigned block = 0; block < 8; ++block)
      EQUAL((block / blocks * blocks + (block + 1) % blocks) * 10 + blocks, read<unsigned>(out + 4 * block));
  }
  attribute.value.clusterDim = {3, 1, 1};
  ANSWERS(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&config, next, arguments, nullptr));
  attribute.value.clusterDim = {16, 1, 1};
  config.gridDimX = 16;
  ANSWERS(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&config, next, arguments, nullptr));
  int clusters = -1, largest = -1;
  attribute.value.clusterDim = {2, 1, 1};
  SUCCEEDS(cuOccupancyMaxActiveClusters(&clusters, next, &config));
  EQUAL(true, clusters > 0);
  SUCCEEDS(cuOccupancyMaxPotentialClusterSize(&largest, next, &config));
  EQUAL(8, largest);
  // A size that the kernel requires is that of each launch.
  CUfunction const pairs = module.function("pairs");
  SUCCEEDS(cuLaunchKernel(pairs, 8, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  ANSWERS(CUDA_ERROR_INVALID_CLUSTER_SIZE,
          cuLaunchKernel(pairs, 7, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  attribute.value.clusterDim = {4, 1, 1};
  ANSWERS(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&config, pairs, nullptr, nullptr));
  SUCCEEDS(cuCtxSynchronize());
}

// What a function wrote to a descriptor.
template <typename Body>
std::string captured(int descriptor, Body body) {
  char name[] = "/tmp/conformance_XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) return {};
  unlink(name);
  std::fflush(nullptr);
  const int kept = dup(descriptor);
  dup2(file, descriptor);
  body();
  std::fflush(nullptr);
  dup2(kept, descriptor);
  close(kept);
  std::string text(4096, '\0');
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  close(file);
  return text;
}

TEST_ALONE(printing, reaches_standard_output_at_the_next_synchronisation) {
  NEEDS(cuInit(0));
  const Context context;
  const Module module(kPrintingCode);
  CUfunction const say = module.function("say");
  const std::string text = captured(1, [&] {
    SUCCEEDS(launch(say, {.threads = 2}, 41));
    SUCCEEDS(cuCtxSynchronize());
  });
  EQUAL("value = 41!\nvalue = 42!\n", text);
}

TEST_ALONE(fault, an_assertion_says_what_failed_and_sticks) {
  NEEDS(cuInit(0));
  const Context context;
  const Module module(kPrintingCode);
  CUfunction const fails = module.function("fails");
  const std::string text = captured(2, [&] {
    SUCCEEDS(launch(fails, {}));
    ANSWERS(CUDA_ERROR_ASSERT, cuCtxSynchronize());
  });
  EQUAL("a.cu:42: go(): block: [0,0,0], thread: [0,0,0] Assertion `x > 0` failed.\n", text);
  ANSWERS(CUDA_ERROR_ASSERT, cuCtxSynchronize());
}

// After a fault, every call of this process that uses the device returns its error; calls that only concern
// the host still work.
void check_that_it_sticks(Context& context, CUresult fault) {
  CUdeviceptr address = 0;
  CUcontext other = nullptr;
  CUdevice device = 9;
  CUmodule module = nullptr;
  CUstream stream = nullptr;
  int count = 0;
  ANSWERS(fault, cuCtxSynchronize());
  ANSWERS(fault, cuCtxSynchronize());
  ANSWERS(fault, cuMemAlloc(&address, 64));
  ANSWERS(fault, cuStreamQuery(nullptr));
  ANSWERS(fault, create_context(&other, 0, 0));
  ANSWERS(fault, cuModuleLoadData(&module, kDeviceCode));
  ANSWERS(fault, cuStreamCreate(&stream, 0));
  SUCCEEDS(cuCtxGetDevice(&device));
  SUCCEEDS(cuDeviceGetCount(&count));
  HOLDS(current() == context);
  SUCCEEDS(context.destroy());
  ANSWERS(fault, create_context(&other, 0, 0));
}

template <typename Launch>
void check_fault(CUresult fault, Launch launch_it) {
  NEEDS(cuInit(0));
  Context context;
  const Module module;
  const CUdeviceptr p = zeros(4096);
  SUCCEEDS(launch_it(module, p));
  check_that_it_sticks(context, fault);
}

TEST_ALONE(fault, a_store_to_null_is_an_illegal_address) {
  check_fault(CUDA_ERROR_ILLEGAL_ADDRESS, [](const Module& module, CUdeviceptr) {
    return launch(module.function("store"), {}, CUdeviceptr{0}, 3U);
  });
}
TEST_ALONE(fault, a_load_from_nowhere_is_an_illegal_address) {
  check_fault(CUDA_ERROR_ILLEGAL_ADDRESS, [](const Module& module, CUdeviceptr p) {
    return launch(module.function("load"), {}, CUdeviceptr{0x10}, p);
  });
}
TEST_ALONE(fault, the_hosts_memory_is_out_of_reach) {
  static unsigned host = 7;
  check_fault(CUDA_ERROR_ILLEGAL_ADDRESS, [](const Module& module, CUdeviceptr) {
    return launch(module.function("store_anywhere"), {}, reinterpret_cast<CUdeviceptr>(&host), 3U);
  });
  EQUAL(7, host);
}
TEST_ALONE(fault, freed_memory_is_gone) {
  check_fault(CUDA_ERROR_ILLEGAL_ADDRESS, [](const Module& module, CUdeviceptr) {
    const CUdeviceptr freed = allocate(64 << 20);
    SUCCEEDS(cuMemFree(freed));
    return launch(module.function("store"), {}, freed, 3U);
  });
}
TEST_ALONE(fault, an_odd_address_is_misaligned) {
  check_fault(CUDA_ERROR_MISALIGNED_ADDRESS, [](const Module& module, CUdeviceptr p) {
    return launch(module.function("store"), {}, p + 1, 3U);
  });
}
TEST_ALONE(fault, what_is_allocated_nowhere_is_misaligned_first) {
  check_fault(CUDA_ERROR_MISALIGNED_ADDRESS, [](const Module& module, CUdeviceptr) {
    return launch(module.function("store_anywhere"), {}, CUdeviceptr{0x2000000000001}, 3U);
  });
}
TEST_ALONE(fault, a_vector_needs_the_alignment_of_the_whole) {
  check_fault(CUDA_ERROR_MISALIGNED_ADDRESS,
              [](const Module& module, CUdeviceptr p) { return launch(module.function("wide"), {}, p + 8); });
}
TEST_ALONE(fault, a_trap_is_a_failed_launch) {
  check_fault(CUDA_ERROR_LAUNCH_FAILED,
              [](const Module& module, CUdeviceptr) { return launch(module.function("traps"), {}); });
}
TEST_ALONE(fault, a_stack_that_is_too_small_is_an_illegal_address) {
  check_fault(CUDA_ERROR_ILLEGAL_ADDRESS, [](const Module& module, CUdeviceptr p) {
    return launch(module.function("recurse"), {}, 1000000U, p);
  });
}
TEST_ALONE(fault, shared_memory_far_out_is_an_illegal_instruction) {
  NEEDS(cuInit(0));
  Context context;
  const Module module;
  SUCCEEDS(launch(module.function("shared_out"), {}, 64U << 20));
  check_that_it_sticks(context, CUDA_ERROR_ILLEGAL_INSTRUCTION);
}

TEST_ALONE(fault, it_is_found_by_whatever_waits_first) {
  NEEDS(cuInit(0));
  const Context context;
  const Module module;
  CUstream const stream = make_stream();
  CUevent const event = make_event();
  SUCCEEDS(launch(module.function("traps"), {.stream = stream}));
  ANSWERS(CUDA_SUCCESS, cuEventRecord(event, stream));
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuEventSynchronize(event));
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuStreamSynchronize(stream));
  int value = 0;
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuMemcpyDtoH(&value, 4096, 4));
}

TEST_ALONE(fault, destroying_its_context_does_not_return_it) {
  NEEDS(cuInit(0));
  Context context;
  const Module module;
  SUCCEEDS(launch(module.function("traps"), {}));
  SUCCEEDS(context.destroy());
  CUcontext other = nullptr;
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, create_context(&other, 0, 0));
}

// The programming guide's chapter on environment variables; truth launch_blocking_stream.
TEST_ALONE(launch, returns_the_fault_if_launches_are_to_wait) {
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  NEEDS(cuInit(0));
  const Context context;
  const Module module;
  const CUdeviceptr p = zeros(4);
  CUstream const stream = make_stream();
  SUCCEEDS(launch(module.function("store"), {.stream = stream}, p, 3U));
  SUCCEEDS(cuStreamQuery(stream));
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, launch(module.function("traps"), {.stream = stream}));
  ANSWERS(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
}

TEST_ALONE(fault, a_kernel_of_another_device_may_not_reach_this_one) {
  NEEDS(cuInit(0));
  needs_two_devices();
  const Context a(0);
  const CUdeviceptr p = zeros(64);
  const Context b(1);
  const Module module;
  SUCCEEDS(launch(module.function("store"), {}, p, 3U));
  ANSWERS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  ANSWERS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  NEEDS(cuCtxSetCurrent(a));
  int value = 0;
  ANSWERS(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemcpyDtoH(&value, p, 4));
}

TEST(launch, can_be_watched_by_a_profiler_in_a_context) {
  const Context context;
  for (int round = 0; round < 2; ++round) SUCCEEDS(cuProfilerStart());
  for (int round = 0; round < 2; ++round) SUCCEEDS(cuProfilerStop());
  std::thread([] {
    ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuProfilerStart());
    ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuProfilerStop());
  }).join();
}

}  // namespace
}  // namespace conformance
