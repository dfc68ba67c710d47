#include "os/random.hpp"

#include <array>
#include <cerrno>
#include <sys/random.h>
#include <vector>

#include "os/digest.hpp"
#include "os/system_error.hpp"

namespace andon::os {

void random_bytes(std::span<std::byte> out) {
  while (!out.empty()) {
    auto const n = ::getrandom(out.data(), out.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("get random bytes");
    out = out.subspan(static_cast<std::size_t>(n));
  }
}

std::string random_hex(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  random_bytes(data);
  return hex(data);
}

std::string random_uuid() {
  std::array<std::byte, 16> data{};
  random_bytes(data);
  data[6] = (data[6] & std::byte{0x0F}) | std::byte{0x40};
  data[8] = (data[8] & std::byte{0x3F}) | std::byte{0x80};
  auto text = hex(data);
  for (std::size_t at : {20U, 16U, 12U, 8U}) text.insert(at, "-");
  return text;
}

}  // namespace andon::os
