#include "main/output_command.hpp"

#include <thread>
#include <variant>

#include "cli/safe_text.hpp"
#include "os/data_directory.hpp"
#include "os/file.hpp"
#include "runner/run_log.hpp"
#include "service/run_report.hpp"

namespace andon::main {
namespace {

using cli::Invocation;
using core::Code;
using core::Result;

constexpr std::size_t kPage = 256U << 10U;
constexpr std::chrono::milliseconds kBetweenLooks{200};

Result<core::Run> asked_run(Invocation& in) {
  auto id = in.given().words.empty() ? in.env().variable("ANDON_TASK") : in.given().words.front();
  if (id.empty()) return core::refuse(Code::kInvalidInput, "say which task: andon logs ID", "id");
  ANDON_TRY(auto const answer, in.call("runs_of_task", {{"id", id}}));
  ANDON_TRY(auto const runs, cli::answer_as<service::Runs>(answer));
  if (runs.items.empty())
    return core::refuse(Code::kRunNotFound, "nobody has worked on task " + id + " yet; see: andon why " + id,
                        "id");
  auto const wanted = in.given().value("run");
  for (auto run = runs.items.rbegin(); run != runs.items.rend(); ++run)
    if (!wanted || std::to_string(run->id) == *wanted) return *run;
  return core::refuse(Code::kRunNotFound, "task " + id + " has no such run", "run");
}

/// Prints what is new and answers with where to go on.
std::string print_new(Invocation& in, std::filesystem::path const& dir, std::string cursor) {
  for (bool more = true; more;) {
    auto const page = runner::read_log(dir, cursor, kPage);
    for (auto const& item : page.items) in.env().out << cli::one_line(item.text) << '\n';
    cursor = page.next;
    more = page.more;
  }
  in.env().out.flush();
  return cursor;
}

Result<bool> has_ended(Invocation& in, core::RunId id) {
  ANDON_TRY(auto const answer, in.call("get_run", {{"id", id}}));
  ANDON_TRY(auto const run, cli::answer_as<core::Run>(answer));
  return run.state == core::RunState::ended;
}

}  // namespace

Result<int> run_logs(Invocation& in) {
  ANDON_TRY(auto const location, in.location());
  auto const* place = std::get_if<cli::DataDirectory>(&location);
  if (!place)
    return core::refuse(Code::kInvalidInput, "logs are read from the data directory; give --dir", "dir");
  ANDON_TRY(auto const run, asked_run(in));
  auto const dir = os::data_directory(place->root).runs() / std::to_string(run.id);
  auto cursor = print_new(in, dir, {});
  if (!in.given().has("follow")) return 0;
  for (;;) {
    ANDON_TRY(auto const ended, has_ended(in, run.id));
    cursor = print_new(in, dir, cursor);
    if (ended) return 0;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace andon::main
