#include "runner/worktrees/run_start.hpp"

#include "os/files/file.hpp"
#include "reflect/json.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestStart = 64U << 10U;

fs::path start_file(fs::path const& folder, core::RunId run) {
  return folder / ("run-" + std::to_string(run) + ".json");
}

}  // namespace

void keep_start(fs::path const& folder, core::RunId run, RunStart const& start) {
  os::make_private_directory(folder);
  os::write_file(start_file(folder, run), reflect::to_json(start) + "\n");
}

RunStart start_of(fs::path const& folder, core::RunId run) {
  auto const text = os::read_file_if_there(start_file(folder, run), kLargestStart);
  auto start = text ? reflect::read_json<RunStart>(*text) : core::refuse(core::Code::kNotFound, "");
  return start ? *std::move(start) : RunStart{};
}

void forget_start(fs::path const& folder, core::RunId run) {
  std::error_code ignored;
  fs::remove(start_file(folder, run), ignored);
}

}  // namespace andon::runner
