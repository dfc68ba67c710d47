#include "store/markdown/yaml/task_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/tasks/rank.hpp"
#include "core/text/names.hpp"
#include "reflect/json.hpp"
#include "store/markdown/files/task_name.hpp"
#include "store/markdown/yaml/front_matter_reading.hpp"
#include "store/markdown/yaml/scalar.hpp"

namespace andon::store::markdown {
namespace {

using core::Result;
using core::Task;
using reflect::YamlNode;

// Reading: each function returns false when the value does not have the expected form.

bool read(YamlNode const& node, std::string& out) {
  if (node.kind != YamlNode::Kind::scalar) return false;
  out = node.text;
  return true;
}

/// Reads a number; numbers in a task are never negative.
template <class Number>
  requires std::integral<Number>
bool read(YamlNode const& node, Number& out) {
  auto const* end = node.text.data() + node.text.size();
  auto const parsed = std::from_chars(node.text.data(), end, out);
  return node.kind == YamlNode::Kind::scalar && parsed.ec == std::errc{} && parsed.ptr == end && out >= 0;
}

bool read(YamlNode const& node, bool& out) {
  auto const flag = yaml_flag(node.text);
  out = flag.value_or(false);
  return flag.has_value();
}

/// Moves a number of one or two digits from `text` to `out`, as two digits, together with the mark behind it.
bool take_pair(std::string_view& text, char mark, std::string& out) {
  auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits < 1 || digits > 2) return false;
  out.append(2 - digits, '0').append(text.substr(0, digits));
  text.remove_prefix(digits);
  if (mark == '\0') return true;
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  out += mark;
  return true;
}

/// The time forms that YAML allows beside RFC 3339: a blank instead of the `T`, fields of one digit, no zone
/// for UTC.
std::optional<core::Instant> yaml_instant(std::string_view text) {
  if (text.size() < 5 || text[4] != '-') return std::nullopt;
  auto out = std::string{text.substr(0, 5)};
  text.remove_prefix(5);
  if (!take_pair(text, '-', out) || !take_pair(text, '\0', out)) return std::nullopt;
  if (text.empty() || !std::string_view{"Tt "}.contains(text.front())) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of(' ', 1), text.size()));
  out += 'T';
  for (char const mark : {':', ':', '\0'})
    if (!take_pair(text, mark, out)) return std::nullopt;
  auto const zone = std::min(text.find_first_of("Zz+- "), text.size());
  out += text.substr(0, zone);
  text.remove_prefix(std::min(text.find_first_not_of(' ', zone), text.size()));
  return core::parse_instant(out + (text.empty() ? "Z" : std::string{text}));
}

/// A date without a time means the beginning of the day.
bool read(YamlNode const& node, core::Instant& out) {
  auto at = core::parse_instant(node.text);
  if (!at)
    if (auto const day = core::parse_date(node.text)) at = core::Instant{day->day};
  if (!at) at = yaml_instant(node.text);
  if (at) out = *at;
  return at.has_value();
}

/// A time is read as its day, because some programs write dates in this way.
bool read(YamlNode const& node, core::Date& out) {
  auto const day = core::parse_date(std::string_view{node.text}.substr(0, 10));
  if (day) out = *day;
  return day && (node.text.size() == 10 || core::parse_instant(node.text));
}

bool read(YamlNode const& node, core::ReviewRule& out) {
  return reflect::TextForm<core::ReviewRule>::read(node.text, out);
}

bool read(YamlNode const& node, core::PlanRule& out) {
  return reflect::TextForm<core::PlanRule>::read(node.text, out);
}

bool read(YamlNode const& node, core::Question& out) {
  auto const json = reflect::json_of(node, reflect::type_of<core::Question>());
  auto parsed = reflect::from_json<core::Question>(json, reflect::Unknown::ignore);
  if (!parsed) return false;
  out = *std::move(parsed);
  return true;
}

template <class Tag>
bool read(YamlNode const& node, core::Id<Tag>& out) {
  std::int64_t number = 0;
  if (!read(node, number)) return false;
  out = core::Id<Tag>{number};
  return true;
}

template <class T>
bool read(YamlNode const& node, std::optional<T>& out) {
  T value{};
  if (!read(node, value)) return false;
  out = value;
  return true;
}

template <class T>
bool read(YamlNode const& node, std::vector<T>& out) {
  if (node.kind != YamlNode::Kind::list) return false;
  for (auto const& item : node.items)
    if (!read(item, out.emplace_back())) return false;
  return true;
}

/// Reads a list of objects.
template <class T>
bool read_objects(YamlNode const& node, std::vector<T>& out) {
  auto const json = reflect::json_of(node, reflect::type_of<std::vector<T>>());
  auto parsed = reflect::from_json<std::vector<T>>(json, reflect::Unknown::ignore);
  if (!parsed) return false;
  out = *std::move(parsed);
  return true;
}
bool read(YamlNode const& node, std::vector<core::NextTask>& out) { return read_objects(node, out); }
bool read(YamlNode const& node, std::vector<core::Attachment>& out) { return read_objects(node, out); }

// Writing: each function returns a value of kind `none` for a default.

NewValue plain(std::string text) { return {NewValue::Kind::text, std::move(text), {}, false}; }
NewValue written(std::string const& text) { return text.empty() ? NewValue{} : plain(yaml_text(text)); }
NewValue written(bool flag) { return flag ? plain("true") : NewValue{}; }
NewValue written(std::int64_t number) { return number == 0 ? NewValue{} : plain(std::to_string(number)); }
NewValue written(int number) { return written(std::int64_t{number}); }
NewValue written(core::Instant at) { return plain(yaml_time(at)); }
NewValue written(core::Date day) { return plain(yaml_text(core::to_text(day))); }
NewValue written(core::ReviewRule rule) {
  return rule == core::ReviewRule::inherit
             ? NewValue{}
             : plain(std::string{reflect::TextForm<core::ReviewRule>::write(rule)});
}
NewValue written(core::PlanRule rule) {
  return rule == core::PlanRule::none ? NewValue{}
                                      : plain(std::string{reflect::TextForm<core::PlanRule>::write(rule)});
}
NewValue written(core::Question const& question) { return plain(reflect::to_json(question)); }
template <class T>
NewValue written(std::optional<T> const& value) {
  return value ? written(*value) : NewValue{};
}
NewValue written(std::vector<std::string> const& items) {
  return items.empty() ? NewValue{} : NewValue{NewValue::Kind::list, {}, items, false};
}
NewValue written(std::vector<core::TaskId> const& ids) {
  NewValue out;
  for (auto const id : ids) out.items.push_back(std::to_string(id));
  if (!ids.empty()) out.kind = NewValue::Kind::list;
  out.as_they_are = true;
  return out;
}
NewValue written(std::vector<core::NextTask> const& tasks) {
  return tasks.empty() ? NewValue{} : plain(reflect::to_json(tasks));
}
NewValue written(std::vector<core::Attachment> const& files) {
  return files.empty() ? NewValue{} : plain(reflect::to_json(files));
}

/// One key of a task's file.
struct Key {
  std::string_view name;
  std::string_view form;
  bool (*read)(YamlNode const&, Task&);
  NewValue (*write)(Task const&);
};

template <auto Member>
bool read_member(YamlNode const& node, Task& task) {
  return read(node, task.*Member);
}
template <auto Member>
NewValue write_member(Task const& task) {
  return written(task.*Member);
}
template <auto Member>
bool read_state(YamlNode const& node, Task& task) {
  return read(node, task.state.*Member);
}
template <auto Member>
NewValue write_state(Task const& task) {
  return written(task.state.*Member);
}

template <auto Member>
constexpr Key of(std::string_view name, std::string_view form) {
  return {name, form, &read_member<Member>, &write_member<Member>};
}
template <auto Member>
constexpr Key of_state(std::string_view name, std::string_view form) {
  return {name, form, &read_state<Member>, &write_state<Member>};
}

bool read_id(YamlNode const& node, Task& task) { return read(node, task.id) && task.id <= kHighestNumber; }

bool read_epoch(YamlNode const& node, Task& task) {
  return read(node, task.epoch) && task.epoch <= kHighestEpoch;
}

/// The default attempt limit is three. The default rank is that of the task's number.
NewValue attempts(Task const& task) {
  return task.max_attempts == 3 ? NewValue{} : written(task.max_attempts);
}
NewValue own_rank(Task const& task) {
  return task.rank == core::rank_of(task.id) ? NewValue{} : written(task.rank);
}
/// Tasks from the command line or from a file have no source in their file.
NewValue source(Task const& task) {
  bool const is_usual =
      task.source == to_text(core::Source::cli) || task.source == to_text(core::Source::file);
  return is_usual ? NewValue{} : written(task.source);
}
NewValue author(Task const& task) {
  return task.created_by.starts_with("user:") ? NewValue{} : written(task.created_by);
}
/// A task beyond the backlog stage is approved, so only backlog tasks need the key.
NewValue approval(Task const& task) {
  return task.stage == core::Stage::backlog ? written(task.approved) : NewValue{};
}

constexpr std::string_view kText = "a text", kTime = "a time such as 2026-11-21T08:00:00Z",
                           kNumber = "a number", kTexts = "a list of texts", kId = "a number from 1",
                           kFlag = "true or false";

/// Reads a plain field. Other programs may use its name for a list or an object, which stays in the file and
/// is no text of the task.
template <auto Member>
bool read_plain(YamlNode const& node, Task& task) {
  return node.kind != YamlNode::Kind::scalar || read(node, task.*Member);
}
template <std::size_t... I>
constexpr std::array<Key, sizeof...(I)> plain_keys(std::index_sequence<I...>) {
  return {Key{core::kPlainFields[I].name, kText, &read_plain<core::kPlainFields[I].text>,
              &write_member<core::kPlainFields[I].text>}...};
}

constexpr std::array kKeysBeforePlain{
    Key{"id", kId, &read_id, &write_member<&Task::id>},
    of<&Task::title>("title", kText),
    of<&Task::status>("status", kText),
    of<&Task::priority>("priority", kText),
    of<&Task::created>("created", kTime),
    of<&Task::updated>("updated", kTime),
    of<&Task::started>("started", kTime),
    of<&Task::completed>("completed", kTime),
    of<&Task::assignee>("assignee", kText),
    of<&Task::tags>("tags", kTexts),
    of<&Task::due>("due", "a date such as 2026-12-01"),
};
constexpr std::array kKeysAfterPlain{
    of<&Task::parent>("parent", "the number of a task"),
    of<&Task::depends_on>("depends_on", "a list of numbers of tasks"),
    of<&Task::blocked>("blocked", kFlag),
    of<&Task::block_reason>("block_reason", kText),
    of<&Task::claimed_by>("claimed_by", kText),
    of<&Task::claimed_at>("claimed_at", kTime),
    of<&Task::class_>("class", kText),
    Key{"epoch", kNumber, &read_epoch, &write_member<&Task::epoch>},
    of<&Task::role>("role", kText),
    of<&Task::touches>("touches", kTexts),
    of<&Task::next_tasks>("next_tasks", "a list of task templates"),
    of<&Task::checks>("checks", kTexts),
    of<&Task::review>("review", "required, none or inherit"),
    of<&Task::plan>("plan", "required or none"),
    Key{"approved", kFlag, &read_member<&Task::approved>, &approval},
    Key{"source", kText, &read_member<&Task::source>, &source},
    Key{"created_by", kText, &read_member<&Task::created_by>, &author},
    of<&Task::attempt>("attempt", kNumber),
    Key{"max_attempts", kNumber, &read_member<&Task::max_attempts>, &attempts},
    of<&Task::not_before>("not_before", kTime),
    of<&Task::result>("result", kText),
    of<&Task::flag>("flag", kText),
    of<&Task::question>("question", "a question with text, choices, asked_by, asked_at and run"),
    of<&Task::attachments>("attachments", "a list of attachments, as Andon writes them"),
    Key{"rank", kText, &read_member<&Task::rank>, &own_rank},
    of<&Task::autocomplete>("autocomplete", kFlag),
    of_state<&core::TaskState::returns_to>("returns_to", kText),
    of_state<&core::TaskState::last_failure>("last_failure", kText),
    of_state<&core::TaskState::chained>("chained", kFlag),
    of_state<&core::TaskState::depth>("depth", kNumber),
    of_state<&core::TaskState::reviews>("reviews", "the number of a task"),
    of_state<&core::TaskState::not_for>("not_for", kText),
};

template <std::size_t... Sizes>
constexpr auto joined(std::array<Key, Sizes> const&... parts) {
  std::array<Key, (Sizes + ...)> out{};
  auto at = out.begin();
  ((at = std::ranges::copy(parts, at).out), ...);
  return out;
}

/// The keys of kanban-md in its order, then Andon's own. The plain fields stand where kanban-md has the
/// estimate.
constexpr auto kKeys = joined(
    kKeysBeforePlain, plain_keys(std::make_index_sequence<core::kPlainFields.size()>{}), kKeysAfterPlain);

std::unexpected<core::Error> wrong(std::string_view name, Entry const& entry, std::string_view form) {
  auto what = "expected " + std::string{form} + " for \"" + entry.key + "\"";
  if (entry.value.kind == YamlNode::Kind::scalar)
    what += ", found \"" + std::string{core::beginning(entry.value.text, 60)} + "\"";
  return malformed(name, entry.value.place, what);
}

Result<void> check_required(FrontMatter const& file, Task const& task, std::string_view name) {
  auto const refuse = [&](std::string_view key, std::string_view form) -> std::unexpected<core::Error> {
    if (auto const* entry = file.find(key)) return wrong(name, *entry, form);
    return malformed(name, {}, "expected a key \"" + std::string{key} + "\" with " + std::string{form});
  };
  auto const blank = [](std::string const& text) {
    return text.find_first_not_of(" \t\n") == std::string::npos;
  };
  if (task.id < 1) return refuse("id", kId);
  if (blank(task.title)) return refuse("title", "a text");
  if (blank(task.status)) return refuse("status", "the name of a column");
  return {};
}

void use_names_of(core::Board const& board, Task& task) {
  if (auto const* column = core::find_column(board, task.status)) task.status = column->name;
  for (auto const& priority : board.priorities)
    if (core::same_name(priority, task.priority)) task.priority = priority;
  for (auto const& each : board.classes)
    if (core::same_name(each.name, task.class_)) task.class_ = each.name;
}

/// Removes references of a task to itself. kanban-md refuses such a reference on input and ignores it in a
/// file.
void forget_itself(Task& task) {
  std::erase(task.depends_on, task.id);
  if (task.parent == task.id) task.parent.reset();
}

void derive_rest(core::Board const& board, Task& task) {
  task.board = board.name;
  task.stage = core::stage_of(board, task.status);
  if (!task.claimed_by.empty() && task.claimed_at && board.claim_timeout > core::Duration::zero())
    task.claim_expires = *task.claimed_at + board.claim_timeout;
  if (task.stage != core::Stage::backlog) task.approved = true;
  if (task.source.empty()) task.source = to_text(core::Source::file);
  if (task.rank.empty()) task.rank = core::rank_of(task.id);
  task.state.entered = task.stage == core::Stage::done && task.completed ? *task.completed
                       : core::is_in_work(task.stage) && task.started    ? *task.started
                                                                         : task.updated;
}

}  // namespace

std::vector<std::string_view> const& key_order() {
  static std::vector<std::string_view> const order = [] {
    std::vector<std::string_view> out;
    for (auto const& key : kKeys) out.push_back(key.name);
    return out;
  }();
  return order;
}

Result<Task> task_in(FrontMatter const& file, core::Board const& board, std::string_view name) {
  Task task;
  for (auto const& entry : file.entries()) {
    auto const* key = std::ranges::find(kKeys, entry.key, &Key::name);
    if (key == kKeys.end() || is_yaml_null(entry.value)) continue;
    if (!key->read(entry.value, task)) return wrong(name, entry, key->form);
  }
  ANDON_CHECK(check_required(file, task, name));
  if (task.created == core::Instant{}) task.created = task.updated;
  if (task.updated == core::Instant{}) task.updated = task.created;
  if (task.claimed_by.empty()) task.claimed_at.reset();
  use_names_of(board, task);
  forget_itself(task);
  derive_rest(board, task);
  task.body = file.body();
  return task;
}

bool is_same_in_file(Task const& read, Task told) {
  if (told.created == core::Instant{}) told.created = read.created;
  if (told.updated == core::Instant{}) told.updated = read.updated;
  if (told.claimed_by.empty()) told.claimed_at.reset();
  forget_itself(told);
  return read.body == told.body && std::ranges::all_of(kKeys, [&](Key const& key) {
           return key.name == "epoch" || key.write(read) == key.write(told);
         });
}

void write_task(FrontMatter& file, Task const& was, Task const& is, EpochKey epoch) {
  // A file without the time of creation has it from the last change, which is another one now.
  bool const is_borrowed = file.find("updated") && !file.find("created") && is.updated != was.updated;
  for (auto const& key : kKeys) {
    if (key.name == "epoch" && epoch == EpochKey::keep) continue;
    auto value = key.write(is);
    if (key.write(was) != value || (is_borrowed && key.name == "created"))
      file.set(key.name, value, key_order());
  }
}

}  // namespace andon::store::markdown
