#include "runner/setup/copied_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "os/files/beneath.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

using core::Result;

constexpr std::size_t kLargestFile = 16U << 20U;
/// Larger files are data, not settings: their lines are no secrets.
constexpr std::size_t kLargestSecretFile = 64U << 10U;
constexpr std::size_t kMostValues = 500;
constexpr std::string_view kSpace = " \t\r";

std::unexpected<core::Error> not_copied(std::string const& file, std::string const& why) {
  return core::refuse(core::Code::kConflict, "the file " + file + " of the board's \"copy\" " + why, "copy");
}

std::unexpected<core::Error> not_copied(std::string const& file, os::SystemError const& error) {
  if (error.number() == ELOOP || error.number() == ENOTDIR)
    return not_copied(file, "is reached through a link or through a file; give its own path");
  if (error.number() == EISDIR || error.number() == EINVAL || error.number() == ENXIO)
    return not_copied(file, "is no regular file; name each file");
  if (error.number() == EFBIG)
    return not_copied(file, "is larger than " + std::to_string(kLargestFile >> 20U) + " MiB");
  return not_copied(file, std::string{"cannot be copied: "} + error.what());
}

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string_view without_quotes(std::string_view text) {
  bool const is_quoted =
      text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

std::vector<CopiedSetting> settings_of(std::string_view text) {
  std::vector<CopiedSetting> out;
  if (text.size() > kLargestSecretFile || text.find('\0') != std::string_view::npos) return out;
  while (!text.empty() && out.size() < kMostValues) {
    auto const end = std::min(text.find('\n'), text.size());
    auto const line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    auto const equals = line.find('=');
    bool const is_named = equals != std::string_view::npos;
    auto const value = is_named ? line.substr(equals + 1) : line;
    out.push_back({std::string{is_named ? trimmed(line.substr(0, equals)) : std::string_view{}},
                   std::string{without_quotes(trimmed(value))}});
  }
  return out;
}

}  // namespace

std::vector<std::string> values_in(std::string_view text) {
  std::vector<std::string> out;
  for (auto& setting : settings_of(text)) out.push_back(std::move(setting.value));
  return out;
}

std::vector<CopiedSetting> settings_in(std::string const& repo, std::vector<std::string> const& files) {
  std::vector<CopiedSetting> out;
  for (auto const& file : files) try {
      for (auto& setting : settings_of(os::read_beneath(repo, file, kLargestFile).value_or("")))
        out.push_back(std::move(setting));
    } catch (os::SystemError const&) {  // NOLINT(bugprone-empty-catch): it cannot have been copied either
    }
  return out;
}

std::vector<std::string> secrets_in(std::string const& repo, std::vector<std::string> const& files) {
  std::vector<std::string> out;
  for (auto& setting : settings_in(repo, files)) out.push_back(std::move(setting.value));
  return out;
}

Result<std::vector<std::string>> copy_files(std::string const& repo, bool is_repository, Git const& tree,
                                            std::vector<std::string> const& files) {
  std::vector<std::string> secrets;
  if (files.empty()) return secrets;
  auto const source = is_repository ? open_git(repo, tree.use()) : tree;
  if (!source) return not_copied(files.front(), "cannot be copied: " + source.error());
  for (auto const& file : files) try {
      auto const content = os::read_beneath(repo, file, kLargestFile);
      if (!content)
        return not_copied(file, "is not in " + repo + "; make it there, or take it out of \"copy\"");
      if (!source->succeeds({"check-ignore", "--quiet", "--", file}))
        return not_copied(file,
                          "is not ignored by git, so that work could contain it; add it to .gitignore in " +
                              source->place().directory);
      os::write_beneath(tree.place().directory, file, *content);
      for (auto& value : values_in(*content)) secrets.push_back(std::move(value));
    } catch (os::SystemError const& error) {
      return not_copied(file, error);
    }
  return secrets;
}

}  // namespace andon::runner
