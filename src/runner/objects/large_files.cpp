#include "runner/objects/large_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/digest.hpp"
#include "os/files/descriptor.hpp"
#include "os/files/file.hpp"
#include "os/files/plain_path.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestPointer = 1024;
constexpr std::size_t kIdDigits = 64;
constexpr std::size_t kReadAtOnce = 1U << 20U;
constexpr std::size_t kNameBytes = 8;
constexpr std::string_view kVersion = "version https://git-lfs.github.com/spec/";
constexpr std::string_view kId = "\noid sha256:";
constexpr std::string_view kSize = "\nsize ";

fs::path place_of(LargeFile const& file, fs::path const& git_directory) {
  return git_directory / "lfs/objects" / file.id.substr(0, 2) / file.id.substr(2, 2) / file.id;
}

/// Opens a regular file by a path without links.
os::Descriptor open_regular(fs::path const& path) {
  auto out = os::open_plain(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, os::Reach::anywhere);
  struct stat about{};
  if (!out || ::fstat(out.get(), &about) != 0 || !S_ISREG(about.st_mode)) return os::Descriptor{};
  return out;
}

/// Copies up to `size` bytes and one more, so that a longer file is noticed.
std::int64_t copy_bytes(os::Descriptor const& from, os::Descriptor const& to, std::int64_t size) {
  std::string buffer(kReadAtOnce, '\0');
  std::int64_t copied = 0;
  while (copied <= size) {
    auto const got = ::read(from.get(), buffer.data(), buffer.size());
    if (got < 0) os::fail("read", "a large file");
    if (got == 0) break;
    if (::write(to.get(), buffer.data(), static_cast<std::size_t>(got)) != got)
      os::fail("write", "a large file");
    copied += got;
  }
  return copied;
}

/// Whether a file that nobody else writes has the digest.
bool has_digest(os::Descriptor const& file, LargeFile const& wanted) {
  auto const size = static_cast<std::size_t>(wanted.size);
  if (size == 0) return os::hex(os::sha256({})) == wanted.id;
  auto* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) os::fail("read", "a large file");
  bool const is_it = os::hex(os::sha256({static_cast<char const*>(mapped), size})) == wanted.id;
  ::munmap(mapped, size);
  return is_it;
}

/// A file that is removed unless it got another name.
struct Unfinished {
  explicit Unfinished(fs::path file) : path(std::move(file)) {}
  Unfinished(Unfinished const&) = delete;
  Unfinished& operator=(Unfinished const&) = delete;
  ~Unfinished() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  fs::path path;
};

}  // namespace

std::optional<LargeFile> parse_pointer(std::string_view content) {
  auto const id = content.find(kId);
  auto const size = content.find(kSize);
  if (content.size() > kLargestPointer || !content.starts_with(kVersion)) return std::nullopt;
  if (id == std::string_view::npos || size == std::string_view::npos) return std::nullopt;
  LargeFile out{std::string{content.substr(id + kId.size(), kIdDigits)}, 0};
  auto const number = content.substr(size + kSize.size());
  auto const parsed = std::from_chars(number.data(), number.data() + number.size(), out.size);
  bool const is_id =
      out.id.size() == kIdDigits && out.id.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_id || parsed.ec != std::errc{} || out.size < 0) return std::nullopt;
  return out;
}

std::vector<std::optional<LargeFile>> pointers_among(Git const& git, fs::path const& scratch,
                                                     std::vector<std::string> const& objects) {
  std::vector<std::optional<LargeFile>> out;
  if (objects.empty()) return out;
  std::string text;
  for (auto const& object : objects) text.append(object).append("\n");
  auto const file = scratch / "objects";
  os::write_passing_file(file, text);
  auto const ask = [&](char const* how, std::string const& lines) {
    os::write_passing_file(file, lines);
    os::Descriptor const input{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    auto answer = git.run({"cat-file", how}, {}, input.get());
    if (!answer.good || answer.cut) throw GitFailure("git cat-file: " + answer.complaint);
    return std::move(answer.out);
  };
  auto const sizes = ask("--batch-check=%(objectsize)", text);
  std::string_view lines = sizes;
  std::string small;
  std::vector<bool> is_small;
  for (auto const& object : objects) {
    std::size_t size = kLargestPointer + 1;
    std::from_chars(lines.data(), lines.data() + lines.size(), size);
    lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
    is_small.push_back(size <= kLargestPointer);
    if (is_small.back()) small.append(object).append("\n");
  }
  auto const contents = ask("--batch=%(objectsize)", small);
  std::string_view rest = contents;
  for (bool const is_read : is_small) {
    out.emplace_back();
    if (!is_read) continue;
    std::size_t size = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), size);
    auto const begin = rest.find('\n') + 1;
    out.back() = parse_pointer(rest.substr(begin, size));
    rest.remove_prefix(std::min(begin + size + 1, rest.size()));
  }
  return out;
}

bool bring_large_file(LargeFile const& file, fs::path const& from, fs::path const& to, std::int64_t& room) {
  auto const there = place_of(file, to);
  std::error_code none;
  if (fs::file_size(there, none) == static_cast<std::uintmax_t>(file.size) && !none) return true;
  auto const source = open_regular(place_of(file, from));
  if (!source || file.size > room) return false;
  room -= file.size;
  os::make_private_directory(there.parent_path());
  Unfinished const making{there.native() + "." + os::random_hex(kNameBytes)};
  os::Descriptor const made{::open(making.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644)};
  if (!made) os::fail("make", making.path.native());
  bool const is_it = copy_bytes(source, made, file.size) == file.size && has_digest(made, file);
  if (is_it) fs::rename(making.path, there);
  return is_it;
}

}  // namespace andon::runner
