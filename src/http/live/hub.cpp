#include "http/live/hub.hpp"

#include <algorithm>
#include <set>

#include "os/processes/clock.hpp"
#include "reflect/json.hpp"
#include "store/contract/store_error.hpp"

namespace andon::http {
namespace {

using Clock = os::SteadyClock;

constexpr Milliseconds kLinePace{500};
constexpr Milliseconds kLightsEvery{5'000};

std::string frame_start(std::string_view board, core::EventSeq from, core::EventSeq to, std::string_view id) {
  std::string out;
  if (!id.empty()) out.append("id: ").append(id).append("\n");
  out += "event: ops\ndata: {\"board\":";
  reflect::write_string(board, out);
  if (to >= from) out += ",\"from\":" + std::to_string(from) + ",\"to\":" + std::to_string(to);
  return out + ",\"ops\":[";
}

constexpr std::string_view kFrameEnd = "]}\n\n";

void join(OpsByBoard& into, OpsByBoard const& more) {
  for (auto const& [board, ops] : more) append_op(into[board], ops);
}

}  // namespace

/// The readers at one position of the history, and the news since that position.
struct Hub::Group {
  std::set<std::string> boards;
  std::vector<std::uint64_t> readers;
  Delta delta;
  std::map<std::string, std::shared_ptr<std::string const>> shared;
};

struct Hub::Flush {
  std::map<core::EventSeq, Group> groups;  ///< by position
  OpsByBoard workers;                      ///< all workers, for new readers
  bool has_new_readers = false;
  bool failed = false;
};

Hub::Hub(api::LocalExecutor& executor, std::shared_ptr<Mailbox> mailbox, boost::asio::io_context& io,
         Revocation& revocation, Limits const& limits, Counters& counters)
    : executor_(executor),
      mailbox_(std::move(mailbox)),
      limits_(limits),
      counters_(counters),
      revocation_(revocation),
      flush_timer_(io),
      line_timer_(io) {}

std::string Hub::cursor(core::EventSeq seq) const {
  return executor_.known_origin().incarnation + "." + std::to_string(seq);
}

void Hub::wake() {
  ++counters_.commits;
  has_news_ = true;
  plan_flush();
}

void Hub::plan_flush() {
  if (is_planned_ || is_flushing_ || readers_.empty()) return;
  auto const now = Clock::now();
  if (now - flushed_at_ >= limits_.stream_pace) return flush();
  is_planned_ = true;
  flush_timer_.expires_at(flushed_at_ + limits_.stream_pace);
  flush_timer_.async_wait([this](boost::system::error_code error) {
    is_planned_ = false;
    if (!error) flush();
  });
}

void Hub::flush() {
  is_flushing_ = true;
  has_news_ = false;
  flushed_at_ = Clock::now();
  Flush plan;
  for (auto const& reader : readers_) {
    auto& group = plan.groups[reader.position];
    group.boards.insert(reader.boards.begin(), reader.boards.end());
    group.readers.push_back(reader.id);
    plan.has_new_readers = plan.has_new_readers || reader.is_new;
  }
  executor_.on_reader([this, &executor = executor_, mailbox = mailbox_, book = book_,
                       most = limits_.replayed_events, plan = std::move(plan)]() mutable {
    std::set<std::string> every;
    for (auto const& [since, group] : plan.groups) every.insert(group.boards.begin(), group.boards.end());
    std::vector<std::string> const boards(every.begin(), every.end());
    try {
      executor.read([&](service::OperationContext& u) {
        auto const lights = worker_changes(u, boards, *book);
        if (plan.has_new_readers) plan.workers = all_workers(u, boards);
        for (auto& [since, group] : plan.groups) {
          group.delta = delta_since(u, since, {group.boards.begin(), group.boards.end()}, most);
          join(group.delta.ops, lights);
        }
      });
      for (auto& [since, group] : plan.groups)
        for (auto& [board, ops] : group.delta.ops)
          if (!ops.empty()) group.shared[board] = std::make_shared<std::string const>(std::move(ops));
    } catch (store::StoreError const&) {
      plan.failed = true;
    }
    mailbox->post([this, plan = std::move(plan)] { deliver(plan); });
  });
}

void Hub::deliver(Flush const& flush) {
  is_flushing_ = false;
  if (!flush.failed)
    for (auto const& [since, group] : flush.groups)
      for (auto& reader : readers_) {
        if (reader.position != since || std::ranges::find(group.readers, reader.id) == group.readers.end())
          continue;
        if (!reader.stream->is_open()) continue;
        deliver(reader, group, flush.workers);
      }
  std::erase_if(readers_, [](Reader const& reader) { return !reader.stream->is_open(); });
  bool const has_newcomers = std::ranges::any_of(readers_, &Reader::is_new);
  if (has_news_ || has_newcomers || flush.failed) plan_flush();
}

void Hub::deliver(Reader& reader, Group const& group, OpsByBoard const& workers) {
  auto& stream = *reader.stream;
  auto const& delta = group.delta;
  if (delta.too_many) {
    ++counters_.streams_reset;
    return stream.end(sse_frame("reset", R"({"reason":"too_many"})"));
  }
  if (std::exchange(reader.is_new, false))
    for (auto const& board : reader.boards)
      if (auto const found = workers.find(board); found != workers.end() && !found->second.empty())
        stream.send({frame_start(board, 1, 0, {}) + found->second + std::string{kFrameEnd}});
  reader.position = delta.to;
  std::vector<std::pair<std::string, std::shared_ptr<std::string const>>> news;
  for (auto const& board : reader.boards)
    if (auto const found = group.shared.find(board); found != group.shared.end()) news.emplace_back(*found);
  if (news.empty()) return;
  auto const from = core::next(reader.sent);
  for (auto const& [board, ops] : news) {
    bool const names_place = &board == &news.back().first && delta.to >= from;
    stream.send({frame_start(board, from, delta.to, names_place ? cursor(delta.to) : ""), ops,
                 std::string{kFrameEnd}});
  }
  reader.sent = delta.to;
  reader.sent_at = flushed_at_;
}

void Hub::publish_line(RunLine line) {
  lines_->keep(std::move(line));
  if (!lines_wait_) send_lines();
}

/// Sends the collected lines, then waits before the next ones.
void Hub::send_lines() {
  lines_wait_ = true;
  line_timer_.expires_after(kLinePace);
  line_timer_.async_wait([this](boost::system::error_code error) {
    lines_wait_ = false;
    if (!error && lines_->has_new()) send_lines();
  });
  auto const news = lines_->take_new();
  for (auto const& [board, tasks] : news) {
    std::string ops;
    for (auto const& [task, text] : tasks) append_op(ops, line_op(task, text));
    auto const shared = std::make_shared<std::string const>(std::move(ops));
    for (auto& reader : readers_)
      if (std::ranges::find(reader.boards, board) != reader.boards.end())
        reader.stream->send({frame_start(board, 1, 0, {}), shared, std::string{kFrameEnd}});
  }
}

/// Sends a reader its new position when no event concerned its boards. At most once per heartbeat.
void Hub::move_on(Reader& reader, SteadyTime now) {
  if (reader.position == reader.sent || now - reader.sent_at < limits_.stream_heartbeat) return;
  auto const& board = reader.boards.empty() ? std::string{} : reader.boards.front();
  reader.stream->send({frame_start(board, core::next(reader.sent), reader.position, cursor(reader.position)) +
                       std::string{kFrameEnd}});
  reader.sent = reader.position;
  reader.sent_at = now;
}

void Hub::tick(SteadyTime now) {
  std::erase_if(readers_, [](Reader const& reader) { return !reader.stream->is_open(); });
  end_streams_of_old_data();
  for (auto& reader : readers_) move_on(reader, now);
  if (now - flushed_at_ >= kLightsEvery) plan_flush();
}

/// Another server may have restored a backup. Clients that ask again are told to begin anew.
void Hub::end_streams_of_old_data() {
  if (readers_.empty()) return;
  auto const& incarnation = executor_.known_origin().incarnation;
  std::erase_if(readers_, [&](Reader const& reader) {
    if (reader.incarnation == incarnation) return false;
    reader.stream->end(sse_frame("reset", R"({"reason":"epoch"})"));
    return true;
  });
}

void Hub::stop() {
  flush_timer_.cancel();
  line_timer_.cancel();
  readers_.clear();
}

}  // namespace andon::http
