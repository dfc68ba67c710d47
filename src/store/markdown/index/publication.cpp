// A publication replaces files of a board together with a commit of the index. A crash in between leaves
// either the old files or the new ones for each unit of work.
//
// `put` does the following for each unit:
// 1. Write the new files into `.andon/new` and sync them.
// 2. Append an intent with the unit's number and its moves to the intent file and sync it.
// 3. Exchange each new file with the old one. The old file then waits in `.andon/new`. When it is not the
//    file that was read, undo the unit.
// 4. Sync the directories.
//
// Then the writer commits the index, which contains the number of the last unit.
// - `settle`, after the index is on disk, removes the old files and empties the intent file.
// - `take_back`, when the batch is lost, undoes the moves in reverse order.
// - `recover`, after a crash, undoes an intent of this index whose number the index does not have. It
//   completes every other intent.

#include "store/markdown/index/publication.hpp"

#include <algorithm>
#include <ranges>

#include "os/system_error.hpp"
#include "store/markdown/index/file_index.hpp"

namespace andon::store::markdown {
namespace {

constexpr char kRepairs[] = "repair", kRepairPrefix[] = "task-repair-";
/// The name of settings on their way in earlier versions.
constexpr char kSettingsOnTheWay[] = "settings";
constexpr char kVersionDigits[] = "0123456789";

/// Removes new files of which none is in its place.
void remove_new(BoardFolder const& folder, std::vector<Placement> const& placements) noexcept {
  for (auto const& placement : placements) try {
      folder.fresh().remove(placement.step().from);
    } catch (os::SystemError const&) {  // the next batch removes it
      return;
    }
}

void undo_all(BoardFolder const& folder, Intent const& intent) {
  for (auto const& step : intent.steps | std::views::reverse) undo(folder, step);
}

void finish_all(BoardFolder const& folder, Intent const& intent, OnWarning const& warn) {
  for (auto const& step : intent.steps)
    if (!finish(folder, step)) warn(step.to + " was changed after a crash; it keeps what it has");
}

/// Whether the steps can be carried out. Steps of a directory of tasks that no longer exists have no effect.
bool can_be_reached(BoardFolder const& folder, Intent const& intent) {
  return folder.has_tasks() ||
         std::ranges::all_of(intent.steps, [](Step const& step) { return step.to == kSettingsName; });
}

Publication of_repairs(BoardFolder const& folder) { return {folder, kRepairs, kRepairPrefix, {}}; }

}  // namespace

Publication::Publication(BoardFolder const& folder, std::string name, std::string prefix, std::string index)
    : folder_(folder),
      intents_(folder.own(), std::move(name)),
      prefix_(std::move(prefix)),
      index_(std::move(index)) {}

std::vector<Placement> Publication::write(std::vector<NewFile>& files) {
  std::vector<Placement> out;
  out.reserve(files.size());
  try {
    for (auto& file : files) out.emplace_back(folder_, prefix_ + std::to_string(written_++), file).write();
  } catch (...) {
    remove_new(folder_, out);
    throw;
  }
  return out;
}

bool Publication::put(std::int64_t number, std::vector<NewFile>& files) {
  auto placements = write(files);
  Intent intent{index_, number, {}};
  for (auto const& placement : placements) intent.steps.push_back(placement.step());
  try {
    intents_.add(intent);
  } catch (...) {
    remove_new(folder_, placements);
    throw;
  }
  units_.push_back(std::move(intent));
  last_ = std::max(last_, number);
  try {
    if (std::ranges::all_of(placements, [](Placement& each) { return each.put(); })) {
      sync(units_.back().steps);
      std::ranges::for_each(placements, &Placement::note);
      return true;
    }
  } catch (FailedSync const&) {  // the next process decides from the files on the disk
    is_undecided_ = true;
    units_.clear();
    throw;
  } catch (...) {
    take_back(units_.size() - 1);
    throw;
  }
  take_back(units_.size() - 1);
  return false;
}

void Publication::sync(std::vector<Step> const& steps) const {
  auto const is_settings = [](Step const& step) { return step.to == kSettingsName; };
  if (std::ranges::any_of(steps, is_settings)) folder_.root().sync();
  if (!std::ranges::all_of(steps, is_settings)) folder_.tasks().sync();
  if (std::ranges::any_of(steps, [](Step const& step) { return !step.old.empty(); })) folder_.fresh().sync();
}

std::vector<Intent> Publication::all() const {
  auto out = finished_;
  std::ranges::copy(units_, std::back_inserter(out));
  return out;
}

void Publication::take_back(std::size_t first) {
  if (units_.size() <= first) return;
  is_undecided_ = true;
  for (auto const& unit : units_ | std::views::drop(first) | std::views::reverse) {
    undo_all(folder_, unit);
    sync(unit.steps);
  }
  units_.resize(first);
  intents_.keep(all());
  is_undecided_ = false;
}

void Publication::settle() noexcept try {
  bool const has_intents = !units_.empty() || !finished_.empty();
  auto const units = std::exchange(units_, {});
  finished_.clear();
  written_ = 0;
  if (!has_intents) return;
  for (auto const& unit : units)
    for (auto const& step : unit.steps) clean_up(folder_, step);
  intents_.clear();
} catch (os::SystemError const&) {
  return;  // the next recovery removes the rest
}

bool Publication::is_put(Intent const& intent) const {
  return intent.index == index_ &&
         std::ranges::any_of(units_, [&](Intent const& unit) { return unit.number == intent.number; });
}

bool Publication::recover(std::int64_t number, OnWarning const& warn) {
  std::erase_if(units_, [&](Intent const& unit) { return unit.number > number; });
  finished_.clear();
  auto const found = intents_.read();
  for (auto const& intent : found | std::views::reverse) {
    if (!can_be_reached(folder_, intent) || is_put(intent)) continue;
    if (intent.index == index_ && intent.number > number) {
      undo_all(folder_, intent);
    } else {
      finish_all(folder_, intent, warn);
      finished_.insert(finished_.begin(), intent);
    }
    sync(intent.steps);
  }
  remove_leftovers();
  is_undecided_ = false;
  if (found.size() != units_.size()) intents_.keep(all());
  return !finished_.empty();
}

bool Publication::is_own(std::string const& name) const {
  if (name == kSettingsOnTheWay) return true;
  if (!name.starts_with(prefix_)) return false;
  std::string_view const number{name.data() + prefix_.size(),
                                name.size() - prefix_.size() - (name.ends_with(".old") ? 4 : 0)};
  return number.find_first_not_of(kVersionDigits) == std::string_view::npos;
}

/// Removes new files of a process that was killed before it wrote an intent for them.
void Publication::remove_leftovers() const {
  auto const is_of = [](Step const& step, std::string const& name) {
    return step.from == name || step.kept_old() == name;
  };
  auto const is_kept = [&](std::string const& name) {
    return std::ranges::any_of(units_, [&](Intent const& unit) {
      return std::ranges::any_of(unit.steps, [&](Step const& step) { return is_of(step, name); });
    });
  };
  for (auto const& name : folder_.fresh().names())
    if (is_own(name) && !is_kept(name)) folder_.fresh().remove(name);
}

bool publish_tasks(BoardFolder const& folder, std::vector<NewFile>& files) {
  auto publication = of_repairs(folder);
  bool const put = publication.put(0, files);
  if (put) publication.settle();
  return put;
}

NewFile settings_file(std::string text, Content const* base) {
  NewFile file{.name = kSettingsName, .text = std::move(text)};
  if (!base) return file;
  file.old_name = kSettingsName;
  file.base = base->look.stamp;
  file.base_hash = hash_of(base->text);
  return file;
}

bool publish_settings(BoardFolder const& folder, std::string const& text, Content const* base,
                      FileStatus& written) {
  std::vector files{settings_file(text, base)};
  bool const put = publish_tasks(folder, files);
  written = files.front().written;
  return put;
}

void finish_repairs(BoardFolder const& folder, OnWarning const& warn) {
  if (auto const look = folder.own().look(kRepairs); !look || look->stamp.size == 0) return;
  auto publication = of_repairs(folder);
  if (publication.recover(0, warn)) publication.settle();
}

}  // namespace andon::store::markdown
