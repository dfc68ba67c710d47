#include "store/markdown/sync/unit_files.hpp"

#include <algorithm>
#include <utility>

#include "store/markdown/index/activity_log.hpp"
#include "store/markdown/index/numbering.hpp"

namespace andon::store::markdown {

void UnitFiles::clear() {
  pending_.clear();
  settings_.reset();
  settings_before_.reset();
  activity_.clear();
}

PendingTask* UnitFiles::task(core::TaskId id) {
  auto const found = pending_.find(id);
  return found == pending_.end() ? nullptr : &found->second;
}

void UnitFiles::begin_settings(ReadSettings read) {
  settings_base_ = std::move(read.content);
  settings_before_ = read.file;
  settings_ = std::move(read.file);
}

SettingsFile& UnitFiles::begin_settings(SettingsFile fresh) {
  settings_base_.reset();
  settings_before_.reset();
  return settings_.emplace(std::move(fresh));
}

SettingsFile& UnitFiles::settings_to_write() {
  auto const next = settings_->word({"next_id"});
  if (!settings_before_) return *settings_;
  settings_ = settings_before_;
  if (settings_->word({"next_id"}) != next) settings_->set({"next_id"}, next);
  return *settings_;
}

void UnitFiles::note(core::Event const& event) {
  auto* const pending = event.task ? task(*event.task) : nullptr;
  if (!pending) return;
  pending->is_handed_off = pending->is_handed_off || event.kind == core::EventKind::task_submitted;
  auto told = pending->after;
  told.id = as_id(pending->number);
  activity_ += activity_lines(event, {told, pending->is_handed_off});
}

bool UnitFiles::is_still_so() const {
  if (settings_) {
    auto const look = folder_.root().look(kSettingsName);
    if ((look ? look->stamp : Stamp{}) != (settings_base_ ? settings_base_->look.stamp : Stamp{}))
      return false;
  }
  return std::ranges::all_of(pending_, [&](auto const& entry) {
    auto const& file = entry.second.file;
    if (file.name != file.old_name && folder_.has_tasks() && folder_.tasks().look(file.name)) return false;
    if (file.old_name.empty()) return true;
    auto const content = folder_.tasks().read(file.old_name, kLongestTask);
    return content && content->look.stamp == file.base && hash_of(content->text) == file.base_hash;
  });
}

void UnitFiles::leave_out_same() {
  std::erase_if(pending_, [](auto const& entry) {
    auto const& file = entry.second.file;
    return file.name == file.old_name && hash_of(file.text) == file.base_hash;
  });
  if (settings_ && settings_base_ && settings_->text() == settings_base_->text) settings_.reset();
}

std::vector<NewFile> UnitFiles::files() {
  std::vector<NewFile> out;
  if (settings_) {
    folder_.open_tasks(settings_->word({"tasks_dir"}));
    out.push_back(settings_file(settings_->text(), settings_base_ ? &*settings_base_ : nullptr));
  }
  for (auto const& [id, pending] : pending_) out.push_back(pending.file);
  return out;
}

}  // namespace andon::store::markdown
