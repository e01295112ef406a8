# SPDX-License-Identifier: MIT
"""What PyTorch's calls take, in nanoseconds, each the least over many bursts, into the file argv[1]: a launch of the
shortest operation there is, a small network used, and a step of its training."""

import sys
import time

import torch

BURSTS = 60


def least(run, count: int) -> float:
    """Of `count` runs in a row, without waiting for the device."""
    for _ in range(count):
        run()
    torch.cuda.synchronize()
    best = float("inf")
    for _ in range(BURSTS):
        begin = time.perf_counter_ns()
        for _ in range(count):
            run()
        best = min(best, (time.perf_counter_ns() - begin) / count)
        torch.cuda.synchronize()
        time.sleep(0.004)
    return best


values = torch.ones(32, device="cuda")
network = torch.nn.Sequential(
    torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.LayerNorm(128),
    torch.nn.Linear(128, 128), torch.nn.GELU(), torch.nn.LayerNorm(128),
    torch.nn.Linear(128, 8)).cuda()
samples = torch.randn(32, 64, device="cuda")
wanted = torch.randn(32, 8, device="cuda")
optimizer = torch.optim.SGD(network.parameters(), lr=0.01)


def use() -> None:
    with torch.no_grad():
        network(samples)


def train() -> None:
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(network(samples), wanted).backward()
    optimizer.step()


# Training comes last: it makes a second thread, from which on every call is timed twice.
figures = {"launch_ns": least(lambda: values.add_(1), 1000), "use_ns": least(use, 100), "train_ns": least(train, 20)}
with open(sys.argv[1], "w", encoding="utf-8") as result:
    result.writelines(f"{name} {value:.2f}\n" for name, value in figures.items())
