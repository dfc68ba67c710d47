#include "runner/git/filter_keys.hpp"

#include <algorithm>

#include "os/files/file.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestKey = 1U << 20U;
constexpr char kKeys[] = "git-crypt/keys";
constexpr int kForOwner = 0600;

/// `git-crypt`, or `git-crypt-NAME` with a key of that name.
bool has_keys(std::string_view filter) { return filter.starts_with("git-crypt"); }

}  // namespace

void give_filter_keys(HeldFilters const& filters, fs::path const& from, fs::path const& to) {
  if (std::ranges::none_of(filters.names, has_keys)) return;
  std::error_code none;
  for (fs::directory_iterator entry{from / kKeys, none}, end; !none && entry != end; entry.increment(none)) {
    if (!entry->is_regular_file(none) || entry->is_symlink(none)) continue;
    auto const key = os::read_file_if_there(entry->path(), kLargestKey);
    auto const there = to / kKeys / entry->path().filename();
    if (!key || key == os::read_file_if_there(there, kLargestKey)) continue;
    os::make_private_directory(there.parent_path());
    os::write_passing_file(there, *key, kForOwner);
  }
}

}  // namespace andon::runner
