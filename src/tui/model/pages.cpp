#include "tui/model/pages.hpp"

#include <algorithm>
#include <array>

#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"
#include "tui/model/bindings.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/look.hpp"
#include "tui/model/page_text.hpp"
#include "tui/screen/text_layout.hpp"

namespace andon::tui {
namespace {

constexpr std::size_t kKeyCells = 14;

std::string light_name(core::WorkerStatus light) {
  return std::string{core::kLightNames[static_cast<std::size_t>(light)]};
}

std::string shown_name(core::Worker const& worker) { return shortened(core::visible_line(worker.name), 20); }

PageLine worker_line(Model const& model, core::Worker const& worker, std::size_t name_cells) {
  PageLine line{{std::string{light_mark(worker.state)} + " ", look_of(worker.state)},
                {core::padded(shown_name(worker), name_cells + 1), {.bold = true}},
                {core::padded(light_name(worker.state), 9), look_of(worker.state)}};
  std::string rest;
  if (worker.task) {
    rest = "#" + std::to_string(*worker.task);
    if (auto const* card = model.data.cards.find(*worker.task)) rest += " " + card->title;
    if (worker.since) rest += " " + age_text(model.now - *worker.since);
  } else if (worker.queued > 0) {
    rest = std::to_string(worker.queued) + " waiting";
  }
  if (!worker.paused_because.empty())
    rest += (rest.empty() ? "" : ", ") + core::visible_line(worker.paused_because);
  if (worker.limited_until)
    rest += (rest.empty() ? "" : ", ") +
            std::string{worker.overloaded ? "its model at capacity until " : "limited until "} +
            minute_text(*worker.limited_until);
  line.push_back({rest, {}});
  return line;
}

}  // namespace

TextPage help_page(Model const& model) {
  TextPage page;
  page.kind = TextPage::Kind::help;
  page.title = "Keyboard Shortcuts";
  for (auto const& [keys, says] : key_help(model.data.is_live, model.options.mouse))
    page.lines.push_back({{core::padded(keys, kKeyCells), {.bold = true}}, {says, {}}});
  return page;
}

TextPage workers_page(Model const& model) {
  TextPage page;
  page.kind = TextPage::Kind::workers;
  page.title = "Workers";
  std::size_t longest = 0;
  for (auto const& worker : model.data.workers) longest = std::max(longest, core::cells(shown_name(worker)));
  for (auto const& worker : model.data.workers) page.lines.push_back(worker_line(model, worker, longest));
  if (page.lines.empty())
    page.lines.push_back(
        {{"No workers on this board yet. Add one with: andon workers add NAME --agent claude", {}}});
  return page;
}

TextPage debug_page(Model const& model) {
  TextPage page;
  page.kind = TextPage::Kind::debug;
  page.title = "Debug";
  auto const add = [&](std::string_view name, std::string const& value) {
    page.lines.push_back({{core::padded(std::string{name}, 22), {.bold = true}}, {value, {}}});
  };
  add("Screen", std::to_string(model.size.columns) + "x" + std::to_string(model.size.rows));
  add("Board", core::visible_line(model.data.board.name));
  add("Live", model.data.is_live ? "by the server's stream" : "by the files");
  add("Cards here", std::to_string(model.data.cards.size()));
  add("Cards shown", std::to_string(model.data.cards.shown()));
  add("Selected", std::to_string(model.selection.task));
  add("Happenings", std::to_string(model.drawn));
  add("Time", core::to_text(model.now));
  if (!model.trouble.empty()) add("Trouble", core::visible_line(model.trouble));
  return page;
}

std::vector<PageLine> output_lines(std::vector<api::OutputItem> const& items) {
  std::vector<PageLine> out;
  for (auto const& item : items) out.push_back({{printed_line(item.text), look_of_stream(item.stream)}});
  return out;
}

}  // namespace andon::tui
