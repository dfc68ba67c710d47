#include "core/text/render_template.hpp"

#include <doctest/doctest.h>

using namespace andon::core;

namespace {

std::optional<std::string> value_of(std::string_view name) {
  if (name == "a") return "A";
  if (name == "hostile") return "{{a}} }} {{";
  if (name == "long") return std::string(100, 'x');
  if (name == "empty") return "";
  return std::nullopt;
}

std::string filled(std::string_view text, std::size_t most = 1'000) {
  return render_template(text, value_of, most);
}

}  // namespace

TEST_CASE("FillIn.ReplacesWhatHasAValueAndLeavesTheRest") {
  CHECK(filled("{{a}} {{ a }}{{empty}} {{b}} { {a} }") == "A A {{b}} { {a} }");
  CHECK(filled("{{{a}}}") == "{A}");
  CHECK(filled("{{ {{a}}") == "{{ A");
  CHECK(filled("{{a") == "{{a");
  CHECK(filled("a}}{{") == "a}}{{");
  CHECK(filled("").empty());
}

TEST_CASE("FillIn.NeverLooksAtWhatItFilledIn") {
  CHECK(filled("{{hostile}}") == "{{a}} }} {{");
  CHECK(filled("{{hostile}}a}}") == "{{a}} }} {{a}}");
  CHECK(filled("{{{{hostile}}}}") == "{{{{a}} }} {{}}");
}

TEST_CASE("FillIn.IsBounded") {
  std::string text;
  for (int i = 0; i < 1'000; ++i) text += "{{long}}";
  CHECK(filled(text, 250).size() == 250);
  CHECK(filled("äää", 3) == "ä");
}
