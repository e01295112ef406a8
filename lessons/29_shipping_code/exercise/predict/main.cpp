// Exercise 29, to predict: what calls return for code of different kinds. Write your
// answers into the table before you run the program. It makes the calls, and
// prints the first answer that differs.
#include <string>
#include <vector>

#include "check.hpp"
#include "fatbin.h"

// Change this table only. Each answer is a number: of a result, 0 for success, or what the question asks for.
const std::string answers[] = {
    // 1: PTX whose first line is .version 99.0; what does cuModuleLoadData return?
    "?",
    // 2: PTX whose second line is .target sm_999; what does it return?
    "?",
    // 3: the PTX for sm_999 is the only image in a fatbin; what does it return?
    "?",
    // 4: a text without a character; what does it return?
    "?",
    // 5: the text "some PTX code"; what does cuLibraryLoadData return?
    "?",
    // 6: and then cuLibraryGetKernel?
    "?",
    // 7: and cuLibraryGetKernelCount?
    "?",
    // 8: a fatbin with PTX for 7.5 and PTX for 8.0; which number does the kernel store?
    "?",
    // 9: a copy of the linker's image, loaded after cuLinkDestroy; what does cuModuleLoadData return?
    "?",
    // 10: a function from cuModuleGetFunction that was never launched; which state does cuFuncIsLoaded write?
    "?",
};

int main() {
  std::vector<std::string> facts;
  const auto note = [&](int number) { facts.push_back(std::to_string(number)); };
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUlinkState linker = nullptr;
  CUfunction answer = nullptr;
  CUfunctionLoadingState state{};
  CUdeviceptr memory = 0;
  void *image = nullptr, *arguments[] = {&memory};
  std::size_t size = 0;
  unsigned count = 0;
  int number = 0;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuMemAlloc(&memory, sizeof number));
  std::string for_75 = lesson::text_of(lesson::beside_program("answer_75.ptx")), version_99 = for_75,
              for_999 = for_75;
  const std::string for_80 = lesson::text_of(lesson::beside_program("answer_80.ptx"));
  version_99.replace(version_99.find("7.0"), 3, "99.0");
  for_999.replace(for_999.find("sm_75"), 5, "sm_999");
  const fatbin_image images[] = {{FATBIN_PTX, 999, for_999.data(), for_999.size() + 1},
                                 {FATBIN_PTX, 75, for_75.data(), for_75.size() + 1},
                                 {FATBIN_PTX, 80, for_80.data(), for_80.size() + 1}};

  note(cuModuleLoadData(&module, version_99.c_str()));
  note(cuModuleLoadData(&module, for_999.c_str()));
  note(cuModuleLoadData(&module, fatbin_pack(images, 1)));
  note(cuModuleLoadData(&module, ""));

  note(cuLibraryLoadData(&library, "some PTX code", nullptr, nullptr, 0, nullptr, nullptr, 0));
  note(cuLibraryGetKernel(&kernel, library, "answer"));
  note(cuLibraryGetKernelCount(&count, library));
  check(cuLibraryUnload(library));

  check(cuModuleLoadData(&module, fatbin_pack(images + 1, 2)));
  check(cuModuleGetFunction(&answer, module, "answer"));
  check(cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&number, memory, sizeof number));
  check(cuModuleUnload(module));
  note(number);

  check(cuLinkCreate(0, nullptr, nullptr, &linker));
  check(cuLinkAddData(linker, CU_JIT_INPUT_PTX, for_75.data(), for_75.size() + 1, "75", 0, nullptr, nullptr));
  check(cuLinkComplete(linker, &image, &size));
  const std::string copy(static_cast<char*>(image), size);
  check(cuLinkDestroy(linker));
  note(cuModuleLoadData(&module, copy.data()));
  check(cuModuleGetFunction(&answer, module, "answer"));
  check(cuFuncIsLoaded(&state, answer));
  note(state);
  check(cuModuleUnload(module));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, answers[i].c_str(), facts[i].c_str());
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}
