#include <algorithm>

#include "cli/import/import_file.hpp"

namespace andon::cli {
namespace {

using core::Code;
using core::Result;

struct Record {
  std::size_t line = 1;
  std::vector<std::string> cells;
};

/// Comma-separated values as RFC 4180 has them: quoted cells may hold commas, line ends and doubled quotes.
class Reader {
 public:
  Reader(std::string_view text, std::string const& name) : text_(text), name_(name) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    auto const head = text_.substr(0, text_.find('\n'));
    if (!head.contains(',')) separator_ = head.contains('\t') ? '\t' : head.contains(';') ? ';' : ',';
  }

  bool at_end() const { return at_ == text_.size(); }

  Result<Record> record() {
    Record out{line_, {}};
    while (true) {
      ANDON_TRY(auto cell, this->cell());
      out.cells.push_back(std::move(cell));
      if (at_end() || text_[at_] != separator_) break;
      ++at_;
    }
    take_line_end();
    return out;
  }

 private:
  Result<std::string> cell() {
    if (at_end() || text_[at_] != '"') return bare();
    ++at_;
    std::string out;
    auto const started = line_;
    while (!at_end()) {
      char const c = text_[at_++];
      if (c == '\n') ++line_;
      if (c != '"') {
        out += c;
      } else if (!at_end() && text_[at_] == '"') {
        out += text_[at_++];
      } else {
        if (at_end() || text_[at_] == separator_ || text_[at_] == '\r' || text_[at_] == '\n') return out;
        return refuse(line_, "after the closing quote of a cell comes the next cell");
      }
    }
    return refuse(started, "a quoted cell is not closed");
  }

  Result<std::string> bare() {
    auto end = text_.find_first_of("\r\n", at_);
    end = std::min(end, text_.find(separator_, at_));
    auto const cell = text_.substr(at_, end - at_);
    if (cell.contains('"'))
      return refuse(line_, "a cell with a quote in it must stand in quotes, the quote doubled");
    at_ += cell.size();
    return std::string{cell};
  }

  void take_line_end() {
    if (!at_end() && text_[at_] == '\r') ++at_;
    if (!at_end() && text_[at_] == '\n') ++at_;
    ++line_;
  }

  std::unexpected<core::Error> refuse(std::size_t line, std::string_view says) const {
    return core::refuse(Code::kMalformed, name_ + ":" + std::to_string(line) + ": " + std::string{says});
  }

  std::string_view text_;
  std::string const& name_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

bool is_blank(Record const& record) { return record.cells.size() == 1 && record.cells.front().empty(); }

}  // namespace

Result<ImportFile> import_csv(std::string_view text, std::string const& name) {
  ImportFile out{"csv", {}, {}};
  Reader reader(text, name);
  ANDON_TRY(auto const header, reader.record());
  while (!reader.at_end()) {
    ANDON_TRY(auto const record, reader.record());
    if (is_blank(record)) continue;
    auto const place = name + ":" + std::to_string(record.line);
    if (record.cells.size() > header.cells.size())
      return core::refuse(Code::kMalformed, place + ": there are " + std::to_string(record.cells.size()) +
                                                " cells, but " + std::to_string(header.cells.size()) +
                                                " headers in the first line");
    if (out.items.size() == kMostImported)
      return core::refuse(Code::kTooLarge, place + ": that is too many tasks");
    ImportRow row(out, place);
    for (std::size_t i = 0; i < record.cells.size(); ++i)
      row.take(header.cells[i], boost::json::value(record.cells[i]));
    row.add();
  }
  return out;
}

}  // namespace andon::cli
