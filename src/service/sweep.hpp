#pragma once

#include "service/requests.hpp"

namespace andon::service {

struct Swept {
  std::int64_t recovered = 0;  ///< tasks whose claim was over and that can be picked again
};
BOOST_DESCRIBE_STRUCT(Swept, (), (recovered))
inline constexpr std::array kSweptFields{core::Field{"recovered", "Tasks put back", core::always}};
constexpr auto const& fields(Swept const*) { return kSweptFields; }

/// Ends claims whose time is over and puts their tasks back where they can be picked. Each is judged again in
/// this very unit of work. A task whose run has not ended is left to its runner, which stops it first.
/// Free-form claims on open boards need nothing: an expired claim counts as none there.
core::Result<Swept> sweep(Unit& u, NoRequest const&);

/// Gives every live claim one more lease: after a restart or a wake-up nobody loses a task to our own
/// absence.
core::Result<Swept> grant_grace(Unit& u, NoRequest const&);

}  // namespace andon::service
