#include "tui/model/page_text.hpp"

#include <algorithm>

#include "api/operation.hpp"
#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"
#include "tui/model/bindings.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/look.hpp"
#include "tui/model/requests.hpp"
#include "tui/screen/text_layout.hpp"

namespace andon::tui {
namespace {

constexpr std::size_t kLabelCells = 16;

/// Collects the lines of a page.
class Lines {
 public:
  explicit Lines(int width) : width_(std::max(width, 1)) {}

  void blank() { lines_.push_back({}); }
  void add(std::string_view text, Style style = {}) {
    for (auto& line : wrapped(text, width_)) lines_.push_back({{std::move(line), style}});
  }
  /// `Label:   value`; nothing for an empty value.
  void field(std::string_view label, std::string_view value, Style style = {}) {
    if (value.empty()) return;
    auto const room = std::max(1, width_ - static_cast<int>(kLabelCells));
    bool is_first = true;
    for (auto& line : wrapped(core::visible_line(value), room)) {
      auto const head = is_first ? std::string{label} + ":" : std::string{};
      lines_.push_back({{core::padded(head, kLabelCells) + line, style}});
      is_first = false;
    }
  }
  void paragraph(std::string_view head, std::string_view text) {
    if (text.empty()) return;
    blank();
    if (!head.empty()) add(head, kStrong);
    std::size_t from = 0;
    while (from <= text.size()) {
      auto const end = std::min(text.find('\n', from), text.size());
      add(printed_line(text.substr(from, end - from)));
      from = end + 1;
    }
  }
  std::vector<PageLine> take() { return std::move(lines_); }

 private:
  int width_;
  std::vector<PageLine> lines_;
};

std::string minute_if_any(std::optional<core::Instant> at) { return at ? minute_text(*at) : std::string{}; }

std::string numbers(std::vector<core::TaskId> const& tasks) {
  std::string out;
  for (auto const id : tasks) out += (out.empty() ? "#" : ", #") + std::to_string(id);
  return out;
}

/// `a accept, x reject`: the operation that each key stands for now, the first one that is possible.
std::string possible(core::Task const& task) {
  std::string out;
  std::vector<std::string_view> taken;
  for (auto const& operation : api::operations()) {
    auto const key = operation.board_key.key;
    auto const verb = verb_of(operation);
    if (key.empty() || std::ranges::find(task.can, verb) == task.can.end()) continue;
    if (std::ranges::find(taken, key) != taken.end()) continue;
    taken.push_back(key);
    out += (out.empty() ? "" : ", ") + std::string{key} + " " + std::string{verb};
  }
  return out;
}

void add_question(Lines& lines, core::Question const& question) {
  lines.paragraph("Question", question.text);
  for (std::size_t i = 0; i < question.choices.size(); ++i)
    lines.add("  " + std::to_string(i + 1) + ") " + core::visible_line(question.choices[i]));
}

void add_reasons(Lines& lines, std::vector<service::DispatchBlocker> const& reasons) {
  if (reasons.empty()) return;
  lines.blank();
  lines.add("Why nobody works on it", kStrong);
  for (auto const& reason : reasons) lines.add("  ~ " + core::visible_line(reason.text));
}

void add_task(Model const& model, core::Task const& task, Lines& lines) {
  lines.field("Status", task.status);
  lines.field("Priority", task.priority);
  lines.field("Class", task.class_);
  lines.field("Assignee", task.assignee);
  lines.field("Role", task.role);
  lines.field("Tags", tags_text(task.tags));
  lines.field("Due", task.due ? core::to_text(*task.due) : std::string{});
  for (auto const& each : core::kPlainFields) lines.field(each.label, task.*each.text);
  lines.field("Parent", task.parent ? "#" + std::to_string(*task.parent) : std::string{});
  lines.field("Depends on", numbers(task.depends_on));
  lines.field("Created", minute_text(task.created));
  lines.field("Updated", minute_text(task.updated));
  lines.field("Started", minute_if_any(task.started));
  lines.field("Completed", minute_if_any(task.completed));
  lines.field("Claimed by", task.claimed_by);
  lines.field("Blocked", task.blocked ? (task.block_reason.empty() ? "yes" : task.block_reason) : "", kBad);
  if (model.data.is_live && task.attempt > 0)
    lines.field("Attempt", std::to_string(task.attempt) + " of " + std::to_string(task.max_attempts));
  lines.field("Flag", task.flag, kCalling);
  lines.field("Keys", possible(task), kLink);
}

/// Breaks a line in several styles, before a word if there is one.
class LineBreaker {
 public:
  explicit LineBreaker(std::size_t width) : width_(width) {}

  void add(core::GraphemeCluster cluster, Style style) {
    if (used_ + cluster.cells > width_ && !line_.empty()) break_line();
    line_.push_back({cluster, style});
    used_ += cluster.cells;
  }
  std::vector<PageLine> lines() && {
    end_line();
    return std::move(lines_);
  }

 private:
  struct Styled {
    core::GraphemeCluster cluster;
    Style style;
  };

  void break_line() {
    auto const is_blank = [](Styled const& one) { return one.cluster.bytes == " "; };
    auto const word = std::find_if(line_.rbegin(), line_.rend(), is_blank).base();
    bool const has_text_before = std::find_if_not(line_.begin(), word, is_blank) != word;
    std::vector<Styled> rest;
    if (has_text_before) {
      rest.assign(word, line_.end());
      line_.erase(word, line_.end());
    }
    end_line();
    line_ = std::move(rest);
    for (auto const& one : line_) used_ += one.cluster.cells;
  }

  void end_line() {
    auto& out = lines_.emplace_back();
    for (auto const& [cluster, style] : line_) {
      if (out.empty() || out.back().style != style) out.push_back({{}, style});
      out.back().text += cluster.bytes;
    }
    line_.clear();
    used_ = 0;
  }

  std::size_t width_;
  std::size_t used_ = 0;
  std::vector<Styled> line_;
  std::vector<PageLine> lines_;
};

/// The page of a task as lines of at most that width. The first says `Task #3: TITLE`.
std::vector<PageLine> task_lines(Model const& model, TaskPage const& page, int width) {
  Lines lines{width};
  auto const* card = model.data.cards.find(page.task);
  auto title = "Task #" + std::to_string(page.task);
  if (page.read || card) title += ": " + (page.read ? core::visible_line(page.read->title) : card->title);
  lines.add(title, kStrong);
  std::string rule;
  for (std::size_t i = 0; i < std::min(core::cells(title), static_cast<std::size_t>(std::max(width, 1))); ++i)
    rule += "─";
  lines.add(rule, kFaint);
  lines.blank();
  if (!page.read) {
    lines.add("…", kFaint);
    return lines.take();
  }
  add_task(model, *page.read, lines);
  if (page.read->question) add_question(lines, *page.read->question);
  add_reasons(lines, page.reasons);
  if (card && !card->failure.empty()) lines.paragraph("Last attempt", card->failure);
  lines.paragraph("", page.read->body);
  lines.paragraph("Result", page.read->result);
  return lines.take();
}

/// A body may be long, but comparing it costs little beside breaking it into lines.
bool is_up_to_date(Model const& model, TaskPage const& page) {
  auto const& text = page.text;
  auto const* card = model.data.cards.find(page.task);
  return text.width == model.size.columns && text.is_live == model.data.is_live &&
         text.title == (card ? std::string_view{card->title} : std::string_view{}) &&
         text.failure == (card ? std::string_view{card->failure} : std::string_view{}) &&
         text.read == page.read &&
         std::ranges::equal(text.reasons, page.reasons, {}, &service::DispatchBlocker::text,
                            &service::DispatchBlocker::text);
}

void lay_out(Model const& model, TaskPage& page) {
  if (is_up_to_date(model, page)) return;
  auto const* card = model.data.cards.find(page.task);
  auto const width = model.size.columns;
  page.text = {.lines = task_lines(model, page, width),
               .width = width,
               .is_live = model.data.is_live,
               .title = card ? card->title : std::string{},
               .failure = card ? card->failure : std::string{},
               .read = page.read,
               .reasons = page.reasons};
}

}  // namespace

std::string minute_text(core::Instant at) {
  auto text = core::to_text(at);
  text.resize(std::min<std::size_t>(text.size(), 16));
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::vector<PageLine> broken_line(PageLine const& line, int width) {
  std::vector<PageLine> out;
  if (line.size() == 1) {
    for (auto& text : wrapped(line.front().text, width))
      out.push_back({{std::move(text), line.front().style}});
    return out;
  }
  LineBreaker breaker{static_cast<std::size_t>(std::max(width, 1))};
  for (auto const& span : line)
    for (core::ClusterReader reader{span.text}; !reader.at_end();) breaker.add(reader.next(), span.style);
  return std::move(breaker).lines();
}

int page_rows(Model const& model) { return std::max(1, model.size.rows - 3); }
int task_rows(Model const& model) { return std::max(1, model.size.rows - 2); }
int picker_rows(Model const& model, Picker const& picker) {
  constexpr int kAround = 8;  // the frame, the question, the keys, and blank rows between them
  return std::clamp(model.size.rows - kAround, 1, std::max(1, static_cast<int>(picker.words.size())));
}

void scroll(Model const& model, TextPage& page, int by) {
  // The first line with which the end of the page is just in sight.
  int last = static_cast<int>(page.lines.size());
  for (int room = page_rows(model); last > 0;) {
    room -= static_cast<int>(
        broken_line(page.lines[static_cast<std::size_t>(last - 1)], model.size.columns).size());
    if (room < 0) break;
    --last;
  }
  page.offset = by == 0 && page.follows ? last : std::clamp(page.offset + by, 0, last);
  page.follows = page.kind == TextPage::Kind::output && page.offset == last;
}

void scroll(Model const& model, TaskPage& page, int by) {
  lay_out(model, page);
  auto const lines = static_cast<int>(page.text.lines.size());
  page.offset = std::clamp(page.offset + by, 0, std::max(0, lines - task_rows(model)));
}

}  // namespace andon::tui
