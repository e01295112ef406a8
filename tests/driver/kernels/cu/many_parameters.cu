// Parameters of all sizes, so that each has to be aligned.
extern "C" __global__ void many_parameters(char a, short b, int c, long long d, float e, double f, unsigned char g, int2 h,
                                           char3 i, double2 j, bool k, double* out) {
  const double values[] = {double(a), double(b), double(c), double(d), double(e), f,        double(g),   double(h.x),
                           double(h.y), double(i.x), double(i.z), j.x,     j.y,    k ? 1. : 0.};
  for (int n = 0; n < 14; ++n) out[n] = values[n];
}
