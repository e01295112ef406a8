// SPDX-License-Identifier: MIT
// A run for others, and long work that is cancelled: what is written is whole or is not there.
#include <atomic>
#include <fstream>

#include "bench_fixture.hpp"
#include "lab/discretion.hpp"
#include "lab/share.hpp"
#include "trace/recording.hpp"

namespace {

namespace fs = std::filesystem;

class share : public lab_model_test::BenchTest {
 protected:
  void run_first() {
    bench().open_lesson("first");
    bench().run(false);
    ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Ended; })) << problems();
  }
  // Each a line that a program printed.
  static void print_lines(trace::Store& store, std::size_t count) {
    trace::Event event;
    event.kind = trace::EventKind::Output;
    for (std::size_t i = 0; i < count; ++i) {
      event.text = "line " + std::to_string(i * 7919) + "\n";
      store.append(event);
    }
  }
  static std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }
  // A recording of so many such events.
  fs::path many_events(std::size_t count) {
    trace::Store store;
    print_lines(store, count);
    const fs::path path = folder_ / "many.trace";
    std::string error;
    const auto writer = trace::RecordingWriter::create(path, {}, &error);
    EXPECT_TRUE(writer) << error;
    for (std::size_t from = 0; from < count; from += 1000)
      EXPECT_TRUE(writer->write(store, from, std::min(count, from + 1000)));
    EXPECT_TRUE(writer->finish());
    return path;
  }
};

TEST_F(share, a_run_becomes_a_recording_that_opens_again) {
  run_first();
  ASSERT_TRUE(bench().can_share());
  const fs::path file = folder_ / "given/first.trace";
  bench().share(lab::ShareKind::Recording, file, 1, 0, {});
  std::optional<lab::Problem> said;
  ASSERT_TRUE(wait_for([&] { return (said = bench().take_shared()).has_value(); })) << problems();
  EXPECT_EQ(said->key, lab::Text::ShareWritten);
  const std::size_t calls = bench().store().calls();
  bench().open_recording(file);
  ASSERT_TRUE(wait_for([&] { return !bench().loading(); })) << problems();
  EXPECT_EQ(bench().store().calls(), calls);
  EXPECT_EQ(bench().file_text("main.cpp"), lab_model_test::kSource);
  EXPECT_EQ(problems(), "");
}

TEST_F(share, a_recording_that_is_shown_is_given_on_as_it_is) {
  const fs::path original = many_events(10), copy = folder_ / "copy.trace";
  std::ofstream(copy) << "of before";  // asked for by name, and replaced
  lab::ShareRequest request;
  request.kind = lab::ShareKind::Recording;
  request.recording = original;
  request.whole = true;
  request.output = copy;
  lab::ShareJob job(std::move(request));
  ASSERT_TRUE(wait_for([&] { return job.done(); }));
  EXPECT_TRUE(job.ok());
  EXPECT_EQ(content(copy), content(original));
  EXPECT_FALSE(fs::exists(copy.string() + ".part"));
}

TEST_F(share, what_is_given_on_names_nobody_and_holds_no_arguments) {
  trace::Store store;
  for (const auto& [kind, text] : std::initializer_list<std::pair<trace::EventKind, const char*>>{
           {trace::EventKind::ProcessStart, "/home/ann/bin/train --token SECRET /data/ann/set"},
           {trace::EventKind::ModuleMapped, "/home/ann/bin/train"},
           {trace::EventKind::ModuleMapped, "/usr/lib/libc.so.6"},
           {trace::EventKind::Stack, "main\t/home/ann/my project/train.cpp\t7\nrun\ttrain.cpp\t8"},
           {trace::EventKind::Output, "reads /data/ann/set, 3 / 4 done, a/b, see /usr/share/doc\n"}}) {
    trace::Event event;
    event.kind = kind;
    event.text = text;
    store.append(event);
  }
  trace::Event call;
  call.name = "cuModuleLoad", call.symbol = "cuModuleLoad", call.file = "/home/ann/my project/train.cpp";
  call.arguments.push_back({});
  call.arguments.back().name = "fname";
  call.arguments.back().kind = trace::ValueKind::String;
  call.arguments.back().text = "/home/ann/k.cubin";
  store.append(call);
  for (const bool from_file : {false, true}) {
    lab::ShareRequest request;
    request.kind = lab::ShareKind::Recording;
    request.info.program = "/home/ann/bin/train --token SECRET";
    request.info.sources["/home/ann/my project/train.cpp"] = "// of /home/ann/notes\nint main() {}\n";
    request.output = folder_ / (from_file ? "second.dlrec" : "first.dlrec");
    if (from_file) {
      request.recording = folder_ / "as_it_is.dlrec";
      std::string error;
      const auto writer = trace::RecordingWriter::create(request.recording, request.info, &error);
      ASSERT_TRUE(writer && writer->write(store, 0, store.size()) && writer->finish()) << error;
    }
    request.store = &store;
    const fs::path output = request.output;
    lab::ShareJob job(std::move(request));
    ASSERT_TRUE(wait_for([&] { return job.done(); }));
    ASSERT_TRUE(job.ok()) << job.outcome().in(lab::Language::English);
    trace::Store shared;
    trace::RunInfo info;
    ASSERT_EQ(trace::read_recording(output, shared, info).problem, trace::RecordingProblem::None);
    ASSERT_EQ(shared.size(), store.size());
    EXPECT_EQ(info.program, "train …");
    ASSERT_EQ(info.sources.count("…/train.cpp"), 1u);
    EXPECT_EQ(info.sources["…/train.cpp"], "// of …/notes\nint main() {}\n");
    EXPECT_EQ(shared.at(0).text, "train …");
    EXPECT_EQ(shared.at(1).text, "…/train");
    EXPECT_EQ(shared.at(2).text, "/usr/lib/libc.so.6");
    EXPECT_EQ(shared.at(3).text, "main\t…/train.cpp\t7\nrun\ttrain.cpp\t8");
    EXPECT_EQ(shared.at(4).text, "reads …/set, 3 / 4 done, a/b, see /usr/share/doc\n");
    EXPECT_EQ(shared.at(5).file, "…/train.cpp");
    EXPECT_EQ(shared.at(5).arguments[0].text, "…/k.cubin");
  }
}

TEST_F(share, folders_are_left_out_wherever_they_lie_and_whatever_leads_there) {
  for (const auto& [text, left] : std::initializer_list<std::pair<const char*, const char*>>{
           {"/projects/ann/set.bin", "…/set.bin"},
           {"cannot open /nfs-3/ann/k.cubin: no such file", "cannot open …/k.cubin: no such file"},
           {"out=/cluster/ann/x, log=/lhome/ann/y", "out=…/x, log=…/y"},
           {"reads ../../ann/secret/set", "reads …/set"},
           {"\"~/ann/set\" ~ann/other/set", "\"…/set\" …/set"},
           {"file:///home/ann/x //home/ann/y", "file://…/x //…/y"}})
    EXPECT_EQ(lab::without_folders(text), left);
  trace::Event call;
  for (const auto& [file, left] : std::initializer_list<std::pair<const char*, const char*>>{
           {"../ann/main.cpp", "…/main.cpp"},
           {"/projects/ann/main.cpp", "…/main.cpp"},
           {"~/main.cpp", "…/main.cpp"},
           {"src/main.cpp", "src/main.cpp"},
           {"main.cpp", "main.cpp"},
           {"/usr/include/cuda.h", "/usr/include/cuda.h"}}) {
    call.file = file;
    lab::leave_out_private(call);
    EXPECT_EQ(call.file, left);
  }
}

TEST_F(share, what_is_no_path_of_a_person_stays) {
  for (const char* text :
       {"3 / 4 done", "a/b", "12 /s/GPU", "(n + k - 1)/block/2", "see /usr/share/doc and /opt/cuda/bin/nvcc",
        "https://example.org/ann/page", "../x", "x /= y", "/a/", "and/or/not", "/home", "~", "2026/11/22"})
    EXPECT_EQ(lab::without_folders(text), text);
  trace::RunInfo info;
  const std::string source =
      "#include \"../common/check.hpp\"\n//either/or\n/* a */ int f(int a) { return ~a/2 + (a)/block/2; }\n";
  info.sources = {{"main.cpp", source}, {"/home/ann/a/k.cu", "1"}, {"/home/ann/b/k.cu", "2"}};
  lab::leave_out_private(info);
  EXPECT_EQ(info.sources, (std::map<std::string, std::string>{{"main.cpp", source}}));
}

TEST_F(share, without_a_run_there_is_nothing_to_share) {
  EXPECT_FALSE(bench().can_share());
  bench().open_lesson("first");
  EXPECT_FALSE(bench().can_share());
  bench().share(lab::ShareKind::Recording, folder_ / "none.trace", 1, 0, {});
  EXPECT_FALSE(bench().work());
  EXPECT_FALSE(fs::exists(folder_ / "none.trace"));
}

TEST_F(share, where_nothing_can_be_written_the_file_and_the_reason_are_named) {
  run_first();
  put(folder_ / "plain", "a file");
  bench().share(lab::ShareKind::Recording, folder_ / "plain/below.trace", 1, 0, {});
  ASSERT_TRUE(wait_for([&] {
    EXPECT_FALSE(bench().take_shared());
    return !bench().problems().empty();
  }));
  EXPECT_NE(problems().find("plain/below.trace"), std::string::npos) << problems();
}

TEST_F(share, a_writing_that_fails_leaves_nothing_beside) {
  trace::Store store;
  print_lines(store, 10);
  const fs::path taken = folder_ / "given/taken.trace";
  put(taken / "inside", "not a file's place");
  lab::ShareRequest request;
  request.kind = lab::ShareKind::Recording;
  request.store = &store;
  request.output = taken;
  lab::ShareJob job(std::move(request));
  ASSERT_TRUE(wait_for([&] { return job.done(); }));
  EXPECT_FALSE(job.ok());
  EXPECT_EQ(job.outcome().key, lab::Text::ShareFailed);
  EXPECT_EQ(files_in(folder_ / "given"), 1u);
  EXPECT_EQ(content(taken / "inside"), "not a file's place");
}

TEST_F(share, a_cancelled_writing_leaves_nothing) {
  trace::Store store;
  print_lines(store, 400'000);
  fs::create_directory(folder_ / "given");
  lab::ShareRequest request;
  request.kind = lab::ShareKind::Recording;
  request.store = &store;
  request.output = folder_ / "given/run.trace";
  lab::ShareJob job(std::move(request));
  job.cancel();
  ASSERT_TRUE(wait_for([&] { return job.done(); }));
  EXPECT_EQ(files_in(folder_ / "given"), job.ok() ? 1u : 0u);  // ok: it was done before it was cancelled
}

TEST_F(share, a_run_may_begin_anew_while_the_one_before_is_written) {
  run_first();
  const fs::path file = folder_ / "first.trace";
  bench().share(lab::ShareKind::Recording, file, 1, 0, {});
  bench().run(true);
  std::optional<lab::Problem> said;
  ASSERT_TRUE(wait_for([&] { return (said = bench().take_shared()).has_value(); })) << problems();
  trace::Store store;
  trace::RunInfo info;
  EXPECT_EQ(trace::read_recording(file, store, info).problem, trace::RecordingProblem::None);
  EXPECT_EQ(store.calls(), 3u);
}

TEST_F(share, reading_a_recording_can_be_cancelled_and_shows_what_there_is) {
  constexpr std::size_t kEvents = 400'000;
  bench().open_recording(many_events(kEvents));
  bench().cancel_work();
  ASSERT_TRUE(wait_for([&] { return !bench().loading(); }));
  ASSERT_EQ(bench().problems().size(), 1u);
  EXPECT_EQ(bench().problems().front().key, lab::Text::LoadingStopped);
  EXPECT_LT(bench().store().size(), kEvents);
}

TEST_F(share, a_reading_that_nobody_cancels_tells_how_far_it_is) {
  const fs::path path = many_events(5000);
  trace::Store store;
  trace::RunInfo info;
  trace::ReadWatch watch;
  ASSERT_EQ(trace::read_recording(path, store, info, &watch).problem, trace::RecordingProblem::None);
  EXPECT_EQ(store.size(), 5000u);
  EXPECT_EQ(watch.bytes, fs::file_size(path));
}

}  // namespace
