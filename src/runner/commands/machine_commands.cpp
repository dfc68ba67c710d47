#include "runner/commands/machine_commands.hpp"

#include "core/text/names.hpp"
#include "os/files/exposure.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/yaml.hpp"

namespace andon::runner {
namespace {

using core::Code;
using core::Result;
using reflect::YamlNode;

constexpr std::size_t kLargestFile = 256U << 10U;

std::unexpected<core::Error> wrong(std::string const& file, reflect::YamlPlace place,
                                   std::string const& why) {
  return core::refuse(Code::kInvalidInput, file + ":" + std::to_string(place.line) + ":" +
                                               std::to_string(place.column) + ": " + why);
}

Result<core::Command> command_in(std::string const& file, reflect::YamlEntry const& entry) {
  auto const& node = entry.value;
  bool const is_list = node.kind == YamlNode::Kind::list && !node.items.empty();
  if (!is_list)
    return wrong(file, node.place,
                 "\"" + entry.key + "\" must be a list: a program, then its arguments, as [make, test]");
  core::Command out;
  for (auto const& word : node.items) {
    if (word.kind != YamlNode::Kind::scalar)
      return wrong(file, word.place, "a word of \"" + entry.key + "\" must be a text");
    out.push_back(word.text);
  }
  if (out.front().empty()) return wrong(file, node.place, "\"" + entry.key + "\" must begin with a program");
  return out;
}

}  // namespace

Result<core::MachineCommands> read_machine_commands(std::filesystem::path const& file) try {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return core::MachineCommands{};
  if (auto const exposure = os::exposure_of(file)) return core::refuse(Code::kInvalidInput, exposure->text);
  ANDON_TRY(auto const root, reflect::parse_yaml(os::read_file(file, kLargestFile), file.native()));
  if (root.kind != YamlNode::Kind::map)
    return wrong(file.native(), root.place, "the file must be a map from names to commands");
  core::MachineCommands out;
  for (auto const& entry : root.entries) {
    if (!core::is_name(entry.key))
      return wrong(file.native(), entry.place,
                   "the name of a command must be 1 to 64 letters, digits, - _ or .");
    ANDON_SET(out[entry.key], command_in(file.native(), entry));
  }
  return out;
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
}

}  // namespace andon::runner
