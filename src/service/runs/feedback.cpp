#include "service/runs/feedback.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/names.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::EventKind;

constexpr std::size_t kMostFeedbackEvents = 100;
constexpr std::size_t kLastWords = 4U << 10U;

struct Said {
  core::Instant at;
  std::size_t order;
  std::string text;
};

/// The text for an event kind, the fact that it tells, and the fact that stands before it.
struct FeedbackRow {
  EventKind kind;
  std::string_view says;
  std::string_view fact;
  std::string_view about{};
};
constexpr std::array kFeedback{
    FeedbackRow{EventKind::task_rejected, "Sent back by ", "reason"},
    FeedbackRow{EventKind::task_retried, "An attempt failed, told by ", "reason"},
    FeedbackRow{EventKind::task_failed, "The last attempt failed, told by ", "reason"},
    FeedbackRow{EventKind::task_noted, "Note by ", "text"},
    FeedbackRow{EventKind::task_answered, "Answer by ", "text", "question"},
};

std::string_view ending_of(std::string_view text) {
  if (text.size() <= kLastWords) return text;
  auto from = text.size() - kLastWords;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
  return text.substr(from);
}

std::string about(core::Run const& run) {
  auto out = "Attempt " + std::to_string(run.attempt) + " by " + run.worker + " " +
             std::string{core::kOutcomeNames[static_cast<std::size_t>(*run.outcome)]};
  if (!run.reason.empty()) out += ": " + run.reason;
  if (!run.result.empty() && run.result != run.reason)
    out += "\nIts last words:\n" + std::string{ending_of(run.result)};
  return out;
}

}  // namespace

std::vector<std::string> feedback_on(OperationContext& ctx, core::Task const& task) {
  std::vector<Said> said;
  auto const runs = ctx.tx.runs_of(task.id);
  for (auto const& run : runs)
    if (run.ended && run.outcome) said.push_back({*run.ended, said.size(), about(run)});
  store::EventFilter filter;
  filter.task = task.id;
  filter.limit = kMostFeedbackEvents;
  filter.newest = true;
  for (auto const& event : ctx.tx.events(filter)) {
    auto const row = std::ranges::find(kFeedback, event.kind, &FeedbackRow::kind);
    if (row == kFeedback.end()) continue;
    auto const fact = fact_of(event, row->fact);
    bool const is_of_a_run = std::ranges::find(runs, fact, &core::Run::reason) != runs.end();
    if (fact.empty() || is_of_a_run) continue;
    auto const about = row->about.empty() ? "" : "Question: " + fact_of(event, row->about) + "\n";
    said.push_back(
        {event.ts, said.size(), about + std::string{row->says} + core::to_text(event.actor) + ": " + fact});
  }
  std::ranges::sort(said, {}, [](Said const& one) { return std::pair{one.at, one.order}; });
  std::vector<std::string> out;
  for (auto& one : said) out.push_back(std::move(one.text));
  return out;
}

}  // namespace andon::service
