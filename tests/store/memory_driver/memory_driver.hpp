#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "os/processes/mutex.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/driver.hpp"

namespace andon::test {

namespace engine = store::engine;

struct StoredTask {
  core::Task task;  ///< with its body
  core::BoardId board = 0;
  engine::Derived derived{};
  bool is_unsettled = true;  ///< its ended claim is to be looked at
  core::Sketch sketch{};
};
using StoredRow = std::shared_ptr<StoredTask const>;

/// All data of a database at one time. A list is ordered by its numbers or by when its entries came.
struct Tables {
  engine::Registry registry{1, {}, {}, {}};
  std::map<core::TaskId, StoredRow> tasks{};
  std::vector<core::Run> runs{};
  engine::Records records{};
  std::vector<std::shared_ptr<engine::AppendedEvent const>> events{};
  std::set<std::pair<core::TaskId, core::Instant>> abandoned{};  ///< when tasks were archived unfinished
  std::map<core::BoardId, core::Load> loads{};
  engine::CountChanges counts{};                ///< the sums of all changes
  std::map<core::TaskId, StoredRow> changed{};  ///< since the last counting, as counted; null for new ones
  engine::LastNumbers last{};
};

/// A database in the memory of this process, which lasts as long as the driver. It copies all tables for each
/// transaction that writes, and reads scan them: slow and simple, the measure of what a driver costs.
class MemoryDriver final : public engine::Driver {
 public:
  MemoryDriver();
  std::unique_ptr<engine::Session> open(engine::Rights rights) override;
  void sync() override {}
  engine::Tidied tidy(engine::Occasion) override { return {}; }
  engine::DriverState state() const override { return {}; }
  std::shared_ptr<Tables const> committed();
  void commit(std::shared_ptr<Tables const> tables);

 private:
  os::Mutex mutex_;
  std::shared_ptr<Tables const> committed_ GUARDED_BY(mutex_);
};

class MemorySession final : public engine::Session {
 public:
  explicit MemorySession(MemoryDriver& driver) : driver_(driver) {}

  void begin(engine::Rights rights) override;
  void commit() override;
  void rollback() override;
  void set_mark() override { mark_ = *own_; }
  void undo_to_mark() override;
  void start_unit(engine::ReadLimit const& limit) override;
  engine::SessionState state() const override { return state_; }
  std::optional<engine::Registry> registry(std::int64_t known) override;
  std::vector<engine::TaskRow> tasks(engine::TasksQuery const& query) override;
  std::vector<engine::TaskRow> tasks_in(engine::TaskSet const& set) override;
  std::vector<engine::Links> links(engine::LinksQuery const& query) override;
  std::vector<core::Run> runs(engine::RunsQuery const& query) override;
  engine::Records records(engine::RecordsQuery const& query) override;
  std::vector<engine::Candidate> candidates(engine::CandidatesQuery const& query) override;
  engine::QueueFacts queues(engine::QueueQuestion const& question) override;
  core::Result<engine::ListRows> list(engine::ListRequest const& request) override;
  engine::SearchRows search(engine::SearchRequest const& request) override;
  bool index_texts(std::int64_t) override { return false; }
  engine::Statistics statistics(engine::StatisticsQuestion const& question) override;
  std::vector<core::Event> events(store::EventFilter const& filter) override;
  engine::Removed remove(engine::Removal const& removal) override;
  engine::Uncounted uncounted(engine::UncountedRequest const& request) override;
  void write(engine::Writes const& writes) override;
  engine::FileTable& files() override;

 private:
  /// The tables for a read; those of the last commit outside a transaction.
  Tables const& look();
  [[noreturn]] void fail(store::StoreError::Kind kind, std::string text);

  MemoryDriver& driver_;
  std::shared_ptr<Tables const> seen_;
  std::shared_ptr<Tables> own_;  ///< of a transaction that writes
  std::optional<Tables> mark_;
  engine::SessionState state_;
  std::function<bool()> is_overlong_;
};

template <class List, class Value>
bool contains(List const& list, Value const& value) {
  return std::ranges::find(list, value) != list.end();
}

/// The tasks for which the condition holds, in the order of the places.
template <class Condition, class Place>
std::vector<StoredRow> rows_where(Tables const& tables, Condition const& holds, Place const& place) {
  std::vector<StoredRow> out;
  for (auto const& [id, row] : tables.tasks)
    if (holds(*row)) out.push_back(row);
  std::ranges::sort(out, {}, [&](StoredRow const& row) { return place(*row); });
  return out;
}

/// The task as a session shows it.
engine::TaskRow shown(StoredTask const& row);
core::PickKey pick_key(StoredTask const& row);
/// The place of a task in an order by time.
core::PickKey time_key(core::Instant at, core::TaskId id);
/// True when the claim of the task lives at that time.
bool is_claimed_at(core::Task const& task, core::Instant now);
std::optional<std::int64_t> due_day(core::Task const& task);
std::int64_t count_of(Tables const& tables, store::TaskFilter const& filter);
/// True when the event brought a task into a column.
bool is_move(core::Event const& event);
/// True when the event renamed or removed a column, or gave it another stage.
bool changes_column(core::Event const& event);

}  // namespace andon::test
