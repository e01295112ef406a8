// SPDX-License-Identifier: MIT
// Where the bytes of events are put: one after another, as in a store, or each field into a column of its
// own, as in a recording, where values of one kind are next to each other and compress better.
// trace/FORMAT.md numbers the columns.
//
// The codec writes and reads fields by name, in the same way for both. Readers trust no input: from a column
// that ends early they read zeros, and ok() returns false.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bytes.hpp"
#include "trace/event.hpp"

namespace trace {

enum class Column : std::uint8_t {
  Kind,
  Thread,
  Time,
  Result,
  Shape,
  Process,
  Duration,
  Number,
  End,
  Text,
  CallFlags,
  Address,
  Depth,
  Inside,
  Current,
  File,
  Line,
  ArgumentFlags,
  PooledText,
  FirstOfKinds,  // from here three for each ValueKind: word, output, text
};
inline constexpr std::size_t kValueKinds = static_cast<std::size_t>(ValueKind::Result) + 1;
inline constexpr std::size_t kColumns = static_cast<std::size_t>(Column::FirstOfKinds) + 3 * kValueKinds;

constexpr Column column_of(ValueKind kind, std::size_t which) {
  return static_cast<Column>(static_cast<std::size_t>(Column::FirstOfKinds) +
                             3 * static_cast<std::size_t>(kind) + which);
}
constexpr Column word_of_kind(ValueKind kind) {
  return column_of(kind, 0);
}
constexpr Column output_of_kind(ValueKind kind) {
  return column_of(kind, 1);
}
constexpr Column text_of_kind(ValueKind kind) {
  return column_of(kind, 2);
}

class RowWriter {
 public:
  explicit RowWriter(ByteWriter& out) : out_(out) {}
  void byte(Column, std::uint8_t value) { out_.byte(value); }
  void number(Column, std::uint64_t value) { out_.number(value); }
  void signed_number(Column, std::int64_t value) { out_.signed_number(value); }
  void text(Column, std::string_view value) { out_.text(value); }
  // An address or a handle: in a column, its difference from the one before.
  void near(Column, std::uint64_t value) { out_.number(value); }

 private:
  ByteWriter& out_;
};

class RowReader {
 public:
  explicit RowReader(ByteReader& in) : in_(in) {}
  bool ok() const { return in_.ok(); }
  std::uint8_t byte(Column) { return in_.byte(); }
  std::uint64_t number(Column) { return in_.number(); }
  std::int64_t signed_number(Column) { return in_.signed_number(); }
  std::string_view text(Column) { return in_.text(); }
  std::uint64_t near(Column) { return in_.number(); }

 private:
  ByteReader& in_;
};

class ColumnWriter {
 public:
  void byte(Column column, std::uint8_t value) { of(column).byte(value); }
  void number(Column column, std::uint64_t value) { of(column).number(value); }
  void signed_number(Column column, std::int64_t value) { of(column).signed_number(value); }
  void text(Column column, std::string_view value) { of(column).text(value); }
  void near(Column column, std::uint64_t value) {
    std::uint64_t& last = last_[static_cast<std::size_t>(column)];
    of(column).signed_number(static_cast<std::int64_t>(value - last));
    last = value;
  }

  std::size_t size() const {
    std::size_t all = 0;
    for (const ByteWriter& column : columns_) all += column.size();
    return all;
  }
  void write(ByteWriter& out) const {
    out.number(kColumns);
    for (const ByteWriter& column : columns_) out.number(column.size());
    for (const ByteWriter& column : columns_) out.raw(column.data(), column.size());
  }
  void clear() {
    for (ByteWriter& column : columns_) column.clear();
    last_ = {};
  }

 private:
  ByteWriter& of(Column column) { return columns_[static_cast<std::size_t>(column)]; }
  std::array<ByteWriter, kColumns> columns_;
  std::array<std::uint64_t, kColumns> last_{};
};

class ColumnReader {
 public:
  // What ColumnWriter::write() wrote. Columns of a later version are skipped; missing ones are empty.
  explicit ColumnReader(ByteReader& in) {
    const std::uint64_t count = in.number();
    std::array<std::uint64_t, kMostColumns> sizes{};
    ok_ = count <= kMostColumns;
    for (std::size_t i = 0; ok_ && i < count; ++i) sizes[i] = in.number();
    for (std::size_t i = 0; ok_ && i < count; ++i) {
      const std::string_view bytes = in.raw(sizes[i]);
      if (i < kColumns)
        columns_[i] = ByteReader({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    }
    ok_ = ok_ && in.ok();
  }
  bool ok() const { return ok_; }
  std::uint8_t byte(Column column) { return take(column, &ByteReader::byte); }
  std::uint64_t number(Column column) { return take(column, &ByteReader::number); }
  std::int64_t signed_number(Column column) { return take(column, &ByteReader::signed_number); }
  std::string_view text(Column column) { return take(column, &ByteReader::text); }
  std::uint64_t near(Column column) {
    std::uint64_t& last = last_[static_cast<std::size_t>(column)];
    return last += static_cast<std::uint64_t>(signed_number(column));
  }

 private:
  static constexpr std::size_t kMostColumns = 256;

  template <class Value>
  Value take(Column column, Value (ByteReader::*read)()) {
    ByteReader& in = columns_[static_cast<std::size_t>(column)];
    const Value value = (in.*read)();
    ok_ = ok_ && in.ok();
    return value;
  }
  std::array<ByteReader, kColumns> columns_;
  std::array<std::uint64_t, kColumns> last_{};
  bool ok_ = true;
};

}  // namespace trace
