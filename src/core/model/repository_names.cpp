#include "core/model/repository_names.hpp"

#include <algorithm>
#include <ranges>

#include "core/text/ascii.hpp"
#include "core/text/names.hpp"

namespace andon::core {
namespace {

constexpr std::size_t kLongestBranch = 200;
constexpr std::size_t kLongestPrefix = 60;
constexpr std::size_t kLongestFolder = 500;
constexpr std::size_t kLongestFilter = 64;
constexpr std::size_t kMostFilters = 20;

/// True if `is_fit` accepts each part between slashes, also an empty one.
template <class IsFit>
bool all_parts(std::string_view text, IsFit is_fit) {
  return std::ranges::all_of(std::views::split(text, '/'),
                             [&](auto const& part) { return is_fit(std::string_view{part}); });
}

/// A component of a ref name, see git-check-ref-format(1).
bool is_ref_part(std::string_view part) {
  constexpr std::string_view kForbidden = " ~^:?*[\\";
  return !part.empty() && !part.starts_with('.') && !part.ends_with(".lock") && !part.contains("..") &&
         !part.contains("@{") && part.find_first_of(kForbidden) == std::string_view::npos;
}

bool is_branch_name(std::string_view text, std::size_t longest) {
  return text.size() <= longest && !is_unsafe_line(text) && !text.starts_with('-') &&
         !text.starts_with("refs/") && !text.ends_with('.') && text != "@" && text != "HEAD" &&
         all_parts(text, is_ref_part);
}

bool is_folder_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && !is_ascii_equal(part, ".git");
}

bool is_filter_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestFilter && std::ranges::all_of(text, [](char c) {
    return is_ascii_alphanumeric(c) || c == '_' || c == '.' || c == '-';
  });
}

/// True if one of two names of refs would be a directory of the other one. Git cannot have both.
bool is_below(std::string_view name, std::string_view folder) {
  return name.size() > folder.size() && name.starts_with(folder) && name[folder.size()] == '/';
}

}  // namespace

std::string fault_of_branch(std::string_view branch) {
  if (branch.empty() || is_branch_name(branch, kLongestBranch)) return {};
  return "it must be the name of a branch as git allows it, such as main or release/2.1, without refs/heads/";
}

std::string fault_of_branch_prefix(std::string_view prefix) {
  if (!prefix.empty() && is_branch_name(prefix, kLongestPrefix)) return {};
  return "it must be the beginning of a branch name as git allows it, such as andon or team/andon: at most " +
         std::to_string(kLongestPrefix) + " bytes, without a slash at its end";
}

std::string fault_of_branches(std::string_view branch, std::string_view prefix) {
  if (branch != prefix && !is_below(prefix, branch) && !is_below(branch, prefix)) return {};
  return "tasks cannot have branches " + std::string{prefix} + "/… beside the branch " + std::string{branch} +
         "; give them another prefix, such as --branch-prefix agents";
}

std::string fault_of_folder(std::string_view folder) {
  bool const is_fit =
      folder.size() <= kLongestFolder && !is_unsafe_line(folder) && all_parts(folder, is_folder_part);
  if (folder.empty() || is_fit) return {};
  return "it must be a folder inside the repository, such as packages/app: relative, without \"..\", not "
         "beneath .git, and without a slash at its end";
}

std::string fault_of_filters(std::vector<std::string> const& filters) {
  if (filters.size() > kMostFilters)
    return "it may have at most " + std::to_string(kMostFilters) + " names; name only what Andon must run";
  if (std::ranges::all_of(filters, is_filter_name)) return {};
  return "it must hold names of git filters, such as lfs: letters, digits, \"_\", \".\" and \"-\"";
}

}  // namespace andon::core
