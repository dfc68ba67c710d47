#include "runner/merging/changed_entries.hpp"

#include <charconv>
#include <cstddef>

namespace andon::runner {
namespace {

constexpr std::size_t kLongOutput = 8U << 20U;  ///< class `Git` drops what is somewhat longer
constexpr std::size_t kBatchNames = 500;
constexpr std::size_t kBatchBytes = 64U << 10U;

/// The parts of an output whose parts end with a zero byte.
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}
  bool at_end() const { return rest_.empty(); }
  std::string_view next() {
    auto const end = rest_.find('\0');
    auto const part = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return part;
  }

 private:
  std::string_view rest_;
};

std::string_view word_of(std::string_view& rest) {
  auto const end = rest.find(' ');
  auto const word = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return word;
}

/// Reads `:100644 100644 BEFORE AFTER M` and the names behind it.
ChangedEntry entry_of(std::string_view head, Parts& parts) {
  ChangedEntry out;
  head.remove_prefix(1);
  out.mode_before = word_of(head);
  out.mode_after = word_of(head);
  out.is_submodule = out.mode_before == "160000" || out.mode_after == "160000";
  out.before = word_of(head);
  out.after = word_of(head);
  if (!head.empty()) out.status = head.front();
  out.from = parts.next();
  bool const has_two_names = out.status == 'R' || out.status == 'C';
  out.path = has_two_names ? std::string{parts.next()} : out.from;
  return out;
}

std::int64_t number_in(std::string_view text) {
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// Reads `ADDED\tREMOVED\tPATH`; the names of a renamed file stand behind it.
bool add_lines(std::string_view part, Parts& parts, ChangedEntry& entry) {
  auto const first = part.find('\t');
  auto const second = first == std::string_view::npos ? first : part.find('\t', first + 1);
  if (second == std::string_view::npos) return false;
  entry.added = number_in(part.substr(0, first));
  entry.removed = number_in(part.substr(first + 1, second - first - 1));
  entry.is_binary = part.starts_with('-');
  auto path = part.substr(second + 1);
  if (path.empty()) {
    parts.next();
    path = parts.next();
  }
  return path == entry.path;
}

}  // namespace

ChangedEntries parse_entries(std::string_view output) {
  ChangedEntries out;
  out.is_cut = is_cut_short(output);
  Parts parts{output};
  std::size_t counted = 0;
  while (!parts.at_end()) {
    auto const part = parts.next();
    if (part.empty()) continue;
    if (part.starts_with(':')) {
      out.entries.push_back(entry_of(part, parts));
      out.is_cut = out.is_cut || out.entries.back().path.empty();
    } else if (counted == out.entries.size() || !add_lines(part, parts, out.entries[counted++])) {
      out.is_cut = true;
      return out;
    }
  }
  if (counted > 0 && counted != out.entries.size()) out.is_cut = true;
  return out;
}

bool is_cut_short(std::string_view output) {
  return output.size() >= kLongOutput || (!output.empty() && !output.ends_with('\0'));
}

std::vector<std::vector<std::string>> in_batches(std::vector<std::string> const& names) {
  std::vector<std::vector<std::string>> out;
  std::size_t bytes = 0;
  for (auto const& name : names) {
    if (out.empty() || out.back().size() == kBatchNames || bytes > kBatchBytes) {
      out.emplace_back();
      bytes = 0;
    }
    out.back().push_back(name);
    bytes += name.size();
  }
  return out;
}

}  // namespace andon::runner
