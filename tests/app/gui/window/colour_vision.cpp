// SPDX-License-Identifier: MIT
// See colour_vision.hpp.
#include "colour_vision.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gui {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix kSeen[] = {
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}};
constexpr Matrix kToXyz = {{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
constexpr Triple kWhite = {0.95047, 1.0, 1.08883};

Triple times(const Matrix& matrix, const Triple& v) {
  Triple product{};
  for (std::size_t i = 0; i < 3; ++i)
    product[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
  return product;
}

double linear(ImU32 colour, unsigned shift) {
  const double c = static_cast<double>((colour >> shift) & 0xffu) / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Triple lab_of(ImU32 colour, Vision vision) {
  Triple light = times(kSeen[static_cast<std::size_t>(vision)],
                       {linear(colour, 0), linear(colour, 8), linear(colour, 16)});
  for (double& each : light) each = std::clamp(each, 0.0, 1.0);
  Triple xyz = times(kToXyz, light);
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = xyz[i] / kWhite[i];
    xyz[i] = part > 0.008856 ? std::cbrt(part) : 7.787 * part + 16.0 / 116;
  }
  return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

}  // namespace

double difference(ImU32 a, ImU32 b, Vision vision) {
  const Triple p = lab_of(a, vision), q = lab_of(b, vision);
  return std::sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                   (p[2] - q[2]) * (p[2] - q[2]));
}

}  // namespace gui
