#include "mcp/protocol/stdio.hpp"

#include <future>
#include <istream>
#include <limits>
#include <ostream>

namespace andon::mcp {
namespace {

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

std::string answer_to(Protocol const& protocol, Features& features, std::string const& line) {
  if (line.size() > kLongestMessage)
    return answer_text({}, fault(Fault::invalid_request, "a message has at most 2 MiB"));
  auto const message = read_message(line);
  if (!message) return answer_text(message.error().id, std::unexpected(message.error().error));
  if (!message->is_request()) return {};
  std::promise<Outcome<json::object>> answered;
  auto outcome = answered.get_future();
  protocol.answer(*message, era_of(*message), features,
                  [&](Outcome<json::object> result) { answered.set_value(std::move(result)); });
  return answer_text(message->id, outcome.get());
}

}  // namespace

void serve_stdio(Protocol const& protocol, Features& features, std::istream& in, std::ostream& out) {
  while (auto const line = next_line(in)) {
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    auto const answer = answer_to(protocol, features, *line);
    if (answer.empty()) continue;
    out << answer << '\n' << std::flush;
    if (!out) return;
  }
}

}  // namespace andon::mcp
