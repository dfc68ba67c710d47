#include "bridge/conversation/watches.hpp"

#include <algorithm>

#include "bridge/conversation/chat_text.hpp"
#include "service/runs/run_report.hpp"

namespace andon::bridge {
namespace {

constexpr std::size_t kMostWatches = 16;
constexpr std::size_t kMostLines = 15;
constexpr std::size_t kLongestLine = 160;
constexpr int kPagesAtOnce = 50;
constexpr core::Duration kBetween = std::chrono::seconds{4};

std::string key_of(core::RunId run) { return "output " + std::to_string(run); }

}  // namespace

OutMessage Watches::begin(Chat const& chat, core::Task const& task, std::string worker) {
  Watch watch;
  watch.place = chat.place;
  watch.task = task.id;
  watch.run = *task.run;
  watch.title = worker + " on #" + std::to_string(task.id) + " " + one_line(task.title, 200);
  OutMessage out{chat.place, {{watch.title, Style::bold}, {"\nIts output follows here."}}};
  out.about = "task " + std::to_string(task.id);
  out.key = key_of(watch.run);
  std::scoped_lock const lock{mutex_};
  std::erase_if(watches_, [&](Watch const& one) { return one.place == watch.place && one.run == watch.run; });
  if (watches_.size() >= kMostWatches) watches_.pop_front();
  watches_.push_back(std::move(watch));
  return out;
}

void Watches::end(Place const& place, core::RunId run) {
  std::scoped_lock const lock{mutex_};
  std::erase_if(watches_, [&](Watch const& one) { return one.place == place && one.run == run; });
}

std::vector<OutMessage> Watches::step(core::Instant now) {
  std::scoped_lock const lock{mutex_};
  std::vector<OutMessage> out;
  for (auto& watch : watches_) {
    if (now - watch.told < kBetween && now >= watch.told) continue;
    watch.told = now;
    bool const has_run_ended = has_ended(watch);
    auto const progress = read_on(watch);
    bool const is_over = has_run_ended && progress.is_at_end;
    if (!progress.is_new && !is_over) continue;
    OutMessage message{watch.place, {{watch.title, Style::bold}}};
    for (auto const& line : watch.lines) message.text.push_back({"\n" + line, Style::code});
    message.about = "task " + std::to_string(watch.task);
    message.key = key_of(watch.run);
    message.replaces = message.key;
    message.is_silent = true;
    auto const id = std::to_string(watch.task);
    if (is_over)
      message.text.push_back({"\nIt has ended."});
    else
      message.buttons = {{{"Kill", "kill " + id}, {"Enough", "unwatch " + std::to_string(watch.run)}}};
    if (is_over) watch.run = 0;
    out.push_back(std::move(message));
  }
  std::erase_if(watches_, [](Watch const& one) { return one.run == 0; });
  return out;
}

/// Reads a bounded number of pages.
Watches::Progress Watches::read_on(Watch& watch) {
  Progress out;
  for (int i = 0; i < kPagesAtOnce; ++i) {
    auto const page = output_.read(watch.run, watch.cursor);
    if (!page || page->items.empty()) {
      out.is_at_end = true;
      break;
    }
    for (auto const& item : page->items) watch.lines.push_back(one_line(item.text, kLongestLine));
    while (watch.lines.size() > kMostLines) watch.lines.pop_front();
    watch.cursor = page->next;
    out.is_new = true;
  }
  return out;
}

bool Watches::has_ended(Watch const& watch) {
  Chat const chat{.place = watch.place, .users = {}, .board = {}, .worker = {}, .notify = {}};
  auto const run = ChatBoard(executor_, chat).call<&service::get_run>({watch.run});
  return !run || run->state == core::RunState::ended;
}

}  // namespace andon::bridge
