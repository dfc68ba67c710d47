#include "http/access/machine_user.hpp"

#include <unistd.h>

#include "os/processes/process_table.hpp"

namespace andon::http {
namespace {

constexpr int kMostAncestors = 256;
constexpr std::size_t kLongestArguments = 4096;

/// True for a process that supervises a run or a check: `andon supervise DIRECTORY`, `andon supervise-check`.
bool is_supervisor(pid_t pid) {
  auto const arguments = os::arguments_of(pid, kLongestArguments);
  auto const first_end = arguments.find('\0');
  if (first_end == std::string::npos) return false;
  auto const rest = std::string_view{arguments}.substr(first_end + 1);
  auto const word = rest.substr(0, rest.find('\0'));
  return word == "supervise" || word == "supervise-check";
}

/// True when neither the process nor one above it is this server or a supervisor. False when the way to the
/// first process cannot be followed.
bool is_outside_of_runs(pid_t pid) {
  for (int i = 0; i < kMostAncestors; ++i) {
    if (pid == ::getpid() || is_supervisor(pid)) return false;
    if (pid == 1) return true;
    auto const row = os::process_row(pid);
    if (!row) return false;
    if (row->parent == 0) return true;
    pid = row->parent;
  }
  return false;
}

}  // namespace

bool is_machines_user(Peer const& peer) {
  if (!peer.is_local || !peer.process || !peer.user) return false;
  if (*peer.user != ::geteuid() && *peer.user != 0) return false;
  // A process may end during the walk, and its number go to another one.
  return is_outside_of_runs(peer.process->pid) && os::is_alive(*peer.process);
}

}  // namespace andon::http
