// Git compares and adds files as follows:
//
//   1. `read-tree --reset COMMIT` makes the index that of the commit. Entries that stay equal keep what is
//      known of their files, so that git does not read these again.
//   2. `update-index --refresh` notes files whose time changed and whose bytes did not.
//   3. `diff-files` and `ls-files --others` name the files that differ.
//   4. `update-index --add` reads each of them. `git add` would compare each file with each path. When git
//      refuses one, it refuses all; then the halves are tried.
//   5. `write-tree` and `commit-tree` make the commit.

#include "runner/worktrees/work_files.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sys/stat.h>

#include "core/runs/work_branch.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/evidence.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

/// Calls of git to find the files that it refuses among many.
constexpr int kMostAddCalls = 300;
/// The words of git about a name that no commit may have, such as `.git`. It goes on without that file.
constexpr std::string_view kIgnored = "Ignoring path ";
constexpr char kRootRules[] = ".gitignore";

std::optional<mode_t> mode_of(fs::path const& file) {
  struct stat about{};
  return ::lstat(file.c_str(), &about) == 0 ? std::optional{about.st_mode} : std::nullopt;
}

/// The first line of git's words that says why; warnings come before it, and what follows from it after it.
std::string cause_of(GitAnswer const& answer) {
  constexpr std::string_view kMark = "error: ";
  constexpr std::string_view kLastMark = "fatal: ";
  static_assert(kMark.size() == kLastMark.size());
  std::string_view text = answer.complaint;
  auto const at = std::min(text.find(kMark), text.find(kLastMark));
  if (at != std::string_view::npos) text.remove_prefix(at + kMark.size());
  auto const line = text.substr(0, text.find('\n'));
  return line.empty() ? std::string{"it failed"} : shown_reason(std::string{line});
}

std::string nested_reason() {
  return "it is a git repository of its own; remove the .git in it, or list it in .gitignore";
}

/// The directories that git could not list, from lines such as `warning: could not open directory 'd/':
/// REASON`. Other warnings, such as about a `.gitignore` that is a link, concern no path of the work.
void add_unread_directories(std::string_view warnings, std::vector<core::LeftOut>& out) {
  constexpr std::string_view kMark = "could not open directory '";
  for (auto at = warnings.find(kMark); at != std::string_view::npos; at = warnings.find(kMark, at + 1)) {
    auto const text = warnings.substr(at);
    auto const name = text.substr(kMark.size(), text.find("': ") - kMark.size());
    out.push_back(
        {std::string{name}, "git ls-files: " + shown_reason(std::string{text.substr(0, text.find('\n'))})});
  }
}

/// Git looks into no folder of a submodule, so files in one that is not checked out are in no repository.
bool is_filled_without_repository(fs::path const& folder) {
  std::error_code none;
  if (!fs::is_directory(fs::symlink_status(folder, none))) return false;
  return !fs::exists(fs::symlink_status(folder / ".git", none)) && !fs::is_empty(folder, none) && !none;
}

}  // namespace

WorkFiles::WorkFiles(Repository const& clone, Git const& tree, std::string head, HeldFilters const& held)
    : tree_(tree),
      index_(clone, tree.place().directory),
      git_(clone.git.as_own().with_filters(held).over(tree.place(), index_.file())),
      head_(std::move(head)) {
  start();
  mark_sparse();
}

GitAnswer WorkFiles::with_input(Git const& git, std::vector<std::string> const& arguments,
                                std::vector<std::string> const& paths) const {
  auto const input = input_of(scratch() / "paths", paths);
  return git.run(arguments, {{"GIT_LITERAL_PATHSPECS", "1"}}, input.get());
}

void WorkFiles::forget_known(std::vector<std::string> const& gone_attributes) {
  std::error_code ignored;
  fs::remove(index_.file(), ignored);
  start();
  mark_sparse();
  remove(gone_attributes);
}

void WorkFiles::remove(std::vector<std::string> const& paths) {
  if (paths.empty()) return;
  auto const removed = with_input(git_, {"update-index", "-z", "--force-remove", "--stdin"}, paths);
  if (!removed.good) throw GitFailure("git update-index: " + shown_reason(removed.complaint));
}

void WorkFiles::start() {
  std::vector<std::string> const read{"read-tree", "--reset", head_};
  if (auto const known = git_.run(read); known.good) return;
  // An index that cannot be read is no reason to believe nothing.
  std::error_code ignored;
  fs::remove(index_.file(), ignored);
  git_.carry_out(read);
}

/// Files that a sparse checkout left out are not deleted.
void WorkFiles::mark_sparse() {
  absent_ = 0;
  if (tree_.text({"config", "--type=bool", "core.sparseCheckout"}) != "true") return;
  constexpr std::string_view kSkipped = "S ";
  std::vector<std::string> absent;
  for (auto const& line : tree_.list({"ls-files", "-t", "-z"}, '\0')) {
    auto path = line.substr(std::min(kSkipped.size(), line.size()));
    if (line.starts_with(kSkipped) && !mode_of(fs::path{tree_.place().directory} / path))
      absent.push_back(std::move(path));
  }
  // A path that the index of the commit does not have makes git fail.
  auto const listed = git_.list({"ls-files", "-z"}, '\0');
  std::erase_if(absent, [&](std::string const& path) { return !std::ranges::binary_search(listed, path); });
  if (absent.empty()) return;
  if (auto const marked = with_input(git_, {"update-index", "-z", "--skip-worktree", "--stdin"}, absent);
      !marked.good)
    throw GitFailure("git update-index: " + marked.complaint);
  absent_ = absent.size();
}

ChangedPaths WorkFiles::changed() const {
  ChangedPaths out;
  git_.carry_out({"update-index", "-q", "--ignore-submodules", "--refresh"});
  auto const differing =
      git_.list({"diff-files", "-z", "--name-status", "--no-renames", Git::kNotNested}, '\0');
  for (std::size_t i = 0; i + 1 < differing.size(); i += 2) {
    auto const& path = differing[i + 1];
    auto const mode = mode_of(fs::path{tree_.place().directory} / path);
    if (differing[i] == "D" || !mode)
      out.gone.push_back(path);
    else if (S_ISDIR(*mode))
      out.left_out.push_back({path, nested_reason()});
    else
      out.present.push_back(path);
  }
  auto const others = git_.run({"ls-files", "-z", "--others", "--exclude-standard"});
  if (!others.good || others.cut) throw GitFailure("git ls-files: " + shown_reason(others.complaint));
  std::string_view rest = others.out;
  bool has_rules = false;
  for (; !rest.empty(); rest.remove_prefix(std::min(rest.find('\0'), rest.size() - 1) + 1)) {
    std::string path{rest.substr(0, rest.find('\0'))};
    has_rules = has_rules || path == kRootRules;
    if (path.ends_with('/'))
      out.left_out.push_back({path, nested_reason()});
    else
      out.present.push_back(std::move(path));
  }
  add_unread_directories(others.complaint, out.left_out);
  add_filled_folders(out.left_out);
  // Rules that ignore themselves would hide a whole work tree.
  bool const is_new = !has_rules && mode_of(fs::path{tree_.place().directory} / kRootRules) &&
                      git_.list({"ls-files", "-z", "--", kRootRules}, '\0').empty();
  if (is_new) out.present.emplace_back(kRootRules);
  return out;
}

PathFilters WorkFiles::filters_in_tree(std::vector<std::string> const& paths) const {
  return filters_on_disk(git_, scratch(), paths);
}

PathFilters WorkFiles::filters_at(std::string const& commit, std::vector<std::string> const& paths) const {
  return filters_in_commit(git_, scratch(), commit, paths);
}

void WorkFiles::add_filled_folders(std::vector<core::LeftOut>& out) const {
  constexpr std::string_view kSubmodule = "160000 ";
  for (auto const& line : git_.list({"ls-files", "-z", "--stage"}, '\0')) {
    if (!line.starts_with(kSubmodule)) continue;
    auto path = line.substr(std::min(line.find('\t'), line.size() - 1) + 1);
    if (is_filled_without_repository(fs::path{tree_.place().directory} / path))
      out.push_back({std::move(path),
                     "it is the folder of a submodule that is not checked out; move its files elsewhere, or "
                     "check it out (git submodule update --init)"});
  }
}

void WorkFiles::add_batch(std::vector<std::string> const& batch, std::vector<core::LeftOut>& refused,
                          int& calls) {
  if (batch.empty()) return;
  auto const added = with_input(git_, {"update-index", "-z", "--add", "--replace", "--stdin"}, batch);
  ++calls;
  if (added.too_long) throw GitFailure("git update-index: " + added.complaint);
  if (added.good && added.complaint.find(kIgnored) == std::string::npos) return;
  if (batch.size() == 1 || calls >= kMostAddCalls) {
    auto const cause =
        (batch.size() == 1 ? "git add: " : "git refuses it, or one beside it: ") + cause_of(added);
    for (auto const& path : batch) refused.push_back({path, cause});
    return;
  }
  auto const middle = batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
  add_batch({batch.begin(), middle}, refused, calls);
  add_batch({middle, batch.end()}, refused, calls);
}

std::vector<core::LeftOut> WorkFiles::add(std::vector<std::string> const& present,
                                          std::vector<std::string> const& gone) {
  std::vector<core::LeftOut> refused;
  int calls = 0;
  add_batch(present, refused, calls);
  remove(gone);
  if (refused.empty()) return refused;
  // Some of them are in the index all the same, when the calls did not suffice.
  auto const now = changed();
  std::set<std::string> const differing{now.present.begin(), now.present.end()};
  std::erase_if(refused, [&](core::LeftOut const& left) { return !differing.contains(left.path); });
  return refused;
}

std::string WorkFiles::commit(std::string const& author, std::string const& message) {
  auto const tree = git_.text({"write-tree"});
  auto const before = git_.text({"rev-parse", "--verify", "--quiet", head_ + "^{tree}"});
  if (!tree || !before) throw GitFailure("git write-tree: the files could not be stored");
  if (tree == before) return head_;
  auto const made = git_.run({"commit-tree", "-p", head_, "-m", message, *tree},
                             {{"GIT_AUTHOR_NAME", author}, {"GIT_AUTHOR_EMAIL", core::kAgentAddress}});
  auto id = made.out.substr(0, made.out.find('\n'));
  if (!made.good || !is_commit_id(id)) throw GitFailure("git commit-tree: " + shown_reason(made.complaint));
  head_ = id;
  return id;
}

}  // namespace andon::runner
