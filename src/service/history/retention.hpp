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
void describe(auto& field, Retention const*) {
  field(&Retention::feed, "feed", "How far back a client that was away may catch up", core::always);
  field(&Retention::feed_events, "feed_events", "The same in events", core::always);
  field(&Retention::history, "history", "How long events and ended runs are kept", core::always);
  field(&Retention::run_files, "run_files", "How long the files of ended runs are kept", core::always);
}

struct RetentionRequest {
  std::optional<core::Duration> feed;
  std::optional<std::int64_t> feed_events;
  std::optional<core::Duration> history;
  std::optional<core::Duration> run_files;
};
void describe(auto& field, RetentionRequest const*) {
  field(&RetentionRequest::feed, "feed", "How far back a client that was away may catch up, such as 168h");
  field(&RetentionRequest::feed_events, "feed_events", "The same in events");
  field(&RetentionRequest::history, "history", "How long events and ended runs are kept, such as 400d");
  field(&RetentionRequest::run_files, "run_files", "How long the files of ended runs are kept, such as 90d");
}

Retention retention_of(OperationContext& ctx);
core::Result<Retention> show_retention(OperationContext& ctx, NoRequest const&);
core::Result<Retention> change_retention(OperationContext& ctx, RetentionRequest const& request);

/// The place before the first event of the feed.
core::EventSeq feed_begin(OperationContext& ctx);
/// The last event of the feed.
core::EventSeq feed_end(OperationContext& ctx);
/// Events up to there were removed, but for notes.
core::EventSeq trimmed_to(OperationContext& ctx);

struct TrimRequest {
  bool dry_run = false;
  bool show = false;
  std::optional<core::EventSeq> until;
};
void describe(auto& field, TrimRequest const*) {
  field(&TrimRequest::dry_run, "dry_run", "Say what a slice would remove and remove nothing", core::set_only);
  field(&TrimRequest::show, "show", "Answer the events that are removed", core::set_only);
  field(&TrimRequest::until, "until", "Remove no event beyond this number");
}

struct Trimmed {
  std::int64_t events = 0;
  std::int64_t runs = 0;
  std::int64_t credentials = 0;
  std::int64_t answers = 0;
  core::EventSeq until = 0;
  core::EventSeq feed_begin = 0;
  bool more = false;
  std::vector<WireEvent> items;
};
void describe(auto& field, Trimmed const*) {
  field(&Trimmed::events, "events", "Events that were removed", core::always);
  field(&Trimmed::runs, "runs", "Ended runs that were removed; the last one of each task stays",
        core::always);
  field(&Trimmed::credentials, "credentials", "Ended credentials that were removed", core::always);
  field(&Trimmed::answers, "answers", "Answers for retried requests that were removed", core::always);
  field(&Trimmed::until, "until", "Number of the last event that was looked at", core::always);
  field(&Trimmed::feed_begin, "feed_begin", "Clients catch up with events after this number", core::always);
  field(&Trimmed::more, "more", "Whether another slice is due", core::always);
  field(&Trimmed::items, "items", "The events that were removed, where they were asked for");
}

/// Removes one slice of what is over its time and moves the beginning of the feed. Bounded, so that it holds
/// nobody up: as long as `more` is true there is another slice.
core::Result<Trimmed> trim_store(OperationContext& ctx, TrimRequest const& request);

}  // namespace andon::service
