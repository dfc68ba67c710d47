#include "service/limits/machine.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "reflect/json.hpp"
#include "service/operation_context.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

constexpr std::string_view kMachine = "machine.";
/// The begins of the keys of peaks: of a worker, of an agent profile, and of a board.
constexpr std::string_view kPeak = "peak.";
constexpr std::string_view kPeakOfAgent = "peak-agent.";
constexpr std::string_view kPeakOfBoard = "peak-board.";
/// The memory of a run without a limit where nothing like it ran before.
constexpr std::int64_t kUsualMemory = 128LL << 20U;
constexpr std::size_t kReasonBytesOfMachine = 500;
constexpr std::size_t kMostFrozen = 1'000;
constexpr std::int64_t kMostRuns = 100'000;
constexpr std::int64_t kMostPeak = 1LL << 50U;
/// The memory that stays free of runs, for the system and for expedite work: a share of all, and a least.
constexpr std::int64_t kFreeShare = 10;
constexpr std::int64_t kLeastFree = 1LL << 30U;

std::string machine_key(std::string_view server) { return std::string{kMachine} + std::string{server}; }

std::int64_t peak_at(OperationContext& ctx, std::string const& key) {
  auto const text = ctx.tx.setting(key).value_or("");
  std::int64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

/// The keys of the peaks that tell of a run, the nearest first.
std::vector<std::string> peak_keys(std::string_view worker, std::string_view agent, std::string_view board) {
  std::vector<std::string> out;
  for (auto const& [begin, name] :
       {std::pair{kPeak, worker}, std::pair{kPeakOfAgent, agent}, std::pair{kPeakOfBoard, board}})
    if (!name.empty()) out.push_back(std::string{begin}.append(name));
  return out;
}

std::int64_t memory_for(OperationContext& ctx, core::Board const* board, core::Worker const* worker,
                        std::string_view agent) {
  auto const limits =
      core::narrower(board ? board->limits : std::nullopt, worker ? worker->limits : std::nullopt);
  if (limits.memory) return limits.memory->bytes;
  for (auto const& key : peak_keys(worker ? worker->name : "", agent, board ? board->name : ""))
    if (auto const peak = peak_at(ctx, key); peak > 0) return peak;
  return kUsualMemory;
}

/// The memory that the live runs of this server may come to use, and their number.
ReservedMemory reserved(OperationContext& ctx) {
  ReservedMemory out;
  std::map<std::array<std::string, 3>, std::int64_t> known;
  for (auto const& run : ctx.tx.live_runs()) {
    if (run.runner != ctx.server) continue;
    auto const [found, is_new] = known.try_emplace({run.board, run.worker, run.agent}, 0);
    if (is_new)
      found->second = memory_for(ctx, ctx.tx.board(run.board), ctx.tx.worker(run.worker), run.agent);
    out.memory += found->second;
    ++out.runs;
  }
  return out;
}

std::int64_t memory_for_runs(MachineReport const& machine) {
  return machine.memory - std::max(machine.memory / kFreeShare, kLeastFree);
}

/// Without numbers that no machine has.
ReservedMemory possible(ReservedMemory const& said) {
  return {std::clamp<std::int64_t>(said.runs, 0, kMostRuns),
          std::clamp<std::int64_t>(said.memory, 0, kMostPeak)};
}

std::string sized(std::int64_t bytes) { return core::rounded({bytes}); }

MachineReport machine_of_server(OperationContext& ctx, std::string_view server) {
  auto const text = ctx.tx.setting(machine_key(server));
  if (!text) return {};
  return reflect::read_json<MachineReport>(*text, reflect::Unknown::ignore).value_or(MachineReport{});
}

std::string neighbours_text(ReservedMemory const& others) {
  if (others.runs == 0 && others.memory == 0) return {};
  return ", " + std::to_string(others.runs) + " runs of other servers on the machine " + sized(others.memory);
}

FrozenRun const* frozen_in(MachineReport const& machine, core::RunId run) {
  auto const found = std::ranges::find(machine.frozen, run, &FrozenRun::run);
  return found == machine.frozen.end() ? nullptr : &*found;
}

void date_standstills(OperationContext const& ctx, MachineReport const& before, MachineReport& report) {
  for (auto& frozen : report.frozen) {
    auto const* known = frozen_in(before, frozen.run);
    frozen.since = known ? known->since : ctx.now;
  }
}

/// The time for which a run stood still is no silence of its agent.
void forgive_standstills(OperationContext& ctx, MachineReport const& before, MachineReport const& after) {
  if (before.frozen.empty()) return;
  for (auto& run : ctx.tx.live_runs()) {
    if (run.runner != ctx.server || !frozen_in(before, run.id) || frozen_in(after, run.id)) continue;
    run.progress = ctx.now;
    ctx.tx.put(run);
  }
}

}  // namespace

MachineReport machine_of(OperationContext& ctx) { return machine_of_server(ctx, ctx.server); }

core::Result<ReservedMemory> report_machine(OperationContext& ctx, MachineReport const& said) {
  if (said.frozen.size() > kMostFrozen)
    return core::refuse(core::Code::kInvalidInput, "\"frozen\" names more than 1000 runs", "frozen");
  auto const before = machine_of(ctx);
  auto report = said;
  report.reason = core::beginning(core::visible_line(report.reason), kReasonBytesOfMachine);
  date_standstills(ctx, before, report);
  report.neighbours = possible(report.neighbours);
  if (before == report) return reserved(ctx);
  ctx.tx.set_setting(machine_key(ctx.server), reflect::to_json(report));
  forgive_standstills(ctx, before, report);
  return reserved(ctx);
}

std::optional<core::Instant> stands_still_since(OperationContext& ctx, core::Run const& run) {
  auto const machine = machine_of_server(ctx, run.runner);
  auto const* found = frozen_in(machine, run.id);
  return found ? found->since : std::nullopt;
}

bool is_expedite(core::ServiceClass const& service_class) { return service_class.bypass_column_wip; }

std::optional<std::string> why_no_room(OperationContext& ctx, core::Board const& board,
                                       core::Worker const& worker) {
  auto const machine = machine_of(ctx);
  if (machine.is_busy) return "the machine is busy, and only expedite work starts: " + machine.reason;
  if (machine.memory == 0) return std::nullopt;
  auto const used = reserved(ctx);
  auto const needed = memory_for(ctx, &board, &worker, worker.agent);
  auto const all = memory_for_runs(machine);
  auto const& others = machine.neighbours;
  if (used.runs + others.runs == 0 || used.memory + others.memory + needed <= all) return std::nullopt;
  return "no memory is left for it: " + std::to_string(used.runs) + " runs may use " + sized(used.memory) +
         " of " + sized(all) + neighbours_text(others) + ", and a run of \"" + worker.name + "\" may use " +
         sized(needed);
}

void remember_peak(OperationContext& ctx, core::Run const& run) {
  if (run.peak_memory <= 0) return;
  for (auto const& key : peak_keys(run.worker, run.agent, run.board)) {
    auto const faded = peak_at(ctx, key) / 4 * 3;
    ctx.tx.set_setting(key, std::to_string(std::min(std::max(run.peak_memory, faded), kMostPeak)));
  }
}

bool needs_whole_machine(OperationContext& ctx, core::Run const& run) {
  auto const machine = machine_of(ctx);
  return machine.memory > 0 && run.peak_memory > machine.memory / 2;
}

}  // namespace andon::service
