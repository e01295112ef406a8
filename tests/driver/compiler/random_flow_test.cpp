// SPDX-License-Identifier: MIT
// Random programs of ifs, loops, barriers and shuffles, compiled and interpreted: whatever a compiler takes
// for the same for all threads has to be so.
#include <random>

#include "both_ways.hpp"

using namespace both_ways;

namespace {

// %r20 to %r27 belong to each thread, %r30 to %r33 are the same for all, %r40 and on count loops.
class Program {
 public:
  explicit Program(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    std::string body = own_word;
    body += "  .shared .b32 s[512]; mul.lo.s32 %r10, %r3, 4; mov.u32 %r11, s; add.s32 %r10, %r10, %r11;\n";
    for (int i = 0; i < 8; ++i) body += "  add.s32 " + own(i) + ", %r3, " + std::to_string(i * 11) + ";\n";
    for (int i = 0; i < 4; ++i) body += "  add.s32 " + same(i) + ", %r2, " + std::to_string(i * 7) + ";\n";
    body += statements(0, Flow::Block);
    body += "  mov.u32 %r50, 0;\n";
    for (int i = 0; i < 8; ++i) body += "  mad.lo.s32 %r50, %r50, 31, " + own(i) + ";\n";
    for (int i = 0; i < 4; ++i) body += "  mad.lo.s32 %r50, %r50, 37, " + same(i) + ";\n";
    return kernel(body + "  st.global.u32 [%rd1], %r50; ret;\n");
  }

 private:
  // Who is sure to come here together.
  enum class Flow { Block, Warp, Nobody };

  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  static std::string own(int i) { return "%r" + std::to_string(20 + i); }
  static std::string same(int i) { return "%r" + std::to_string(30 + i); }
  std::string any() { return pick(2) == 0 ? own(pick(8)) : same(pick(4)); }

  std::string statements(int depth, Flow flow) {
    std::string text;
    for (int left = 2 + pick(4); left > 0; --left) text += statement(depth, flow);
    return text;
  }

  std::string statement(int depth, Flow flow) {
    const char* const operations[] = {"add.s32", "sub.s32", "xor.b32", "mul.lo.s32", "and.b32", "min.s32"};
    switch (pick(depth < 3 ? 9 : 5)) {
      case 0:
      case 1:
        return std::string("  ") + operations[pick(6)] + " " + own(pick(8)) + ", " + any() + ", " + any() +
               ";\n";
      case 2:
        if (flow != Flow::Block) return "";  // the same for all only where all come
        return std::string("  ") + operations[pick(3)] + " " + same(pick(4)) + ", " + same(pick(4)) + ", " +
               same(pick(4)) + ";\n";
      case 3:
        return flow == Flow::Block ? exchange() : "";
      case 4:
        return flow == Flow::Nobody ? "" : warp_operation();
      case 5:
      case 6:
        return condition(depth, flow);
      default:
        return loop(depth, flow);
    }
  }

  // Each thread takes what its neighbour had.
  std::string exchange() {
    const int reg = pick(8);
    return "  st.shared.u32 [%r10], " + own(reg) + "; bar.sync 0; xor.b32 %r12, %r3, " +
           std::to_string(1 << pick(5)) +
           "; mul.lo.s32 %r12, %r12, 4; add.s32 %r12, %r12, %r11; ld.shared.u32 " + own(reg) +
           ", [%r12]; bar.sync 0;\n";
  }

  std::string warp_operation() {
    const int reg = pick(8);
    switch (pick(3)) {
      case 0:
        return "  shfl.sync.bfly.b32 " + own(reg) + ", " + any() + ", " + std::to_string(1 + pick(31)) +
               ", 31, 0xffffffff;\n";
      case 1:
        return "  shfl.sync.idx.b32 " + own(reg) + ", " + own(pick(8)) + ", " + any() + ", 31, 0xffffffff;\n";
      default:
        return "  setp.lt.s32 %p9, " + own(reg) + ", " + any() + "; vote.sync.ballot.b32 " + own(reg) +
               ", %p9, 0xffffffff;\n";
    }
  }

  std::string condition(int depth, Flow flow) {
    const std::string mark = std::to_string(++marks_), p = "%p" + std::to_string(10 + depth);
    Flow inside = flow;
    std::string text;
    switch (pick(3)) {
      case 0:  // uniform
        text = "  setp.gt.s32 " + p + ", " + same(pick(4)) + ", " + std::to_string(pick(200)) + ";\n";
        break;
      case 1:  // by warps
        text = "  setp.lt.u32 " + p + ", %r192, 32;\n";
        if (inside == Flow::Block) inside = Flow::Warp;
        break;
      default:
        text = "  setp.lt.s32 " + p + ", " + own(pick(8)) + ", " + any() + ";\n";
        inside = Flow::Nobody;
        break;
    }
    text += "  @" + p + " bra THEN" + mark + ";\n" + statements(depth + 1, inside) + "  bra.uni BEHIND" +
            mark + ";\nTHEN" + mark + ":\n" + statements(depth + 1, inside) + "BEHIND" + mark + ":\n";
    return text;
  }

  std::string loop(int depth, Flow flow) {
    const std::string mark = std::to_string(++marks_), p = "%p" + std::to_string(20 + depth);
    const std::string counter = "%r" + std::to_string(60 + marks_ % 120);
    Flow inside = flow;
    std::string text = "  mov.u32 " + counter + ", 0;\n", more;
    if (pick(2) == 0) {
      more = "  setp.lt.u32 " + p + ", " + counter + ", " + std::to_string(1 + pick(4)) + ";\n";
    } else {  // each thread as often as it likes
      text += "  and.b32 %r" + std::to_string(13 + depth) + ", " + own(pick(8)) + ", 3;\n";
      more = "  setp.lt.u32 " + p + ", " + counter + ", %r" + std::to_string(13 + depth) + ";\n";
      inside = Flow::Nobody;
    }
    return text + "LOOP" + mark + ":\n" + statements(depth + 1, inside) + "  add.s32 " + counter + ", " +
           counter + ", 1;\n" + more + "  @" + p + " bra LOOP" + mark + ";\n";
  }

  std::mt19937 random_;
  int marks_ = 0;
};

}  // namespace

TEST(random_flow, compiled_threads_go_the_ways_of_interpreted_ones) {
  const char* const asked = std::getenv("DRIVERLAB_FLOW_PROGRAMS");
  const int programs = asked != nullptr ? std::atoi(asked) : 40;
  const Shape shapes[] = {{2, 64}, {1, 32, 2}, {1, 16, 4}, {1, 128}, {1, 8, 4, 2}};
  for (int i = 0; i < programs && !testing::Test::HasFailure(); ++i) {
    const auto seed = static_cast<std::uint32_t>(i);
    const std::string text = Program(seed).text();
    const Shape& shape = shapes[i % 5];
    const Answer by_compiler = compiled(text, shape, shape.threads(), seed % 100);
    EXPECT_EQ(by_compiler.result, CUDA_SUCCESS) << text;
    EXPECT_EQ(by_compiler, interpreted(text, shape, shape.threads(), seed % 100)) << "seed " << seed << "\n"
                                                                                  << text;
  }
}
