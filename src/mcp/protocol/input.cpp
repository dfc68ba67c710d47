#include "mcp/protocol/input.hpp"

#include <algorithm>
#include <array>
#include <mutex>

namespace andon::mcp {
namespace {

constexpr int kMostRounds = 8;

/// The capability with which a client says that it takes a request.
struct CapabilityRow {
  std::string_view method;
  std::string_view capability;
};
constexpr std::array kCapabilities{
    CapabilityRow{"elicitation/create", "elicitation"},
    CapabilityRow{"sampling/createMessage", "sampling"},
    CapabilityRow{"roots/list", "roots"},
};

/// A request of the older form that asks its client for input until it is answered.
struct Asking : std::enable_shared_from_this<Asking> {
  Act act;
  RequestContext context;
  Respond respond;
  int rounds = 0;
  std::mutex mutex;
  std::size_t open = 0;  ///< requests that the client has not answered
  std::optional<ProtocolError> refusal;

  void run() {
    auto again = context;
    act(std::move(again),
        [self = shared_from_this()](Outcome<json::object> outcome) { self->take(std::move(outcome)); });
  }

  void take(Outcome<json::object> outcome) {
    if (!outcome || !outcome->contains(kInputRequests)) return respond(std::move(outcome));
    if (auto why = fault_of_input(*outcome, context.capabilities))
      return respond(std::unexpected(*std::move(why)));
    if (++rounds > kMostRounds) return respond(fault(Fault::internal_error, "this asks for input too often"));
    context.state = text_in(*outcome, "requestState");
    auto const requests = object_in(*outcome, kInputRequests);
    open = requests.size();
    if (open == 0) return respond(fault(Fault::internal_error, "this asks for no input"));
    for (auto const& [key, request] : requests) {
      auto const& asked = request.get_object();
      context.exchange->ask(text_in(asked, "method"), object_in(asked, "params"),
                            [self = shared_from_this(), name = std::string{key.data(), key.size()}](
                                Outcome<json::object> told) { self->note(name, std::move(told)); });
    }
  }

  void note(std::string const& key, Outcome<json::object> told) {
    {
      std::scoped_lock const lock{mutex};
      if (told)
        context.inputs[key] = *std::move(told);
      else
        refusal = std::move(told.error());
      if (--open > 0) return;
    }
    if (refusal)
      return respond(fault(Fault::internal_error, "the client gave no input: " + refusal->message));
    run();
  }
};

}  // namespace

std::optional<ProtocolError> fault_of_input(json::object const& result, json::object const& capabilities) {
  json::object missing;
  for (auto const& [key, request] : object_in(result, kInputRequests)) {
    auto const* asked = request.if_object();
    auto const method = asked ? text_in(*asked, "method") : std::string_view{};
    auto const row = std::ranges::find(kCapabilities, method, &CapabilityRow::method);
    if (row == kCapabilities.end())
      return ProtocolError{Fault::internal_error,
                           "clients give no input for \"" + std::string{method} + "\""};
    if (!capabilities.contains(row->capability)) missing[row->capability] = json::object{};
  }
  if (missing.empty()) return std::nullopt;
  return ProtocolError{Fault::missing_capability,
                       "this needs a client with more capabilities",
                       {{"requiredCapabilities", std::move(missing)}}};
}

void answer_asking(Act act, RequestContext context, Respond respond) {
  auto const asking = std::make_shared<Asking>();
  asking->act = std::move(act);
  asking->context = std::move(context);
  asking->respond = std::move(respond);
  asking->run();
}

void RequestContext::progress(double done, std::optional<double> total, std::string_view message) const {
  if (progress_token.is_null()) return;
  json::object params{{"progressToken", progress_token}, {"progress", done}};
  if (total) params["total"] = *total;
  if (!message.empty()) params["message"] = json::string{message.data(), message.size()};
  exchange->notify("notifications/progress", std::move(params));
}

}  // namespace andon::mcp
