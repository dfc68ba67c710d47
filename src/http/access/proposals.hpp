#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/proposal.hpp"
#include "api/request.hpp"
#include "core/id.hpp"
#include "http/access/routes.hpp"
#include "service/operation_context.hpp"

namespace andon::http {

/// A request that was refused because it brings commands, with everything that is needed to make it again.
struct Proposal {
  api::ProposalView view;
  std::string credential;  ///< the hash of the credential that asked
  Route const* route = nullptr;
  api::TextPairs path;
  std::string query;
  std::string body;
  std::optional<core::Revision> expected_rev{};
  service::Caller caller;
  std::chrono::steady_clock::time_point ends{};
};

/// The requests that wait until somebody on this machine confirms them, and the credentials that may bring
/// commands for a while. Bounded in number, size and time; it ends with the process. I/O thread only.
class Proposals {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kLife{15};
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kMostOfCredential = 8;
  static constexpr std::size_t kLargestBody = 256U << 10U;

  /// Keeps the request and gives it a code. The same request of one credential keeps its code. Nothing when
  /// too many wait or the body is too large.
  Proposal const* add(Proposal proposal, Time now);
  /// The living proposal with that code, in any case of letters and without its dash; null when there is
  /// none.
  Proposal* find(std::string_view code, Time now);

  void trust(std::string const& credential, Time now) { trusted_[credential] = now + kLife; }
  bool is_trusted(std::string const& credential, Time now) const {
    auto const found = trusted_.find(credential);
    return found != trusted_.end() && now < found->second;
  }

 private:
  void drop_ended(Time now);

  std::map<std::string, Proposal> by_code_;
  std::map<std::string, Time> trusted_;
};

}  // namespace andon::http
