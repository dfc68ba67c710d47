#include "runner/supervision/run_cgroup.hpp"

#include <string>
#include <string_view>
#include <unistd.h>

#include "os/processes/log.hpp"
#include "os/processes/resource_use.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr core::Duration kLastWait{1'000};
/// The begin of the name `andon-run-RUN-PID@STARTED@BOOT`.
constexpr std::string_view kGroupPrefix = "andon-run-";

std::string name_of(core::RunId run, os::ProcessId const& supervisor) {
  return std::string{kGroupPrefix} + std::to_string(run) + "-" + os::to_text(supervisor);
}

/// The supervising process in a group's name.
std::optional<os::ProcessId> supervisor_in(std::string_view name) {
  if (!name.starts_with(kGroupPrefix)) return std::nullopt;
  name.remove_prefix(kGroupPrefix.size());
  auto const dash = name.find('-');
  return dash == std::string_view::npos ? std::nullopt : os::parse_process(name.substr(dash + 1));
}

}  // namespace

RunCgroup::RunCgroup(core::RunId run) {
  auto const parent = os::delegated_cgroup();
  if (!parent) return;
  try {
    auto const name = name_of(run, os::own_identity());
    group_ = os::make_cgroup(*parent, name);
  } catch (os::SystemError const& error) {
    os::log(os::Level::info, std::string{"the run gets no cgroup: "} + error.what());
  }
}

RunCgroup::~RunCgroup() {
  if (group_ && group_->end(kLastWait)) group_->remove();
}

os::Descriptor RunCgroup::place() {
  if (!group_) return {};
  return os::make_cgroup(group_->directory(), std::to_string(++places_)).open();
}

void RunCgroup::kill() const {
  if (group_) group_->kill();
}

std::vector<pid_t> RunCgroup::processes() const {
  return group_ ? group_->processes() : os::descendants_of(::getpid());
}

void RunCgroup::limit(core::ResourceLimits const& limits) const {
  if (!group_) return;
  auto const memory = limits.memory.value_or(core::ByteSize{}).bytes;
  group_->limit(memory + memory / 16, limits.processes, core::cpu_weight_of(limits));
}

bool RunCgroup::ran_out_of_memory() const { return group_ && group_->ran_out_of_memory(); }

bool RunCgroup::end(core::Duration limit) const { return !group_ || group_->end(limit); }

std::optional<os::Cgroup> left_cgroup(fs::path const& parent, core::RunId run,
                                      os::ProcessId const& supervisor) {
  if (parent.empty()) return std::nullopt;
  os::Cgroup group{parent / name_of(run, supervisor)};
  return group.is_there() ? std::optional{std::move(group)} : std::nullopt;
}

void remove_left_cgroups(fs::path const& parent) {
  std::error_code error;
  for (auto const& entry : fs::directory_iterator{parent, error}) {
    auto const supervisor = supervisor_in(entry.path().filename().native());
    os::Cgroup const group{entry.path()};
    if (supervisor && !os::is_alive(*supervisor) && group.is_empty()) group.remove();
  }
}

}  // namespace andon::runner
