#include "store/content_digest.hpp"

#include "os/digest.hpp"

namespace andon::store {

std::string content_digest(std::string_view text) { return os::hex(os::sha256(text)); }

}  // namespace andon::store
