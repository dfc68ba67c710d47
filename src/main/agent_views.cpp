#include "main/agent_views.hpp"

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/output/log_parts.hpp"
#include "runner/output/run_log.hpp"
#include "runner/profiles/detect.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kLookAgain = std::chrono::minutes{1};
constexpr std::size_t kPageBytes = 256U << 10U;
constexpr std::size_t kLongestPlace = 100;

}  // namespace

api::Agents AgentViews::agents() {
  std::scoped_lock lock(mutex_);
  bool const changed = book_.reload();
  if (!changed && looked_ && clock_.uptime() - *looked_ < kLookAgain) return known_;
  known_.items.clear();
  for (auto const* profile : book_.profiles()) {
    auto const found = runner::detect(*profile, search_path_);
    known_.items.push_back({profile->id, profile->title, found.found, found.version});
  }
  looked_ = clock_.uptime();
  return known_;
}

void AgentViews::forget() {
  std::scoped_lock lock(mutex_);
  looked_.reset();
}

api::OutputPage read_output(std::filesystem::path const& run_directory, std::string_view since) {
  auto page = runner::read_log(run_directory, since, kPageBytes);
  api::OutputPage out;
  for (auto& item : page.items) out.items.push_back({item.at, std::move(item.stream), std::move(item.text)});
  out.next = std::move(page.next);
  if (page.more) out.more = true;
  return out;
}

core::Result<api::OutputPage> LocalOutput::read(core::RunId run, std::string_view since) {
  auto page = read_output(launcher_.run_directory(run), since);
  if (since.empty()) page.directory = launcher_.run_directory(run).native();
  return page;
}

/// The place is written after the lines. After a crash in between, the lines come twice, but none is lost.
core::Result<api::OutputTaken> LocalOutput::mirror(core::RunId run, api::OutputReport const& report) {
  std::scoped_lock const lock(writing_);
  auto const dir = launcher_.run_directory(run);
  auto const parts = runner::log_parts(dir);
  auto const end = parts.empty() ? 0 : parts.back().end();
  auto const refused = [&](std::string const& why) {
    runner::cut_log(dir, end);
    return core::refuse(core::Code::kNoSpace,
                        "the server cannot keep the output of run " + std::to_string(run) + ": " + why);
  };
  try {
    os::make_private_directory(dir);
    auto const place = dir / "output.place";
    auto const before = os::read_file_if_there(place, kLongestPlace).value_or("");
    if (report.since != before || report.next.empty() || report.next.size() > kLongestPlace)
      return api::OutputTaken{before};
    runner::RunLogWriter log(dir, runner::Redactor{{}}, {}, runner::LogBegin::last_part);
    for (auto const& item : report.items) log.write(item.at, item.stream, item.text);
    log.flush();
    if (!log.is_whole()) return refused("its disk is full");
    os::write_passing_file(place, report.next);
  } catch (os::SystemError const& error) {
    return refused(error.what());
  }
  return api::OutputTaken{report.next};
}

}  // namespace andon::main
