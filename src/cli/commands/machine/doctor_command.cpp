#include <algorithm>
#include <array>
#include <optional>

#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/commands/machine/runner_findings.hpp"
#include "cli/commands/machine/sandbox_findings.hpp"
#include "cli/commands/machine/telegram_findings.hpp"
#include "os/data/data_directory.hpp"
#include "os/data/data_exposure.hpp"
#include "os/data/file_lock.hpp"
#include "os/files/file.hpp"
#include "os/processes/cgroup.hpp"
#include "service/boards/examined_repository.hpp"
#include "service/insight/attention.hpp"
#include "store/contract/examination.hpp"
#include "store/open.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Result;
using store::Finding;

constexpr std::array<std::string_view, 3> kFindingKinds{"fact", "repair", "fault"};
/// Less than this is a fault: a server writes its log, runs and work trees here.
constexpr std::uintmax_t kLeastSpace = 100U << 20U;

std::string_view name_of(Finding::Kind kind) { return kFindingKinds[static_cast<std::size_t>(kind)]; }

/// Findings name what they are about; a place in a file begins with it already.
std::string line_of(Finding const& finding) {
  return finding.text.starts_with(finding.about + ":") ? finding.text : finding.about + ": " + finding.text;
}

Finding disk_of(fs::path const& root) {
  std::error_code unknown;
  auto const space = fs::space(root, unknown);
  if (unknown) return {Finding::Kind::fault, "disk", unknown.message()};
  auto const kind = space.available < kLeastSpace ? Finding::Kind::fault : Finding::Kind::fact;
  return {kind, "disk", std::to_string(space.available >> 20U) + " MiB free"};
}

/// The way in which the agents of a data directory are ended: by the server that has it open, or else by a
/// server started from here.
Finding cgroup_of(os::DataDirectory const& data) {
  auto const server = os::lock_holder(data.db.native() + ".lock");
  auto const place = os::delegated_cgroup(server);
  auto const whose = server ? std::string{" (as the server may)"} : " (as a server started from here could)";
  if (place)
    return {Finding::Kind::fact, "agents",
            "each run gets a cgroup of its own beneath " + place->native() + whose +
                ": one write ends all of it"};
  return {Finding::Kind::fact, "agents",
          "runs get no cgroup" + whose + ": " + place.error() +
              ". Their processes are found and ended one after the other"};
}

/// The size of the files of runs.
Finding runs_of(os::DataDirectory const& data) {
  std::uintmax_t bytes = 0;
  std::size_t runs = 0;
  std::error_code gone;
  for (auto const& run : fs::directory_iterator{data.runs(), gone}) {
    ++runs;
    for (auto at = fs::recursive_directory_iterator{run.path(), gone};
         !gone && at != fs::recursive_directory_iterator{}; at.increment(gone))
      if (std::error_code no_size; at->is_regular_file(no_size) && !at->is_symlink(no_size))
        if (auto const size = at->file_size(no_size); !no_size) bytes += size;
  }
  return {Finding::Kind::fact, "files of runs",
          std::to_string(runs) + " runs, " + std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MiB"};
}

/// How other devices reach the server that was started last, where they do so without encryption.
std::optional<Finding> unencrypted_network_of(os::DataDirectory const& data) {
  constexpr std::size_t kLongestUrl = 4096;
  auto url = os::read_file_if_there(data.root / "url_for_others", kLongestUrl).value_or("");
  url.erase(url.find_last_not_of("\r\n ") + 1);
  if (!url.starts_with("http:")) return std::nullopt;
  return Finding{Finding::Kind::fact, "network",
                 "with --lan other devices reach the server at " + url + " without encryption"};
}

/// One fact for all libraries that are as new as the system's, one finding for each that is not.
std::vector<Finding> libraries_of(Environment const& env) {
  std::vector<Finding> out;
  std::string known;
  for (auto const& each : env.libraries ? env.libraries() : std::vector<LinkedLibrary>{}) {
    known += (known.empty() ? "" : ", ") + each.name + " " +
             (each.version.empty() ? "of an unknown version" : each.version);
    if (each.kind == "static") known += " (in the program)";
    if (!each.system.empty())
      out.push_back({Finding::Kind::fault, "libraries",
                     each.name + " " + each.version + " is in the program and the system has " + each.system +
                         "; build Andon again"});
  }
  if (!known.empty()) out.insert(out.begin(), {Finding::Kind::fact, "libraries", known});
  return out;
}

/// The open tasks that would stand for ever.
std::vector<Finding> orphans_of(Connection& connection) {
  auto answer = connection.executor->run(
      api::call_of<&service::list_attention>({.board = {}, .limit = 1}, connection.caller));
  if (!answer) return {{Finding::Kind::fault, "tasks", answer.error().message}};
  auto const list = std::move(*answer).as<service::AttentionList>();
  if (!list) return {{Finding::Kind::fault, "tasks", list.error().message}};
  std::vector<Finding> out;
  for (auto const id : list->orphans)
    out.push_back({Finding::Kind::fault, "tasks",
                   "nobody makes the next step of task #" + std::to_string(id) +
                       ", which is a defect of Andon; see: andon why " + std::to_string(id)});
  return out;
}

std::vector<Finding> runners_of(Connection& connection, Environment const& env) {
  auto answer = connection.executor->run(api::call_of<&service::list_runners>({}, connection.caller));
  if (!answer) return {{Finding::Kind::fault, "runners", answer.error().message}};
  auto const runners = std::move(*answer).as<service::Runners>();
  if (!runners) return {{Finding::Kind::fault, "runners", runners.error().message}};
  return runner_findings(*runners, env.version);
}

/// Asks the server that has the data open; without one nothing is known that is true now.
std::vector<Finding> told_by_server(Location const& location, Environment const& env) {
  auto connection = connect_to_server(location, {}, env);
  if (!connection) return {};
  auto out = orphans_of(*connection);
  for (auto& each : runners_of(*connection, env)) out.push_back(std::move(each));
  return out;
}

Result<std::vector<Finding>> examine(Invocation const& in) {
  ANDON_TRY(auto const location, in.location());
  std::vector<Finding> out;
  if (auto const* board = std::get_if<BoardDirectory>(&location)) {
    out = store::examine_board(board->root, in.env().clock.now());
    out.push_back(disk_of(board->root));
  } else if (auto const* data = std::get_if<DataDirectory>(&location)) {
    auto const store = os::store_of(data->root, data->store);
    if (store.empty() && !holds_data(data->root))
      return core::refuse(core::Code::kBoardNotFound,
                          "there is nothing to look at in " + data->root.native());
    auto const layout = os::data_directory(data->root);
    if (auto const missing = os::missing_store(layout, data->store))
      return core::refuse(core::Code::kInvalidInput, *missing, "store");
    out = store.empty() ? store::examine_database(layout.db) : store::examine_postgres(store);
    for (auto const& [about, exposure] : os::exposures_of(layout))
      out.push_back({Finding::Kind::fault, std::string{about}, exposure.text});
    if (auto unread = os::unread_settings(data->root))
      out.push_back({Finding::Kind::fault, "andon.yml", *std::move(unread)});
    out.push_back(disk_of(data->root));
    out.push_back(cgroup_of(layout));
    out.push_back(runs_of(layout));
    for (auto& each : libraries_of(in.env())) out.push_back(std::move(each));
    for (auto& each : sandbox_findings(layout, in.env())) out.push_back(std::move(each));
    for (auto& each : telegram_findings(layout, in.env())) out.push_back(std::move(each));
    for (auto& each : told_by_server(location, in.env())) out.push_back(std::move(each));
    if (auto network = unencrypted_network_of(layout)) out.push_back(*std::move(network));
  } else {
    return core::refuse(core::Code::kInvalidInput,
                        "doctor looks at files; run it on the server's machine with --dir", "dir");
  }
  return out;
}

json::value as_json(std::vector<Finding> const& findings, bool is_well) {
  json::array list;
  for (auto const& each : findings)
    list.push_back(json::object{{"kind", name_of(each.kind)}, {"about", each.about}, {"text", each.text}});
  return json::object{{"ok", is_well}, {"findings", std::move(list)}};
}

std::string as_text(std::vector<Finding> const& findings) {
  std::string out;
  for (auto const& each : findings)
    out += padded(std::string{name_of(each.kind)}, 8) + one_line(line_of(each)) + "\n";
  return out;
}

std::string repository_page(service::ExaminedRepository const& found) {
  std::string out;
  for (auto const& each : found.findings)
    out += padded(std::string{service::kRepositoryFindingKindNames[static_cast<std::size_t>(each.kind)]}, 9) +
           one_line(service::in_words(each)) + "\n";
  return out;
}

/// Says what Andon will do with a repository, which the machine of the data directory examines.
Result<int> examine_repository(Invocation& in, std::string const& repo) {
  boost::json::object const request{{"repo", repo_from(in.env().directory, repo)},
                                    {"branch", in.given().value("branch").value_or("")},
                                    {"folder", in.given().value("folder").value_or("")},
                                    {"branch_prefix", in.given().value("branch-prefix").value_or("")}};
  ANDON_TRY(auto const answer, in.call<&service::examine_repository>(request));
  ANDON_TRY(auto const found, answer_as<service::ExaminedRepository>(answer));
  bool const is_fit = std::ranges::find(found.findings, service::RepositoryFindingKind::refused,
                                        &service::RepositoryFinding::kind) == found.findings.end();
  if (in.screen().is_json())
    in.screen().print(answer);
  else
    in.screen().print(repository_page(found) + (is_fit ? "A board can have it.\n"
                                                       : "No board with work trees can have it as it is.\n"));
  return is_fit ? 0 : 1;
}

std::string verdict_on(std::vector<Finding> const& findings) {
  auto const repairs = std::ranges::count(findings, Finding::Kind::repair, &Finding::kind);
  auto const faults = std::ranges::count(findings, Finding::Kind::fault, &Finding::kind);
  if (repairs + faults == 0) return "Nothing is wrong.\n";
  std::string out;
  if (repairs > 0) out += std::to_string(repairs) + " to be repaired by the next command";
  if (faults > 0) out += (out.empty() ? "" : ", ") + std::to_string(faults) + " to be seen to by you";
  return out + ".\n";
}

}  // namespace

Result<int> run_doctor(Invocation& in) {
  if (auto const repo = in.given().value("repo")) return examine_repository(in, *repo);
  ANDON_TRY(auto const findings, examine(in));
  bool const is_well =
      std::ranges::all_of(findings, [](auto const& f) { return f.kind == Finding::Kind::fact; });
  if (in.screen().is_json())
    in.screen().print(as_json(findings, is_well));
  else
    in.screen().print(as_text(findings) + verdict_on(findings));
  return is_well ? 0 : 1;
}

}  // namespace andon::cli
