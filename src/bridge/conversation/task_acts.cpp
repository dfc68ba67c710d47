#include "bridge/conversation/task_acts.hpp"

#include <charconv>

#include "bridge/conversation/chat_text.hpp"
#include "bridge/conversation/news_kinds.hpp"
#include "bridge/conversation/task_message.hpp"
#include "bridge/conversation/watches.hpp"
#include "service/history/history.hpp"
#include "service/insight/why.hpp"
#include "service/runs/revert.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::bridge {
namespace {

using core::Code;
using core::Result;
using core::Stage;

/// Steps of a message that writes more than once.
constexpr int kCreateStep = 1, kAssignStep = 2, kApproveStep = 3;

service::TaskRef reference(core::Task const& task) { return {std::to_string(task.id)}; }

OutMessage told(ChatBoard& chat_board, core::Task const& task, std::string_view word,
                std::string const& rest = {}) {
  auto out = chat_board.message();
  out.text = {{std::string{word} + " " + task_label(task) + "."}};
  if (!rest.empty()) out.text.push_back({"\n" + rest});
  out.buttons = buttons_for(chat_board.chat(), task);
  offer_replies(out, task);
  return out;
}

/// The sentence that says who works on a task that may start, or why nobody does yet.
std::string who_has(ChatBoard& chat_board, core::Task const& task) {
  auto const why = chat_board.call<&service::why_not_running>({reference(task)});
  if (!why) return sentence(why.error().message);
  auto const who = why->worker.empty() ? std::string{} : chat_board.worker_title(why->worker);
  if (why->running || (why->hindrances.empty() && !who.empty())) return sentence(who + " has it");
  if (why->hindrances.empty()) return "The next free worker takes it.";
  auto const& first = why->hindrances.front();
  if (first.code == "worker" && first.task)
    return sentence(chat_board.worker_title(first.about) + " works on #" + std::to_string(*first.task) +
                    "; this one waits");
  return "It waits: " + one_line(first.text) + ".";
}

/// Approves and says who has it. A refusal keeps the task and is told with it.
Said send_to_work(ChatBoard& chat_board, core::Task const& task, std::string_view word) {
  auto const approved = chat_board.call<&service::approve_task>({reference(task)}, kApproveStep);
  if (!approved) return told(chat_board, task, word, "It waits: " + sentence(approved.error().message));
  return told(chat_board, *approved, word, who_has(chat_board, *approved));
}

/// The last answer that the task got, if this chat gave it.
std::string answer_given(ChatBoard& chat_board, core::Task const& task) {
  service::EventsRequest asked;
  asked.task = reference(task);
  asked.kind = core::EventKind::task_answered;
  asked.limit = 1;
  asked.newest = true;
  auto const events = chat_board.call<&service::list_events>(std::move(asked));
  if (!events || events->items.empty() || events->items.back().actor != chat_board.actor()) return {};
  return fact_in(events->items.back(), "text");
}

OutMessage answered(ChatBoard& chat_board, core::Task const& task, std::string_view text) {
  auto out = chat_board.message();
  out.text = {{"Answered " + task_label(task) + ": "}, {one_line(text)}};
  out.about = about_task(task);
  return out;
}

/// A question that was answered or changed meanwhile. A repeated message gets the answer that it got at
/// first.
OutMessage too_late(ChatBoard& chat_board, core::Task const& task, GivenAnswer const& given) {
  auto out = chat_board.message();
  if (task.question) {
    out.text = {{task_label(task) + " asks something else by now:\n"},
                {excerpt(task.question->text), Style::quote}};
    out.buttons = buttons_for(chat_board.chat(), task);
    offer_replies(out, task);
    return out;
  }
  auto const before = answer_given(chat_board, task);
  bool const is_it = !before.empty() && (given.choice > 0 || before == cleaned(given.text));
  if (is_it) return answered(chat_board, task, before);
  out.text = {{task_label(task) + " does not wait for this answer any more."}};
  out.about = about_task(task);
  return out;
}

/// Runs an operation on a task of the chat.
template <auto F>
Result<core::Task> act(ChatBoard& chat_board, std::string_view task,
                       typename api::detail::Signature<decltype(F)>::Request request) {
  ANDON_TRY(auto const found, chat_board.task(task));
  request.id = reference(found);
  return chat_board.call<F>(std::move(request));
}

}  // namespace

Said add_task(ChatBoard& chat_board, std::string_view text) {
  auto wanted = task_text(text);
  if (wanted.title.empty())
    return core::refuse(Code::kInvalidInput, "this message has no text to make a task of");
  service::CreateTaskRequest request;
  request.title = std::move(wanted.title);
  request.body = std::move(wanted.brief);
  ANDON_TRY(request.board, chat_board.board_name());
  request.assignee = chat_board.chat().worker;
  ANDON_TRY(auto const task, (chat_board.call<&service::create_task>(std::move(request), kCreateStep)));
  if (chat_board.chat().start) return send_to_work(chat_board, task, "Added");
  return told(chat_board, task, "Added", "It is in " + one_line(task.status) + ".");
}

Said approve(ChatBoard& chat_board, std::string_view id) {
  ANDON_TRY(auto const task, (act<&service::approve_task>(chat_board, id, {})));
  return told(chat_board, task, "Approved", who_has(chat_board, task));
}

Said start(ChatBoard& chat_board, std::string_view id) {
  ANDON_TRY(auto task, chat_board.task(id));
  auto const& worker = chat_board.chat().worker;
  if (!worker.empty() && task.assignee.empty() && task.role.empty()) {
    service::EditTaskRequest edit;
    edit.id = reference(task);
    edit.assignee = worker;
    ANDON_TRY(task, (chat_board.call<&service::edit_task>(std::move(edit), kAssignStep)));
  }
  return send_to_work(chat_board, task, "Started");
}

Said accept(ChatBoard& chat_board, std::string_view id) {
  ANDON_TRY(auto const task, (act<&service::accept_task>(chat_board, id, {})));
  return told(chat_board, task, "Accepted");
}

Said reject(ChatBoard& chat_board, std::string_view id, std::string_view reason) {
  service::RejectRequest request;
  request.reason = cleaned(reason);
  ANDON_TRY(auto const task, (act<&service::reject_task>(chat_board, id, std::move(request))));
  return told(chat_board, task, "Sent back");
}

Said kill(ChatBoard& chat_board, std::string_view id) {
  ANDON_TRY(auto const task, (act<&service::kill_task>(chat_board, id, {})));
  auto out = chat_board.message();
  bool const is_over = task.claimed_by.empty();
  out.text = {{is_over ? "Stopped " + task_label(task) + ". It is in " + one_line(task.status) + "."
                       : "Stopping " + task_label(task) + "."}};
  out.about = about_task(task);
  return out;
}

Said retry(ChatBoard& chat_board, std::string_view id) {
  ANDON_TRY(auto const task, (act<&service::retry_task>(chat_board, id, {})));
  return told(chat_board, task, "Trying again:", who_has(chat_board, task));
}

Said revert(ChatBoard& chat_board, std::string_view id, std::string_view reason) {
  service::RevertRequest request;
  request.reason = cleaned(reason);
  ANDON_TRY(auto const task, (act<&service::revert_task>(chat_board, id, std::move(request))));
  return told(chat_board, task, "Taking back", task.notice);
}

Said complete(ChatBoard& chat_board, std::string_view id, std::string_view result) {
  service::CompleteRequest request;
  request.result = cleaned(result);
  ANDON_TRY(auto const task, (act<&service::complete_task>(chat_board, id, std::move(request))));
  bool const is_done = core::is_terminal(task.stage);
  return told(chat_board, task, is_done ? "Done:" : "Finished",
              is_done ? "" : "It is in " + one_line(task.status) + ".");
}

Said note(ChatBoard& chat_board, std::string_view id, std::string_view text) {
  service::NoteRequest request;
  request.text = cleaned(text);
  ANDON_TRY(auto const task, (act<&service::note_task>(chat_board, id, std::move(request))));
  return told(chat_board, task, "Noted on");
}

Said answer(ChatBoard& chat_board, std::string_view id, GivenAnswer const& given) {
  ANDON_TRY(auto const task, chat_board.task(id));
  bool const is_bound = !given.stamp.empty();
  bool const is_same = task.question && question_stamp(*task.question) == given.stamp;
  if (is_bound && !is_same) return too_late(chat_board, task, given);
  if (!task.question && !task.blocked) return too_late(chat_board, task, given);
  auto const count = task.question ? task.question->choices.size() : 0;
  if (given.choice > count) return too_late(chat_board, task, given);
  service::AnswerRequest request;
  request.id = reference(task);
  request.text = given.choice == 0 ? cleaned(given.text) : task.question->choices[given.choice - 1];
  if (task.question) request.question = task.question->text;
  ANDON_CHECK(chat_board.call<&service::answer_task>(request));
  return answered(chat_board, task, request.text);
}

Said follow(ChatBoard& chat_board, std::string_view named) {
  ANDON_TRY(auto const task, chat_board.task(named));
  if (!task.run || !chat_board.watches())
    return core::refuse(Code::kStatusConflict, "no agent works on " + task_label(task));
  // Nobody holds a task whose run has ended.
  auto const run = chat_board.call<&service::get_run>({*task.run});
  auto const& worker = run ? run->worker : task.claimed_by;
  return chat_board.watches()->begin(chat_board.chat(), task, chat_board.worker_title(worker));
}

Said unfollow(ChatBoard& chat_board, std::string_view run) {
  std::int64_t id = 0;
  std::from_chars(run.data(), run.data() + run.size(), id);
  if (chat_board.watches()) chat_board.watches()->end(chat_board.chat().place, core::RunId{id});
  auto out = chat_board.message();
  out.text = {{"Its output is followed no longer."}};
  return out;
}

}  // namespace andon::bridge
