#pragma once

#include <span>

#include "http/wire/message.hpp"
#include "os/embedded.hpp"

namespace andon::http {

/// The files of the page. They contain no data, so every client with a valid host name gets them.
class Page {
 public:
  explicit Page(std::span<EmbeddedFile const> files) : files_(files) {}

  /// The file in the best encoding that the client accepts. A path without a dot is an address within the
  /// page.
  Response answer(Request const& request) const;

 private:
  EmbeddedFile const* find(std::string_view path) const;
  std::span<EmbeddedFile const> files_;
};

}  // namespace andon::http
