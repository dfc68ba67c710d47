#include "mcp/protocol/stdio.hpp"

#include <condition_variable>
#include <deque>
#include <istream>
#include <map>
#include <mutex>
#include <ostream>
#include <thread>

#include <boost/json/serialize.hpp>

namespace andon::mcp {
namespace {

constexpr std::size_t kMostWaiting = 64;
constexpr std::size_t kMostWaitingBytes = 4 * kLongestMessage;
constexpr std::chrono::seconds kBetweenLooks{1};

/// The next line without its end. Nothing at the end of the input. A line that is too long comes without its
/// rest, one byte over the limit.
std::optional<std::string> next_line(std::istream& in) {
  std::string line;
  auto* const bytes = in.rdbuf();
  for (int c = bytes->sbumpc(); c != std::char_traits<char>::eof(); c = bytes->sbumpc()) {
    if (c == '\n') return line;
    if (line.size() <= kLongestMessage) line += static_cast<char>(c);
  }
  return line.empty() ? std::nullopt : std::optional{std::move(line)};
}

std::string key_of(json::value const& id) { return json::serialize(id); }

/// The client at the other end. Thread-safe.
class Client {
 public:
  explicit Client(std::ostream& out) : out_(out) {}

  void send(std::string const& line) {
    std::scoped_lock const lock{mutex_};
    out_ << line << '\n' << std::flush;
  }

  void ask(std::string_view method, json::object params, Respond respond) {
    std::string line;
    {
      std::scoped_lock const lock{mutex_};
      auto const id = "andon-" + std::to_string(++last_id_);
      asked_[key_of(json::string{id})] = std::move(respond);
      line = message_text(method, std::move(params), json::string{id});
    }
    send(line);
  }

  void take_answer(Message message) {
    Respond respond;
    {
      std::scoped_lock const lock{mutex_};
      auto const found = asked_.find(key_of(message.id));
      if (found == asked_.end()) return;
      respond = std::move(found->second);
      asked_.erase(found);
    }
    respond(*std::move(message.answer));
  }

  bool is_there() const { return static_cast<bool>(out_); }
  Session& session() { return session_; }

 private:
  std::mutex mutex_;
  std::ostream& out_;
  Session session_;
  std::map<std::string, Respond> asked_;
  std::uint64_t last_id_ = 0;
};

class StdioExchange : public Exchange {
 public:
  StdioExchange(Client& client, std::atomic<bool> const& has_ended)
      : client_(client), has_ended_(has_ended) {}

  void notify(std::string_view method, json::object params) override {
    if (!is_cancelled_) client_.send(message_text(method, std::move(params)));
  }
  void ask(std::string_view method, json::object params, Respond respond) override {
    client_.ask(method, std::move(params), std::move(respond));
  }
  /// A client that has closed its end waits for nothing any more.
  bool is_cancelled() const override { return is_cancelled_ || has_ended_; }
  Session* session() override { return &client_.session(); }
  std::string principal() const override { return "stdio"; }

  void cancel() { is_cancelled_ = true; }
  bool wants_answer() const { return !is_cancelled_; }

 private:
  Client& client_;
  std::atomic<bool> const& has_ended_;
  std::atomic<bool> is_cancelled_ = false;
};

/// A message that was read, with its size.
struct Arrival {
  std::expected<Message, BadMessage> message;
  std::size_t bytes = 0;
  std::shared_ptr<StdioExchange> exchange{};
};

class StdioServer {
 public:
  StdioServer(Protocol& protocol, std::shared_ptr<Features> features, std::ostream& out)
      : protocol_(protocol), features_(std::move(features)), client_(out) {}

  void run(std::istream& in) {
    std::thread worker{[this] { work(); }};
    while (auto const line = next_line(in)) {
      if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
      if (!take(*line)) break;
    }
    {
      std::scoped_lock const lock{mutex_};
      has_ended_ = true;
    }
    changed_.notify_all();
    worker.join();
  }

 private:
  /// Queues a message. Cancels at once what a client gives up. False when the client is gone.
  bool take(std::string const& line) {
    Arrival arrival{
        line.size() > kLongestMessage
            ? std::unexpected(BadMessage{{}, {Fault::invalid_request, "a message has at most 2 MiB"}})
            : read_message(line),
        line.size()};
    std::unique_lock lock{mutex_};
    if (arrival.message && arrival.message->method == "notifications/cancelled") {
      auto const* id = arrival.message->params.if_contains("requestId");
      if (auto const found = id ? running_.find(key_of(*id)) : running_.end(); found != running_.end())
        found->second->cancel(), running_.erase(found);
      return client_.is_there();
    }
    if (arrival.message && arrival.message->is_request()) {
      arrival.exchange = std::make_shared<StdioExchange>(client_, has_ended_);
      running_[key_of(arrival.message->id)] = arrival.exchange;
    }
    bytes_ += arrival.bytes;
    waiting_.push_back(std::move(arrival));
    changed_.notify_all();
    changed_.wait(lock, [this] {
      return (waiting_.size() < kMostWaiting && bytes_ < kMostWaitingBytes) || !client_.is_there();
    });
    return client_.is_there();
  }

  void work() {
    std::unique_lock lock{mutex_};
    for (;;) {
      auto const has_work = [this] { return !waiting_.empty() || has_ended_; };
      if (protocol_.is_idle())
        changed_.wait(lock, has_work);
      else
        changed_.wait_for(lock, kBetweenLooks, has_work);
      if (waiting_.empty() && has_ended_) return;
      if (waiting_.empty()) {
        lock.unlock();
        protocol_.step(true);
        lock.lock();
        continue;
      }
      auto arrival = std::move(waiting_.front());
      waiting_.pop_front();
      bytes_ -= arrival.bytes;
      lock.unlock();
      serve(std::move(arrival));
      protocol_.step(true);
      changed_.notify_all();
      lock.lock();
    }
  }

  void serve(Arrival arrival) try {
    if (!arrival.message)
      return client_.send(
          answer_text(arrival.message.error().id, std::unexpected(arrival.message.error().error)));
    auto& message = *arrival.message;
    if (message.answer) return client_.take_answer(std::move(message));
    if (!message.is_request() || !arrival.exchange->wants_answer()) return;
    protocol_.answer(message, era_of(message), features_, arrival.exchange,
                     [this, id = message.id, exchange = arrival.exchange](Outcome<json::object> outcome) {
                       {
                         std::scoped_lock const lock{mutex_};
                         running_.erase(key_of(id));
                       }
                       if (exchange->wants_answer()) client_.send(answer_text(id, outcome));
                     });
    watch_for_session();
  } catch (std::exception const&) {
    if (arrival.exchange)
      client_.send(
          answer_text(arrival.message->id, fault(Fault::internal_error, "this failed unexpectedly")));
  }

  /// Tells a client of the older form what changes, from the first resource on that it watches.
  void watch_for_session() {
    if (is_watching_ || client_.session().watched().empty()) return;
    is_watching_ = true;
    features_->changes_since({}, [this](Outcome<Changes> begin) {
      if (!begin) return;
      protocol_.subscriptions().add(
          {[this](std::string_view method, json::object params, std::string const&) {
             client_.send(message_text(method, std::move(params)));
           },
           [this] { return !has_ended_; },
           [this] { return Filter{features_->changing_lists(), client_.session().watched()}; }, features_,
           begin->place});
    });
  }

  Protocol& protocol_;
  std::shared_ptr<Features> features_;
  Client client_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Arrival> waiting_;
  std::size_t bytes_ = 0;
  std::map<std::string, std::shared_ptr<StdioExchange>> running_;
  std::atomic<bool> has_ended_ = false;
  bool is_watching_ = false;
};

}  // namespace

void serve_stdio(Protocol& protocol, std::shared_ptr<Features> const& features, std::istream& in,
                 std::ostream& out) {
  StdioServer{protocol, features, out}.run(in);
}

}  // namespace andon::mcp
