// Random repositories in which agents do random deeds and say that they are done. The test walks the files of
// each work tree and compares them with a fresh checkout of the commit. Each path that differs must be
// ignored by rules that the commit or the person has, or be named as left out. `ANDON_HISTORIES=1000` is the
// whole proof; `ANDON_SEED` is the first seed.
#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sys/stat.h>

#include "core/text/visible_text.hpp"
#include "os/files/file.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;

namespace fs = std::filesystem;

namespace {

constexpr int kUsualLedgerHistories = 60;
constexpr int kRepositoryFor = 12;  ///< histories
constexpr int kMostDeeds = 9;
constexpr int kAttempts = 2;

int number_in(char const* variable, int usual) {
  auto const* given = std::getenv(variable);
  return given ? std::atoi(given) : usual;
}

/// What a path of a tree is: its type, its mode and its content.
using TreeFiles = std::map<std::string, std::string>;

std::string content_at(fs::path const& path, struct stat const& about) {
  if (S_ISLNK(about.st_mode)) return "link " + fs::read_symlink(path).native();
  return std::string{(about.st_mode & 0100U) != 0 ? "program " : "file "} +
         os::read_file(path, std::size_t{1} << 24U);
}

void walk(fs::path const& directory, std::string const& prefix, TreeFiles& out) {
  for (auto const& entry : fs::directory_iterator{directory}) {
    auto const name = entry.path().filename().native();
    if (name == ".git") continue;
    struct stat about{};
    REQUIRE(::lstat(entry.path().c_str(), &about) == 0);
    if (S_ISDIR(about.st_mode))
      walk(entry.path(), prefix + name + "/", out);
    else if (S_ISREG(about.st_mode) || S_ISLNK(about.st_mode))
      out[prefix + name] = content_at(entry.path(), about);
  }
}

std::string without_returns(std::string text) {
  std::erase(text, '\r');
  return text;
}

constexpr std::array kNames{
    "plain",     "a b",   "-dash",  "new\nline", "quo\"te",  "tick's",  "back\\slash", "\xff\xfe",
    "\xc3\xbc",  "*",     "[x]",    ":colon",    "#hash",    "!bang",   " lead",       "trail ",
    "tab\there", "GIT~1", "a.txt",  "b.txt",     "x.log",    "x.tmp",   "x.priv",      "x.crlf",
    "x.raw",     "x.enc", "x.auto", "core",      "Makefile", ".hidden", ".gitmodules", "keep.log"};
constexpr std::array kFolders{"",       "",        "",     "d/",  "d/e/",  "sp ace/",
                              "build/", "secret/", "new/", "-o/", "q\"\n/"};

/// An agent that does random deeds in its work tree.
class RandomAgent {
 public:
  RandomAgent(fs::path tree, unsigned seed) : tree_(std::move(tree)), random_(seed) {}

  void act() {
    for (int i = 1 + below(kMostDeeds); i > 0; --i) below(3) == 0 ? use_git() : change_files();
  }
  std::string const& deeds() const { return deeds_; }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  auto const& one(auto const& of) { return of[static_cast<std::size_t>(below(static_cast<int>(of.size())))]; }
  std::string some_name() { return std::string{one(kFolders)} + one(kNames); }
  std::string some_text() {
    switch (below(7)) {
      case 0: return "";
      case 1: return "a\r\nb\r\n" + std::to_string(below(99)) + "\r\n";
      case 2: return std::string{"\0\1\2", 3} + std::to_string(below(99));
      case 3: return "mixed\r\nends\n" + std::to_string(below(99));
      case 4: return "odd";
      default: return "text " + std::to_string(below(1'000'000)) + "\n";
    }
  }
  /// A file that is there; any name when there is none.
  std::string some_file() {
    TreeFiles files;
    walk(tree_, "", files);
    if (files.empty()) return some_name();
    return std::next(files.begin(), below(static_cast<int>(files.size())))->first;
  }
  void note(std::string const& deed) { deeds_ += core::visible_text(as_utf8(deed)) + "; "; }

  void make_way(fs::path const& path) {
    std::error_code ignored;
    for (auto parent = path.parent_path(); parent.native().size() > tree_.native().size();
         parent = parent.parent_path())
      if (auto const about = fs::symlink_status(parent, ignored);
          fs::exists(about) && !fs::is_directory(about))
        fs::remove_all(parent, ignored);
    fs::remove_all(path, ignored);
    fs::create_directories(path.parent_path());
  }
  void write(std::string const& name, std::string const& text) {
    make_way(tree_ / name);
    std::ofstream{tree_ / name, std::ios::binary} << text;
  }
  void append(std::string const& name, std::string const& text) {
    std::ofstream{tree_ / name, std::ios::app | std::ios::binary} << text;
  }

  void change_files() {
    auto const what = below(16);
    auto const name = what < 5 ? some_name() : some_file();
    note("files " + std::to_string(what) + " " + name);
    auto const path = tree_ / name;
    std::error_code ignored;
    switch (what) {
      case 5:
      case 6: fs::remove(path, ignored); return;
      case 7: return change_unseen(path);
      case 8:
        if (fs::is_regular_file(fs::symlink_status(path, ignored)))
          fs::permissions(path, fs::perms::owner_exec | fs::perms::owner_read | fs::perms::owner_write,
                          ignored);
        return;
      case 9: make_way(path); return fs::create_symlink(below(2) == 0 ? "nowhere" : "../d", path, ignored);
      case 10: return write(name + "/" + one(kNames), some_text());
      case 11:
        return write(path.lexically_relative(tree_).parent_path().native().empty()
                         ? some_name()
                         : path.lexically_relative(tree_).parent_path().native(),
                     some_text());
      case 12:
        return append(".gitignore", one(std::array{"*.raw\n", "/new\n", "!keep.log\n", "d/\n", "*\n"}));
      case 13:
        return append(
            ".gitattributes",
            one(std::array{"*.txt eol=crlf\n", "* -text\n", "plain filter=other\n", "*.crlf !eol !text\n",
                           "*.auto binary\n", "secret/** !filter\n", "* text=auto\n"}));
      case 14:
        make_way(tree_ / "cache/x");
        write("cache/.gitignore", "*\n");
        return write("cache/result", some_text());
      case 15:
        return write(std::string{one(kFolders)} + ".gitignore", one(std::array{"*.tmp\n", "plain\n", ""}));
      default: return write(name, some_text());
    }
  }

  /// Changes bytes, not the size or the time of the last change.
  void change_unseen(fs::path const& path) {
    struct stat about{};
    if (::lstat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) return;
    auto text = os::read_file(path, std::size_t{1} << 24U);
    text[0] = text[0] == 'X' ? 'Y' : 'X';
    std::ofstream{path, std::ios::binary} << text;
    std::array const times{about.st_atim, about.st_mtim};
    ::utimensat(AT_FDCWD, path.c_str(), times.data(), 0);
  }

  void use_git() {
    static constexpr std::array kDeeds{
        "git add -A; git commit -qm step",
        "git commit -qam step",
        "git commit -q --amend -m amended",
        "git reset -q --soft HEAD~",
        "git stash -q",
        "git stash -qu; git stash pop -q",
        "touch .git/index.lock",
        "git checkout -q --detach",
        "git checkout -q --detach; echo x >detached; git add detached; git commit -qm detached",
        "git checkout -q -b side; echo s >side; git add side; git commit -qm side; git checkout -q -",
        "git branch -f other; git checkout -q other; echo o >a.txt; git commit -qam o; git checkout -q -",
        "git add -A; git commit -qm a; git checkout -qb x$$; echo 1 >a.txt; git commit -qam b; git checkout "
        "-q -; "
        "echo 2 >a.txt; git commit -qam c; git merge -q x$$",
        "git add -A; git commit -qm a; git checkout -qb x$$; echo 1 >a.txt; git commit -qam b; git checkout "
        "-q -; "
        "echo 2 >a.txt; git commit -qam c; git rebase -q x$$",
        "git add -A; git commit -qm a; echo 2 >a.txt; git commit -qam c; GIT_SEQUENCE_EDITOR='sed -i "
        "1s/pick/edit/' "
        "git rebase -q -i HEAD~",
        "git init -q nest; echo n >nest/n",
        "git init -q nest2; cd nest2; echo n >n; git add n; git commit -qm n",
        "mkdir -p d; git init -q d",
        "for f in a.txt d/plain; do git update-index --assume-unchanged $f; echo hidden >>$f; done",
        "for f in b.txt d/plain; do git update-index --skip-worktree $f; echo hidden >>$f; done",
        "git update-index --skip-worktree a.txt; rm a.txt",
        "git update-index --add --cacheinfo 100644,$(git hash-object -w a.txt),phantom",
        "git rm -q -r --cached .",
        "git add -A",
        "git add -f -A; git commit -qm forced",
        "cp .git/index .git/index.old; echo f >forged; git add forged; cp .git/index.old .git/index",
        "echo '*' >.git/info/exclude; echo e >excluded",
        "echo '* -text filter=none' >.git/info/attributes",
        "git config core.fileMode false; chmod +x b.txt",
        "git config core.ignoreStat true; echo i >>a.txt; git config core.trustctime false",
        "git config core.checkStat minimal; git config core.excludesFile .git/rules; echo '*' >.git/rules",
        "git config core.autocrlf true; git config core.symlinks false",
        "git config core.ignoreCase true; git config core.untrackedCache true; git update-index "
        "--untracked-cache",
        "git config core.sparseCheckout true",
        "git mv a.txt moved; git commit -qm moved",
        "ln -s d link; ln -s /nowhere dangling",
        "rm -rf d; ln -s . d",
        "rm -rf d; echo file >d",
        "mkfifo pipe",
    };
    auto const* deed = one(kDeeds);
    note(std::string{"git: "} + deed);
    at(tree_, std::string{"export GIT_EDITOR=true; set +e; ("} + deed + ") >/dev/null 2>&1; exit 0");
    if (below(12) != 0) return;
    note("sparse");
    at(tree_, "git sparse-checkout set d 2>/dev/null || true");
  }

  fs::path tree_;
  std::mt19937 random_;
  std::string deeds_;
};

constexpr char kBase[] =
    "mkdir -p d/e 'sp ace' secret; printf '*.log\\nbuild/\\n' >.gitignore; echo '*.tmp' >d/.gitignore; "
    "printf '*.crlf text eol=crlf\\n*.raw -text\\n*.enc working-tree-encoding=UTF-16LE\\nsecret/** "
    "filter=seal\\n*.auto text=auto\\n' >.gitattributes; "
    "echo p >d/plain; echo e >d/e/plain; echo s >'sp ace/a b'; echo seal >secret/plain; printf 'a\\nb\\n' "
    ">x.crlf; "
    "printf 'r\\r\\n' >x.raw; echo auto >x.auto; ln -s d to_d; ln -s nowhere dangling; echo run >run; chmod "
    "+x "
    "run; printf x >'quo\"te'; echo '*.priv' >>.git/info/exclude; git add .; git commit -qm base";

/// Histories that share a person's repository.
struct LedgerHistory : test::GitPlace {
  LedgerHistory() { at(repo, kBase); }

  int left_out = 0;
  int clean = 0;
  int other = 0;

  void live(unsigned seed) {
    auto spec = workspace(std::to_string(seed + 1) + "-cart");
    RandomAgent agent{spec.directory, seed};
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      auto const made = prepare(spec);
      if (!made) {
        MESSAGE("no next attempt: ", made.error().message, " after ", agent.deeds());
        break;
      }
      spec.place = *made;
      if (spec.branch.empty()) spec.branch = at(spec.directory, "git symbolic-ref --short HEAD");
      auto const noted = note_run(spec, *made, use_for(spec));
      if (!noted) {
        MESSAGE("no next attempt: ", noted.error().message, " after ", agent.deeds());
        break;
      }
      agent.act();
      INFO(agent.deeds());
      auto const work = record_work(spec, *made, core::RunId{std::int64_t{seed} + 1}, *noted, use_for(spec),
                                    test::finished());
      check(spec, work);
    }
    fs::remove_all(spec.directory);
  }

 private:
  fs::path fresh_checkout(std::string const& head) const {
    auto const out = scratch / "fresh";
    fs::remove_all(out);
    fs::create_directories(out);
    at(clone().repo(), "export GIT_INDEX_FILE=" + (scratch / "fresh-index").native() + "; git read-tree " +
                           head + "; git checkout-index -a -f --prefix=" + out.native() + "/");
    return out;
  }
  /// Those of the paths that rules of the commit or of the person ignore.
  std::set<std::string> ignored_of(fs::path const& fresh, std::vector<std::string> const& paths) const {
    if (paths.empty()) return {};
    std::string text;
    for (auto const& path : paths) text.append(path).push_back('\0');
    os::write_file(scratch / "asked", text);
    at(fresh, "export GIT_DIR=" + (clone().repo() / ".git").native() +
                  " GIT_WORK_TREE=.; git check-ignore --no-index --stdin -z <../asked >../answered || true");
    auto const answer = os::read_file(scratch / "answered", std::size_t{1} << 26U);
    std::set<std::string> out;
    for (std::size_t i = 0; i < answer.size(); i = answer.find('\0', i) + 1)
      out.insert(answer.substr(i, answer.find('\0', i) - i));
    return out;
  }
  static bool is_named(RunWork const& work, std::string const& path) {
    auto const shown = core::visible_text(as_utf8(path));
    return std::ranges::any_of(work.left_out, [&](core::LeftOut const& left) {
      bool const is_above =
          left.path.ends_with('/') ? shown.starts_with(left.path) : shown.starts_with(left.path + "/");
      return left.path == shown || is_above;
    });
  }
  /// Rules that are left out themselves may ignore more, until a person has put them right.
  static void take_left_out_rules(fs::path const& tree, fs::path const& fresh, RunWork const& work) {
    for (auto const& left : work.left_out)
      if (fs::path{left.path}.filename() == ".gitignore") {
        std::error_code ignored;
        fs::create_directories((fresh / left.path).parent_path(), ignored);
        fs::copy(tree / left.path, fresh / left.path, fs::copy_options::overwrite_existing, ignored);
      }
  }
  /// The reason names a repository that the agent committed as a submodule.
  static bool is_in_named_submodule(RunWork const& work, std::string const& path) {
    auto const folder = path.substr(0, path.find('/'));
    return work.trouble.find("the submodule " + folder + " ") != std::string::npos;
  }
  /// A folder of results whose rules ignore the folder and themselves, as many tools make it.
  static bool hides_itself(fs::path const& tree, fs::path const& fresh, std::string const& path) {
    for (auto folder = fs::path{path}.parent_path(); !folder.empty(); folder = folder.parent_path())
      if (fs::exists(fs::symlink_status(tree / folder / ".gitignore")) &&
          !fs::exists(fs::symlink_status(fresh / folder / ".gitignore")))
        return true;
    return false;
  }

  void check(WorkspaceSpec const& spec, RunWork const& work) {
    INFO(work.trouble);
    if (work.left_out.empty() && !work.trouble.empty()) {
      ++other;
      return;
    }
    REQUIRE_FALSE(work.head.empty());
    CHECK(work.left_out.empty() == work.trouble.empty());
    ++(work.left_out.empty() ? clean : left_out);
    auto const fresh = fresh_checkout(work.head);
    TreeFiles committed;
    TreeFiles there;
    walk(fresh, "", committed);
    walk(spec.directory, "", there);
    std::vector<std::string> unexplained;
    for (auto const& [path, content] : there) {
      auto const found = committed.find(path);
      bool const is_equal =
          found != committed.end() && without_returns(found->second) == without_returns(content);
      if (is_equal || is_named(work, path)) continue;
      bool const may_be_ignored = found == committed.end();
      if (may_be_ignored && is_in_named_submodule(work, path)) continue;
      if (may_be_ignored && hides_itself(spec.directory, fresh, path)) continue;
      unexplained.push_back(path);
      if (!may_be_ignored)
        FAIL_CHECK("differs: ", core::visible_text(as_utf8(path)), "\n", content, "\n", found->second);
    }
    take_left_out_rules(spec.directory, fresh, work);
    auto const ignored = ignored_of(fresh, unexplained);
    for (auto const& path : unexplained)
      if (!committed.contains(path) && !ignored.contains(path))
        FAIL_CHECK("not in the commit: ", core::visible_text(as_utf8(path)));
    bool const is_sparse = std::ranges::any_of(work.remarks, [](std::string const& remark) {
      return remark.contains("a sparse checkout left out");
    });
    if (is_sparse) return;
    for (auto const& [path, content] : committed)
      if (!there.contains(path) && !is_named(work, path))
        FAIL_CHECK("not removed: ", core::visible_text(as_utf8(path)));
  }
};

}  // namespace

TEST_CASE("LedgerHistories.NamesEachPathThatIsInNoCommit") {
  auto const count = number_in("ANDON_HISTORIES", kUsualLedgerHistories);
  auto const first = number_in("ANDON_SEED", 1);
  int left_out = 0;
  int clean = 0;
  int other = 0;
  for (int done = 0; done < count; done += kRepositoryFor) {
    LedgerHistory histories;
    for (int i = done; i < std::min(count, done + kRepositoryFor); ++i) {
      auto const seed = static_cast<unsigned>(first + i);
      CAPTURE(seed);
      histories.live(seed);
    }
    CHECK(at(histories.repo, "git status --porcelain; git for-each-ref --format='%(refname)'") ==
          "refs/heads/main");
    left_out += histories.left_out;
    clean += histories.clean;
    other += histories.other;
  }
  MESSAGE("from seed ", first, ": ", clean, " runs with all in the commit, ", left_out,
          " with paths left out, ", other, " with another reason");
  if (count < kUsualLedgerHistories) return;
  CHECK(clean > count / 5);
  CHECK(left_out > count / 5);
}
