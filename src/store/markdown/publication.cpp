#include "store/markdown/publication.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "os/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "store/markdown/file_index.hpp"
#include "store/markdown/task_name.hpp"

namespace andon::store::markdown {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestIntent = 64U << 20U;
constexpr char kSettingsOnTheWay[] = "settings";

json::object intent_of(Placement const& placement) {
  auto const& file = placement.file();
  return {
      {"from", placement.temporary()}, {"made", file.written.stamp.inode}, {"to", file.name},
      {"old", file.old_name},          {"size", file.base.size},           {"modified", file.base.modified},
      {"inode", file.base.inode}};
}

std::string name_on_the_way(std::size_t number) { return "task-" + std::to_string(number); }

void note_intent(BoardFolder const& folder, std::vector<Placement> const& placements) {
  json::array steps;
  for (auto const& placement : placements) steps.push_back(intent_of(placement));
  folder.fresh().sync();
  os::write_file(folder.intent(), json::serialize(steps) + "\n");
}

/// All or none.
bool put_all(std::vector<Placement>& placements) {
  std::size_t put = 0;
  while (put < placements.size() && placements[put].put()) ++put;
  if (put == placements.size()) return true;
  while (put > 0) placements[--put].take_back();
  return false;
}

std::string text_in(json::object const& object, std::string_view key) {
  auto const* value = object.if_contains(key);
  return value && value->is_string() ? std::string{value->get_string()} : std::string{};
}

std::int64_t number_in(json::object const& object, std::string_view key) {
  auto const* value = object.if_contains(key);
  return value && value->is_int64() ? value->get_int64() : 0;
}

/// Whether the file that was to be replaced is still the one it was.
bool is_untouched(BoardFolder const& folder, json::object const& step) {
  auto const old = text_in(step, "old");
  if (old.empty()) return !folder.tasks().look(text_in(step, "to"));
  auto const look = folder.tasks().look(old);
  return look && look->stamp.size == number_in(step, "size") &&
         look->stamp.modified == number_in(step, "modified") && look->stamp.inode == number_in(step, "inode");
}

/// The file may have come with somebody's repository: nothing but our own new files and task files may be
/// named.
bool stays_inside(json::object const& step) {
  auto const is_plain = [](std::string const& name) { return name.find('/') == std::string::npos; };
  auto const from = text_in(step, "from");
  auto const to = text_in(step, "to");
  auto const old = text_in(step, "old");
  return from.starts_with("task-") && is_plain(from) && is_task_name(to) && is_plain(to) &&
         (old.empty() || (is_task_name(old) && is_plain(old)));
}

/// A file that was renamed and is still there under its old name too.
void remove_old_name(BoardFolder const& folder, json::object const& step) {
  auto const old = text_in(step, "old");
  if (!old.empty() && old != text_in(step, "to") && is_untouched(folder, step)) folder.tasks().remove(old);
}

void finish(BoardFolder const& folder, json::object const& step, OnWarning const& warn) {
  if (!stays_inside(step))
    return warn("an intent names files outside of the board's tasks; it was passed over");
  auto const from = text_in(step, "from"), to = text_in(step, "to");
  auto const made = folder.fresh().look(from);
  bool const is_in_place = !made || made->stamp.inode != number_in(step, "made");
  if (!is_in_place && is_untouched(folder, step))
    folder.fresh().move(from, folder.tasks(), to);
  else if (!is_in_place)
    warn(to + " was changed after a crash; it keeps what it has");
  auto const there = folder.tasks().look(to);
  if (there && there->stamp.inode == number_in(step, "made")) remove_old_name(folder, step);
  folder.fresh().remove(from);
  folder.fresh().remove(from + ".old");
}

}  // namespace

bool publish_tasks(BoardFolder const& folder, std::vector<NewFile>& files) {
  std::vector<Placement> placements;
  bool several = files.size() > 1;
  for (auto& file : files) {
    placements.emplace_back(folder.fresh(), folder.tasks(), name_on_the_way(placements.size()), file).write();
    several = several || (!file.old_name.empty() && file.old_name != file.name);
  }
  if (several) note_intent(folder, placements);
  bool const put = put_all(placements);
  folder.tasks().sync();
  for (auto& placement : placements) placement.settle();
  if (several) folder.own().remove("intent");
  return put;
}

bool publish_settings(BoardFolder const& folder, std::string const& text, Content const* base,
                      Look& written) {
  NewFile file{.name = kSettingsName, .text = text};
  if (base) {
    file.old_name = kSettingsName;
    file.base = base->look.stamp;
    file.base_hash = hash_of(base->text);
  }
  Placement placement(folder.fresh(), folder.root(), kSettingsOnTheWay, file);
  placement.write();
  bool const put = placement.put();
  folder.root().sync();
  placement.settle();
  written = file.written;
  return put;
}

void recover(BoardFolder const& folder, OnWarning const& warn) {
  auto const text = os::read_file_if_there(folder.intent(), kLongestIntent);
  if (!text) return;
  auto const steps = reflect::parse_json(*text);
  if (steps && steps->is_array())
    for (auto const& step : steps->get_array())
      if (step.is_object()) finish(folder, step.get_object(), warn);
  folder.tasks().sync();
  folder.own().remove("intent");
}

}  // namespace andon::store::markdown
