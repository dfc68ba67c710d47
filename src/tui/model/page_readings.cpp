#include "tui/model/page_readings.hpp"

#include "service/insight/why.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/work.hpp"
#include "tui/model/requests.hpp"

namespace andon::tui {
namespace {

/// The purpose of a page's reading; nothing for a page that is not read from the board.
std::optional<Purpose> purpose_of(TextPage const& page) {
  if (page.kind == TextPage::Kind::output) return Purpose::runs;
  if (page.kind == TextPage::Kind::diff) return Purpose::diff;
  return std::nullopt;
}

/// Calls `visit(reading, task, purpose)` for each open page that is read from the board.
template <class Visit>
void each_reading(Model& model, Visit visit) {
  for (auto& dialog : model.dialogs) {
    if (auto* page = std::get_if<TaskPage>(&dialog)) visit(page->reading, page->task, Purpose::task);
    if (auto* page = std::get_if<TextPage>(&dialog))
      if (auto const purpose = purpose_of(*page)) visit(page->reading, page->task, *purpose);
  }
}

bool is_due(PageReading const& reading, service::Card const* card) {
  if (reading.is_asked) return false;
  return reading.rev == PageReading::kStale || (card && card->rev != reading.rev);
}

void begin(PageReading& reading, service::Card const* card) {
  reading = {card ? card->rev : core::Revision{}, true};
}

void refresh(Model& model, TaskPage& page, Effects& effects) {
  auto const* card = model.data.cards.find(page.task);
  if (!is_due(page.reading, card)) return;
  begin(page.reading, card);
  effects.push_back(read_task(Purpose::task, page.task));
  if (model.data.is_live)
    effects.push_back(ask_for<&service::why_not_running>(Purpose::reasons, {{"id", page.task}}, page.task));
}

void refresh_diff(Model& model, TextPage& page, Effects& effects) {
  auto const* card = model.data.cards.find(page.task);
  if (!is_due(page.reading, card)) return;
  begin(page.reading, card);
  effects.push_back(ask_for<&service::task_diff>(Purpose::diff, {{"id", page.task}}, page.task));
}

/// The output grows by itself; the runs are asked for again when the card has another one.
void refresh_output(Model& model, TextPage& page, Effects& effects) {
  auto const* card = model.data.cards.find(page.task);
  auto const run = card && card->run ? card->run->id : core::RunId{};
  bool const has_other = run != 0 && run != page.run && run != page.sought_run;
  if (page.reading.is_asked || (page.reading.rev != PageReading::kStale && !has_other)) return;
  begin(page.reading, card);
  page.sought_run = run;
  effects.push_back(ask_for<&service::runs_of_task>(Purpose::runs, {{"id", page.task}}, page.task));
}

}  // namespace

void refresh_pages(Model& model, Effects& effects) {
  for (auto& dialog : model.dialogs) {
    if (auto* page = std::get_if<TaskPage>(&dialog)) refresh(model, *page, effects);
    auto* page = std::get_if<TextPage>(&dialog);
    if (page && page->kind == TextPage::Kind::diff) refresh_diff(model, *page, effects);
    if (page && page->kind == TextPage::Kind::output) refresh_output(model, *page, effects);
  }
}

void end_reading(Model& model, Ask const& ask) {
  each_reading(model, [&](PageReading& reading, core::TaskId task, Purpose purpose) {
    if (task == ask.task && purpose == ask.purpose) reading.is_asked = false;
  });
}

void mark_stale(Model& model, core::TaskId task) {
  each_reading(model, [&](PageReading& reading, core::TaskId of, Purpose) {
    if (of == task) reading.rev = PageReading::kStale;
  });
}

void mark_all_stale(Model& model) {
  each_reading(model, [](PageReading& reading, core::TaskId, Purpose) { reading.rev = PageReading::kStale; });
}

}  // namespace andon::tui
