#include "main/service_unit.hpp"

#include <algorithm>

#include "core/text/names.hpp"

namespace andon::main {
namespace {

using core::Code;
using core::Result;

/// Paths and arguments in quotes, as systemd.syntax(7) reads them: `%` begins a specifier.
std::string quote_value(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '%') out += '%';
    out += c;
  }
  return out + "\"";
}

/// In a command line `$` begins a variable besides.
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

/// A path that is not there (yet) must not keep the server from starting.
std::string writable_paths(ServiceUnit const& unit) {
  auto paths = unit.writable;
  paths.insert(paths.begin(), unit.data);
  std::string out;
  for (auto const& path : paths) out += (out.empty() ? "" : " ") + quote_value("-" + path);
  return out;
}

/// Agents outlive a restart (KillMode=process) and are adopted by the next server; their supervising
/// processes end them when no server comes back within a lease. Left out on purpose: PrivateTmp, which parts
/// a new server from agents of the old one; UMask, which would show in the files that agents make;
/// RestrictNamespaces and MemoryDenyWriteExecute, which break the sandboxes and the just-in-time compilers of
/// agents.
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

/// What only the system's manager may take away.
constexpr std::string_view kOfTheMachine = R"(ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectClock=yes
)";

}  // namespace

Result<std::string> unit_text(ServiceUnit const& unit) {
  ANDON_CHECK(check(unit));
  std::string out =
      "# Made by: andon service install\n[Unit]\nDescription=Andon, the board that runs itself\n";
  if (unit.system) out += "After=network.target\n";
  out += "StartLimitIntervalSec=60\nStartLimitBurst=5\n\n[Service]\n";
  if (unit.system) out += "User=" + unit.run_as + "\n";
  if (!unit.path.empty()) out += "Environment=" + quote_value("PATH=" + unit.path) + "\n";
  out += "ExecStart=" + command_line(unit) + "\n";
  out += kService;
  if (unit.system) out += kOfTheMachine;
  out += "ReadWritePaths=" + writable_paths(unit) + "\n\n[Install]\nWantedBy=";
  out += unit.system ? "multi-user.target\n" : "default.target\n";
  return out;
}

}  // namespace andon::main
