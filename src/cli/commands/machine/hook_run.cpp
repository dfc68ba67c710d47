// The command that the hooks of an agent call. It renews the agent's claims and reminds it once of work that
// it has not reported. It never disturbs the agent:
// - the exit code is 0, and the standard output is empty but for the reminder;
// - the process ends after two seconds at most, whatever it waits for;
// - a session renews once a minute at most, and writes that down before it asks the board. After a question
//   without an answer it asks nothing for a minute.

#include <algorithm>
#include <cstdlib>
#include <exception>

#include <boost/json/serialize.hpp>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/commands/machine/hook_input.hpp"
#include "cli/commands/machine/hook_session.hpp"
#include "cli/commands/machine/hook_settings.hpp"
#include "core/text/names.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Result;
using core::Stage;

constexpr std::chrono::seconds kPatience{2};
constexpr std::int64_t kBetween = 60;  // seconds
constexpr std::int64_t kMostTasks = 20;

/// The task of a run that Andon started, as its environment names it.
struct RunTask {
  std::string id;
  std::string epoch;
  explicit operator bool() const { return !id.empty() && !epoch.empty(); }
};

RunTask run_task(Environment const& env) { return {env.variable("ANDON_TASK"), env.variable("ANDON_EPOCH")}; }

/// The agent may have left the directory of the project, for example for a work tree of its own.
Environment in_project(Environment env) {
  if (fs::path project = env.variable("CLAUDE_PROJECT_DIR"); project.is_absolute())
    env.directory = std::move(project);
  return env;
}

/// The place that the command line gives. In a run it is the run's server; in a work tree it is the board
/// that all agents see, not the copy.
Given place_of(Invocation const& in, Environment const& env) {
  Given out;
  if (run_task(env)) return out;
  for (auto const* name : {"dir", "server", "token"})
    if (auto value = in.given().value(name)) out.flags.push_back({name, *std::move(value)});
  if (auto const place =
          locate({out.value("server"), out.value("token"), out.value("dir"), out.value("store")}, env))
    if (auto const* board = std::get_if<BoardDirectory>(&*place); board && !board->original.empty())
      out.flags.push_back({"dir", board->original.native()});
  return out;
}

/// A task that its holder has neither finished nor handed on.
bool is_unreported(core::Task const& task) {
  return !task.blocked && (task.stage == Stage::backlog || task.stage == Stage::ready ||
                           task.stage == Stage::claimed || task.stage == Stage::active);
}

std::string reminder_in_run(std::string const& task) {
  return "Task #" + task +
         " is not reported yet. Report it: andon done --result \"WHAT YOU DID\", or andon fail --reason "
         "\"WHY\", "
         "or andon block \"WHAT IS IN THE WAY\", or the tool of that name. If you can do neither, repeat "
         "your "
         "last answer.";
}

std::string reminder(std::vector<core::TaskId> const& tasks) {
  std::string list;
  for (auto const id : tasks) list += (list.empty() ? "#" : ", #") + std::to_string(id);
  return "You hold " + list +
         " on the board and have not reported. Finished: andon move ID done --claim NAME (or review). Not "
         "finished: "
         "andon handoff ID --claim NAME --note \"STATE, NEXT STEP\" -t --release. Something in the way: the "
         "same "
         "with --block \"WHY\". If you wait for the user, say so and stop; this comes only once.";
}

class HookRun {
 public:
  HookRun(Invocation& in, HookInput const& input)
      : in_(in),
        input_(input),
        session_(in.env(), input.session),
        memory_(session_.load()),
        now_(std::chrono::floor<std::chrono::seconds>(in.env().clock.now().time_since_epoch()).count()),
        env_(in_project(in.env())),
        quiet_(env_, Format::json, false, true) {}

  void run(HookEvent event) {
    if (event == HookEvent::session_end) return session_.forget();
    if (event == HookEvent::tool_used) return tool_used();
    stop();
  }

 private:
  /// The board is looked for only when it is asked: its directory may hang.
  Invocation& board() {
    if (!board_) board_.emplace(env_, in_.commands(), in_.command(), place_of(in_, env_), quiet_);
    return *board_;
  }

  bool asked_lately() const { return now_ - memory_.asked < kBetween; }
  bool has_holder() const {
    return run_task(in_.env()) || in_.given().has("claim") || !memory_.name.empty() || memory_.is_caller;
  }

  void tool_used() {
    bool const learned = learn();
    if (asked_lately() || !has_holder()) {
      if (learned) session_.save(memory_);
      return;
    }
    if (begin_asking()) end_asking(renew());
  }

  /// Notes under which name the agent claims; whether that is new.
  bool learn() {
    if (!input_.claim) return false;
    bool const is_new = input_.claim->name != memory_.name || input_.claim->is_caller != memory_.is_caller;
    memory_.name = input_.claim->name;
    memory_.is_caller = input_.claim->is_caller;
    return is_new;
  }

  bool begin_asking() {
    memory_.asked = now_;
    memory_.unanswered = true;
    return session_.save(memory_);
  }

  void end_asking(Result<void> const& answer) {
    memory_.unanswered = !answer && answer.error().code == core::Code::kBusy;
    if (!memory_.unanswered) session_.save(memory_);
  }

  Result<service::Heartbeat> renew_run() {
    auto const task = run_task(in_.env());
    auto const epoch = std::strtoll(task.epoch.c_str(), nullptr, 10);
    ANDON_TRY(auto const answer, board().call<&service::heartbeat>({{"id", task.id}, {"epoch", epoch}}));
    return answer_as<service::Heartbeat>(answer);
  }

  Result<void> renew() {
    if (run_task(in_.env())) {
      ANDON_CHECK(renew_run());
      return {};
    }
    ANDON_TRY(auto const tasks, held());
    for (auto const& task : tasks)
      if (task.claim_expires)
        ANDON_CHECK(board().call<&service::heartbeat>(
            {{"id", std::to_string(task.id)}, {"epoch", std::int64_t{task.epoch}}}));
    return {};
  }

  Result<std::string> holder() {
    if (auto const given = in_.given().value("claim")) return *given;
    if (!memory_.name.empty()) return memory_.name;
    return board().own_name();
  }

  /// The tasks under living claims of the agent.
  Result<std::vector<core::Task>> held() {
    ANDON_TRY(auto const name, holder());
    if (name.empty()) return std::vector<core::Task>{};
    ANDON_TRY(auto const answer,
              board().call<&service::list_tasks>({{"claimed_by", name}, {"limit", kMostTasks}}));
    ANDON_TRY(auto list, answer_as<service::TaskList>(answer));
    std::erase_if(list.items, [&](core::Task const& task) { return task.claimed_by != name; });
    return std::move(list.items);
  }

  void stop() {
    if (input_.stop_hook_active || memory_.reminded || !has_holder()) return;
    if (memory_.unanswered && asked_lately()) return;
    if (!begin_asking()) return;
    auto const text = due_reminder();
    memory_.reminded = text && !text->empty();
    end_asking(text ? Result<void>{} : std::unexpected(text.error()));
    if (memory_.reminded && session_.load().reminded)
      in_.screen().print(json::serialize(json::object{{"decision", "block"}, {"reason", *text}}) + "\n");
  }

  /// Empty when everything is reported.
  Result<std::string> due_reminder() {
    if (auto const task = run_task(in_.env())) {
      ANDON_TRY(auto const told, renew_run());
      return told.reported || told.cancelled || !core::is_name(task.id) ? "" : reminder_in_run(task.id);
    }
    ANDON_TRY(auto const tasks, held());
    std::vector<core::TaskId> unreported;
    for (auto const& task : tasks)
      if (is_unreported(task)) unreported.push_back(task.id);
    return unreported.empty() ? "" : reminder(unreported);
  }

  Invocation& in_;
  HookInput const& input_;
  HookSession session_;
  HookMemory memory_;
  std::int64_t now_;
  Environment env_;
  Screen quiet_;
  std::optional<Invocation> board_;
};

}  // namespace

Result<int> run_hooks_run(Invocation& in) {
  if (in.env().end_after) in.env().end_after(kPatience);
  auto const& words = in.given().words;
  auto const event = words.size() == 1 ? hook_event_of(words.front()) : std::nullopt;
  if (!event) return 0;
  try {
    if (auto const input = read_hook_input(in.env().in)) HookRun(in, *input).run(*event);
  } catch (std::exception const&) {
    return 0;  // the agent could do nothing about it
  }
  return 0;
}

}  // namespace andon::cli
