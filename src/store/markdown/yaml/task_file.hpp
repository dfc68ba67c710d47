#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "store/markdown/yaml/front_matter.hpp"

namespace andon::store::markdown {

/// The highest epoch. All JSON readers represent whole numbers up to here exactly.
inline constexpr core::Epoch kHighestEpoch{std::int64_t{1} << 52};

/// The task of a file, with its body. Names of columns and priorities are replaced by the board's names when
/// they differ only in case, `-`, `_` and blanks. `claim_expires` follows from the board's claim timeout.
/// Members that the file does not have keep their defaults. Errors begin with `NAME:LINE:COLUMN:`.
core::Result<core::Task> task_in(FrontMatter const& file, core::Board const& board, std::string_view name);

/// The keys of a task's file in their order: those of kanban-md, then Andon's own.
std::vector<std::string_view> const& key_order();

/// Whether `epoch` is written too, which only changes of a claim do.
enum class EpochKey { keep, write };

/// Whether a task that was read from a file equals the task `told` that the file was to contain, except for
/// the epoch. Missing times in `told` are not compared.
bool is_same_in_file(core::Task const& read, core::Task told);

/// Changes the file where `is` differs from `was`, and nowhere else.
void write_task(FrontMatter& file, core::Task const& was, core::Task const& is, EpochKey epoch);

}  // namespace andon::store::markdown
