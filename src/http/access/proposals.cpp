#include "http/access/proposals.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/text/ascii.hpp"
#include "os/random.hpp"

namespace andon::http {
namespace {

/// Letters and digits that people do not take for each other; 32 of them, five bits each.
constexpr std::string_view kAlphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
constexpr std::size_t kHalf = 4;

std::string new_code() {
  std::array<std::byte, 2 * kHalf> bytes{};
  os::random_bytes(bytes);
  std::string out;
  for (auto const byte : bytes) {
    if (out.size() == kHalf) out += '-';
    out += kAlphabet[std::to_integer<std::size_t>(byte) % kAlphabet.size()];
  }
  return out;
}

/// The code as it was given out: capital letters and a dash in the middle.
std::string written(std::string_view code) {
  std::string out;
  for (char const c : code) {
    if (c == '-') continue;
    if (out.size() == kHalf) out += '-';
    out += core::ascii_upper(c);
  }
  return out;
}

bool is_repeated(Proposal const& a, Proposal const& b) {
  return a.credential == b.credential && a.route == b.route && a.path == b.path && a.query == b.query &&
         a.body == b.body && a.view.state == b.view.state;
}

}  // namespace

Proposal const* Proposals::add(Proposal proposal, Time now) {
  drop_ended(now);
  for (auto& [code, known] : by_code_)
    if (is_repeated(known, proposal)) return &known;
  auto const of_credential = std::ranges::count_if(
      by_code_, [&](auto const& entry) { return entry.second.credential == proposal.credential; });
  bool const is_too_much = by_code_.size() >= kMost ||
                           static_cast<std::size_t>(of_credential) >= kMostOfCredential ||
                           proposal.body.size() > kLargestBody;
  if (is_too_much) return nullptr;
  proposal.view.code = new_code();
  proposal.ends = now + kLife;
  auto const code = proposal.view.code;
  return &by_code_.insert_or_assign(code, std::move(proposal)).first->second;
}

Proposal* Proposals::find(std::string_view code, Time now) {
  drop_ended(now);
  auto const found = by_code_.find(written(code));
  return found == by_code_.end() ? nullptr : &found->second;
}

void Proposals::drop_ended(Time now) {
  std::erase_if(by_code_, [&](auto const& entry) { return now >= entry.second.ends; });
  std::erase_if(trusted_, [&](auto const& entry) { return now >= entry.second; });
}

}  // namespace andon::http
