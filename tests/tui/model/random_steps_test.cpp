#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "api/call.hpp"
#include "api/operation.hpp"
#include "tui/board_on_screen.hpp"

// Random happenings in a random order. Whatever people, terminals and servers do, the model keeps its
// promises and can be drawn.

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;

namespace {

using Strings = std::vector<std::string>;

/// A step means something else after other steps, so that nothing is gained by trying less.
int number_in(int from, int to) { return *rc::gen::noShrink(rc::gen::inRange(from, to + 1)); }
bool is_chance(int percent) { return number_in(1, 100) <= percent; }
template <class T>
T one_of(std::vector<T> const& all) {
  return all[static_cast<std::size_t>(number_in(0, static_cast<int>(all.size()) - 1))];
}

std::string hostile_text() {
  static Strings const kPieces{"plain",
                               "a longer word",
                               " ",
                               "\n",
                               "\t",
                               "\r",
                               "\x1b[31m",
                               "\x1b]0;title\x07",
                               "\u202e",
                               "\u200b",
                               "e\u0301",
                               "\u0301",
                               "你好",
                               "👩\u200d💻",
                               "🇩🇪",
                               "\xff\xfe",
                               "\xe4\xbd",
                               std::string(1, '\0'),
                               "#12 ",
                               "{id}",
                               "a,b",
                               std::string(200, 'w'),
                               "\u0085\u2028",
                               "\x7f"};
  std::string out;
  for (int i = number_in(0, 4); i > 0; --i) out += one_of(kPieces);
  return out;
}

Strings some_texts(int most) {
  Strings out;
  for (int i = number_in(0, most); i > 0; --i) out.push_back(hostile_text());
  return out;
}

core::Instant some_time() { return at_minute(number_in(-100'000, 100'000)); }
core::TaskId some_id() { return core::TaskId{number_in(1, 30)}; }

core::Column column_named(std::string name, int wip_limit) {
  core::Column out;
  out.name = std::move(name);
  out.title = is_chance(50) ? hostile_text() : "";
  out.wip_limit = wip_limit;
  return out;
}

core::Board some_board() {
  auto board = flow_board(is_chance(80) ? "shop" : hostile_text());
  if (is_chance(20)) board.columns.clear();
  if (is_chance(30)) board.columns.push_back(column_named(hostile_text(), 2));
  if (is_chance(10))
    for (int i = 0; i < 30; ++i) board.columns.push_back(column_named("c" + std::to_string(i), 0));
  if (is_chance(20)) board.priorities = some_texts(3);
  for (auto& column : board.columns) {
    if (is_chance(30)) column.count = number_in(0, 50);
    if (is_chance(20)) column.show_duration = is_chance(50);
  }
  if (is_chance(50)) {
    auto& look = board.tui.emplace();
    look.title_lines = number_in(-3, 9);
    look.hide_empty_columns = is_chance(50);
    look.narrow_threshold = number_in(0, 60);
    look.age_thresholds.push_back({core::Duration{5}, hostile_text()});
  }
  return board;
}

std::string some_column(Model const& model) {
  auto const& columns = model.data.board.columns;
  if (columns.empty() || is_chance(10)) return hostile_text();
  return columns[static_cast<std::size_t>(number_in(0, static_cast<int>(columns.size()) - 1))].name;
}

core::Question some_question() {
  core::Question out{hostile_text(), some_texts(3), "worker:x", some_time(), {}};
  if (is_chance(50)) out.run = core::RunId{1};
  return out;
}

service::Card some_card(Model const& model) {
  service::Card card;
  card.id = some_id();
  card.rev = core::Revision{number_in(0, 9)};
  card.title = hostile_text();
  card.status = some_column(model);
  card.stage = static_cast<core::Stage>(number_in(0, 8));
  card.priority = one_of<std::string>({"low", "medium", "high", "critical", "", "unknown", "\x1b[1m"});
  card.tags = some_texts(3);
  if (is_chance(30)) card.blocked = is_chance(80);
  card.block_reason = is_chance(30) ? hostile_text() : "";
  if (is_chance(20)) card.question = some_question();
  card.claimed_by = is_chance(30) ? hostile_text() : "";
  card.attempt = number_in(0, 3);
  card.failure = is_chance(20) ? hostile_text() : "";
  card.flag = is_chance(20) ? hostile_text() : "";
  if (is_chance(20)) card.due = core::utc_day(some_time());
  if (is_chance(30))
    card.run = service::CardRun{7, number_in(1, 3), some_time(), static_cast<core::RunState>(number_in(0, 3)),
                                hostile_text()};
  if (is_chance(20)) card.work = service::CardWork{core::DiffSize{3, 90, 1}, 2, 1, 1.5};
  if (is_chance(20)) card.returned = true;
  card.line = is_chance(30) ? hostile_text() : "";
  card.entered = some_time();
  card.created = some_time();
  card.updated = some_time();
  return card;
}

std::vector<service::Card> some_cards(Model const& model, int most) {
  std::vector<service::Card> out;
  for (int i = number_in(0, most); i > 0; --i) out.push_back(some_card(model));
  return out;
}

core::Worker some_worker() {
  core::Worker worker;
  worker.name = one_of<std::string>({"ada", "bob", "\x1b[2J", "你好你好你好你好你好你好"});
  worker.state = static_cast<core::WorkerStatus>(number_in(0, 6));
  if (is_chance(50)) worker.task = some_id();
  if (is_chance(50)) worker.since = some_time();
  worker.queued = number_in(0, 2);
  worker.paused_because = is_chance(20) ? hostile_text() : "";
  if (is_chance(20)) worker.limited_until = some_time();
  return worker;
}

service::DispatchLight some_light() {
  service::DispatchLight out{is_chance(50), {}};
  if (is_chance(50)) out.stopped = service::StoppedLine{hostile_text(), some_time()};
  return out;
}

BoardRead some_reading(Model const& model) {
  BoardRead out;
  out.snapshot.board = some_board();
  out.snapshot.tasks = some_cards(model, 25);
  out.snapshot.dispatch = some_light();
  for (int i = number_in(0, 4); i > 0; --i) out.snapshot.workers.push_back(some_worker());
  out.is_live = is_chance(80);
  return out;
}

BoardChanged some_change(Model const& model) {
  BoardChanged out;
  out.cards = some_cards(model, 4);
  for (int i = number_in(0, 2); i > 0; --i) out.gone.push_back(some_id());
  if (is_chance(50)) out.lines[some_id()] = hostile_text();
  if (is_chance(30)) out.workers.push_back(some_worker());
  if (is_chance(10)) out.workers_gone.push_back("ada");
  if (is_chance(10)) out.board = some_board();
  if (is_chance(30)) out.counts[some_column(model)] = number_in(0, 99);
  if (is_chance(20)) out.dispatch = some_light();
  return out;
}

KeyPress some_key() {
  static std::string const kKeys = "hjkglGcemnp+=-_dsSr/iovw!PB?qyYN123 abuxtKzwaeu#";
  if (is_chance(25)) return {static_cast<Key>(number_in(1, 14))};
  if (is_chance(10)) return {.text = hostile_text(), .control = is_chance(20), .alt = is_chance(20)};
  auto const at = static_cast<std::size_t>(number_in(0, static_cast<int>(kKeys.size()) - 1));
  return {.text = std::string(1, kKeys[at]), .control = is_chance(8), .alt = is_chance(5)};
}

MouseEvent some_mouse(Model const& model) {
  return {static_cast<MouseEvent::What>(number_in(0, 4)),
          {number_in(-1, model.size.columns), number_in(-1, model.size.rows)},
          is_chance(90),
          is_chance(10)};
}

core::Task some_task(Model const& model, core::TaskId id) {
  auto task = task_of(some_card(model));
  if (id != 0 && is_chance(90)) task.id = id;
  task.body = hostile_text() + "\n" + hostile_text();
  task.result = hostile_text();
  task.can = {"accept", "approve", "answer", "reject", "retry", "kill", "block", "unblock", "note"};
  for (auto verb = task.can.begin(); verb != task.can.end();) {
    if (is_chance(50)) {
      task.cannot[*verb] = hostile_text();
      verb = task.can.erase(verb);
    } else {
      ++verb;
    }
  }
  if (is_chance(30)) task.question = some_question();
  task.blocked = is_chance(20);
  task.block_reason = hostile_text();
  return task;
}

boost::json::value reasons_of(core::TaskId id) {
  return {{"id", id}, {"hindrances", {{{"code", "turn"}, {"text", "others go first"}}}}};
}

boost::json::value some_answer(Model const& model, Ask const& ask) {
  if (is_chance(5)) return boost::json::array{1, "odd"};
  switch (ask.purpose) {
    case Purpose::runs:
      if (is_chance(30)) return {{"items", boost::json::array{}}};
      return {{"items", {{{"id", 3}}, {{"id", number_in(1, 5)}}}}};
    case Purpose::diff: {
      std::string diff = "diff --git a b\n@@ -1 +1 @@\n";
      for (int i = number_in(0, 20); i > 0; --i)
        diff += one_of<std::string>({"-", "+", " ", ""}) + "a " + core::visible_text(hostile_text()) + "\n";
      return {{"files", {{{"path", "src/a.cpp"}, {"added", 1}}}}, {"diff", diff}};
    }
    case Purpose::boards: return {{"items", {{{"name", "shop"}}, {{"name", "garden"}, {"title", "\u202e"}}}}};
    case Purpose::cards: return {{"items", {reasons_of(some_id()), {{"id", some_id()}}}}};
    case Purpose::reasons: return reasons_of(ask.task);
    default:
      if (is_chance(5)) return {{"status", "deleted"}, {"id", ask.task}};
      return boost::json::parse(reflect::to_json(some_task(model, ask.task)));
  }
}

Happening answer_to(Model const& model, Effect const& effect) {
  bool const is_refused = is_chance(20);
  if (auto const* ask = std::get_if<Ask>(&effect)) {
    if (is_refused) return Answered{*ask, core::refuse(core::Code::kTaskClaimed, hostile_text())};
    return Answered{*ask, some_answer(model, *ask)};
  }
  if (auto const* read = std::get_if<ReadOutput>(&effect)) {
    if (is_refused) return OutputRead{read->run, core::refuse(core::Code::kBusy, hostile_text())};
    api::OutputPage page;
    for (int i = number_in(0, 60); i > 0; --i) page.items.push_back({{}, "tool", hostile_text()});
    page.next = hostile_text();
    page.more = is_chance(30);
    return OutputRead{read->run, std::move(page)};
  }
  return some_reading(model);
}

Happening some_happening(Model const& model, Effects const& waiting) {
  switch (number_in(0, 19)) {
    case 0:
      if (is_chance(30)) return some_reading(model);
      [[fallthrough]];
    case 1: return some_change(model);
    case 2: return CardsRead{some_cards(model, 10)};
    case 3: return is_chance(50) ? Happening{BoardComplete{}} : Happening{Tick{}};
    case 4: return Resized{number_in(1, is_chance(50) ? 40 : 300), number_in(1, is_chance(50) ? 12 : 80)};
    case 5: return Connection{hostile_text()};
    case 6: return Paste{hostile_text()};
    case 7:
    case 8:
    case 9: return some_mouse(model);
    case 10:
    case 11:
    case 12:
      if (!waiting.empty()) return answer_to(model, one_of(waiting));
      [[fallthrough]];
    default: return some_key();
  }
}

void check_selection(Model const& model) {
  auto const& selection = model.selection;
  auto const& cards = model.data.cards;
  if (cards.columns() == 0) return RC_ASSERT(selection.task == 0);
  RC_ASSERT(selection.column < cards.columns());
  auto const& rows = cards.rows(selection.column);
  RC_ASSERT(selection.row < std::max<std::size_t>(rows.size(), 1));
  RC_ASSERT(selection.task == (rows.empty() ? core::TaskId{} : rows[selection.row]->id));
}

void check_layout(Model const& model) {
  auto const layout = layout_of(model);
  bool is_selected_in_sight = model.selection.task == 0;
  for (auto const& column : layout.columns) {
    RC_ASSERT(column.area.y + column.area.height <= std::max(layout.status_row, column.area.y + 1));
    for (auto const& card : column.cards) {
      RC_ASSERT(card.area.y + card.area.height <= layout.status_row);
      is_selected_in_sight = is_selected_in_sight || card.card->id == model.selection.task;
    }
    RC_ASSERT(column.above + column.cards.size() + column.below ==
              model.data.cards.rows(column.column).size());
    bool const has_cards = !model.data.cards.rows(column.column).empty();
    if (model.size.rows >= 4) RC_ASSERT(column.cards.empty() != has_cards);
  }
  if (model.size.rows >= 4) RC_ASSERT(is_selected_in_sight);
  auto const& cards = model.data.cards;
  for (std::size_t i = 0; i < std::min(model.offsets.size(), cards.columns()); ++i)
    RC_ASSERT(model.offsets[i] <= cards.rows(i).size());
}

void check_picture(Model const& model) {
  auto const picture = draw(model);
  RC_ASSERT(picture.cells.width() == model.size.columns);
  RC_ASSERT(picture.cells.height() == model.size.rows);
  auto text = picture.cells.text();
  std::erase(text, '\n');
  RC_ASSERT(!core::holds_hidden(text));
  Rect const whole{0, 0, model.size.columns, model.size.rows};
  RC_ASSERT(whole.contains(picture.cursor.value_or(Point{})));
}

void check_asks(Effects const& effects) {
  for (auto const& effect : effects) {
    auto const* ask = std::get_if<Ask>(&effect);
    if (!ask) continue;
    RC_ASSERT(ask->operation != nullptr);
    auto const decoded = api::decode(*ask->operation, ask->request);
    if (!decoded) RC_FAIL(std::string{ask->operation->name} + ": " + decoded.error().message);
  }
}

}  // namespace

TEST_CASE("Model.KeepsItsPromisesWhateverHappens") {
  CHECK(rc::check("after every step", [] {
    BoardOnScreen screen{{}, is_chance(80)};
    auto& model = screen.model;
    if (is_chance(30)) model.options.narrow = true;
    Effects waiting;
    int const steps = number_in(1, 150);
    for (int i = 0; i < steps; ++i) {
      if (is_chance(20)) screen.pass(std::chrono::milliseconds{number_in(0, 90'000)});
      screen.happens(some_happening(model, waiting));
      check_selection(model);
      check_layout(model);
      check_picture(model);
      check_asks(screen.effects);
      for (auto& effect : screen.effects) waiting.push_back(std::move(effect));
      if (waiting.size() > 8) waiting.erase(waiting.begin(), waiting.end() - 8);
    }
  }));
}
