// SPDX-License-Identifier: MIT
// See picture_processors.hpp.
#include "picture_processors.hpp"

#include <algorithm>
#include <vector>

#include "picture_work.hpp"

namespace gui::picture {
namespace {

using lab::Text;

constexpr float kShareBar = 22, kShareGap = 4, kShareBelow = 12;
constexpr std::size_t kMostShares = 32;

}  // namespace

const lab::Object* green_of(const lab::State& state, const lab::Context& context) {
  return context.green == 0 || !context.alive ? nullptr
                                              : state.object_of(lab::ObjectKind::GreenContext, context.green);
}

std::string share_words(const Layouter& l, const lab::Object& green) {
  if (green.multiprocessors == 0) return {};
  const std::string own = std::to_string(green.multiprocessors);
  const std::uint32_t all =
      green.device < l.state.devices.size() ? l.state.devices[green.device].multiprocessors : 0;
  return all == 0 ? l.text(Text::PictureSmCount, {own})
                  : l.text(Text::PictureSmShare, {own, std::to_string(all)});
}

float lay_out_multiprocessors(Layouter& l, const lab::Device& device, int panel, float x, float y,
                              float width) {
  std::vector<const lab::Object*> greens;
  std::uint64_t given = 0;
  for (const lab::Object& object : l.state.objects)
    if (object.id.kind == lab::ObjectKind::GreenContext && object.device == device.ordinal &&
        object.multiprocessors > 0 && greens.size() < kMostShares) {
      greens.push_back(&object);
      given += object.multiprocessors;
    }
  if (greens.empty() || !l.request.filter.other) return 0;
  // Two green contexts may share multiprocessors: then all that they have together is the whole bar.
  const std::uint64_t whole = std::max<std::uint64_t>(given, device.multiprocessors);
  const float line = l.height(Face::Ui, Size::Small);
  const int bar = l.add(BoxKind::Shares, make_id(IdSpace::Shares, device.ordinal), panel,
                        {x, y, width, line + l.px(kShareGap) + l.px(kShareBar)});
  if (device.multiprocessors > 0)
    l.put(bar, 0, 0, width, l.text(Text::PictureSmBar, {std::to_string(device.multiprocessors)}), Face::Ui,
          Size::Small, Ink::Muted);
  const float top = y + line + l.px(kShareGap);
  std::uint64_t before = 0;
  const auto share = [&](std::uint64_t count, std::uint64_t id, const std::string& words) {
    const auto at = [&](std::uint64_t processors) {
      return std::round(width *
                        static_cast<float>(static_cast<double>(processors) / static_cast<double>(whole)));
    };
    const float begin = at(before), end = at(before + count);
    before += count;
    const int box =
        l.add(BoxKind::Share, id, bar, {x + begin, top, std::max(1.0f, end - begin), l.px(kShareBar)});
    const float wide = l.width(words, Face::Ui, Size::Small);
    if (wide + l.px(8) <= end - begin)
      l.put_middle(box, std::round((end - begin - wide) / 2), 0, l.px(kShareBar), wide, words, Face::Ui,
                   Size::Small, Ink::Text);
    return box;
  };
  for (const lab::Object* green : greens) {
    const int box = share(green->multiprocessors, make_id(IdSpace::Share, device.ordinal, green->id.number),
                          lab::object_name(*green) + "  " + std::to_string(green->multiprocessors));
    l.box(box).object = green->id;
  }
  if (whole > given)
    share(whole - given, make_id(IdSpace::Share, device.ordinal),
          l.text(Text::PictureSmRest, {std::to_string(whole - given)}));
  return line + l.px(kShareGap) + l.px(kShareBar) + l.px(kShareBelow);
}

}  // namespace gui::picture
