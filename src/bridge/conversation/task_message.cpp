#include "bridge/conversation/task_message.hpp"

#include <algorithm>
#include <array>

#include "bridge/conversation/chat_text.hpp"
#include "core/model/question.hpp"
#include "core/model/stage.hpp"
#include "core/model/task.hpp"
#include "core/time/time.hpp"
#include "os/digest.hpp"

namespace andon::bridge {
namespace {

using core::Stage;

constexpr std::size_t kStampDigits = 12;
constexpr std::size_t kLongestLabel = 60;
constexpr std::size_t kLongestTitleOfRow = 80;

bool waits(core::Task const& task) { return task.stage == Stage::backlog && !task.approved && !task.blocked; }
bool can_be_approved(Chat const& chat, core::Task const& task) { return !chat.start && waits(task); }
bool can_be_started(Chat const& chat, core::Task const& task) { return chat.start && waits(task); }
bool waits_for_verdict(Chat const&, core::Task const& task) { return task.stage == Stage::review; }
bool can_be_retried(Chat const&, core::Task const& task) {
  return !task.question && (task.stage == Stage::failed || (task.blocked && !core::is_in_work(task.stage) &&
                                                            !core::is_terminal(task.stage)));
}
bool is_in_hands(Chat const&, core::Task const& task) {
  return core::is_in_work(task.stage) && !task.claimed_by.empty();
}

/// A button and the state in which it can be pressed. Those that follow each other with the same condition
/// share a row.
struct ButtonRow {
  bool (*fits)(Chat const&, core::Task const&);
  std::string_view label;
  std::string_view verb;
};
constexpr std::array kButtons{
    ButtonRow{&can_be_approved, "Approve", "approve"}, ButtonRow{&can_be_started, "Start", "start"},
    ButtonRow{&waits_for_verdict, "Accept", "accept"}, ButtonRow{&waits_for_verdict, "Reject", "reject"},
    ButtonRow{&can_be_retried, "Retry", "retry"},      ButtonRow{&is_in_hands, "Output", "output"},
    ButtonRow{&is_in_hands, "Kill", "kill"},
};

void add_choices(std::vector<std::vector<Button>>& rows, core::Task const& task) {
  auto const start = "answer " + std::to_string(task.id) + " ";
  auto const stamp = question_stamp(*task.question);
  auto const& choices = task.question->choices;
  for (std::size_t i = 0; i < choices.size(); ++i)
    rows.push_back({{one_line(choices[i], kLongestLabel), start + std::to_string(i + 1) + " " + stamp}});
}

void add_excerpt(OutMessage& message, std::string_view heading, std::string_view text) {
  auto shown = excerpt(text);
  if (shown.empty()) return;
  message.text.push_back({"\n" + std::string{heading} + "\n"});
  message.text.push_back({std::move(shown), Style::quote});
}

std::string state_line(ChatBoard& chat_board, core::Task const& task) {
  auto out = task.status;
  if (!task.claimed_by.empty())
    out += ", " + chat_board.worker_title(task.claimed_by) + " has it";
  else if (!task.assignee.empty())
    out += ", for " + chat_board.worker_title(task.assignee);
  if (task.children)
    out +=
        ", sub-tasks " + std::to_string(task.children->done) + " of " + std::to_string(task.children->total);
  if (!task.flag.empty()) out += ", " + task.flag;
  return one_line(out);
}

}  // namespace

std::string task_label(core::Task const& task) {
  return "#" + std::to_string(task.id) + " " + one_line(task.title);
}

std::string task_row(core::Task const& task, bool with_column) {
  auto out = "#" + std::to_string(task.id) + " " + one_line(task.title, kLongestTitleOfRow);
  auto who = task.claimed_by.empty() ? task.assignee : task.claimed_by;
  auto beside = with_column ? task.status : std::string{};
  if (!who.empty()) beside += (beside.empty() ? "" : ", ") + who;
  if (task.blocked && task.stage != Stage::blocked)
    beside += (beside.empty() ? "" : ", ") + std::string{"blocked"};
  return beside.empty() ? out : out + " (" + one_line(beside) + ")";
}

void add_rows(OutMessage& message, std::vector<std::string> const& rows, std::size_t total,
              bool is_complete) {
  auto const shown = std::min(rows.size(), kRowsOfList);
  for (std::size_t i = 0; i < shown; ++i) message.text.push_back({"\n" + rows[i]});
  if (total <= shown) return;
  auto const more = std::to_string(total - shown);
  message.text.push_back({"\nand " + (is_complete ? more : "at least " + more) + " more"});
}

std::string question_stamp(core::Question const& question) {
  auto const named = core::to_text(question.asked_at) + " " + std::to_string(question.run.value_or(0)) + "\n";
  return os::hex(os::sha256(named + question.text)).substr(0, kStampDigits);
}

std::string about_question(core::Task const& task) {
  return "question " + std::to_string(task.id) + " " + question_stamp(*task.question);
}
std::string about_task(core::Task const& task) { return "task " + std::to_string(task.id); }

std::vector<std::vector<Button>> buttons_for(Chat const& chat, core::Task const& task) {
  std::vector<std::vector<Button>> rows;
  if (task.question) add_choices(rows, task);
  bool (*before)(Chat const&, core::Task const&) = nullptr;
  for (auto const& row : kButtons) {
    if (!row.fits(chat, task)) continue;
    if (row.fits != before) rows.emplace_back();
    before = row.fits;
    rows.back().push_back({std::string{row.label}, std::string{row.verb} + " " + std::to_string(task.id)});
  }
  return rows;
}

void offer_replies(OutMessage& message, core::Task const& task) {
  message.about = task.question ? about_question(task) : about_task(task);
  message.asks = task.question.has_value();
}

OutMessage task_card(ChatBoard& chat_board, core::Task const& task) {
  auto out = chat_board.message();
  out.text = {{task_label(task), Style::bold}, {"\n" + state_line(chat_board, task)}};
  add_excerpt(out, "Brief:", task.body);
  add_excerpt(out, "Result:", task.result);
  if (task.question)
    add_excerpt(out, "It asks:", task.question->text);
  else if (task.blocked)
    add_excerpt(out, "Blocked:", task.block_reason);
  out.buttons = buttons_for(chat_board.chat(), task);
  offer_replies(out, task);
  return out;
}

}  // namespace andon::bridge
