#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace andon::core {

/// A program and its arguments; no shell is involved.
using Command = std::vector<std::string>;

/// The commands that a machine defines, by name.
using MachineCommands = std::map<std::string, Command>;

/// Commands of the machine that a board takes, by name.
struct NamedCommands {
  std::optional<std::vector<std::string>> checks;
  std::optional<std::vector<std::string>> sources;
  std::optional<std::vector<std::string>> setup;
  std::optional<std::vector<std::string>> teardown;
  std::optional<std::string> preview;
  std::optional<std::string> test_list;
};
void describe(auto& field, NamedCommands const*) {
  field(&NamedCommands::checks, "checks", "Names of the commands that verify work");
  field(&NamedCommands::sources, "sources", "Names of the commands that automations quote");
  field(&NamedCommands::setup, "setup", "Names of the commands that make a work tree ready, in order");
  field(&NamedCommands::teardown, "teardown", "Names of the commands before a work tree goes, in order");
  field(&NamedCommands::preview, "preview", "Name of the command that serves work in review; empty for none");
  field(&NamedCommands::test_list, "test_list", "Name of the command that lists the tests; empty for none");
}

/// The results of a set-up are kept and copied into the next work tree whose `key` files have the same
/// content.
struct SetupCache {
  std::vector<std::string> key;   ///< files whose content decides, such as lock files
  std::vector<std::string> keep;  ///< directories that the set-up makes, such as `node_modules`
  bool operator==(SetupCache const&) const = default;
};
void describe(auto& field, SetupCache const*) {
  field(&SetupCache::key, "key", "Files whose content decides, such as package-lock.json", required);
  field(&SetupCache::keep, "keep", "Directories that the set-up makes, such as node_modules", required);
}

}  // namespace andon::core
