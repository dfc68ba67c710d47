#include "http/site/page.hpp"

#include <algorithm>

#include "http/wire/compress.hpp"
#include "http/wire/refusal.hpp"

namespace andon::http {
namespace {

struct Form {
  std::string_view coding;
  std::span<unsigned char const> EmbeddedFile::* bytes;
};
constexpr std::array kForms{Form{"br", &EmbeddedFile::brotli}, Form{"gzip", &EmbeddedFile::gzip}};

bool has_etag(std::string_view list, std::string_view etag) {
  return list == "*" || list.find(etag) != list.npos;
}

}  // namespace

EmbeddedFile const* Page::find(std::string_view path) const {
  path.remove_prefix(1);
  auto const last = path.substr(path.rfind('/') + 1);
  bool const is_file = last.find('.') != std::string_view::npos;
  auto const found = std::ranges::find(files_, is_file ? path : "index.html", &EmbeddedFile::path);
  return found == files_.end() ? nullptr : &*found;
}

Response Page::answer(Request const& request) const {
  Response out;
  if (!request.is_safe()) {
    out = refusal(core::Code::kMethodNotAllowed, "the page can only be read", request.id);
    out.headers.emplace_back("Allow", "GET, HEAD");
    return out;
  }
  auto const* file = find(request.path);
  if (!file) return refusal(core::Code::kNotFound, "there is no such page", request.id);
  out.is_page = true;
  out.type = file->mime;
  bool const never_changes = file->path.starts_with("assets/");
  auto const etag = "\"" + std::string{file->etag} + "\"";
  out.headers.emplace_back("Cache-Control",
                           never_changes ? "public, max-age=31536000, immutable" : "no-cache");
  out.headers.emplace_back("ETag", etag);
  out.headers.emplace_back("Vary", "Accept-Encoding");
  if (has_etag(request.header(Field::if_none_match), etag)) {
    out.status = 304;
    return out;
  }
  out.file = file->raw;
  for (auto const& form : kForms) {
    auto const bytes = file->*form.bytes;
    if (bytes.empty() || !accepts(request.header(Field::accept_encoding), form.coding)) continue;
    out.file = bytes;
    out.headers.emplace_back("Content-Encoding", form.coding);
    break;
  }
  return out;
}

}  // namespace andon::http
