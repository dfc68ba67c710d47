#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "core/model/worker.hpp"

namespace andon::runner {

/// A finished task that this one depends on: its parent or a dependency.
struct EarlierTask {
  std::string key;
  std::string title;
  std::string result;
};

/// A topic of the worker's memory.
struct MemoryTopic {
  std::string name;
  std::string text;
  bool is_noted = false;  ///< the worker itself wrote it
};

/// All content of an agent's prompt.
struct PromptParts {
  core::Task task;
  core::Board board;
  core::Worker worker;
  std::string role_document;
  std::vector<MemoryTopic> memory;
  std::vector<EarlierTask> earlier;
  std::vector<core::Task> beside;     ///< other tasks in progress on the board
  std::vector<std::string> feedback;  ///< of earlier attempts and reviews, oldest first
  std::string attachments{};          ///< the directory with the files of the task
  std::string earlier_work{};         ///< the file in the run's directory with their work; empty without any
  std::optional<core::Plan> plan{};   ///< the accepted one; of a planning run the one before
  bool plans = false;                 ///< the run writes a plan and changes no file
  bool work_tree = false;             ///< the agent has its own git work tree
  std::string folder;                 ///< of that tree, in which it works; the tree when empty
  bool continues = false;             ///< the run resumes an earlier conversation
  std::string unfinished{};           ///< the work that the run before left open, as a sentence
};

/// The way in which an agent reports how its task ended: by calling `andon`, by the tools of the run's MCP
/// server, or only by its last words.
enum class Reporting { by_command, by_tools, by_words };

/// The most bytes of each part. The prompt states where text was cut.
struct PromptBudget {
  std::size_t role = 32U << 10U;
  std::size_t memory = 32U << 10U;
  std::size_t brief = 64U << 10U;
  std::size_t board = 8U << 10U;
  std::size_t earlier = 16U << 10U;
  std::size_t feedback = 16U << 10U;
  std::size_t plan = 64U << 10U;
};

/// The share of each text in a budget. Short texts leave their rest to the long ones.
std::vector<std::size_t> shares(std::vector<std::size_t> const& sizes, std::size_t budget);

/// The role document and the worker's memory; empty without both.
std::string compose_role(PromptParts const& parts, PromptBudget const& budget = {});
/// The task, its context, and how to report. Texts of people and other agents stand between fences that they
/// cannot close. Hidden characters are written out, as on the page and in the terminal.
std::string compose_prompt(PromptParts const& parts, PromptBudget const& budget = {},
                           Reporting reporting = Reporting::by_command);

}  // namespace andon::runner
