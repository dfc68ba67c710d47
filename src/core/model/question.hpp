#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// A question to a person about a task: of a blocked task, or of a run that waits for the answer while it
/// holds the task.
struct Question {
  std::string text;
  std::vector<std::string> choices;  ///< answers to choose from; any other text is an answer, too
  std::string asked_by;              ///< an actor, such as worker:developer
  Instant asked_at{};
  std::optional<RunId> run{};  ///< the run that waits; absent where the task is blocked
  bool operator==(Question const&) const = default;
};
void describe(auto& field, Question const*) {
  field(&Question::text, "text", "What is asked", always);
  field(&Question::choices, "choices", "Answers to choose from");
  field(&Question::asked_by, "asked_by", "Who asks", always);
  field(&Question::asked_at, "asked_at", "When it was asked", always);
  field(&Question::run, "run",
        "Run that waits for the answer while it works; absent where the task is blocked");
}

}  // namespace andon::core
