#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace andon::runner {

/// Splits a stream of bytes into lines without their line ends (LF or CRLF). Of a line that is too long, only
/// the first bytes are kept and passed on.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t longest) : longest_(longest) {}

  /// Calls `on_line(std::string_view line, bool is_cut)` for every complete line.
  template <class OnLine>
  void feed(std::string_view bytes, OnLine on_line) {
    while (!bytes.empty()) {
      auto const end = bytes.find('\n');
      keep(bytes.substr(0, end));
      if (end == std::string_view::npos) return;
      give(on_line);
      bytes.remove_prefix(end + 1);
    }
  }
  /// Passes on the rest after the last line end.
  template <class OnLine>
  void finish(OnLine on_line) {
    if (!line_.empty() || is_cut_) give(on_line);
  }

 private:
  void keep(std::string_view part) {
    auto const room = longest_ - line_.size();
    is_cut_ = is_cut_ || part.size() > room;
    line_ += part.substr(0, room);
  }
  template <class OnLine>
  void give(OnLine on_line) {
    if (!is_cut_ && line_.ends_with('\r')) line_.pop_back();
    on_line(std::string_view{line_}, is_cut_);
    is_cut_ = false;
    line_.clear();
    if (line_.capacity() > kKeptCapacity) line_.shrink_to_fit();
  }

  static constexpr std::size_t kKeptCapacity = 64U << 10U;
  std::size_t longest_;
  std::string line_;
  bool is_cut_ = false;
};

}  // namespace andon::runner
