// The commands are read as words. A word is executed when it begins a command, when it stands behind an
// interpreter, `source` or an option for a file of settings, or when it ends as a script does. Executed files
// that are in the commit are read in the same way, level by level. What a script loads from its own folder is
// a library of the check; what it loads from elsewhere is taken for the product, which the check is about.
#include "runner/merging/check_sources.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "core/runs/executed_paths.hpp"
#include "core/runs/landing_gate.hpp"
#include "core/runs/obeyed_parts.hpp"
#include "core/runs/path_kinds.hpp"
#include "core/runs/path_pattern.hpp"
#include "core/text/ascii.hpp"
#include "runner/merging/changed_entries.hpp"

namespace andon::runner {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kMostSources = 64;   ///< files that are read
constexpr std::size_t kMostNames = 2'000;  ///< of one level
constexpr std::size_t kLongestSource = 256U << 10U;
constexpr int kMostLevels = 4;

constexpr std::array<std::string_view, 22> kBeforeFiles{
    "sh",   "bash",    "dash",     "zsh",    "env",      "python",   "python3", "node",
    "deno", "bun",     "perl",     "ruby",   "php",      "source",   ".",       "exec",
    "tsx",  "ts-node", "--config", "--file", "--rcfile", "--require"};
constexpr std::array<std::string_view, 5> kScriptEndings{".sh", ".bash", ".mk", ".bats", ".zsh"};
constexpr std::array<std::string_view, 7> kPackageTools{"npm", "npx",  "pnpm",    "yarn",
                                                        "bun", "node", "corepack"};

/// The words of a script or a command. Quotes, operators and assignments part words.
Words words_of(std::string_view text) {
  constexpr std::string_view kEnds = " \t\r\n;|&()<>\"'`={},@";
  Words out;
  while (!text.empty()) {
    auto const first = text.find_first_not_of(kEnds);
    if (first == std::string_view::npos) break;
    text.remove_prefix(first);
    auto const word = text.substr(0, text.find_first_of(kEnds));
    text.remove_prefix(word.size());
    if (word.size() < 256) out.emplace_back(word);
  }
  return out;
}

bool is_before_file(std::string_view word) {
  return std::ranges::find(kBeforeFiles, core::name_of_path(word)) != kBeforeFiles.end();
}

bool is_script_name(std::string_view word) {
  return std::ranges::any_of(kScriptEndings, [&](std::string_view end) { return word.ends_with(end); });
}

/// A path of the repository, or nothing for one that leads out of it.
std::string inner_path(std::filesystem::path const& folder, std::string_view word) {
  auto const path = (folder / word).lexically_normal();
  bool const leaves = path.is_absolute() || path.empty() || *path.begin() == ".." || path.native() == ".";
  return leaves ? std::string{} : path.native();
}

class SourceSearch {
 public:
  SourceSearch(Git const& git, std::string const& commit, std::string folder)
      : git_(git), commit_(commit), folder_(std::move(folder)) {}

  void add_command(core::Command const& command) {
    for (auto const& file : core::files_of_check(command)) name(folder_, file);
    std::string text;
    for (auto const& word : command) text += word + ' ';
    read_text(folder_, text);
  }

  CheckSources found() {
    for (int level = 0; level < kMostLevels && !names_.empty() && read_ < kMostSources; ++level) read_level();
    return {{files_.begin(), files_.end()}, {tools_.begin(), tools_.end()}};
  }

 private:
  void name(std::filesystem::path const& folder, std::string_view word) {
    if (auto const path = inner_path(folder, word); !path.empty() && names_.size() < kMostNames)
      names_.insert(path);
  }

  void tool(std::string_view word) {
    auto const program = core::ascii_lower(core::name_of_path(word));
    if (core::is_known_tool(program)) tools_.insert(program);
    bool const is_package_tool = std::ranges::find(kPackageTools, program) != kPackageTools.end();
    if (is_package_tool) name(folder_, "package.json");
    if (program == "make" || program == "gmake") name(folder_, "Makefile"), name(folder_, "GNUmakefile");
    if (program == "just") name(folder_, "justfile");
    if (program == "rake") name(folder_, "Rakefile");
  }

  void read_text(std::filesystem::path const& folder, std::string_view text) {
    std::string_view before, earlier;
    auto const words = words_of(text);
    for (auto const& word : words) {
      tool(word);
      // `make -f FILE`, `eslint -c FILE`; but `test -f FILE` executes nothing.
      bool const is_settings = (before == "-f" || before == "-c") && core::is_known_tool(earlier);
      bool const is_executed =
          is_settings || is_before_file(before) || is_script_name(word) || word.starts_with("./");
      if (is_executed && !word.starts_with('-')) name(folder_, word), name(folder, word);
      earlier = std::exchange(before, word);
    }
  }

  /// Libraries in the folder of a script: `import x` and `from x import` of Python, `./x` of JavaScript.
  void read_imports(std::filesystem::path const& folder, std::string_view text) {
    std::string_view before;
    auto const words = words_of(text);
    for (auto const& word : words) {
      bool const is_imported = before == "import" || before == "from" || before == "require";
      if (is_imported && !word.contains('/')) name(folder, word + ".py");
      if (word.starts_with("./") && !word.substr(2).contains('/'))
        for (auto const* end : {"", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl"}) name(folder, word + end);
      before = word;
    }
  }

  void read_file(std::string const& path, std::string const& object) {
    auto const text = git_.text({"cat-file", "blob", object});
    if (!text || text->size() > kLongestSource) return;
    if (core::name_of_path(path) == "package.json") {
      for (auto const& part : core::obeyed_parts(path, *text, {}))
        if (part.starts_with("scripts.")) read_text(folder_, part);
      return;
    }
    auto const folder = std::filesystem::path{path}.parent_path();
    read_text(folder, *text);
    if (!folder.empty() && folder != std::filesystem::path{folder_}) read_imports(folder, *text);
  }

  void read_level() {
    auto const names = std::exchange(names_, {});
    for (auto const& path : names) files_.insert(path);
    for (auto const& batch : in_batches({names.begin(), names.end()})) {
      Words question{"--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit_, "--"};
      question.insert(question.end(), batch.begin(), batch.end());
      for (auto const& line : git_.list(question, '\0')) read_entry(line);
    }
    for (auto const& path : files_) names_.erase(path);
  }

  /// Reads `100644 blob OBJECT\tPATH`.
  void read_entry(std::string const& line) {
    auto const tab = line.find('\t');
    auto const blob = line.find(" blob ");
    if (tab == std::string::npos || blob == std::string::npos || blob > tab || read_ >= kMostSources) return;
    ++read_;
    read_file(line.substr(tab + 1), line.substr(blob + 6, tab - blob - 6));
  }

  Git const& git_;
  std::string const& commit_;
  std::string folder_;
  std::set<std::string> names_;  ///< of the next level
  std::set<std::string> files_;
  std::set<std::string> tools_;
  std::size_t read_ = 0;
};

}  // namespace

CheckSources check_sources(Git const& git, std::string const& commit, core::Board const& board) {
  SourceSearch search{git, commit, board.folder};
  for (auto const& [name, command] : board.checks) search.add_command(command);
  for (auto const& command : board.setup) search.add_command(command);
  search.add_command(board.test_list);
  auto out = search.found();
  // Only some parts of these are executed; those are compared by themselves.
  std::erase_if(out.files, [](std::string const& file) { return core::has_obeyed_parts(file); });
  return out;
}

}  // namespace andon::runner
