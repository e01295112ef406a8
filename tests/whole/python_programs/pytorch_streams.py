# SPDX-License-Identifier: MIT
"""PyTorch: two streams, events between them, an allocator under load, a graph captured and replayed, a thread."""

import threading

import torch

assert torch.cuda.is_available(), "PyTorch sees no GPU"
device = torch.device("cuda:0")
a = torch.arange(1 << 16, dtype=torch.float32, device=device)
first, second = torch.cuda.Stream(), torch.cuda.Stream()
ready = torch.cuda.Event()
first.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(first):
    b = a * 2
    ready.record()
with torch.cuda.stream(second):
    second.wait_event(ready)
    c = b + 1
torch.cuda.synchronize()
assert c[3].item() == 7.0

for size in (1 << 10, 1 << 20, 1 << 24):
    blocks = [torch.empty(size, device=device) for _ in range(4)]
    del blocks
torch.cuda.empty_cache()

static = torch.zeros(1024, device=device)
warm = torch.cuda.Stream()
warm.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(warm):
    static += 1
torch.cuda.current_stream().wait_stream(warm)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    static += 1
for _ in range(5):
    graph.replay()
torch.cuda.synchronize()
assert static[0].item() == 6.0

results = []
worker = threading.Thread(target=lambda: results.append((a[:10] @ a[:10]).item()), name="worker")
worker.start()
worker.join()
assert results == [285.0]
print("pytorch_streams: good")
