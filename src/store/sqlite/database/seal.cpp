#include "store/sqlite/database/seal.hpp"

#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>

#include "os/digest.hpp"
#include "os/files/descriptor.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::store::sqlite {
namespace {

constexpr std::string_view kBegin = "\nandon backup sha256 ";
constexpr std::size_t kLength = kBegin.size() + 2 * sizeof(os::Sha256) + 1;

/// The bytes of a file, mapped into memory while this lives.
class Mapped {
 public:
  explicit Mapped(std::filesystem::path const& file) {
    os::Descriptor const opened{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat about{};
    if (!opened || ::fstat(opened.get(), &about) != 0) os::fail("open", file.native());
    size_ = static_cast<std::size_t>(about.st_size);
    if (size_ == 0) return;
    begin_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, opened.get(), 0);
    if (begin_ == MAP_FAILED) os::fail("read", file.native());
  }
  ~Mapped() {
    if (size_ > 0) ::munmap(begin_, size_);
  }
  Mapped(Mapped const&) = delete;
  Mapped& operator=(Mapped const&) = delete;
  std::string_view bytes() const { return {static_cast<char const*>(begin_), size_}; }

 private:
  void* begin_ = nullptr;
  std::size_t size_ = 0;
};

std::string seal_of(std::string_view bytes) {
  return std::string{kBegin} + os::hex(os::sha256(bytes)) + "\n";
}

}  // namespace

void seal(std::filesystem::path const& file) {
  auto const line = seal_of(Mapped{file}.bytes());
  os::Descriptor const opened{::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)};
  if (!opened) os::fail("open", file.native());
  os::write_all(opened, line, file.native());
}

Seal look_at_seal(std::filesystem::path const& file) {
  Mapped const mapped{file};
  auto const bytes = mapped.bytes();
  if (bytes.size() < kLength) return Seal::none;
  auto const end = bytes.substr(bytes.size() - kLength);
  if (!end.starts_with(kBegin)) return Seal::none;
  return end == seal_of(bytes.substr(0, bytes.size() - kLength)) ? Seal::whole : Seal::broken;
}

}  // namespace andon::store::sqlite
