#include "core/runs/path_pattern.hpp"

#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

bool is_like_pattern(std::string_view text, std::string_view pattern) {
  auto const star = pattern.find('*');
  if (star == std::string_view::npos) return is_ascii_equal(text, pattern);
  auto const front = pattern.substr(0, star), rest = pattern.substr(star + 1);
  if (text.size() < front.size() || !is_ascii_equal(text.substr(0, front.size()), front)) return false;
  for (auto from = front.size(); from <= text.size(); ++from)
    if (is_like_pattern(text.substr(from), rest)) return true;
  return false;
}

bool has_folder(std::string_view path, std::string_view pattern) {
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
    if (is_like_pattern(path.substr(0, slash), pattern)) return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

bool ends_like(std::string_view path, std::string_view end) {
  if (path.size() < end.size() || !is_ascii_equal(path.substr(path.size() - end.size()), end)) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/';
}

}  // namespace

bool is_like(std::string_view path, PathPart part, std::string_view pattern) {
  switch (part) {
    case PathPart::name: return is_like_pattern(name_of_path(path), pattern);
    case PathPart::folder: return has_folder(path, pattern);
    case PathPart::top: return is_ascii_equal(path.substr(0, pattern.size()), pattern);
    case PathPart::end: return ends_like(path, pattern);
  }
  return false;
}

std::string_view name_of_path(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string_view folder_of_path(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

}  // namespace andon::core
