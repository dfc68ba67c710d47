#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "os/files/descriptor.hpp"

namespace andon::test {

/// An answer as it came over the wire.
struct WireAnswer {
  int status = 0;                              ///< 0 when the server closed without an answer
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
};

/// A connection on which any bytes can be sent. Every wait ends with a failure after half a minute.
class Wire {
 public:
  explicit Wire(int port);
  explicit Wire(std::string const& socket_path);

  void send(std::string_view bytes);
  /// The next answer; without its body for `HEAD`.
  WireAnswer answer(bool to_head = false);
  /// Reads until `text` has come, and returns everything up to and with it.
  std::string until(std::string_view text);
  /// Everything until the server closes.
  std::string rest();
  bool is_closed_by_server();
  int descriptor() const { return socket_.get(); }

 private:
  bool read_more();

  os::Descriptor socket_;
  std::string buffer_;
};

}  // namespace andon::test
