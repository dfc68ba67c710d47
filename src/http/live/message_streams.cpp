#include "http/live/message_streams.hpp"

#include <algorithm>

#include "os/processes/clock.hpp"

namespace andon::http {
namespace {

/// The messages of one stream, from any thread.
class PostedStream final : public api::MessageStream {
 public:
  PostedStream(std::shared_ptr<Mailbox> mailbox, std::weak_ptr<Stream> stream)
      : mailbox_(std::move(mailbox)), stream_(std::move(stream)) {}

  void send(std::string message, std::string id) override {
    mailbox_->post([weak = stream_, frame = sse_frame("message", message, id)]() mutable {
      if (auto const stream = weak.lock()) stream->send({std::move(frame)});
    });
  }

  void end(std::string message, std::string id) override {
    auto frame = message.empty() ? std::string{} : sse_frame("message", message, id);
    mailbox_->post([weak = stream_, frame = std::move(frame)]() mutable {
      if (auto const stream = weak.lock()) stream->end(std::move(frame));
    });
  }

 private:
  std::shared_ptr<Mailbox> mailbox_;
  std::weak_ptr<Stream> stream_;
};

}  // namespace

MessageStreams::MessageStreams(std::shared_ptr<Mailbox> mailbox, Revocation& revocation,
                               Connections& connections, Limits const& limits)
    : mailbox_(std::move(mailbox)), revocation_(revocation), connections_(connections), limits_(limits) {}

bool MessageStreams::has_room(std::string const& credential) {
  std::erase_if(entries_, [](Entry const& entry) {
    auto const stream = entry.stream.lock();
    return !stream || !stream->is_open();
  });
  auto const own = std::ranges::count(entries_, credential, &Entry::credential);
  return entries_.size() < limits_.message_streams &&
         static_cast<std::size_t>(own) < limits_.message_streams_per_credential;
}

void MessageStreams::open(Session& session, std::string const& credential, Gone gone,
                          api::EndpointAnswer answer) {
  if (session.is_closed()) return;
  auto const head = stream_head(session.request());
  auto [socket, place] = session.take();
  auto bye = answer.farewell.empty() ? std::string{} : sse_frame("message", answer.farewell);
  auto const stream =
      std::make_shared<Stream>(std::move(socket), std::move(place), connections_, limits_,
                               StreamForm{.end = os::SteadyClock::now() + limits_.message_stream_time,
                                          .bye = std::move(bye),
                                          .slow = {},
                                          .gone = std::move(gone)});
  connections_.add(stream);
  stream->start(head);
  entries_.push_back({stream, credential});
  revocation_.watch(stream, credential);
  answer.streams(std::make_shared<PostedStream>(mailbox_, stream));
}

}  // namespace andon::http
