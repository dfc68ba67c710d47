#include "runner/commands/tree_command.hpp"

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/git/work_place.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/setup/copied_files.hpp"
#include "runner/setup/tree_record.hpp"
#include "runner/supervision/supervised_check.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

/// It marks the processes of the command, and only it is open to them beside the tree.
fs::path directory_of(TreeCommand const& command, os::DataDirectory const& data) {
  fs::path const tree{command.place.directory};
  return tree_records(data) / tree.parent_path().filename() /
         (tree.filename().native() + "." + command.purpose);
}

core::CheckResult not_started(CheckSpec const& command, std::string reason) {
  core::CheckResult out;
  out.name = command.name;
  out.output = std::move(reason);
  return out;
}

}  // namespace

Environment tree_variables(core::Board const& board, core::TaskId task, fs::path const& tree,
                           os::DataDirectory const& data) {
  Environment out{{"ANDON_TASK", std::to_string(task)}, {"ANDON_BOARD", board.name}};
  auto const record = read_tree_record(tree_records(data), tree);
  for (auto const& variable : port_variables(record.ports)) {
    auto const equals = variable.find('=');
    out.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return out;
}

std::optional<SandboxSpec> sandbox_of_tree(core::WorkPlace const& tree, fs::path const& lender,
                                           CommandPlace const& place, fs::path const& run_dir,
                                           std::vector<std::string> const& environment) {
  if (os::confinement_version() == 0) return std::nullopt;
  auto out = sandbox_of({.program = place.program,
                         .andon_directory = place.program.parent_path(),
                         .data = place.data.root,
                         .run_dir = run_dir,
                         .cwd = tree.directory,
                         .environment = environment,
                         .folders = {}});
  out.changes.push_back(tree.git_directory);
  out.reads.push_back(tree.common_directory);
  out.reads.push_back(lender);
  out.reads.push_back(lender.parent_path() / "lfs/objects");
  return out;
}

core::CheckResult run_in_tree(TreeCommand const& command, CommandPlace const& place,
                              std::function<bool()> const& should_stop) try {
  auto const run_dir = directory_of(command, place.data);
  for (auto const* part : {"own", "tmp"}) os::make_private_directory(run_dir / part);
  auto variables = tree_variables(command.board, command.task, command.place.directory, place.data);
  variables.emplace_back("ANDON_RUN_DIR", run_dir.native());
  variables.emplace_back("TMPDIR", (run_dir / "tmp").native());
  auto const environment = agent_environment({}, place.own, board_environment(command.board.env, place.own),
                                             variables, place.program.parent_path());
  auto const directory = enter_folder(command.place, command.folder);
  if (!directory) return not_started(command.command, directory.error());
  return run_supervised(
      {.check = command.command,
       .directory = (fs::path{command.place.directory} / command.folder).native(),
       .env = environment,
       .limit = command.limit,
       .sandbox = sandbox_of_tree(command.place,
                                  objects_of_clone(repository_directory(command.board.repo, place.data)),
                                  place, run_dir, environment),
       .secrets = secrets_in(directory_of_copies(command.board.repo, command.board.name, place.data),
                             command.board.copy)},
      {place.program, run_dir, directory->get(), should_stop});
} catch (os::SystemError const& error) {
  return not_started(command.command, error.what());
}

}  // namespace andon::runner
