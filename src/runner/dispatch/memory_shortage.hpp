// The decision for a machine whose memory is short. It is a function of numbers alone; MachineWatch adds the
// times.
//
//   used         the memory of the machine that is not free
//   end          The largest run of this server is ended when that helps: the run holds a quarter of the used
//                memory, or the runs of this server do and all runs of Andon here hold half of it.
//   freeze       Otherwise other programs use the memory. The largest run is stopped where it is, so that it
//                takes no more; ending it would cost its work and gain little.
//   thaw         The memory is free again, well above the bound: the smallest frozen run goes on.
//
// Of several servers on one machine, the one whose runs hold most acts first.

#pragma once

#include <cstdint>
#include <vector>

#include "core/model/run.hpp"

namespace andon::runner {

/// The memory of a run of this server.
struct MemoryOfRun {
  core::RunId run = 0;
  std::int64_t bytes = 0;  ///< resident, of all its processes
  bool is_frozen = false;  ///< because the memory was short
  bool is_ending = false;  ///< it gives its memory back anyway
};

struct MemoryFigures {
  std::int64_t all = 0;   ///< bytes of the machine; 0 where they are not known
  std::int64_t free = 0;  ///< bytes that can be given out without swapping
  std::vector<MemoryOfRun> runs{};
  std::vector<std::int64_t> neighbours{};  ///< what the runs of each other server on this machine hold
};

enum class MemoryAction { none, end, freeze, thaw };

struct MemoryDecision {
  MemoryAction action = MemoryAction::none;
  core::RunId run = 0;
  bool is_neighbours_turn = false;  ///< the runs of another server hold more
  bool operator==(MemoryDecision const&) const = default;
};

/// The bytes of a machine below which no more runs start: a tenth, and 1 GiB at least.
std::int64_t least_free_for_starts(std::int64_t all);
/// True below a twentieth of the memory, and below 512 MiB in any case.
bool is_short(MemoryFigures const& figures);
/// True above the bound for starts and above one and a half times the bound of a shortage.
bool is_plentiful(MemoryFigures const& figures);

MemoryDecision decide_on_memory(MemoryFigures const& figures);

}  // namespace andon::runner
