#include "bridge/conversation/news_message.hpp"

#include <array>

#include "bridge/conversation/chat_text.hpp"
#include "bridge/conversation/task_message.hpp"
#include "service/runs/run_report.hpp"

namespace andon::bridge {
namespace {

/// The heading of a kind of news, and the text that says the most about it: a fact of the event, or one that
/// the task keeps.
struct NewsText {
  std::string_view heading;
  std::string_view fact;
  std::string core::Task::* kept = nullptr;
};
constexpr std::array kNewsTexts{
    NewsText{"Done", "result", &core::Task::result},
    NewsText{"Failed", "reason", &core::Task::block_reason},
    NewsText{"Blocked", "reason", &core::Task::block_reason},
    NewsText{"Question", "text"},
    NewsText{"Killed", ""},
    NewsText{"No progress", "reason"},
    NewsText{"Usage limit", "reason"},
    NewsText{"To review", "result", &core::Task::result},
    NewsText{"Not landed", "reason"},
    NewsText{"Stopped", ""},
    NewsText{"To approve", "", &core::Task::body},
};
static_assert(kNewsTexts.size() == kNewsKinds.size());

std::string detail_of(NewsText const& text, Happening const& h) {
  if (h.task && h.task->question && text.fact == "text") return h.task->question->text;
  if (auto fact = fact_in(h.event, text.fact); !fact.empty()) return fact;
  if (h.task && text.kept && !(h.task->*text.kept).empty()) return h.task->*text.kept;
  return text.fact.empty() ? std::string{} : fact_in(h.event, "reason");
}

/// `2026-11-26 14:05 UTC` from a time as events give it.
std::string minute_of(std::string const& time) {
  constexpr std::size_t kDay = 10, kMinute = 16;
  return time.size() < kMinute
             ? time
             : time.substr(0, kDay) + " " + time.substr(kDay + 1, kMinute - kDay - 1) + " UTC";
}

/// True when the news are of a fault of a board or a machine.
bool is_of_fault(Happening const& h) { return !fact_in(h.event, "cause").empty(); }

std::string limit_subject(Happening const& h) {
  auto const until = fact_in(h.event, "until");
  if (is_of_fault(h)) {
    auto const machine = fact_in(h.event, "machine");
    return "nothing starts on " +
           (machine.empty() ? "board " + one_line(h.event.board) : "machine " + one_line(machine)) +
           (until.empty() ? std::string{} : " until " + minute_of(until));
  }
  return "account " + one_line(fact_in(h.event, "account")) +
         (until.empty() ? std::string{} : " rests until " + minute_of(until));
}

/// Whose agents stand still, or go on again.
std::string stop_subject(Happening const& h) {
  auto const worker = fact_in(h.event, "worker");
  auto const whose = !worker.empty()          ? "the agents of " + one_line(worker)
                     : !h.event.board.empty() ? "the agents of board " + one_line(h.event.board)
                                              : "all agents";
  return whose + (fact_in(h.event, "frozen") == "true" ? " stand still" : " go on");
}

std::string subject_of(NewsKind kind, Happening const& h) {
  if (kind == NewsKind::limit) return limit_subject(h);
  if (kind == NewsKind::stopped) return stop_subject(h);
  if (h.task) return task_label(*h.task);
  return h.event.task ? "#" + std::to_string(*h.event.task) : std::string{};
}

std::string_view heading_of(NewsKind kind, Happening const& h) {
  if (kind == NewsKind::stopped && fact_in(h.event, "frozen") != "true") return "Going on";
  if (kind == NewsKind::limit && is_of_fault(h)) return "Fault";
  return kNewsTexts[static_cast<std::size_t>(kind)].heading;
}

/// The actor of an event. The end of a run counts as its worker's, whatever part of Andon settled it.
std::string author_of(ChatBoard& chat_board, Happening const& h) {
  auto out = chat_board.actor_title(h.event.actor);
  if (!out.empty() || !h.task || !h.task->run || fact_in(h.event, "outcome").empty()) return out;
  auto const run = chat_board.call<&service::get_run>({*h.task->run});
  return run ? chat_board.worker_title(run->worker) : out;
}

/// The second line of a message: the flag for a reviewer, or where work that ended is now.
std::string glance_at(NewsKind kind, core::Task const& task) {
  if (kind == NewsKind::review) return task.flag;
  return kind == NewsKind::killed || kind == NewsKind::stale ? "now in " + task.status : std::string{};
}

/// The line with the actor and the facts that a person must know at a glance.
std::string beside(ChatBoard& chat_board, NewsKind kind, Happening const& h) {
  auto out = author_of(chat_board, h);
  if (!out.empty()) out = "by " + out;
  auto const more = h.task ? glance_at(kind, *h.task) : std::string{};
  if (!more.empty()) out += (out.empty() ? "" : ", ") + more;
  return one_line(out);
}

}  // namespace

OutMessage news_message(ChatBoard& chat_board, NewsKind kind, Happening const& h) {
  auto out = chat_board.message();
  std::string const heading{heading_of(kind, h)};
  auto const subject = subject_of(kind, h);
  out.news = heading + ": " + subject;
  out.text = {{heading, Style::bold}, {": " + subject}};
  if (auto who = beside(chat_board, kind, h); !who.empty()) out.text.push_back({"\n" + who});
  if (auto detail = excerpt(detail_of(kNewsTexts[static_cast<std::size_t>(kind)], h)); !detail.empty()) {
    out.text.push_back({"\n"});
    out.text.push_back({std::move(detail), Style::quote});
  }
  if (!h.task) return out;
  out.buttons = buttons_for(chat_board.chat(), *h.task);
  offer_replies(out, *h.task);
  return out;
}

}  // namespace andon::bridge
