# SPDX-License-Identifier: MIT
"""Start to first frame, and what the idle window costs, in software OpenGL on a display of its own.

    python3 tests/bench/window_start/window_start.py build/driverlab [STARTS]

Goals: first frame within 250 ms, at most 3 % of a core while idle. The time is from fork to the file that the
window writes after its first frame (DRIVERLAB_UI_STATE), looked at every half millisecond; the same machine's
time for starting /bin/true is printed beside it. The first start of all, with cold caches, is printed apart.
"""
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

IDLE_SECONDS = 10


def start_display():
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                              pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        return server, ":" + pipe.readline().strip()


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first_frame(program, environment, state):
    state.unlink(missing_ok=True)
    started = time.monotonic()
    window = subprocess.Popen([program], env=environment)
    while not state.exists():
        if window.poll() is not None or time.monotonic() - started > 60:
            raise SystemExit(f"the window did not draw a frame (status {window.poll()})")
        time.sleep(0.0005)
    return window, (time.monotonic() - started) * 1000


def main():
    program, starts = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    if shutil.which("Xvfb") is None:
        raise SystemExit("Xvfb is not on this machine: apt install xvfb")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="driverlab_start_"))
    state = folder / "state.json"
    server, display = start_display()
    environment = dict(os.environ, HOME=str(folder), DISPLAY=display, LIBGL_ALWAYS_SOFTWARE="1",
                       DRIVERLAB_UI_STATE=str(state))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    window = None
    try:
        begun = time.monotonic()
        subprocess.run(["/bin/true"], check=True)
        bare = (time.monotonic() - begun) * 1000
        times = []
        for number in range(starts):
            window, took = first_frame(program, environment, state)
            times.append(took)
            if number + 1 < starts:
                window.send_signal(signal.SIGTERM)
                window.wait()
        time.sleep(2)
        before = processor_seconds(window.pid)
        time.sleep(IDLE_SECONDS)
        idle = (processor_seconds(window.pid) - before) / IDLE_SECONDS * 100
        warm = times[1:] or times
        print(f"start to first frame   first {times[0]:.0f} ms, then median {statistics.median(warm):.0f} ms, "
              f"best {min(warm):.0f} ms   (goal 250 ms; /bin/true {bare:.1f} ms)")
        print(f"idle                   {idle:.1f} % of a core over {IDLE_SECONDS} s   (goal 3 %)")
        print(f"load of the machine    {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    finally:
        for process in (window, server):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
