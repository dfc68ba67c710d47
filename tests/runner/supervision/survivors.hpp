#pragma once

#include <string>

namespace andon::test {

/// Processes that try to outlive what started them, one of each shape: in the background, in a session of its
/// own, without any variable, and both after a double fork.
class Survivors {
 public:
  static constexpr int kShapes = 4;

  Survivors();

  /// A shell script that starts them and goes on when all run.
  std::string script() const;
  /// How many of them run.
  int count() const;

 private:
  std::string mark_;  ///< the argument by which they are found
};

}  // namespace andon::test
