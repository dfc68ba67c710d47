#include <algorithm>
#include <iostream>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "cli/commands/run.hpp"
#include "http/client/client.hpp"
#include "main/commands/commands.hpp"
#include "main/commands/supervise.hpp"
#include "main/commands/telegram_command.hpp"
#include "main/installation.hpp"
#include "main/linked_libraries.hpp"
#include "os/processes/process.hpp"
#include "os/processes/signals.hpp"
#include "os/system_error.hpp"
#include "runner/supervision/supervised_check.hpp"

namespace {

using namespace andon;

cli::Variables variables() {
  cli::Variables out;
  for (auto const& entry : os::own_environment())
    if (auto const at = entry.find('='); at != std::string::npos)
      out[entry.substr(0, at)] = entry.substr(at + 1);
  return out;
}

/// A client of an agent waits for a server that restarts. A client of a person fails at once without a
/// server.
http::ClientTimes client_times() {
  constexpr std::chrono::seconds kRestart{20};
  http::ClientTimes out;
  if (variables().contains("ANDON_EPOCH")) out.absence = kRestart;
  return out;
}

core::Result<std::unique_ptr<api::Transport>> open_transport(cli::Address const& address) try {
  auto const times = client_times();
  if (auto const* path = std::get_if<std::filesystem::path>(&address))
    return http::client_of_socket(*path, times);
  return http::client_of(std::get<std::string>(address), times);
} catch (std::invalid_argument const& error) {
  return core::refuse(core::Code::kInvalidInput, error.what(), "server");
}

core::Result<std::unique_ptr<api::Executor>> open_store(cli::DataDirectory const& place,
                                                        os::Clock const& clock) try {
  os::share_one_heap();
  return main::open_installation(place, clock);
} catch (store::StoreError const& error) {
  return core::refuse(main::code_of(error), error.what());
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kNoSpace, error.what());
}

core::Result<std::unique_ptr<api::Executor>> open_board(std::filesystem::path const& root,
                                                        os::Clock const& clock) try {
  os::share_one_heap();
  return main::open_board(root, clock);
} catch (store::StoreError const& error) {
  return core::refuse(main::code_of(error), error.what());
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kNoSpace, error.what());
}

/// The working directory, or `/`: an agent may have removed its directory and must still be able to report.
std::filesystem::path own_directory() {
  std::error_code gone;
  auto directory = std::filesystem::current_path(gone);
  if (!gone) return directory;
  std::filesystem::current_path("/");
  return "/";
}

/// The exit code after the output. A closed pipe is no error, because its reader has read enough. A failed
/// write to a file or terminal is one.
int answered(int code) {
  if (std::cout.flush()) return code;
  struct stat about{};
  bool const is_read =
      ::fstat(STDOUT_FILENO, &about) == 0 && !S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode);
  if (!is_read) return code;
  std::cerr << "Error: the answer could not be written to the standard output\n";
  return std::max(code, 1);
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> const arguments(words + 1, words + count);
  if (arguments.size() == 2 && arguments[0] == "supervise") return andon::main::supervise(arguments[1]);
  if (arguments.size() == 1 && arguments[0] == "supervise-check") return andon::runner::supervise_check();
  std::ios::sync_with_stdio(false);
  os::ignore_write_signals();
  os::exit_when_interrupted();
  os::SystemClock const clock;
  cli::Environment env{std::cin, std::cout, std::cerr, clock};
  env.variables = variables();
  env.in_is_terminal = ::isatty(STDIN_FILENO) == 1;
  env.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  env.directory = own_directory();
  env.program = std::filesystem::path{count > 0 ? words[0] : "andon"}.filename().native();
  env.version = ANDON_VERSION;
  env.pause = [](std::chrono::milliseconds span) {
    std::this_thread::sleep_for(span);
    return true;
  };
  env.end_after = [](std::chrono::milliseconds time) { os::exit_quietly_after(time); };
  env.bridge_mistakes = &andon::main::telegram_mistakes;
  env.libraries = &andon::main::linked_libraries;
  env.open.transport = open_transport;
  env.open.store = [&](std::filesystem::path const& root, std::string const& store_url) {
    return open_store({root, store_url}, clock);
  };
  env.open.board = [&](std::filesystem::path const& root) { return open_board(root, clock); };
  env.open.nothing = [&] { return andon::main::open_nothing(clock); };
  auto const commands = andon::main::commands();
  env.commands = commands;
  return answered(cli::run(arguments, env));
}
