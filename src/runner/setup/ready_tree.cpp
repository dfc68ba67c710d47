#include "runner/setup/ready_tree.hpp"

#include "os/system_error.hpp"
#include "runner/setup/copied_files.hpp"
#include "runner/setup/setup_cache.hpp"
#include "runner/setup/tree_record.hpp"

namespace andon::runner {
namespace {

using core::Result;

std::string in_words(core::Command const& command) {
  std::string out;
  for (auto const& word : command) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string ending_of(core::CheckResult const& result) {
  if (result.exit && result.exit->code) return "ended with exit " + std::to_string(*result.exit->code);
  if (result.exit && result.exit->signal)
    return "was ended by signal " + std::to_string(*result.exit->signal);
  return "could not run";
}

Result<void> run_commands(TreeSetup const& setup, ReadyTree const& ready, RunInTree const& run) {
  for (auto const& command : setup.commands) {
    auto const name = in_words(command);
    auto const result = run({name, command}, ready);
    if (!result.passed)
      return core::refuse(core::Code::kConflict,
                          "the set-up \"" + name + "\" " + ending_of(result) + ":\n" + result.output);
  }
  return {};
}

Result<void> set_up(SetupTask const& task, ReadyTree const& ready, RunInTree const& run) {
  auto const& setup = task.setup;
  std::filesystem::path const tree{task.tree.place().directory};
  auto const fingerprint = setup_fingerprint(setup, tree);
  SetupCache const cache{setup};
  auto record = read_tree_record(setup.records, tree);
  if (record.setup == fingerprint && cache.is_complete(tree)) return {};
  record.setup.clear();
  write_tree_record(setup.records, record);
  if (!cache.restore(fingerprint, tree)) {
    ANDON_CHECK(run_commands(setup, ready, run));
    if (task.is_untouched) cache.keep(setup_fingerprint(setup, tree), tree);
  }
  record.setup = setup_fingerprint(setup, tree);  // a set-up may write its lock file
  write_tree_record(setup.records, record);
  return {};
}

}  // namespace

Result<ReadyTree> make_ready(SetupTask const& task, RunInTree const& run) try {
  auto const& setup = task.setup;
  ReadyTree out;
  ANDON_SET(out.secrets, copy_files(setup.repo, !setup.is_clone, task.tree, setup.copy));
  ANDON_TRY(auto const ports, take_ports(setup.records, task.tree.place().directory, setup.ports));
  out.environment = port_variables(ports);
  if (!setup.commands.empty()) ANDON_CHECK(set_up(task, out, run));
  return out;
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kConflict,
                      std::string{"the work tree could not be made ready: "} + error.what());
}

}  // namespace andon::runner
