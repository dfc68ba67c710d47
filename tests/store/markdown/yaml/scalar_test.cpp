#include "store/markdown/yaml/scalar.hpp"

#include <doctest/doctest.h>

using namespace andon;
using namespace andon::store::markdown;

TEST_CASE("Scalars.AreQuotedAsGoYamlDoes") {
  struct Case {
    std::string_view text, written;
  };
  for (auto const& [text, written] : {
           Case{"plain words", "plain words"},
           Case{"yes", "\"yes\""},
           Case{"n", "\"n\""},
           Case{"123", "\"123\""},
           Case{"0x1F", "\"0x1F\""},
           Case{"1_000", "\"1_000\""},
           Case{"1:20", "\"1:20\""},
           Case{"2026-12-01", "\"2026-12-01\""},
           Case{"null", "\"null\""},
           Case{"~", "\"~\""},
           Case{"", "\"\""},
           Case{"a: b", "'a: b'"},
           Case{"# x", "'# x'"},
           Case{"- x", "'- x'"},
           Case{"-x", "-x"},
           Case{"[x", "'[x'"},
           Case{"*x", "'*x'"},
           Case{" x", "' x'"},
           Case{"x ", "'x '"},
           Case{"it's: x", "'it''s: x'"},
           Case{"it's", "it's"},
           Case{"a#b", "a#b"},
           Case{"a #b", "'a #b'"},
           Case{"a\tb", "\"a\\tb\""},
           Case{"\x01", "\"\\x01\""},
           Case{"é", "é"},
           Case{"😀", "\"\\U0001F600\""},
           Case{"one\ntwo", "|-\n    one\n    two"},
           Case{"one\ntwo\n", "|\n    one\n    two"},
       })
    CHECK(yaml_text(text) == written);
}

TEST_CASE("Scalars.InBracketsNeedMoreQuotes") {
  CHECK(yaml_item("a,b") == "'a,b'");
  CHECK(yaml_item("a]") == "'a]'");
  CHECK(yaml_item("a") == "a");
}

TEST_CASE("Scalars.SayYesAndNoInTheWordsThatGoYamlTakes") {
  for (auto const* word : {"true", "True", "TRUE", "y", "Y", "yes", "on"}) CHECK(yaml_flag(word) == true);
  for (auto const* word : {"false", "False", "FALSE", "n", "N", "no", "off"}) CHECK(yaml_flag(word) == false);
  for (auto const* word : {"", "tRUE", "Yes", "1", "maybe"}) CHECK_FALSE(yaml_flag(word).has_value());
}

TEST_CASE("Times.DropWhatIsZero") {
  CHECK(yaml_time(*core::parse_instant("2026-11-21T08:00:00Z")) == "2026-11-21T08:00:00Z");
  CHECK(yaml_time(*core::parse_instant("2026-11-21T08:00:00.250Z")) == "2026-11-21T08:00:00.25Z");
  CHECK(yaml_time(*core::parse_instant("2026-11-21T08:00:10.000Z")) == "2026-11-21T08:00:10Z");
}
