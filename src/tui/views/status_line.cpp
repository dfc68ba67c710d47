#include "tui/views/status_line.hpp"

#include <algorithm>

#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"
#include "tui/model/attention.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/look.hpp"
#include "tui/screen/text_layout.hpp"

namespace andon::tui {
namespace {

std::string status_text(Model const& model) {
  auto const& cards = model.data.cards;
  auto const shown = cards.shown();
  std::string out = " " + std::to_string(shown) + (shown == 1 ? " card" : " cards") + " | ? help | ";
  if (model.options.mouse) out += "mouse | ";
  if (!cards.filter().empty()) out += "filter:\"" + core::visible_line(cards.filter()) + "\" | ";
  auto const order = cards.order();
  out += "create edit move +/- priority delete sort[" + std::string{name_of(order.field)} +
         (order.reverse ? "↓" : "↑") + "] / search ";
  if (model.data.is_live) out += "inbox output View workers ! cord ";
  return out + "quit";
}

void put_cut(CellBuffer& cells, Point at, std::string const& text, Style style) {
  cells.put(at, shortened(text, cells.width() - at.x), style);
}

/// Writes one part after the other, as long as whole parts fit.
class Row {
 public:
  Row(CellBuffer& cells, int row, int end) : cells_(cells), row_(row), end_(end) {}
  bool add(std::string const& text, Style style = {}) {
    auto const width = static_cast<int>(core::cells(text));
    if (x_ + width > end_) return false;
    x_ += cells_.put({x_, row_}, text, style);
    return true;
  }

 private:
  CellBuffer& cells_;
  int row_;
  int end_;
  int x_ = 0;
};

void draw_lamp(Model const& model, std::size_t waiting, Row& row) {
  bool const is_red = model.data.dispatch.stopped.has_value();
  bool const works = std::ranges::any_of(
      model.data.workers, [](auto const& worker) { return worker.state == core::WorkerStatus::working; });
  if (is_red)
    row.add(" ■ STOPPED by " + core::visible_line(model.data.dispatch.stopped->by) + " ",
            {.text = kBad.text, .bold = true, .reverse = true});
  else
    row.add(" ▲ ", waiting > 0 || works ? kCalling : kGood);
}

std::string worker_text(core::Worker const& worker) {
  auto out = " " + shortened(core::visible_line(worker.name), 16);
  if (worker.task) out += " #" + std::to_string(*worker.task);
  return out + "  ";
}

}  // namespace

void draw_status_line(Model const& model, int row, CellBuffer& cells) {
  cells.clear({0, row, cells.width(), 1});
  if (!model.notice.text.empty())
    return put_cut(cells, {0, row}, " " + model.notice.text, model.notice.is_refusal ? kBad : kCalling);
  if (!model.trouble.empty()) return put_cut(cells, {0, row}, " " + core::visible_line(model.trouble), kBad);
  if (!model.sent.empty()) return put_cut(cells, {0, row}, " saving…", kCalling);
  put_cut(cells, {0, row}, status_text(model), kFaint);
}

void draw_top_line(Model const& model, CellBuffer& cells) {
  auto const waiting = count_attention(model.data);
  auto const calls = waiting == 0 ? std::string{} : " " + std::to_string(waiting) + " need you (i) ";
  int const end = cells.width() - static_cast<int>(core::cells(calls));
  Row row{cells, 0, end};
  draw_lamp(model, waiting, row);
  auto const& board = model.data.board;
  row.add(shortened(core::visible_line(board.title.empty() ? board.name : board.title), 24) + "  ", kStrong);
  if (model.data.dispatch.paused) row.add("‖ dispatch paused  ", kCalling);
  for (auto const& worker : model.data.workers) {
    if (!row.add(std::string{light_mark(worker.state)} + worker_text(worker), look_of(worker.state))) {
      row.add("…", kFaint);
      break;
    }
  }
  if (!calls.empty()) cells.put({end, 0}, calls, {.text = kCalling.text, .bold = true, .reverse = true});
}

}  // namespace andon::tui
