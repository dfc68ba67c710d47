#include "main/commands/service_command.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <pwd.h>

#include "cli/command_line/invocation.hpp"
#include "core/model/clone_url.hpp"
#include "core/text/names.hpp"
#include "http/wire/listener.hpp"
#include "main/service_unit.hpp"
#include "os/data/data_directory.hpp"
#include "os/files/file.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/program.hpp"
#include "os/system_error.hpp"
#include "service/boards/boards.hpp"

namespace andon::main {
namespace {

namespace fs = std::filesystem;
using cli::Invocation;
using cli::Takes;
using core::Code;
using core::Result;

constexpr core::Duration kLongestCall = std::chrono::minutes{2};
constexpr std::size_t kLongestUnit = 64U << 10U;
constexpr mode_t kReadable = 0644;

/// One service by name, managed by the systemd of the user or of the machine.
class Service {
 public:
  static Result<Service> named(Invocation& in) {
    Service service(in);
    service.name_ = in.given().value("name").value_or("andon");
    service.is_system_ = in.given().has("system");
    if (service.is_system_ && in.given().has("user"))
      return core::refuse(Code::kInvalidInput, "a service is either the user's or the machine's", "system");
    if (!core::is_name(service.name_))
      return core::refuse(Code::kInvalidInput, "\"name\" must be 1 to 64 letters, digits, - _ or .", "name");
    return service;
  }

  bool is_system() const { return is_system_; }
  std::string unit() const { return name_ + ".service"; }

  std::string const& name() const { return name_; }
  std::string socket_unit() const { return name_ + ".socket"; }

  fs::path file() const { return directory() / unit(); }
  fs::path socket_file() const { return directory() / socket_unit(); }

  fs::path directory() const {
    if (is_system_) return "/etc/systemd/system";
    auto const config = in_.env().variable("XDG_CONFIG_HOME");
    auto const root = config.empty() ? fs::path{in_.env().variable("HOME")} / ".config" : fs::path{config};
    return root / "systemd/user";
  }

  Result<void> find_manager() {
    auto const found = os::find_program("systemctl", in_.env().variable("PATH"));
    if (!found)
      return core::refuse(Code::kInvalidInput,
                          "there is no systemctl here; `andon service install --print` prints the unit, and "
                          "`andon serve` is what any other service manager has to start");
    systemctl_ = *found;
    return {};
  }

  /// Runs systemctl and returns its output; its failure is a refusal.
  Result<std::string> control(std::vector<std::string> words) const {
    auto const said = call(std::move(words));
    if (!said.timed_out && said.status.code == 0) return said.out;
    return core::refuse(Code::kInvalidInput,
                        "systemctl refused: " + (said.out.empty() ? "it said nothing" : said.out));
  }

  os::Captured call(std::vector<std::string> words) const {
    if (!is_system_) words.insert(words.begin(), "--user");
    words.insert(words.begin(), {systemctl_.native(), "--no-pager"});
    os::Command command;
    command.program = systemctl_.native();
    command.argv = std::move(words);
    command.env = os::own_environment();
    return os::capture(std::move(command), {kLongestCall});
  }

 private:
  explicit Service(Invocation& in) : in_(in) {}

  Invocation& in_;
  std::string name_;
  bool is_system_ = false;
  fs::path systemctl_;
};

Result<fs::path> data_path_of(Invocation& in) {
  if (auto const given = in.given().value("data")) return fs::absolute(in.env().directory / *given);
  ANDON_TRY(auto const location, in.location());
  if (auto const* place = std::get_if<cli::DataDirectory>(&location)) return fs::absolute(place->root);
  return core::refuse(Code::kInvalidInput, "a service needs a data directory; give --data", "data");
}

/// The repositories of all boards in this data directory. Agents write to them.
std::vector<std::string> repositories(Invocation& in, fs::path const& data) {
  if (!fs::exists(os::data_directory(data).db)) return {};
  auto const answer = in.call<&service::list_boards>({});
  auto const boards = answer ? cli::answer_as<service::Boards>(*answer) : core::refuse(answer.error());
  std::vector<std::string> out;
  if (boards)
    for (auto const& board : boards->items)
      if (!board.repo.empty() && !core::is_clone_url(board.repo)) out.push_back(board.repo);
  return out;
}

/// The address as systemd reads it; empty for one that the server has to choose when it starts.
Result<std::string> held_address(std::string const& listen, bool behind_tls_proxy) try {
  auto const endpoint = http::endpoint_of(listen, behind_tls_proxy);
  if (endpoint.port() == 0) return std::string{};
  auto const host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(endpoint.port());
} catch (std::invalid_argument const& error) {
  return core::refuse(Code::kInvalidInput, error.what(), "listen");
}

/// The directories beneath /home and /run/user that are an account's own. Accounts of the system have any
/// directory as their home, even the root.
std::vector<std::string> own_directories(std::string const& account, bool with_home) {
  auto const* entry = ::getpwnam(account.c_str());
  if (!entry) return {};
  std::vector<std::string> out{"/run/user/" + std::to_string(entry->pw_uid)};
  std::string const home = entry->pw_dir;
  if (with_home && home.starts_with("/home/")) out.push_back(home);
  return out;
}

/// Agents keep their sign-in and their caches in the home of their account.
void add_home(Invocation& in, ServiceUnit& unit) {
  bool const with_home = !in.given().has("read-only-home");
  if (unit.system) {
    std::ranges::move(own_directories(unit.run_as, with_home), std::back_inserter(unit.writable));
    return;
  }
  auto const home = in.env().variable("HOME");
  if (with_home)
    unit.writable.push_back(home);
  else
    unit.read_only_home = home;
}

Result<ServiceUnit> wanted_unit(Invocation& in, Service const& service) {
  auto const& given = in.given();
  ServiceUnit unit;
  unit.system = service.is_system();
  unit.run_as = given.value("run-as").value_or("");
  unit.program = os::own_program();
  ANDON_TRY(auto const data, data_path_of(in));
  unit.data = data.lexically_normal();
  auto const listen = given.value("listen").value_or("127.0.0.1:7420");
  unit.name = service.name();
  ANDON_SET(unit.listen, held_address(listen, given.has("behind-tls-proxy")));
  unit.arguments = {"serve", "--data", unit.data, "--listen", listen};
  for (auto const& host : given.values("host")) unit.arguments.insert(unit.arguments.end(), {"--host", host});
  if (given.has("behind-tls-proxy")) unit.arguments.emplace_back("--behind-tls-proxy");
  unit.needs_network = given.has("lan");
  if (unit.needs_network) unit.arguments.emplace_back("--lan");
  unit.writable = {"/tmp", "/var/tmp"};
  // The manager's own PATH is short; the user's shell has the PATH with the agents' programs.
  if (!unit.system) unit.path = in.env().variable("PATH");
  add_home(in, unit);
  for (auto const& path : given.values("writable")) unit.writable.push_back(path);
  for (auto& path : repositories(in, data)) unit.writable.push_back(std::move(path));
  return unit;
}

/// Warns about `--writable` paths that do not exist, since systemd ignores them until the service restarts.
void tell_of_missing(Invocation& in) {
  for (auto const& path : in.given().values("writable"))
    if (!fs::exists(path))
      in.screen().tell(path +
                       " is not there: agents may write to it once it was made and the service restarted");
}

/// Lets systemd listen. It can begin to only while the server does not.
Result<void> hold_address(Service const& service, ServiceUnit const& unit) {
  auto const text = unit.listen.empty() ? std::string{} : socket_unit_text(unit);
  if (os::read_file_if_there(service.socket_file(), kLongestUnit).value_or("") == text) return {};
  service.call({"stop", service.unit()});
  service.call({"disable", "--now", service.socket_unit()});
  if (text.empty()) {
    fs::remove(service.socket_file());
    return {};
  }
  os::write_file(service.socket_file(), text, kReadable);
  ANDON_CHECK(service.control({"daemon-reload"}));
  ANDON_CHECK(service.control({"enable", "--now", service.socket_unit()}));
  return {};
}

Result<int> write_and_start(Invocation& in, Service const& service, ServiceUnit const& unit,
                            std::string const& text) {
  fs::create_directories(service.file().parent_path());
  ANDON_CHECK(hold_address(service, unit));
  os::write_file(service.file(), text, kReadable);
  ANDON_CHECK(service.control({"daemon-reload"}));
  ANDON_CHECK(service.control({"enable", service.unit()}));
  ANDON_CHECK(service.control({"restart", service.unit()}));
  in.screen().print("Installed " + service.file().native() + " and started " + service.unit() + "\n");
  if (!service.is_system())
    in.screen().tell("It ends with your last session unless you once say: loginctl enable-linger");
  return 0;
}

Result<int> run_install(Invocation& in) try {
  ANDON_TRY(auto service, Service::named(in));
  ANDON_TRY(auto const unit, wanted_unit(in, service));
  ANDON_TRY(auto const text, unit_text(unit));
  tell_of_missing(in);
  if (in.given().has("print")) return in.screen().print(text), 0;
  if (in.given().has("print-socket"))
    return in.screen().print(unit.listen.empty() ? "" : socket_unit_text(unit)), 0;
  ANDON_CHECK(service.find_manager());
  in.disconnect();
  return write_and_start(in, service, unit, text);
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
} catch (fs::filesystem_error const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
}

Result<int> run_status(Invocation& in) {
  ANDON_TRY(auto service, Service::named(in));
  ANDON_CHECK(service.find_manager());
  auto const said = service.call({"status", "--lines=5", service.unit()});
  in.screen().print(said.out);
  return said.status.code.value_or(1);
}

Result<int> run_remove(Invocation& in) try {
  ANDON_TRY(auto service, Service::named(in));
  ANDON_CHECK(service.find_manager());
  if (!fs::exists(service.file()))
    return core::refuse(Code::kNotFound, "there is no service " + service.file().native(), "name");
  std::vector<std::string> words{"disable", "--now", service.unit()};
  if (fs::exists(service.socket_file())) words.push_back(service.socket_unit());
  ANDON_CHECK(service.control(std::move(words)));
  fs::remove(service.socket_file());
  fs::remove(service.file());
  ANDON_CHECK(service.control({"daemon-reload"}));
  in.screen().print("Removed " + service.file().native() + "; its data stays\n");
  return 0;
} catch (fs::filesystem_error const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
}

}  // namespace

std::vector<cli::NamedCommand> service_commands() {
  cli::Flag const user{"user", 0, Takes::nothing, "A service of this user, which is the default"};
  cli::Flag const system{"system", 0, Takes::nothing, "A service of the machine"};
  cli::Flag const name{"name", 0, Takes::value, "Name of the service; andon when left out"};
  return {
      {"service install",
       "",
       "Run the server as a service of systemd, or bring the service up to date.",
       {user,
        system,
        name,
        {"run-as", 0, Takes::value, "Account of a service of the machine"},
        {"data", 0, Takes::value, "Data directory"},
        {"listen", 0, Takes::value, "ADDRESS:PORT to listen on; 127.0.0.1:7420 when left out"},
        {"host", 0, Takes::list, "Name the server may be called by, beside the loopback names"},
        {"behind-tls-proxy", 0, Takes::nothing, "A proxy in front ends TLS"},
        {"lan", 0, Takes::nothing, "Listen on this machine's private addresses too, without encryption"},
        {"writable", 0, Takes::list, "More directories that agents may write to"},
        {"read-only-home", 0, Takes::nothing, "Agents may not write to the home of their account"},
        {"print", 0, Takes::nothing, "Only print the unit of the server"},
        {"print-socket", 0, Takes::nothing, "Only print the unit of its listening socket"}},
       &run_install},
      {"service status", "", "Show how the service is.", {user, system, name}, &run_status},
      {"service remove", "", "Stop the service and remove it.", {user, system, name}, &run_remove},
  };
}

}  // namespace andon::main
