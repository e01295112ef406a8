// Following pointers that lie in memory.
struct Node {
  int value;
  Node* next;
};
extern "C" __global__ void linked_list_build(Node* nodes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) nodes[i] = {i * i, i + 7 < n ? &nodes[i + 7] : nullptr};
}
extern "C" __global__ void linked_list_sum(Node* nodes, long long* out) {
  long long sum = 0;
  for (const Node* node = &nodes[threadIdx.x]; node != nullptr; node = node->next) sum += node->value;
  out[threadIdx.x] = sum;
}
