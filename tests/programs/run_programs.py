# Runs the programs of this folder on the embedded driver and, where there is an NVIDIA GPU with its toolkit, on the
# real one; each must print what is written down. Prints the table of which ran where.
#
# usage: run_programs.py EMBEDDED_LIB_FOLDER PROGRAM…
import os
import subprocess
import sys
from pathlib import Path


def real_libraries():
    """Folders of the real driver and NVRTC, or None with the reason."""
    if not Path("/dev/nvidia0").exists():
        return None, "no NVIDIA GPU here"
    toolkit = Path(os.environ.get("CUDA_PATH", "/usr/local/cuda")) / "lib64"
    if not (toolkit / "libnvrtc.so.13").exists():
        return None, "no libnvrtc.so.13 of NVIDIA's here"
    return str(toolkit), ""


def run(program, libraries):
    """What is wrong with a run; nothing when all is well."""
    expected = (Path(__file__).parent / "expected" / (program.name + ".txt")).read_text()
    environment = dict(os.environ, LD_LIBRARY_PATH=libraries)
    try:
        done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        return "did not end"
    if done.returncode != 0 or done.stdout != expected:
        return f"ended with {done.returncode}, printed:\n{done.stdout}{done.stderr}instead of:\n{expected}"
    return ""


def main():
    embedded, programs = sys.argv[1], [Path(name) for name in sys.argv[2:]]
    real, why_not = real_libraries()
    faults = []
    print(f"{'program':28} {'embedded':10} real")
    for program in programs:
        row = []
        for where in ("embedded", "real"):
            libraries = embedded if where == "embedded" else real
            if libraries is None:
                row.append("-")
                continue
            fault = run(program, libraries)
            row.append("differs" if fault else "same")
            if fault:
                faults.append(f"{program.name} on {where}: {fault}")
        print(f"{program.name:28} {row[0]:10} {row[1]}", flush=True)
    if why_not:
        print("real: " + why_not)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
