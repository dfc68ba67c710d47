#include "service/history/retention.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "reflect/json.hpp"
#include "service/operation_context.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Duration;
using core::Instant;
using core::Result;

constexpr std::string_view kRetentionSetting = "retention";
constexpr std::string_view kFeedBegin = "retention.feed_begin";
constexpr std::string_view kTrimmedTo = "retention.trimmed_to";
constexpr std::size_t kSlice = 500;
/// The time for which an ended run's token gets `STALE_CLAIM`, and a retried request its first answer.
constexpr Duration kKnownFor = std::chrono::hours{24};
constexpr Duration kShortestFeed = std::chrono::hours{1};
constexpr std::int64_t kFewestEvents = 1'000;
constexpr Duration kShortestHistory = std::chrono::days{7};
constexpr Duration kShortestRunFiles = std::chrono::days{1};

core::EventSeq place_in(OperationContext& ctx, std::string_view setting) {
  auto const text = ctx.tx.setting(setting).value_or("0");
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return core::EventSeq{out};
}

Result<void> check(bool is_good, std::string_view field, std::string_view least) {
  if (is_good) return {};
  return core::refuse(Code::kInvalidInput,
                      "\"" + std::string{field} + "\" must be at least " + std::string{least},
                      std::string{field});
}

/// The events of the slice that are older than that; the last event of all is never among them.
std::vector<core::Event> old_events(OperationContext& ctx, core::EventSeq after, Instant before,
                                    std::optional<core::EventSeq> until) {
  store::EventFilter filter;
  filter.after = after;
  filter.limit = kSlice;
  auto out = ctx.tx.events(filter);
  auto const end_of_store = ctx.tx.last_seq();
  auto const last = std::min(until.value_or(end_of_store), core::EventSeq{end_of_store - 1});
  auto const end =
      std::ranges::find_if(out, [&](core::Event const& e) { return e.ts >= before || e.seq > last; });
  out.erase(end, out.end());
  return out;
}

/// Moves the beginning of the feed by a slice at most. True when there is more to move.
bool move_feed(OperationContext& ctx, Retention const& kept) {
  auto const before = feed_begin(ctx);
  auto begin = std::max(before, core::EventSeq{ctx.tx.last_seq() - kept.feed_events});
  auto const old = old_events(ctx, begin, ctx.now - kept.feed, {});
  if (!old.empty()) begin = old.back().seq;
  if (begin != before) ctx.tx.set_setting(kFeedBegin, std::to_string(begin));
  return old.size() == kSlice;
}

bool trim_events(OperationContext& ctx, TrimRequest const& r, Retention const& kept, Trimmed& out) {
  auto const after = trimmed_to(ctx);
  auto const before = std::min(ctx.now - kept.history, ctx.now - kept.feed);
  auto const old = old_events(ctx, after, before, r.until);
  out.until = old.empty() ? after : old.back().seq;
  if (old.empty()) return false;
  auto removed = ctx.tx.remove_events(after, out.until, before);
  out.events = std::ssize(removed);
  std::ranges::sort(removed);
  if (r.show)
    for (auto const& event : old)
      if (std::ranges::binary_search(removed, event.seq)) out.items.push_back(on_the_wire(event));
  ctx.tx.set_setting(kTrimmedTo, std::to_string(out.until));
  return old.size() == kSlice;
}

}  // namespace

Retention retention_of(OperationContext& ctx) {
  auto const text = ctx.tx.setting(kRetentionSetting);
  if (!text) return {};
  auto read = reflect::read_json<Retention>(*text, reflect::Unknown::ignore);
  return read ? *std::move(read) : Retention{};
}

Result<Retention> show_retention(OperationContext& ctx, NoRequest const&) { return retention_of(ctx); }

Result<Retention> change_retention(OperationContext& ctx, RetentionRequest const& r) {
  auto kept = retention_of(ctx);
  kept.feed = r.feed.value_or(kept.feed);
  kept.feed_events = r.feed_events.value_or(kept.feed_events);
  kept.history = r.history.value_or(kept.history);
  kept.run_files = r.run_files.value_or(kept.run_files);
  ANDON_CHECK(check(kept.feed >= kShortestFeed, "feed", "1h"));
  ANDON_CHECK(check(kept.feed_events >= kFewestEvents, "feed_events", "1000"));
  ANDON_CHECK(check(kept.history >= kShortestHistory, "history", "7d"));
  ANDON_CHECK(check(kept.run_files >= kShortestRunFiles, "run_files", "1d"));
  ctx.tx.set_setting(kRetentionSetting, reflect::to_json(kept));
  return kept;
}

core::EventSeq feed_begin(OperationContext& ctx) { return place_in(ctx, kFeedBegin); }

core::EventSeq feed_end(OperationContext& ctx) { return ctx.tx.last_seq(); }
core::EventSeq trimmed_to(OperationContext& ctx) { return place_in(ctx, kTrimmedTo); }

Result<Trimmed> trim_store(OperationContext& ctx, TrimRequest const& r) {
  ctx.dry_run = r.dry_run;
  auto const kept = retention_of(ctx);
  Trimmed out;
  bool const more_feed = move_feed(ctx, kept);
  bool const more_events = trim_events(ctx, r, kept, out);
  out.answers = ctx.tx.forget_before(ctx.now - kKnownFor, kSlice);
  out.credentials = ctx.tx.remove_tokens_ended_before(ctx.now - kKnownFor, kSlice);
  out.runs = ctx.tx.remove_runs_ended_before(ctx.now - kept.history, kSlice);
  out.feed_begin = feed_begin(ctx);
  auto const is_full = [](std::int64_t removed) { return std::cmp_equal(removed, kSlice); };
  out.more =
      more_feed || more_events || is_full(out.answers) || is_full(out.credentials) || is_full(out.runs);
  return out;
}

}  // namespace andon::service
