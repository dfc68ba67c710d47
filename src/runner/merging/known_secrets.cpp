#include "runner/merging/known_secrets.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <unordered_map>

#include "core/runs/secret_text.hpp"
#include "os/files/file.hpp"
#include "os/processes/process.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/setup/copied_files.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLongestToken = 4096;
constexpr std::size_t kShortest = sizeof(std::uint64_t);  ///< of a value, and the bytes that find it
constexpr std::size_t kMostNamedCommits = 5;              ///< named

/// Finds any of many values in a text in one pass: by their first eight bytes, then whole.
class ValueFinder {
 public:
  explicit ValueFinder(std::vector<std::string> const& values) {
    for (auto const& value : values)
      if (value.size() >= kShortest) by_beginning_.emplace(beginning_of(value.data()), value);
  }

  bool is_in(std::string_view text) const {
    for (std::size_t at = 0; at + kShortest <= text.size(); ++at) {
      auto const [first, last] = by_beginning_.equal_range(beginning_of(text.data() + at));
      if (std::any_of(first, last,
                      [&](auto const& entry) { return text.substr(at).starts_with(entry.second); }))
        return true;
    }
    return false;
  }

 private:
  static std::uint64_t beginning_of(char const* text) {
    std::uint64_t out = 0;
    std::memcpy(&out, text, sizeof out);
    return out;
  }

  std::unordered_multimap<std::uint64_t, std::string> by_beginning_;
};

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

SecretSearch find_values(Git const& git, LandingCommits const& commits,
                         std::vector<std::string> const& values) {
  SecretSearch out;
  ValueFinder const finder(values);
  // The lines of a message are indented, so that no line of it looks like the name of a commit.
  auto const answer =
      git.run({"log", "--patch", "--text", "--unified=0", "--no-renames", "--no-ext-diff", "--no-textconv",
               "--diff-merges=combined", "--ignore-submodules=all", "--no-color",
               "--format=commit %H%n%w(0,1,1)%B", commits.tip + ".." + commits.joined});
  out.is_cut = !answer.good || answer.cut;
  std::string_view rest = answer.out;
  std::string_view commit;
  while (!rest.empty()) {
    auto const line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with("commit ")) commit = line.substr(std::strlen("commit "));
    bool const is_brought = line.starts_with('+') || line.starts_with(' ');
    if (!is_brought || !finder.is_in(line)) continue;
    bool const is_named = std::ranges::find(out.commits, commit) != out.commits.end();
    if (!is_named && out.commits.size() < kMostNamedCommits) out.commits.emplace_back(commit);
  }
  return out;
}

}  // namespace andon::runner
