#include "runner/worktrees/changed_files.hpp"

#include <charconv>

#include "runner/output/plain_text.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {
namespace {

std::int64_t number(std::string_view text) {
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// Parses `ADDED\tREMOVED\tPATH`, with `-` for files without lines. The path of a renamed file is empty.
service::ChangedFile file_of(std::string_view line) {
  service::ChangedFile out;
  auto const first = line.find('\t');
  auto const second = line.find('\t', first + 1);
  if (second == std::string_view::npos) {
    out.path = as_utf8(line);
    return out;
  }
  out.path = as_utf8(line.substr(second + 1));
  out.added = number(line.substr(0, first));
  out.removed = number(line.substr(first + 1, second - first - 1));
  out.binary = line.starts_with('-');
  return out;
}

}  // namespace

std::vector<std::string> diff_arguments(std::vector<std::string> const& how, std::string const& base,
                                        std::string const& head) {
  std::vector<std::string> out{"diff",       "--no-ext-diff",  "--no-textconv",
                               "--no-color", "--find-renames", "--submodule=short"};
  out.insert(out.end(), how.begin(), how.end());
  out.insert(out.end(), {base, head, "--"});
  return out;
}

std::vector<service::ChangedFile> changed_files(Git const& git, std::string const& base,
                                                std::string const& head) {
  std::vector<service::ChangedFile> out;
  auto const parts = git.list(diff_arguments({"--numstat", "-z"}, base, head), '\0');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto file = file_of(parts[i]);
    // The names of a renamed file follow: before and after.
    if (file.path.empty() && i + 2 < parts.size()) {
      file.from = as_utf8(parts[i + 1]);
      file.path = as_utf8(parts[i + 2]);
      i += 2;
    }
    out.push_back(std::move(file));
  }
  return out;
}

std::optional<core::DiffSize> diff_size(Git const& git, std::string const& base, std::string const& head) {
  if (base.empty() || head.empty() || base == head) return std::nullopt;
  core::DiffSize out;
  for (auto const& file : changed_files(git, base, head)) {
    ++out.files;
    out.added += file.added;
    out.removed += file.removed;
  }
  return out;
}

}  // namespace andon::runner
