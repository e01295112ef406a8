// SPDX-License-Identifier: MIT
/* Compiles one kernel file with NVRTC: compile_with_nvrtc LIBRARY -arch=sm_80 FILE.cu -o FILE.ptx
 *
 * For the corpus of kernels where a toolkit is present. The library is opened at run time, by the path that is given,
 * so that nothing of a toolkit is needed to build this; its headers lie in include/ beside the library's folder. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct program* Program;
typedef int (*Create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
typedef int (*Compile)(Program, int, const char* const*);
typedef int (*Size)(Program, size_t*);
typedef int (*Text)(Program, char*);

static void* library;

static void* function(const char* name) {
  void* found = dlsym(library, name);
  if (found == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return found;
}

static char* text_of(Program program, const char* size_name, const char* text_name) {
  size_t size = 0;
  ((Size)function(size_name))(program, &size);
  char* text = calloc(size + 1, 1);
  if (text != NULL) ((Text)function(text_name))(program, text);
  return text;
}

static char* read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char* text = calloc((size_t)size + 1, 1);
  if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) text[0] = 0;
  fclose(file);
  return text;
}

int main(int count, char** arguments) {
  if (count != 6) return 2;
  library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  char include[4096], libraries[4096], *folder = strdup(arguments[1]);
  /* .../lib64/libnvrtc.so: two names up. */
  for (int i = 0; i < 2; ++i) {
    char* slash = strrchr(folder, '/');
    if (slash != NULL) *slash = 0;
  }
  snprintf(include, sizeof include, "-I%s/include", folder);
  snprintf(libraries, sizeof libraries, "-I%s/include/cccl", folder);
  char* source = read_file(arguments[3]);
  if (source == NULL) {
    fprintf(stderr, "cannot read %s\n", arguments[3]);
    return 1;
  }
  Program program = NULL;
  char arch[64];
  const char* sm = strstr(arguments[2], "sm_");
  snprintf(arch, sizeof arch, "-arch=compute_%s", sm == NULL ? "80" : sm + 3);
  const char* options[] = {arch, "-std=c++17", "-default-device", include, libraries};
  ((Create)function("nvrtcCreateProgram"))(&program, source, arguments[3], 0, NULL, NULL);
  if (((Compile)function("nvrtcCompileProgram"))(program, 5, options) != 0) {
    fprintf(stderr, "%s\n", text_of(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog"));
    return 1;
  }
  FILE* out = fopen(arguments[5], "wb");
  if (out == NULL) return 1;
  fputs(text_of(program, "nvrtcGetPTXSize", "nvrtcGetPTX"), out);
  return fclose(out) == 0 ? 0 : 1;
}
