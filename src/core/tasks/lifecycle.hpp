#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/model/stage.hpp"

namespace andon::core {

/// The causes of a task's move from one stage to another.
enum class Verb {
  approve,
  shelve,
  claim,
  start,
  submit,
  complete,
  accept,
  reject,
  reject_resume,
  release,
  recover,
  fail,
  fail_retry,
  kill,
  block,
  unblock,
  retry,
  reopen,
  archive,
  restore,
};

std::string_view to_text(Verb verb);

/// One allowed step of the strict machine; the table in lifecycle.cpp is the only place that knows them.
struct Edge {
  Stage from;
  Verb verb;
  Stage to;
};

std::span<Edge const> edges();

/// Whether the strict machine has any edge between two different stages.
bool is_legal(Stage from, Stage to);
bool is_legal(Stage from, Verb verb, Stage to);
/// The stages the strict machine allows next, in stage order.
std::vector<Stage> targets(Stage from);

/// Refuses what the strict machine does not have, naming the legal targets.
Result<void> check_transition(Stage from, Stage to);
/// Refuses a verb that the stage does not have, naming the verbs it has.
Result<void> check_verb(Stage from, Verb verb);

}  // namespace andon::core
