#include "mcp/tools/approval.hpp"

#include <boost/json/serialize.hpp>

#include "api/description/schema.hpp"
#include "core/text/ascii.hpp"
#include "service/history/history.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::mcp {
namespace {

constexpr core::Duration kBetweenLooks = std::chrono::seconds{2};
constexpr int kMostLooks = 300;        ///< ten minutes
constexpr int kLooksOfHeartbeat = 15;  ///< a heartbeat each half a minute
constexpr int kMostAnswers = 500;      ///< one page of events
constexpr std::size_t kLongestText = 16U << 10U;

constexpr char kNobody[] =
    "nobody answered within ten minutes; go on without it, or block the task with a question";

/// The question to the person. A tool that runs one command shows it as it is.
std::string question_of(json::object const& arguments) {
  auto const name = text_in(arguments, "tool_name");
  auto const& input = object_in(arguments, "input");
  auto const command = text_in(input, "command");
  auto const shown = command.empty() ? json::serialize(input) : std::string{command};
  return "May it use " + std::string{name} + "?\n\n" + shown;
}

bool is_yes(std::string_view answer) {
  auto const small = core::ascii_lower(answer);
  return small == "allow" || small == "yes";
}

std::optional<core::Instant> time_of_question(core::Task const& task) {
  return task.question ? std::optional{task.question->asked_at} : std::nullopt;
}

/// A question to a person on the board, until it is answered.
struct Approval : std::enable_shared_from_this<Approval> {
  StartCall start;
  service::Caller caller;
  json::object input;
  std::string question;
  RequestContext context;
  Respond respond;
  int looks = 0;
  std::optional<core::Instant> asked_at;  ///< nothing before the question stands on the board

  service::TaskRef task() const { return {std::to_string(caller.run->task)}; }

  template <auto F, class Take>
  void call(typename api::detail::Signature<decltype(F)>::Request request, Take take) {
    auto as = caller;
    as.source = core::Source::mcp;
    start(api::call_of<F>(std::move(request), std::move(as)),
          [take, self = shared_from_this()](core::Result<api::Answer> answer) {
            take(*self, std::move(answer));
          });
  }

  void decide(bool is_allowed, std::string const& why) {
    json::object told{{"behavior", is_allowed ? "allow" : "deny"}};
    if (is_allowed)
      told["updatedInput"] = input;
    else
      told["message"] = why;
    json::object const text{{"type", "text"}, {"text", json::serialize(told)}};
    respond(json::object{{"content", json::array{text}}});
  }

  void ask() {
    service::AskRequest request;
    request.id = task();
    request.text = question;
    request.epoch = caller.run->epoch;
    call<&service::ask_permission>(std::move(request), [](Approval& self, core::Result<api::Answer> answer) {
      if (answer) return self.note_asked(*std::move(answer));
      // Another question of the same run stands on the board.
      if (answer.error().code == core::Code::kConflict) return self.wait();
      self.decide(false, answer.error().message);
    });
  }

  void note_asked(api::Answer answer) {
    auto const task = std::move(answer).as<core::Task>();
    if (!task) return decide(false, "the board gave no answer");
    asked_at = time_of_question(*task);
    wait();
  }

  void wait() {
    if (context.exchange->is_cancelled()) return withdraw("the call was cancelled");
    if (++looks > kMostLooks) return withdraw(kNobody);
    context.progress(looks, kMostLooks, "waits for a person");
    if (looks % kLooksOfHeartbeat == 0) {
      service::HeartbeatRequest renewal;
      renewal.id = task();
      renewal.epoch = caller.run->epoch;
      call<&service::heartbeat>(std::move(renewal), [](Approval&, core::Result<api::Answer> const&) {});
    }
    context.later(kBetweenLooks,
                  [self = shared_from_this()] { self->asked_at ? self->look() : self->ask(); });
  }

  void look() {
    service::TaskRequest request;
    request.id = task();
    call<&service::get_task>(std::move(request), [](Approval& self, core::Result<api::Answer> answer) {
      if (!answer) return self.wait();
      auto const task = std::move(*answer).as<core::Task>();
      if (!task || time_of_question(*task) == self.asked_at) return self.wait();
      self.find_answer();
    });
  }

  /// The question is gone: it was answered, or its run is over. Further questions of the run may have been
  /// answered since, also with the same text; the time it was asked tells this one's answer from theirs.
  void find_answer() {
    service::EventsRequest request;
    request.task = task();
    request.kind = core::EventKind::task_answered;
    request.after = asked_at;
    request.newest = true;
    request.limit = kMostAnswers;
    call<&service::list_events>(std::move(request), [](Approval& self, core::Result<api::Answer> answer) {
      auto const events = answer ? std::move(*answer).as<service::Events>() : service::Events{};
      for (auto const& event : events ? events->items : std::vector<service::WireEvent>{}) {
        auto const* data = event.data.if_object();
        if (!data || text_in(*data, "asked_at") != core::to_text(*self.asked_at)) continue;
        auto const said = std::string{text_in(*data, "text")};
        return self.decide(is_yes(said), "a person answered: " + said);
      }
      self.decide(false, "the question was taken back");
    });
  }

  void withdraw(std::string const& why) {
    if (!asked_at) return decide(false, why);
    service::AskRequest request;
    request.id = task();
    request.text = question;
    request.epoch = caller.run->epoch;
    request.withdraw = true;
    call<&service::ask_permission>(
        std::move(request),
        [why](Approval& self, core::Result<api::Answer> const&) { self.decide(false, why); });
  }
};

}  // namespace

bool may_ask(service::Caller const& caller) { return caller.run && caller.run->asks; }

json::object described_approval() {
  json::object const text{{"type", "string"}};
  json::object const properties{
      {"tool_name", text}, {"input", json::object{{"type", "object"}}}, {"tool_use_id", text}};
  return {{"name", api::json_text(kApprovalTool)},
          {"description", "Asks a person whether a tool may be used. The program calls it by itself."},
          {"inputSchema", json::object{{"type", "object"},
                                       {"properties", properties},
                                       {"required", json::array{"tool_name", "input"}}}},
          {"annotations",
           json::object{{"readOnlyHint", false}, {"destructiveHint", false}, {"openWorldHint", false}}}};
}

void run_approval(StartCall start, service::Caller caller, json::object arguments, RequestContext context,
                  Respond respond) {
  auto const approval = std::make_shared<Approval>();
  approval->start = std::move(start);
  approval->caller = std::move(caller);
  approval->input = object_in(arguments, "input");
  approval->question = question_of(arguments);
  approval->context = std::move(context);
  approval->respond = std::move(respond);
  if (text_in(arguments, "tool_name").empty())
    return approval->respond(fault(Fault::invalid_params, "\"tool_name\" must name a tool"));
  if (approval->question.size() > kLongestText)
    return approval->decide(false, "this is too long to be shown to a person; use something shorter");
  approval->ask();
}

}  // namespace andon::mcp
