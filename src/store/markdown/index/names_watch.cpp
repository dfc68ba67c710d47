#include "store/markdown/index/names_watch.hpp"

#include <algorithm>

#include "os/system_error.hpp"
#include "store/markdown/index/file_index.hpp"

namespace andon::store::markdown {
namespace {

constexpr os::DirectoryWatch::Key kTasks = 1;

bool is_own(std::vector<NewFile> const& written, std::string const& name) {
  return std::ranges::any_of(written,
                             [&](NewFile const& file) { return name == file.name || name == file.old_name; });
}

}  // namespace

void NamesWatch::begin(Directory const& tasks) {
  watch_.reset();
  if (!tasks.is_on_this_machine()) return;
  try {
    if (!watch_.emplace().add(kTasks, tasks.path())) watch_.reset();
  } catch (os::SystemError const&) {
    watch_.reset();
  }
}

std::optional<Stamp> NamesWatch::settle(Directory const& tasks, std::vector<NewFile> const& written,
                                        core::Instant now) {
  if (!watch_) return std::nullopt;
  auto const known = settled(tasks, written, now);
  if (!known) watch_.reset();
  return known;
}

std::optional<Stamp> NamesWatch::settled(Directory const& tasks, std::vector<NewFile> const& written,
                                         core::Instant now) {
  auto const back = now.time_since_epoch().count() * 1'000'000 - 2 * kTick;
  if (!tasks.set_modified(back)) return std::nullopt;
  auto const known = tasks.look().stamp;
  if (known.modified != back) return std::nullopt;
  for (auto const& [key, touched] : watch_->take())
    if (touched.everything ||
        !std::ranges::all_of(touched.names, [&](auto const& name) { return is_own(written, name); }))
      return std::nullopt;
  bool const is_as_written = std::ranges::all_of(written, [&](NewFile const& file) {
    auto const look = tasks.look(file.name);
    return look && look->stamp == file.written.stamp;
  });
  return is_as_written ? std::optional{known} : std::nullopt;
}

}  // namespace andon::store::markdown
