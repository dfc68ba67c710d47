#include "reflect/yaml.hpp"

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/boards/boards.hpp"

using namespace andon;
using reflect::parse_yaml;
using reflect::type_of;

namespace {

std::string as_json(std::string_view text, reflect::Type const& type = type_of<boost::json::value>()) {
  auto const root = parse_yaml(text, "team.yml");
  if (!root) return root.error().message;
  return boost::json::serialize(reflect::json_of(*root, type));
}

}  // namespace

TEST_CASE("Yaml.ReadsWhatPeopleWriteIntoSettings") {
  CHECK(as_json("a: 1\nb:\n  - x\n  - {c: true, d: 1.5}\ne: |\n  two\n  lines\n") ==
        R"({"a":1,"b":["x",{"c":true,"d":1.5E0}],"e":"two\nlines\n"})");
  CHECK(as_json("") == "{}");
  CHECK(as_json("# nothing but a remark\n") == "{}");
  CHECK(as_json("a:\nb: ~\nc: 'null'\n") == R"({"a":null,"b":null,"c":"null"})");
  CHECK(as_json("a: 1\r\nb: 2\r\n") == R"({"a":1,"b":2})");
}

TEST_CASE("Yaml.LetsTheTypeSayWhatAPlainWordMeans") {
  auto const& board = type_of<service::CreateBoardRequest>();
  CHECK(as_json("name: 007\ntitle: yes\nprefix: 1.10\nmax_concurrent: 3\nauto_dispatch: false\n", board) ==
        R"({"name":"007","title":"yes","prefix":"1.10","max_concurrent":3,"auto_dispatch":false})");
  CHECK(as_json("columns: [{name: 1, wip_limit: 5}]", board) ==
        R"({"columns":[{"name":"1","wip_limit":5}]})");
  CHECK(as_json("max_concurrent: '3'\nauto_dispatch: yes", board) ==
        R"({"max_concurrent":"3","auto_dispatch":"yes"})");
}

TEST_CASE("Yaml.RefusesWhatIsNotForFilesThatAreExchangedNamingThePlace") {
  struct Row {
    std::string_view text, says;
  };
  for (auto const& row :
       {Row{"a: &x 1", "team.yml:1:4: an anchor"}, Row{"a: 1\nb: *x", "team.yml:2:4: an alias"},
        Row{"a: !!int 5", "team.yml:1:4: a tag"}, Row{"<<: {b: 1}", "team.yml:1:1: merging"},
        Row{"a: 1\nb: 2\na: 3", "team.yml:3:1: the key \"a\" stands twice"},
        Row{"a: 1\n---\nb: 2", "team.yml:2:1: there is a second document"},
        Row{"a: [1\nb: 2", "team.yml:1:5: a key must be a text"}, Row{"a:\n\t- 1", "team.yml:2:1: tab"},
        Row{"? [k]\n: v", "team.yml:1:1: a key must be a text"},
        Row{"a: \"x", "team.yml:1:4: the quotes are never closed"},
        Row{"a: \xff", "team.yml is not valid UTF-8"}}) {
    CAPTURE(row.text);
    CHECK(as_json(row.text).starts_with(row.says));
  }
  CHECK(as_json(std::string_view{"a: b\0c", 6}) == "team.yml holds a zero byte");
}

TEST_CASE("Yaml.IsBoundedInDepthValuesAndBytes") {
  CHECK(as_json(std::string(5000, '[')).contains("nested deeper than 24"));
  CHECK(as_json(std::string(200'000, '{')).contains("a key must be a text"));
  std::string many = "a: [";
  for (int i = 0; i < 60'000; ++i) many += "1,";
  CHECK(as_json(many + "]").contains("more than 50000 values"));
  CHECK(parse_yaml(std::string((1U << 20U) + 1, ' '), "x").error().code == core::Code::kTooLarge);
}

TEST_CASE("Yaml.KnowsWhereAFieldStands") {
  auto const root =
      parse_yaml("boards:\n  - name: shop\n    columns:\n      - name: a\n        wip_limit: x\n", "t");
  auto const place = [&](std::string_view field) {
    auto const p = reflect::place_of(*root, field);
    return std::to_string(p.line) + ":" + std::to_string(p.column);
  };
  CHECK(place("boards/0/columns/0/wip_limit") == "5:9");
  CHECK(place("boards/0/columns/7/name") == "3:5");
  CHECK(place("boards/0/title") == "2:5");
  CHECK(place("") == "1:1");
}

TEST_CASE("Yaml.WrittenTextsAreReadAsTheyWere") {
  boost::json::array texts{"",
                           " ",
                           "a b",
                           "yes",
                           "No",
                           "null",
                           "~",
                           "1.10",
                           "007",
                           "-1",
                           "+x",
                           "2026-11-21",
                           "a: b",
                           "a:",
                           "a #b",
                           "#a",
                           "- a",
                           "*a",
                           "&a",
                           "!a",
                           "[a",
                           "a,b",
                           "{a}",
                           "'a'",
                           "\"a\"",
                           "a\\b",
                           "two\nlines",
                           "two\nlines\n",
                           "two\n\n\n",
                           "\nfirst",
                           " x\ny",
                           "\tx\ny",
                           "x\n  y\n",
                           "tab\there",
                           "\x01",
                           "caf\xc3\xa9",
                           "a\xC2\x85"
                           "b",
                           "\xE2\x80\xA8",
                           "x\r\ny",
                           "trailing \nblank ",
                           "<<",
                           "=",
                           "a\n# no remark\n- no item\n",
                           "---\nx",
                           "...",
                           "... a",
                           "\xEF\xBB\xBF"
                           "a"};
  boost::json::object value;
  for (std::size_t i = 0; i < texts.size(); ++i) value.emplace("k" + std::to_string(i), texts[i]);
  value["list"] = texts;
  value["maps"] = {{{"name", "a"}, {"more", texts}}, boost::json::object{}, {{"name", "b"}}};
  value["flow"] = {{{"name", "a"}, {"n", 1}}, {{"name", "b, c"}, {"n", true}}};
  value["empty"] = boost::json::array{};
  value["deep"] = {{"x", {{"y", {{"z", 1.5}}}}}};
  auto const text = reflect::to_yaml(value);
  CAPTURE(text);
  auto const root = parse_yaml(text, "t");
  REQUIRE_MESSAGE(root, root.error().message);
  CHECK(boost::json::serialize(reflect::json_of(*root, type_of<boost::json::value>())) ==
        boost::json::serialize(value));
}

TEST_CASE("Yaml.WrittenKeysAndOutermostTextsAreReadAsTheyWere") {
  for (boost::json::string const text : {"... a", "...", "---", "--- a", "%a", "- a", "? a", "a: b", "# a"})
    for (auto const& value : {boost::json::value(text), boost::json::value{{text, text}},
                              boost::json::value(boost::json::array{text})}) {
      auto const written = reflect::to_yaml(value);
      CAPTURE(written);
      CHECK(as_json(written) == boost::json::serialize(value));
    }
}

TEST_CASE("Yaml.IsWrittenForPeople") {
  boost::json::value const value = {{"name", "shop"},
                                    {"claim_timeout", "1h"},
                                    {"prefix", "0x1F"},
                                    {"trusted", {"planner"}},
                                    {"prompt", "Write.\nThen test.\n"},
                                    {"columns", {{{"name", "todo"}, {"wip_limit", 5}}, {{"name", "done"}}}}};
  CHECK(reflect::to_yaml(boost::json::array{value}) == R"(- name: shop
  claim_timeout: 1h
  prefix: "0x1F"
  trusted: [planner]
  prompt: |
    Write.
    Then test.
  columns:
    - {name: todo, wip_limit: 5}
    - {name: done}
)");
}

TEST_CASE("Yaml.KnowsTheBytesOfEveryValue") {
  std::string const text =
      "\xEF\xBB\xBFplain: two words # c\n'single': 'it''s'\n\"double\" : \"a\\\"b\"\nempty:\nblock: |\n  "
      "one\n\n  # two\n\n"
      "flow: [é, {a: \"b, c\",\n  d: }, [ ]]\nlist:\n  - x: 1\n    y: >-\n      z\n  - w\nlast: multi\n  "
      "line\n";
  auto const root = reflect::parse_yaml(text, "f.yml");
  REQUIRE_MESSAGE(root, (root ? "" : root.error().message));
  auto const bytes = [&](reflect::YamlNode const& node) {
    return text.substr(node.begin, node.end - node.begin);
  };
  auto const of = [&](std::string_view key) { return bytes(*root->find(key)); };
  CHECK(of("plain") == "two words");
  CHECK(of("single") == "'it''s'");
  CHECK(of("double") == "\"a\\\"b\"");
  CHECK(of("empty") == "");
  CHECK(of("block") == "|\n  one\n\n  # two");
  CHECK(of("flow") == "[é, {a: \"b, c\",\n  d: }, [ ]]");
  CHECK(bytes(root->find("flow")->items[1]) == "{a: \"b, c\",\n  d: }");
  CHECK(of("list") == "- x: 1\n    y: >-\n      z\n  - w");
  CHECK(bytes(root->find("list")->items[0]) == "x: 1\n    y: >-\n      z");
  CHECK(of("last") == "multi\n  line");
  for (auto const& entry : root->entries) {
    CAPTURE(entry.key);
    CHECK(text[entry.colon - 1] == ':');
    CHECK(text.substr(entry.begin, entry.colon - entry.begin).contains(entry.key));
  }
}

TEST_CASE("Yaml.EveryShortTextOfIndicatorsIsReadOrRefused") {
  constexpr std::string_view kLetters = "?:-,[]{}&*!|>'\"%@# \t\na";
  std::size_t read = 0, refused = 0;
  auto const try_all = [&](auto const& self, std::string& text, int more) -> void {
    ++(parse_yaml(text, "t") ? read : refused);
    if (more == 0) return;
    for (char const c : kLetters) {
      text += c;
      self(self, text, more - 1);
      text.pop_back();
    }
  };
  std::string text;
  try_all(try_all, text, 4);
  CHECK(read > 10'000);
  CHECK(refused > 100'000);
  for (auto const* const begun : {"a: ", "a:\n  ", "- ", "[", "{a: ", "? ", "a: |\n "}) {
    text = begun;
    try_all(try_all, text, 2);
  }
}

TEST_CASE("Yaml.ReadsLongTextsOfEveryShapeInOnePass") {
  auto const repeated = [](std::string_view part, std::size_t bytes) {
    std::string out;
    while (out.size() + part.size() < bytes) out += part;
    return out;
  };
  constexpr std::size_t kMost = 1U << 16U;
  for (std::string_view const begin : {"", "a: ", "a: \"", "a: '", "a: |\n", "a: >\n", "- ", "[", "{", "# "})
    for (std::string_view const part :
         {"a",  " ", "\n", " \n",   " a\n", "\t",  "- ",  "[", "{a: ", "a: ",  "'", "\"",
          "\\", "#", " #", "a #\n", ",",    "[],", "a, ", "?", "é",    "\r\n", "|", ":"})
      if (auto const text = std::string{begin} + repeated(part, kMost - begin.size()); true) {
        auto const read = parse_yaml(text, "t");
        CHECK((read || read.error().message.starts_with("t:")));
      }
}

TEST_CASE("Yaml.RefusesTheFormsThatBoardsDoNotNeed") {
  struct Row {
    std::string_view text, says;
  };
  for (auto const& row : {Row{"?\t", "team.yml:1:1: a key must be a text"},
                          Row{"a:\n  ? b\n  : c", "team.yml:2:3: a key must be"},
                          Row{"[?\tb]", "team.yml:1:2: a key must be"},
                          Row{"-\ta: b", "team.yml:1:4: a map begins"},
                          Row{"-\t- b", "team.yml:1:3: a list begins"},
                          Row{"a: - b", "team.yml:1:4: a list begins"},
                          Row{"a: b: c", "team.yml:1:5: a map begins"},
                          Row{"a:\n \tb: c", "team.yml:2:2: tabs do not indent"},
                          Row{"%YAML 1.2\n---\na: b", "team.yml:1:1: a directive"},
                          Row{": b", "team.yml:1:1: a key is missing"},
                          Row{"[a]: b", "team.yml:1:1: a key must be"},
                          Row{"a: b\n...\nc: d", "team.yml:3:1: there is a second"},
                          Row{"a: [1,,2]", "team.yml:1:7: a value is missing"},
                          Row{"a: 'b' c", "team.yml:1:8: the value is over"},
                          Row{"a: b\n  c: d", "team.yml:1:4: a key must be"},
                          Row{"a: 'b'\n  c: d", "team.yml:2:3: the line is"},
                          Row{"a:\n    b: c\n  d: e", "team.yml:3:3: the line is indented"},
                          Row{"- a\nb: c", "team.yml:2:1: the line belongs"},
                          Row{"a: b\n- c", "team.yml:2:1: a list item"},
                          Row{"a: |x\n b", "team.yml:1:5: a text of several"},
                          Row{"a: 'b\n---\n'", "team.yml:2:1: the document"},
                          Row{"a: [b", "team.yml:1:4: the bracket is never closed"},
                          Row{"a: @b", "team.yml:1:4: no text"},
                          Row{"a: \"\\q\"", "team.yml:1:4: an escape"}}) {
    CAPTURE(row.text);
    CHECK_MESSAGE(as_json(row.text).starts_with(row.says), as_json(row.text));
  }
}

TEST_CASE("Yaml.ReadsBlocksListsAndBracketsAsYamlSays") {
  CHECK(as_json("a: |2-\n   b\n  c\nd: >+\n  e\n  f\n\n    g\n\n\nh: >\n\n  i\n") ==
        R"({"a":" b\nc","d":"e f\n\n  g\n\n\n","h":"\ni\n"})");
  CHECK(as_json("a: |-\n  b\nc: |+\n\nd: |\n# e\n") == R"({"a":"b","c":"\n","d":""})");
  CHECK(as_json("a:\n- b\n- - c\n  - d: e\n    f:\n    - g\n-\nh: i") ==
        R"({"a":["b",["c",{"d":"e","f":["g"]}],null],"h":"i"})");
  CHECK(as_json("a: [b: c, \"d\":1, {e, f: }, 'g\n h', i\n j,]\n") ==
        R"({"a":[{"b":"c"},{"d":1},{"e":null,"f":null},"g h","i j"]})");
  CHECK(as_json("--- # a\nb: c # d\n# e\n...\n# f\n") == R"({"b":"c"})");
  CHECK(as_json("a: b\n  c\n\n  d:e #f\ng: \"h\n\n  i\\\n  j\"\r\nk: x#y") ==
        R"({"a":"b c\nd:e","g":"h\nij","k":"x#y"})");
}
