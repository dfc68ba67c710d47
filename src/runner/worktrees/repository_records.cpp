// The files of a repository's folder:
//
//   lock        held while a work tree is made
//   outlying    one path a line: the outlying parts before the first run
//   landed      one commit a line: what Andon has landed
//   run-N.refs  the refs at the start of run N: lines `KEY VALUE`, where a KEY that begins with `refs/` is a
//               ref and its VALUE an object; the other keys are `head`, `tip`, `default`, `branch` and `work`

#include "runner/worktrees/repository_records.hpp"

#include <algorithm>
#include <fcntl.h>

#include "os/data/awaited_lock.hpp"
#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 16;
constexpr std::size_t kLargestRecord = 64U << 20U;
constexpr std::string_view kRefKey = "refs/";

std::string noted_text(NotedRefs const& noted) {
  auto out = "head " + noted.head + "\ntip " + noted.tip + "\ndefault " + noted.default_branch + "\nbranch " +
             noted.branch + "\nwork " + noted.work_branch + "\n";
  for (auto const& [name, object] : noted.refs) out.append(name).append(" ").append(object).append("\n");
  return out;
}

void note(NotedRefs& noted, std::string const& key, std::string value) {
  if (key == "head") noted.head = std::move(value);
  if (key == "tip") noted.tip = std::move(value);
  if (key == "default") noted.default_branch = std::move(value);
  if (key == "branch") noted.branch = std::move(value);
  if (key == "work") noted.work_branch = std::move(value);
  if (key.starts_with(kRefKey)) noted.refs[key] = std::move(value);
}

}  // namespace

RepositoryRecords::RepositoryRecords(fs::path const& folder, core::WorkPlace const& place)
    : folder_(folder / os::hex(os::sha256(place.common_directory)).substr(0, kNameDigits)) {
  os::make_private_directory(folder_);
}

std::expected<os::FileLock, std::string> RepositoryRecords::take_turn(core::Duration patience) const {
  auto const file = lock_file();
  if (auto turn = os::AwaitedLock{file}.take(patience)) return *std::move(turn);
  return std::unexpected("another work tree of that repository has been in the making for too long, by " +
                         os::lock_holder_in_words(file));
}

void RepositoryRecords::keep_outlying(std::vector<std::string> const& parts) const {
  if (fs::exists(outlying_file())) return;
  std::string text;
  for (auto const& part : parts) text += part + "\n";
  os::write_file(outlying_file(), text);
}

std::optional<std::vector<std::string>> RepositoryRecords::outlying() const {
  if (!fs::exists(outlying_file())) return std::nullopt;
  return os::read_lines(outlying_file(), kLargestRecord);
}

void RepositoryRecords::note_landing(std::string const& commit) const {
  auto const path = folder_ / "landed";
  os::Descriptor const file{::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
  if (!file) os::fail("open", path.native());
  os::write_all(file, commit + "\n", path.native());
}

bool RepositoryRecords::has_landed(std::string const& commit) const {
  auto const lines = os::read_lines(folder_ / "landed", kLargestRecord);
  return std::ranges::find(lines, commit) != lines.end();
}

fs::path RepositoryRecords::refs_file(core::RunId run) const {
  return folder_ / ("run-" + std::to_string(run) + ".refs");
}

void RepositoryRecords::keep_refs(core::RunId run, NotedRefs const& refs) const {
  os::write_file(refs_file(run), noted_text(refs));
}

NotedRefs RepositoryRecords::refs_of(core::RunId run) const {
  NotedRefs out;
  for (auto const& line : os::read_lines(refs_file(run), kLargestRecord)) {
    auto const end = std::min(line.find(' '), line.size());
    note(out, line.substr(0, end), end < line.size() ? line.substr(end + 1) : std::string{});
  }
  return out;
}

void RepositoryRecords::forget_refs(core::RunId run) const {
  std::error_code ignored;
  fs::remove(refs_file(run), ignored);
}

}  // namespace andon::runner
