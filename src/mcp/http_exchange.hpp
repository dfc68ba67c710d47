#pragma once

#include <deque>
#include <map>
#include <mutex>

#include "api/endpoint.hpp"
#include "mcp/protocol/protocol.hpp"

namespace andon::mcp {

/// Requests of this server to one client that the client has not answered yet. Thread-safe.
class Questions {
 public:
  /// Returns the id of the request. `until` is an uptime.
  std::string add(Respond respond, core::Duration until);
  /// Takes an answer of the client. One to no question is passed over.
  void take(Message message);
  /// Refuses the questions that were not answered by `now`.
  void drop(core::Duration now);

 private:
  struct Question {
    Respond respond;
    core::Duration until;
  };

  std::mutex mutex_;
  std::map<std::string, Question, std::less<>> questions_;
  std::uint64_t last_id_ = 0;
};

class HttpExchange;

/// The server's data about a client of the older form between its requests.
struct HttpSession {
  std::string credential;
  Session session;
  Questions questions;
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<HttpExchange>> running;  ///< by the ids of the requests
  std::weak_ptr<HttpExchange> listener;                        ///< the stream of `GET`
};

/// An answer to one request over HTTP. It is one JSON text, unless something is to be said before the result:
/// then it is a stream. Thread-safe.
class HttpExchange : public Exchange, public std::enable_shared_from_this<HttpExchange> {
 public:
  using Reply = std::move_only_function<void(api::EndpointAnswer)>;
  /// Keeps an exchange whose answer became a stream, and names it.
  using Keep = std::function<std::string(std::shared_ptr<HttpExchange>)>;

  struct Settings {
    bool leaving_cancels = true;  ///< whether a client that disconnects gives up the request
    std::string farewell{};       ///< the last message of a stream when the server stops
    std::string
        without_stream{};  ///< the answer 429 where no stream may be opened, for requests without a result
    Keep keep{};           ///< empty where a client cannot come back
  };

  HttpExchange(api::EndpointRequest const& request, std::shared_ptr<HttpSession> session,
               os::Clock const& clock, Reply reply, Settings settings);

  void notify(std::string_view method, json::object params) override;
  void ask(std::string_view method, json::object params, Respond respond) override;
  bool is_cancelled() const override;
  Session* session() override { return session_ ? &session_->session : nullptr; }
  std::string principal() const override { return client_.credential; }

  void cancel() { is_cancelled_ = true; }
  /// Makes the answer a stream before there is something to say.
  void open();
  /// Sends a message. `id` names its place for a client that comes back.
  void say(std::string message, std::string id);
  /// Gives the answer: on the stream, or as one text.
  void finish(int status, std::string text, std::vector<std::pair<std::string, std::string>> headers = {});

  HttpSession const* http_session() const { return session_.get(); }
  /// Goes on in another answer after message number `last`. False when what followed was not kept.
  bool resume(std::size_t last, Reply reply);

 private:
  struct Said {
    std::string message;
    std::string id;
  };
  /// The messages of a stream, for a client that comes back.
  struct Kept {
    std::string name{};  ///< of the stream
    std::vector<Said> said{};
    std::size_t bytes = 0;
    bool is_all = false;  ///< nothing is missing
  };
  struct Client {
    std::string credential;
    std::shared_ptr<std::atomic<bool> const> gone;
    bool may_stream;
  };
  /// A reply that is to be called without the lock.
  using Begun = std::pair<Reply, api::EndpointAnswer>;

  std::optional<Begun> begin_stream();
  void put(Said said, bool is_last);
  void keep(Said const& said);
  void attach(std::shared_ptr<api::MessageStream> stream, std::size_t turn);
  void flush();

  Client const client_;
  std::shared_ptr<HttpSession> const session_;
  os::Clock const& clock_;
  Settings const settings_;
  std::atomic<bool> is_cancelled_ = false;

  std::mutex mutex_;
  Reply reply_;  ///< empty once the answer has begun
  std::shared_ptr<api::MessageStream> stream_;
  std::size_t turn_ = 0;     ///< counts the answers that are streams
  std::deque<Said> unsent_;  ///< until the stream is there
  bool has_ended_ = false;   ///< the last message is among those said
  Kept kept_;
};

}  // namespace andon::mcp
