#include "runner/secrets/history_secrets.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "os/digest.hpp"
#include "os/random.hpp"
#include "runner/secrets/patch_reader.hpp"
#include "runner/secrets/secret_rules.hpp"
#include "runner/secrets/value_finder.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostAtOnce = 1'000;           ///< commits of one call
constexpr std::size_t kSmallOutput = 8U << 20U;      ///< after which the next call asks for more commits
constexpr std::size_t kMostPrinted = 512U << 20U;    ///< of all calls
constexpr std::size_t kMostExamined = 2048U << 20U;  ///< bytes that expressions look at
constexpr std::size_t kMarkBytes = 16;

using Commits = std::span<std::string const>;

/// The line of a text with that number, from 0.
std::string_view line_at(std::string_view text, std::size_t number) {
  for (; number > 0 && !text.empty(); --number)
    text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  return text.substr(0, text.find('\n'));
}

/// Collects places from texts.
class SecretCollector {
 public:
  explicit SecretCollector(std::vector<std::string> const& values) : values_(values) {}

  void take(BroughtText const& brought) {
    take_known(brought, brought.text);
    if (brought.text.contains('\0')) {
      std::string plain{brought.text};
      std::erase(plain, '\0');
      take_known(brought, plain);
    }
    take_likely(brought);
  }

  HistorySecrets finish() {
    found_.is_cut = effort_.is_spent;
    return std::move(found_);
  }

 private:
  void take_known(BroughtText const& brought, std::string_view text) {
    auto line = brought.line;
    std::size_t counted = 0;
    for (auto at = values_.find(text); at && found_.known.size() < kMostSecretPlaces;) {
      line += std::ranges::count(text.substr(counted, *at - counted), '\n');
      counted = *at;
      auto const end = text.find('\n', *at);
      auto const begin = text.rfind('\n', *at) + 1;
      add(found_.known, brought, line, "a secret of this machine", text.substr(begin, end - begin));
      at = end == std::string_view::npos ? std::nullopt : values_.find(text, end);
    }
  }

  void take_likely(BroughtText const& brought) {
    if (found_.likely.size() >= kMostSecretPlaces) return;
    auto const& rules = SecretRules::embedded();
    for (auto const& hit : rules.in_text(brought.path, brought.text, effort_))
      add(found_.likely, brought, brought.line + static_cast<std::int64_t>(hit.line), hit.rule,
          line_at(brought.text, hit.line));
    if (brought.line > 0 || brought.path.empty()) return;
    for (auto const& hit : rules.in_path(brought.path)) add(found_.likely, brought, 0, hit.rule, {});
  }

  static void add(std::vector<SecretPlace>& places, BroughtText const& brought, std::int64_t line,
                  std::string what, std::string_view text) {
    if (places.size() >= kMostSecretPlaces) return;
    SecretPlace place{std::string{brought.commit}, std::string{brought.path}, brought.line == 0 ? 0 : line,
                      std::move(what), digest_of_line(text)};
    // Two rules may know one token.
    bool const is_named = std::ranges::any_of(places, [&](SecretPlace const& other) {
      return other.commit == place.commit && other.path == place.path && other.line == place.line;
    });
    if (!is_named) places.push_back(std::move(place));
  }

  ValueFinder values_;
  SecretEffort effort_{.left = kMostExamined};
  HistorySecrets found_;
};

/// One call of git.
struct LogSlice {
  std::size_t printed = 0;
  bool is_cut = false;    ///< it printed more than is kept
  bool is_whole = false;  ///< all of it was understood
};

/// Reads the commits into the collector, except when they were cut and there are fewer to ask for.
LogSlice read_slice(Git const& git, Commits commits, SecretCollector& collector) {
  PatchReader reader{os::random_hex(kMarkBytes), [&](BroughtText const& text) { collector.take(text); }};
  auto arguments = reader.arguments();
  arguments.insert(arguments.end(), commits.begin(), commits.end());
  auto const answer = git.run(arguments);
  if (answer.cut && commits.size() > 1) return {.printed = answer.out.size(), .is_cut = true};
  bool const is_clear = reader.read(answer.out);
  return {answer.out.size(), answer.cut, is_clear && answer.good && !answer.cut};
}

/// Reads all commits in slices, which shrink until git prints no more than is kept. False when some are
/// missing.
bool read_all(Git const& git, Commits commits, SecretCollector& collector) {
  bool is_whole = true;
  std::size_t at_once = kMostAtOnce;
  std::size_t printed = 0;
  while (!commits.empty()) {
    if (printed > kMostPrinted) return false;
    auto const count = std::min(at_once, commits.size());
    auto const slice = read_slice(git, commits.first(count), collector);
    printed += slice.printed;
    if (slice.is_cut && count > 1) {
      at_once = count / 2;
      continue;
    }
    is_whole = is_whole && slice.is_whole;
    commits = commits.subspan(count);
    if (slice.printed < kSmallOutput) at_once = std::min(kMostAtOnce, at_once * 2);
  }
  return is_whole;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    out.emplace_back(line);
  }
  return out;
}

}  // namespace

std::string digest_of_line(std::string_view line) {
  auto const end = line.find_last_not_of(" \t\r");
  auto const begin = line.find_first_not_of(" \t\r");
  return os::hex(
      os::sha256(begin == std::string_view::npos ? std::string_view{} : line.substr(begin, end - begin + 1)));
}

HistorySecrets find_history_secrets(Git const& git, CommitRange const& commits,
                                    std::vector<std::string> const& values) {
  auto const list = git.run({"rev-list", "--reverse", commits.joined, "^" + commits.tip});
  SecretCollector collector{values};
  bool const is_whole = read_all(git, lines_of(list.out), collector) && list.good && !list.cut;
  auto out = collector.finish();
  out.is_cut = out.is_cut || !is_whole;
  return out;
}

}  // namespace andon::runner
