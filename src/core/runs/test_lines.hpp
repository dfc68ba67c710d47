#pragma once

#include <string>
#include <string_view>

namespace andon::core {

/// The part of a line of a test, told by the words that test libraries use.
enum class TestLine {
  other,
  assertion,  ///< it asserts something, or begins a test
  truth,      ///< it asserts what is always true
  skip,       ///< it skips tests, or makes them the only ones
};

/// Tells the part of a line by words alone; remarks are `other`.
TestLine test_line_of(std::string_view line);

/// True for a line that ends a test or a function without a condition, so that lines behind it in the same
/// block are never reached.
bool ends_block(std::string_view line);

/// True when a file with tests at `before` is run as one at `after` too: it keeps a name of a test and its
/// ending, and does not go to a folder for what is put away.
bool stays_test(std::string_view before, std::string_view after);

/// True when a file of source code at `before` can still be used as such at `after`.
bool stays_code(std::string_view before, std::string_view after);

}  // namespace andon::core
