#include "tui/screen/text_layout.hpp"

#include <algorithm>
#include <utility>

#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"

// A text is made visible, cut at its line ends, and each of its lines is filled cluster by cluster. When a
// cluster does not fit, the line ends before the last word; a word that has the line to itself is cut, and so
// is the one at the end of the last line that there may be.

namespace andon::tui {
namespace {

constexpr std::string_view kMark = "…";
constexpr std::size_t kTab = 4;

/// Fills lines of one width, up to a number of them.
class LineFiller {
 public:
  LineFiller(std::size_t width, std::size_t most) : width_(width), most_(most) {}

  bool is_full() const { return lines_.size() > most_; }

  void add_paragraph(std::string_view text) {
    line_.clear();
    used_ = 0;
    for (core::ClusterReader reader{text}; !reader.at_end() && !is_full();) {
      auto const cluster = reader.next();
      if (cluster.bytes == "\t")
        add(" ", kTab - used_ % kTab);
      else if (cluster.cells > width_)
        add(kMark, 1);
      else
        add(cluster.bytes, cluster.cells);
    }
    end_line();
  }

  std::vector<std::string> lines() && {
    if (!is_full()) return std::move(lines_);
    lines_.resize(most_);
    if (most_ > 0) lines_.back() = marked(std::move(lines_.back()));
    return std::move(lines_);
  }

 private:
  /// A cluster, or a tab as some blanks.
  void add(std::string_view text, std::size_t cells) {
    bool const is_blank = text == " ";
    if (used_ + cells > width_) break_line(is_blank);
    if (is_blank && was_broken_ && line_.empty()) return;
    if (is_blank)
      line_.append(cells, ' ');
    else
      line_ += text;
    used_ += cells;
  }

  void break_line(bool at_blank) {
    bool const is_last = lines_.size() + 1 >= most_;
    auto const blank = at_blank || is_last ? std::string::npos : line_.find_last_of(' ');
    auto const first_word = line_.find_first_not_of(' ');
    std::string next;
    if (blank != std::string::npos && first_word != std::string::npos && first_word < blank) {
      next = line_.substr(blank + 1);
      line_.resize(blank);
    }
    end_line();
    line_ = std::move(next);
    used_ = core::cells(line_);
    was_broken_ = true;
  }

  void end_line() {
    line_.erase(line_.find_last_not_of(' ') + 1);
    lines_.push_back(std::move(line_));
    line_.clear();
    was_broken_ = false;
  }

  std::string marked(std::string line) const {
    if (core::cells(line) >= width_) {
      line = core::cut(line + " ", width_, kMark);
      line.resize(line.size() - kMark.size());
      line.erase(line.find_last_not_of(' ') + 1);
    }
    return line.append(kMark);
  }

  std::size_t width_;
  std::size_t most_;
  std::vector<std::string> lines_;
  std::string line_;
  std::size_t used_ = 0;
  bool was_broken_ = false;  ///< the line goes on with what did not fit into the one before
};

}  // namespace

std::vector<std::string> wrapped(std::string_view text, int width, std::size_t most) {
  LineFiller filler(static_cast<std::size_t>(std::max(width, 1)), most);
  auto const visible = core::visible_text(text);
  std::string_view rest = visible;
  while (!filler.is_full()) {
    auto const end = rest.find('\n');
    auto line = rest.substr(0, end);
    if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    filler.add_paragraph(line);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return std::move(filler).lines();
}

std::string shortened(std::string_view text, int most) {
  return core::cut(text, static_cast<std::size_t>(std::max(most, 1)), kMark);
}

std::string fitting(std::string_view parts, int most) {
  constexpr std::string_view kBetween = "  ";
  std::string out{parts};
  while (static_cast<int>(core::cells(out)) > most) {
    auto const last = out.rfind(kBetween);
    if (last == std::string::npos || last == 0) break;
    auto const before = out.rfind(kBetween, last - 1);
    out.erase(before == std::string::npos ? 0 : before,
              before == std::string::npos ? last + 2 : last - before);
  }
  return shortened(out, most);
}

}  // namespace andon::tui
