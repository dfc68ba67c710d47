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

/// The files of a board that are left out because two processes died while they read them.
class LeftOutFiles {
 public:
  LeftOutFiles() = default;
  /// Reads `left-out` in the folder `.andon`; throws os::SystemError when that cannot be read.
  explicit LeftOutFiles(Directory const& own);
  /// `name` is that of a task file or of the settings.
  bool has(std::string_view name, std::string_view text) const;
  bool has_line(std::string_view line) const;

 private:
  std::vector<std::string> lines_;  ///< those that stand there twice
};

/// Names the file that is being parsed, so that a text that ends the process does so twice at most.
///
/// `.andon/reading` holds the digest and the name of that file and survives the process; it is emptied when
/// the parsing ends. A record that the next process finds is added to `.andon/left-out`, a line each. Once
/// may be chance, such as a `kill -9`: the file is parsed again, and its line goes when the process lives. A
/// file whose line stands there twice is refused until its bytes change or the lines are gone. The lock of
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
  void suspect(std::string const& line);
  void acquit(std::string const& line);
  void store_suspects();
  bool is_left_out(std::string const& line) const;
  void put(std::string text) noexcept;

  Directory own_;
  std::shared_ptr<os::Descriptor> file_;  ///< holds the lock
  std::vector<std::string> suspects_;     ///< the lines of `.andon/left-out` when the record was opened
  bool is_stored_ = true;                 ///< all of them are there
  std::string suspect_;                   ///< the line of the file that is parsed, when it stands there once
};

}  // namespace andon::store::markdown
