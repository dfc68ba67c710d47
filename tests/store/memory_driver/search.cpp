#include "core/model/service_class.hpp"
#include "core/text/ascii.hpp"
#include "core/text/lower_case.hpp"
#include "core/text/names.hpp"
#include "store/memory_driver/memory_driver.hpp"

namespace andon::test {
namespace {

using core::SearchField;
using engine::SearchRequest;
using engine::SearchRows;
using Words = std::vector<std::string>;

/// The letters of U+00E0 to U+00FF without their marks; blank for those that have none.
constexpr std::string_view kUnmarked = "aaaaaa ceeeeiiii nooooo  uuuuy y";

/// Cuts some endings of English words off.
std::string stem(std::string word) {
  for (std::string_view const ending : {"ing", "ed", "s"})
    if (word.size() >= ending.size() + 3 && word.ends_with(ending))
      return word.erase(word.size() - ending.size());
  return word;
}

Words words_in(std::string_view text) {
  auto const lower = core::lower_case(text) + ' ';
  Words out;
  std::string word;
  for (std::size_t at = 0; at < lower.size(); ++at) {
    auto const sign = static_cast<unsigned char>(lower[at]);
    auto const next = at + 1 < lower.size() ? static_cast<unsigned char>(lower[at + 1]) : 0U;
    if (sign == 0xC3 && next >= 0xA0 && kUnmarked[next - 0xA0] != ' ')
      word += kUnmarked[next - 0xA0], ++at;
    else if (core::is_ascii_alphanumeric(lower[at]) || sign > 0x7F)
      word += lower[at];
    else if (!word.empty())
      out.push_back(stem(std::exchange(word, {})));
  }
  return out;
}

bool has_words(std::string const& text, Words const& words) {
  auto const all = words_in(text);
  return !std::ranges::search(all, words).empty();
}

/// The notes of each task, oldest first.
using Notes = std::map<core::TaskId, std::vector<std::string const*>>;

Notes notes_in(Tables const& tables) {
  Notes out;
  for (auto const& entry : tables.events)
    if (entry->event.task && !entry->note.empty()) out[*entry->event.task].push_back(&entry->note);
  return out;
}

/// The best text of a task that has some words, and the weight of that.
struct Hit {
  std::int64_t weight = 0;
  std::string const* text = nullptr;
};

Hit hit_of(core::Task const& task, Notes const& notes, Words const& words) {
  if (has_words(task.title, words)) return {1'000'000'000, &task.title};
  if (has_words(task.body, words)) return {10'000, &task.body};
  if (auto const found = notes.find(task.id); found != notes.end())
    for (auto const* note : found->second)
      if (has_words(*note, words)) return {1, note};
  return {};
}

bool is_in_state(core::Task const& task, std::string_view state, core::Instant now) {
  bool const is_open = !core::is_terminal(task.stage);
  if (state == "blocked") return task.blocked;
  if (state == "claimed") return is_claimed_at(task, now);
  if (state == "open") return is_open;
  if (state == "done") return core::is_done(task.stage);
  if (state == "archived") return core::is_archived(task.stage);
  if (state == "waiting") return task.state.open_deps > 0;
  auto const today = std::chrono::floor<std::chrono::days>(now).time_since_epoch().count();
  return state == "overdue" && is_open && task.due && *due_day(task) < today;
}

bool has_value(StoredTask const& row, SearchField field, std::string const& value, core::Instant now) {
  auto const& task = row.task;
  switch (field) {
    case SearchField::status: return task.status == value;
    case SearchField::stage: return core::to_text(task.stage) == value;
    case SearchField::tag: return contains(task.tags, value);
    case SearchField::class_: return task.class_.empty() ? value == core::kStandard : task.class_ == value;
    case SearchField::priority: return task.priority == value;
    case SearchField::assignee: return task.assignee == value;
    case SearchField::role: return task.role == value;
    case SearchField::board: return std::to_string(row.board) == value;
    case SearchField::claimed_by: return task.claimed_by == value && is_claimed_at(task, now);
    case SearchField::parent: return task.parent && std::to_string(*task.parent) == value;
    case SearchField::is: return is_in_state(task, value, now);
  }
  return false;
}

bool asks_for_archived(core::SearchCondition const& condition) {
  bool const can = condition.field == SearchField::is || condition.field == SearchField::stage ||
                   condition.field == SearchField::status;
  return can && !condition.without && std::ranges::any_of(condition.values, [](auto const& value) {
           return core::same_name(value, "archived");
         });
}

bool meets(StoredTask const& row, SearchRequest const& request) {
  auto const& conditions = request.query.conditions;
  if (core::is_archived(row.task.stage) && std::ranges::none_of(conditions, asks_for_archived)) return false;
  return std::ranges::all_of(conditions, [&](core::SearchCondition const& condition) {
    bool const has = std::ranges::any_of(condition.values, [&](auto const& value) {
      return has_value(row, condition.field, value, request.now);
    });
    return has != condition.without;
  });
}

/// The words of a query that can find a text.
struct Asked {
  Words words;
  bool without = false;
};

std::vector<Asked> asked_in(core::SearchQuery const& query) {
  std::vector<Asked> out;
  for (auto const& one : query.words)
    if (auto words = words_in(one.text); !words.empty()) out.push_back({std::move(words), one.without});
  return out;
}

/// Nothing when the task is no hit. A query without words finds no text.
std::optional<Hit> found(StoredTask const& row, Notes const& notes, std::vector<Asked> const& asked,
                         SearchRequest const& request) {
  if (!meets(row, request)) return std::nullopt;
  Hit out, best;
  for (auto const& [words, without] : asked) {
    auto const hit = hit_of(row.task, notes, words);
    if ((hit.text != nullptr) == without) return std::nullopt;
    out.weight += hit.weight;
    if (hit.weight > best.weight) best = hit;
  }
  out.text = best.text;
  return out;
}

}  // namespace

/// Looks at all tasks, so the words of a query are never too common, and no text is ever stale.
SearchRows MemorySession::search(SearchRequest const& request) {
  auto const& tables = look();
  auto const asked = asked_in(request.query);
  SearchRows out;
  if (asked.empty() && request.query.conditions.empty()) return out;
  auto const notes = notes_in(tables);
  bool const walks = engine::walks_tasks(request.query);
  std::vector<std::pair<Hit, StoredTask const*>> hits;
  for (auto const& [id, row] : tables.tasks)
    if (auto const hit = found(*row, notes, asked, request); hit && (!walks || id > request.after))
      hits.emplace_back(*hit, row.get());
  std::ranges::sort(hits, {},
                    [](auto const& entry) { return std::pair{-entry.first.weight, entry.second->task.id}; });
  auto const skip = std::min(walks ? 0 : request.skip, hits.size());
  hits.erase(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(skip));
  out.more = hits.size() > request.limit;
  if (out.more) hits.resize(request.limit);
  for (auto const& [hit, row] : hits) {
    out.rows.push_back({shown(*row), hit.text ? *hit.text : std::string{}});
    out.after = row->task.id;
  }
  return out;
}

}  // namespace andon::test
