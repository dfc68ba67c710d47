#include "runner/runs/borrowers.hpp"

#include <algorithm>
#include <string>

#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestRecord = 10'000;
constexpr std::size_t kRecordNameDigits = 32;

fs::path records_of(fs::path const& clone) { return clone / "borrowers"; }

fs::path record_of(fs::path const& clone, fs::path const& tree) {
  return records_of(clone) / os::hex(os::sha256(tree.native())).substr(0, kRecordNameDigits);
}

/// An error other than that it is not there counts as there.
bool is_repository(fs::path const& tree) {
  std::error_code trouble;
  return fs::exists(tree / ".git", trouble) || trouble;
}

/// A record that cannot be read counts as one of a tree that is there.
bool is_live(fs::path const& record) try {
  return std::ranges::any_of(os::read_lines(record, kLongestRecord), &is_repository);
} catch (os::SystemError const&) {
  return true;
}

}  // namespace

void note_borrower(fs::path const& clone, fs::path const& tree, fs::path const& unfinished) {
  os::make_private_directory(records_of(clone));
  os::write_file(record_of(clone, tree), tree.native() + "\n" + unfinished.native() + "\n");
}

void forget_borrower(fs::path const& clone, fs::path const& tree) {
  std::error_code ignored;
  fs::remove(record_of(clone, tree), ignored);
}

bool has_borrowers(fs::path const& clone, fs::file_time_type long_ago) {
  bool out = false;
  std::error_code trouble;
  for (fs::directory_iterator entry{records_of(clone), trouble}, end; !trouble && entry != end;
       entry.increment(trouble)) {
    std::error_code ignored;
    if (is_live(entry->path()))
      out = true;
    else if (entry->last_write_time(ignored) < long_ago && !ignored)
      fs::remove(entry->path(), ignored);
  }
  bool const is_unknown = trouble && trouble != std::errc::no_such_file_or_directory;
  return out || is_unknown;
}

}  // namespace andon::runner
