#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "core/model/worker.hpp"

namespace andon::runner {

/// A finished task this one builds on: its parent or a dependency.
struct EarlierTask {
  std::string key;
  std::string title;
  std::string result;
};

/// A topic of the worker's memory.
struct MemoryTopic {
  std::string name;
  std::string text;
  bool is_noted = false;  ///< the worker wrote it itself
};

/// Everything an agent is told.
struct PromptParts {
  core::Task task;
  core::Board board;
  core::Worker worker;
  std::string role_document;
  std::vector<MemoryTopic> memory;
  std::vector<EarlierTask> earlier;
  std::vector<core::Task> beside;     ///< other work in progress on the board
  std::vector<std::string> feedback;  ///< of earlier attempts and reviews, oldest first
  bool work_tree = false;             ///< it works in a git work tree of its own
  bool continues = false;             ///< it goes on with an earlier conversation
};

/// How an agent can say how its task ended: by calling `andon`, or by its last words alone.
enum class Reporting { by_command, by_words };

/// Bytes a part may have; what is cut off is said where it was.
struct PromptBudget {
  std::size_t role = 32U << 10U;
  std::size_t memory = 32U << 10U;
  std::size_t brief = 64U << 10U;
  std::size_t board = 8U << 10U;
  std::size_t earlier = 16U << 10U;
  std::size_t feedback = 16U << 10U;
};

/// What each of these texts may have of a budget: short ones leave what they do not need to the long ones.
std::vector<std::size_t> shares(std::vector<std::size_t> const& sizes, std::size_t budget);

/// The role document with the worker's memory; empty when it has neither.
std::string compose_role(PromptParts const& parts, PromptBudget const& budget = {});
/// What is to be done, on what ground, and how to report. Texts of people and of other agents stand between
/// fences they cannot close, and hidden characters are written out as people see them on the page and in the
/// terminal.
std::string compose_prompt(PromptParts const& parts, PromptBudget const& budget = {},
                           Reporting reporting = Reporting::by_command);

}  // namespace andon::runner
