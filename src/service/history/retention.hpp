#pragma once

#include "service/history/history.hpp"
#include "service/requests.hpp"

namespace andon::service {

// Times for which data is kept. A client that was away can read the feed from its beginning, and starts anew
// when it was away for longer. Events leave the store much later; until then they are the history of tasks.

struct Retention {
  core::Duration feed = std::chrono::days{7};
  std::int64_t feed_events = 1'000'000;
  core::Duration history = std::chrono::days{400};
  core::Duration run_files = std::chrono::days{90};
};
BOOST_DESCRIBE_STRUCT(Retention, (), (feed, feed_events, history, run_files))
inline constexpr std::array kRetentionFields{
    core::Field{"feed", "How far back a client that was away may catch up", core::always},
    core::Field{"feed_events", "The same in events", core::always},
    core::Field{"history", "How long events and ended runs are kept", core::always},
    core::Field{"run_files", "How long the files of ended runs are kept", core::always}};
constexpr auto const& fields(Retention const*) { return kRetentionFields; }

struct RetentionRequest {
  std::optional<core::Duration> feed;
  std::optional<std::int64_t> feed_events;
  std::optional<core::Duration> history;
  std::optional<core::Duration> run_files;
};
BOOST_DESCRIBE_STRUCT(RetentionRequest, (), (feed, feed_events, history, run_files))
inline constexpr std::array kRetentionRequestFields{
    core::Field{"feed", "How far back a client that was away may catch up, such as 168h"},
    core::Field{"feed_events", "The same in events"},
    core::Field{"history", "How long events and ended runs are kept, such as 400d"},
    core::Field{"run_files", "How long the files of ended runs are kept, such as 90d"}};
constexpr auto const& fields(RetentionRequest const*) { return kRetentionRequestFields; }

Retention retention_of(OperationContext& ctx);
core::Result<Retention> show_retention(OperationContext& ctx, NoRequest const&);
core::Result<Retention> change_retention(OperationContext& ctx, RetentionRequest const& request);

/// The place before the first event of the feed.
std::int64_t feed_begin(OperationContext& ctx);
/// Events up to there were removed, but for notes.
std::int64_t trimmed_to(OperationContext& ctx);

struct TrimRequest {
  bool dry_run = false;
  bool show = false;
  std::optional<std::int64_t> until;
};
BOOST_DESCRIBE_STRUCT(TrimRequest, (), (dry_run, show, until))
inline constexpr std::array kTrimFields{
    core::Field{"dry_run", "Say what a slice would remove and remove nothing", core::set_only},
    core::Field{"show", "Answer the events that are removed", core::set_only},
    core::Field{"until", "Remove no event beyond this number"}};
constexpr auto const& fields(TrimRequest const*) { return kTrimFields; }

struct Trimmed {
  std::int64_t events = 0;
  std::int64_t runs = 0;
  std::int64_t credentials = 0;
  std::int64_t answers = 0;
  std::int64_t until = 0;
  std::int64_t feed_begin = 0;
  bool more = false;
  std::vector<WireEvent> items;
};
BOOST_DESCRIBE_STRUCT(Trimmed, (), (events, runs, credentials, answers, until, feed_begin, more, items))
inline constexpr std::array kTrimmedFields{
    core::Field{"events", "Events that were removed", core::always},
    core::Field{"runs", "Ended runs that were removed; the last one of each task stays", core::always},
    core::Field{"credentials", "Ended credentials that were removed", core::always},
    core::Field{"answers", "Answers for retried requests that were removed", core::always},
    core::Field{"until", "Number of the last event that was looked at", core::always},
    core::Field{"feed_begin", "Clients catch up with events after this number", core::always},
    core::Field{"more", "Whether another slice is due", core::always},
    core::Field{"items", "The events that were removed, where they were asked for"}};
constexpr auto const& fields(Trimmed const*) { return kTrimmedFields; }

/// Removes one slice of what is over its time and moves the beginning of the feed. Bounded, so that it holds
/// nobody up: as long as `more` is true there is another slice.
core::Result<Trimmed> trim_store(OperationContext& ctx, TrimRequest const& request);

}  // namespace andon::service
