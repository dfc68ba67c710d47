#include "main/service_unit.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/text/names.hpp"

namespace andon::main {
namespace {

namespace fs = std::filesystem;
using core::Code;
using core::Result;

/// Quotes a path or an argument for systemd.syntax(7), and doubles `%`, which begins a specifier.
std::string quote_value(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '%') out += '%';
    out += c;
  }
  return out + "\"";
}

/// Quotes an argument of a command line, where `$` also begins a variable.
std::string argument(std::string_view text) {
  std::string out;
  for (char const c : quote_value(text)) {
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

Result<void> check_line(std::string const& text, std::string_view field) {
  if (!text.empty() && !core::is_unsafe_line(text)) return {};
  return core::refuse(Code::kInvalidInput,
                      "\"" + std::string{field} + "\" must be one line without control characters",
                      std::string{field});
}

Result<void> check_path(std::string const& path, std::string_view field) {
  ANDON_CHECK(check_line(path, field));
  if (path.front() == '/') return {};
  return core::refuse(Code::kInvalidInput, "\"" + path + "\" must be an absolute path", std::string{field});
}

Result<void> check(ServiceUnit const& unit) {
  ANDON_CHECK(check_path(unit.program, "program"));
  if (unit.program.contains('$'))
    return core::refuse(Code::kInvalidInput,
                        "systemd starts no program with a $ in its path: " + unit.program, "program");
  ANDON_CHECK(check_path(unit.data, "data"));
  if (!unit.path.empty()) ANDON_CHECK(check_line(unit.path, "PATH"));
  for (auto const& word : unit.arguments) ANDON_CHECK(check_line(word, "listen"));
  for (auto const& path : unit.writable) ANDON_CHECK(check_path(path, "writable"));
  if (!unit.read_only_home.empty()) ANDON_CHECK(check_path(unit.read_only_home, "HOME"));
  if (unit.system && !core::is_name(unit.run_as))
    return core::refuse(Code::kInvalidInput,
                        "a service of the machine needs --run-as ACCOUNT: agents must not run as root",
                        "run_as");
  return {};
}

std::string command_line(ServiceUnit const& unit) {
  auto out = argument(unit.program);
  for (auto const& word : unit.arguments) out += " " + argument(word);
  return out;
}

/// The paths for ReadWritePaths. `-` before a path lets the server start without it.
std::string writable_paths(ServiceUnit const& unit) {
  auto paths = unit.writable;
  paths.insert(paths.begin(), unit.data);
  std::string out;
  for (auto const& path : paths) out += (out.empty() ? "" : " ") + quote_value("-" + path);
  return out;
}

/// Agents outlive a restart (KillMode=process) and the next server adopts them. Their supervising processes
/// end them if no server returns within a lease. These settings are left out on purpose:
/// PrivateTmp and PrivateUsers would separate a new server from the agents of the old one.
/// RemoveIPC would take the shared memory of agents at each restart.
/// UMask would change the mode of the files that agents make.
/// ProtectProc would hide what stands above a command line, by which the server knows the machine's user.
/// @privileged and @mount are system calls of the sandboxes that agents' programs make, @debug those of
/// their debuggers. MemoryDenyWriteExecute breaks just-in-time compilers.
constexpr std::string_view kService = R"(Type=notify
NotifyAccess=main
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=1
WatchdogSec=30
TimeoutStartSec=90
TimeoutStopSec=30
KillMode=process
Delegate=yes
LimitNOFILE=65536
NoNewPrivileges=yes
ProtectSystem=strict
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
)";

/// Restrictions that only the system's manager can apply.
/// PrivateDevices leaves the devices that a sandboxed agent reaches anyway, and terminals.
/// RestrictNamespaces leaves those of own terminals (user, mnt) and of agents' sandboxes (user, pid, net).
/// @resources and @cpu-emulation answer EPERM, on which programs such as nice(1) warn and go on.
constexpr std::string_view kOfTheMachine = R"(PrivateDevices=yes
PrivateMounts=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectClock=yes
ProtectHostname=yes
CapabilityBoundingSet=
RestrictNamespaces=user mnt pid net
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @module @obsolete @raw-io @reboot @resources @swap
SystemCallErrorNumber=EPERM
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
)";

/// ProtectSystem=strict leaves these writable, and ProtectHome makes them read-only. Of two settings for one
/// path systemd takes the stricter, so that ReadWritePaths opens none of them while ProtectHome is there.
constexpr std::array<std::string_view, 3> kHomes{"/home", "/root", "/run/user"};

bool is_all_homes(fs::path const& path) {
  auto const plain = (path / "").lexically_normal().parent_path().native();
  return std::ranges::find(kHomes, plain) != kHomes.end();
}

std::string home_lines(ServiceUnit const& unit) {
  bool const opens_all = is_all_homes(unit.data) || std::ranges::any_of(unit.writable, is_all_homes);
  if (opens_all) return {};
  if (unit.system) return "ProtectHome=read-only\n";
  return unit.read_only_home.empty() ? "" : "ReadOnlyPaths=" + quote_value("-" + unit.read_only_home) + "\n";
}

}  // namespace

Result<std::string> unit_text(ServiceUnit const& unit) {
  ANDON_CHECK(check(unit));
  std::string out =
      "# Made by: andon service install\n[Unit]\nDescription=Andon, the board that runs itself\n";
  if (unit.system)
    out += unit.needs_network ? "Wants=network-online.target\nAfter=network-online.target\n"
                              : "After=network.target\n";
  if (!unit.listen.empty()) out += "Requires=" + unit.name + ".socket\nAfter=" + unit.name + ".socket\n";
  out += "StartLimitIntervalSec=60\nStartLimitBurst=5\n\n[Service]\n";
  if (unit.system) out += "User=" + unit.run_as + "\n";
  if (!unit.path.empty()) out += "Environment=" + quote_value("PATH=" + unit.path) + "\n";
  out += "ExecStart=" + command_line(unit) + "\n";
  out += kService;
  if (unit.system) out += kOfTheMachine;
  out += home_lines(unit);
  out += "ReadWritePaths=" + writable_paths(unit) + "\n\n[Install]\nWantedBy=";
  out += unit.system ? "multi-user.target\n" : "default.target\n";
  return out;
}

/// systemd keeps the socket while the server starts again: connections wait, and no other program can listen
/// there.
std::string socket_unit_text(ServiceUnit const& unit) {
  return "# Made by: andon service install\n[Unit]\nDescription=Address of Andon, kept while the server "
         "starts "
         "again\n\n[Socket]\nListenStream=" +
         unit.listen + "\nBacklog=4096\n\n[Install]\nWantedBy=sockets.target\n";
}

}  // namespace andon::main
