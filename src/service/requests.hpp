#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "service/reference.hpp"

namespace andon::service {

// Requests that several operations share. Those that can meet a claim carry the proof of holding it.

/// The proof that a caller may change a claimed task. Every request that changes one contains it.
struct Proof {
  std::string claim;                 ///< name it claims to hold the task under; its own name when empty
  std::optional<core::Epoch> epoch;  ///< fencing number
  bool force = false;
};

inline constexpr core::Field kIdField{"id", "Task by number or key", core::required};
inline constexpr core::Field kClaimField{"claim",
                                         "Name that holds the claim; the caller's own when left out"};
inline constexpr core::Field kEpochField{"epoch", "Fencing number of the claim"};
inline constexpr core::Field kForceField{
    "force", "Override a claim of somebody else; recorded in the history", core::set_only};

struct TaskRequest {
  TaskRef id;
};
void describe(auto& field, TaskRequest const*) { field(&TaskRequest::id, kIdField); }

struct HeldTaskRequest {
  TaskRef id;
  std::string claim;
  std::optional<core::Epoch> epoch;
  bool force = false;
};
void describe(auto& field, HeldTaskRequest const*) {
  field(&HeldTaskRequest::id, kIdField);
  field(&HeldTaskRequest::claim, kClaimField);
  field(&HeldTaskRequest::epoch, kEpochField);
  field(&HeldTaskRequest::force, kForceField);
}

struct ReasonRequest {
  TaskRef id;
  std::string reason;
  std::string claim;
  std::optional<core::Epoch> epoch;
  bool force = false;
};
void describe(auto& field, ReasonRequest const*) {
  field(&ReasonRequest::id, kIdField);
  field(&ReasonRequest::reason, "reason", "Why", core::required);
  field(&ReasonRequest::claim, kClaimField);
  field(&ReasonRequest::epoch, kEpochField);
  field(&ReasonRequest::force, kForceField);
}

struct NoRequest {};
void describe(auto&, NoRequest const*) {}

/// The proof part of a request that has one.
template <class Request>
Proof proof_of(Request const& r) {
  return {r.claim, r.epoch, r.force};
}

}  // namespace andon::service
