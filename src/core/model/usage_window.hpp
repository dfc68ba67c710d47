#pragma once

#include <optional>
#include <string>

#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// A stretch of time for which a provider grants an account a certain use, such as five hours or a week.
struct UsageWindow {
  std::string name;  ///< by the provider; may be empty
  std::optional<Instant> ends{};
  std::optional<double> used{};  ///< of the grant, from 0 to 1
  bool reached = false;          ///< nothing is left of the grant
};
void describe(auto& field, UsageWindow const*) {
  field(&UsageWindow::name, "name", "What its provider calls it", always);
  field(&UsageWindow::ends, "ends", "When it ends and the next one begins");
  field(&UsageWindow::used, "used", "How much of it is used, from 0 to 1");
  field(&UsageWindow::reached, "reached", "Whether nothing is left of it", set_only);
}

}  // namespace andon::core
