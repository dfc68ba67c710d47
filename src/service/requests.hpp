#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/field.hpp"
#include "service/reference.hpp"

namespace andon::service {

// Requests that several operations share. Those that can meet a claim carry the proof of holding it.

/// The proof that a caller may change a claimed task. Every request that changes one contains it.
struct Proof {
  std::string claim;                  ///< name it claims to hold the task under; its own name when empty
  std::optional<std::int64_t> epoch;  ///< fencing number
  bool force = false;
};

struct TaskRequest {
  TaskRef id;
};
BOOST_DESCRIBE_STRUCT(TaskRequest, (), (id))
inline constexpr core::Field kIdField{"id", "Task by number or key", core::required};
inline constexpr core::Field kClaimField{"claim",
                                         "Name that holds the claim; the caller's own when left out"};
inline constexpr core::Field kEpochField{"epoch", "Fencing number of the claim"};
inline constexpr core::Field kForceField{
    "force", "Override a claim of somebody else; recorded in the history", core::set_only};
inline constexpr std::array kTaskRequestFields{kIdField};
constexpr auto const& fields(TaskRequest const*) { return kTaskRequestFields; }

struct HeldTaskRequest {
  TaskRef id;
  std::string claim;
  std::optional<std::int64_t> epoch;
  bool force = false;
};
BOOST_DESCRIBE_STRUCT(HeldTaskRequest, (), (id, claim, epoch, force))
inline constexpr std::array kHeldTaskFields{kIdField, kClaimField, kEpochField, kForceField};
constexpr auto const& fields(HeldTaskRequest const*) { return kHeldTaskFields; }

struct ReasonRequest {
  TaskRef id;
  std::string reason;
  std::string claim;
  std::optional<std::int64_t> epoch;
  bool force = false;
};
BOOST_DESCRIBE_STRUCT(ReasonRequest, (), (id, reason, claim, epoch, force))
inline constexpr std::array kReasonFields{kIdField, core::Field{"reason", "Why", core::required}, kClaimField,
                                          kEpochField, kForceField};
constexpr auto const& fields(ReasonRequest const*) { return kReasonFields; }

struct NoRequest {};
BOOST_DESCRIBE_STRUCT(NoRequest, (), ())
inline constexpr std::array<core::Field, 0> kNoFields{};
constexpr auto const& fields(NoRequest const*) { return kNoFields; }

/// The proof part of a request that has one.
template <class Request>
Proof proof_of(Request const& r) {
  return {r.claim, r.epoch, r.force};
}

}  // namespace andon::service
