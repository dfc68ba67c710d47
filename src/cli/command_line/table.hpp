#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace andon::cli {

/// Columns of text, padded by terminal cells to their longest value and two blanks. Cells are one line each:
/// what a terminal would act on is escaped.
class Table {
 public:
  struct Column {
    std::string_view head;
    std::size_t least = 0;  ///< width, two blanks included
    std::size_t most = 0;   ///< cells after which a value is cut; 0 for none
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// An empty value is drawn as `--`.
  void add(std::vector<std::string> row);
  bool empty() const { return rows_.empty(); }
  /// `head_before` and `head_after` stand around the first line, for colour.
  std::string text(std::string_view head_before = {}, std::string_view head_after = {}) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace andon::cli
