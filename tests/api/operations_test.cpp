#include <algorithm>
#include <ranges>

#include <doctest/doctest.h>

#include "api/operation.hpp"

using namespace andon;

namespace {

bool has_field(api::Operation const& operation, std::string_view name) {
  return std::ranges::any_of(operation.request->members(), [&](auto const& m) { return m.name == name; });
}

std::string filled_field(api::Flag const& flag) {
  std::string field{flag.field.empty() ? flag.name : flag.field};
  std::ranges::replace(field, '-', '_');
  return field;
}

}  // namespace

TEST_CASE("Operations.ListFlagsThatFillFieldsOfTheRequest") {
  for (auto const& operation : api::operations())
    for (auto const& flag : operation.command.flags) {
      CAPTURE(operation.name);
      CAPTURE(flag.name);
      if (flag.kind == api::FlagKind::handled)
        CHECK_FALSE(flag.help.empty());
      else
        CHECK(has_field(operation, filled_field(flag)));
    }
}

TEST_CASE("Operations.LeaveOutFlagsOfFieldsOfTheRequest") {
  for (auto const& operation : api::operations())
    for (auto const field : std::views::split(operation.command.but, ' ')) {
      CAPTURE(operation.name);
      CHECK(has_field(operation, std::string_view{field}));
    }
}
