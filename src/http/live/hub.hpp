#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "http/access/authenticated_request.hpp"
#include "http/access/revocation.hpp"
#include "http/live/live_lines.hpp"
#include "http/live/ops.hpp"
#include "http/wire/counters.hpp"
#include "http/wire/stream.hpp"

namespace andon::http {

/// Sends the events of boards to the streams. Each stream gets every event after its position once and in
/// order, one batch per board and flush. Streams at one position share the text. I/O thread only.
class Hub {
 public:
  Hub(api::LocalExecutor& executor, std::shared_ptr<Mailbox> mailbox, boost::asio::io_context& io,
      Revocation& revocation, Limits const& limits, Counters& counters);

  /// Answers a request for events with a stream or a refusal.
  void open(AuthenticatedRequest const& authenticated, Connections& connections);
  /// Notes a commit.
  void wake();
  /// Publishes the last output line of a run, at most twice a second per task.
  void publish_line(RunLine line);
  /// The lines published last, for those who begin to read now. Thread-safe.
  std::shared_ptr<LiveLines const> live_lines() const { return lines_; }
  void tick(SteadyTime now);
  void stop();
  std::size_t count() const { return readers_.size(); }

 private:
  struct Reader {
    std::uint64_t id = 0;
    std::shared_ptr<Stream> stream;
    std::string credential;
    std::vector<std::string> boards;
    std::string incarnation;      ///< of the data it was told of
    core::EventSeq position = 0;  ///< the last event read for it
    core::EventSeq sent = 0;      ///< the last event whose number was sent to it
    SteadyTime sent_at{};
    bool is_new = true;
  };
  struct Subscription;
  struct Group;
  struct Flush;

  void enter(AuthenticatedRequest const& authenticated, Connections& connections, Subscription subscription);
  void plan_flush();
  void flush();
  void deliver(Flush const& flush);
  void deliver(Reader& reader, Group const& group, OpsByBoard const& workers);
  void move_on(Reader& reader, SteadyTime now);
  void send_lines();
  void end_streams_of_old_data();
  std::string cursor(core::EventSeq seq) const;

  api::LocalExecutor& executor_;
  std::shared_ptr<Mailbox> mailbox_;
  Limits const& limits_;
  Counters& counters_;
  Revocation& revocation_;
  std::list<Reader> readers_;
  std::shared_ptr<WorkerBook> book_ = std::make_shared<WorkerBook>();
  boost::asio::steady_timer flush_timer_;
  boost::asio::steady_timer line_timer_;
  std::shared_ptr<LiveLines> lines_ = std::make_shared<LiveLines>();
  SteadyTime flushed_at_{};
  std::uint64_t last_id_ = 0;
  bool is_planned_ = false;
  bool is_flushing_ = false;
  bool has_news_ = false;
  bool lines_wait_ = false;
};

}  // namespace andon::http
