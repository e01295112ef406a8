#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every way by which a program comes to its driver leads through the tracer: programs that link it, open it by each of
its names, ask it for entry points by every version, carry a DT_RPATH, are scripts, have children or other rights; and
what cannot be traced is said. Judged by the lines of --events and by what the terminal says.

Usage: interception_test.py DRIVERLAB. It does not depend on how calls are recorded.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from home import environment_at

DRIVERLAB = pathlib.Path(sys.argv.pop(1)).resolve()
BUILD = DRIVERLAB.parent
EMBEDDED = pathlib.Path(os.environ.get("DRIVERLAB_LIBRARIES", BUILD)) / "embedded"
PATIENCE = 120

PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
typedef int (*Init)(unsigned);
typedef int (*Version)(int*);
typedef int (*Get)(const char*, void**, int, unsigned long long, int*);
#ifdef LINKED
int cuInit(unsigned); int cuDriverGetVersion(int*);
#endif
static int use(Init init, Version version) {
  int number = 0;
  return init != 0 && version != 0 && init(0) == 0 && version(&number) == 0 && number > 0 ? 0 : 1;
}
static void* thread(void* version) { int number; ((Version)version)(&number); return 0; }
int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "linked";
#ifdef LINKED
  if (strcmp(what, "linked") == 0) return use(cuInit, cuDriverGetVersion);
  if (strcmp(what, "default") == 0)
    return use((Init)dlsym(RTLD_DEFAULT, "cuInit"), (Version)dlsym(RTLD_DEFAULT, "cuDriverGetVersion"));
  if (strcmp(what, "threads") == 0) {
    if (use(cuInit, cuDriverGetVersion) != 0) return 1;
    for (int i = 0; i < 300; ++i) {
      pthread_t one;
      if (pthread_create(&one, 0, thread, (void*)cuDriverGetVersion) != 0) return 2;
      pthread_join(one, 0);
    }
    return 0;
  }
  if (strcmp(what, "children") == 0) {
    if (use(cuInit, cuDriverGetVersion) != 0) return 1;
    if (fork() == 0) { int number; cuDriverGetVersion(&number); _exit(3); }
    if (fork() == 0) { execl("/proc/self/exe", words[0], "linked", (char*)0); _exit(4); }
    int status, sum = 0;
    while (wait(&status) > 0) sum += WEXITSTATUS(status);
    return sum == 3 ? use(cuInit, cuDriverGetVersion) : 5;
  }
  if (strcmp(what, "forward") == 0) { /* a name that no header of the driver proper has */
    void* self = dlopen("libcuda.so.1", RTLD_NOW);
    int (*devices)(unsigned*, int*, unsigned, int) = dlsym(self, "cuGLGetDevices");
    if (use(cuInit, cuDriverGetVersion) != 0 || devices == 0) return 1;
    unsigned found = 0; int device = 0;
    return devices(&found, &device, 1, 1) == 801 ? 0 : 2;
  }
  if (strcmp(what, "loop") == 0) { /* until it is ended, or 20000 times; a byte now and then */
    int number;
    if (use(cuInit, cuDriverGetVersion) != 0) return 1;
    for (int i = 0; i < 20000; ++i) {
      cuDriverGetVersion(&number);
      if (i % 20 == 0) usleep(1000);
    }
    FILE* done = fopen(words[2], "w");
    return done != 0 && fclose(done) == 0 ? 7 : 2;
  }
  if (strcmp(what, "signal") == 0) { use(cuInit, cuDriverGetVersion); raise(atoi(words[2])); return 9; }
#endif
  void* library = dlopen(words[2], RTLD_NOW);
  if (library == 0) { fprintf(stderr, "%s\n", dlerror()); return 10; }
  if (strcmp(what, "dlsym") == 0)
    return use((Init)dlsym(library, "cuInit"), (Version)dlsym(library, "cuDriverGetVersion"));
  if (strcmp(what, "dlvsym") == 0)
    return use((Init)dlvsym(library, "cuInit", "libcuda.so.1"), (Version)dlvsym(library, "cuDriverGetVersion", "libcuda.so.1"));
  if (strcmp(what, "entry") == 0) {  /* by both versions of the function that gives out functions */
    Get second = (Get)dlsym(library, "cuGetProcAddress_v2");
    int (*first)(const char*, void**, int, unsigned long long) = dlsym(library, "cuGetProcAddress");
    void *init = 0, *version = 0, *third = 0, *again = 0;
    int status = 0;
    if (second == 0 || first == 0) return 11;
    if (second("cuInit", &init, 12000, 0, &status) != 0 || first("cuDriverGetVersion", &version, 11030, 0) != 0) return 12;
    if (second("cuGetProcAddress", &third, 12000, 0, &status) != 0 || third == 0) return 13;
    if (((Get)third)("cuInit", &again, 13000, 0, &status) != 0 || again != init) return 14;
    return use((Init)init, (Version)version);
  }
  return 64;
}
"""
RUNTIME = r"""
#include <cuda_runtime_api.h>
int main() {
  void* memory = 0;
  return cudaMalloc(&memory, 64) == cudaSuccess && cudaFree(memory) == cudaSuccess ? 0 : 1;
}
"""


class WaysIn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="driverlab_ways_")
        cls.home = pathlib.Path(cls.temporary.name)
        cls.environment = environment_at(cls.home)
        cls.environment.pop("LD_PRELOAD", None)
        (cls.home / "program.c").write_text(PROGRAM, encoding="utf-8")
        (cls.home / "runtime.c").write_text(RUNTIME, encoding="utf-8")
        # A folder that a program may name: what lies there is the driver, as a user of a GPU has one.
        cls.system = cls.home / "system"
        cls.system.mkdir()
        for name in ("libcuda.so", "libcuda.so.1"):
            (cls.system / name).symlink_to(EMBEDDED / "lib/libcuda.so.1")
        lib = f"-L{EMBEDDED / 'lib'}"
        cls.compile("program.c", "linked", "-DLINKED", lib, "-lcuda")
        cls.compile("program.c", "rpath", "-DLINKED", lib, "-lcuda", f"-Wl,--disable-new-dtags,-rpath,{cls.system}")
        cls.compile("program.c", "origin", "-DLINKED", lib, "-lcuda", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/system")
        cls.compile("program.c", "runpath", "-DLINKED", lib, "-lcuda", f"-Wl,--enable-new-dtags,-rpath,{cls.system}")
        cls.compile("program.c", "opens")
        text = PROGRAM.replace("words[2]", f'"{cls.system}/libcuda.so.1"')
        (cls.home / "names.c").write_text(text, encoding="utf-8")
        cls.compile("names.c", "names")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def compile(cls, source, program, *options):
        compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
        command = [compiler, "-g", "-w", f"-I{EMBEDDED / 'include'}", source, "-o", program, *options, "-ldl", "-pthread"]
        done = subprocess.run(command, cwd=cls.home, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.stderr}")

    def trace(self, *command, options=(), expect=0, environment=None):
        events = self.home / "events.jsonl"
        events.unlink(missing_ok=True)
        done = subprocess.run(
            [DRIVERLAB, "trace", "--driver", "embedded", "--events", events, *options, "--", *command], cwd=self.home,
            env=environment or self.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.said = done.stdout + done.stderr
        lines = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()] if events.exists() else []
        self.lines = lines
        return [line["name"] for line in lines if "event" not in line]

    def assert_traced(self, *command, **more):
        self.assertEqual(self.trace(*command, **more)[-2:], ["cuInit", "cuDriverGetVersion"], self.said)

    def test_a_linked_program_is_traced(self):
        self.assert_traced("./linked")
        self.assertNotIn("LD_PRELOAD", self.said)

    def test_a_library_opened_by_each_of_its_names_is_the_tracer(self):
        for name in ("libcuda.so", "libcuda.so.1"):
            self.assert_traced("./opens", "dlsym", name)

    def test_a_library_opened_by_its_full_path_is_the_tracer(self):
        self.assert_traced("./names", "dlsym")
        self.assertIn("LD_PRELOAD", self.said)
        self.assertIn(f"{self.system}/libcuda.so.1", self.said)

    def test_a_full_path_that_no_file_shows_is_found_with_preload(self):
        self.assertEqual(self.trace("./opens", "dlsym", f"{self.system}/libcuda.so"), [])
        self.assertIn("--preload", self.said)
        for name in ("libcuda.so", "libcuda.so.1"):
            self.assert_traced("./opens", "dlsym", f"{self.system}/{name}", options=["--preload"])

    def test_functions_are_found_among_all_that_is_loaded(self):
        self.assert_traced("./linked", "default")

    def test_a_versioned_look_up_answers_as_the_driver_alone_would(self):
        alone = subprocess.run(["./opens", "dlvsym", "libcuda.so.1"], cwd=self.home, capture_output=True,
                               env=self.environment | {"LD_LIBRARY_PATH": str(EMBEDDED / "lib")}, timeout=PATIENCE)
        self.trace("./opens", "dlvsym", "libcuda.so.1", expect=alone.returncode)

    def test_functions_given_out_by_every_version_of_cuGetProcAddress_are_the_tracers(self):
        names = self.trace("./opens", "entry", "libcuda.so.1")
        self.assertEqual(names, ["cuGetProcAddress"] * 4 + ["cuInit", "cuDriverGetVersion"])

    def test_an_rpath_is_overtaken_by_preloading(self):
        for program in ("rpath", "origin"):
            self.assert_traced(f"./{program}")
            self.assertIn("DT_RPATH", self.said)

    def test_a_runpath_needs_no_preloading(self):
        self.assert_traced("./runpath")
        self.assertNotIn("LD_PRELOAD", self.said)

    def test_a_script_that_sets_the_library_path_is_overtaken_by_preloading(self):
        script = self.home / "start.sh"
        script.write_text(f"#!/bin/sh\nLD_LIBRARY_PATH={self.system}\nexport LD_LIBRARY_PATH\nexec ./linked\n")
        script.chmod(0o755)
        self.assert_traced("./start.sh")
        self.assertIn("start.sh", self.said)

    def test_a_script_is_traced_through(self):
        script = self.home / "plain.sh"
        script.write_text("#!/bin/sh\n./linked\nexec ./linked\n")
        script.chmod(0o755)
        self.assert_traced("./plain.sh")
        self.assertNotIn("LD_PRELOAD", self.said)
        self.assertEqual(len({line.get("process", 0) for line in self.lines if "event" not in line}), 2)

    def test_a_program_linked_statically_is_run_and_said_to_be_out_of_reach(self):
        (self.home / "still.c").write_text('#include <stdio.h>\nint main() { puts("here"); return 5; }\n')
        try:
            self.compile("still.c", "still", "-static")
        except AssertionError:
            self.skipTest("no static C library is installed here")
        self.assertEqual(self.trace("./still", expect=5), [])
        self.assertIn("linked statically", self.said)
        self.assertIn("here", self.said)

    def test_a_program_with_rights_of_its_own_is_refused_with_the_remedy(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a program to another user")
        program = self.home / "secure"
        shutil.copy(self.home / "linked", program)
        os.chown(program, 65534, 65534)
        program.chmod(0o4755)
        self.assertEqual(self.trace("./secure", expect=125), [])
        self.assertIn("set-user-ID", self.said)
        self.assertIn("cp ", self.said)

    def test_rights_that_the_user_has_anyway_are_no_obstacle(self):
        program = self.home / "own"
        shutil.copy(self.home / "linked", program)
        program.chmod(0o4755)
        self.assert_traced("./own")

    def test_forked_and_execd_children_are_processes_of_their_own(self):
        self.trace("./linked", "children")
        processes = {}
        for line in self.lines:
            if "event" not in line:
                processes.setdefault(line.get("process", 0), []).append(line["name"])
        self.assertEqual(processes[0], ["cuInit", "cuDriverGetVersion"] * 2)
        self.assertIn(["cuDriverGetVersion"], processes.values())
        self.assertIn(["cuInit", "cuDriverGetVersion"], [calls for number, calls in processes.items() if number > 0])
        self.assertIn("process 1 starts:", self.said)
        self.assertIn("in process 2", self.said)
        self.assertIn("processes: 3", self.said)

    def test_children_are_told_apart_in_a_recording_too(self):
        self.trace("./linked", "children", options=["--record", "kept.dlrec"])
        live = self.said
        done = subprocess.run([DRIVERLAB, "replay", "kept.dlrec"], cwd=self.home, env=self.environment,
                              capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn("in process 2", done.stdout)
        self.assertEqual(live.count("in process"), done.stdout.count("in process"))

    def test_threads_that_come_and_go_are_all_there(self):
        names = self.trace("./linked", "threads")
        self.assertEqual(len(names), 302)
        self.assertIn("threads: 301", self.said)
        self.assertIn("lost records: 0", self.said)

    def test_names_outside_the_headers_are_forwarded_and_shown(self):
        names = self.trace("./linked", "forward")
        self.assertEqual(names, ["cuInit", "cuDriverGetVersion", "cuGLGetDevices"])
        call = [line for line in self.lines if line.get("name") == "cuGLGetDevices"][0]
        self.assertEqual(call["result"], "CUDA_ERROR_NOT_SUPPORTED")

    def test_exit_status_signal_and_output_stay_what_they_are(self):
        self.trace("./linked", "signal", str(signal.SIGUSR1.value), expect=128 + signal.SIGUSR1)
        self.assertIn("SIGUSR1", self.said)
        script = self.home / "says.sh"
        script.write_text("#!/bin/sh\nprintf 'out\\n\\001'\nprintf 'err\\n' >&2\n./linked\nexit 42\n")
        script.chmod(0o755)
        done = subprocess.run([DRIVERLAB, "trace", "--quiet", "--driver", "embedded", "--", "./says.sh"], cwd=self.home,
                              env=self.environment, capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 42)
        self.assertEqual(done.stdout, b"out\n\x01")
        self.assertIn(b"err\n", done.stderr)
        self.assertIn(b"disagreements: 0; lost records: 0", done.stderr)

    def test_a_full_disk_costs_the_recording_and_is_said(self):
        for option in ("--events", "--csv", "--chrome-trace"):
            done = subprocess.run([DRIVERLAB, "trace", "--driver", "embedded", option, "/dev/full", "--", "./linked", "loop",
                                   "done"], cwd=self.home, env=self.environment, capture_output=True, text=True,
                                  timeout=PATIENCE)
            self.assertEqual(done.returncode, 7, done.stderr)
            self.assertIn("/dev/full", done.stderr)
            self.assertIn("the program runs on", done.stderr)
            self.assertTrue((self.home / "done").exists())
            (self.home / "done").unlink()

    def test_a_recording_that_finds_no_room_costs_only_itself(self):
        small = self.home / "small"
        small.mkdir()
        mount = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                 f'mount -t tmpfs -o size=16k none {small} || exit 99; exec "$@"', "sh"]
        if subprocess.run([*mount, "true"], capture_output=True).returncode != 0:
            self.skipTest("this machine lets nobody mount a small file system of their own")
        done = subprocess.run([*mount, DRIVERLAB, "trace", "--quiet", "--driver", "embedded", "--record",
                               small / "full.dlrec", "--", "./linked", "loop", "done"], cwd=self.home,
                              env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 7, done.stdout + done.stderr)
        self.assertIn("full.dlrec", done.stderr)
        self.assertIn("calls: 20002;", done.stderr)
        (self.home / "done").unlink()

    def test_the_program_outlives_a_reader_that_is_killed(self):
        with subprocess.Popen([DRIVERLAB, "trace", "--driver", "embedded", "--", "./linked", "loop", self.home / "alive"],
                              cwd=self.home, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as reader:
            for line in reader.stdout:
                if "cuDriverGetVersion" in line:
                    break
            reader.kill()
        until = time.monotonic() + PATIENCE
        while not (self.home / "alive").exists() and time.monotonic() < until:
            time.sleep(0.05)
        self.assertTrue((self.home / "alive").exists())

    def test_beyond_the_memory_that_was_given_calls_are_counted(self):
        self.trace("./linked", "loop", "done", expect=7, options=["--quiet", "--memory", "1"])
        lost = int(self.said.split("lost records: ")[1].split()[0])
        calls = int(self.said.split("calls: ")[1].split(";")[0])
        self.assertGreater(lost, 0)
        self.assertGreater(calls, 1000)
        self.assertEqual(calls + lost, 20002)
        self.trace("./linked", "loop", "done", expect=7, options=["--quiet"])
        self.assertIn("calls: 20002;", self.said)
        self.assertIn("lost records: 0", self.said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
