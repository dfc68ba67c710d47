#include "runner/merging/obeyed_changes.hpp"

#include <algorithm>
#include <set>

#include "core/runs/obeyed_parts.hpp"
#include "core/runs/path_kinds.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kMostRead = 200;  ///< files
constexpr std::size_t kMostShownLines = 20;
constexpr std::int64_t kMostBytes = 16 << 20;

bool is_lock(std::string const& path) { return !core::manifests_of(path).empty(); }

/// The hosts in the addresses of a text, such as `registry.npmjs.org`.
Lines hosts_in(std::string_view text) {
  std::set<std::string_view> out;
  for (auto at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
    auto const rest = text.substr(at + 3, 253);
    out.insert(rest.substr(0, rest.find_first_of("/\"' \t\r\n)<>]},")));
  }
  return {out.begin(), out.end()};
}

/// The object of a file as text; empty for none.
std::string content_of(Git const& git, std::string const& object) {
  bool const is_none = object.find_first_not_of('0') == std::string::npos;
  return is_none ? std::string{} : git.text({"cat-file", "blob", object}).value_or("");
}

Lines obeyed_in(std::string const& path, std::string const& text, Lines const& tools) {
  if (!is_lock(path)) return core::obeyed_parts(path, text, tools);
  auto out = hosts_in(text);
  for (auto& host : out) host = "packages from " + host;
  return out;
}

/// The lines of the first list that the second lacks, each as often as it is there more often.
Lines missing_in(Lines const& lines, Lines const& others) {
  std::multiset<std::string> left{others.begin(), others.end()};
  Lines out;
  for (auto const& line : lines) {
    auto const found = left.find(line);
    if (found == left.end())
      out.push_back(line);
    else
      left.erase(found);
  }
  return out;
}

void add_shown(core::LandedFile& file, std::string_view sign, Lines const& lines) {
  for (auto const& line : lines) {
    if (file.lines.size() > 2 * kMostShownLines) return;
    file.lines.push_back({core::LandedLine::Kind::obeyed, 0, std::string{sign} + as_utf8(line)});
  }
}

void compare(Git const& git, ChangedEntry const& entry, Lines const& tools, core::LandedFile& file) {
  auto const before = content_of(git, entry.before), after = content_of(git, entry.after);
  bool const is_new_lock = is_lock(entry.path) && before.empty();
  if (is_new_lock) return;
  auto const old_lines = obeyed_in(entry.from, before, tools), lines = obeyed_in(entry.path, after, tools);
  add_shown(file, "+ ", missing_in(lines, old_lines));
  if (!is_lock(entry.path)) add_shown(file, "- ", missing_in(old_lines, lines));
}

}  // namespace

void find_obeyed_changes(Git const& git, std::vector<ChangedEntry> const& entries,
                         core::LandedChange& change) {
  std::size_t read = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const& entry = entries[i];
    auto& file = change.files[i];
    bool const has_parts = core::has_obeyed_parts(entry.path) || core::has_obeyed_parts(entry.from);
    if (entry.is_submodule || (!has_parts && !is_lock(entry.path))) continue;
    bool const is_large = file.bytes_before > kMostBytes || file.bytes_after > kMostBytes;
    change.is_cut = change.is_cut || is_large || read >= kMostRead;
    if (!is_large && read++ < kMostRead) compare(git, entry, change.tools, file);
  }
}

}  // namespace andon::runner
