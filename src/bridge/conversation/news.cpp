#include <algorithm>
#include <map>

#include "bridge/conversation/chat_text.hpp"
#include "bridge/conversation/conversation.hpp"
#include "bridge/conversation/news_message.hpp"
#include "service/boards/boards.hpp"
#include "service/history/history.hpp"
#include "service/tasks/tasks.hpp"
#include "service/workers/workers.hpp"

namespace andon::bridge {
namespace {

using core::Result;

constexpr int kEventsLookedAt = 200;

/// The number of the last event; nothing of an empty history.
Result<core::EventSeq> end_of_history(ChatBoard& reader) {
  service::EventsRequest last;
  last.newest = true;
  last.limit = 1;
  ANDON_TRY(auto const page, (reader.call<&service::list_events>(std::move(last))));
  return page.items.empty() ? core::EventSeq{} : page.items.back().seq;
}

/// A part of the history, and how it goes on.
struct Page {
  std::vector<service::WireEvent> events;
  core::EventSeq end = 0;     ///< of the history
  std::int64_t left_out = 0;  ///< events that happened after those of the page
  bool is_torn = false;       ///< it does not go on from where the last one ended
};

Result<Page> page_since(ChatBoard& reader, std::string const& place) {
  Page out;
  if (place.empty()) {
    ANDON_TRY(out.end, end_of_history(reader));
    return out;
  }
  service::EventsRequest next;
  next.since = place;
  next.limit = kEventsLookedAt;
  ANDON_TRY(auto page, (reader.call<&service::list_events>(std::move(next))));
  out.is_torn = page.reset.has_value();
  if (out.is_torn) page.items.clear();
  out.end = page.items.empty() ? service::parse_cursor(place).value_or(0) : page.items.back().seq;
  out.events = std::move(page.items);
  std::erase_if(out.events, [](service::WireEvent const& event) {
    return std::ranges::find(news_rows(), event.kind, &NewsRow::event) == news_rows().end();
  });
  if (page.next.empty() && !out.is_torn) return out;
  ANDON_TRY(auto const end, end_of_history(reader));
  out.left_out = out.is_torn ? 0 : end - out.end;
  out.end = end;
  return out;
}

/// Tells one chat the news of a page.
class ChatNews {
 public:
  ChatNews(api::Executor& executor, Chat const& chat, std::string board)
      : chat_board_(executor, chat), chat_(chat), board_(std::move(board)) {}

  void add(service::WireEvent const& event, core::Task const* task, std::optional<core::Stage> stage,
           std::vector<OutMessage>& out) {
    Happening const happening{event, task, stage};
    auto const* row = news_in(happening);
    if (!row || !is_wanted(row->news) || !is_for_chat(happening)) return;
    if (event.actor == chat_board_.actor() && !row->to_author) return;
    out.push_back(news_message(chat_board_, row->news, happening));
  }

  void add_gap(Page const& page, std::vector<OutMessage>& out) {
    if (chat_.notify.empty()) return;
    auto message = chat_board_.message();
    message.news = page.is_torn ? "The history before this is gone; news may be missing."
                                : std::to_string(page.left_out) + " more things happened than fit here.";
    message.text = {{message.news + " "}, {"/board", Style::command}, {" shows how it stands."}};
    message.is_silent = true;
    out.push_back(std::move(message));
  }

 private:
  bool is_wanted(NewsKind kind) const {
    return std::ranges::find(chat_.notify, kNewsKinds[static_cast<std::size_t>(kind)]) != chat_.notify.end();
  }

  bool is_for_chat(Happening const& h) {
    if (!h.event.board.empty() && h.event.board != board_) return false;
    if (h.task) return chat_board_.shows(*h.task).value_or(false);
    if (chat_.worker.empty()) return true;
    if (auto const worker = fact_in(h.event, "worker"); !worker.empty()) return worker == chat_.worker;
    auto const account = fact_in(h.event, "account");
    return account.empty() || is_used(account);
  }

  bool is_used(std::string const& account) {
    auto const worker = chat_board_.call<&service::get_worker>({chat_.worker});
    auto const agents = worker ? core::agents_of(*worker) : std::vector<std::string>{};
    return std::ranges::find(agents, account) != agents.end();
  }

  ChatBoard chat_board_;
  Chat const& chat_;
  std::string board_;
};

/// The tasks and boards that a page is about, each read once.
class NewsSubjects {
 public:
  explicit NewsSubjects(ChatBoard& reader) : reader_(reader) {}

  core::Task const* task(std::optional<core::TaskId> id) {
    if (!id) return nullptr;
    auto const [place, is_new] = tasks_.try_emplace(*id);
    if (is_new)
      if (auto found = reader_.call<&service::get_task>({{std::to_string(*id)}}))
        place->second = *std::move(found);
    return place->second ? &*place->second : nullptr;
  }

  /// The meaning of the column that the task of an event came into.
  std::optional<core::Stage> stage(service::WireEvent const& event) {
    if (event.to.empty() || event.to == event.from || event.board.empty()) return std::nullopt;
    auto const [place, is_new] = boards_.try_emplace(event.board);
    if (is_new)
      if (auto found = reader_.call<&service::get_board>({event.board})) place->second = *std::move(found);
    if (!place->second) return std::nullopt;
    return core::stage_of(*place->second, event.to);
  }

 private:
  ChatBoard& reader_;
  std::map<core::TaskId, std::optional<core::Task>> tasks_;
  std::map<std::string, std::optional<core::Board>> boards_;
};

}  // namespace

Result<News> Conversation::news_since(std::string const& place) {
  Chat const nobody;
  ChatBoard reader(executor_, nobody);
  ANDON_TRY(auto const page, page_since(reader, place));
  News out;
  out.place = std::to_string(page.end);
  NewsSubjects subjects(reader);
  for (auto const& chat : settings_.chats) {
    ChatBoard chat_board(executor_, chat);
    auto board = chat_board.board_name();
    if (!board) continue;
    ChatNews news(executor_, chat, *std::move(board));
    for (auto const& event : page.events)
      news.add(event, subjects.task(event.task), subjects.stage(event), out.messages);
    if (page.is_torn || page.left_out > 0) news.add_gap(page, out.messages);
  }
  return out;
}

}  // namespace andon::bridge
