#include "core/runs/fault_scope.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "core/text/without_numbers.hpp"

namespace andon::core {
namespace {

constexpr std::size_t kMostWords = 8;
constexpr std::size_t kFaultBytes = 2'048;

struct CauseRow {
  std::string_view cause;
  FaultScope scope;
  std::string_view advice;                         ///< the next step of a person
  std::array<std::string_view, kMostWords> words;  ///< in small letters; one of them is in the output
};

/// The first row with one of its words in the output counts.
constexpr std::array kCauses{
    CauseRow{"disk",
             FaultScope::machine,
             "free space on the disk",
             {"no space left on device", "enospc", "disk quota exceeded", "edquot"}},
    CauseRow{"memory",
             FaultScope::machine,
             "free memory on the machine",
             {"cannot allocate memory", "enomem", "std::bad_alloc"}},
    CauseRow{"certificate",
             FaultScope::board,
             "make the certificate known, such as by NODE_EXTRA_CA_CERTS or SSL_CERT_FILE in \"env\" of the "
             "board",
             {"self-signed certificate", "self signed certificate", "unable to get local issuer certificate",
              "unable_to_verify_leaf_signature", "certificate verify failed", "ssl certificate problem",
              "cert_has_expired", "x509: certificate"}},
    CauseRow{"network",
             FaultScope::board,
             "see whether the address can be reached, or set a proxy or another registry in \"env\" of the "
             "board",
             {"could not resolve host", "temporary failure in name resolution", "eai_again", "enotfound",
              "econnrefused", "connection refused", "network is unreachable", "etimedout"}},
    CauseRow{"registry",
             FaultScope::board,
             "pass on the credentials of the registry in \"env\" of the board",
             {"401 unauthorized", "403 forbidden", "code e401", "code e403", "authentication failed",
              "could not read username"}},
    CauseRow{"program",
             FaultScope::board,
             "install the program, or change the command of the board",
             {"command not found", ": not found", "no such file or directory", "could not run"}},
};

struct PlaceRow {
  std::string_view cause;
  std::string_view advice;
};

/// The cause of a failure without known words, in the order of `FaultPlace`. All are the board's.
constexpr std::array<PlaceRow, kFaultPlaces> kPlaces{
    PlaceRow{"repository", "see whether the repository of the board can be read"},
    PlaceRow{"set-up", "mend the set-up of the board"},
    PlaceRow{"check", "mend the check, or what it checks, on the default branch"},
    PlaceRow{"agent", ""},
};

Fault made(FaultScope scope, std::string_view cause, std::string_view advice, std::string_view words) {
  auto text = std::string{words.substr(0, words.find_last_not_of(" \t\r\n") + 1)};
  if (text.size() > kFaultBytes) {
    auto const first_line = std::string{beginning(text.substr(0, text.find('\n')), kFaultBytes / 4)};
    auto tail = std::string_view{text}.substr(text.size() - kFaultBytes / 2);
    while (!tail.empty() && (static_cast<unsigned char>(tail.front()) & 0xC0U) == 0x80U)
      tail.remove_prefix(1);
    text = first_line + "\n…\n" + std::string{tail};
  }
  if (!advice.empty()) text += "\nNext: " + std::string{advice};
  return {scope, std::string{cause}, std::move(text)};
}

CauseRow const* row_of(std::string_view words) {
  auto const small = ascii_lower(words);
  auto const row = std::ranges::find_if(kCauses, [&](CauseRow const& each) {
    return std::ranges::any_of(each.words,
                               [&](std::string_view word) { return !word.empty() && small.contains(word); });
  });
  return row == kCauses.end() ? nullptr : &*row;
}

/// The last line with words, with one `#` for each number.
std::string last_line_without_numbers(std::string_view text) {
  auto const end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  text = text.substr(text.find_last_of("\r\n") + 1);
  return without_numbers(text);
}

}  // namespace

std::optional<Fault> fault_of(FaultFacts const& facts) {
  if (facts.is_disk_full) {
    auto const& disk = kCauses.front();
    return made(disk.scope, disk.cause, disk.advice, facts.words);
  }
  if (facts.is_of_work || facts.place == FaultPlace::agent) return std::nullopt;
  auto const& [cause, advice] = kPlaces[static_cast<std::size_t>(facts.place)];
  auto const* row = row_of(facts.words);
  if (!row) return made(FaultScope::board, cause, advice, facts.words);
  bool const is_check = facts.place == FaultPlace::check;
  return made(row->scope, is_check ? cause : row->cause, row->advice, facts.words);
}

bool fails_alike(CheckResult const& one, CheckResult const& other) {
  if (one.passed || other.passed) return false;
  auto const code = [](CheckResult const& result) { return result.exit ? result.exit->code : std::nullopt; };
  return code(one) == code(other) &&
         last_line_without_numbers(one.output) == last_line_without_numbers(other.output);
}

std::optional<Duration> hold_of_fault(std::string_view cause, int times) {
  constexpr int kTriesOfCheck = 2;
  constexpr int kLongestDoubling = 6;
  if (cause == kPlaces[static_cast<std::size_t>(FaultPlace::check)].cause && times > kTriesOfCheck)
    return std::nullopt;
  auto const minutes = std::min(1 << std::clamp(times - 1, 0, kLongestDoubling), 60);
  return std::chrono::minutes{minutes};
}

}  // namespace andon::core
