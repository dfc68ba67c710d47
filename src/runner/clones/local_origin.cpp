// A person's repository is read as follows, so that a clone is whole whatever the person does meanwhile:
// first its refs, then the objects, which are shared (see `share_objects`). An object that a ref named is
// there then, unless the person has removed the ref and its objects meanwhile: then both are read again.
// Beside refs and objects a clone takes over how text is stored and compared, and what git ignores.

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <ranges>
#include <string_view>

#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/files/scratch_directory.hpp"
#include "os/system_error.hpp"
#include "runner/clones/clone_origin.hpp"
#include "runner/git/outlying_parts.hpp"
#include "runner/git/settings_file.hpp"
#include "runner/objects/fetched_commit.hpp"
#include "runner/objects/large_files.hpp"
#include "runner/objects/shared_objects.hpp"
#include "runner/worktrees/default_branch.hpp"
#include "runner/worktrees/moved_large_files.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::size_t kLargestFile = 1U << 20U;
constexpr std::size_t kNameDigits = 32;
/// A person may repack the repository, and so replace files that git is reading.
constexpr int kMostAttempts = 3;

/// The settings that say how the files of the repository are stored and compared, and where its submodules
/// come from.
constexpr std::array kTakenOver{"core.filemode",          "core.symlinks",           "core.ignorecase",
                                "core.precomposeunicode", "core.autocrlf",           "core.eol",
                                "core.safecrlf",          "core.whitespace",         "core.longpaths",
                                "i18n.commitencoding",    "extensions.objectformat", "remote.origin.url",
                                "submodule.*.url",        "submodule.*.active"};

/// Whether a key is that of the table, which may have `*` for a name.
bool matches(std::string_view key, std::string_view row) {
  auto const star = row.find('*');
  if (star == std::string_view::npos) return key == row;
  return key.size() > row.size() && key.starts_with(row.substr(0, star)) &&
         key.ends_with(row.substr(star + 1));
}

/// The settings of the clone.
std::string settings_of(Git const& git) {
  std::string out;
  bool has_extension = false;
  for (std::string_view const line : git.list({"config", "--local", "--includes", "-z", "--list"}, '\0')) {
    auto const key = line.substr(0, line.find('\n'));
    auto const is_key = [&](char const* row) { return matches(key, row); };
    if (key.size() == line.size() || std::ranges::none_of(kTakenOver, is_key)) continue;
    out += setting_in_file(key, line.substr(key.size() + 1));
    has_extension = has_extension || key.starts_with("extensions.");
  }
  return "[core]\n\trepositoryformatversion = " + std::string{has_extension ? "1" : "0"} +
         "\n\tbare = false\n\tlogallrefupdates = true\n" + out;
}

/// The branches and tags, which the clone follows.
Result<std::map<std::string, std::string>> refs_of(Git const& git) {
  auto const listed =
      git.run({"for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags"});
  if (!listed.good)
    return core::refuse(
        core::Code::kConflict,
        "the branches of " + git.place().directory + " cannot be read: " + shown_reason(listed.complaint),
        "repo");
  std::map<std::string, std::string> out;
  for (auto const part : std::views::split(listed.out, '\n')) {
    std::string_view const line{part};
    if (auto const blank = line.find(' '); blank != std::string_view::npos)
      out[std::string{line.substr(0, blank)}] = line.substr(blank + 1);
  }
  return out;
}

/// Gives a file of the clone a content, or removes it.
void follow(fs::path const& file, std::optional<std::string> const& content) {
  if (content == os::read_file_if_there(file, kLargestFile)) return;
  if (!content) {
    fs::remove(file);
    return;
  }
  os::make_private_directory(file.parent_path());
  os::write_file(file, *content);
}

/// Packs of landings, which a person's `git gc --prune=now` keeps until a ref reaches their objects. The
/// marks of one clone go at the end, also those that a killed process left.
class KeptPacks {
 public:
  KeptPacks(Git const& git, std::string mark)
      : packs_(fs::path{git.place().common_directory} / "objects/pack"), mark_(std::move(mark)) {}
  KeptPacks(KeptPacks const&) = delete;
  KeptPacks& operator=(KeptPacks const&) = delete;
  ~KeptPacks() {
    std::error_code ignored;
    for (fs::directory_iterator entry{packs_, ignored}, end; !ignored && entry != end;
         entry.increment(ignored))
      if (entry->path().extension() == ".keep" && is_own(entry->path())) fs::remove(entry->path(), ignored);
  }

 private:
  bool is_own(fs::path const& file) const {
    try {
      return os::read_file_if_there(file, kLargestFile) == mark_ + "\n";
    } catch (os::SystemError const&) {
      return false;  // it is a person's, or the next landing removes it
    }
  }

  fs::path packs_;
  std::string mark_;
};

class LocalOrigin : public CloneOrigin {
 public:
  LocalOrigin(fs::path path, ClonePlace place, GitUse use, std::string branch)
      : path_(std::move(path)),
        place_(std::move(place)),
        filters_(std::exchange(use.filters, {})),
        use_(std::move(use)),
        branch_(std::move(branch)) {}

  Result<void> init() const override {
    ANDON_TRY(auto const repository, open_repository(path_, use_, branch_));
    os::make_private_directory(place_.git() / "refs");
    os::make_private_directory(place_.objects());
    os::write_file(place_.git() / "HEAD", "ref: refs/heads/main\n");
    os::write_file(place_.git() / "config", settings_of(repository.git));
    return {};
  }

  Result<OriginRefs> fetch() const override {
    ANDON_TRY(auto const repository, open_repository(path_, use_, branch_));
    auto const& git = repository.git;
    keep_outlying(use_.records, git.place());
    // An agent may add an alternate after git has looked at them. So only the recorded ones are followed.
    auto const elsewhere = kept_outlying(use_.records, git.place()).value_or(std::vector<std::string>{});
    ANDON_TRY(auto refs, refs_of(git));
    ANDON_CHECK(check_whole(repository));
    OriginRefs out{own_branch_of(git), std::move(refs)};
    out.refs["refs/heads/" + repository.default_branch] = repository.tip;
    if (!out.refs.contains("refs/heads/" + out.default_branch))
      out.default_branch = repository.default_branch;
    fs::path const common{git.place().common_directory};
    share_objects(common / "objects", place_.objects(), elsewhere);
    for (auto const* file : {"shallow", "info/attributes"})
      follow(place_.git() / file, os::read_file_if_there(common / file, kLargestFile));
    out.ignores = os::read_file_if_there(common / "info/exclude", kLargestFile).value_or("");
    follow(place_.git() / "config", settings_of(git));
    return out;
  }

  std::optional<std::string> publish(std::string const&, std::string const&) const override {
    return std::nullopt;
  }
  void unpublish(std::string const&, core::TaskId, std::string const&) const override {}

  std::optional<std::string> offer(std::string const& branch, std::string const& head) const override {
    auto const repository = open_repository(path_, use_, branch_);
    if (!repository) return repository.error().message;
    auto const& git = repository->git;
    auto const ref = "refs/heads/" + branch;
    auto const now = git.text({"rev-parse", "--verify", "--quiet", ref});
    if (now == head) return std::nullopt;
    auto const stays = [&](std::string const& why) {
      return "the branch " + branch + " of " + path_.native() + " stays where it is: " + why;
    };
    auto const checkout = checkout_of(git, branch);
    if (!checkout) return stays(checkout.error());
    if (!checkout->empty()) return stays("it is checked out in " + checkout->native());
    if (auto const reason = hidden_part(head, repository->tip)) return stays(*reason);
    KeptPacks const kept{git, name()};
    if (auto const reason = bring(head, repository->tip, git)) return stays(*reason);
    if (now && !contains(git, head, *now)) return stays("it has commits that the work does not have");
    auto const set = git.run({"update-ref", ref, head, now.value_or(std::string(head.size(), '0'))});
    return set.good ? std::nullopt : std::optional{stays(shown_reason(set.complaint))};
  }

  std::optional<std::string> obstacle() const override {
    auto const repository = open_repository(path_, use_, branch_);
    return repository ? runner::obstacle(*repository, filters_) : std::optional{repository.error().message};
  }

  std::optional<std::string> land(std::string const& branch, std::string const& commit,
                                  std::string const& onto) const override {
    auto const repository = open_repository(path_, use_, branch_);
    if (!repository) return repository.error().message;
    if (repository->default_branch != branch || repository->tip != onto)
      return "the branch " + branch + " of " + path_.native() + " was moved meanwhile";
    KeptPacks const kept{repository->git, name()};
    if (auto reason = bring(commit, onto, repository->git)) return reason;
    return advance(*repository, commit, filters_);
  }

  bool complete_landing(std::string const& commit) const override {
    auto const repository = open_repository(path_, use_, branch_);
    if (!repository || !has_commit(repository->git, commit)) return false;
    KeptPacks const kept{repository->git, name()};
    return complete_advance(*repository, commit, filters_);
  }

 private:
  /// Why work must not leave the clone: its commits have what a filter hides. A person may push a branch.
  std::optional<std::string> hidden_part(std::string const& commit, std::string const& onto) const {
    auto const own = open_git(place_.repo(), use_);
    if (!own) return own.error();
    auto const files = unfiltered_files(own->as_own(), place_.folder, onto, commit, filters_);
    if (files.empty()) return std::nullopt;
    return "its commits have " + shown_names(files) + ", which the filter did not see";
  }

  /// Brings the objects of the joined work to the repository.
  std::optional<std::string> bring(std::string const& commit, std::string const& onto, Git const& to) const {
    if (contains(to, onto, commit)) return std::nullopt;
    auto const own = open_git(place_.repo(), use_);
    if (!own) return own.error();
    auto const clone = own->as_own();
    if (auto reason = bring_large(commit, onto, clone, to)) return reason;
    CommitFetch const fetch{
        .from = clone, .to = to, .commit = commit, .known = {onto}, .incoming = incoming(to), .keep = name()};
    std::string trouble;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt)
      if (trouble = fetch_commit(fetch); trouble.empty()) break;
    return trouble.empty() ? std::nullopt : std::optional{std::move(trouble)};
  }

  /// Brings the large files of the joined work, each with the digest of its pointer.
  std::optional<std::string> bring_large(std::string const& commit, std::string const& onto, Git const& clone,
                                         Git const& to) const {
    if (!filters_.contains(kLargeFileFilter)) return std::nullopt;
    auto const files = files_of_commits(clone, onto, commit);
    std::vector<std::string> paths;
    for (auto const& file : files) paths.push_back(file.path);
    os::ScratchDirectory const scratch{place_.folder};
    auto const absent = bring_large_files({.clone = clone,
                                           .scratch = scratch.path(),
                                           .from = clone.place().common_directory,
                                           .to = to.place().common_directory},
                                          files, filters_in_commit(clone, scratch.path(), commit, paths));
    if (absent.empty()) return std::nullopt;
    return "the LFS objects of " + shown_names({absent.begin(), absent.end()}) + " are not in Andon's clone";
  }

  /// The folder for objects of a landing before they are accepted. A person's `git gc --prune=now` removes
  /// folders with a name of git's own, `tmp_objdir-…`, also while they are used. The next landing removes
  /// what a killed process leaves. Servers with other data directories may land in the repository meanwhile,
  /// each in a folder of its own.
  fs::path incoming(Git const& to) const {
    return fs::path{to.place().common_directory} / "objects" / name();
  }

  /// The name of this clone among those of other data directories.
  std::string name() const {
    return "andon-" + os::hex(os::sha256(place_.folder.native())).substr(0, kNameDigits);
  }

  fs::path path_;
  ClonePlace place_;
  HeldFilters filters_;  ///< with which files of the repository are read and written
  GitUse use_;
  std::string branch_;  ///< of the board; empty for the repository's own
};

}  // namespace

bool is_partial(Git const& git) {
  return git.succeeds(
      {"config", "--local", "--get-regexp", R"(^(extensions\.partialclone|remote\..*\.promisor)$)"});
}

Result<void> check_whole(Repository const& repository) {
  auto const& git = repository.git;
  if (!is_partial(git)) return {};
  auto const found = git.run({"rev-list", "--objects", "--no-walk", "--missing=print", repository.tip});
  bool const is_whole = found.good && !found.out.starts_with('?') && !found.out.contains("\n?");
  if (is_whole) return {};
  return core::refuse(core::Code::kConflict,
                      "the repository " + git.place().directory +
                          " is a partial clone, in which objects of " + repository.default_branch +
                          " are missing; get them, in it: git fetch --refetch --no-filter",
                      "repo");
}

std::unique_ptr<CloneOrigin> local_origin(fs::path path, ClonePlace place, GitUse use, std::string branch) {
  return std::make_unique<LocalOrigin>(std::move(path), std::move(place), std::move(use), std::move(branch));
}

}  // namespace andon::runner
