// Andon's git runs with the rights of the user, and an agent may write the repository of its run. So an agent
// could have git read another repository for it, which it may not read itself. Outside such a repository git
// therefore reads only the objects that Andon lends it; see `GitUse::lender`. In a repository that agents
// share with a person it reads the parts that were there before the first of them.

#include "runner/git/outlying_parts.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "os/digest.hpp"
#include "os/files/file.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestList = 1U << 20U;
constexpr std::size_t kMostParts = 100;
constexpr std::size_t kMostEntries = 1'000'000;  ///< of a directory that is searched for links
constexpr std::array kParts{"objects", "refs", "packed-refs", "config", "info/exclude", "info/attributes"};

fs::path real_path(fs::path const& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\"";
  auto const first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<fs::path> alternates_in(fs::path const& objects) {
  auto const file = objects / "info" / "alternates";
  if (real_path(file) != real_path(objects) / "info" / "alternates")
    return {};  // git may not follow this link
  std::vector<fs::path> out;
  for (auto const& line : os::read_lines(file, kLargestList))
    if (!line.starts_with('#')) out.push_back(real_path(objects / line));
  return out;
}

/// The values of all keys `path`. Among them are the included files; Andon need not know the others apart.
std::vector<fs::path> includes_in(fs::path const& settings) {
  constexpr std::string_view kKey = "path";
  std::vector<fs::path> out;
  for (auto const& line : os::read_lines(settings, kLargestList)) {
    auto const text = trimmed(line);
    auto const equals = text.find('=');
    if (equals == std::string_view::npos || trimmed(text.substr(0, equals)) != kKey) continue;
    auto const value = trimmed(text.substr(equals + 1));
    if (!value.empty() && !value.starts_with('~')) out.push_back(real_path(settings.parent_path() / value));
  }
  return out;
}

bool lies_in(fs::path const& outer, fs::path const& inner) {
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// Collects places, and those to which they lead in turn.
class Parts {
 public:
  explicit Parts(core::WorkPlace const& place) : place_(place) {}

  void follow(fs::path const& from, std::vector<fs::path> (*leads_to)(fs::path const&)) {
    for (auto const& part : leads_to(from))
      if (add(part)) follow(part, leads_to);
  }
  /// Whether the place is a new one outside.
  bool add(fs::path const& part) {
    std::error_code none;
    bool const is_inside = lies_in(place_.directory, part) || lies_in(place_.common_directory, part);
    bool const is_new = std::ranges::find(found_, part.native()) == found_.end();
    if (is_inside || !is_new || found_.size() == kMostParts || !fs::exists(part, none)) return false;
    found_.push_back(part);
    return true;
  }
  std::vector<std::string> take() { return std::move(found_); }

 private:
  core::WorkPlace const& place_;
  std::vector<std::string> found_;
};

fs::path record_of(fs::path const& folder, core::WorkPlace const& place) {
  constexpr std::size_t kNameDigits = 16;
  return folder / "outlying" / os::hex(os::sha256(place.common_directory)).substr(0, kNameDigits);
}

std::optional<std::string> link_below(fs::path const& directory) {
  std::error_code trouble;
  std::size_t seen = 0;
  fs::recursive_directory_iterator entry{directory, fs::directory_options::skip_permission_denied, trouble};
  for (fs::recursive_directory_iterator const end; !trouble && entry != end; entry.increment(trouble)) {
    if (entry->is_symlink(trouble)) return entry->path().native() + " is a link, which git may not follow";
    if (++seen == kMostEntries) return directory.native() + " holds too many files; pack them: git gc";
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> outlying_parts(core::WorkPlace const& place) {
  fs::path const common{place.common_directory};
  Parts parts{place};
  for (auto const* name : kParts) parts.add(real_path(common / name));
  parts.follow(common / "objects", &alternates_in);
  parts.follow(common / "config", &includes_in);
  parts.follow(fs::path{place.git_directory} / "config.worktree", &includes_in);
  return parts.take();
}

void keep_outlying(fs::path const& folder, core::WorkPlace const& place) {
  auto const file = record_of(folder, place);
  if (folder.empty() || fs::exists(file)) return;
  std::string text;
  for (auto const& part : outlying_parts(place)) text += part + "\n";
  os::make_private_directory(file.parent_path());
  os::write_file(file, text);
}

std::optional<std::vector<std::string>> kept_outlying(fs::path const& folder, core::WorkPlace const& place) {
  auto const file = record_of(folder, place);
  if (folder.empty() || !fs::exists(file)) return std::nullopt;
  return os::read_lines(file, kLargestList);
}

std::optional<std::string> why_unreadable(core::WorkPlace const& place, GitUse const& use,
                                          std::vector<std::string> const& parts) {
  if (use.lender.empty() && use.records.empty()) return std::nullopt;
  for (auto const& directory : {place.common_directory, place.git_directory})
    if (auto link = link_below(fs::path{directory} / "refs")) return link;
  if (parts.empty()) return std::nullopt;
  auto const known =
      use.lender.empty() ? kept_outlying(use.records, place) : std::vector{real_path(use.lender).native()};
  if (!known) return std::nullopt;
  auto const strange = std::ranges::find_if(
      parts, [&](std::string const& part) { return std::ranges::find(*known, part) == known->end(); });
  if (strange == parts.end()) return std::nullopt;
  auto const said = place.common_directory + " leads git to " + *strange;
  if (!use.lender.empty()) return said + ", which is not a part of it; undo that";
  return said + ", which was not so when Andon first used it; undo that, or if it is meant, delete " +
         record_of(use.records, place).native();
}

std::optional<std::string> link_among_objects(core::WorkPlace const& place) {
  return link_below(fs::path{place.common_directory} / "objects");
}

}  // namespace andon::runner
