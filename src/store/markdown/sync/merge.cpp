// Merges a task file of two branches, `ours` and `theirs`, whose common ancestor is `base`.
//
// 1. Refuse files of different tasks: their `id` or `created` differs.
// 2. Begin with `ours`, and treat the keys one by one. The keys of a group in `kGroups` are treated as one.
// 3. A key that only one side changed gets that side's value.
// 4. A list of words that both sides changed differently gets the words of both, without those either side
//    removed.
// 5. A claim that both sides changed is the one with the higher epoch, then with the later `claimed_at`, then
//    of the side with the later `updated`.
// 6. Any other key that both sides changed gets the value of the side with the later `updated`.
// 7. Bodies: take the only changed one. When both sides appended text, keep both, the earlier first.
//    Otherwise merge them by lines.

#include "store/markdown/sync/merge.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <tuple>

#include "core/time/time.hpp"
#include "store/markdown/yaml/front_matter.hpp"
#include "store/markdown/yaml/front_matter_reading.hpp"
#include "store/markdown/yaml/settings_file.hpp"
#include "store/markdown/yaml/task_file.hpp"

namespace andon::store::markdown {
namespace {

using core::Result;
using reflect::YamlNode;
using Keys = std::vector<std::string_view>;

/// Keys whose values are valid only together.
std::array<Keys, 3> const kGroups{Keys{"claimed_by", "claimed_at", "epoch"}, Keys{"status", "completed"},
                                  Keys{"blocked", "block_reason", "question"}};

struct Files {
  FrontMatter base, ours, theirs;
};

template <class List, class Item>
bool has(List const& list, Item const& item) {
  return std::ranges::find(list, item) != list.end();
}

std::string word(FrontMatter const& file, std::string_view key) {
  auto const* entry = file.find(key);
  return entry ? entry->value.text : std::string{};
}

std::int64_t number(std::string_view text) {
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

core::Instant instant(std::string_view text) {
  return core::parse_instant(text).value_or(core::Instant::min());
}

bool same(YamlNode const* a, YamlNode const* b) {
  if (!a || !b) return a == b;
  auto const same_entry = [](reflect::YamlEntry const& x, reflect::YamlEntry const& y) {
    return x.key == y.key && same(&x.value, &y.value);
  };
  return a->kind == b->kind && a->text == b->text &&
         std::ranges::equal(a->items, b->items, [](auto const& x, auto const& y) { return same(&x, &y); }) &&
         std::ranges::equal(a->entries, b->entries, same_entry);
}

bool same_in(FrontMatter const& a, FrontMatter const& b, Keys const& keys) {
  return std::ranges::all_of(keys, [&](std::string_view key) {
    auto const *left = a.find(key), *right = b.find(key);
    return same(left ? &left->value : nullptr, right ? &right->value : nullptr);
  });
}

bool is_list_of_words(Entry const* entry) {
  return !entry || (entry->value.kind == YamlNode::Kind::list &&
                    std::ranges::all_of(entry->value.items, [](YamlNode const& item) {
                      return item.kind == YamlNode::Kind::scalar;
                    }));
}

bool are_lists(Files const& files, std::string_view key) {
  auto const *ours = files.ours.find(key), *theirs = files.theirs.find(key);
  return (ours || theirs) && is_list_of_words(ours) && is_list_of_words(theirs) &&
         is_list_of_words(files.base.find(key));
}

std::vector<std::string> words_in(FrontMatter const& file, std::string_view key) {
  std::vector<std::string> out;
  if (auto const* entry = file.find(key))
    for (auto const& item : entry->value.items) out.push_back(item.text);
  return out;
}

/// The items of both lists, those of `ours` first, without the items that either side removed.
NewValue united(Files const& files, std::string_view key) {
  auto const base = words_in(files.base, key), ours = words_in(files.ours, key),
             theirs = words_in(files.theirs, key);
  NewValue out;
  auto const take = [&](std::string const& item) {
    bool const taken_out = has(base, item) && !(has(ours, item) && has(theirs, item));
    if (!taken_out && !has(out.items, item)) out.items.push_back(item);
  };
  std::ranges::for_each(ours, take);
  std::ranges::for_each(theirs, take);
  if (!out.items.empty()) out.kind = NewValue::Kind::list;
  out.as_they_are = std::ranges::all_of(out.items, [](std::string const& item) {
    return item.find_first_not_of("0123456789") == std::string::npos;
  });
  return out;
}

bool is_later(Files const& files) {
  return instant(word(files.theirs, "updated")) > instant(word(files.ours, "updated"));
}

/// Whether the claim in `theirs` wins over the one in `ours`.
bool is_later_claim(Files const& files) {
  auto const ours = number(word(files.ours, "epoch")), theirs = number(word(files.theirs, "epoch"));
  if (ours != theirs) return theirs > ours;
  auto const our_claim = instant(word(files.ours, "claimed_at")),
             their_claim = instant(word(files.theirs, "claimed_at"));
  bool const both = our_claim != core::Instant::min() && their_claim != core::Instant::min();
  return both && our_claim != their_claim ? their_claim > our_claim : is_later(files);
}

Keys group_of(std::string_view key) {
  for (auto const& group : kGroups)
    if (has(group, key)) return group;
  return {key};
}

bool takes_theirs(Files const& files, Keys const& keys) {
  if (same_in(files.ours, files.theirs, keys) || same_in(files.theirs, files.base, keys)) return false;
  if (same_in(files.ours, files.base, keys)) return true;
  return keys.front() == "claimed_by" ? is_later_claim(files) : is_later(files);
}

void merge_keys(Files const& files, Keys const& keys, FrontMatter& out) {
  auto const key = keys.front();
  bool const changed_by_both = !same_in(files.ours, files.base, keys) &&
                               !same_in(files.theirs, files.base, keys) &&
                               !same_in(files.ours, files.theirs, keys);
  if (changed_by_both && keys.size() == 1 && are_lists(files, key))
    return out.set(key, united(files, key), key_order());
  if (takes_theirs(files, keys))
    for (auto const each : keys) out.take(each, files.theirs, key_order());
}

Result<FrontMatter> base_of(std::string const& text) {
  if (text.empty()) return FrontMatter::empty();
  return FrontMatter::parse(text, "base");
}

/// Refuses two files of different tasks: both sides may have given one number to a new task.
Result<void> check_same_task(Files const& files) {
  bool const same_number = word(files.ours, "id") == word(files.theirs, "id");
  bool const same_birth = word(files.ours, "created") == word(files.theirs, "created");
  if (same_number && same_birth) return {};
  return malformed("theirs", {}, "expected a state of task #" + word(files.ours, "id"));
}

/// The body with the texts that both sides appended, the earlier first; nothing when either side changed more
/// than that.
std::optional<std::string> both_appended(Sides const& bodies, bool theirs_is_later) {
  auto const goes_on = [&](std::string const& text) {
    return !bodies.base.empty() && text.starts_with(bodies.base + "\n");
  };
  if (!goes_on(bodies.ours) || !goes_on(bodies.theirs)) return std::nullopt;
  auto const& [first, second] =
      theirs_is_later ? std::tie(bodies.ours, bodies.theirs) : std::tie(bodies.theirs, bodies.ours);
  return first + second.substr(bodies.base.size());
}

Result<Merged> merged_body(Files const& files, MergeLines const& lines) {
  Sides const bodies{files.base.body(), files.ours.body(), files.theirs.body()};
  if (bodies.ours == bodies.theirs || bodies.theirs == bodies.base) return Merged{bodies.ours};
  if (bodies.ours == bodies.base) return Merged{bodies.theirs};
  if (auto both = both_appended(bodies, is_later(files))) return Merged{*std::move(both)};
  auto const ended = [](std::string text) { return text.empty() ? text : text + "\n"; };
  ANDON_TRY(auto merged, lines({ended(bodies.base), ended(bodies.ours), ended(bodies.theirs)}));
  if (merged.text.ends_with('\n')) merged.text.pop_back();
  return merged;
}

std::int64_t next_id(SettingsFile const& file) { return number(file.word({"next_id"})); }

}  // namespace

Result<Merged> merge_task_files(Sides const& sides, MergeLines const& lines) {
  ANDON_TRY(auto base, base_of(sides.base));
  ANDON_TRY(auto ours, FrontMatter::parse(sides.ours, "ours"));
  ANDON_TRY(auto theirs, FrontMatter::parse(sides.theirs, "theirs"));
  Files const files{std::move(base), std::move(ours), std::move(theirs)};
  ANDON_CHECK(check_same_task(files));
  std::set<Keys> seen;
  auto out = files.ours;
  for (auto const* file : {&files.ours, &files.theirs})
    for (auto const& entry : file->entries())
      if (auto const keys = group_of(entry.key); seen.insert(keys).second) merge_keys(files, keys, out);
  ANDON_TRY(auto const body, merged_body(files, lines));
  out.set_body(body.text);
  return Merged{out.text(), body.is_clean};
}

Result<Merged> merge_settings(Sides const& sides, MergeLines const& lines) {
  auto const parsed = [](std::string const& text, std::string_view name) {
    return SettingsFile::parse(text.empty() ? std::string{"{}"} : text, name);
  };
  ANDON_TRY(auto const base, parsed(sides.base, "base"));
  ANDON_TRY(auto const ours, parsed(sides.ours, "ours"));
  ANDON_TRY(auto const theirs, parsed(sides.theirs, "theirs"));
  auto const highest = std::to_string(std::max({next_id(base), next_id(ours), next_id(theirs)}));
  auto const raised = [&](SettingsFile file, std::string const& text) {
    if (!file.find({"next_id"})) return text;
    file.set({"next_id"}, highest);
    return file.text();
  };
  return lines({raised(base, sides.base), raised(ours, sides.ours), raised(theirs, sides.theirs)});
}

}  // namespace andon::store::markdown
