#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "os/processes/process.hpp"
#include "runner/output/run_log.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/sweep.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// The key that the supervising process of a test seals its end record with.
inline constexpr std::string_view kRunKey = "0123456789abcdef0123456789abcdef";

/// A run of one zoo program (or another command) under a real supervising process.
class SupervisedRun {
 public:
  explicit SupervisedRun(std::string_view zoo_program);
  explicit SupervisedRun(std::vector<std::string> argv);
  ~SupervisedRun();

  /// To be changed before `start`.
  runner::RunSpec spec;
  std::string input = "the prompt\n";

  void start();
  /// Waits until so many processes have said that they are there, or the run is over, and gives their
  /// numbers.
  std::vector<pid_t> wait_for(std::size_t processes);
  void signal(int number);
  /// What heartbeats shall be answered from now on.
  void answer(std::string_view word);
  /// Waits for the end of the supervising process; the record it wrote.
  runner::EndRecord end();
  /// Kills the supervising process alone and forgets it.
  void kill_supervisor();
  /// Starts the supervising process as its server would, but for its key.
  void start_waiting();
  void give_key(std::string_view key);
  /// What the server knows of the run's processes.
  runner::SweepTarget target() const;

  std::filesystem::path const& dir() const { return scratch_.path(); }
  std::filesystem::path operator/(std::string_view name) const { return scratch_ / name; }
  std::vector<runner::LogItem> log() const;
  /// Processes of this run that still live.
  std::size_t survivors() const;

 private:
  void prepare(std::vector<std::string> argv);

  Scratch scratch_;
  runner::RunFiles files_;
  os::Descriptor pipe_;
  os::Child supervisor_;
  os::Descriptor key_;
  std::optional<os::ProcessId> identity_;
  std::string input_id_;
  std::vector<os::ProcessId> seen_;
};

}  // namespace andon::test
