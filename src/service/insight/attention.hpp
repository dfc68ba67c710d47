#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/board.hpp"
#include "core/model/run.hpp"
#include "core/tasks/attention.hpp"
#include "service/tasks/card.hpp"

namespace andon::service {

struct AttentionRequest {
  std::string board;
  std::optional<int> limit;
};
void describe(auto& field, AttentionRequest const*) {
  field(&AttentionRequest::board, "board",
        "Only tasks of this board and its budget; all boards when left out");
  field(&AttentionRequest::limit, "limit", "Most entries, up to 500; 100 when left out");
}

/// The task of an entry; all fields are empty where the entry is about no task.
struct AttentionTask {
  std::optional<core::TaskId> id;
  std::string key;
  std::string title;
  std::string status;
  std::vector<std::string> choices;
};
void describe(auto& field, AttentionTask const*) {
  field(&AttentionTask::id, "id", "Number of the task");
  field(&AttentionTask::key, "key", "Its key on a board with a prefix");
  field(&AttentionTask::title, "title", "What is to be done");
  field(&AttentionTask::status, "status", "Column it is in");
  field(&AttentionTask::choices, "choices", "Answers to choose from");
}

/// One thing that waits for a person.
struct AttentionEntry : AttentionTask {
  core::AttentionKind kind = core::AttentionKind::waiting;
  std::string board;
  std::string worker;
  std::string account;
  std::string machine;
  std::optional<core::Instant> since;
  std::optional<core::Instant> until;
  std::string text;
  std::vector<std::string> can;
};
void describe(auto& field, AttentionEntry const* extended) {
  field(
      &AttentionEntry::kind, "kind",
      "waiting, question, landing, review, no_evidence, returned, failed, silent, approval, budget or limit",
      core::always);
  field(&AttentionEntry::board, "board", "Board of the task or of the budget");
  describe(field, static_cast<AttentionTask const*>(extended));
  field(&AttentionEntry::worker, "worker", "Worker that it is about");
  field(&AttentionEntry::account, "account", "Account that rests");
  field(&AttentionEntry::machine, "machine", "Server or runner on whose machine nothing starts");
  field(&AttentionEntry::since, "since", "Since when it waits");
  field(&AttentionEntry::until, "until", "When it ends by itself");
  field(&AttentionEntry::text, "text", "The question or the reason");
  field(&AttentionEntry::can, "can",
        "What a person may do: answer, landing, accept, reject, retry, kill, approve, resume_worker, "
        "resume_account or retry_fault");
}

struct AttentionList {
  std::vector<AttentionEntry> items;
  std::map<std::string, std::int64_t> counts;
  bool more = false;
  std::vector<core::TaskId> orphans;
};
void describe(auto& field, AttentionList const*) {
  field(&AttentionList::items, "items", "What waits for a person, the most urgent first", core::always);
  field(&AttentionList::counts, "counts", "How many entries of each kind there are, with those left out",
        core::always);
  field(&AttentionList::more, "more", "Whether there are more entries than these", core::set_only);
  field(&AttentionList::orphans, "orphans",
        "Open tasks whose next step nobody makes, each by a defect of Andon; move them to another column");
}

/// Lists everything that waits for a person, the oldest of a kind first. Reads the columns in which tasks
/// wait, the blocked tasks and the live runs, each up to a bound, and up to a bound together; never finished
/// tasks or history.
core::Result<AttentionList> list_attention(OperationContext& ctx, AttentionRequest const& request);

/// The reason for which the task needs a person; none when it needs nobody. `last` is its last run, or null.
std::optional<core::AttentionKind> attention_of(OperationContext& ctx, core::Board const& board,
                                                core::Task const& task, core::Run const* last);
/// The reason for which a card needs a person; none when it needs nobody. A card cannot tell that its task
/// waits for approval.
std::optional<core::AttentionKind> attention_of(Card const& card);

}  // namespace andon::service
