#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "store/markdown/yaml/front_matter.hpp"

namespace andon::store::markdown {

/// Whole numbers up to here are the same in every program that reads JSON.
inline constexpr std::int64_t kHighestEpoch = std::int64_t{1} << 52;

/// A task as its file tells it, with its body. Columns and priorities that differ from the board's only in
/// letters, `-`, `_` and blanks are given the board's names; `claim_expires` follows from the board's claim
/// timeout. What a file does not tell stays at its default. Refusals begin with `NAME:LINE:COLUMN:`.
core::Result<core::Task> task_in(FrontMatter const& file, core::Board const& board, std::string_view name);

/// The keys of a task's file in their order: kanban-md's, then Andon's own.
std::vector<std::string_view> const& key_order();

/// Whether `epoch` is written too: only changes of a claim do that.
enum class Epoch { keep, write };

/// Whether a task that was read is the one that its file was to tell, but for the claim's epoch. A file
/// without times says nothing of when it was made.
bool is_same_in_file(core::Task const& read, core::Task told);

/// Changes in a file what is different in the task, and nothing else.
void write_task(FrontMatter& file, core::Task const& was, core::Task const& is, Epoch epoch);

}  // namespace andon::store::markdown
