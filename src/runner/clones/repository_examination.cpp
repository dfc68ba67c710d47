#include "runner/clones/repository_examination.hpp"

#include <filesystem>

#include "core/model/clone_url.hpp"
#include "core/runs/work_branch.hpp"
#include "os/files/scratch_directory.hpp"
#include "os/system_error.hpp"
#include "runner/clones/clone_origin.hpp"
#include "runner/clones/remote_git.hpp"
#include "runner/clones/repository_traits.hpp"
#include "runner/git/work_place.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;
using service::ExaminedRepository;
using service::ExamineRepositoryRequest;
using enum service::RepositoryFindingKind;

void add(RepositoryFindings const& found, ExaminedRepository& out) {
  out.findings.insert(out.findings.end(), found.begin(), found.end());
}

void refuse(ExaminedRepository& out, std::string what, std::string effect, std::string remedy,
            std::string field = "repo") {
  out.findings.push_back({refused, std::move(what), std::move(effect), std::move(remedy), std::move(field)});
}

ExaminedRepository examine_remote(ExamineRepositoryRequest const& request, os::DataDirectory const& data,
                                  GitUse const& use) {
  ExaminedRepository out{request.repo, request.folder, request.branch, {}};
  os::ScratchDirectory const scratch{fs::absolute(data.root)};
  RemoteGit const remote{request.repo, ClonePlace{scratch.path()}, data.root, use};
  auto const made = remote.init();
  auto const branch = made.good ? remote.default_branch() : std::unexpected(made.complaint);
  if (!branch) {
    out.findings.push_back({note, "the remote does not answer as it must: " + cause_in(branch.error()),
                            "the tasks of the board are blocked with this reason until it does"});
    return out;
  }
  if (out.branch.empty()) out.branch = *branch;
  out.findings.push_back({fact, "the remote's default branch is " + *branch,
                          "work begins at " + out.branch +
                              " and is pushed there when it lands; tasks have branches of their own there"});
  if (auto const clone = open_clone(repository_directory(request.repo, data), use))
    add(traits_of_content(*clone), out);
  else
    out.findings.push_back({fact, "Andon has no clone of it yet",
                            "files, attributes and submodules are known after the first run"});
  return out;
}

/// True for a git directory, also that of a bare repository.
bool is_git_directory(fs::path const& directory) {
  std::error_code none;
  return fs::exists(directory / "HEAD", none) && fs::is_directory(directory / "objects", none) &&
         fs::is_directory(directory / "refs", none);
}

/// The place of a repository by path: its top directory, and the folder beneath it.
struct Found {
  fs::path top;
  std::string folder;
};

std::optional<Found> find_top(fs::path const& path, ExaminedRepository& out) {
  std::error_code none;
  auto const place = fs::canonical(path, none);
  if (fs::exists(fs::symlink_status(place / ".git", none))) return Found{place, {}};
  auto const quoted = "file://" + place.native();
  if (is_git_directory(place)) {
    refuse(out, place.native() + " is bare or a directory of git", "work lands in a repository with files",
           "name a work tree of it (git worktree add), or for a bare one its URL " + quoted);
    return std::nullopt;
  }
  auto const top = top_above(place);
  if (top.empty()) {
    refuse(out, place.native() + " is no repository", "work trees need one",
           "make one there: git init, git add, git commit");
    return std::nullopt;
  }
  return Found{top, place.lexically_relative(top).native()};
}

/// True if a path leads to a folder and no part of it is a link.
bool is_plain_folder(fs::path const& top, fs::path const& folder) {
  auto at = top;
  std::error_code none;
  for (auto const& part : folder) {
    at /= part;
    if (fs::symlink_status(at, none).type() != fs::file_type::directory) return false;
  }
  return true;
}

/// The folder as it is in the commit at which work begins.
void examine_folder(Repository const& repository, ExaminedRepository& out) {
  if (out.folder.empty()) return;
  auto const listed =
      repository.git.run({"ls-tree", "-d", "-z", repository.tip, "--", ":(literal)" + out.folder});
  if (listed.good && listed.out.contains(" tree ")) {
    out.findings.push_back({note, "agents work in the folder " + out.folder + " of " + out.repo,
                            "set-up, checks and previews run there, and \"touches\" are beneath it; commits "
                            "and landings are of the whole repository"});
    return;
  }
  refuse(out, "the folder " + out.folder + " is not in " + repository.default_branch,
         "agents would have no place to start in",
         is_plain_folder(repository.git.place().directory, out.folder)
             ? "commit it to " + repository.default_branch + " first"
             : "name a folder that is there",
         "folder");
}

void examine_opened(ExamineRepositoryRequest const& request, Repository const& repository,
                    ExaminedRepository& out) {
  auto const prefix = request.branch_prefix.empty() ? std::string{core::kUsualPrefix} : request.branch_prefix;
  if (auto const why = why_no_branches(repository.git, "refs/heads/", prefix); !why.empty()) {
    refuse(out, "the prefix " + prefix + " of branches cannot be used", "the repository " + why, {},
           "branch_prefix");
    return;
  }
  out.branch = repository.default_branch;
  examine_folder(repository, out);
  add(traits_of_place(repository), out);
  add(traits_of_content(repository), out);
}

ExaminedRepository examine_path(ExamineRepositoryRequest const& request, GitUse const& use) {
  ExaminedRepository out{request.repo, request.folder, request.branch, {}};
  std::error_code none;
  if (!fs::is_directory(request.repo, none)) {
    out.findings.push_back({note, request.repo + " is not on this machine",
                            "runs here are blocked until it is; a runner on another host has its own"});
    return out;
  }
  auto const found = find_top(request.repo, out);
  if (!found) return out;
  if (!found->folder.empty() && !request.folder.empty() && found->folder != request.folder) {
    refuse(out, request.repo + " is a folder of " + found->top.native(), "\"folder\" is given as well",
           "name the top directory as the repository: " + found->top.native());
    return out;
  }
  if (!found->folder.empty()) {
    out.repo = found->top;
    out.folder = found->folder;
  }
  auto opened = open_repository(found->top, use, request.branch);
  if (!opened) {
    refuse(out, "no board can work in it", opened.error().message, {}, opened.error().field);
    return out;
  }
  examine_opened(request, *opened, out);
  return out;
}

}  // namespace

Result<ExaminedRepository> examine_repository(ExamineRepositoryRequest const& request,
                                              os::DataDirectory const& data, GitUse const& use) try {
  return core::is_clone_url(request.repo) ? examine_remote(request, data, use) : examine_path(request, use);
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kConflict, error.what(), "repo");
} catch (fs::filesystem_error const& error) {
  return core::refuse(core::Code::kConflict, error.what(), "repo");
}

}  // namespace andon::runner
