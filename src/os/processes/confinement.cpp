#include "os/processes/confinement.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "os/processes/landlock.hpp"
#include "os/processes/own_terminals.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

using namespace landlock;

constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;

struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};
/// The oldest version accepts only the first member and refuses larger structs.
constexpr std::size_t kOldestSize = sizeof(std::uint64_t);
constexpr std::size_t kSizeWithNetwork = 2 * sizeof(std::uint64_t);

std::uint64_t rights_known_to(int version) {
  constexpr int kWithRefer = 2;
  constexpr int kWithTruncate = 3;
  return kFirstVersion | (version >= kWithRefer ? kRefer : 0) | (version >= kWithTruncate ? kTruncate : 0);
}

constexpr int kWithNetwork = 4;
constexpr int kWithScopes = 6;

}  // namespace

int confinement_version() {
  auto const version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version < 0 ? 0 : static_cast<int>(version);
}

std::optional<Confinement> Confinement::make(Closed closed, Network network, std::vector<int> const& held) {
  auto const version = confinement_version();
  if (version == 0) return std::nullopt;
  RulesetAttributes attributes;
  attributes.files = rights_known_to(version);
  if (closed == Closed::changes) attributes.files &= ~(kReadFile | kReadDirectory);
  bool const is_scoped = closed == Closed::everything && version >= kWithScopes;
  if (is_scoped) attributes.scopes = kScopeSignals | kScopeAbstractSockets;
  if (network == Network::closed && version >= kWithNetwork) attributes.network = kBindTcp | kConnectTcp;
  bool const holds_ports = !held.empty() && attributes.network == 0 && version >= kWithNetwork;
  if (holds_ports) attributes.network = kBindTcp;
  auto const size = is_scoped ? sizeof attributes : attributes.network != 0 ? kSizeWithNetwork : kOldestSize;
  Descriptor ruleset{static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0))};
  if (!ruleset) fail("make a confinement");
  Confinement out{std::move(ruleset), attributes.files};
  if (holds_ports) out.allow_ports_except(held);
  return out;
}

bool Confinement::give_own_terminals() {
  has_own_terminals_ = can_have_own_terminals();
  return has_own_terminals_;
}

void Confinement::allow_data(std::filesystem::path const& path) { allow(path, kReadFile | kReadDirectory); }

void Confinement::allow_reading(std::filesystem::path const& path) {
  allow(path, kExecute | kReadFile | kReadDirectory);
}

void Confinement::allow_changes(std::filesystem::path const& path) { allow(path, closed_); }

void Confinement::allow_executing(std::filesystem::path const& path) { allow(path, kExecute); }

void Confinement::allow_changes(Descriptor const& directory) { allow(directory.get(), closed_); }

/// The kernel takes one rule for each port: 20 ms and 4 MB for all, and 15 ms when a program is confined.
void Confinement::allow_ports_except(std::vector<int> const& held) {
  has_held_ports_ = true;
  constexpr int kPorts = 1 << 16;
  for (int port = 0; port < kPorts; ++port) {
    if (port != 0 && std::ranges::find(held, port) != held.end()) continue;
    PortAttributes const rule{kBindTcp, static_cast<std::uint64_t>(port)};
    if (::syscall(SYS_landlock_add_rule, ruleset_.get(), kRulePort, &rule, 0) != 0) fail("allow a port");
  }
}

void Confinement::allow(std::filesystem::path const& path, std::uint64_t rights) {
  Descriptor const file{::open(path.c_str(), O_PATH | O_CLOEXEC)};
  if (file) allow(file.get(), rights);
}

void Confinement::allow(int file, std::uint64_t rights) {
  struct stat about{};
  if (::fstat(file, &about) != 0) fail("look at what is allowed");
  if (!S_ISDIR(about.st_mode)) rights &= kOfFiles;
  BeneathAttributes rule;
  rule.rights = rights & closed_;
  rule.parent = file;
  if (rule.rights == 0) return;
  if (::syscall(SYS_landlock_add_rule, ruleset_.get(), kRuleBeneath, &rule, 0) != 0)
    fail("allow a part of the file system");
}

}  // namespace andon::os
