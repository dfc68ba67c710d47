#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "core/boards/templates.hpp"
#include "tui/model/step.hpp"
#include "tui/screen/painter.hpp"
#include "tui/views/draw.hpp"

using namespace andon;
using namespace andon::tui;

namespace {

/// Titles, names and reasons as people and agents may write them.
rc::Gen<std::string> any_text() {
  return rc::gen::oneOf(rc::gen::element<std::string>(
                            "", "a plain title of some words", "\x1b[2J\x1b]0;x\x07", "漢字かな한글",
                            "e\xcc\x81\xcc\x82 alone", "👩‍💻👨‍👩‍👧", "\xe2\x80\xae gnp",
                            "\xff\xc0\xaf", "a\tb\nc\r\nd", std::string(400, 'x')),
                        rc::gen::arbitrary<std::string>());
}

core::Instant now() { return core::Instant{core::Duration{1'700'000'000'000}}; }

BoardRead board_read(bool is_live) {
  BoardRead out;
  out.is_live = is_live;
  auto& snapshot = out.snapshot;
  snapshot.board = *core::board_from_template(is_live ? "flow" : "classic");
  snapshot.board.name = *any_text();
  auto const count = *rc::gen::inRange(0, 30);
  for (int i = 1; i <= count; ++i) {
    service::Card card;
    card.id = i;
    auto const& column = *rc::gen::elementOf(snapshot.board.columns);
    card.status = column.name;
    card.stage = column.stage;
    card.title = *any_text();
    card.priority = *rc::gen::elementOf(snapshot.board.priorities);
    card.tags = {*any_text()};
    card.claimed_by = *any_text();
    card.blocked = *rc::gen::arbitrary<bool>();
    card.block_reason = *any_text();
    card.failure = *any_text();
    card.updated = now() - core::Duration{*rc::gen::inRange(0, 1 << 30)};
    snapshot.tasks.push_back(std::move(card));
  }
  return out;
}

KeyPress any_key() {
  auto const key = static_cast<Key>(*rc::gen::inRange(0, static_cast<int>(Key::page_down) + 1));
  if (key != Key::character) return {.key = key, .alt = *rc::gen::inRange(0, 8) == 0};
  auto const text =
      *rc::gen::oneOf(rc::gen::map(rc::gen::inRange('!', '\x7f'), [](char c) { return std::string(1, c); }),
                      rc::gen::element<std::string>(" ", "漢", "\xcc\x81", "👋"));
  return {.text = text, .control = text.size() == 1 && *rc::gen::inRange(0, 8) == 0};
}

Happening any_happening(bool is_live) {
  switch (*rc::gen::inRange(0, 16)) {
    case 0: return Resized{*rc::gen::element(1, 2, 3, 5, 20, 80, 300), *rc::gen::element(1, 2, 3, 5, 24, 80)};
    case 1: return Paste{*any_text()};
    case 2:
      return MouseEvent{.what = static_cast<MouseEvent::What>(*rc::gen::inRange(0, 5)),
                        .at = {*rc::gen::inRange(0, 310), *rc::gen::inRange(0, 90)}};
    case 3: return board_read(is_live);
    case 4: return BoardComplete{};
    case 5: return Connection{*any_text()};
    case 6: return Tick{};
    default: return any_key();
  }
}

/// What the board answers: it refuses, or shows a task.
std::optional<Happening> answer_to(Effect const& effect) {
  auto const* ask = std::get_if<Ask>(&effect);
  if (!ask) return std::nullopt;
  if (*rc::gen::inRange(0, 3) == 0) return Answered{*ask, core::refuse(core::Code::kBusy, *any_text())};
  boost::json::object task{{"id", ask->task},
                           {"title", "a \x1b[31m title"},
                           {"status", "todo"},
                           {"priority", "high"},
                           {"body", "# 漢字\n\n\x1b[2J\ttext\n" + std::string(700, 'y')},
                           {"can", boost::json::array{"note", "approve"}},
                           {"rev", 3}};
  return Answered{*ask, boost::json::value(std::move(task))};
}

void check_picture(Model const& model) {
  auto const picture = draw(model);
  RC_ASSERT(picture.cells.width() == model.size.columns);
  RC_ASSERT(picture.cells.height() == model.size.rows);
  if (picture.cursor) RC_ASSERT((Rect{0, 0, model.size.columns, model.size.rows}.contains(*picture.cursor)));
  auto const bytes = painted(nullptr, picture.cells, Colours::none, picture.cursor);
  for (char const c : bytes) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20U || c == '\x1b');
}

}  // namespace

TEST_CASE("Step.DrawsWhateverHappens") {
  CHECK(rc::check("each picture has its cursor on the screen", [](bool is_live) {
    Model model;
    model.options.mouse = true;
    std::vector<Happening> happenings;
    happenings.emplace_back(board_read(is_live));
    for (int i = 0; i < 60; ++i) {
      auto happening = happenings.empty() ? any_happening(is_live) : std::move(happenings.back());
      if (!happenings.empty()) happenings.pop_back();
      for (auto const& effect : step(model, std::move(happening), now()))
        if (auto answer = answer_to(effect)) happenings.push_back(*std::move(answer));
      check_picture(model);
    }
  }));
}
