#pragma once

#include <string>

#include <boost/describe.hpp>

#include "core/field.hpp"

namespace andon::core {

/// A class of service: a policy for how urgent work is treated (D. J. Anderson, "Kanban", 2010, ch. 11).
/// Its place in the board's list is its rank for picking.
struct ServiceClass {
  std::string name;
  int wip_limit = 0;               ///< over the whole board, unfinished tasks; 0 = none
  bool bypass_column_wip = false;  ///< such tasks may enter full columns
  int share = 0;                   ///< target share of throughput in per cent; 0 = none
};
BOOST_DESCRIBE_STRUCT(ServiceClass, (), (name, wip_limit, bypass_column_wip, share))
inline constexpr std::array kServiceClassFields{
    Field{"name", "Name of the class", required},
    Field{"wip_limit", "Most unfinished tasks of this class on the board; 0 means no limit", set_only},
    Field{"bypass_column_wip", "Whether its tasks may enter full columns", set_only},
    Field{"share", "Target share of throughput in per cent", set_only}};
constexpr auto const& fields(ServiceClass const*) { return kServiceClassFields; }

inline constexpr std::string_view kFixedDate = "fixed-date";
inline constexpr std::string_view kStandard = "standard";

}  // namespace andon::core
