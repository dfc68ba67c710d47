#include "runner/merging/known_secrets.hpp"

#include <utility>

#include "core/runs/secret_text.hpp"
#include "os/files/file.hpp"
#include "os/processes/process.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/setup/copied_files.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLongestToken = 4096;

void add_variable(std::string_view variable, std::vector<std::string>& out) {
  auto const end = variable.find('=');
  if (end == std::string_view::npos) return;
  auto const value = variable.substr(end + 1);
  if (core::is_secret_value(variable.substr(0, end), value)) out.emplace_back(value);
}

}  // namespace

std::vector<std::string> known_secrets(core::Board const& board, os::DataDirectory const& data) {
  std::vector<std::string> out;
  for (auto const& variable : os::own_environment()) add_variable(variable, out);
  for (auto const& variable : board.env) add_variable(variable, out);
  for (auto const& setting : settings_in(directory_of_copies(board.repo, board.name, data), board.copy))
    if (core::is_secret_value(setting.name, setting.value)) out.push_back(setting.value);
  auto token = os::read_file_if_there(data.token, kLongestToken).value_or("");
  token.erase(token.find_last_not_of("\r\n ") + 1);
  if (!token.empty()) out.push_back(std::move(token));
  return out;
}

}  // namespace andon::runner
