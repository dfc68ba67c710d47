#pragma once

namespace andon::test {

#if defined(__has_feature)
#define ANDON_HAS_FEATURE(name) __has_feature(name)
#else
#define ANDON_HAS_FEATURE(name) 0
#endif

/// True in a build with the address sanitizer. It keeps freed memory for a while, and makes the start of each
/// process several times as slow.
#if defined(__SANITIZE_ADDRESS__) || ANDON_HAS_FEATURE(address_sanitizer)
inline constexpr bool kHasAddressSanitizer = true;
#else
inline constexpr bool kHasAddressSanitizer = false;
#endif

}  // namespace andon::test
