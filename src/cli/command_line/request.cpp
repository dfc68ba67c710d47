#include "cli/command_line/request.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "api/operation.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using api::FlagKind;
using core::Code;
using core::Result;
using reflect::Kind;

constexpr std::size_t kLongestText = 4 << 20;
/// Words that take the rest of the line when it was not quoted.
constexpr std::array<std::string_view, 3> kSentences{"text", "reason", "q"};

bool is_sentence(std::string_view name) { return std::ranges::find(kSentences, name) != kSentences.end(); }

std::unexpected<core::Error> invalid(GivenFlag const& flag, std::string_view why) {
  return misuse("invalid argument \"" + flag.value + "\" for \"--" + flag.name +
                "\" flag: " + std::string{why});
}

Result<json::value> number_of(GivenFlag const& flag, bool whole) {
  auto const* const end = flag.value.data() + flag.value.size();
  std::int64_t n = 0;
  if (auto const r = std::from_chars(flag.value.data(), end, n); r.ec == std::errc{} && r.ptr == end)
    return json::value(n);
  double d = 0;
  auto const r = std::from_chars(flag.value.data(), end, d);
  if (whole || r.ec != std::errc{} || r.ptr != end)
    return invalid(flag, whole ? "must be a whole number" : "must be a number");
  return json::value(d);
}

Result<json::value> date_of(GivenFlag const& flag) {
  if (flag.value.empty() || core::parse_date(flag.value)) return json::value(flag.value);
  return core::refuse(invalid_date(flag.name, flag.value));
}

Result<json::value> json_of(GivenFlag const& flag) {
  auto parsed = reflect::parse_json(flag.value);
  if (parsed) return parsed;
  return core::refuse(Code::kInvalidInput, "\"--" + flag.name + "\" must be JSON: " + parsed.error().message,
                      flag.name);
}

/// `KEY=VALUE,KEY=VALUE` for a map of words or numbers; JSON for every other.
Result<json::value> map_of(reflect::Type const& type, GivenFlag const& flag);

/// The value of one flag as the member's type wants it.
Result<json::value> value_of(reflect::Type const& type, GivenFlag const& flag) {
  switch (type.kind) {
    case Kind::optional: return value_of(*type.element, flag);
    case Kind::boolean: return json::value(flag.value != "false");
    case Kind::integer: return number_of(flag, true);
    case Kind::number: return number_of(flag, false);
    case Kind::text:
      if (type.name == "date") return date_of(flag);
      return json::value(flag.value);
    case Kind::list:
      if (type.element->kind == Kind::object || type.element->kind == Kind::list) return json_of(flag);
      if (flag.value == kNoItems) return json::array{};
      return value_of(*type.element, flag);
    case Kind::map: return map_of(type, flag);
    default: return json_of(flag);
  }
}

Result<json::value> map_of(reflect::Type const& type, GivenFlag const& flag) {
  bool const plain =
      type.element && (type.element->kind == Kind::text || type.element->kind == Kind::integer);
  if (!plain || flag.value.starts_with('{')) return json_of(flag);
  json::object out;
  ANDON_TRY(auto const pairs, split_record(flag.value));
  for (auto const& pair : pairs) {
    auto const equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) return invalid(flag, "must be NAME=VALUE,NAME=VALUE");
    ANDON_TRY(out[pair.substr(0, equals)], value_of(*type.element, {flag.name, pair.substr(equals + 1)}));
  }
  return out;
}

bool is_list(reflect::Type const& type) {
  return type.kind == Kind::list || (type.kind == Kind::optional && is_list(*type.element));
}

/// kanban-md takes an empty date for none given.
bool is_date(reflect::Type const& type) {
  return type.name == "date" || (type.kind == Kind::optional && is_date(*type.element));
}

/// Sets a member; the items of a list gather.
void put(json::object& request, reflect::Member const& member, json::value value) {
  std::string_view const name = member.name;
  if (!is_list(*member.type)) {
    request[name] = std::move(value);
    return;
  }
  auto& list = request[name];
  if (!list.is_array()) list.emplace_array();
  if (auto* items = value.if_array())
    std::ranges::move(*items, std::back_inserter(list.get_array()));
  else
    list.get_array().push_back(std::move(value));
}

Result<std::string> content_of(Environment const& env, FlagKind how, std::string const& value) {
  bool const is_file = how == FlagKind::file || (how == FlagKind::text && value == "-") ||
                       (how == FlagKind::json_value && !value.starts_with('{') && !value.starts_with('['));
  return is_file ? read_text(env, value) : Result<std::string>{value};
}

Result<void> put_flag(Invocation& in, GivenFlag const& flag, json::object& request) {
  auto const& operation = *in.command().operation;
  auto const* listed = listed_flag(operation, flag.name);
  auto const how = listed ? listed->kind : FlagKind::field;
  if (how == FlagKind::handled) return {};
  auto const field = listed && !listed->field.empty() ? std::string{listed->field} : field_name(flag.name);
  auto const* member = reflect::find_member(*operation.request, field);
  if (!member) return {};
  if ((how == FlagKind::clears || how == FlagKind::blanks) && flag.value == "false") return {};
  if (how == FlagKind::clears) request[field] = nullptr;
  if (how == FlagKind::blanks) request[field] = "";
  if (how == FlagKind::clears || how == FlagKind::blanks) return {};
  if (flag.value.empty() && is_date(*member->type)) return {};
  ANDON_TRY(auto content, content_of(in.env(), how, flag.value));
  ANDON_TRY(auto value, value_of(*member->type, {flag.name, std::move(content)}));
  put(request, *member, std::move(value));
  return {};
}

bool looks_like_id(std::string_view word) {
  auto const dash = word.rfind('-');
  auto digits = word.starts_with('#')            ? word.substr(1)
                : dash == std::string_view::npos ? word
                                                 : word.substr(dash + 1);
  return !digits.empty() && digits.find_first_not_of("0123456789,# ") == std::string_view::npos &&
         !word.contains(' ');
}

std::string joined(std::span<std::string const> words, std::string_view between) {
  std::string out;
  for (auto const& word : words) out.append(out.empty() ? "" : between).append(word);
  return out;
}

std::unexpected<core::Error> no_task_id() {
  return core::refuse(Code::kInvalidTaskId, "no task ID was given", "id");
}

/// Gives every word its name. Missing ones are left out.
Result<std::vector<std::pair<std::string_view, std::string>>> assign(Invocation& in) {
  auto const names = positionals(in.command());
  std::span<std::string const> words = in.given().words;
  bool const has_task = !in.env().variable("ANDON_TASK").empty();
  std::vector<std::pair<std::string_view, std::string>> out;
  for (std::size_t i = 0; i < names.size() && !words.empty(); ++i) {
    auto const& name = names[i];
    bool const is_last = i + 1 == names.size();
    bool const is_only = words.size() == 1 && (has_task || !looks_like_id(words.front()));
    bool const skips = name.optional && !is_last && !names[i + 1].optional &&
                       (is_only || (is_sentence(names[i + 1].name) && !looks_like_id(words.front())));
    if (skips) continue;
    bool const takes_rest =
        is_last && (is_sentence(name.name) || (name.name == "id" && takes_many(in.command())));
    auto const taken = words.first(takes_rest ? words.size() : 1);
    out.emplace_back(name.name, joined(taken, is_sentence(name.name) ? " " : ","));
    words = words.subspan(taken.size());
  }
  if (!words.empty())
    return misuse("accepts at most " + std::to_string(names.size()) + " arg(s), received " +
                  std::to_string(in.given().words.size()));
  return out;
}

Result<void> put_words(Invocation& in, json::object& request) {
  ANDON_TRY(auto const assigned, assign(in));
  for (auto const& [name, word] : assigned) {
    if (in.given().value(flag_name(name)) && flag_name(name) != "board")
      return core::refuse(
          Code::kInvalidInput,
          "\"" + std::string{name} + "\" is given both as an argument and as --" + flag_name(name),
          std::string{name});
    auto const* member = reflect::find_member(*in.command().operation->request, name);
    if (!member) {
      request[name] = word;
      continue;
    }
    if (word.empty() && member->type->name == "task") return no_task_id();
    auto const* as_flag = listed_flag(*in.command().operation, flag_name(name));
    bool const is_text = as_flag && as_flag->kind == FlagKind::text;
    ANDON_TRY(auto content, content_of(in.env(), is_text ? FlagKind::text : FlagKind::field, word));
    ANDON_TRY(auto value, value_of(*member->type, {flag_name(name), std::move(content)}));
    put(request, *member, std::move(value));
  }
  return {};
}

/// Adds the run's own task, worker and epoch, and the chosen board.
Result<void> put_defaults(Invocation& in, json::object& request) {
  auto const& type = *in.command().operation->request;
  auto const* id = reflect::find_member(type, "id");
  auto const task = in.env().variable("ANDON_TASK");
  bool const may_miss = in.command().arguments.starts_with("id?");
  if (id && id->presence == core::required && may_miss && !request.contains("id") && !task.empty())
    request["id"] = task;
  if (auto const board = in.board(); !board.empty()) {
    if (reflect::find_member(type, "board") && !request.contains("board")) request["board"] = board;
    if (in.command().words == "pick" && !request.contains("boards"))
      request["boards"] = json::array{json::string{board}};
  }
  bool const is_task_id = !in.command().operation->path.starts_with("/automations");
  for (auto const& p : positionals(in.command()))
    if (auto const* member = reflect::find_member(type, p.name);
        member && member->presence == core::required && !request.contains(p.name) && p.name != "board" &&
        p.name != "status")
      return misuse(std::string{p.name == "id" && is_task_id ? "a task ID" : p.name} +
                    " is required: " + in.env().program + " " + usage_of(in.command()));
  return {};
}

/// Refuses what can be neither a number nor a key before any task is touched.
Result<void> check_id(std::string_view text) {
  auto const dash = text.rfind('-');
  auto const digits = text.substr(text.starts_with('#')                         ? 1
                                  : dash == std::string_view::npos || dash == 0 ? 0
                                                                                : dash + 1);
  if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos) return {};
  return core::refuse(core::Error{
      Code::kInvalidTaskId,
      "invalid task ID \"" + std::string{text} + "\": it is neither a number nor a key",
      "id",
      {},
      {}}.with("input", std::string{text}));
}

}  // namespace

core::Error invalid_date(std::string const& field, std::string const& input) {
  return core::Error{Code::kInvalidDate, "invalid date \"" + input + "\": expected YYYY-MM-DD", field, {}, {}}
      .with("field", field)
      .with("input", input);
}

Result<json::object> request_of(Invocation& in) {
  json::object request;
  for (auto const& flag : in.given().flags)
    if (std::ranges::none_of(global_flags(), [&](Flag const& g) { return g.name == flag.name; }))
      ANDON_CHECK(put_flag(in, flag, request));
  ANDON_CHECK(put_words(in, request));
  ANDON_CHECK(put_defaults(in, request));
  return request;
}

Result<std::vector<std::string>> split_ids(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (item.empty()) continue;
    ANDON_CHECK(check_id(item));
    if (std::ranges::find(out, item) == out.end()) out.emplace_back(item);
  }
  if (out.empty()) return no_task_id();
  return out;
}

Result<std::string> read_input(std::istream& in, std::size_t limit) {
  constexpr std::size_t kAtOnce = 64U << 10U;
  std::string text;
  while (in && text.size() <= limit) {
    auto const before = text.size();
    text.resize(before + std::min(kAtOnce, limit + 1 - before));
    in.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() <= limit) return text;
  return core::refuse(Code::kTooLarge, "the standard input holds more than the " +
                                           std::to_string(limit >> 20U) + " MiB that are read of it");
}

Result<std::string> read_text(Environment const& env, std::string const& file) {
  if (file == "-") return read_input(env.in, kLongestText);
  try {
    return os::read_file(env.directory / file, kLongestText);
  } catch (os::SystemError const& error) {
    return core::refuse(Code::kInvalidInput, error.what());
  }
}

}  // namespace andon::cli
