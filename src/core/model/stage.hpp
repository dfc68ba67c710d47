#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace andon::core {

/// The meaning of a column for the engine.
enum class Stage {
  backlog,  ///< not approved yet
  ready,    ///< may be picked
  claimed,  ///< given to a worker, not started
  active,   ///< being worked on
  review,   ///< work finished, waiting for a verdict
  blocked,
  failed,    ///< attempts used up
  done,      ///< terminal
  archived,  ///< terminal, hidden
};

inline constexpr std::array<std::string_view, 9> kStageNames{
    "backlog", "ready", "claimed", "active", "review", "blocked", "failed", "done", "archived"};
constexpr auto const& wire_names(Stage) { return kStageNames; }
inline constexpr std::size_t kStages = kStageNames.size();

constexpr std::string_view to_text(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }
std::optional<Stage> parse_stage(std::string_view text);

// One stage by its name, for a condition that reads as a statement.
constexpr bool is_backlog(Stage stage) { return stage == Stage::backlog; }
constexpr bool is_ready(Stage stage) { return stage == Stage::ready; }
constexpr bool is_in_review(Stage stage) { return stage == Stage::review; }
constexpr bool is_done(Stage stage) { return stage == Stage::done; }
constexpr bool is_archived(Stage stage) { return stage == Stage::archived; }

/// Backlog or blocked: nobody may begin it.
constexpr bool is_held_back(Stage stage) { return stage == Stage::backlog || stage == Stage::blocked; }
/// Done or archived: the task satisfies those that depend on it.
constexpr bool is_terminal(Stage stage) { return stage == Stage::done || stage == Stage::archived; }
/// Claimed or active: somebody has the task in hands.
constexpr bool is_in_work(Stage stage) { return stage == Stage::claimed || stage == Stage::active; }
/// Ready, claimed or active: a live claim here uses up a worker's capacity.
constexpr bool uses_capacity(Stage stage) { return stage == Stage::ready || is_in_work(stage); }
/// Done, failed and archived tasks do not count against the limit of their class.
constexpr bool is_finished(Stage stage) { return is_terminal(stage) || stage == Stage::failed; }

}  // namespace andon::core
