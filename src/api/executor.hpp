#pragma once

#include "core/error.hpp"

namespace andon::api {

struct Answer;
struct Call;

/// Runs operations: here on a store, or on a server.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs the call and waits for its answer. Trouble of the world becomes an `Error` too.
  virtual core::Result<Answer> run(Call call) = 0;
};

}  // namespace andon::api
