#include "store/sqlite/database/run_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 64U << 20U;  ///< of a run; its logs are parts of 10 MiB

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Accepts names such as `12/end.json`: below the directory of a run and nowhere else.
bool is_name_of_run_file(fs::path const& name) {
  if (name.is_absolute() || !name.has_parent_path() || !is_number(name.begin()->native())) return false;
  return std::ranges::none_of(name,
                              [](auto const& part) { return part == ".." || part == "." || part.empty(); });
}

/// True for a file that Andon writes for a run and that holds no key. The spec, the settings of the program
/// and everything in directories, where the agent and its program write, may hold keys; a run that is over
/// needs none of them.
bool is_kept(fs::path const& file) {
  static constexpr std::array<std::string_view, 6> kNames{"prompt.md", "role.md",  "stdin.txt",
                                                          "end.json",  "end.seal", "supervisor.log"};
  std::string const name = file.filename();
  bool const is_log = name.starts_with("output.") && name.ends_with(".jsonl");
  return is_log || std::ranges::find(kNames, name) != kNames.end();
}

template <class Visit>
void each_run_file(fs::path const& runs, Visit const& visit) {
  std::error_code gone;
  for (auto const& run : fs::directory_iterator{runs, gone}) {
    if (!run.is_directory(gone) || run.is_symlink(gone) || !is_number(run.path().filename().native()))
      continue;
    for (auto const& file : fs::directory_iterator{run.path(), gone})
      if (!file.is_symlink(gone) && file.is_regular_file(gone) && is_kept(file.path())) visit(file.path());
  }
}

}  // namespace

std::int64_t add_run_files(Connection& db, fs::path const& runs) {
  std::int64_t count = 0;
  each_run_file(runs, [&](fs::path const& file) {
    std::optional<std::string> content;
    try {
      content = os::read_file_if_there(file, kLargestFile);
    } catch (os::SystemError const&) {  // larger than any file that Andon writes for a run, or no longer
                                        // readable
      return;
    }
    if (!content) return;
    auto const name = fs::relative(file, runs).native();
    auto row = db.assembled("INSERT INTO backup_file VALUES ($1, CAST($2 AS BLOB))");
    row.bind(1, name);
    row.bind(2, std::string_view{*content});
    row.step();
    ++count;
  });
  return count;
}

std::int64_t highest_run_directory(fs::path const& runs) {
  std::int64_t out = 0;
  std::error_code gone;
  for (auto const& entry : fs::directory_iterator{runs, gone}) {
    auto const name = entry.path().filename().native();
    std::int64_t number = 0;
    if (is_number(name)) std::from_chars(name.data(), name.data() + name.size(), number);
    out = std::max(out, number);
  }
  return out;
}

std::int64_t extract_run_files(Connection& backup, fs::path const& runs) {
  if (backup.value_of("SELECT count(*) FROM sqlite_schema WHERE name = 'backup_file'") == "0") return 0;
  std::int64_t count = 0;
  std::string standing;  ///< a run whose directory exists, so none of its files is extracted
  std::string begun;     ///< a run whose directory this function created
  for (auto row = backup.assembled("SELECT name, content FROM backup_file ORDER BY name"); row.step();) {
    fs::path const name{row.text(0)};
    if (!is_name_of_run_file(name))
      throw StoreError{StoreError::Kind::damaged, "the backup names a file outside of runs"};
    auto const run = name.begin()->native();
    if (run == standing) continue;
    if (run != begun && fs::exists(runs / run)) {
      standing = run;
      continue;
    }
    begun = run;
    os::make_private_directory((runs / name).parent_path());
    os::write_passing_file(runs / name, row.view(1), 0600);
    ++count;
  }
  return count;
}

}  // namespace andon::store::sqlite
