// Exercise 22, a wrong answer: ask the driver about a version
// that is newer than its own. That query is an error.
#include <cudaTypedefs.h>

#include "check.hpp"

enum class Found { Yes, NoSuchName, NotInThisVersion, DriverTooOld };

struct Wanted {
  const char* name;
  int version;  // the version whose type the program will use
  Found found = Found::Yes;
  void* function = nullptr;
};

// Asks the driver for the function of this name and version. Sets `found`, and `function` if there is one. No
// call of this function fails.
void find(Wanted* wanted) {
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  check(cuGetProcAddress(wanted->name, &wanted->function, wanted->version, CU_GET_PROC_ADDRESS_DEFAULT,
                         &status));
  if (status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND) wanted->found = Found::NoSuchName;
  if (status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT) wanted->found = Found::NotInThisVersion;
}

// Prints one line for each missing function: name, version and the reason. Returns how many there are.
int report_missing(const Wanted* all, int count) {
  const char* const reasons[] = {"", "there is no such name", "not in this version", "the driver is older"};
  int missing = 0;
  for (int i = 0; i < count; ++i) {
    if (all[i].found == Found::Yes) continue;
    std::printf("%s %d: %s\n", all[i].name, all[i].version, reasons[static_cast<int>(all[i].found)]);
    ++missing;
  }
  return missing;
}

int main() {
  check(cuInit(0));
  Wanted all[] = {{"cuMemAlloc", 3020},         {"cuMemFree", 3020}, {"cuFoo", 3020},
                  {"cuLibraryLoadData", 11080}, {"cuInit", 99000},   {"cuMemAlloc_v2", 3020}};
  for (Wanted& one : all) find(&one);
  claim("cuMemAlloc and cuMemFree are there", all[0].found == Found::Yes && all[1].found == Found::Yes);
  claim("there is no name cuFoo", all[2].found == Found::NoSuchName);
  claim("CUDA 11.8 had no cuLibraryLoadData", all[3].found == Found::NotInThisVersion);
  claim("this driver is older than CUDA 99", all[4].found == Found::DriverTooOld);
  claim("a name with a suffix is no name", all[5].found == Found::NoSuchName);
  bool agree = true;
  for (const Wanted& one : all) agree = agree && (one.function != nullptr) == (one.found == Found::Yes);
  claim("there is an address only where the function was found", agree);
  claim("four of six are reported", report_missing(all, 6) == 4);

  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  check(create_context(&context, 0, 0));
  check(reinterpret_cast<PFN_cuMemAlloc_v3020>(all[0].function)(&memory, 64));
  check(reinterpret_cast<PFN_cuMemFree_v3020>(all[1].function)(memory));
  check(cuCtxDestroy(context));
}
