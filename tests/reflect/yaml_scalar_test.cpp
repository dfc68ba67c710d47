#include "reflect/yaml_scalar.hpp"

#include <doctest/doctest.h>

#include "reflect/yaml.hpp"

using namespace andon;
using reflect::text_of_scalar;
using reflect::YamlQuotes;

namespace {

std::string value_of(std::string const& yaml) {
  auto const root = reflect::parse_yaml("t: " + yaml + "\nu: 2\n", "f");
  REQUIRE_MESSAGE(root, (root ? "" : root.error().message));
  REQUIRE(root->entries.size() == 2);
  return root->entries.front().value.text;
}

}  // namespace

TEST_CASE("YamlScalar.ReadsEveryPairOfQuotes") {
  CHECK(value_of("'Bug: default '''' is wrong'") == "Bug: default '' is wrong");
  CHECK(value_of("'a''''b'   # remark") == "a''b");
  CHECK(value_of("''''") == "'");
  CHECK(value_of("''''''") == "''");
  CHECK(value_of("' '' '") == " ' ");
  CHECK(value_of("''") == "");
}

TEST_CASE("YamlScalar.FoldsLines") {
  CHECK(value_of("'a''''\n\n  b'") == "a''\nb");
  CHECK(value_of("a\n  b  \n\n  c") == "a b\nc");
  CHECK(value_of("\"a \\\n   b\\  \n  c\"") == "a b  c");
  CHECK(value_of("\"a\\n\n  b\"") == "a\n b");
  CHECK(value_of("'a\r\n  b'") == "a b");
}

TEST_CASE("YamlScalar.ReadsSeparatorsAsGoYamlWritesThem") {
  for (std::string const separator : {"\u2028", "\u2029"}) {
    for (std::string const indent : {"", "    ", "        "})
      CHECK(value_of("'one" + separator + indent + "two'") == "one" + separator + "two");
    CHECK(value_of("'one" + separator + "    " + separator + "    '") == "one" + separator + separator);
    CHECK(value_of("\"one" + separator + "    two\"") == "one" + separator + "    two");
  }
  CHECK(value_of("\"one\\L    two\"") == "one\u2028    two");
}

TEST_CASE("YamlScalar.ReadsEscapesAndNoOtherCharactersAsLineEnds") {
  CHECK(value_of("\"\\x41\\u00e9\\U0001F600\\L\\N\\_\\/\"") == "Aé😀\u2028\u0085\u00a0/");
  CHECK(value_of("\"\\ud83d\\ude00\"") == "😀");
  CHECK(value_of("a\u2028 b") == "a\u2028 b");
  CHECK(value_of("\"a \u2029  b\"") == "a \u2029  b");
  CHECK(value_of("\"a\\L b\"") == "a\u2028 b");
  for (auto const* wrong : {"\\ud83d", "\\ud83d\\u0041", "\\ude00", "\\U00110000", "\\q", "\\x4", "\\"})
    CHECK_FALSE(text_of_scalar(wrong, YamlQuotes::double_quotes));
}
