// See export_files.hpp. The library writes single pictures only, so the chunks of an animation (acTL, fcTL,
// fdAT, as the PNG specification's third edition has them) are put together here from the pictures' own.
#include "export_files.hpp"

#include <zlib.h>

#include <cstddef>
#include <cstdint>

namespace gui {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);

std::string word(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((value >> shift) & 0xff);
  return bytes;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::string chunk(std::string_view type, std::string_view content) {
  std::string body(type);
  body += content;
  const uLong crc = ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return word(static_cast<std::uint32_t>(content.size())) + body + word(static_cast<std::uint32_t>(crc));
}

struct Parts {
  std::string header, data;  // IHDR's content; all IDAT's together
};

bool take_apart(std::string_view png, Parts& parts) {
  if (!png.starts_with(kSignature)) return false;
  for (std::size_t at = kSignature.size(); at + 12 <= png.size();) {
    const std::uint32_t size = word_at(png, at);
    if (size > png.size() - at - 12) return false;
    const std::string_view type = png.substr(at + 4, 4), content = png.substr(at + 8, size);
    if (type == "IHDR") parts.header = content;
    if (type == "IDAT") parts.data += content;
    at += 12 + size;
  }
  return parts.header.size() == 13 && !parts.data.empty();
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(bytes.size() * 4 / 3 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kLetters[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

constexpr std::string_view kStyle = R"(<style>
body { margin: 0; font: 16px/1.5 sans-serif; background: #16191f; color: #e6e6e6; }
header { display: flex; gap: 16px; align-items: center; padding: 10px 16px; position: sticky; top: 0; background: #16191f; }
h1 { font-size: 18px; margin: 0; } small { color: #9aa4b2; } input { flex: 1; }
img { display: block; width: 100%; height: auto; }
ol { margin: 0; padding: 12px 16px; list-style: none; font: 14px/1.7 monospace; }
li { padding: 0 8px; cursor: pointer; } li.now { background: #24455c; }
</style>
)";

constexpr std::string_view kScript = R"(<script>
const rows = [...document.querySelectorAll('li')], pictures = [...document.querySelectorAll('template')];
const image = document.querySelector('img'), slider = document.querySelector('input');
let now = 0;
function show(at) {
  now = Math.max(0, Math.min(rows.length - 1, at));
  image.src = 'data:image/png;base64,' + pictures[now].innerHTML;
  image.alt = rows[now].textContent;
  rows.forEach((row, i) => row.classList.toggle('now', i === now));
  slider.value = now;
}
rows.forEach((row, i) => row.addEventListener('click', () => show(i)));
slider.addEventListener('input', () => show(+slider.value));
addEventListener('keydown', e => {
  const by = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1}[e.key];
  if (by) { show(now + by); e.preventDefault(); }
  if (e.key === 'Home') show(0);
  if (e.key === 'End') show(rows.length - 1);
});
show(0);
</script>
)";

}  // namespace

std::string html_page(const std::vector<ExportFrame>& frames, std::string_view title,
                      lab::Language language) {
  const std::string name = escaped(title);
  std::string page = "<!DOCTYPE html>\n<html lang=\"";
  page += language == lab::Language::Chinese ? "zh" : "en";
  page += "\">\n<meta charset=\"utf-8\">\n<title>" + name + "</title>\n";
  page += kStyle;
  page += "<header><h1>" + name + "</h1><small>" + escaped(lab::text(lab::Text::ExportPageTitle, language)) +
          "</small><input type=\"range\" min=\"0\" max=\"" +
          std::to_string(frames.empty() ? 0 : frames.size() - 1) + "\" value=\"0\" title=\"" +
          escaped(lab::text(lab::Text::ExportPageKeys, language)) + "\"></header>\n<img>\n<ol>\n";
  for (const ExportFrame& frame : frames) page += "<li>" + escaped(frame.words) + "</li>\n";
  page += "</ol>\n";
  for (const ExportFrame& frame : frames) page += "<template>" + base64(frame.png) + "</template>\n";
  page += kScript;
  return page + "</html>\n";
}

std::string animated_png(const std::vector<ExportFrame>& frames, int milliseconds) {
  std::string out(kSignature);
  std::string header;
  std::uint32_t sequence = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Parts parts;
    if (!take_apart(frames[i].png, parts) || (i > 0 && parts.header != header)) return {};
    if (i == 0) {
      header = parts.header;
      out += chunk("IHDR", header);
      out += chunk("acTL", word(static_cast<std::uint32_t>(frames.size())) + word(0));
    }
    std::string control = word(sequence++) + header.substr(0, 8) + word(0) + word(0);
    control += static_cast<char>(milliseconds >> 8 & 0xff);
    control += static_cast<char>(milliseconds & 0xff);
    control += std::string("\x03\xe8\0\0", 4);  // thousandths of a second; replace the picture before
    out += chunk("fcTL", control);
    out += i == 0 ? chunk("IDAT", parts.data) : chunk("fdAT", word(sequence++) + parts.data);
  }
  return frames.empty() ? std::string() : out + chunk("IEND", "");
}

}  // namespace gui
