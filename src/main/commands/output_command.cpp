#include "main/commands/output_command.hpp"

#include <functional>
#include <thread>
#include <variant>

#include "cli/command_line/pages.hpp"
#include "cli/command_line/safe_text.hpp"
#include "main/agent_views.hpp"
#include "os/data/data_directory.hpp"
#include "os/files/file.hpp"
#include "service/runs/run_report.hpp"

namespace andon::main {
namespace {

using cli::Invocation;
using core::Code;
using core::Result;

constexpr std::chrono::milliseconds kBetweenLooks{200};

Result<core::Run> asked_run(Invocation& in) {
  auto id = in.given().words.empty() ? in.env().variable("ANDON_TASK") : in.given().words.front();
  if (id.empty()) return core::refuse(Code::kInvalidInput, "say which task: andon logs ID", "id");
  ANDON_TRY(auto const answer, in.call<&service::runs_of_task>({{"id", id}}));
  ANDON_TRY(auto const runs, cli::answer_as<service::Runs>(answer));
  if (runs.items.empty())
    return core::refuse(Code::kRunNotFound, "nobody has worked on task " + id + " yet; see: andon why " + id,
                        "id");
  auto const wanted = in.given().value("run");
  for (auto run = runs.items.rbegin(); run != runs.items.rend(); ++run)
    if (!wanted || std::to_string(run->id) == *wanted) return *run;
  return core::refuse(Code::kRunNotFound, "task " + id + " has no such run", "run");
}

/// Reads the output of a run: from the server if there is one, otherwise from the files of the data
/// directory.
using Source = std::function<Result<api::OutputPage>(std::string const& since)>;

Result<Source> source_of(Invocation& in, core::RunId run) {
  ANDON_TRY(auto const* open, in.connection());
  if (auto* server = open->server)
    return [server, run](std::string const& since) { return server->run_output(run, since); };
  ANDON_TRY(auto const location, in.location());
  auto const* place = std::get_if<cli::DataDirectory>(&location);
  if (!place) return core::refuse(Code::kInvalidInput, "a board of files keeps no output of runs", "dir");
  auto const dir = os::data_directory(place->root).runs() / std::to_string(run);
  return [dir](std::string const& since) -> Result<api::OutputPage> { return read_output(dir, since); };
}

/// Prints the new output and moves the cursor behind it.
Result<void> print_new(Invocation& in, Source const& source, std::string& cursor) {
  cli::Pages pages(in);
  for (bool more = true; more;) {
    ANDON_TRY(auto const page, source(cursor));
    for (auto const& item : page.items) in.env().out << cli::one_line(item.text) << '\n';
    more = page.more.value_or(false);
    if (more) ANDON_CHECK(pages.check_next(page.next));
    cursor = page.next;
  }
  in.env().out.flush();
  return {};
}

Result<bool> has_ended(Invocation& in, core::RunId id) {
  ANDON_TRY(auto const answer, in.call<&service::get_run>({{"id", id}}));
  ANDON_TRY(auto const run, cli::answer_as<core::Run>(answer));
  return run.state == core::RunState::ended;
}

}  // namespace

Result<int> run_logs(Invocation& in) {
  ANDON_TRY(auto const run, asked_run(in));
  ANDON_TRY(auto const source, source_of(in, run.id));
  std::string cursor;
  ANDON_CHECK(print_new(in, source, cursor));
  if (!in.given().has("follow")) return 0;
  for (;;) {
    ANDON_TRY(auto const ended, has_ended(in, run.id));
    ANDON_CHECK(print_new(in, source, cursor));
    if (ended) return 0;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace andon::main
