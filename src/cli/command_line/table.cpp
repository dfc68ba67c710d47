#include "cli/command_line/table.hpp"

#include <algorithm>

#include "cli/command_line/safe_text.hpp"

namespace andon::cli {
namespace {

constexpr std::size_t kGap = 2;

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

void Table::add(std::vector<std::string> row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = row[i].empty() ? "--" : one_line(row[i]);
    if (columns_[i].most != 0) row[i] = cut(row[i], columns_[i].most);
  }
  rows_.push_back(std::move(row));
}

std::string Table::text(std::string_view head_before, std::string_view head_after) const {
  std::string head;
  std::vector<std::string> lines(rows_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    auto width = std::max(columns_[i].least, columns_[i].head.size() + kGap);
    for (auto const& row : rows_) width = std::max(width, cells(row[i]) + kGap);
    auto const gap = i == 0 ? "" : " ";
    head += gap + padded(std::string{columns_[i].head}, width);
    for (std::size_t r = 0; r < rows_.size(); ++r) lines[r] += gap + padded(rows_[r][i], width);
  }
  std::string out;
  out.append(head_before).append(trimmed(std::move(head))).append(head_after).append("\n");
  for (auto& line : lines) out += trimmed(std::move(line)) + "\n";
  return out;
}

}  // namespace andon::cli
