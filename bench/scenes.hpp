#pragma once

#include <array>
#include <string>
#include <vector>

#include "connection.hpp"

namespace bench {

/// The board every scene plays on, and the server's process.
struct Stage {
  Target target;
  int server = 0;  ///< process id
  std::string board;
};

inline constexpr std::array<char const*, 3> kRoles{"coder", "qa", "writer"};

/// Makes the board and fills it with `waiting` tasks; `mixed` adds four classes, three roles, WIP limits, the
/// files each task changes, work that holds some of these and, for a quarter of the tasks, a dependency that
/// is never met.
void fill(Stage const& stage, long waiting, bool mixed);
/// The requests of a worker for a task: a pick and its end, or one request for the end and the next pick.
/// With `refills` another task is enqueued for each that ends.
struct Requests {
  bool finish_picks = false;
  bool refills = true;
};
/// `workers` connections work for `seconds`.
void load(Stage const& stage, Requests requests, int workers, double seconds);
/// One connection picks into the limited column for one role after the other and completes, `rounds` times.
void pick(Stage const& stage, int rounds);
/// From the start of an enqueue call until a parked picker has its task, `rounds` times.
void wake(Stage const& stage, int rounds);
/// What the server needs in memory, alone and with `streams` idle event streams.
void memory(Stage const& stage, int streams);
/// Time and CPU of `rounds` runs of a program, one after the other.
void processes(int rounds, std::vector<std::string> const& command);

}  // namespace bench
