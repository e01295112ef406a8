// SPDX-License-Identifier: MIT
// The lower half of the picture: each device with its primary context, its created contexts, and what is
// allocated in them, drawn to scale. See picture_layout.hpp.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "formatting.hpp"
#include "lab/object_names.hpp"
#include "picture_ghost.hpp"
#include "picture_host.hpp"
#include "picture_layouter.hpp"
#include "picture_objects.hpp"
#include "picture_processors.hpp"

namespace gui::picture {
namespace {

using lab::Text;

constexpr float kBar = 22, kBarGap = 5, kPanelPad = 12, kContextGap = 12, kTitle = 26, kRibbon = 10;
constexpr float kTop = 10, kBelowTitle = 5, kBottom = 12, kObjectsGap = 8;
constexpr std::size_t kMostBars = 6, kMostUnfolded = 200, kMostDestroyed = 4;

using Owned = std::unordered_map<std::uint32_t, std::vector<const lab::Allocation*>>;

// How tall a context's box is, found before it is placed, because a row is as tall as its tallest.
struct Plan {
  std::uint32_t context = lab::kNone;
  std::vector<const lab::Allocation*> bars;  // by address
  std::size_t hidden = 0;
  std::uint64_t hidden_bytes = 0, bytes = 0;
  std::vector<const lab::Allocation*> on_device;  // by address, for the ribbon
  bool ribbon = false;
  ObjectPlan objects;
  GhostBars ghosts;
  const lab::GhostMoment::OfContext* before = nullptr;  // a context that only the run before has
  float height = 0;
  float memory_height = 0;  // of it, down to where objects begin
};

bool by_address(const lab::Allocation* a, const lab::Allocation* b) {
  return a->address != b->address ? a->address < b->address : a->number < b->number;
}

class Devices {
 public:
  Devices(Layouter& layouter, float top, std::optional<Point> beside)
      : l(layouter),
        planner_(layouter),
        y(top),
        beside_(beside),
        wide_(layouter.request.width),
        copied_(copied_allocations(layouter)) {
    const MemoryHolders holders(l.state);
    // Neighbours mostly have one owner, so it is looked up once for them.
    std::uint32_t last = lab::kNone;
    std::vector<const lab::Allocation*>* owned = nullptr;
    for (const lab::Allocation& a : l.state.allocations) {
      if (!l.request.filter.memory) break;
      const bool elsewhere = a.kind == lab::MemoryKind::Pooled || a.kind == lab::MemoryKind::Mapped;
      if (elsewhere && holders.of(a).known) continue;  // drawn in its pool or range
      if (is_of_host(a.kind)) continue;                // drawn in the host's column
      const bool known = a.context < l.state.contexts.size();
      const std::uint32_t owner = a.kind == lab::MemoryKind::Managed ? kManaged
                                  : known                            ? a.context
                                                                     : lab::kNone;
      if (owned == nullptr || owner != last) owned = &owned_[owner], last = owner;
      owned->push_back(&a);
    }
    for (const lab::Change& change : l.state.changes)
      if (change.kind == lab::Change::Kind::Allocated ||
          (change.kind == lab::Change::Kind::MemoryWritten && !is_enqueued_now(l.state)))
        touched_ = change.allocation;
  }
  float run();

 private:
  Plan plan(std::uint32_t context, float width) const;
  void device(const lab::Device& device);
  float contexts_of(const lab::Device& device, int panel, float top);
  void add_contexts_of_before(const lab::Device& device, std::vector<Plan>& plans) const;
  float context_box(const Plan& plan, int panel, Rect rect, bool primary);
  float context_title(int box, const lab::Context& context, std::uint32_t index, float wide);
  void allocations(const Plan& plan, int box, float top);
  void bar(const lab::Allocation& allocation, int box, Rect rect);
  void ribbon(const Plan& plan, int box, Rect rect);
  void elsewhere();
  void process();
  void managed();
  float host();
  std::string place_words(const lab::Allocation& allocation) const;
  std::vector<std::uint32_t> shown_contexts(const lab::Device& device, std::size_t& hidden) const;
  std::vector<std::string> words_of(const lab::Context& context) const;

  Layouter& l;
  ObjectPlanner planner_;
  float y;
  std::optional<Point> beside_;
  float left_ = 0, wide_;              // of the devices, beside the host's memory
  std::vector<std::uint32_t> copied_;  // numbers, by copies that are shown
  Owned owned_;
  std::uint32_t touched_ = 0;
  std::uint64_t largest_ = 1;  // of the device being laid out: its bar is the full width
};

Plan Devices::plan(std::uint32_t context, float width) const {
  Plan plan;
  plan.context = context;
  const auto found = owned_.find(context);
  if (found != owned_.end()) plan.bars = found->second;
  plan.on_device.reserve(plan.bars.size());
  for (const lab::Allocation* a : plan.bars) {
    plan.bytes += a->size;
    if (a->kind == lab::MemoryKind::Device) plan.on_device.push_back(a);
  }
  // Mostly they come in this order already.
  if (!std::is_sorted(plan.on_device.begin(), plan.on_device.end(), by_address))
    std::sort(plan.on_device.begin(), plan.on_device.end(), by_address);
  plan.ribbon = plan.on_device.size() > 1;
  const std::uint64_t fold = make_id(IdSpace::AllocationsFold, context);
  const std::size_t most = l.request.unfolded.count(fold) > 0 ? kMostUnfolded : kMostBars;
  if (plan.bars.size() > most) {
    // The largest stay, and the one that this step is about or that was searched for.
    const lab::ObjectId wanted = l.request.wanted;
    const auto meant = [&](const lab::Allocation* a) {
      return a->number == touched_ || std::find(copied_.begin(), copied_.end(), a->number) != copied_.end() ||
             (wanted.kind == lab::ObjectKind::Allocation && wanted.number == a->number);
    };
    const auto larger = [](const lab::Allocation* a, const lab::Allocation* b) {
      return a->size != b->size ? a->size > b->size : a->number < b->number;
    };
    const auto middle = plan.bars.begin() + static_cast<std::ptrdiff_t>(most - 1);
    const auto rest = std::partition(plan.bars.begin(), plan.bars.end(), meant);
    std::partial_sort(std::min(rest, middle), middle, plan.bars.end(), larger);
    plan.hidden = plan.bars.size() - (most - 1);
    for (auto it = middle; it != plan.bars.end(); ++it) plan.hidden_bytes += (*it)->size;
    plan.bars.erase(middle, plan.bars.end());
  }
  std::sort(plan.bars.begin(), plan.bars.end(), by_address);

  if (context == kManaged)
    plan.ghosts = plan_ghosts(l, "");
  else if (context < l.state.contexts.size())
    plan.ghosts = plan_ghosts(l, l.state.contexts[context].name);
  const auto rows = static_cast<float>(plan.bars.size() + (plan.hidden > 0 ? 1 : 0));
  const float bars = rows * (l.px(kBar) + l.px(kBarGap)) + plan.ghosts.height;
  const float line = l.height(Face::Ui, Size::Small) + l.px(4);
  plan.height = l.px(kTop) + l.px(kTitle) + l.px(kBelowTitle) + line + l.px(kBottom);
  if (bars > 0) plan.height += bars - l.px(kBarGap) + l.px(6);
  if (plan.ribbon) plan.height += l.px(kRibbon) + l.px(8);
  plan.memory_height = plan.height - l.px(kBottom) + l.px(kObjectsGap);
  // What belongs to the process has a box of its own.
  if (context < l.state.contexts.size()) plan.objects = planner_.plan(context, width - 2 * l.px(kPanelPad));
  if (plan.objects.height > 0) plan.height = plan.memory_height + plan.objects.height + l.px(kObjectsGap);
  return plan;
}

// The words after a context's name, the most important ones first.
std::vector<std::string> Devices::words_of(const lab::Context& context) const {
  std::vector<std::string> words;
  if (const lab::Object* green = green_of(l.state, context)) {
    words.push_back(l.text(Text::PictureOfGreen, {lab::object_name(*green)}));
    if (const std::string share = share_words(l, *green); !share.empty()) words.push_back(share);
  }
  if (context.primary) {
    words.emplace_back(l.text(Text::PicturePrimary));
    words.emplace_back(l.text(context.active ? Text::PictureActive : Text::PictureNotActive));
    words.push_back(l.text(Text::PictureRetained, {std::to_string(context.retain_count)}));
    return words;
  }
  if (!context.alive) {
    const int line = context.destroyed_at ? l.line_of(*context.destroyed_at) : 0;
    if (line > 0) words.push_back(l.text(Text::PictureDestroyedLine, {std::to_string(line)}));
    return words;
  }
  if (const int line = l.line_of(context.created_at); line > 0)
    words.push_back(l.text(Text::PictureCreatedLine, {std::to_string(line)}));
  if (context.use_count != 1)
    words.push_back(l.text(Text::PictureUseCount, {std::to_string(context.use_count)}));
  return words;
}

float Devices::context_title(int box, const lab::Context& context, std::uint32_t index, float wide) {
  const float pad = l.px(12), tall = l.px(kTitle), top = l.px(kTop), gap = l.px(8);
  const bool dead = context.is_dead();
  float right = wide - l.px(10);
  const auto pill = [&](std::string_view words, Ink ink, LabelShape shape) {
    const float taken = l.put_pill(box, right, top, tall, right - pad - l.px(34), words, ink, shape);
    if (taken > 0) right -= taken + l.px(6);
  };
  if (context.is_destroyed())
    pill(l.text(Text::PictureDestroyed), Ink::Muted, LabelShape::Pill);
  else if (l.is_current(index))
    pill(l.text(Text::PictureCurrent), Ink::OnContext, LabelShape::FilledPill);
  else if (!context.primary && !l.on_stack[index])
    pill(l.text(Text::PictureFloating), Ink::Context, LabelShape::Pill);
  float x = pad + l.put_middle(box, pad, top, tall, right - pad, context.name, Face::Bold, Size::Title,
                               dead ? Ink::Muted : Ink::Context);
  if (!l.box(box).labels.empty()) l.box(box).labels.back().struck = context.is_destroyed();
  std::string words;
  for (const std::string& word : words_of(context)) (words += words.empty() ? "" : " · ") += word;
  if (!words.empty() && right - x - gap > l.px(36))
    l.put_middle(box, x + gap, top, tall, right - x - gap, words, Face::Ui, Size::Small, Ink::Muted);
  return top + tall + l.px(kBelowTitle);
}

void Devices::bar(const lab::Allocation& allocation, int parent, Rect rect) {
  const int box =
      l.add(BoxKind::Allocation, make_id(IdSpace::Allocation, 0, allocation.number), parent, rect);
  Box& made = l.box(box);
  made.context = allocation.context, made.allocation = allocation.number, made.memory = allocation.kind;
  made.changed = allocation.number == touched_;
  if (made.changed) l.scene.focus = box;
  made.share = share_of(l, allocation.size, largest_, rect.w);
  const std::uint64_t before = size_before(l, allocation);
  if (before > 0) made.share_before = share_of(l, before, largest_, rect.w);
  made.fresh = l.request.ghost && l.request.ghost->new_memory.contains(allocation.number);
  std::string words =
      known_size_words(allocation.size, l.request.language) + "  #" + std::to_string(allocation.number);
  if (allocation.kind == lab::MemoryKind::Managed)
    (words += " · ") += place_words(allocation);
  else if (allocation.kind != lab::MemoryKind::Device)
    (words += " · ") += l.text(lab::memory_word(allocation.kind));
  const float bar_width = made.share * rect.w, outline = made.share_before * rect.w, pad = l.px(8);
  // On the bar if it is long enough, otherwise after it; never across the end of what it was before.
  const auto place_of = [&](const std::string& text) -> std::optional<float> {
    const float wide = l.width(text, Face::Ui, Size::Small);
    if (outline == 0)
      return bar_width >= wide + 2 * pad ? pad : std::min(bar_width + pad, std::max(pad, rect.w - wide));
    if (outline >= wide + 2 * pad) return pad;
    return outline + pad + wide <= rect.w ? std::optional(outline + pad) : std::nullopt;
  };
  std::optional<float> x;
  if (before > 0) {
    const bool english = l.request.language == lab::Language::English;
    const std::string size = l.text(Text::GhostBefore, {known_size_words(before, l.request.language)});
    const std::string all = words + (english ? " (" : "（") + size + (english ? ")" : "）");
    if (x = place_of(all); x) words = all;
  }
  if (!x) x = place_of(words);
  const float at = x.value_or(pad);
  l.put_middle(box, at, 0, rect.h, rect.w - at, words, Face::Ui, Size::Small, Ink::Text);
  if (!l.box(box).labels.empty()) l.box(box).labels.back().over_bar = at < bar_width;
}

void Devices::ribbon(const Plan& plan, int parent, Rect rect) {
  const int track = l.add(BoxKind::Ribbon, make_id(IdSpace::Ribbon, plan.context), parent, rect);
  l.box(track).context = plan.context;
  std::vector<Stretch> stretches;
  stretches.reserve(plan.on_device.size());
  for (const lab::Allocation* a : plan.on_device) stretches.push_back({a->address, a->size});
  const std::vector<Placed> placed = place_on_ribbon(stretches);
  float free_from = rect.x;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    float x = rect.x + static_cast<float>(placed[i].begin) * rect.w;
    float end = rect.x + static_cast<float>(placed[i].end) * rect.w;
    x = std::max(x, free_from);
    end = std::min(std::max(end, x + l.px(2)), rect.right());
    if (end - x < 1) continue;  // lies under a pixel that is taken
    const lab::Allocation& a = *plan.on_device[i];
    const int span = l.add(BoxKind::RibbonSpan, make_id(IdSpace::RibbonSpan, 0, a.number), track,
                           {x, rect.y, end - x, rect.h});
    l.box(span).context = plan.context, l.box(span).allocation = a.number, l.box(span).memory = a.kind;
    l.box(span).changed = a.number == touched_;
    l.box(span).share = placed[i].cut_before ? 0.0f : 1.0f;
    free_from = end;
  }
}

void Devices::allocations(const Plan& plan, int box, float top) {
  const Rect outer = l.box(box).rect;
  const float pad = l.px(12), inner = outer.w - 2 * pad;
  const std::size_t count = plan.bars.size() + plan.hidden;
  const std::string size = size_words(plan.bytes, l.request.language);
  const std::string words = count == 0   ? std::string(l.text(Text::PictureNothingAllocated))
                            : count == 1 ? l.text(Text::PictureAllocationOne, {size})
                                         : l.text(Text::PictureAllocations, {size, std::to_string(count)});
  l.put(box, pad, top, inner, words, Face::Ui, Size::Small, Ink::Muted);
  float at = outer.y + top + l.height(Face::Ui, Size::Small) + l.px(6);
  if (plan.ribbon) {
    ribbon(plan, box, {outer.x + pad, at, inner, l.px(kRibbon)});
    at += l.px(kRibbon) + l.px(8);
  }
  const float step = l.px(kBar) + l.px(kBarGap);
  for (const lab::Allocation* a : plan.bars) {
    bar(*a, box, {outer.x + pad, at, inner, l.px(kBar)});
    at += step;
  }
  const float ghosts_at = at + (plan.hidden > 0 ? step : 0);
  place_ghosts(l, plan.ghosts, box, {outer.x + pad, ghosts_at, inner, 0}, largest_);
  if (plan.hidden == 0) return;
  const int fold = l.add(BoxKind::Fold, make_id(IdSpace::AllocationsFold, plan.context), box,
                         {outer.x + pad, at, inner, l.px(kBar)});
  l.put_middle(fold, l.px(4), 0, l.px(kBar), inner - l.px(8),
               l.text(Text::PictureMoreAllocations,
                      {std::to_string(plan.hidden), size_words(plan.hidden_bytes, l.request.language)}),
               Face::Ui, Size::Small, Ink::Muted);
}

float Devices::context_box(const Plan& plan, int panel, Rect rect, bool primary) {
  const lab::Context& context = l.state.contexts[plan.context];
  const int box = l.add(BoxKind::Context, make_id(IdSpace::Context, plan.context), panel, rect);
  Box& made = l.box(box);
  made.context = plan.context, made.primary = context.primary, made.destroyed = context.is_destroyed();
  made.dead = context.is_dead() ? 1 : 0;
  made.current = l.is_current(plan.context);
  made.changed = l.is_changed(plan.context);
  made.floating = context.alive && !context.primary && !l.on_stack[plan.context];
  made.fresh = l.request.ghost && l.request.ghost->new_contexts.contains(plan.context);
  if (made.changed && l.scene.focus < 0) l.scene.focus = box;
  const float top = context_title(box, context, plan.context, rect.w);
  const bool holds_nothing = plan.bars.empty() && plan.ghosts.bars.empty() && plan.objects.height <= 0 &&
                             (primary || !context.alive);
  if (!holds_nothing) allocations(plan, box, top);
  if (plan.objects.height > 0)
    planner_.place(plan.objects, plan.context, box, rect.x + l.px(kPanelPad), rect.y + plan.memory_height,
                   rect.w - 2 * l.px(kPanelPad));
  return rect.bottom();
}

// All alive ones, and of the destroyed those that lie on a stack, changed just now, or were the last to go.
std::vector<std::uint32_t> Devices::shown_contexts(const lab::Device& device, std::size_t& hidden) const {
  std::vector<std::uint32_t> shown, gone;
  const auto count = static_cast<std::uint32_t>(l.state.contexts.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const lab::Context& context = l.state.contexts[i];
    if (context.device != device.ordinal || context.primary || context.hidden) continue;
    if (!context.alive && !l.request.filter.destroyed) continue;
    shown.push_back(i);
    if (!context.alive && !l.on_stack[i] && !l.is_changed(i)) gone.push_back(i);
  }
  hidden = 0;
  const bool all = l.request.unfolded.count(make_id(IdSpace::ContextsFold, device.ordinal)) > 0;
  if (all || gone.size() <= kMostDestroyed) return shown;
  hidden = gone.size() - kMostDestroyed;
  const std::uint32_t last = gone[hidden - 1];
  std::erase_if(
      shown, [&](std::uint32_t i) { return i <= last && std::binary_search(gone.begin(), gone.end(), i); });
  return shown;
}

void Devices::add_contexts_of_before(const lab::Device& device, std::vector<Plan>& plans) const {
  if (!l.request.ghost) return;
  for (const lab::GhostMoment::OfContext& context : l.request.ghost->contexts) {
    if (context.device != device.ordinal) continue;
    Plan plan;
    plan.before = &context;
    plan.ghosts = plan_ghosts(l, context.name);
    plan.height = height_of_ghost(l, plan.ghosts);
    plans.push_back(std::move(plan));
  }
}

float Devices::contexts_of(const lab::Device& device, int panel, float top) {
  const float pad = l.px(kPanelPad), gap = l.px(kContextGap), inner = wide_ - 2 * pad;
  const float left = left_ + pad;
  std::size_t hidden = 0;
  const std::vector<std::uint32_t> shown = shown_contexts(device, hidden);
  std::vector<Plan> plans;
  plans.reserve(shown.size());
  const auto columns =
      std::clamp<std::size_t>(static_cast<std::size_t>((inner + gap) / (l.px(216) + gap)), 1, 4);
  const float wide =
      std::floor((inner - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  for (const std::uint32_t index : shown) plans.push_back(plan(index, wide));
  add_contexts_of_before(device, plans);
  const bool has_primary =
      device.primary < l.state.contexts.size() && !l.state.contexts[device.primary].hidden;
  Plan primary = has_primary ? plan(device.primary, inner) : Plan{};
  largest_ = std::max<std::uint64_t>(1, primary.ghosts.largest);
  for (const Plan& each : plans) largest_ = std::max(largest_, each.ghosts.largest);
  for (const lab::Allocation& a : l.state.allocations)
    if (a.kind != lab::MemoryKind::Managed && a.context < l.state.contexts.size() &&
        l.state.contexts[a.context].device == device.ordinal)
      largest_ = std::max({largest_, a.size, size_before(l, a)});

  float at = top;
  if (has_primary) {
    // Without memory it is one line: the device's own context, always in the same place.
    if (primary.bars.empty() && primary.ghosts.bars.empty() && primary.objects.height <= 0)
      primary.height = l.px(kTop) + l.px(kTitle) + l.px(kTop);
    at = context_box(primary, panel, {left, at, inner, primary.height}, true) + gap;
  }
  for (std::size_t begin = 0; begin < plans.size(); begin += columns) {
    const std::size_t end = std::min(begin + columns, plans.size());
    float tall = 0;
    for (std::size_t i = begin; i < end; ++i) tall = std::max(tall, plans[i].height);
    for (std::size_t i = begin; i < end; ++i) {
      const Rect rect{left + static_cast<float>(i - begin) * (wide + gap), at, wide, tall};
      if (plans[i].before != nullptr)
        place_ghost(l, *plans[i].before, plans[i].ghosts, panel, rect, largest_);
      else
        context_box(plans[i], panel, rect, false);
    }
    at += tall + gap;
  }
  if (hidden > 0) {
    const int fold = l.add(BoxKind::Fold, make_id(IdSpace::ContextsFold, device.ordinal), panel,
                           {left, at - gap + l.px(4), inner, l.px(24)});
    l.put_middle(fold, l.px(4), 0, l.px(24), inner - l.px(8),
                 l.text(Text::PictureMoreDestroyed, {std::to_string(hidden)}), Face::Ui, Size::Small,
                 Ink::Muted);
    at += l.px(28) - gap + gap;
  }
  return at - gap + pad;
}

void Devices::device(const lab::Device& device) {
  const float title = l.px(28), all = wide_;
  const int box =
      l.add(BoxKind::Device, make_id(IdSpace::Device, device.ordinal), -1, {left_, y, all, title});
  float x = l.px(4);
  x += l.put_middle(box, x, 0, title, all - x, l.text(Text::PictureDevice, {std::to_string(device.ordinal)}),
                    Face::Bold, Size::Body, Ink::Text) +
       l.px(12);
  std::string words = device.name;
  if (device.total_bytes > 0)
    (words += words.empty() ? "" : " · ") += size_words(device.total_bytes, l.request.language);
  if (!words.empty() && all - x > l.px(30))
    l.put_middle(box, x, 0, title, all - x, words, Face::Ui, Size::Body, Ink::Muted);
  y += title;
  const int panel = l.add(BoxKind::Panel, make_id(IdSpace::Panel, device.ordinal), box, {left_, y, all, 0});
  const float shares = lay_out_multiprocessors(l, device, panel, left_ + l.px(kPanelPad), y + l.px(kPanelPad),
                                               all - 2 * l.px(kPanelPad));
  const float end = contexts_of(device, panel, y + l.px(kPanelPad) + shares);
  l.box(panel).rect.h = end - y;
  l.box(box).rect.h = title + end - y;
  y = end + l.px(10);
}

// Where managed memory is, and whose it is.
std::string Devices::place_words(const lab::Allocation& allocation) const {
  std::string words;
  if (allocation.place == lab::kNone)
    words = l.text(Text::PicturePlaceDriver);
  else if (allocation.place == lab::kHost)
    words = l.text(Text::PictureLivesOn, {std::string(l.text(Text::PicturePlaceHost))});
  else
    words =
        l.text(Text::PictureLivesOn, {l.text(Text::PicturePlaceDevice, {std::to_string(allocation.place)})});
  if (allocation.context < l.state.contexts.size())
    (words += " · ") += l.text(Text::PictureOwnerIs, {l.state.contexts[allocation.context].name});
  return words;
}

// Between the host, whose threads are above, and the devices below: it belongs to neither.
void Devices::managed() {
  const Plan all = plan(kManaged, l.request.width);
  if (!owned_.contains(kManaged) && all.ghosts.bars.empty()) return;
  largest_ = std::max<std::uint64_t>(1, all.ghosts.largest);
  for (const lab::Allocation* a : owned_[kManaged])
    largest_ = std::max({largest_, a->size, size_before(l, *a)});
  const int box =
      l.add(BoxKind::Process, make_id(IdSpace::Process, 1), -1, {0, y, l.request.width, all.height});
  l.put_middle(box, l.px(12), l.px(kTop), l.px(kTitle), l.request.width - l.px(24),
               l.text(Text::PictureManaged), Face::Bold, Size::Body, Ink::Text);
  allocations(all, box, l.px(kTop) + l.px(kTitle) + l.px(kBelowTitle));
  y += all.height + l.px(10);
}

// Memory whose owner was never seen, as in a recording that begins in the middle.
void Devices::elsewhere() {
  if (owned_.find(lab::kNone) == owned_.end()) return;
  Plan rest = plan(lab::kNone, l.request.width);
  // Pools and mappings belong to no context; of the others the owner was never seen.
  const bool of_process = std::all_of(rest.bars.begin(), rest.bars.end(), [](const lab::Allocation* a) {
    return a->kind == lab::MemoryKind::Pooled || a->kind == lab::MemoryKind::Mapped;
  });
  largest_ = 1;
  for (const lab::Allocation* a : rest.bars) largest_ = std::max(largest_, a->size);
  const int box = l.add(BoxKind::Note, make_id(IdSpace::Note, 1), -1, {0, y, l.request.width, rest.height});
  l.put_middle(box, l.px(12), l.px(kTop), l.px(kTitle), l.request.width - l.px(24),
               l.text(of_process ? Text::PictureProcess : Text::PictureElsewhere), Face::Bold, Size::Body,
               Ink::Text);
  allocations(rest, box, l.px(kTop) + l.px(kTitle) + l.px(kBelowTitle));
  y += rest.height + l.px(10);
}

// Libraries, graphs, pools, physical memory: above the devices, so that arrows lead down to copies.
void Devices::process() {
  const float pad = l.px(12), inner = l.request.width - 2 * pad;
  const ObjectPlan plan = planner_.plan(lab::kNone, inner);
  if (plan.height <= 0) return;
  const float title = l.px(kTop) + l.px(kTitle);
  const int box = l.add(BoxKind::Process, make_id(IdSpace::Process, 0), -1,
                        {0, y, l.request.width, title + plan.height + l.px(kObjectsGap)});
  l.put_middle(box, pad, l.px(kTop) / 2, l.px(kTitle), inner, l.text(Text::PictureProcess), Face::Bold,
               Size::Body, Ink::Text);
  planner_.place(plan, lab::kNone, box, pad, y + title, inner);
  y += l.box(box).rect.h + l.px(10);
}

// Beside the devices, which are narrower then; returns where it ends.
float Devices::host() {
  const HostPlan plan = plan_host(l);
  if (!plan.shown) return y;
  place_host(l, plan, 0, y);
  const float end = y + plan.height + l.px(10);
  if (!plan.beside) return y = end + l.px(12);
  left_ = plan.width + l.px(kBesideHost);
  wide_ = l.request.width - left_;
  return end;
}

float Devices::run() {
  const float below_threads = y;
  process();
  managed();
  if (y > below_threads || l.state.devices.empty()) beside_.reset();
  if (l.state.devices.empty()) {
    const int note = l.add(BoxKind::Note, make_id(IdSpace::Note, 0), -1, {0, y, l.request.width, 0});
    const float pad = l.px(12);
    const float used = l.put_wrapped(note, pad, l.px(10), l.request.width - 2 * pad, 3,
                                     l.text(Text::PictureNoDevices), Face::Ui, Size::Body, Ink::Muted);
    l.box(note).rect.h = used + l.px(20);
    y += used + l.px(30);
  }
  float host_end = host();
  if (beside_) {
    host_end = std::max(host_end, below_threads);
    left_ = std::max(left_, beside_->x), wide_ = l.request.width - left_;
    y = beside_->y;
  }
  for (const lab::Device& known : l.state.devices)
    if (l.request.filter.device == lab::kNone || l.request.filter.device == known.ordinal) device(known);
  y = std::max(y, host_end);
  elsewhere();
  return y - l.px(10);
}

}  // namespace

std::vector<Placed> place_on_ribbon(const std::vector<Stretch>& sorted) {
  std::vector<Placed> placed(sorted.size());
  double bytes = 0;
  for (const Stretch& stretch : sorted) bytes += static_cast<double>(stretch.size);
  if (bytes <= 0) bytes = 1;
  double at = 0;
  std::uint64_t end = sorted.empty() ? 0 : sorted.front().address;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::uint64_t from = std::max(sorted[i].address, end);
    const auto gap = static_cast<double>(from - end);
    placed[i].cut_before = gap > bytes;
    at += placed[i].cut_before ? bytes / 8 : gap;
    placed[i].begin = at;
    const std::uint64_t stop = std::max(sorted[i].address + sorted[i].size, from);
    at += static_cast<double>(stop - from);
    placed[i].end = at;
    end = stop;
  }
  if (at <= 0) at = 1;
  for (Placed& place : placed) place.begin /= at, place.end /= at;
  return placed;
}

float lay_out_devices(Layouter& layouter, float y, std::optional<Point> beside) {
  return Devices(layouter, y, beside).run();
}

}  // namespace gui::picture
