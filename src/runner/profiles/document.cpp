#include "runner/profiles/document.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLargestDocument = 1U << 20U;

std::string read_up_to(os::Descriptor const& file, std::size_t longest) {
  std::string text;
  std::array<char, 8192> part{};
  while (text.size() < longest) {
    auto const n = ::read(file.get(), part.data(), part.size());
    if (n <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  return text;
}

}  // namespace

std::optional<std::string> read_document(std::filesystem::path const& folder, std::string const& name) try {
  auto const file = os::open_beneath(os::open_directory(folder), name, O_RDONLY | O_NONBLOCK);
  return as_utf8(read_up_to(file, kLargestDocument));
} catch (os::SystemError const& error) {
  if (error.number() == ENOENT || error.number() == ENOTDIR) return std::nullopt;
  throw;
}

}  // namespace andon::runner
