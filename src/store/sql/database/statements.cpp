#include "store/sql/database/statements.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
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
constexpr std::array kOwnFiles{&sqlite_files};

bool is_migration(std::string_view file) { return !file.empty() && core::is_ascii_digit(file[0]); }

void render_template(std::string& text, std::string_view slot, std::string_view columns) {
  for (auto at = text.find(slot); at != std::string::npos; at = text.find(slot, at + columns.size()))
    text.replace(at, slot.size(), columns);
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

Texts texts_of(Files files) {
  Texts out;
  for (auto const& file : files)
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

NamedText& place_of(std::string const& name, Texts& in) {
  auto const found = std::ranges::find(in, name, &NamedText::name);
  return found != in.end() ? *found : in.emplace_back(NamedText{name, {}});
}

/// The shared statements, then those that only single databases have.
std::array<Texts, kOwnFiles.size()> all_texts() {
  std::array<Texts, kOwnFiles.size()> own, out;
  std::ranges::transform(kOwnFiles, own.begin(), [](auto const files) { return texts_of(files()); });
  out.fill(texts_of(statement_files()));
  for (auto& texts : out)
    for (auto const& of_one : own)
      for (auto const& named : of_one) place_of(named.name, texts);
  for (std::size_t dialect = 0; dialect < out.size(); ++dialect)
    for (auto const& named : own[dialect]) place_of(named.name, out[dialect]).text = named.text;
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
