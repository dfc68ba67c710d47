#include "store/markdown/publication.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "os/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "store/markdown/task_name.hpp"

namespace andon::store::markdown {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestIntent = 64U << 20U;
constexpr char kSettingsOnTheWay[] = "settings";

json::object intent_of(NewFile const& file, std::string const& temporary) {
  return {{"from", temporary},
          {"to", file.name},
          {"old", file.old_name},
          {"size", file.base.size},
          {"modified", file.base.modified},
          {"inode", file.base.inode}};
}

std::string name_on_the_way(std::size_t number) { return "task-" + std::to_string(number); }

void write_fresh(BoardFolder const& folder, std::string const& name, NewFile& file) {
  folder.fresh().remove(name);
  file.written = folder.fresh().write_new(name, file.text, file.mode);
}

/// The move changes a stamp; another hand in between does so too.
void settle_stamp(Directory const& directory, std::string const& name, Look& written) {
  auto const now = directory.look(name);
  bool const is_ours = now && now->stamp.inode == written.stamp.inode &&
                       now->stamp.size == written.stamp.size && now->stamp.modified == written.stamp.modified;
  if (is_ours)
    written = *now;
  else
    written.stamp = {};
}

void put_in_place(BoardFolder const& folder, std::string const& temporary, std::string const& name,
                  std::string const& old_name) {
  folder.fresh().move(temporary, folder.tasks(), name);
  if (!old_name.empty() && old_name != name) folder.tasks().remove(old_name);
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

void finish(BoardFolder const& folder, json::object const& step, OnWarning const& warn) {
  if (!stays_inside(step))
    return warn("an intent names files outside of the board's tasks; it was passed over");
  auto const from = text_in(step, "from");
  if (!folder.fresh().look(from)) return;
  if (is_untouched(folder, step))
    return put_in_place(folder, from, text_in(step, "to"), text_in(step, "old"));
  folder.fresh().remove(from);
  warn(text_in(step, "to") + " was changed after a crash; it keeps what it has");
}

}  // namespace

void publish_tasks(BoardFolder const& folder, std::vector<NewFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) write_fresh(folder, name_on_the_way(i), files[i]);
  bool const several = files.size() > 1;
  if (several) {
    json::array steps;
    for (std::size_t i = 0; i < files.size(); ++i) steps.push_back(intent_of(files[i], name_on_the_way(i)));
    folder.fresh().sync();
    os::write_file(folder.intent(), json::serialize(steps) + "\n");
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    put_in_place(folder, name_on_the_way(i), files[i].name, files[i].old_name);
  folder.tasks().sync();
  for (auto& file : files) settle_stamp(folder.tasks(), file.name, file.written);
  if (several) folder.own().remove("intent");
}

void publish_settings(BoardFolder const& folder, std::string const& text, Look& written) {
  folder.fresh().remove(kSettingsOnTheWay);
  written = folder.fresh().write_new(kSettingsOnTheWay, text, 0600);
  folder.fresh().move(kSettingsOnTheWay, folder.root(), kSettingsName);
  folder.root().sync();
  settle_stamp(folder.root(), kSettingsName, written);
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
