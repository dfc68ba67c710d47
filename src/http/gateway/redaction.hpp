#pragma once

#include "api/transport.hpp"
#include "reflect/texts.hpp"

namespace andon::http {

/// Removes secrets from all that a writing request holds: its path and query, its body, the key by which it
/// is repeated. JSON is cleaned text by text, so that an escape hides nothing. A body that is no text or
/// longer than a text may be stays as it is.
void redact(api::HttpCall& call, reflect::ReplaceText const& clean);

}  // namespace andon::http
