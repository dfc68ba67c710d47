#include "store/markdown/attached_board.hpp"

#include <algorithm>
#include <utility>

namespace andon::store::markdown {
namespace {

/// How often all files are compared, for changes that the directory watch does not report.
constexpr std::chrono::seconds kLookAgainAfter{30};

}  // namespace

AttachedBoard AttachedBoard::in(std::filesystem::path directory) {
  AttachedBoard out;
  out.directory = std::move(directory);
  out.calls = std::make_shared<os::CallThread>(out.directory.native(), kAnswerTime);
  out.lock = std::make_shared<os::AwaitedLock>(out.directory / ".lock");
  return out;
}

AttachedBoard::Steady::time_point AttachedBoard::look_again() const {
  bool const is_missing = mirror && mirror->is_missing_files();
  if (is_missing) return looked + DeletionGracePeriod::longest();
  return looked + (is_told ? kLookAgainAfter : kLookUntold);
}

bool AttachedBoard::is_due() const {
  auto const now = Steady::now();
  bool const is_touched = touched.everything || !touched.names.empty();
  return (is_behind || is_touched || now >= look_again()) && now >= not_before;
}

AttachedBoard::Steady::time_point AttachedBoard::next_due() const {
  return is_behind ? std::max(not_before, Steady::now() + std::chrono::milliseconds{1}) : look_again();
}

void AttachedBoard::want() {
  is_behind = is_wanted = true;
  not_before = {};
}

void AttachedBoard::try_again_after(Steady::duration pause) {
  is_behind = true;
  touched = {};
  not_before = Steady::now() + pause;
  held.reset();
}

}  // namespace andon::store::markdown
