#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <boost/json/serialize.hpp>

#include "api/operation.hpp"
#include "cli/import/import_file.hpp"
#include "core/model/plain_field.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "core/time/time.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;

struct FieldMeaning {
  std::string_view name;  ///< as `core::folded` makes it
  std::string_view field;
  ImportRow::Becomes becomes;
};
using enum ImportRow::Becomes;
constexpr std::array kFieldMeanings{
    // clang-format off
    FieldMeaning{"id", "ref", ref}, FieldMeaning{"key", "ref", ref}, FieldMeaning{"ref", "ref", ref},
    FieldMeaning{"number", "ref", ref}, FieldMeaning{"issue", "ref", ref},
    FieldMeaning{"issuekey", "ref", ref}, FieldMeaning{"issueid", "ref", ref},
    FieldMeaning{"title", "title", text}, FieldMeaning{"summary", "title", text},
    FieldMeaning{"name", "title", text}, FieldMeaning{"task", "title", text},
    FieldMeaning{"subject", "title", text},
    FieldMeaning{"body", "body", text}, FieldMeaning{"description", "body", text},
    FieldMeaning{"brief", "body", text}, FieldMeaning{"notes", "body", text},
    FieldMeaning{"details", "body", text},
    FieldMeaning{"status", "status", text}, FieldMeaning{"column", "status", text},
    FieldMeaning{"state", "status", text}, FieldMeaning{"list", "status", text},
    FieldMeaning{"stage", "stage", text}, FieldMeaning{"priority", "priority", text},
    FieldMeaning{"class", "class", text}, FieldMeaning{"role", "role", text},
    FieldMeaning{"assignee", "assignee", person}, FieldMeaning{"assignees", "assignee", person},
    FieldMeaning{"assignedto", "assignee", person}, FieldMeaning{"owner", "assignee", person},
    FieldMeaning{"worker", "assignee", person},
    FieldMeaning{"tags", "tags", words}, FieldMeaning{"tag", "tags", words},
    FieldMeaning{"labels", "tags", words}, FieldMeaning{"label", "tags", words},
    FieldMeaning{"touches", "touches", words}, FieldMeaning{"checks", "checks", words},
    FieldMeaning{"due", "due", date}, FieldMeaning{"duedate", "due", date},
    FieldMeaning{"deadline", "due", date},
    FieldMeaning{"parent", "parent", task}, FieldMeaning{"parentid", "parent", task},
    FieldMeaning{"parenttaskid", "parent", task}, FieldMeaning{"epic", "parent", task},
    FieldMeaning{"dependson", "depends_on", tasks}, FieldMeaning{"dependencies", "depends_on", tasks},
    FieldMeaning{"blockedby", "depends_on", tasks},
    FieldMeaning{"blocked", "blocked", blocked}, FieldMeaning{"blockreason", "blocked", text},
    FieldMeaning{"blockedreason", "blocked", text},
    FieldMeaning{"created", "created", time}, FieldMeaning{"createdat", "created", time},
    FieldMeaning{"createddate", "created", time},
    FieldMeaning{"started", "started", time}, FieldMeaning{"startedat", "started", time},
    FieldMeaning{"completed", "completed", time}, FieldMeaning{"completedat", "completed", time},
    FieldMeaning{"closedat", "completed", time}, FieldMeaning{"resolved", "completed", time},
    FieldMeaning{"review", "review", text}, FieldMeaning{"notbefore", "not_before", time},
    FieldMeaning{"nexttasks", "next_tasks", whole}, FieldMeaning{"maxattempts", "max_attempts", whole},
    FieldMeaning{"autocomplete", "autocomplete", whole},
    FieldMeaning{"claimedby", "", claim},
    FieldMeaning{"claimedat", "", nothing}, FieldMeaning{"claimexpires", "", nothing},
    FieldMeaning{"updated", "", nothing}, FieldMeaning{"updatedat", "", nothing},
    FieldMeaning{"updateddate", "", nothing},
    FieldMeaning{"epoch", "", nothing}, FieldMeaning{"rev", "", nothing}, FieldMeaning{"rank", "", nothing},
    FieldMeaning{"ordinal", "", nothing}, FieldMeaning{"board", "", nothing},
    FieldMeaning{"file", "", nothing},
    FieldMeaning{"children", "", nothing}, FieldMeaning{"source", "", nothing},
    FieldMeaning{"createdby", "", nothing}, FieldMeaning{"approved", "", nothing},
    FieldMeaning{"attempt", "", nothing}, FieldMeaning{"run", "", nothing},
    FieldMeaning{"flag", "", nothing},
    // clang-format on
};

std::optional<FieldMeaning> meaning_of(std::string_view folded) {
  auto const known = std::ranges::find(kFieldMeanings, folded, &FieldMeaning::name);
  if (known != kFieldMeanings.end()) return *known;
  for (auto const& field : core::kPlainFields)
    if (core::folded(field.name) == folded || api::names_field(field.other_names, folded))
      return FieldMeaning{field.name, field.name, text};
  return std::nullopt;
}

std::string text_in(json::value const& value) {
  if (auto const* text = value.if_string()) return {text->data(), text->size()};
  return value.is_null() ? "" : json::serialize(value);
}

std::string stripped(std::string_view text) {
  auto const first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string{text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1)};
}

/// The texts of a list, or of one text with commas or semicolons between them.
std::vector<std::string> words_of(json::value const& value) {
  std::vector<std::string> out;
  if (auto const* items = value.if_array()) {
    for (auto const& item : *items)
      if (auto word = stripped(text_in(item)); !word.empty()) out.push_back(std::move(word));
    return out;
  }
  auto const whole = text_in(value);
  for (std::string_view rest = whole; !rest.empty();) {
    auto const word = rest.substr(0, rest.find_first_of(",;"));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (auto text = stripped(word); !text.empty()) out.push_back(std::move(text));
  }
  return out;
}

/// One name for what is written `#12`, `12`, `task-12` and `TASK-12`.
std::string ref_of(std::string text) {
  text = stripped(text);
  if (text.starts_with('#')) text.erase(0, 1);
  return core::ascii_lower(text);
}

json::array refs_of(json::value const& value) {
  json::array out;
  for (auto& word : words_of(value))
    if (auto ref = ref_of(std::move(word)); !ref.empty()) out.emplace_back(ref);
  return out;
}

/// Whether several fields of one task may say something of it, all of which is kept.
bool adds_up(FieldMeaning const& meaning) {
  return meaning.becomes == words || meaning.becomes == tasks || meaning.field == "body";
}

/// Whether a cell of a table means yes: `yes`, `TRUE` or 1.
bool is_yes(std::string_view text) {
  auto const word = core::folded(text);
  return word == "true" || word == "yes" || word == "1";
}

}  // namespace

void ImportRow::take(std::string_view field, json::value const& value) {
  auto const* items = value.if_array();
  auto const folded = core::folded(field);
  auto const meaning = meaning_of(folded);
  bool const is_empty = value.is_null() || (items && items->empty()) || stripped(text_in(value)).empty();
  if (is_empty) return;
  if (!meaning) return remark("\"" + std::string{field} + "\" has no place on a board; left out");
  auto const name = meaning->field;
  bool const is_first = !item_.fields.contains(name);
  auto const before = is_first ? json::value{} : item_.fields[name];
  fill(meaning->becomes, name, value);
  if (is_first || adds_up(*meaning) || item_.fields[name] == before) return;
  item_.fields[name] = before;
  remark("\"" + std::string{field} + "\" says something else of the " + std::string{name} + "; left out");
}

void ImportRow::fill(Becomes becomes, std::string_view name, json::value const& value) {
  switch (becomes) {
    case text: return take_text(name, text_in(value));
    case words: return take_words(name, value);
    case task: return take_task(name, value);
    case tasks: return take_tasks(name, value);
    case person: return take_person(value);
    case date: return take_date(name, stripped(text_in(value)));
    case time: return take_time(name, stripped(text_in(value)));
    case ref: item_.names.push_back(ref_of(text_in(value))); return;
    case blocked: blocked_ = is_yes(stripped(text_in(value))); return;
    case whole: return take_whole(name, value);
    case claim: return remark("the claim of \"" + stripped(text_in(value)) + "\" is not taken over");
    case nothing: return;
  }
}

void ImportRow::take_text(std::string_view name, std::string const& text) {
  if (name != "body") return put_text(name, stripped(text));
  auto const* there = item_.fields.if_contains(name);
  put_text(name, there ? text_in(*there) + "\n\n" + text : text);
}

void ImportRow::take_words(std::string_view name, json::value const& value) {
  auto const& there = item_.fields[name];
  json::array out = there.is_array() ? there.get_array() : json::array{};
  for (auto const& word : words_of(value)) out.emplace_back(word);
  put(name, std::move(out));
}

void ImportRow::take_tasks(std::string_view name, json::value const& value) {
  auto const* there = item_.fields.if_contains(name);
  auto out = there ? there->as_array() : json::array{};
  for (auto const& ref : refs_of(value)) out.push_back(ref);
  put(name, std::move(out));
}

void ImportRow::take_task(std::string_view name, json::value const& value) {
  if (auto refs = refs_of(value); !refs.empty()) put(name, refs.front());
}

void ImportRow::take_person(json::value const& value) {
  auto people = words_of(value);
  for (auto& person : people)
    if (person.starts_with('@')) person.erase(0, 1);
  if (people.empty()) return;
  put_text("assignee", people.front());
  for (std::size_t i = 1; i < people.size(); ++i)
    remark("\"" + people[i] + "\" is a second assignee; a task has one");
}

void ImportRow::take_date(std::string_view name, std::string const& text) {
  if (core::parse_date(std::string_view{text}.substr(0, 10)))
    put_text(name, text.substr(0, 10));
  else
    remark("\"" + text + "\" is no date (YYYY-MM-DD); left out");
}

/// Also takes a day, and a day with hours and minutes, both meant in UTC.
void ImportRow::take_time(std::string_view name, std::string const& text) {
  auto const minutes = text.size() == 16 ? text.substr(0, 10) + "T" + text.substr(11) + ":00Z" : "";
  for (auto const& form : {text, text + "T00:00:00Z", minutes})
    if (auto const at = core::parse_instant(form)) return put_text(name, core::to_text(*at));
  remark("\"" + text + "\" is no time; left out");
}

void ImportRow::take_whole(std::string_view name, json::value const& value) {
  if (value.is_string())
    remark("\"" + std::string{name} + "\" cannot be read from a text; left out");
  else
    put(name, value);
}

void ImportRow::add() {
  auto const* title = item_.fields.if_contains("title");
  if (!title) return remark("it has no title; left out");
  if (blocked_ && !item_.fields.contains("blocked")) put("blocked", "blocked before it was imported");
  item_.ref = item_.names.empty() ? place_ : item_.names.front();
  item_.fields["ref"] = item_.ref;
  item_.place = place_;
  file_.items.push_back(std::move(item_));
  item_ = {};
}

void use_refs(ImportFile& file) {
  std::map<std::string, std::string> refs;
  for (auto const& item : file.items)
    for (auto const& name : item.names) refs.emplace(name, item.ref);
  for (auto const& item : file.items) refs[item.ref] = item.ref;
  auto const use_ref = [&](json::value& name) {
    if (auto const found = refs.find(text_in(name)); found != refs.end()) name = json::value(found->second);
  };
  for (auto& item : file.items) {
    if (auto* parent = item.fields.if_contains("parent")) use_ref(*parent);
    if (auto* others = item.fields.if_contains("depends_on"))
      for (auto& other : others->as_array()) use_ref(other);
  }
}

void gather(std::vector<ImportRemark>& remarks) {
  std::map<std::string, std::size_t> counts;
  for (auto const& remark : remarks) ++counts[remark.says];
  std::vector<ImportRemark> out;
  for (auto& remark : remarks) {
    auto& count = counts[remark.says];
    if (count == 0) continue;
    if (count > 1) remark.says += " (here and in " + std::to_string(count - 1) + " more)";
    count = 0;
    out.push_back(std::move(remark));
  }
  remarks = std::move(out);
}

}  // namespace andon::cli
