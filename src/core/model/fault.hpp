#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The part of the system that a fault concerns. A fault of more than the task is never charged to it.
enum class FaultScope {
  task,     ///< only this task: its work or its agent
  account,  ///< all work of an agent profile
  board,    ///< all work on a board
  machine   ///< all work on a machine
};
inline constexpr std::array<std::string_view, 4> kFaultScopeNames{"task", "account", "board", "machine"};
constexpr auto const& wire_names(FaultScope) { return kFaultScopeNames; }
constexpr std::string_view to_text(FaultScope scope) {
  return kFaultScopeNames[static_cast<std::size_t>(scope)];
}

/// A fault that kept a run from its work, and that is not the fault of its task.
struct Fault {
  FaultScope scope = FaultScope::board;
  std::string cause;  ///< a name of the table in core/runs/fault_scope.cpp
  std::string text;   ///< a sentence, and the end of the output
};
void describe(auto& field, Fault const*) {
  field(&Fault::scope, "scope", "task, account, board or machine", always);
  field(&Fault::cause, "cause", "Name of the cause", always);
  field(&Fault::text, "text", "What happened, with the end of the output", always);
}

/// A fault because of which no more work starts on its board or its machine.
struct HeldFault {
  FaultScope scope = FaultScope::board;
  std::string name;  ///< of the board, or of the server or runner on the machine
  std::string cause;
  std::string text;
  Instant since{};                 ///< of the last run that met it
  std::optional<Instant> until{};  ///< when it is tried again; nothing when that needs a person
  int times = 1;                   ///< runs that met it since work last went well
  TaskId task = 0;                 ///< of the run that met it first
};
void describe(auto& field, HeldFault const*) {
  field(&HeldFault::scope, "scope", "board or machine", always);
  field(&HeldFault::name, "name", "Name of the board, or of the server or runner", always);
  field(&HeldFault::cause, "cause", "Name of the cause", always);
  field(&HeldFault::text, "text", "What happened, with the end of the output", always);
  field(&HeldFault::since, "since", "When a run last met it", always);
  field(&HeldFault::until, "until", "When it is tried again by itself");
  field(&HeldFault::times, "times", "How often it was met in a row", always);
  field(&HeldFault::task, "task", "The task whose run met it", always);
}

}  // namespace andon::core
