#include "runner/git/path_filters.hpp"

#include <algorithm>
#include <fcntl.h>

#include "os/files/file.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

/// Calls `take` with each part of a text that ends its parts with a zero byte.
void each_part(std::string_view text, auto const& take) {
  while (!text.empty()) {
    auto const end = std::min(text.find('\0'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

PathFilters ask_git(Git const& git, fs::path const& scratch, std::vector<std::string> const& paths,
                    bool from_index) {
  std::vector<std::string> question{"check-attr", "-z", "--stdin", "filter"};
  if (from_index) question.insert(question.begin() + 1, "--cached");
  auto const input = input_of(scratch / "paths", paths);
  auto const answer = git.run(question, {}, input.get());
  if (!answer.good || answer.cut) throw GitFailure("git check-attr: " + answer.complaint);
  return parse_filters(answer.out);
}

}  // namespace

// Each entry has a path, an attribute and its value.
PathFilters parse_filters(std::string_view text) {
  PathFilters out;
  std::vector<std::string> fields;
  each_part(text, [&](std::string_view part) {
    fields.emplace_back(part);
    if (fields.size() < 3) return;
    bool const is_named = fields[2] != "unspecified" && fields[2] != "unset" && fields[2] != "set";
    if (is_named) out[fields[0]] = fields[2];
    fields.clear();
  });
  return out;
}

os::Descriptor input_of(fs::path const& file, std::vector<std::string> const& paths) {
  std::string text;
  for (auto const& path : paths) text.append(path).push_back('\0');
  os::write_passing_file(file, text);
  os::Descriptor input{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!input) os::fail("open", file.native());
  return input;
}

PathFilters filters_on_disk(Git const& git, fs::path const& scratch, std::vector<std::string> const& paths) {
  return paths.empty() ? PathFilters{} : ask_git(git, scratch, paths, false);
}

PathFilters filters_in_commit(Git const& git, fs::path const& scratch, std::string const& commit,
                              std::vector<std::string> const& paths) {
  if (paths.empty() || commit.empty()) return {};
  auto const other = git.over(git.place(), scratch / "attributes");
  other.carry_out({"read-tree", commit});
  return ask_git(other, scratch, paths, true);
}

}  // namespace andon::runner
