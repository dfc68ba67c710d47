#include "store/markdown/index/placement.hpp"

#include <cerrno>

#include "os/system_error.hpp"
#include "store/markdown/index/file_index.hpp"

namespace andon::store::markdown {
namespace {

bool is_inode(Directory const& directory, std::string const& name, std::int64_t inode) {
  auto const look = directory.look(name);
  return look && look->stamp.inode == inode;
}

/// Exchanges the new file and the old one back. When another program has put its own file there at this
/// moment, that file stays.
void put_old_back(Directory const& fresh, Directory const& place, Step const& step) {
  switch (fresh.exchange(step.from, place, step.to)) {
    case Exchange::done:
      if (!is_inode(fresh, step.from, step.made.inode)) fresh.exchange(step.from, place, step.to);
      return;
    case Exchange::no_such_file: return;
    case Exchange::not_possible: fresh.move(step.from, place, step.to);
  }
}

void undo_replacing(Directory const& fresh, Directory const& place, Step const& step) {
  if (!is_there(place, step.to, step.made)) return;
  if (is_inode(fresh, step.from, step.base.inode)) return put_old_back(fresh, place, step);
  if (fresh.look(step.kept_old())) return fresh.move(step.kept_old(), place, step.to);
  throw os::SystemError("put back", (place.path() / step.to).native(), ENOENT);
}

void undo_renaming(Directory const& fresh, Directory const& place, Step const& step) {
  if (fresh.look(step.kept_old())) fresh.move_to_free(step.kept_old(), place, step.old);
  if (is_there(place, step.to, step.made) && place.look(step.old)) place.remove(step.to);
}

bool is_untouched(Directory const& place, Step const& step) {
  return step.old.empty() ? !place.look(step.to) : is_there(place, step.old, step.base);
}

}  // namespace

Directory const& place_of(BoardFolder const& folder, Step const& step) {
  return step.to == kSettingsName ? folder.root() : folder.tasks();
}

bool is_there(Directory const& directory, std::string const& name, Stamp const& stamp) {
  auto const look = directory.look(name);
  return look && look->stamp.inode == stamp.inode && look->stamp.size == stamp.size &&
         look->stamp.modified == stamp.modified;
}

Placement::Placement(BoardFolder const& folder, std::string temporary, NewFile& file)
    : folder_(folder),
      fresh_(folder.fresh()),
      step_{std::move(temporary), file.name, file.old_name, {}, file.base},
      file_(file) {}

void Placement::write() {
  clean_up(folder_, step_);
  file_.written = fresh_.write_new(step_.from, file_.text, file_.mode);
  step_.made = file_.written.stamp;
}

bool Placement::put() {
  if (step_.old.empty()) return fresh_.move_to_free(step_.from, place_of(folder_, step_), step_.to);
  return step_.is_renamed() ? rename() : replace();
}

bool Placement::is_base(Directory const& directory, std::string const& name) const try {
  auto const content = directory.read(name, kLongestTask);
  if (!content) return false;
  auto const& stamp = content->look.stamp;
  return stamp.inode == file_.base.inode && stamp.size == file_.base.size &&
         stamp.modified == file_.base.modified && hash_of(content->text) == file_.base_hash;
} catch (os::SystemError const&) {
  return false;  // it has become a link, or is no longer readable
}

bool Placement::replace() {
  switch (fresh_.exchange(step_.from, place_of(folder_, step_), step_.to)) {
    case Exchange::done: break;
    case Exchange::no_such_file: return false;
    case Exchange::not_possible: return copy_and_replace();
  }
  if (is_base(fresh_, step_.from)) return true;
  swap_back();
  return false;
}

bool Placement::copy_and_replace() {
  auto const& place = place_of(folder_, step_);
  auto const old = place.read(step_.to, kLongestTask);
  if (!old || !is_base(place, step_.to)) return false;
  fresh_.write_new(step_.kept_old(), old->text, old->look.mode);
  fresh_.move(step_.from, place, step_.to);
  return true;
}

bool Placement::rename() {
  auto const& place = place_of(folder_, step_);
  if (!fresh_.move_to_free(step_.from, place, step_.to)) return false;
  if (place.move_to_free(step_.old, fresh_, step_.kept_old())) {
    if (is_base(fresh_, step_.kept_old())) return true;
    fresh_.move_to_free(step_.kept_old(), place, step_.old);
  }
  place.move(step_.to, fresh_, step_.from);
  return false;
}

/// Exchanges back. A file that another program wrote over the new one meanwhile returns to its place.
void Placement::swap_back() {
  auto const& place = place_of(folder_, step_);
  if (fresh_.exchange(step_.from, place, step_.to) != Exchange::done) return;
  if (!is_inode(fresh_, step_.from, step_.made.inode)) fresh_.exchange(step_.from, place, step_.to);
}

/// Records the new stamp, because moving a file changes its stamp. When another program changed the file
/// meanwhile, the stamp is cleared.
void Placement::note() const {
  auto const& place = place_of(folder_, step_);
  if (is_there(place, step_.to, step_.made))
    file_.written = *place.look(step_.to);
  else
    file_.written.stamp = {};
}

void undo(BoardFolder const& folder, Step const& step) {
  auto const& fresh = folder.fresh();
  auto const& place = place_of(folder, step);
  if (step.is_renamed())
    undo_renaming(fresh, place, step);
  else if (!step.old.empty())
    undo_replacing(fresh, place, step);
  else if (is_there(place, step.to, step.made))
    place.remove(step.to);
  clean_up(folder, step);
}

bool finish(BoardFolder const& folder, Step const& step) {
  auto const& fresh = folder.fresh();
  auto const& place = place_of(folder, step);
  bool const is_on_the_way = is_inode(fresh, step.from, step.made.inode);
  bool const may_delete = is_on_the_way && is_untouched(place, step);
  if (may_delete) fresh.move(step.from, place, step.to);
  bool const leaves_old =
      step.is_renamed() && is_inode(place, step.to, step.made.inode) && is_untouched(place, step);
  if (leaves_old) place.remove(step.old);
  clean_up(folder, step);
  return may_delete || !is_on_the_way;
}

void clean_up(BoardFolder const& folder, Step const& step) {
  folder.fresh().remove(step.from);
  if (!step.old.empty()) folder.fresh().remove(step.kept_old());
}

}  // namespace andon::store::markdown
