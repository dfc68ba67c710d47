#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace andon::runner {

/// A text that a commit brings.
struct BroughtText {
  std::string_view commit;
  std::string_view path;  ///< of the file; empty for the commit's message and its names of people
  std::int64_t line =
      1;  ///< of the first line in the file or message; 0 when the text is the path of a new file
  std::string_view text;  ///< lines that follow each other, each with its end
};

/// Reads what `git log` prints for commits with their patches. Lines of files and messages may say anything.
/// So a line with a mark that nobody could guess begins each commit and ends its message, and lines of a hunk
/// are counted as its head says. Of a merge it takes the lines that stand in none of its parents.
class PatchReader {
 public:
  /// `mark` must be random, and new for each call of git.
  PatchReader(std::string mark, std::function<void(BroughtText const&)> take);

  /// The arguments for git behind which the commits follow.
  std::vector<std::string> arguments() const;

  /// Takes the texts of an output. False when a line of it is none that git prints there, or when it ends
  /// within a commit: then a text may be missing.
  bool read(std::string_view output);

 private:
  enum class State { before, message, heads, hunk };

  bool read_line(std::string_view line);
  bool read_head(std::string_view line);
  bool begin_hunk(std::string_view line);
  bool read_content(std::string_view line);
  void begin_commit(std::string_view line);
  void begin_file(std::string_view line);
  void end_text();

  std::string mark_;
  std::function<void(BroughtText const&)> take_;
  State state_ = State::before;
  std::string commit_;
  std::string path_;
  std::string text_;                    ///< collected, not yet taken
  std::int64_t text_line_ = 1;          ///< the line of its beginning
  std::int64_t line_ = 0;               ///< of the file, within a hunk
  std::int64_t new_left_ = 0;           ///< lines of the new file that the hunk still has
  std::vector<std::int64_t> old_left_;  ///< of each parent
};

}  // namespace andon::runner
