#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include "cli/command_line/json_text.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"

using namespace andon::cli;

TEST_CASE("SafeText.ShowsWhatATerminalWouldActOn") {
  CHECK(one_line("a\x1b[31mb\x07") == "a\\x1b[31mb\\x07");
  CHECK(one_line("two\nlines\tand a tab") == "two\\nlines\\tand a tab");
  CHECK(many_lines("two\nlines\r") == "two\nlines\\x0d");
  CHECK(many_lines("two\r\nlines") == "two\r\nlines");
  CHECK(one_line("\u202eevil\u0085") == "[U+202E]evil[U+0085]");
  CHECK(one_line("\xff\xfe") == "\\xff\\xfe");
  CHECK(one_line("Grüße 你好 👋") == "Grüße 你好 👋");
}

TEST_CASE("Table.PadsByCells") {
  Table table({{"ID", 4, 0}, {"TITLE", 0, 0}, {"TAGS", 0, 0}});
  table.add({"1", "你好", "x"});
  table.add({"2", "plain", ""});
  CHECK(table.text() ==
        "ID   TITLE   TAGS\n"
        "1    你好    x\n"
        "2    plain   --\n");
}

TEST_CASE("JsonText.IndentsByTwoAndEscapesMarkup") {
  auto const value = boost::json::parse(R"({"b":"<a> & \u2028\u001b","a":[1,2.5,true,null],"o":{},"l":[]})");
  CHECK(json_text(value) ==
        "{\n  \"b\": \"\\u003ca\\u003e \\u0026 \\u2028\\u001b\",\n"
        "  \"a\": [\n    1,\n    2.5,\n    true,\n    null\n  ],\n  \"o\": {},\n  \"l\": []\n}\n");
  CHECK(json_text("a\u202e\U000E0041 👩\u200d💻") == "\"a\\u202e\\udb40\\udc41 👩\u200d💻\"\n");
  CHECK(json_text("caf\xE9") == "\"caf\\ufffd\"\n");
}
