#include "store/sqlite/database/statements.hpp"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/text/ascii.hpp"
#include "os/embedded.hpp"
#include "store/sqlite/database/row_columns.hpp"

namespace andon::store::sqlite {
namespace {

constexpr std::string_view kName = "-- name: ";

bool is_migration(std::string_view file) { return !file.empty() && core::is_ascii_digit(file[0]); }

void render_template(std::string& text, std::string_view slot, std::string_view columns) {
  for (auto at = text.find(slot); at != std::string::npos; at = text.find(slot, at + columns.size()))
    text.replace(at, slot.size(), columns);
}

void add_statements(std::string_view file, std::vector<NamedText>& out) {
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

std::vector<NamedText> all_texts() {
  std::vector<NamedText> out;
  for (auto const& file : migration_files())
    if (!is_migration(file.path))
      add_statements({reinterpret_cast<char const*>(file.raw.data()), file.raw.size()}, out);
  for (auto& [name, text] : out) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ';')) text.pop_back();
    text += '\n';  // statements are assembled from such texts
    render_template(text, "{task}", kTaskColumns);
    render_template(text, "{token}", kTokenColumns);
    render_template(text, "{file}", kFileColumns);
  }
  return out;
}

}  // namespace

std::span<NamedText const> named_texts() {
  static std::vector<NamedText> const texts = all_texts();
  return texts;
}

Query::Query(std::string_view name) : index_{0} {
  auto const texts = named_texts();
  while (index_ < texts.size() && texts[index_].name != name) ++index_;
  if (index_ < texts.size()) return;
  std::fprintf(stderr, "no statement is named %.*s\n", static_cast<int>(name.size()), name.data());
  std::abort();
}

}  // namespace andon::store::sqlite
