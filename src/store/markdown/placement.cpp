#include "store/markdown/placement.hpp"

#include "os/system_error.hpp"
#include "store/markdown/file_index.hpp"

namespace andon::store::markdown {

void Placement::write() {
  fresh_.remove(temporary_);
  file_.written = fresh_.write_new(temporary_, file_.text, file_.mode);
}

bool Placement::put() {
  if (file_.old_name.empty()) return fresh_.move_to_free(temporary_, place_, file_.name);
  return is_renamed() ? rename() : replace();
}

/// Moving a file changes when its inode was changed, so that is not compared.
bool Placement::is_base(Directory const& directory, std::string const& name) const try {
  auto const content = directory.read(name, kLongestTask);
  if (!content) return false;
  auto const& stamp = content->look.stamp;
  return stamp.inode == file_.base.inode && stamp.size == file_.base.size &&
         stamp.modified == file_.base.modified && hash_of(content->text) == file_.base_hash;
} catch (os::SystemError const&) {
  return false;  // it has become a link, or may no longer be read
}

bool Placement::replace() {
  switch (fresh_.exchange(temporary_, place_, file_.name)) {
    case Exchange::done: exchanged_ = true; break;
    case Exchange::no_such_file: return false;
    case Exchange::not_possible:
      if (!is_base(place_, file_.name)) return false;
      fresh_.move(temporary_, place_, file_.name);
      return true;
  }
  if (is_base(fresh_, temporary_)) return true;
  swap_back();
  return false;
}

bool Placement::rename() {
  if (!fresh_.move_to_free(temporary_, place_, file_.name)) return false;
  fresh_.remove(old_temporary());
  if (place_.move_to_free(file_.old_name, fresh_, old_temporary())) {
    if (is_base(fresh_, old_temporary())) return true;
    fresh_.move_to_free(old_temporary(), place_, file_.old_name);
  }
  place_.move(file_.name, fresh_, temporary_);
  return false;
}

/// What somebody wrote over the new file in between goes back to where it was written.
void Placement::swap_back() {
  exchanged_ = false;
  if (fresh_.exchange(temporary_, place_, file_.name) != Exchange::done) return;
  auto const out = fresh_.look(temporary_);
  if (out && out->stamp.inode != file_.written.stamp.inode) fresh_.exchange(temporary_, place_, file_.name);
}

void Placement::take_back() {
  if (exchanged_) return swap_back();
  if (is_renamed()) fresh_.move_to_free(old_temporary(), place_, file_.old_name);
  if (is_renamed() || file_.old_name.empty()) place_.move(file_.name, fresh_, temporary_);
}

/// The move changes a stamp; another hand in between does so too.
void Placement::settle() {
  fresh_.remove(temporary_);
  if (is_renamed()) fresh_.remove(old_temporary());
  auto const now = place_.look(file_.name);
  auto& written = file_.written;
  bool const is_ours = now && now->stamp.inode == written.stamp.inode &&
                       now->stamp.size == written.stamp.size && now->stamp.modified == written.stamp.modified;
  if (is_ours)
    written = *now;
  else
    written.stamp = {};
}

}  // namespace andon::store::markdown
