#pragma once

#include <optional>
#include <string>

#include "core/field.hpp"
#include "core/time/quiet_hours.hpp"

namespace andon::core {

/// A class of service: a policy for how urgent work is treated (D. J. Anderson, "Kanban", 2010, ch. 11).
/// Its place in the board's list is its rank for picking.
struct ServiceClass {
  std::string name;
  int wip_limit = 0;                  ///< over the whole board, unfinished tasks; 0 = none
  bool bypass_column_wip = false;     ///< such tasks may enter full columns
  int share = 0;                      ///< target share of throughput in per cent; 0 = none
  std::optional<QuietHours> quiet{};  ///< no agent starts its tasks then
};
void describe(auto& field, ServiceClass const*) {
  field(&ServiceClass::name, "name", "Name of the class", required);
  field(&ServiceClass::wip_limit, "wip_limit",
        "Most unfinished tasks of this class on the board; 0 means no limit", set_only);
  field(&ServiceClass::bypass_column_wip, "bypass_column_wip", "Whether its tasks may enter full columns",
        set_only);
  field(&ServiceClass::share, "share", "Target share of throughput in per cent", set_only);
  field(&ServiceClass::quiet, "quiet", "Hours of the day in which no agent starts its tasks");
}

inline constexpr std::string_view kFixedDate = "fixed-date";
inline constexpr std::string_view kStandard = "standard";

}  // namespace andon::core
