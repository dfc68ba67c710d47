#include "runner/clones/remote_access.hpp"

#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

/// A word for the shell with which git starts credential helpers and ssh.
std::string quoted(std::string const& word) {
  std::string out = "'";
  for (char const c : word) out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + "'";
}

/// The fault of a file that must be private. The caller knows that it is there.
std::optional<std::string> fault_of(fs::path const& file) {
  struct stat about{};
  if (::lstat(file.c_str(), &about) != 0) return file.native() + " cannot be examined";
  if (!S_ISREG(about.st_mode)) return file.native() + " is no regular file; put the file itself there";
  if (about.st_uid != ::geteuid()) return file.native() + " belongs to another user; make it your own";
  if ((about.st_mode & 0077U) != 0)
    return "other users may read " + file.native() + "; close it with: chmod 600 " + file.native();
  return std::nullopt;
}

bool is_there(fs::path const& file) {
  std::error_code none;
  return fs::exists(fs::symlink_status(file, none));
}

/// Never asks, reads no settings of a user, and knows no host that `known_hosts` does not name.
std::string ssh_command(fs::path const& folder) {
  std::string out =
      "ssh -F /dev/null -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=30"
      " -o IdentitiesOnly=yes -o IdentityAgent=none -o ClearAllForwardings=yes"
      " -o ServerAliveInterval=15 -o ServerAliveCountMax=4 -o UserKnownHostsFile=" +
      quoted("\"" + (folder / "known_hosts").native() + "\"");
  if (is_there(folder / "ssh_key")) return out + " -i " + quoted((folder / "ssh_key").native());
  return out + " -o IdentityFile=none";
}

}  // namespace

core::Result<RemoteAccess> remote_access(fs::path const& data) {
  auto const folder = fs::absolute(data) / "git";
  for (auto const* name : {"credentials", "ssh_key", "known_hosts"}) {
    if (!is_there(folder / name)) continue;
    if (auto fault = fault_of(folder / name))
      return core::refuse(core::Code::kConflict, *std::move(fault), "repo");
  }
  RemoteAccess out;
  // The empty helper forgets those of other settings. The helper only answers: git would make it forget a
  // password that a remote refused once.
  out.arguments = {"-c", "credential.helper="};
  if (auto const file = folder / "credentials"; is_there(file)) {
    out.arguments.emplace_back("-c");
    out.arguments.push_back("credential.helper=!f() { test \"$1\" != get || git credential-store --file=" +
                            quoted(file.native()) + " get; }; f");
  }
  out.environment = {{"GIT_SSH_COMMAND", ssh_command(folder)}, {"GIT_SSH_VARIANT", "ssh"}};
  return out;
}

}  // namespace andon::runner
