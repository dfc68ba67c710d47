#include "mcp/http_exchange.hpp"

#include <algorithm>

namespace andon::mcp {
namespace {

constexpr core::Duration kPatience = std::chrono::minutes{10};
constexpr std::size_t kMostQuestions = 16;
constexpr std::size_t kMostUnsent = 256;
constexpr std::size_t kMostKeptBytes = 64U << 10U;

}  // namespace

std::string Questions::add(Respond respond, core::Duration until) {
  std::unique_lock lock{mutex_};
  if (questions_.size() >= kMostQuestions) {
    lock.unlock();
    respond(fault(Fault::internal_error, "too many requests to the client wait for an answer"));
    return {};
  }
  auto id = "andon-" + std::to_string(++last_id_);
  questions_.emplace(id, Question{std::move(respond), until});
  return id;
}

void Questions::take(Message message) {
  auto const* id = message.id.if_string();
  if (!id || !message.answer) return;
  Respond respond;
  {
    std::scoped_lock const lock{mutex_};
    auto const found = questions_.find(std::string_view{id->data(), id->size()});
    if (found == questions_.end()) return;
    respond = std::move(found->second.respond);
    questions_.erase(found);
  }
  respond(*std::move(message.answer));
}

void Questions::drop(core::Duration now) {
  std::vector<Respond> late;
  {
    std::scoped_lock const lock{mutex_};
    for (auto one = questions_.begin(); one != questions_.end();) {
      bool const is_late = one->second.until <= now;
      if (is_late) late.push_back(std::move(one->second.respond));
      one = is_late ? questions_.erase(one) : std::next(one);
    }
  }
  for (auto& respond : late) respond(fault(Fault::internal_error, "the client did not answer in time"));
}

HttpExchange::HttpExchange(api::EndpointRequest const& request, std::shared_ptr<HttpSession> session,
                           os::Clock const& clock, Reply reply, Settings settings)
    : client_{request.credential, request.gone, request.may_stream},
      session_(std::move(session)),
      clock_(clock),
      settings_(std::move(settings)),
      reply_(std::move(reply)) {}

bool HttpExchange::is_cancelled() const {
  return is_cancelled_ || (settings_.leaving_cancels && client_.gone && *client_.gone);
}

void HttpExchange::notify(std::string_view method, json::object params) {
  say(message_text(method, std::move(params)), {});
}

void HttpExchange::ask(std::string_view method, json::object params, Respond respond) {
  if (!session_ || !client_.may_stream)
    return respond(fault(Fault::internal_error, "this connection takes no requests of the server"));
  auto const id = session_->questions.add(std::move(respond), clock_.uptime() + kPatience);
  if (!id.empty()) say(message_text(method, std::move(params), json::string{id}), {});
}

void HttpExchange::open() {
  std::unique_lock lock{mutex_};
  auto begun = begin_stream();
  lock.unlock();
  if (begun) begun->first(std::move(begun->second));
}

/// Without a stream, what is said before the result is lost; the result is not.
void HttpExchange::say(std::string message, std::string id) {
  if (!client_.may_stream) return;
  std::unique_lock lock{mutex_};
  if (has_ended_) return;
  auto begun = begin_stream();
  put({std::move(message), std::move(id)}, false);
  lock.unlock();
  if (begun) begun->first(std::move(begun->second));
}

void HttpExchange::finish(int status, std::string text,
                          std::vector<std::pair<std::string, std::string>> headers) {
  std::unique_lock lock{mutex_};
  if (has_ended_) return;
  if (!reply_) return put({std::move(text), {}}, true);
  has_ended_ = true;
  auto reply = std::move(reply_);
  lock.unlock();
  reply({status, std::move(text), std::move(headers)});
}

/// The lock is held.
std::optional<HttpExchange::Begun> HttpExchange::begin_stream() {
  if (!reply_) return std::nullopt;
  if (settings_.keep && kept_.name.empty()) {
    kept_.name = settings_.keep(shared_from_this());
    kept_.is_all = true;
  }
  api::EndpointAnswer answer;
  answer.farewell = settings_.farewell;
  answer.without_stream = settings_.without_stream;
  answer.streams = [self = shared_from_this(), turn = ++turn_](std::shared_ptr<api::MessageStream> stream) {
    self->attach(std::move(stream), turn);
  };
  return Begun{std::exchange(reply_, {}), std::move(answer)};
}

/// The lock is held.
void HttpExchange::put(Said said, bool is_last) {
  if (kept_.is_all) keep(said);
  if (!kept_.name.empty()) said.id = kept_.name + "." + std::to_string(kept_.said.size());
  has_ended_ = is_last;
  if (unsent_.size() >= kMostUnsent && !is_last) return;
  unsent_.push_back(std::move(said));
  flush();
}

/// The lock is held.
void HttpExchange::keep(Said const& said) {
  kept_.said.push_back(said);
  kept_.bytes += said.message.size();
  if (kept_.bytes <= kMostKeptBytes) return;
  kept_.is_all = false;
  for (auto& one : kept_.said) one = {};
}

void HttpExchange::attach(std::shared_ptr<api::MessageStream> stream, std::size_t turn) {
  std::scoped_lock const lock{mutex_};
  if (!stream) {
    is_cancelled_ = has_ended_ = true;
    return;
  }
  if (turn != turn_) return stream->end({}, {});
  stream_ = std::move(stream);
  flush();
}

/// The lock is held.
void HttpExchange::flush() {
  if (!stream_) return;
  for (; !unsent_.empty(); unsent_.pop_front()) {
    auto& said = unsent_.front();
    if (has_ended_ && unsent_.size() == 1)
      stream_->end(std::move(said.message), std::move(said.id));
    else
      stream_->send(std::move(said.message), std::move(said.id));
  }
}

bool HttpExchange::resume(std::size_t last, Reply reply) {
  std::unique_lock lock{mutex_};
  if (!kept_.is_all || last > kept_.said.size()) return false;
  if (auto const before = std::exchange(stream_, nullptr)) before->end({}, {});
  unsent_.clear();
  for (auto i = last; i < kept_.said.size(); ++i)
    unsent_.push_back({kept_.said[i].message, kept_.name + "." + std::to_string(i + 1)});
  bool const is_over = has_ended_ && unsent_.empty();
  reply_ = std::move(reply);
  auto begun = begin_stream();
  if (is_over) begun->second.streams = [](auto const& stream) { stream->end({}, {}); };
  lock.unlock();
  begun->first(std::move(begun->second));
  return true;
}

}  // namespace andon::mcp
