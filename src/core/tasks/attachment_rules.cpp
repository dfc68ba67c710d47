#include "core/tasks/attachment_rules.hpp"

#include <algorithm>
#include <array>

#include "core/text/lower_case.hpp"
#include "core/text/names.hpp"

namespace andon::core {
namespace {

constexpr std::size_t kLongestFileName = 200;
constexpr std::size_t kLongestFileId = 32;

/// The first bytes of a format; `more` follow after four other bytes where it is not empty.
struct Signature {
  std::string_view begin;
  std::string_view more;
  std::string_view type;
};
constexpr std::array kSignatures{
    Signature{"\x89PNG\r\n\x1a\n", "", "image/png"},
    Signature{"\xff\xd8\xff", "", "image/jpeg"},
    Signature{"GIF87a", "", "image/gif"},
    Signature{"GIF89a", "", "image/gif"},
    Signature{"RIFF", "WEBP", "image/webp"},
    Signature{"%PDF-", "", "application/pdf"},
    Signature{"PK\x03\x04", "", "application/zip"},
    Signature{"\x1f\x8b", "", "application/gzip"},
};

bool has_signature(std::string_view content, Signature const& signature) {
  if (!content.starts_with(signature.begin)) return false;
  auto const at = signature.begin.size() + 4;
  return signature.more.empty() || (content.size() >= at && content.substr(at).starts_with(signature.more));
}

bool is_text(std::string_view content) {
  return content.find('\0') == std::string_view::npos && is_utf8(content);
}

Result<void> refuse_name(std::string what) {
  return refuse(Code::kInvalidInput, "\"name\" must be a plain file name: " + std::move(what), "name");
}

}  // namespace

Result<void> check_attachment_name(std::string_view name) {
  if (name.empty()) return refuse_name("it is empty");
  if (name.size() > kLongestFileName)
    return refuse_name("it has more than " + std::to_string(kLongestFileName) + " bytes");
  if (!is_utf8(name) || is_unsafe_line(name)) return refuse_name("it holds characters that nobody sees");
  if (name.find_first_of("/\\") != std::string_view::npos) return refuse_name("it holds a slash");
  if (name.starts_with('.') || name.starts_with('-') || name.starts_with(' '))
    return refuse_name("it begins with \"" + std::string{name.front()} + "\"");
  if (name.ends_with('.') || name.ends_with(' ')) return refuse_name("it ends with a dot or a space");
  return {};
}

bool has_safe_place(Attachment const& attachment) {
  auto const& id = attachment.id;
  bool const is_id = !id.empty() && id.size() <= kLongestFileId &&
                     id.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_id && check_attachment_name(attachment.name).has_value();
}

std::string_view media_type_of(std::string_view content) {
  auto const found =
      std::ranges::find_if(kSignatures, [&](Signature const& each) { return has_signature(content, each); });
  if (found != kSignatures.end()) return found->type;
  return is_text(content) ? "text/plain" : "application/octet-stream";
}

Attachment const* find_attachment(std::vector<Attachment> const& attachments, std::string_view name) {
  auto const found = std::ranges::find(attachments, lower_case(name),
                                       [](Attachment const& each) { return lower_case(each.name); });
  return found == attachments.end() ? nullptr : &*found;
}

}  // namespace andon::core
