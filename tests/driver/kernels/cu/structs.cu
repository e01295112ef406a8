// Structures by value, with padding, arrays and nesting.
struct Point {
  char tag;
  double x;
  short layer[3];
};
struct Box {
  Point from, to;
  unsigned char flags;
};
extern "C" __global__ void structs(Box box, char small, float4 wide, short other, long long* out, Box* copy) {
  out[0] = box.from.tag + box.to.tag;
  out[1] = static_cast<long long>(box.to.x - box.from.x);
  out[2] = box.from.layer[2] * 100 + box.to.layer[0];
  out[3] = box.flags;
  out[4] = small;
  out[5] = static_cast<long long>(wide.x + 10 * wide.y + 100 * wide.z + 1000 * wide.w);
  out[6] = other;
  *copy = box;
}
