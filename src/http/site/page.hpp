#pragma once

#include <span>

#include "http/wire/message.hpp"
#include "os/embedded.hpp"

namespace andon::http {

/// The files of the page. They carry no data and are open to everybody who reaches this server by its name.
class Page {
 public:
  explicit Page(std::span<EmbeddedFile const> files) : files_(files) {}

  /// A file in the best form the client takes. Every path without a dot is an address within the page.
  Response answer(Request const& request) const;

 private:
  EmbeddedFile const* find(std::string_view path) const;
  std::span<EmbeddedFile const> files_;
};

}  // namespace andon::http
