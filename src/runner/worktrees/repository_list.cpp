#include "runner/worktrees/repository_list.hpp"

#include <algorithm>
#include <array>

#include "runner/output/plain_text.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDirectories = 500;
constexpr std::size_t kMostLookedAt = 20'000;

/// Directories beneath the root that belong to the system.
constexpr std::array<std::string_view, 12> kSystemDirectories{"bin",   "boot", "dev", "etc",  "lib", "lib32",
                                                              "lib64", "proc", "run", "sbin", "sys", "usr"};

std::unexpected<core::Error> unfit_path(fs::path const& path, std::string const& why) {
  return core::refuse(core::Code::kInvalidInput, "the directory " + as_utf8(path.native()) + " " + why,
                      "path");
}

bool is_hidden(fs::path const& name) { return name.native().starts_with('.'); }

bool is_of_system(fs::path const& path) {
  auto const relative = path.relative_path();
  return !relative.empty() &&
         std::ranges::find(kSystemDirectories, relative.begin()->native()) != kSystemDirectories.end();
}

bool is_beneath(fs::path const& path, fs::path const& above) {
  auto const [left, right] = std::ranges::mismatch(path, above);
  return right == above.end();
}

/// Why a directory is not shown; empty when it is.
std::string why_closed(fs::path const& path, RepositoryRoots const& roots) {
  if (std::ranges::any_of(path.relative_path(), is_hidden)) return "is hidden";
  if (is_of_system(path)) return "belongs to the system";
  std::error_code trouble;
  auto const data = fs::weakly_canonical(fs::absolute(roots.data), trouble);
  if (!trouble && is_beneath(path, data)) return "belongs to Andon";
  return {};
}

fs::path first_shown(RepositoryRoots const& roots) {
  std::error_code trouble;
  auto const home = fs::canonical(roots.home, trouble);
  return trouble || !why_closed(home, roots).empty() ? fs::path{"/"} : home;
}

bool looks_like_repository(fs::path const& directory) {
  std::error_code trouble;
  return fs::exists(fs::symlink_status(directory / ".git", trouble));
}

void list_entries(fs::path const& directory, RepositoryRoots const& roots, service::Repositories& out) {
  std::error_code trouble;
  std::size_t seen = 0;
  for (fs::directory_iterator at{directory, fs::directory_options::skip_permission_denied, trouble}, end;
       !trouble && at != end; at.increment(trouble)) {
    if (out.items.size() == kMostDirectories || ++seen > kMostLookedAt) {
      out.more = true;
      break;
    }
    std::error_code unreadable;
    if (at->symlink_status(unreadable).type() != fs::file_type::directory) continue;
    auto const name = at->path().filename().native();
    bool const can_be_written = as_utf8(name) == name;
    if (!can_be_written || !why_closed(at->path(), roots).empty()) continue;
    out.items.push_back({name, at->path().native(), looks_like_repository(at->path())});
  }
  std::ranges::sort(out.items, {}, &service::DirectoryEntry::name);
}

}  // namespace

core::Result<service::Repositories> list_repositories(service::RepositoriesRequest const& request,
                                                      RepositoryRoots const& roots, GitUse use) {
  auto const asked = request.path.empty() ? first_shown(roots) : fs::path{request.path};
  if (!asked.is_absolute()) return unfit_path(asked, "must be named by its absolute path");
  std::error_code trouble;
  auto const path = fs::canonical(asked, trouble);
  if (trouble || !fs::is_directory(path, trouble)) return unfit_path(asked, "is not there");
  if (auto const why = why_closed(path, roots); !why.empty()) return unfit_path(asked, why);
  service::Repositories out;
  out.path = path.native();
  if (path.has_relative_path()) out.parent = path.parent_path().native();
  list_entries(path, roots, out);
  if (!looks_like_repository(path)) return out;
  auto const found = open_repository(path, std::move(use));
  out.repository = found.has_value();
  if (found)
    out.default_branch = found->default_branch;
  else
    out.problem = found.error().message;
  return out;
}

}  // namespace andon::runner
