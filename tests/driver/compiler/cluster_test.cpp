// SPDX-License-Identifier: MIT
// Blocks of a cluster: what they know of it, how they wait for each other, and the shared memory of others.
//
// Every kernel runs compiled and interpreted, on a device that has clusters.
#include <cuda.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::uint32_t>;
using Triple = std::array<unsigned, 3>;

// Before the driver is first used.
const bool chosen = setenv("DRIVERLAB_DEVICE", "h200", 1) == 0;

struct Trial {
  std::string
      body;  // in the kernel k(out), with %out in %rd1, and the number of the thread in the grid in %r1
  Triple grid = {4, 1, 1}, cluster = {2, 1, 1};
  unsigned threads = 4;
  bool cooperative = false;
  std::string before = "";      // functions
  std::string directives = "";  // of the kernel
};

std::string text_of(const Trial& trial) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + trial.before +
         ".visible .entry k(.param .u64 out) " + trial.directives +
         " {\n"
         ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<5>;\n"
         ".shared .align 8 .b32 own[64]; .shared .align 8 .b32 flag;\n"
         "ld.param.u64 %rd1, [out];\n"
         "mov.u32 %r30, %ctaid.x; mov.u32 %r31, %ctaid.y; mov.u32 %r32, %ctaid.z;\n"
         "mov.u32 %r33, %nctaid.x; mov.u32 %r34, %nctaid.y; mov.u32 %r35, %ntid.x; mov.u32 %r36, %tid.x;\n"
         "mad.lo.u32 %r37, %r32, %r34, %r31; mad.lo.u32 %r37, %r37, %r33, %r30;\n"
         "mad.lo.u32 %r1, %r37, %r35, %r36;\n" +
         trial.body + "\nret;\n}\n";
}

// The first `count` words of what the kernel has written; none where it failed.
Words run(const char* way, const Trial& trial, std::size_t count) {
  setenv("DRIVERLAB_KERNELS", way, 1);
  Words words(count);
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CUdeviceptr out = 0;
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxCreate(&context, nullptr, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoadData(&module, text_of(trial).c_str()), CUDA_SUCCESS) << text_of(trial);
  if (module == nullptr) return {};
  EXPECT_EQ(cuModuleGetFunction(&kernel, module, "k"), CUDA_SUCCESS);
  EXPECT_EQ(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc(&out, count * 4), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD32(out, 0, count), CUDA_SUCCESS);
  CUlaunchAttribute attributes[2] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[0].value.clusterDim = {trial.cluster[0], trial.cluster[1], trial.cluster[2]};
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[1].value.cooperative = trial.cooperative ? 1 : 0;
  CUlaunchConfig config = {};
  config.gridDimX = trial.grid[0];
  config.gridDimY = trial.grid[1];
  config.gridDimZ = trial.grid[2];
  config.blockDimX = trial.threads;
  config.blockDimY = config.blockDimZ = 1;
  config.attrs = attributes;
  config.numAttrs = 2;
  void* parameters[] = {&out};
  EXPECT_EQ(cuLaunchKernelEx(&config, kernel, parameters, nullptr), CUDA_SUCCESS);
  const CUresult result = cuCtxSynchronize();
  EXPECT_EQ(result, CUDA_SUCCESS) << way << "\n" << text_of(trial);
  if (result == CUDA_SUCCESS) {
    EXPECT_EQ(cuMemcpyDtoH(words.data(), out, count * 4), CUDA_SUCCESS);
  }
  cuCtxDestroy(context);
  return result == CUDA_SUCCESS ? words : Words();
}

// One word of each thread, as the host computes it of (block in the grid, thread in the block).
void both_write(const Trial& trial, const std::function<std::uint32_t(unsigned, unsigned)>& expected) {
  const unsigned blocks = trial.grid[0] * trial.grid[1] * trial.grid[2];
  Words wanted;
  for (unsigned i = 0; i < blocks * trial.threads; ++i)
    wanted.push_back(expected(i / trial.threads, i % trial.threads));
  EXPECT_EQ(run("compiled", trial, wanted.size()), wanted) << text_of(trial);
  EXPECT_EQ(run("interpreted", trial, wanted.size()), wanted) << text_of(trial);
}

// %r2 the rank, %r3 the size, %r4 the rank of the next block, %r5 the address of this thread's word.
const std::string ranks =
    "mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %cluster_nctarank;\n"
    "add.u32 %r4, %r2, 1; rem.u32 %r4, %r4, %r3; mov.u32 %r5, own; mad.lo.u32 %r5, %r36, 4, %r5;\n";
const std::string wait = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
std::string write_out(const std::string& word) {
  return "mul.wide.u32 %rd18, %r1, 4; add.u64 %rd18, %rd1, %rd18; st.global.u32 [%rd18], " + word + ";\n";
}

TEST(clusters, a_block_reads_the_shared_memory_of_the_next) {
  const std::string ways[] = {
      "mapa.shared::cluster.u32 %r10, %r5, %r4; ld.shared::cluster.u32 %r11, [%r10];\n",
      "cvt.u64.u32 %rd2, %r5; cvta.shared.u64 %rd2, %rd2; mapa.u64 %rd3, %rd2, %r4; ld.u32 %r11, [%rd3];\n",
      "mapa.shared::cluster.u32 %r10, %r5, %r4; cvt.u64.u32 %rd2, %r10; cvta.shared::cluster.u64 %rd2, "
      "%rd2;\n"
      "ld.volatile.u32 %r11, [%rd2];\n",
      "cvt.u64.u32 %rd2, %r5; cvta.shared.u64 %rd2, %rd2; mapa.u64 %rd3, %rd2, %r4;\n"
      "cvta.to.shared::cluster.u64 %rd4, %rd3; cvt.u32.u64 %r10, %rd4; ld.shared::cluster.u32 %r11, "
      "[%r10];\n",
      "mapa.shared::cluster.u32 %r10, own, %r4; mad.lo.u32 %r10, %r36, 4, %r10;\n"
      "ld.relaxed.cluster.shared::cluster.u32 %r11, [%r10+0];\n"};
  for (const std::string& way : ways) {
    for (const unsigned size : {1U, 2U, 3U, 8U, 16U}) {
      const Trial trial{.body = ranks + "st.shared.u32 [%r5], %r1;\n" + wait + way + wait + write_out("%r11"),
                        .grid = {2 * size, 1, 1},
                        .cluster = {size, 1, 1}};
      both_write(trial, [&](unsigned block, unsigned thread) {
        return (block / size * size + (block + 1) % size) * 4 + thread;
      });
    }
  }
}

TEST(clusters, a_block_writes_to_the_shared_memory_of_all) {
  // Each block tells each other its rank.
  const std::string body = ranks +
                           "mov.u32 %r6, 0;\nagain:\nmov.u32 %r7, own; mad.lo.u32 %r7, %r2, 4, %r7;\n"
                           "mapa.shared::cluster.u32 %r8, %r7, %r6; mad.lo.u32 %r9, %r30, 10, 1;\n" +
                           wait + "setp.eq.u32 %p2, %r36, 0; @%p2 st.shared::cluster.u32 [%r8], %r9;\n" +
                           "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r3; @%p1 bra again;\n" + wait +
                           "rem.u32 %r12, %r36, %r3; mov.u32 %r7, own; mad.lo.u32 %r7, %r12, 4, %r7;\n"
                           "ld.shared.u32 %r13, [%r7];\n" +
                           write_out("%r13");
  both_write({.body = body, .grid = {8, 1, 1}, .cluster = {4, 1, 1}, .threads = 40},
             [](unsigned block, unsigned thread) { return (block / 4 * 4 + thread % 4) * 10 + 1; });
}

TEST(clusters, a_token_goes_round_and_round) {
  // In each round a block takes what the one before has, and adds one; every second wait protects the read.
  const std::string body = ranks + "st.shared.u32 [%r5], %r1; mov.u32 %r6, 0;\nagain:\n" + wait +
                           "mapa.shared::cluster.u32 %r10, %r5, %r4; ld.shared::cluster.u32 %r11, [%r10];\n" +
                           wait +
                           "add.u32 %r11, %r11, 1; st.shared.u32 [%r5], %r11;\n"
                           "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 13; @%p1 bra again;\n" +
                           write_out("%r11");
  for (const unsigned threads : {1U, 32U, 33U, 64U})
    both_write({.body = body, .grid = {8, 1, 1}, .cluster = {4, 1, 1}, .threads = threads},
               [&](unsigned block, unsigned thread) {
                 return (block / 4 * 4 + (block + 13) % 4) * threads + thread + 13;
               });
}

TEST(clusters, threads_arrive_on_different_ways_and_wait_later) {
  // Odd threads arrive before they compute, the others after; a block barrier and a vote lie between arriving
  // and waiting.
  const std::string body =
      ranks +
      "and.b32 %r6, %r36, 1; setp.eq.u32 %p1, %r6, 1; mov.u32 %r7, %r1;\n"
      "@%p1 bra odd;\nmul.lo.u32 %r7, %r7, 3; st.shared.u32 [%r5], %r7; barrier.cluster.arrive.release;\n"
      "bra both;\nodd:\nst.shared.u32 [%r5], %r7; barrier.cluster.arrive.release;\nboth:\n"
      "bar.sync 0; vote.sync.ballot.b32 %r8, %p1, 0xffffffff;\n"
      "barrier.cluster.wait.acquire;\n"
      "mapa.shared::cluster.u32 %r10, %r5, %r4; ld.shared::cluster.u32 %r11, [%r10];\n"
      "add.u32 %r11, %r11, %r8;\n" +
      wait + write_out("%r11");
  both_write({.body = body, .grid = {6, 1, 1}, .cluster = {3, 1, 1}, .threads = 64},
             [](unsigned block, unsigned thread) {
               const std::uint32_t number = (block / 3 * 3 + (block + 1) % 3) * 64 + thread;
               return (thread % 2 == 1 ? number : 3 * number) + 0xaaaaaaaaU;
             });
}

TEST(clusters, who_has_ended_is_not_waited_for) {
  const std::string body = ranks +
                           "setp.eq.u32 %p1, %r2, 1; @%p1 exit;\n"            // a whole block
                           "setp.ge.u32 %p1, %r36, 20; @%p1 exit;\n" +        // some of a warp
                           "barrier.cluster.arrive; barrier.cluster.wait;\n"  // the others, twice
                           "barrier.cluster.arrive; barrier.cluster.wait;\n" +
                           write_out("7");
  both_write({.body = body, .grid = {6, 1, 1}, .cluster = {3, 1, 1}, .threads = 48},
             [](unsigned block, unsigned thread) { return block % 3 != 1 && thread < 20 ? 7U : 0U; });
}

TEST(clusters, blocks_wait_for_a_flag_in_the_memory_of_another) {
  // Rank 0 waits for what the last one writes into its memory, and tells it on.
  const std::string body =
      ranks + "setp.eq.u32 %p1, %r36, 0; mov.u32 %r6, flag; @%p1 st.shared.u32 [%r6], 0;\n" + wait +
      "@!%p1 bra done;\n"
      "mapa.shared::cluster.u32 %r7, %r6, %r4;\n"
      "setp.ne.u32 %p2, %r2, 0; @%p2 bra watch;\n"
      "st.release.cluster.shared::cluster.u32 [%r7], 1;\n"
      "watch:\nld.acquire.cluster.shared::cluster.u32 %r8, [%r6]; setp.eq.u32 %p3, %r8, 0; @%p3 bra watch;\n"
      "add.u32 %r9, %r8, 1; setp.eq.u32 %p2, %r2, 0; @%p2 bra done;\n"
      "st.release.cluster.shared::cluster.u32 [%r7], %r9;\n"
      "done:\nbarrier.cluster.arrive; barrier.cluster.wait;\n"
      "ld.shared.u32 %r8, [%r6];\n" +
      write_out("%r8");
  both_write({.body = body, .grid = {8, 1, 1}, .cluster = {4, 1, 1}, .threads = 33},
             [](unsigned block, unsigned) { return block % 4 == 0 ? 4U : block % 4; });
}

TEST(clusters, atomic_operations_reach_the_memory_of_another) {
  const std::string body =
      ranks +
      "setp.eq.u32 %p1, %r36, 0; mov.u32 %r6, flag; @%p1 st.shared.u32 [%r6], 0; @%p1 st.shared.u32 [own], "
      "5;\n" +
      wait +
      "mapa.shared::cluster.u32 %r7, %r6, 0; red.relaxed.cluster.shared::cluster.add.u32 [%r7], 2;\n"
      "cvt.u64.u32 %rd2, %r6; cvta.shared.u64 %rd2, %rd2; mapa.u64 %rd3, %rd2, 0;\n"
      "atom.add.u32 %r8, [%rd3], 1;\n"
      "mov.u32 %r9, own; mapa.shared::cluster.u32 %r9, %r9, 0;\n"
      "atom.shared::cluster.cas.b32 %r10, [%r9], 5, 6; atom.shared::cluster.max.u32 %r11, [%r9], %r1;\n" +
      wait +
      "mapa.shared::cluster.u32 %r7, %r6, 0; ld.shared::cluster.u32 %r12, [%r7];\n"
      "ld.shared::cluster.u32 %r13, [%r9]; mad.lo.u32 %r12, %r12, 1000, %r13;\n" +
      wait + write_out("%r12");
  both_write({.body = body, .grid = {8, 1, 1}, .cluster = {4, 1, 1}, .threads = 8},
             [](unsigned block, unsigned) { return 4 * 8 * 3 * 1000 + block / 4 * 32 + 31; });
}

TEST(clusters, a_block_knows_its_place) {
  const std::string registers[] = {
      "%cluster_ctaid.x",  "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_nctaid.x", "%cluster_nctaid.y",
      "%cluster_nctaid.z", "%clusterid.x",     "%clusterid.y",     "%clusterid.z",      "%nclusterid.x",
      "%nclusterid.y",     "%nclusterid.z",    "%cluster_ctarank", "%cluster_nctarank"};
  const Triple grid = {4, 6, 4}, cluster = {2, 3, 2};
  for (std::size_t which = 0; which < std::size(registers); ++which) {
    // With a barrier the kernel is cut into regions, and without one it is not.
    for (const std::string& between : {std::string(), wait}) {
      const Trial trial{.body = between + "mov.u32 %r5, " + registers[which] + ";\n" + write_out("%r5"),
                        .grid = grid,
                        .cluster = cluster,
                        .threads = 2};
      both_write(trial, [&](unsigned block, unsigned) {
        const Triple at = {block % 4, block / 4 % 6, block / 24};
        const std::size_t axis = which % 3;
        if (which < 3) return at[axis] % cluster[axis];
        if (which < 6) return cluster[axis];
        if (which < 9) return at[axis] / cluster[axis];
        if (which < 12) return grid[axis] / cluster[axis];
        if (which == 13) return 12U;
        return at[0] % 2 + 2 * (at[1] % 3 + 3 * (at[2] % 2));
      });
    }
  }
}

TEST(clusters, an_address_says_whose_it_is) {
  const std::string body =
      ranks +
      "cvt.u64.u32 %rd2, %r5; cvta.shared.u64 %rd2, %rd2; mapa.u64 %rd3, %rd2, %r4;\n"
      "getctarank.u64 %r6, %rd3; getctarank.u64 %r7, %rd2; mapa.shared::cluster.u32 %r8, %r5, %r4;\n"
      "getctarank.shared::cluster.u32 %r8, %r8; getctarank.shared::cluster.u32 %r9, %r5;\n"
      "mad.lo.u32 %r6, %r6, 10, %r7; mad.lo.u32 %r6, %r6, 10, %r8; mad.lo.u32 %r6, %r6, 10, %r9;\n"
      "isspacep.shared::cluster %p1, %rd3; selp.u32 %r10, 1, 0, %p1; mad.lo.u32 %r6, %r6, 10, %r10;\n"
      "isspacep.shared::cta %p1, %rd3; selp.u32 %r10, 1, 0, %p1; mad.lo.u32 %r6, %r6, 10, %r10;\n"
      "isspacep.global %p1, %rd3; selp.u32 %r10, 1, 0, %p1; mad.lo.u32 %r6, %r6, 10, %r10;\n"
      "isspacep.shared::cluster %p1, %rd1; selp.u32 %r10, 1, 0, %p1; mad.lo.u32 %r6, %r6, 10, %r10;\n"
      "isspacep.shared %p1, %rd2; selp.u32 %r10, 1, 0, %p1; mad.lo.u32 %r6, %r6, 10, %r10;\n" +
      write_out("%r6");
  both_write({.body = body}, [](unsigned block, unsigned) {
    const unsigned own = block % 2, next = 1 - own;
    return ((next * 10 + own) * 10 + next) * 1000000 + own * 100000 + 10001;
  });
}

TEST(clusters, a_function_may_wait_for_the_cluster) {
  const std::string before = ".func meet() { barrier.cluster.arrive; barrier.cluster.wait; ret; }\n";
  const std::string body = ranks +
                           "st.shared.u32 [%r5], %r1; call meet;\n"
                           "mapa.shared::cluster.u32 %r10, %r5, %r4; ld.shared::cluster.u32 %r11, [%r10];\n"
                           "call meet;\n" +
                           write_out("%r11");
  both_write({.body = body, .before = before},
             [](unsigned block, unsigned thread) { return (block / 2 * 2 + (block + 1) % 2) * 4 + thread; });
}

TEST(clusters, all_clusters_of_a_cooperative_launch_run_at_the_same_time) {
  // Every block counts in global memory, behind the words, and waits until all have.
  const std::string body =
      ranks +
      "setp.ne.u32 %p1, %r36, 0; @%p1 bra meet;\n"
      "add.u64 %rd2, %rd1, 192; atom.add.release.gpu.global.u32 %r6, [%rd2], 1;\n"
      "watch:\nld.acquire.gpu.global.u32 %r7, [%rd2]; setp.lt.u32 %p2, %r7, 12; @%p2 bra watch;\n"
      "meet:\nbarrier.cluster.arrive; barrier.cluster.wait; add.u64 %rd2, %rd1, 192;\n"
      "ld.global.u32 %r7, [%rd2];\n" +
      write_out("%r7");
  const Trial trial{
      .body = body, .grid = {12, 1, 1}, .cluster = {4, 1, 1}, .threads = 4, .cooperative = true};
  for (const char* const way : {"compiled", "interpreted"})
    EXPECT_EQ(run(way, trial, 49), Words(49, 12)) << way;
}

TEST(clusters, a_kernel_without_a_cluster_passes_its_barrier) {
  const std::string body = ranks + "st.shared.u32 [%r5], %r1;\n" + wait +
                           "xor.b32 %r6, %r5, 4; ld.shared::cluster.u32 %r7, [%r6];\n" + write_out("%r7");
  both_write({.body = body, .grid = {3, 1, 1}, .cluster = {0, 0, 0}, .threads = 64},
             [](unsigned block, unsigned thread) { return block * 64 + (thread ^ 1U); });
}

// Truth blocks_are_clusters, steps 28 to 36.
TEST(clusters, a_kernel_whose_blocks_are_clusters_is_given_its_grid_in_clusters) {
  const Trial trial{
      .body =
          "mov.u32 %r2, %nctaid.x; mov.u32 %r3, %nclusterid.x; mov.u32 %r4, %cluster_nctarank;\n"
          "mov.u32 %r5, %cluster_ctarank; mad.lo.u32 %r6, %r2, 10, %r3;\n"
          "mad.lo.u32 %r6, %r6, 10, %r4; mad.lo.u32 %r6, %r6, 10, %r5;\n" +
          write_out("%r6"),
      .grid = {3, 1, 1},
      .cluster = {0, 0, 0},
      .threads = 1,
      .directives = ".blocksareclusters .reqntid 1, 1, 1 .reqnctapercluster 2, 1, 1"};
  for (const char* const way : {"compiled", "interpreted"})
    EXPECT_EQ(run(way, trial, 8), Words({6320, 6321, 6320, 6321, 6320, 6321, 0, 0})) << way;
}

}  // namespace
