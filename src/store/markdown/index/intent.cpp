#include "store/markdown/index/intent.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "store/markdown/files/task_name.hpp"

namespace andon::store::markdown {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestFile = 256U << 20U;

json::object json_of(Step const& step) {
  return {{"from", step.from},
          {"to", step.to},
          {"old", step.old},
          {"made", step.made.inode},
          {"made_size", step.made.size},
          {"made_modified", step.made.modified},
          {"inode", step.base.inode},
          {"size", step.base.size},
          {"modified", step.base.modified}};
}

std::string line_of(Intent const& intent) {
  json::array steps;
  for (auto const& step : intent.steps) steps.push_back(json_of(step));
  return json::serialize(
             json::object{{"index", intent.index}, {"number", intent.number}, {"steps", std::move(steps)}}) +
         "\n";
}

std::string text_in(json::object const& object, std::string_view key) {
  auto const* value = object.if_contains(key);
  return value && value->is_string() ? std::string{value->get_string()} : std::string{};
}

std::int64_t number_in(json::object const& object, std::string_view key) {
  auto const* value = object.if_contains(key);
  return value && value->is_int64() ? value->get_int64() : 0;
}

Step step_in(json::object const& object) {
  return {text_in(object, "from"),
          text_in(object, "to"),
          text_in(object, "old"),
          {number_in(object, "made_size"), number_in(object, "made_modified"), 0, number_in(object, "made")},
          {number_in(object, "size"), number_in(object, "modified"), 0, number_in(object, "inode")}};
}

/// Whether a step names only new files of Andon, task files and the settings. The intent file may have come
/// with a foreign repository, so other names are refused.
bool stays_inside(Step const& step) {
  auto const is_plain = [](std::string const& name) { return !name.contains('/'); };
  auto const is_ours = [&](std::string const& name) {
    return name == kSettingsName || (is_task_name(name) && is_plain(name));
  };
  bool const is_new = step.from.starts_with("task-") && is_plain(step.from);
  bool const keeps_kind = step.old.empty() || (step.old == kSettingsName) == (step.to == kSettingsName);
  return is_new && is_ours(step.to) && (step.old.empty() || is_ours(step.old)) && keeps_kind;
}

Intent intent_in(json::object const& object, json::array const& steps) {
  Intent out{text_in(object, "index"), number_in(object, "number"), {}};
  for (auto const& each : steps)
    if (each.is_object())
      if (auto step = step_in(each.get_object()); stays_inside(step)) out.steps.push_back(std::move(step));
  return out;
}

std::vector<Intent> intents_in(std::string_view text) {
  if (auto const all = reflect::parse_json(text); all && all->is_array())
    return {intent_in({}, all->get_array())};
  std::vector<Intent> out;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
    auto const line = reflect::parse_json(text.substr(at, end - at));
    auto const* steps = line && line->is_object() ? line->get_object().if_contains("steps") : nullptr;
    if (steps && steps->is_array()) out.push_back(intent_in(line->get_object(), steps->get_array()));
  }
  return out;
}

}  // namespace

std::vector<Intent> IntentFile::read() const {
  auto const content = own_.read(name_, kLongestFile);
  return content ? intents_in(content->text) : std::vector<Intent>{};
}

void IntentFile::add(Intent const& intent) {
  auto const line = line_of(intent);
  try {
    own_.write_on(name_, size_, line);
  } catch (...) {
    forget_rest();
    throw;
  }
  size_ += static_cast<std::int64_t>(line.size());
}

/// Truncates the file after a failed write. No file was moved for an intent that could not be written.
void IntentFile::forget_rest() const noexcept try { own_.cut(name_, size_); } catch (os::SystemError const&) {
  return;
}

void IntentFile::keep(std::vector<Intent> const& intents) {
  std::string text;
  for (auto const& intent : intents) text += line_of(intent);
  own_.write_on(name_, 0, text);
  size_ = static_cast<std::int64_t>(text.size());
}

void IntentFile::clear() {
  size_ = 0;
  own_.cut(name_, 0);
}

}  // namespace andon::store::markdown
