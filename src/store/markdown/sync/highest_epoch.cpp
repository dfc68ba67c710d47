#include "store/markdown/sync/highest_epoch.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "os/files/file.hpp"
#include "store/markdown/yaml/task_file.hpp"

namespace andon::store::markdown {

core::Epoch highest_epoch(BoardFolder const& folder) {
  auto const text = folder.own().on_its_thread(
      [path = folder.highest_epoch()] { return os::read_file_if_there(path, 64).value_or("0"); });
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return core::Epoch{std::clamp<std::int64_t>(out, 0, kHighestEpoch)};
}

void raise_highest_epoch(BoardFolder const& folder, core::Epoch epoch) {
  if (epoch <= highest_epoch(folder)) return;
  folder.own().on_its_thread(
      [path = folder.highest_epoch(), text = std::to_string(epoch) + "\n"] { os::write_file(path, text); });
}

}  // namespace andon::store::markdown
