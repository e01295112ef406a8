// SPDX-License-Identifier: MIT
// A query over calls: which calls it finds, how it is read, what a mistake is called, and what a word can
// become.
#include "lab/call_query.hpp"

#include <ctime>

#include "lab/call_search.hpp"
#include "world.hpp"

using namespace lab_model_test;
using lab::CallQuery;
using lab::CallSearch;

namespace call_query_test {
namespace {

constexpr std::uint64_t kModule = 0x11, kFunction = 0x12;

// Two contexts, two allocations and a kernel, on two threads.
struct Program : World {
  Program() {
    init().place("/src/main.cpp", 10);
    create(kA).place("/src/main.cpp", 12);
    create(kB).place("/src/main.cpp", 13);
    allocate(kMemory, 4096).place("/src/main.cpp", 40);
    allocate(kMemory + 0x10000, 64).place("/src/main.cpp", 41);
    load_module(kModule).place("/src/kernels.cpp", 7);
    get_function(kFunction, kModule, "vecAdd").place("/src/kernels.cpp", 8);
    call("cuLaunchKernel").handle("f", "CUfunction", kFunction).in("gridDimX", 2).place("/src/main.cpp", 60);
    call("cuMemsetD8")
        .in("dstDevice", kMemory + 16, trace::ValueKind::DevicePointer)
        .in("N", 64, trace::ValueKind::Size)
        .place("/src/main.cpp", 61);
    push(kA).thread(1).place("/src/main.cpp", 70);
    call("cuCtxSynchronize").thread(1).result(700).place("/src/main.cpp", 71);
    call("cuCtxSynchronize").thread(1).never_returned().place("/src/main.cpp", 72).event().dur_ns = 0;
    into(store);
    model.follow();
  }
  // The numbers of the calls found, counted from 1, as the window counts them.
  std::vector<std::size_t> find(std::string_view words, std::size_t at_once = ~std::size_t{0}) {
    const auto query = CallQuery::parse(words);
    EXPECT_TRUE(query) << words << ": " << query.error().in(lab::Language::English);
    if (!query) return {};
    CallSearch search(store);
    search.look_for(*query);
    while (search.follow_some([this](std::size_t) -> const lab::Model& { return model; }, at_once)) {
    }
    std::vector<std::size_t> numbers;
    for (const std::uint32_t call : search.found()) numbers.push_back(call + 1);
    return numbers;
  }
  std::vector<std::string> completions(std::string_view words) {
    lab::CallFacts facts;
    while (facts.follow_some(store, 3)) {
    }
    return lab::complete(words, words.size(), facts, model.latest()).words;
  }
  trace::Store store;
  lab::Model model{store};
};

using Numbers = std::vector<std::size_t>;
using Words = std::vector<std::string>;

std::string mistake(std::string_view words, lab::Language language = lab::Language::English) {
  const auto query = CallQuery::parse(words);
  return query ? std::string() : query.error().in(language);
}

bool says(const std::string& sentence, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (sentence.find(part) == std::string::npos) return false;
  return true;
}

}  // namespace

TEST(CallQuery, a_name_is_found_by_a_part_of_it_or_by_a_pattern) {
  Program program;
  EXPECT_EQ(program.find("name:cuLaunch*"), Numbers{8});
  EXPECT_EQ(program.find("name:LAUNCH"), Numbers{8});
  EXPECT_EQ(program.find("name:*Kernel"), Numbers{8});
  EXPECT_EQ(program.find("name:Kernel*"), Numbers{});
  EXPECT_EQ(program.find("name:cuMem*"), (Numbers{4, 5, 9}));
}

TEST(CallQuery, several_words_mean_and) {
  Program program;
  EXPECT_EQ(program.find("name:cuCtx*"), (Numbers{2, 3, 10, 11, 12}));
  EXPECT_EQ(program.find("name:cuCtx* thread:1"), (Numbers{10, 11, 12}));
  EXPECT_EQ(program.find("name:cuCtx* thread:1 result:error line:71"), Numbers{11});
}

TEST(CallQuery, threads_are_numbers_ranges_or_main) {
  Program program;
  EXPECT_EQ(program.find("thread:1"), (Numbers{10, 11, 12}));
  EXPECT_EQ(program.find("thread:1..9"), (Numbers{10, 11, 12}));
  EXPECT_EQ(program.find("thread:main name:cuCtx*"), (Numbers{2, 3}));
  EXPECT_EQ(program.find("thread:2.."), Numbers{});
}

TEST(CallQuery, results_are_kinds_numbers_or_names) {
  Program program;
  EXPECT_EQ(program.find("result:error"), (Numbers{11, 12}));
  EXPECT_EQ(program.find("result:never"), Numbers{12});
  EXPECT_EQ(program.find("result:700"), Numbers{11});
  EXPECT_EQ(program.find("result:illegal_address"), Numbers{11});
  EXPECT_EQ(program.find("result:CUDA_ERROR_*"), Numbers{11});
  EXPECT_EQ(program.find("result:success thread:1"), Numbers{10});
}

TEST(CallQuery, an_argument_is_a_value_and_not_a_part_of_one) {
  Program program;
  EXPECT_EQ(program.find("arg:#1"), (Numbers{4, 9}));  // #1 and #1+16
  EXPECT_EQ(program.find("arg:#2"), Numbers{5});
  EXPECT_EQ(program.find("arg:A"), (Numbers{2, 10}));
  EXPECT_EQ(program.find("arg:64"), (Numbers{5, 9}));
  EXPECT_EQ(program.find("arg:6"), Numbers{});
  EXPECT_EQ(program.find("arg:bytesize=64"), Numbers{5});
  EXPECT_EQ(program.find("arg:vecAdd"), Numbers{7});
  EXPECT_EQ(program.find("arg:M1.*"), (Numbers{7, 8}));
}

TEST(CallQuery, lines_files_and_contexts_are_fields) {
  Program program;
  EXPECT_EQ(program.find("line:40..60 file:main"), (Numbers{4, 5, 8}));
  EXPECT_EQ(program.find("line:..10"), (Numbers{1, 6, 7}));
  EXPECT_EQ(program.find("line:71.."), (Numbers{11, 12}));
  EXPECT_EQ(program.find("file:kernels.cpp"), (Numbers{6, 7}));
  EXPECT_EQ(program.find("context:A"), (Numbers{2, 10, 11, 12}));
}

TEST(CallQuery, a_plain_word_is_found_in_any_text_of_a_call) {
  Program program;
  EXPECT_EQ(program.find("vecadd"), (Numbers{7, 8}));
  EXPECT_EQ(program.find("illegal_address"), Numbers{11});
  EXPECT_EQ(program.find("main.cpp:40"), Numbers{4});
  EXPECT_EQ(program.find("bytesize=4096"), Numbers{4});
  EXPECT_EQ(program.find("\"&pctx = A\""), Numbers{2});
  EXPECT_EQ(program.find("launch*griddimx=2"), Numbers{8});
  EXPECT_EQ(program.find("nothing of the kind"), Numbers{});
}

TEST(CallQuery, a_text_with_a_colon_is_no_field_if_it_is_quoted_or_cannot_be_one) {
  EXPECT_EQ(mistake("main.cpp:40"), "");
  EXPECT_EQ(mistake("std::sort"), "");
  EXPECT_EQ(mistake("\"nome:x\""), "");
  EXPECT_EQ(mistake("12:30"), "");
}

TEST(CallQuery, nothing_finds_nothing) {
  EXPECT_TRUE(CallQuery::parse("")->empty());
  EXPECT_TRUE(CallQuery::parse("   ")->empty());
  EXPECT_TRUE(CallQuery::parse("\"\"")->empty());
  Program program;
  EXPECT_EQ(program.find(""), Numbers{});
}

TEST(CallQuery, a_mistake_names_the_word_its_place_and_what_to_write) {
  EXPECT_TRUE(says(mistake("thread:1 nome:x"), {"“nome:”", "character 10", "name:", "\"nome:x\""}));
  EXPECT_TRUE(says(mistake("result:"), {"“result:”", "character 1 ", "result:error"}));
  EXPECT_TRUE(says(mistake("line:a..b"), {"“line:a..b”", "character 1 ", "line:40..60"}));
  EXPECT_TRUE(says(mistake("x thread:two"), {"“thread:two”", "character 3 ", "thread:1"}));
  EXPECT_TRUE(says(mistake("line:60..40"), {"“line:60..40”", "line:40..60"}));
  EXPECT_TRUE(says(mistake("a \"b c"), {"character 3 "}));
  EXPECT_TRUE(says(mistake("arg:bytesize="), {"“arg:bytesize=”", "arg:bytesize=*"}));
}

TEST(CallQuery, a_mistake_is_told_in_chinese_with_places_in_characters) {
  const std::string told = mistake("内存 nome:x", lab::Language::Chinese);
  EXPECT_TRUE(says(told, {"“nome:”", "第 4 个字符", "不是字段"})) << told;
}

TEST(CallQuery, slices_find_the_same_as_all_at_once) {
  Program program;
  for (const char* words : {"name:cuCtx*", "vecadd", "arg:#1", "context:A"})
    EXPECT_EQ(program.find(words, 1), program.find(words)) << words;
}

TEST(CallQuery, what_the_model_has_not_followed_is_looked_at_later) {
  Program program;
  lab::Model late(program.store);
  CallSearch search(program.store);
  search.look_for(*CallQuery::parse("thread:1"));
  const auto model_of = [&late](std::size_t) -> const lab::Model& { return late; };
  EXPECT_FALSE(search.follow_some(model_of, 100));
  EXPECT_TRUE(search.found().empty());
  late.follow();
  EXPECT_FALSE(search.follow_some(model_of, 100));
  EXPECT_EQ(search.found().size(), 3u);
}

TEST(CallQuery, the_next_and_the_previous_one_go_round) {
  Program program;
  CallSearch search(program.store);
  search.look_for(*CallQuery::parse("name:cuMem*"));  // calls 3, 4 and 8, counted from 0
  search.follow_some([&program](std::size_t) -> const lab::Model& { return program.model; }, 100);
  using lab::Direction;
  EXPECT_EQ(search.next(0, Direction::Forward), 3u);
  EXPECT_EQ(search.next(3, Direction::Forward), 4u);
  EXPECT_EQ(search.next(8, Direction::Forward), 3u);
  EXPECT_EQ(search.next(4, Direction::Back), 3u);
  EXPECT_EQ(search.next(3, Direction::Back), 8u);
  EXPECT_EQ(search.place_of(4), 1u);
  EXPECT_TRUE(search.holds(8));
  EXPECT_FALSE(search.holds(5));
  search.look_for(*CallQuery::parse("name:nothing"));
  search.follow_some([&program](std::size_t) -> const lab::Model& { return program.model; }, 100);
  EXPECT_EQ(search.next(3, Direction::Forward), std::nullopt);
}

TEST(CallQuery, a_word_is_completed_by_what_the_run_has) {
  Program program;
  EXPECT_EQ(program.completions("na"), (Words{"name:"}));
  EXPECT_EQ(program.completions("Launch"), (Words{"name:cuLaunchKernel"}));
  EXPECT_EQ(program.completions("thread:"), (Words{"thread:0", "thread:1"}));
  EXPECT_EQ(program.completions("name:cuModule"),
            (Words{"name:cuModuleGetFunction", "name:cuModuleLoadData"}));
  EXPECT_EQ(program.completions("result:e"),
            (Words{"result:error", "result:success", "result:never", "result:CUDA_ERROR_ILLEGAL_ADDRESS"}));
  EXPECT_EQ(program.completions("thread:1 arg:#"), (Words{"arg:#1", "arg:#2"}));
  EXPECT_EQ(program.completions("context:"), (Words{"context:P0", "context:A", "context:B"}));
  EXPECT_EQ(program.completions("context:b"), Words{});  // it is whole
  EXPECT_EQ(program.completions("\"na"), Words{});
}

TEST(CallQuery, a_completion_takes_the_place_of_the_word_at_the_caret) {
  Program program;
  lab::CallFacts facts;
  facts.follow_some(program.store, 100);
  const auto made = lab::complete("thread:1 na result:error", 11, facts, program.model.latest());
  EXPECT_EQ(made.words, Words{"name:"});
  EXPECT_EQ(made.begin, 9u);
  EXPECT_EQ(made.end, 11u);
}

// A frame has 16 ms; names, threads and results of a million calls are read in some of them.
TEST(CallQuery, names_of_a_million_calls_are_matched_in_a_fraction_of_a_second) {
  support::Run run;
  run.init();
  trace::Store store;
  run.into(store);
  constexpr std::size_t kCalls = 1'000'000;
  trace::Event event = run.allocate(kMemory, 64).event();
  for (std::size_t i = 1; i < kCalls; ++i) {
    event.name = event.symbol = i % 1000 == 0 ? "cuLaunchKernel" : "cuMemcpyHtoD";
    event.function = trace::function_of(event.name);
    event.thread = static_cast<std::uint32_t>(i % 4);
    store.append(event);
  }
  // Only the number of moments is asked for, and a moment costs nothing if it belongs to another process.
  const std::vector<std::uint32_t> none;
  lab::Model followed(store, 7, &none);
  followed.follow();
  CallSearch search(store);
  search.look_for(*CallQuery::parse("name:cuLaunch* thread:0 result:success"));
  const std::clock_t begin = std::clock();
  search.follow_some([&followed](std::size_t) -> const lab::Model& { return followed; }, ~std::size_t{0});
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(search.found().size(), 999u);
  EXPECT_LT(seconds, 2.0);  // some 0.1 s; a description of each call would take many times as long
}

}  // namespace call_query_test
