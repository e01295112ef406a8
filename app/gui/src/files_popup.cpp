// SPDX-License-Identifier: MIT
// Opening: a path that is typed, a recording that was opened last, one of those that come along; or a program
// to be traced. With a run on the screen, a recording can be opened beside it instead.
//
// All rows are one list with one cursor. While a path is being typed, the list is what can follow it.
#include <optional>

#include "formatting.hpp"
#include "lab/gallery.hpp"
#include "lab/path_choices.hpp"
#include "popup.hpp"
#include "text_field.hpp"
#include "widgets.hpp"

namespace gui {
namespace {

using lab::Text;

constexpr std::size_t kMostChoices = 200;

class FilesPopup : public Popup {
 public:
  explicit FilesPopup(const PopupContext& of) : of_(of) {}
  Shape shape() const override {
    return {.id = "files", .width = 640, .side = Side::Lesson, .keys = Keys::Own};
  }
  void open() override;
  bool take(const KeyPress& press) override;
  bool type(std::string_view text) override { return field_.type(text), look(), true; }
  void add_text(Fonts& fonts, lab::Language) override;
  void draw(Frame& frame, float most_height) override;

 private:
  struct Row {
    enum class Kind { Trace, Beside, File, Folder } kind = Kind::File;
    std::filesystem::path file = {};
    std::string label = {}, name = {};  // name: of the row, for tests
    const lab::GalleryEntry* entry = nullptr;
    std::optional<Text> heading = {};  // above it
    bool gone = false;
  };
  std::vector<Row> rows() const;
  void choose(const Row& row);
  void choose_typed();
  void look();  // for what can follow the path
  std::string second_of(const Frame& frame, const Row& row) const;

  PopupContext of_;
  TextField field_;
  bool beside_ = false;
  std::vector<lab::GalleryEntry> gallery_;
  std::vector<Row> recent_;
  std::vector<lab::PathChoice> choices_;
  std::size_t choice_ = 0;
  ChoiceInSight sight_;
};

void FilesPopup::open() {
  field_.set("");
  choices_.clear();
  beside_ = of_.pages.maximized() == Panel::Compare && of_.bench.can_share();
  choice_ = 0;
  sight_.forget();
  gallery_ = lab::gallery(of_.bench.recordings(), of_.bench.catalogue());
  recent_.clear();
  for (const std::string& file : of_.settings.recent) {
    std::error_code error;
    const std::filesystem::path path = file;
    recent_.push_back({.file = path,
                       .label = path.filename().string(),
                       .name = "recent " + std::to_string(recent_.size()),
                       .gone = !std::filesystem::exists(path, error)});
  }
  if (!recent_.empty()) recent_.front().heading = Text::FilesRecent;
}

void FilesPopup::look() {
  choices_ =
      field_.text().empty() ? std::vector<lab::PathChoice>() : lab::path_choices(field_.text(), kMostChoices);
  choice_ = 0;
  sight_.forget();
}

std::vector<FilesPopup::Row> FilesPopup::rows() const {
  std::vector<Row> rows;
  if (!field_.text().empty()) {
    for (const lab::PathChoice& each : choices_)
      rows.push_back({.kind = each.folder ? Row::Kind::Folder : Row::Kind::File,
                      .file = each.path,
                      .label = each.name + (each.folder ? "/" : ""),
                      .name = "path " + each.name});
    return rows;
  }
  rows.push_back({.kind = Row::Kind::Trace, .name = "trace program"});
  if (of_.bench.can_share()) rows.push_back({.kind = Row::Kind::Beside, .name = "open beside"});
  rows.insert(rows.end(), recent_.begin(), recent_.end());
  const lab::GalleryEntry* before = nullptr;
  for (const lab::GalleryEntry& entry : gallery_) {
    Row row{.file = entry.file, .name = "gallery " + entry.file.stem().string(), .entry = &entry};
    if (before == nullptr || (before->lesson == nullptr) != (entry.lesson == nullptr))
      row.heading = entry.lesson != nullptr ? Text::FilesLessons : Text::FilesPrograms;
    before = &entry;
    rows.push_back(std::move(row));
  }
  return rows;
}

void FilesPopup::choose(const Row& row) {
  switch (row.kind) {
    case Row::Kind::Trace:
      of_.commands.emplace_back(command::Toggle{PopupName::Trace});
      break;
    case Row::Kind::Beside:
      beside_ = !beside_;
      break;
    case Row::Kind::Folder:
      field_.set(row.file.string() + "/");
      look();
      break;
    case Row::Kind::File:
      of_.commands.emplace_back(command::OpenFile{row.file, beside_});
      break;
  }
}

void FilesPopup::choose_typed() {
  const std::filesystem::path typed = lab::typed_path(field_.text());
  std::error_code error;
  if (std::filesystem::is_directory(typed, error) && !field_.text().ends_with('/')) {
    field_.set(field_.text() + "/");
    return look();
  }
  const std::vector<Row> there = rows();
  if (!std::filesystem::exists(typed, error) || typed.filename().empty())
    if (choice_ < there.size()) return choose(there[choice_]);
  of_.commands.emplace_back(command::OpenFile{typed, beside_});  // also where it cannot be read, and says so
}

bool FilesPopup::take(const KeyPress& press) {
  const std::vector<Row> there = rows();
  if (press.key != Key::Home && press.key != Key::End && walk(press.key, choice_, there.size())) return true;
  if (press.key == Key::Enter && !press.ctrl) {
    if (!field_.text().empty())
      choose_typed();
    else if (choice_ < there.size())
      choose(there[choice_]);
    return true;
  }
  if (press.key == Key::Tab && !press.ctrl) {
    if (!field_.text().empty() && choice_ < there.size()) {
      const Row& row = there[choice_];
      field_.set(row.file.string() + (row.kind == Row::Kind::Folder ? "/" : ""));
      look();
    }
    return true;
  }
  if (!field_.take(press)) return false;
  return look(), true;
}

void FilesPopup::add_text(Fonts& fonts, lab::Language language) {
  fonts.add_text(field_.text());
  for (const Row& row : rows()) {
    fonts.add_text(row.label + row.file.string());
    if (row.entry != nullptr && row.entry->lesson != nullptr)
      fonts.add_text(row.entry->lesson->title[static_cast<int>(language)]);
  }
}

std::string FilesPopup::second_of(const Frame& frame, const Row& row) const {
  if (row.kind == Row::Kind::Trace) return std::string(frame.text(Text::FilesTraceHint));
  if (row.kind == Row::Kind::Beside) return std::string(frame.text(Text::FilesBesideHint));
  if (row.entry != nullptr)
    return frame.text(row.entry->one_device ? Text::FilesOneDevice : Text::FilesOnCard,
                      {row.entry->card, row.file.filename().string()});
  if (row.name.starts_with("recent")) return row.file.parent_path().string();
  return {};
}

void FilesPopup::draw(Frame& frame, float) {
  popup_heading(frame, frame.text(Text::FilesTitle));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  field_.draw(frame, {from.x, from.y, width, frame.px(40)}, frame.text(Text::FilesField), Icon::Folder);
  ImGui::Dummy({width, frame.px(46)});
  const std::vector<Row> there = rows();
  if (frame.watched != nullptr) frame.watched->hits = static_cast<int>(there.size());
  if (there.empty()) popup_sentence(frame, frame.text(Text::FilesNoChoice));
  std::optional<std::size_t> pressed;
  for (std::size_t i = 0; i < there.size(); ++i) {
    const Row& row = there[i];
    const float above = ImGui::GetCursorPosY();
    if (row.heading) popup_heading(frame, frame.text(*row.heading));
    std::string label = row.label;
    if (row.kind == Row::Kind::Trace) label = frame.text(Text::FilesTrace);
    if (row.kind == Row::Kind::Beside) label = frame.text(Text::FilesBeside);
    if (row.entry != nullptr) {
      const lab::Lesson* lesson = row.entry->lesson;
      label = lesson == nullptr ? row.entry->name
                                : lab::lesson_number(lesson->number) + "   " +
                                      lesson->title[static_cast<int>(frame.language)];
    }
    PopupChoice how{.on = row.kind == Row::Kind::Beside && beside_, .lit = i == choice_};
    if (row.entry == nullptr) how.cut = Cut::Middle;
    if (row.gone) how.note = frame.text(Text::FilesGone), how.note_role = Role::Muted;
    if (popup_choice(frame, row.name.c_str(), label, second_of(frame, row), how)) pressed = i;
    if (i == choice_) sight_.keep(i, row.heading ? above : 1e9f);
  }
  if (pressed) choose(there[*pressed]);
}

}  // namespace

std::unique_ptr<Popup> make_files_popup(const PopupContext& of) {
  return std::make_unique<FilesPopup>(of);
}

}  // namespace gui
