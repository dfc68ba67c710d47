#pragma once

#include <list>
#include <memory>
#include <string>

#include "api/endpoint.hpp"
#include "http/access/revocation.hpp"
#include "http/options.hpp"
#include "http/wire/mailbox.hpp"
#include "http/wire/session.hpp"
#include "http/wire/stream.hpp"

namespace andon::http {

/// The answers of endpoints that are streams. I/O thread only.
class MessageStreams {
 public:
  MessageStreams(std::shared_ptr<Mailbox> mailbox, Revocation& revocation, Connections& connections,
                 Limits const& limits);

  /// Whether the credential may have one more stream.
  bool has_room(std::string const& credential);
  /// Turns the connection of a request into the stream that its answer wants. `gone` becomes true when the
  /// stream ends.
  void open(Session& session, std::string const& credential, Gone gone, api::EndpointAnswer answer);

 private:
  struct Entry {
    std::weak_ptr<Stream> stream;
    std::string credential;
  };

  std::shared_ptr<Mailbox> mailbox_;
  Revocation& revocation_;
  Connections& connections_;
  Limits const& limits_;
  std::list<Entry> entries_;
};

}  // namespace andon::http
