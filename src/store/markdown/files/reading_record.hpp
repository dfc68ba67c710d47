#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "store/markdown/files/directory.hpp"

namespace andon::store::markdown {

class ReadingRecord;

struct EndParsing {
  void operator()(ReadingRecord* record) const noexcept;
};
/// The parsing of one file. It ends when this goes.
using ParsingOfFile = std::unique_ptr<ReadingRecord, EndParsing>;

/// Names the file that is being parsed, so that a text that ends the process does so once.
///
/// `.andon/reading` holds the digest and the name of that file and survives the process; it is emptied when
/// the parsing ends. A record that the next process finds is moved to `.andon/left-out`, a line each, and a
/// file with that name and that digest is refused until its bytes change or the line is gone. The lock of
/// `reading` shows whether its process lives; only one process at a time keeps a record. Without a record,
/// on a full disk for example, files are parsed as ever.
class ReadingRecord {
 public:
  /// `own` is the folder `.andon`.
  explicit ReadingRecord(Directory own) : own_(std::move(own)) {}

  /// Begins the parsing of a file, or refuses it. `shown` begins the refusal.
  core::Result<ParsingOfFile> begin(std::string_view name, std::string_view text, std::string_view shown);
  void end() noexcept;

 private:
  bool open();
  void leave_out(std::string const& line);
  bool is_left_out(std::string const& line) const;
  void put(std::string text) noexcept;

  Directory own_;
  std::shared_ptr<os::Descriptor> file_;  ///< holds the lock
  std::vector<std::string> left_out_;     ///< the lines when the record was opened
  bool is_listed_ = true;                 ///< the last of them is in `.andon/left-out`
};

}  // namespace andon::store::markdown
