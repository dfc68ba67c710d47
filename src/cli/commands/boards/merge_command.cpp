#include <array>
#include <cstdlib>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/views/display_path.hpp"
#include "os/files/file.hpp"
#include "os/files/scratch_directory.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/program.hpp"
#include "os/system_error.hpp"
#include "store/markdown/sync/merge.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
using core::Code;
using core::Result;
using store::markdown::Merged;
using store::markdown::Sides;

constexpr std::size_t kLongestMergedFile = 16U << 20U;
constexpr core::Duration kLimit{60'000};
/// `git merge-file` tells the number of conflicts up to this one; above are its own mistakes.
constexpr int kMostConflicts = 127;

/// The path of a file with that text, for a program that reads it.
std::string written(os::ScratchDirectory const& directory, std::string const& name, std::string const& text) {
  auto const path = directory.path() / name;
  os::write_file(path, text);
  return path.native();
}

class Git {
 public:
  static Result<Git> find(Environment const& env) {
    auto program = os::find_program("git", env.variable("PATH"));
    if (!program) return core::refuse(Code::kInvalidInput, "git is not installed");
    return Git{*std::move(program), env.directory};
  }

  os::Captured run(std::vector<std::string> arguments) const {
    os::Command command{
        .program = program_, .argv = {"git"}, .env = os::own_environment(), .cwd = directory_};
    command.argv.insert(command.argv.end(), std::make_move_iterator(arguments.begin()),
                        std::make_move_iterator(arguments.end()));
    return os::capture(std::move(command), {.time = kLimit, .bytes = 3 * kLongestMergedFile});
  }

  Result<Merged> merge_lines(Sides const& sides) const {
    os::ScratchDirectory const scratch;
    auto done = run({"merge-file", "-p", "-L", "ours", "-L", "base", "-L", "theirs",
                     written(scratch, "ours", sides.ours), written(scratch, "base", sides.base),
                     written(scratch, "theirs", sides.theirs)});
    auto const conflicts = done.status.code.value_or(kMostConflicts + 1);
    if (conflicts > kMostConflicts)
      return core::refuse(Code::kInternalError, "git merge-file failed: " + done.out.substr(done.printed));
    done.out.resize(done.printed);
    return Merged{std::move(done.out), conflicts == 0};
  }

 private:
  Git(fs::path program, fs::path directory)
      : program_(std::move(program)), directory_(std::move(directory)) {}

  fs::path program_;
  fs::path directory_;
};

std::string quoted(std::string const& text) {
  std::string out = "'";
  for (char const c : text) out.append(c == '\'' ? "'\\''" : std::string(1, c));
  return out + "'";
}

/// Adds the lines to a file that it does not have yet.
void add_lines(fs::path const& file, std::span<std::string_view const> lines) {
  auto text = os::read_file_if_there(file, kLongestMergedFile).value_or("");
  for (auto const line : lines) {
    if (("\n" + text + "\n").contains("\n" + std::string{line} + "\n")) continue;
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text.append(line).append("\n");
  }
  os::write_file(file, text, 0644);
}

/// Tells git of the driver: which files it is for stands with the board, how it is called in the settings of
/// this clone.
Result<int> install(Invocation& in) {
  static constexpr std::array<std::string_view, 3> kAttributes{
      "tasks/*.md merge=andon", "config.yml merge=andon", "activity.jsonl merge=union"};
  ANDON_TRY(auto const location, in.location());
  auto const* board = std::get_if<BoardDirectory>(&location);
  if (!board) return core::refuse(Code::kInvalidInput, "only boards of Markdown files are merged by git");
  ANDON_TRY(auto const git, Git::find(in.env()));
  if (git.run({"-C", board->root.native(), "check-ignore", "-q", "config.yml"}).status.code == 0)
    return core::refuse(Code::kInvalidInput,
                        "git ignores this board; take its line out of .gitignore to keep the board in git");
  auto const driver = quoted(os::own_program().native()) + " board merge-driver %O %A %B %P";
  for (auto const& [key, value] : {std::pair{"merge.andon.name", std::string{"boards of Markdown files"}},
                                   std::pair{"merge.andon.driver", driver}}) {
    auto const done = git.run({"-C", board->root.native(), "config", "--local", key, value});
    if (done.status.code != 0) return core::refuse(Code::kInvalidInput, "git config: " + done.out);
  }
  add_lines(board->root / ".gitattributes", kAttributes);
  in.screen().print("git merges the files of this board with: " + driver + "\nCommit " +
                    display_path(in.env().directory, board->root / ".gitattributes") +
                    "; every clone runs this command once.\n");
  return 0;
}

bool is_task(std::string const& text) { return text.starts_with("---\n") || text.starts_with("---\r\n"); }

Result<Merged> merge(Sides const& sides, Git const& git) {
  auto const lines = [&](Sides const& texts) { return git.merge_lines(texts); };
  return is_task(sides.ours) || is_task(sides.theirs) ? store::markdown::merge_task_files(sides, lines)
                                                      : store::markdown::merge_settings(sides, lines);
}

}  // namespace

/// Runs the merge driver. git reads the result from the second file, and the exit code.
Result<int> run_merge_driver(Invocation& in) try {
  auto const& words = in.given().words;
  if (words.size() == 1 && words[0] == "install") return install(in);
  if (words.size() != 3 && words.size() != 4)
    return misuse("accepts 3 or 4 args (BASE OURS THEIRS [PATH]) or \"install\", received " +
                  std::to_string(words.size()));
  auto const file = [&](std::size_t n) {
    return os::read_file(in.env().directory / words[n], kLongestMergedFile);
  };
  Sides const sides{file(0), file(1), file(2)};
  ANDON_TRY(auto const git, Git::find(in.env()));
  auto merged = merge(sides, git);
  auto const name = words.size() == 4 ? words[3] : words[1];
  if (!merged) in.screen().tell(name + ": merged by lines alone: " + merged.error().message);
  if (merged && !merged->is_clean) in.screen().tell(name + ": both sides changed the same lines");
  bool const is_clean = merged && merged->is_clean;
  if (!merged) ANDON_SET(merged, git.merge_lines(sides));
  os::write_file(in.env().directory / words[1], merged->text);
  return is_clean ? 0 : 1;
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInternalError, error.what());
}

}  // namespace andon::cli
