#pragma once

#include <string>
#include <string_view>

namespace bench {

/// The server under measurement: a port of this machine and the token that opens it.
struct Target {
  int port = 0;
  std::string token;
};

struct Answer {
  int status = 0;
  std::string body;
};

/// One blocking HTTP/1.1 connection that is kept open. It costs the machine little, so that the server's
/// share of it is what is measured. Throws std::runtime_error when the server goes away.
class Connection {
 public:
  explicit Connection(Target const& target);
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;

  /// Sends one request and reads its whole answer.
  Answer call(std::string_view method, std::string_view path, std::string_view body = {});
  /// As `call`, but throws unless the answer is of the 2xx family.
  std::string post(std::string_view path, std::string_view body);
  /// Asks for an event stream and reads until its first bytes; the stream stays open.
  void open_stream(std::string_view path);

 private:
  void send(std::string_view method, std::string_view path, std::string_view accept, std::string_view body);
  void receive();
  std::size_t receive_head();

  int socket_ = -1;
  std::string fixed_lines_;
  std::string buffer_;
};

/// The whole number after `"name":` at its first place in a JSON text; throws when there is none.
long number_in(std::string_view json, std::string_view name);

}  // namespace bench
