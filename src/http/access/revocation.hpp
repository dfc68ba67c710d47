#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/local_executor.hpp"
#include "http/access/credentials.hpp"
#include "http/wire/stream.hpp"

namespace andon::http {

/// Closes the open streams of revoked credentials. I/O thread only.
class Revocation {
 public:
  Revocation(api::LocalExecutor& executor, Credentials& credentials)
      : executor_(executor), credentials_(credentials) {}

  void watch(std::shared_ptr<Stream> const& stream, std::string credential);
  void tick();

 private:
  struct Watched {
    std::weak_ptr<Stream> stream;
    std::string credential;
    std::uint64_t generation;
    core::Duration next_look{};  ///< the uptime of the next check, since a credential may also expire
  };

  api::LocalExecutor& executor_;
  Credentials& credentials_;
  std::vector<Watched> watched_;
};

}  // namespace andon::http
