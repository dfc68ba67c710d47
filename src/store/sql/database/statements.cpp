#include "store/sql/database/statements.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/text/ascii.hpp"
#include "os/embedded.hpp"
#include "store/sql/database/row_columns.hpp"

namespace andon::store::sql {
namespace {

using Files = std::span<EmbeddedFile const>;
using Texts = std::vector<NamedText>;

constexpr std::string_view kName = "-- name: ";

/// The files of each dialect, in the order of `Dialect`.
constexpr std::array kOwnFiles{&sqlite_files, &postgres_files};

bool is_migration(std::string_view file) { return !file.empty() && core::is_ascii_digit(file[0]); }

/// The text that stands for `{name}` or `{name:first:second}` in the text of a statement. `@` and `#` are
/// replaced by the two arguments.
struct Slot {
  std::string_view name;
  std::array<std::string_view, kOwnFiles.size()> texts;
};
constexpr std::array kSlots{
    Slot{"task", {kTaskColumns, kTaskColumns}},
    Slot{"token", {kTokenColumns, kTokenColumns}},
    Slot{"file", {kFileColumns, kFileColumns}},
    // The greatest of two values.
    Slot{"max", {"max", "greatest"}},
    // A join in the order in which it is written.
    Slot{"cross", {"CROSS JOIN", "JOIN"}},
    // SQLite refuses a statement that cannot use the index; PostgreSQL has no such words.
    Slot{"indexed", {"INDEXED BY @", ""}},
    // The names or numbers of a JSON list, as rows with the column `value`.
    Slot{"names",
         {"(SELECT value FROM json_each(@))", "(SELECT value FROM jsonb_array_elements_text(@::jsonb))"}},
    Slot{"ids",
         {"(SELECT value FROM json_each(@))",
          "(SELECT item::bigint AS value FROM jsonb_array_elements_text(@::jsonb) AS item)"}},
    // The tags in the details of a task, as rows `tag.value`.
    Slot{"tags",
         {"json_each(@, '$.tags') AS tag", "jsonb_array_elements_text(as_json(@) -> 'tags') AS tag (value)"}},
    // A text in a JSON document.
    Slot{"member", {"json_extract(@, '$.#')", "(as_json(@) ->> '#')"}},
};

void replace_all(std::string& text, char sign, std::string_view by) {
  for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at + by.size()))
    text.replace(at, 1, by);
}

/// The text for the slot between braces; nothing for words that are no slot.
std::optional<std::string> filled(std::string_view slot, Dialect dialect) {
  auto const first = slot.find(':'), second = slot.find(':', first == slot.npos ? first : first + 1);
  auto const found = std::ranges::find(kSlots, slot.substr(0, first), &Slot::name);
  if (found == kSlots.end()) return std::nullopt;
  std::string out{found->texts[static_cast<std::size_t>(dialect)]};
  if (second != slot.npos) replace_all(out, '#', slot.substr(second + 1));
  if (first != slot.npos) replace_all(out, '@', slot.substr(first + 1, second - first - 1));
  return out;
}

void fill_slots(std::string& text, Dialect dialect) {
  for (auto at = text.find('{'); at != std::string::npos; at = text.find('{', at)) {
    auto const end = text.find('}', at);
    if (end == std::string::npos) return;
    auto const by = filled(std::string_view{text}.substr(at + 1, end - at - 1), dialect);
    if (by) text.replace(at, end - at + 1, *by);
    at += by ? by->size() : 1;
  }
}

void add_statements(std::string_view file, Texts& out) {
  NamedText* open = nullptr;
  while (!file.empty()) {
    auto const end = file.find('\n');
    auto const line = file.substr(0, end);
    file.remove_prefix(end == std::string_view::npos ? file.size() : end + 1);
    if (line.starts_with(kName))
      open = &out.emplace_back(NamedText{std::string{line.substr(kName.size())}, {}});
    else if (open && !line.starts_with("--"))
      open->text.append(line).append("\n");
  }
}

Texts texts_of(Files files, Dialect dialect) {
  Texts out;
  for (auto const& file : files)
    if (!is_migration(file.path))
      add_statements({reinterpret_cast<char const*>(file.raw.data()), file.raw.size()}, out);
  for (auto& [name, text] : out) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ';')) text.pop_back();
    text += '\n';  // statements are assembled from such texts
    fill_slots(text, dialect);
  }
  return out;
}

NamedText& place_of(std::string const& name, Texts& in) {
  auto const found = std::ranges::find(in, name, &NamedText::name);
  return found != in.end() ? *found : in.emplace_back(NamedText{name, {}});
}

/// The shared statements, then those that only single databases have.
std::array<Texts, kOwnFiles.size()> all_texts() {
  std::array<Texts, kOwnFiles.size()> own, out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    own[i] = texts_of(kOwnFiles[i](), static_cast<Dialect>(i));
    out[i] = texts_of(statement_files(), static_cast<Dialect>(i));
  }
  for (auto& texts : out)
    for (auto const& of_one : own)
      for (auto const& named : of_one) place_of(named.name, texts);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (auto const& named : own[i]) place_of(named.name, out[i]).text = named.text;
  return out;
}

}  // namespace

std::span<NamedText const> named_texts(Dialect dialect) {
  static auto const texts = all_texts();
  return texts[static_cast<std::size_t>(dialect)];
}

Query::Query(std::string_view name) : index_{0} {
  auto const texts = named_texts(Dialect{});
  while (index_ < texts.size() && texts[index_].name != name) ++index_;
  if (index_ < texts.size()) return;
  std::fprintf(stderr, "no statement is named %.*s\n", static_cast<int>(name.size()), name.data());
  std::abort();
}

}  // namespace andon::store::sql
