#pragma once

#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// From which age on a card is drawn in which colour.
struct AgeThreshold {
  Duration after{0};
  std::string color;  ///< of the terminal's 256 colours
};
void describe(auto& field, AgeThreshold const*) {
  field(&AgeThreshold::after, "after", "Age of the card since it last changed", always);
  field(&AgeThreshold::color, "color", "Number of one of the terminal's 256 colours", required);
}

/// The display of a board in a terminal. kanban-md keeps these settings in the board's file.
struct BoardDisplay {
  int title_lines = 2;
  std::vector<AgeThreshold> age_thresholds = default_age_thresholds();
  bool hide_empty_columns = false;
  int narrow_threshold = 0;  ///< cells of a column below which one is shown at a time; 0 = by itself

  static std::vector<AgeThreshold> default_age_thresholds() {
    using std::chrono::hours;
    return {{hours{0}, "242"}, {hours{1}, "34"}, {hours{24}, "226"}, {hours{72}, "208"}, {hours{168}, "196"}};
  }
};
void describe(auto& field, BoardDisplay const*) {
  field(&BoardDisplay::title_lines, "title_lines", "Lines of a card's title, 1 to 3", always);
  field(&BoardDisplay::age_thresholds, "age_thresholds", "Colours of cards by age", always);
  field(&BoardDisplay::hide_empty_columns, "hide_empty_columns", "Whether columns without tasks are left out",
        set_only);
  field(&BoardDisplay::narrow_threshold, "narrow_threshold",
        "Cells of a column below which one column is shown at a time; 0 means 14", set_only);
}

}  // namespace andon::core
