#include "os/system_error.hpp"

#include <cerrno>
#include <system_error>

namespace andon::os {
namespace {

std::string sentence(std::string_view what, std::string_view object, int number) {
  std::string text = "cannot ";
  text += what;
  if (!object.empty()) text.append(" ").append(object);
  return text + ": " + std::generic_category().message(number);
}

}  // namespace

SystemError::SystemError(std::string_view what, std::string_view object, int number)
    : std::runtime_error(sentence(what, object, number)), number_(number) {}

void fail(std::string_view what, std::string_view object) { throw SystemError(what, object, errno); }

}  // namespace andon::os
