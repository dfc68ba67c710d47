#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "api/call.hpp"
#include "api/credential_book.hpp"
#include "api/reading_threads.hpp"
#include "api/timeline.hpp"
#include "os/processes/clock.hpp"
#include "service/limits/storage_meter.hpp"
#include "store/contract/tx.hpp"

namespace andon::store {
class Servers;
class WriterTimes;
}  // namespace andon::store

namespace andon::api {

struct Ports;
class WorkspacePort;

/// The kind of a reading job, which decides the threads it runs on.
enum class Reading {
  brief,
  slow,  ///< it may read for long, or wait for another program
};

/// Runs operations on a store in this process. Writes run on the store's writer and are answered when
/// durable. Reads run on threads of its own: some for brief ones, some for slow ones, one that looks
/// credentials up, so that none of them waits for those of another kind. Thread-safe.
///
/// A unit of work may wait in the store until the store closes, after the executor is gone. Therefore units
/// and their answers hold shared parts of the executor, never the executor itself.
class LocalExecutor : public Executor {
 public:
  /// Neither is owned; both outlive it. `readers` threads of each kind serve `start`; none are needed for
  /// `run`.
  /// `build` names the page this process serves.
  LocalExecutor(store::Store& store, os::Clock const& clock, std::size_t readers = 0, std::string build = {},
                ClockSteps steps = ClockSteps::follow);
  ~LocalExecutor() override;

  core::Result<Answer> run(Call call) override;
  /// Starts the call; `reply` is called on another thread, once. Slow reads are given up after some seconds.
  void start(Call call, Reply reply);

  /// Counts what a metered caller stores elsewhere than by an operation, or refuses it.
  core::Result<void> meter(service::Caller const& caller, service::StorageMeter::Write const& write) {
    return admission_.meter.take(caller, write, clock_.uptime());
  }

  /// Removes secrets from the writes of runs; set it before the first call. Without it, nothing is removed.
  void redact_with(Redact redact) { admission_.redact = std::move(redact); }

  /// The name of this server among those of its store; set it before the first call.
  void name_server(std::string name) { *server_ = std::move(name); }
  std::string const& server() const { return *server_; }
  /// True when this server does what only one server of the store may do.
  bool leads() const;
  /// The servers that share the store; null for a store of this process alone.
  store::Servers* servers() const;

  /// Sets the object that answers questions about repositories. Without one they are refused. Not owned.
  void set_workspace_port(WorkspacePort& workspace_port) { workspace_port_ = &workspace_port; }

  /// Runs a reading function that is no operation of the table.
  void read(std::function<void(service::OperationContext&)> const& work, service::Caller const& caller = {});
  /// Runs a unit of work that writes, and waits until it is durable. Its changes are kept when it returns
  /// true.
  void write(std::function<bool(service::OperationContext&)> const& work, service::Caller const& caller = {});

  /// Gives every claim that lived when a server was last heard of one lease of grace; before the first
  /// request.
  /// Does nothing where several servers share the store, because another one may have been there.
  void begin_serving();

  /// Starts a write and returns at once. The store calls `done` on a thread of its own, with the error of
  /// the store if there was one.
  void start_writing(std::move_only_function<bool(service::OperationContext&)> work,
                     std::move_only_function<void(std::exception_ptr)> done);

  /// Runs a job on one of the reading threads; jobs of several owners take turns.
  void on_reader(std::move_only_function<void()> job, std::string const& owner = {},
                 Reading reading = Reading::brief);
  /// Runs a job on the thread that looks credentials up: brief reads for those who have none yet.
  void on_lookup(std::move_only_function<void()> job) { lookups_.run({}, std::move(job)); }
  /// Removes contents of attachments that were stored before that time and that no record names: of at most
  /// `most` tasks, from that number on. Returns the number to go on with, 0 after the last.
  core::TaskId clear_attachments(core::TaskId from, core::Instant before, std::size_t most);
  /// The times for which units of work held the store's writer.
  store::WriterTimes& writer_times();
  /// Continues the work that a change of a board left for its tasks, and returns when it is done or cannot be
  /// done now. With reading threads it continues by itself after each write.
  void settle();
  /// Called on a thread of the store after commits, see `Store::on_commit`.
  void on_commit(std::function<void(core::EventSeq last_seq)> listener);

  /// Read from the store when it is first asked for: few commands need it. Where other servers may restore
  /// data, it is read again each second.
  service::Origin const& origin() const;
  /// `origin` without a read where it was read before, for threads that must not wait.
  service::Origin const& known_origin() const;
  os::Clock const& clock() const { return clock_; }
  /// The time units of work go by.
  core::Instant now() const { return timeline_->now(); }
  /// A counter that rises before the answer to each call that changed a credential. Principals that were
  /// looked up under an older count are no longer valid. Where other servers may revoke credentials it also
  /// rises each second.
  std::uint64_t credentials() const;
  /// The principal of a credential, if it is in memory.
  std::optional<service::Principal> principal(std::string const& hash) const {
    return credentials_->find(hash, clock_.now());
  }
  /// Asks the store; `found` is called on another thread.
  void look_up(std::string const& hash,
               std::move_only_function<void(core::Result<service::Principal>)> found);

 private:
  class Settler;
  /// Applied to each call before anything else.
  struct Admission {
    Redact redact;
    service::StorageMeter meter;
  };

  core::Result<Answer> run_metered(Call call);
  core::Result<void> admit(Call& call);
  core::Result<Answer> run_read(Call& call, std::optional<std::chrono::milliseconds> most = {});
  core::Result<Answer> run_slow_read(Call& call);
  core::Result<Answer> run_write(Call call);
  /// Runs a prepared write, and then clears what it or its preparation left.
  core::Result<Answer> run_and_clear(Call call);
  Ports ports() const;
  /// Lets the ports fill in what the request needs.
  core::Result<void> prepare(Call& call);
  void start_write(Call call, Reply reply);
  void start_question(Call call, Reply reply);

  store::Store& store_;
  os::Clock const& clock_;
  std::shared_ptr<Timeline> const timeline_;
  mutable std::mutex origin_mutex_;
  /// The last one counts. Earlier ones stay, because units may still hold them.
  mutable std::list<service::Origin> origins_;
  mutable core::Duration origin_read_at_{};  ///< the uptime
  std::shared_ptr<CredentialBook> const credentials_;
  std::shared_ptr<std::string> const server_;
  std::atomic<WorkspacePort*> workspace_port_ = nullptr;
  std::shared_ptr<Settler> const settler_;
  Admission admission_;
  ReadingThreads brief_;
  ReadingThreads slow_;
  ReadingThreads lookups_;
  /// Repositories may lie on disks that do not answer: what waits for them keeps no reader from reading.
  ReadingThreads questions_;
  std::atomic<std::size_t> questions_waiting_ = 0;
};

}  // namespace andon::api
