#include "tui/model/replies.hpp"

#include <algorithm>
#include <iterator>

#include <boost/json/serialize.hpp>

#include "api/operation.hpp"
#include "core/text/visible_text.hpp"
#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/why.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/work.hpp"
#include "tui/model/attention.hpp"
#include "tui/model/bindings.hpp"
#include "tui/model/board_keys.hpp"
#include "tui/model/dialog_keys.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/page_readings.hpp"
#include "tui/model/page_text.hpp"
#include "tui/model/pages.hpp"
#include "tui/model/requests.hpp"
#include "tui/model/sent_forms.hpp"

namespace andon::tui {
namespace {

using reflect::Unknown;

constexpr std::size_t kMostOutput = 50'000;  ///< of a run's output that are kept on its page
constexpr std::size_t kMostReasons = 50;

template <class T>
std::optional<T> as(boost::json::value const& value) {
  auto read = reflect::from_json<T>(value, Unknown::ignore);
  return read ? std::optional{*std::move(read)} : std::nullopt;
}

void refuse(Model& model, core::Error const& error) {
  bool const is_full =
      error.code == core::Code::kWipLimitExceeded || error.code == core::Code::kClassWipExceeded;
  auto const text = core::visible_line(error.message);
  model.notice = {is_full ? "WIP limit: " + text : text, true};
}

/// The card of a task in an answer. A card has another kind of `run`.
std::optional<service::Card> card_in(boost::json::value const& value) {
  if (!value.is_object() || !value.get_object().contains("title")) return std::nullopt;
  auto object = value.get_object();
  object.erase("run");
  return as<service::Card>(object);
}

/// True for a task of another board than the one that is shown now.
bool is_elsewhere(Model const& model, boost::json::value const& value) {
  auto const* board = value.get_object().if_contains("board");
  return model.data.is_live && board && board->is_string() && board->get_string() != model.data.board.name;
}

void put_answer(Model& model, core::TaskId id, boost::json::value const& value) {
  auto card = card_in(value);
  if (!card || card->id == 0 || is_elsewhere(model, value)) return;
  if (auto const* before = model.data.cards.find(card->id)) {
    card->run = before->run;
    card->entered = before->status == card->status ? before->entered : card->updated;
  } else if (card->id != id) {
    card->entered = card->updated;
  }
  if (card->run && card->claimed_by != card->run->worker) card->run.reset();
  model.data.told.insert(card->id);
  // The stream of a server may have told of a later change already.
  if (model.data.is_live)
    model.data.cards.put(*std::move(card));
  else
    model.data.cards.put_anew(*std::move(card));
}

void forget_reason(Model& model, core::TaskId task) {
  model.data.reasons.erase(task);
  model.data.asked.erase(task);
}

void after_change(Model& model, Ask const& ask, boost::json::value const& value) {
  bool const is_gone = value.is_object() && value.get_object().contains("status") &&
                       value.get_object().at("status") == "deleted";
  if (is_gone) {
    model.data.told.insert(ask.task);
    model.data.cards.remove(ask.task);
  } else {
    put_answer(model, ask.task, value);
  }
  forget_reason(model, ask.task);
  // On a server the counts come with its stream; files have no more cards than are here.
  if (!model.data.is_live) model.data.counts.clear();
  model.data.cards.arrange();
  if (ask.task != 0 && model.selection.follow == ask.task) {
    model.selection.follow = 0;
    if (select_task(model, ask.task)) return;
  }
  settle_selection(model);
}

/// The sentence of an operation, `Approved task #{id}: {title}`, with the fields of its answer.
std::string said(std::string_view sentence, boost::json::object const& answer) {
  std::string out;
  while (!sentence.empty()) {
    auto const open = std::min(sentence.find('{'), sentence.size());
    out += sentence.substr(0, open);
    sentence.remove_prefix(open);
    auto const close = sentence.find('}');
    if (close == std::string_view::npos) break;
    auto const name = sentence.substr(1, close - 1);
    if (auto const* value = answer.if_contains({name.data(), name.size()}))
      out += value->is_string() ? std::string{value->get_string()} : boost::json::serialize(*value);
    sentence.remove_prefix(close + 1);
  }
  return core::visible_line(out);
}

/// The sentence about an act that a key has asked for; empty where the board itself shows it.
std::string sentence_about(Ask const& ask, boost::json::value const& value) {
  auto const* worker = ask.request.if_contains("worker");
  if (worker && worker->is_string() && ask.operation == &api::row_of<&service::freeze>())
    return core::visible_line(worker->get_string()) + " stands still; f lets it go on";
  if (worker && worker->is_string() && ask.operation == &api::row_of<&service::thaw>())
    return core::visible_line(worker->get_string()) + " goes on";
  return ask.key.empty() || !value.is_object() ? std::string{}
                                               : said(ask.operation->command.says, value.get_object());
}

/// The task that was just made, or edited, is the selected one, unless the filter hides it.
void select_made(Model& model, boost::json::value const& value) {
  if (auto const card = card_in(value)) select_task(model, card->id);
}

void show_on_page(Model& model, core::Task const& task) {
  for (auto& dialog : model.dialogs)
    if (auto* page = std::get_if<TaskPage>(&dialog); page && page->task == task.id) {
      page->read = task;
      scroll(model, *page, 0);
    }
}

void show_task(Model& model, core::Task const& task, Effects& effects) {
  show_on_page(model, task);
  fill_forms(model, task, effects);
}

/// Finds the operation that the key stands for on this task now, or says why there is none. Nobody judges
/// work other than the work in sight.
void choose_operation(Model& model, Ask const& ask, core::Task const& task, Effects& effects) {
  auto const* changes = model.dialogs.empty() ? nullptr : page_of_changes(model.dialogs.back(), task.id);
  if (changes && changes->run != task.run.value_or(0)) {
    model.notice = {"#" + std::to_string(task.id) + " has other work than these changes; read them first",
                    true};
    return mark_stale(model, task.id);
  }
  auto const operations = operations_of(ask.key);
  for (auto const* operation : operations)
    if (std::ranges::find(task.can, verb_of(*operation)) != task.can.end())
      return begin_operation(model, *operation, task, effects);
  std::string reasons;
  for (auto const* operation : operations)
    if (auto const reason = task.cannot.find(std::string{verb_of(*operation)}); reason != task.cannot.end())
      reasons += (reasons.empty() ? "" : "; ") + reason->first + ": " + reason->second;
  if (reasons.empty())
    reasons = "the key " + ask.key + " does nothing for #" + std::to_string(task.id) + " now";
  model.notice = {core::visible_line(reasons), true};
}

/// True while the person types or chooses; answers to earlier keys come too late then and are dropped.
bool is_busy(Model const& model) { return !model.dialogs.empty() && !is_page(model.dialogs.back()); }

TextPage* page_of(Model& model, TextPage::Kind kind, core::TaskId task) {
  for (auto& dialog : model.dialogs)
    if (auto* page = std::get_if<TextPage>(&dialog); page && page->kind == kind && page->task == task)
      return page;
  return nullptr;
}

void say_on(TextPage& page, std::string text) { page.lines = {{{std::move(text), {}}}}; }

/// Asks for the rest of the output, at most once at a time.
void ask_for_output(TextPage& page, Effects& effects) {
  if (page.is_asking) {
    page.is_behind = true;
    return;
  }
  page.is_asking = true;
  effects.push_back(ReadOutput{page.run, page.next});
}

/// A run's output has grown, or the run has ended: its page, if it is open, reads on.
void read_output(Model& model, core::TaskId task, Effects& effects) {
  auto* page = page_of(model, TextPage::Kind::output, task);
  if (page && page->run != 0) ask_for_output(*page, effects);
}

/// Adds lines at the end. When there are too many the first ones go, and what is in sight stays.
void add_output(Model const& model, TextPage& page, std::vector<api::OutputItem> const& items) {
  std::ranges::move(output_lines(items), std::back_inserter(page.lines));
  if (page.lines.size() > kMostOutput) {
    auto const gone = static_cast<std::ptrdiff_t>(page.lines.size() - kMostOutput);
    page.lines.erase(page.lines.begin(), page.lines.begin() + gone);
    page.offset = std::max(0, page.offset - static_cast<int>(gone));
  }
  if (page.follows) scroll(model, page, 0);
}

/// Goes on with the output of another run, below that of the one before.
void show_output_of(TextPage& page, core::Run const& run) {
  if (page.run == 0)
    page.lines.clear();
  else
    page.lines.push_back({{"attempt " + std::to_string(run.attempt) + " by " + core::visible_line(run.worker),
                           {.bold = true}}});
  page.run = run.id;
  page.next.clear();
  page.is_asking = false;
  page.is_behind = false;
}

void show_runs(Model& model, Ask const& ask, boost::json::value const& value, Effects& effects) {
  auto* page = page_of(model, TextPage::Kind::output, ask.task);
  auto const runs = as<service::Runs>(value);
  if (!page || !runs) return;
  if (runs->items.empty()) return say_on(*page, "Nobody has worked on it yet.");
  auto const& last = runs->items.back();
  if (page->run != last.id) show_output_of(*page, last);
  ask_for_output(*page, effects);
}

void show_diff(Model& model, Ask const& ask, boost::json::value const& value) {
  auto* page = page_of(model, TextPage::Kind::diff, ask.task);
  auto const diff = as<service::RunDiff>(value);
  if (!page || !diff) return;
  if (page->run != 0 && page->run != diff->run)
    model.notice = {"#" + std::to_string(ask.task) + " was worked on again; these are its changes now",
                    false};
  page->run = diff->run;
  page->lines.clear();
  for (auto const& file : diff->files)
    page->lines.push_back(
        {{(file.from.empty() ? "" : core::visible_line(file.from) + " -> ") + core::visible_line(file.path) +
              "  +" + std::to_string(file.added) + " -" + std::to_string(file.removed),
          {.bold = true}}});
  page->lines.emplace_back();
  std::ranges::move(diff_lines(diff->diff), std::back_inserter(page->lines));
  scroll(model, *page, 0);
}

void show_boards(Model& model, boost::json::value const& value) {
  auto const boards = as<service::Boards>(value);
  if (!boards) return;
  Picker picker{"Go to board:", {}, {}, 0, 0};
  for (auto const& board : boards->items) {
    if (board.name == model.data.board.name) picker.at = picker.words.size();
    picker.words.push_back(board.name);
    picker.shown.push_back(board.name + (board.title.empty() ? "" : "  " + core::visible_line(board.title)));
  }
  model.dialogs.push_back(std::move(picker));
}

void turn_freeze(Ask const& ask, boost::json::value const& value, Effects& effects) {
  auto const frozen = as<service::Frozen>(value);
  if (!frozen) return;
  bool const is_frozen = std::ranges::find(frozen->workers, ask.key) != frozen->workers.end();
  boost::json::object request{{"worker", ask.key}};
  effects.push_back(is_frozen ? ask_for<&service::thaw>(Purpose::act, std::move(request))
                              : ask_for<&service::freeze>(Purpose::act, std::move(request)));
}

void refresh_workers(Model& model) {
  for (auto& dialog : model.dialogs)
    if (auto* page = std::get_if<TextPage>(&dialog); page && page->kind == TextPage::Kind::workers) {
      page->lines = workers_page(model).lines;
      scroll(model, *page, 0);
    }
}

void keep_reasons(Model& model, boost::json::value const& value) {
  auto const found = as<service::DispatchBlockersOfTasks>(value);
  if (!found) return;
  for (auto const& one : found->items)
    model.data.reasons[one.id] = one.hindrances.empty() ? "starts soon" : one.hindrances.front().text;
}

void show_reasons(Model& model, Ask const& ask, boost::json::value const& value) {
  auto const found = as<service::DispatchBlockers>(value);
  if (!found) return;
  for (auto& dialog : model.dialogs)
    if (auto* page = std::get_if<TaskPage>(&dialog); page && page->task == ask.task)
      page->reasons = found->hindrances;
}

void take_refusal(Model& model, Ask const& ask, core::Error const& error, Effects& effects) {
  if (retry_edit(model, ask, error, effects)) return;
  if (model.selection.follow == ask.task) model.selection.follow = 0;
  if (ask.purpose == Purpose::create || ask.purpose == Purpose::task) reopen_form(model, ask.task);
  auto const kind = ask.purpose == Purpose::diff ? TextPage::Kind::diff : TextPage::Kind::output;
  if (ask.purpose == Purpose::diff || ask.purpose == Purpose::runs)
    if (auto* page = page_of(model, kind, ask.task)) return say_on(*page, core::visible_line(error.message));
  if (ask.purpose != Purpose::cards && ask.purpose != Purpose::reasons) refuse(model, error);
}

void drop_unknown(Model& model) {
  std::vector<core::TaskId> gone;
  model.data.cards.each([&](service::Card const& card) {
    if (!model.data.told.contains(card.id)) gone.push_back(card.id);
  });
  for (auto const id : gone) model.data.cards.remove(id);
  model.data.told.clear();
}

}  // namespace

void take(Model& model, Answered&& answered, Effects& effects) {
  auto const& ask = answered.ask;
  end_reading(model, ask);
  if (!answered.answer) return take_refusal(model, ask, answered.answer.error(), effects);
  auto const& value = *answered.answer;
  switch (ask.purpose) {
    case Purpose::act:
    case Purpose::create:
      if (ask.purpose == Purpose::create) take_sent(model, ask.task);
      after_change(model, ask, value);
      if (ask.purpose == Purpose::create) select_made(model, value);
      if (auto text = sentence_about(ask, value); !text.empty()) model.notice = {std::move(text), false};
      return mark_stale(model, ask.task);
    case Purpose::verbs:
      if (is_busy(model)) return;
      if (auto const task = as<core::Task>(value)) choose_operation(model, ask, *task, effects);
      return;
    case Purpose::task:
      if (auto const task = as<core::Task>(value)) show_task(model, *task, effects);
      return;
    case Purpose::reasons: return show_reasons(model, ask, value);
    case Purpose::cards: return keep_reasons(model, value);
    case Purpose::runs: return show_runs(model, ask, value, effects);
    case Purpose::diff: return show_diff(model, ask, value);
    case Purpose::boards:
      if (!is_busy(model)) show_boards(model, value);
      return;
    case Purpose::frozen: return turn_freeze(ask, value, effects);
  }
}

void take(Model& model, OutputRead&& read, Effects& effects) {
  for (auto& dialog : model.dialogs) {
    auto* page = std::get_if<TextPage>(&dialog);
    if (!page || page->kind != TextPage::Kind::output || page->run != read.run) continue;
    page->is_asking = false;
    bool const is_behind = std::exchange(page->is_behind, false);
    if (!read.page) {
      refuse(model, read.page.error());
      continue;
    }
    bool const goes_on = read.page->next != page->next && read.page->more.value_or(false);
    page->next = read.page->next;
    add_output(model, *page, read.page->items);
    if (is_behind || goes_on) ask_for_output(*page, effects);
  }
}

void take(Model& model, BoardRead&& read, Effects&) {
  auto& data = model.data;
  bool const is_same = data.is_read && data.board.name == read.snapshot.board.name;
  data.board = std::move(read.snapshot.board);
  if (is_same)
    data.cards.describe(data.board);
  else
    data.cards.begin(data.board), model.selection = {}, model.offsets.clear();
  data.workers = std::move(read.snapshot.workers);
  data.dispatch = std::move(read.snapshot.dispatch);
  data.is_live = read.is_live;
  data.turn = read.turn;
  data.told.clear();
  data.counts.clear();
  for (auto const& column : data.board.columns)
    if (column.count) data.counts[column.name] = *column.count;
  for (auto& card : read.snapshot.tasks) {
    data.told.insert(card.id);
    data.cards.put_anew(std::move(card));
  }
  data.cards.arrange();
  if (!is_same)
    for (std::size_t i = 0; i < data.cards.columns(); ++i)
      if (data.cards.count(i) > 0) {
        model.selection.column = i;
        break;
      }
  data.is_read = true;
  model.trouble.clear();
  // Nothing else says which files of a board have changed.
  if (!data.is_live) mark_all_stale(model);
  settle_selection(model);
}

void take(Model& model, CardsRead&& read, Effects&) {
  auto& data = model.data;
  for (auto& card : read.cards) {
    // A change that came during the reading is newer than the reading, also the removal of a card.
    bool const is_new = data.told.insert(card.id).second;
    if (is_new)
      data.cards.put_anew(std::move(card));
    else if (data.cards.find(card.id))
      data.cards.put(std::move(card));
  }
  model.data.cards.arrange();
  settle_selection(model);
}

void take(Model& model, BoardComplete&& complete, Effects&) {
  if (complete.is_cut)
    model.notice = {
        "only the first " + std::to_string(model.data.told.size()) + " cards of this board are here", true};
  drop_unknown(model);
  model.data.cards.arrange();
  settle_selection(model);
}

void take(Model& model, BoardChanged&& changed, Effects& effects) {
  auto& data = model.data;
  if (changed.turn != data.turn) return;
  if (changed.board) {
    data.board = *std::move(changed.board);
    data.cards.describe(data.board);
  }
  for (auto& [name, count] : changed.counts) data.counts[name] = count;
  for (auto& card : changed.cards) {
    forget_reason(model, card.id);
    read_output(model, card.id, effects);
    data.told.insert(card.id);
    data.cards.put(std::move(card));
  }
  for (auto const id : changed.gone) {
    data.told.insert(id);
    data.cards.remove(id);
  }
  for (auto& worker : changed.workers) {
    auto const known = std::ranges::find(data.workers, worker.name, &core::Worker::name);
    if (known == data.workers.end())
      data.workers.push_back(std::move(worker));
    else
      *known = std::move(worker);
  }
  std::erase_if(data.workers, [&](auto const& worker) {
    return std::ranges::find(changed.workers_gone, worker.name) != changed.workers_gone.end();
  });
  if (changed.dispatch) data.dispatch = *std::move(changed.dispatch);
  for (auto const& [task, line] : changed.lines) {
    data.cards.set_line(task, line);
    read_output(model, task, effects);
  }
  refresh_workers(model);
  data.cards.arrange();
  settle_selection(model);
}

void take(Model& model, Connection&& connection, Effects&) {
  bool const is_back = !model.trouble.empty() && connection.trouble.empty();
  model.trouble = std::move(connection.trouble);
  if (is_back) mark_all_stale(model);
}

void ask_for_reasons(Model& model, Effects& effects) {
  if (!model.data.is_live || !model.dialogs.empty()) return;
  boost::json::array tasks;
  for (auto const& column : layout_of(model).columns)
    for (auto const& placed : column.cards) {
      auto const& card = *placed.card;
      bool const waits = card.stage == core::Stage::ready && !card.run && !call_of(card);
      if (waits && tasks.size() < kMostReasons && model.data.asked.insert(card.id).second)
        tasks.emplace_back(card.id);
    }
  if (!tasks.empty())
    effects.push_back(ask_for<&service::why_tasks>(Purpose::cards, {{"tasks", std::move(tasks)}}));
}

}  // namespace andon::tui
