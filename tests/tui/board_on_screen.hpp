#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/parse.hpp>

#include "api/operation.hpp"
#include "core/boards/templates.hpp"
#include "core/text/visible_text.hpp"
#include "reflect/json.hpp"
#include "support/builders.hpp"
#include "tui/model/board_keys.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/step.hpp"
#include "tui/views/draw.hpp"

namespace andon::tui::test {

using andon::test::at_minute;

/// The board of the tests: the columns backlog, todo, in-progress, review, done and archived.
inline core::Board flow_board(std::string name = "shop") {
  auto board = *core::board_from_template("flow");
  board.name = std::move(name);
  board.default_status = "backlog";
  return board;
}

/// Builds a card: `a_card(3, "Fix the cart").in("todo").priority("high")`. Its times rise with its number.
class CardBuilder {
 public:
  CardBuilder(core::TaskId id, std::string title) {
    card_.id = id;
    card_.rev = 1;
    card_.title = std::move(title);
    card_.priority = "medium";
    card_.created = card_.updated = card_.entered = at_minute(static_cast<int>(id));
    in("backlog");
  }
  operator service::Card() const { return card_; }

  CardBuilder& in(std::string column) {
    card_.stage = core::stage_of(flow_board(), column);
    card_.status = std::move(column);
    return *this;
  }
  CardBuilder& priority(std::string name) { return set(card_.priority, std::move(name)); }
  CardBuilder& tagged(std::string tag) { return card_.tags.push_back(std::move(tag)), *this; }
  CardBuilder& rev(core::Revision number) { return set(card_.rev, number); }
  CardBuilder& claimed_by(std::string name) { return set(card_.claimed_by, std::move(name)); }
  CardBuilder& created(int minute) { return set(card_.created, at_minute(minute)); }
  CardBuilder& updated(int minute) { return set(card_.updated, at_minute(minute)); }
  CardBuilder& entered(int minute) { return set(card_.entered, at_minute(minute)); }
  CardBuilder& blocked(std::string reason) {
    card_.blocked = true;
    return set(card_.block_reason, std::move(reason));
  }
  CardBuilder& failed(std::string reason) {
    card_.attempt = 3;
    card_.stage = core::Stage::failed;
    return set(card_.failure, std::move(reason));
  }
  CardBuilder& returned() { return set(card_.returned, true); }
  CardBuilder& asks(std::string question, int minute = 0) {
    card_.question = core::Question{std::move(question), {}, "worker:ada", at_minute(minute), {}};
    return *this;
  }
  CardBuilder& run_by(std::string worker, std::string line = {}, int minute = 0) {
    card_.claimed_by = worker;
    card_.run =
        service::CardRun{core::RunId{card_.id * 10}, 1, at_minute(minute), core::RunState::running, worker};
    return set(card_.line, std::move(line));
  }
  CardBuilder& waits_for_answer(std::string question, int minute = 0) {
    asks(std::move(question), minute);
    return set(card_.question->run, core::RunId{card_.id * 10});
  }
  CardBuilder& work(service::CardWork work) { return set(card_.work, work); }

 private:
  template <class T, class V>
  CardBuilder& set(T& field, V value) {
    field = std::move(value);
    return *this;
  }
  service::Card card_;
};

inline CardBuilder a_card(core::TaskId id, std::string title = "A task") { return {id, std::move(title)}; }

/// The whole task of a card, as the board answers it.
inline core::Task task_of(service::Card const& card) {
  core::Task task;
  task.id = card.id;
  task.title = card.title;
  task.status = card.status;
  task.stage = card.stage;
  task.priority = card.priority;
  task.tags = card.tags;
  task.created = card.created;
  task.updated = card.updated;
  task.claimed_by = card.claimed_by;
  task.rev = card.rev;
  task.board = "shop";
  return task;
}

/// A model with what `step` asked for the last time.
class BoardOnScreen {
 public:
  Model model;
  Effects effects;

  explicit BoardOnScreen(std::vector<service::Card> cards = {}, bool is_live = true) {
    model.options.own_name = "tui@host";
    model.options.mouse = true;
    happens(Resized{120, 40});
    read(flow_board(), std::move(cards), is_live);
  }

  void happens(Happening what) { effects = step(model, std::move(what), now_); }
  void read(core::Board board, std::vector<service::Card> cards, bool is_live = true) {
    service::Snapshot snapshot;
    snapshot.board = std::move(board);
    snapshot.tasks = std::move(cards);
    happens(BoardRead{std::move(snapshot), is_live});
  }
  void changes(std::vector<service::Card> cards, std::vector<core::TaskId> gone = {}) {
    BoardChanged changed;
    changed.cards = std::move(cards);
    changed.gone = std::move(gone);
    happens(std::move(changed));
  }
  void pass(core::Duration time) { now_ += time; }

  void press(Key key) { happens(KeyPress{key}); }
  /// Every character of the text is a key of its own.
  void type(std::string_view text) {
    for (core::CharacterReader reader{text}; !reader.at_end();)
      happens(KeyPress{.text = std::string{reader.next().bytes}});
  }

  /// The only thing that the last step asked the board for.
  Ask ask() const {
    auto const* only = effects.size() == 1 ? std::get_if<Ask>(&effects.front()) : nullptr;
    return only ? *only : Ask{};
  }
  std::string operation() const {
    auto const only = ask();
    return only.operation ? std::string{only.operation->name} : std::string{};
  }
  template <class T>
  void answer(Ask ask, T const& value) {
    happens(Answered{std::move(ask), boost::json::parse(reflect::to_json(value))});
  }
  void refuse(Ask ask, core::Code code, std::string message) {
    happens(Answered{std::move(ask), core::refuse(code, std::move(message))});
  }

  /// The numbers of a column's cards in their order.
  std::vector<core::TaskId> rows(std::string_view column) const {
    std::vector<core::TaskId> out;
    auto const& cards = model.data.cards;
    for (std::size_t i = 0; i < cards.columns(); ++i)
      if (cards.column_name(i) == column)
        for (auto const* card : cards.rows(i)) out.push_back(card->id);
    return out;
  }
  core::TaskId selected() const { return model.selection.task; }
  std::string selected_column() const { return model.data.cards.column_name(model.selection.column); }
  /// The numbers of the cards that stand on the screen.
  std::vector<core::TaskId> in_sight() const {
    std::vector<core::TaskId> out;
    for (auto const& column : layout_of(model).columns)
      for (auto const& placed : column.cards) out.push_back(placed.card->id);
    return out;
  }
  bool is_in_sight(core::TaskId task) const { return std::ranges::count(in_sight(), task) > 0; }
  /// A cell inside the card.
  Point place_of(core::TaskId task) const {
    for (auto const& column : layout_of(model).columns)
      for (auto const& placed : column.cards)
        if (placed.card->id == task) return {placed.area.x + 2, placed.area.y + 1};
    return {-1, -1};
  }
  std::string picture() const { return draw(model).cells.text(); }
  template <class T>
  T* top() {
    return model.dialogs.empty() ? nullptr : std::get_if<T>(&model.dialogs.back());
  }

  void click(Point at) {
    happens(MouseEvent{MouseEvent::What::press, at});
    happens(MouseEvent{MouseEvent::What::release, at});
  }
  void drag(Point from, Point to) {
    happens(MouseEvent{MouseEvent::What::press, from});
    happens(MouseEvent{MouseEvent::What::drag, to});
    happens(MouseEvent{MouseEvent::What::release, to});
  }

 private:
  core::Instant now_ = at_minute(600);
};

}  // namespace andon::tui::test
