#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "api/local_executor.hpp"
#include "cli/command_line/command.hpp"
#include "cli/commands/run.hpp"
#include "reflect/json.hpp"
#include "store/contract/store.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// Lends an executor to a connection, which wants to own one.
class Lent : public api::Executor {
 public:
  explicit Lent(api::Executor& executor) : executor_(executor) {}
  core::Result<api::Answer> run(api::Call call) override { return executor_.run(std::move(call)); }

 private:
  api::Executor& executor_;
};

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
  boost::json::value json() const {
    auto parsed = reflect::parse_json(out);
    return parsed ? *parsed : boost::json::value(nullptr);
  }
};

/// A desk with a command line and a data directory whose store lives in memory.
class Cli {
 public:
  Cli() {
    variables = {{"USER", "ann"}, {"HOME", (home_ / "home").native()}};
    std::filesystem::create_directories(home_ / "project/.andon");
    std::ofstream{home_ / "project/.andon/andon.yml"} << "\n";
  }

  Outcome operator()(std::vector<std::string> arguments, std::string input = {}) {
    std::istringstream in{std::move(input)};
    std::ostringstream out, err;
    cli::Environment env{.in = in, .out = out, .err = err, .clock = clock};
    env.variables = variables;
    env.directory = home_ / "project";
    env.in_is_terminal = terminal;
    env.program = program;
    env.version = version;
    env.pause = pause;
    env.open.store = [this](std::filesystem::path const&,
                            std::string const&) -> core::Result<std::unique_ptr<api::Executor>> {
      return std::make_unique<Lent>(executor_);
    };
    env.open.board = [this](std::filesystem::path const&) -> core::Result<std::unique_ptr<api::Executor>> {
      return std::make_unique<Lent>(executor_);
    };
    env.open.nothing = [this] { return std::make_unique<Lent>(executor_); };
    env.open.transport = transport;
    env.commands = commands;
    auto const code = cli::run(arguments, env);
    return {code, out.str(), err.str()};
  }

  /// A board in kanban-md's shape.
  Cli& with_board(std::string name = "shop") {
    (*this)({"boards", "create", std::move(name), "--template", "flow"});
    return *this;
  }
  Cli& with_task(std::string title) {
    (*this)({"create", std::move(title)});
    return *this;
  }

  std::filesystem::path project() const { return home_ / "project"; }
  api::LocalExecutor& executor() { return executor_; }

  FakeClock clock;
  cli::Variables variables;
  std::vector<cli::NamedCommand> commands;
  std::function<core::Result<std::unique_ptr<api::Transport>>(cli::Address const&)> transport;
  std::function<bool(std::chrono::milliseconds)> pause;
  std::string program = "andon";
  std::string version = "dev";
  bool terminal = false;

 private:
  Scratch home_;
  std::unique_ptr<store::Store> store_ = store::open_store("sqlite::memory:");
  api::LocalExecutor executor_{*store_, clock};
};

}  // namespace andon::test
