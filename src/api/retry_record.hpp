#pragma once

#include <optional>
#include <string>

#include "api/call.hpp"
#include "store/contract/tx.hpp"

namespace andon::api {

/// The record of a write under the client's idempotency key. With it, a retried request has one effect and
/// the same answer.
struct RetryRecord {
  std::string key;          ///< empty when the client gave none
  std::string fingerprint;  ///< of operation and request
  std::optional<std::string> answer;

  /// Finds the answer of an earlier attempt. Refuses a key that was used for something else.
  static core::Result<RetryRecord> open(Call const& call, store::Tx& tx);
  void keep(store::Tx& tx, std::string const& json, core::Instant now) const;
};

}  // namespace andon::api
