#!/usr/bin/env python3
"""Runs a probe on the embedded driver and compares every step with the result of a real GPU.

    compare.py --probe PROGRAM --truth h200_driver.jsonl --expectations expectations.toml

The name of the truth says which GPU it was. `device = "h100"` in the expectations is the DRIVERLAB_DEVICE with which the
probe runs.

Prints "scenario: N of M steps equal" and each difference. A difference is allowed only by an entry in the
expectations, with its reason; a `not_yet` entry that is no longer needed is an error too, so that it can only shrink.
Uses only Python's standard library, and of the driver only its results.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

END = 999  # the line that says how a scenario's process ended


def read_steps(lines):
    """Scenario -> step -> line. The output of kernels is between the lines and is ignored."""
    scenarios = {}
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and "scenario" in entry:
            scenarios.setdefault(entry["scenario"], {})[entry["step"]] = entry
    return scenarios


def run_probe(program, folder, device):
    """The probe's lines; it finds its kernels in its working directory, which is a fresh one."""
    with tempfile.TemporaryDirectory() as work:
        for kernels in folder.glob("*.ptx"):
            shutil.copy(kernels, work)
        # The probe's children crash if the driver does; that is a result, and not a failure of the run.
        environment = dict(os.environ, **({"DRIVERLAB_DEVICE": device} if device else {}))
        done = subprocess.run([program], cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=540)
    if done.returncode != 0:
        sys.exit(f"{program} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}")
    return done.stdout.decode(errors="replace").splitlines()


def answer(entry):
    if entry is None:
        return "nothing"
    return f"{entry['result']} ({entry['code']})" if "call" in entry else repr(entry["value"])


def exceptions(expectations, kind, scenario):
    steps = {}
    for entry in expectations.get(kind, []):
        if entry["scenario"] == scenario:
            for step in entry["steps"]:
                steps[step] = entry["reason"]
    return steps


def measured_card(truth):
    """H200, for h200_driver.jsonl."""
    return truth.name.partition("_")[0].upper()


def compare_scenario(name, truth, ours, expectations, card):
    """Prints the verdict on one scenario and returns the complaints."""
    allowed = exceptions(expectations, "allowed", name)
    missing = exceptions(expectations, "not_yet", name)
    steps = [step for step in sorted(truth) if step != END]
    different = [step for step in steps if truth[step] != ours.get(step)]
    notes = []
    if any(step in allowed for step in different):
        notes.append(f"{sum(step in allowed for step in different)} allowed to differ")
    if any(step in missing for step in different):
        notes.append(f"{sum(step in missing for step in different)} not yet")
    print(f"{name}: {len(steps) - len(different)} of {len(steps)} steps equal" + (f" ({', '.join(notes)})" if notes else ""))
    complaints = []
    for step in different:
        what = truth[step].get("call") or truth[step].get("note")
        line = f"{name} step {step}, {what}: {card} {answer(truth[step])}, embedded {answer(ours.get(step))}"
        reason = allowed.get(step) or missing.get(step)
        print(f"    {line}" + (f" [{reason}]" if reason else ""))
        if reason is None:
            complaints.append(line)
    for step in sorted(set(missing) - set(different)):
        complaints.append(f"{name} step {step} is equal now (or no step): take it out of the expectations")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probe", required=True, type=pathlib.Path)
    parser.add_argument("--truth", required=True, type=pathlib.Path)
    parser.add_argument("--expectations", required=True, type=pathlib.Path)
    parser.add_argument("--only", nargs="+", default=[], metavar="SCENARIO", help="compare these scenarios and no others")
    arguments = parser.parse_args()
    expectations = tomllib.loads(arguments.expectations.read_text())
    card = measured_card(arguments.truth)
    truth = read_steps(arguments.truth.read_text().splitlines())
    ours = read_steps(run_probe(arguments.probe.resolve(), arguments.truth.parent, expectations.get("device")))
    later = {entry["scenario"]: entry["reason"] for entry in expectations.get("later", [])}
    complaints = [f"there is no scenario {name}" for name in arguments.only if name not in truth]
    for name, steps in truth.items():
        if arguments.only and name not in arguments.only:
            continue
        if name in later:
            print(f"{name}: not compared yet [{later[name]}]")
        else:
            complaints += compare_scenario(name, steps, ours.get(name, {}), expectations, card)
    if complaints:
        print(f"\n{len(complaints)} unexpected:")
        print("\n".join(f"    {complaint}" for complaint in complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
