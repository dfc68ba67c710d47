#include "http/wire/compress.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <zlib.h>

namespace andon::http {
namespace {

constexpr int kFast = 1;
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 8;

struct Deflater {
  Deflater() {
    if (deflateInit2(&stream, kFast, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::runtime_error("cannot start zlib");
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(Deflater const&) = delete;
  Deflater& operator=(Deflater const&) = delete;
  z_stream stream{};
};

}  // namespace

bool accepts(std::string_view list, std::string_view coding) {
  while (!list.empty()) {
    auto const end = std::min(list.find(','), list.size());
    auto item = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
    if (!item.starts_with(coding)) continue;
    auto rest = std::string{item.substr(coding.size())};
    std::erase(rest, ' ');
    if (rest.empty()) return true;
    if (rest.starts_with(";q=")) return rest.find_first_of("123456789", 3) != std::string::npos;
  }
  return false;
}

std::string gzipped(std::string_view text) {
  Deflater deflater;
  auto& z = deflater.stream;
  std::string out(deflateBound(&z, text.size()) + 32, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("cannot compress");
  out.resize(z.total_out);
  return out;
}

}  // namespace andon::http
