// Lines of tests are told by the words of test libraries, since a change can be in any language and is read
// without its file. An assertion is a line with such a word. It is always true when its argument is a truth,
// or when both things that it compares are the same text. A line is compared without blanks and in small
// letters.
#include "core/runs/test_lines.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/runs/hidden_text.hpp"
#include "core/runs/path_kinds.hpp"
#include "core/runs/path_pattern.hpp"
#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

/// Words of assertions, in small letters and without blanks. Each begins a word of the line.
constexpr std::array<std::string_view, 46> kAssertions{
    "assert",    "expect(",    "expect!",   "expect_",    "expect.",        "should",     "check(",
    "check_",    "require(",   "require_",  "require.",   "t.error",        "t.fatal",    "t.fail",
    "t.is(",     "t.not(",     "t.ok(",     "t.notok(",   "t.equal",        "t.same(",    "t.deepequal",
    "t.throws(", "t.true(",    "t.false(",  "t.truthy(",  "t.falsy(",       "ok(",        "is(",
    "isnt(",     "is_deeply(", "like(",     "unlike(",    "cmp_ok(",        "must_equal", "must_be",
    "wont_",     "verify(",    "fail(",     "raises(",    "pytest.raises(", "ensure(",    "test.that(",
    "xctassert", "snapshot(",  "proptest!", "quickcheck("};
/// Beginnings of tests.
constexpr std::array<std::string_view, 17> kTestBeginnings{"it(",
                                                           "it'",
                                                           "it\"",
                                                           "test(",
                                                           "test'",
                                                           "test\"",
                                                           "deftest_",
                                                           "deftest",
                                                           "functest",
                                                           "#[test]",
                                                           "#[tokio::test]",
                                                           "@test",
                                                           "test_case(",
                                                           "test_f(",
                                                           "test_p(",
                                                           "scenario(",
                                                           "template_test_case("};
/// Words that skip tests or leave others out, in small letters and without blanks.
constexpr std::array<std::string_view, 58> kSkips{"@pytest.mark.skip",
                                                  "pytest.skip(",
                                                  "@unittest.skip",
                                                  "unittest.skip(",
                                                  ".skiptest(",
                                                  "@skip",
                                                  "pytest.mark.xfail",
                                                  "unittest.expectedfailure",
                                                  "it.skip(",
                                                  "test.skip(",
                                                  "describe.skip(",
                                                  "suite.skip(",
                                                  "context.skip(",
                                                  "it.only(",
                                                  "test.only(",
                                                  "describe.only(",
                                                  "suite.only(",
                                                  "context.only(",
                                                  "it.todo(",
                                                  "test.todo(",
                                                  "it.fails(",
                                                  "test.fails(",
                                                  "test.failing(",
                                                  "test.fixme(",
                                                  "describe.todo(",
                                                  "t.skip(",
                                                  "t.skipnow(",
                                                  "t.skipf(",
                                                  "b.skip(",
                                                  "#[ignore",
                                                  "@ignore",
                                                  "@disabled",
                                                  "gtest_skip(",
                                                  "[ignore",
                                                  "[fact(skip",
                                                  "[theory(skip",
                                                  "assert.ignore(",
                                                  "assert.inconclusive(",
                                                  "marktestskipped(",
                                                  "marktestincomplete(",
                                                  "xctskip",
                                                  "doctest::skip",
                                                  "doctest::may_fail",
                                                  "doctest::should_fail",
                                                  "#if0",
                                                  "//go:buildignore",
                                                  "//+buildignore",
                                                  "collect_ignore",
                                                  "__test__=false",
                                                  "passwithnotests",
                                                  "test.describe.skip(",
                                                  "test.describe.only(",
                                                  "mark.skipif(true",
                                                  "skipif(true",
                                                  "[.]\"",
                                                  "[!hide]",
                                                  "{skip:true",
                                                  "skip:true"};
/// Words that are too short to stand within a line: they begin it.
constexpr std::array<std::string_view, 14> kSkipBeginnings{
    "xit(",      "xtest(",   "xdescribe(", "xcontext(", "fit(",   "fdescribe(", "fcontext(",
    "xspecify(", "pending(", "pending\"",  "skip(",     "skip\"", "skip'",      "xscenario("};

constexpr std::array<std::string_view, 7> kRemarks{"//", "#", "/*", "*", "--", "<!--", ";;"};
constexpr std::array<std::string_view, 14> kTruths{
    "true",       "1",    "!0",         "!false", "notfalse", "1==1",   "1===1",
    "true==true", "1is1", "\"\"==\"\"", "yes",    "!!1",      "!!true", "boolean(true)"};
/// Folders for what nobody runs.
constexpr std::array<std::string_view, 13> kPutAway{"archive",     "archived", "attic",     "backup",   "bak",
                                                    "deprecated",  "disabled", "graveyard", "obsolete", "old",
                                                    "quarantine*", "trash",    "unused"};

bool is_word_byte(char c) { return is_ascii_alphanumeric(c) || c == '_'; }

/// The line without blanks outside of words, in small letters.
std::string compact(std::string_view line) {
  std::string out;
  for (char const c : line)
    if (c != ' ' && c != '\t' && c != '\r') out += ascii_lower(c);
  return out;
}

bool is_remark(std::string_view compacted) {
  // A hash begins attributes of Rust and directives of C too.
  if (compacted.starts_with("#[") || compacted.starts_with("#if0") || compacted.starts_with("//go:build") ||
      compacted.starts_with("//+build"))
    return false;
  return std::ranges::any_of(kRemarks, [&](std::string_view mark) { return compacted.starts_with(mark); });
}

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (at == 0 || !is_word_byte(text[at - 1]) || !is_word_byte(word.front())) return true;
  return false;
}

template <class Words>
bool has_any(std::string_view text, Words const& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(text, word); });
}

/// True for a line that only makes a library known.
bool is_import(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kImports{"import", "from",           "#include", "using",
                                                            "use",    "usingnamespace", "package",  "extern"};
  bool const is_required =
      text.contains("=require(") || text.contains("requirelib") || text.starts_with("require'");
  return is_required || std::ranges::any_of(kImports, [&](std::string_view word) {
           return text.starts_with(word) && !text.contains('(');
         });
}

/// The text in the brackets that open at `open`, or to the end of the line.
std::string_view in_brackets(std::string_view text, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return text.substr(open + 1);
}

std::vector<std::string_view> arguments_in(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::string_view{"([{"}.contains(text[i])) ++depth;
    if (std::string_view{")]}"}.contains(text[i])) --depth;
    if (text[i] != ',' || depth > 0) continue;
    out.push_back(text.substr(from, i - from));
    from = i + 1;
  }
  out.push_back(text.substr(from));
  return out;
}

bool is_truth(std::string_view value) { return std::ranges::find(kTruths, value) != kTruths.end(); }

/// True for `x == x`, `x is x`, `x or true` and lengths that are zero or more.
bool is_always_true(std::string_view condition) {
  if (is_truth(condition)) return true;
  if (condition.ends_with("||true") || condition.ends_with("ortrue") || condition.ends_with("||1"))
    return true;
  if (condition.ends_with(">=0") &&
      (condition.contains("len") || condition.contains("size") || condition.contains("count")))
    return true;
  for (std::string_view const sign : {"===", "==", ">=", "<="}) {
    auto const at = condition.find(sign);
    if (at == std::string_view::npos) continue;
    return at > 0 && condition.substr(0, at) == condition.substr(at + sign.size());
  }
  return false;
}

/// `expect(X).toBe(X)`, `expect(X).toEqual(X)`, and `expect(true)` in any form.
bool expects_truth(std::string_view text, std::size_t open) {
  auto const actual = in_brackets(text, open);
  auto const rest = text.substr(std::min(text.size(), open + actual.size() + 2));
  if (rest.find(".not") != std::string_view::npos) return false;
  if (is_always_true(actual)) return true;
  auto const next = rest.find('(');
  if (next == std::string_view::npos) return false;
  auto const wanted = in_brackets(rest, next);
  return !wanted.empty() && wanted == actual;
}

/// Comparisons of two arguments by name: `assertEqual(a, a)`.
bool compares_same(std::string_view name, std::string_view inner) {
  auto const arguments = arguments_in(inner);
  if (arguments.size() < 2 || arguments[0].empty() || arguments[0] != arguments[1]) return false;
  return !name.contains("not") && !name.contains("_ne") && !name.contains("throws");
}

/// `assert x == x`, a statement of Python and Java.
bool states_truth(std::string_view text) {
  auto condition = text.substr(std::min(text.size(), text.find("assert") + 6));
  int depth = 0;
  for (std::size_t i = 0; i < condition.size(); ++i) {
    if (condition[i] == '(') ++depth;
    if (condition[i] == ')') --depth;
    bool const is_end = depth == 0 && std::string_view{",;:"}.contains(condition[i]);
    if (is_end) condition = condition.substr(0, i);
  }
  return is_always_true(condition);
}

bool asserts_truth(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kCalls{"assert", "expect", "check", "require", "ok",
                                                          "is",     "verify", "t.",    "should"};
  std::string_view body = text;
  for (auto const call : kCalls) {
    if (!has_word(body, call)) continue;
    auto const at = body.find(call);
    auto const open = body.find('(', at);
    auto const name = body.substr(at, open == std::string_view::npos ? open : open - at);
    if (open == std::string_view::npos) continue;
    auto const inner = in_brackets(body, open);
    bool const wants_false = name.contains("false") || name.contains("not");
    if (call == "expect" && name == "expect" && expects_truth(body, open)) return true;
    if (call != "expect" && !wants_false && is_always_true(arguments_in(inner).front())) return true;
    if (name.contains("true") && is_always_true(inner)) return true;
    if (compares_same(name, inner)) return true;
    if (wants_false && (inner == "false" || inner == "0")) return true;
  }
  return false;
}

std::string ending_of_name(std::string_view path) {
  auto const name = name_of_path(path);
  auto const dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string{} : ascii_lower(name.substr(dot));
}

bool is_put_away(std::string_view path) {
  return std::ranges::any_of(
      kPutAway, [&](std::string_view folder) { return is_like(path, PathPart::folder, folder); });
}

}  // namespace

TestLine test_line_of(std::string_view line) {
  auto const text = compact(line);
  if (text.size() < 3 || is_remark(text) || is_import(text)) return TestLine::other;
  bool const skips =
      line.find("DISABLED_") != std::string_view::npos || has_any(text, kSkips) ||
      std::ranges::any_of(kSkipBeginnings, [&](std::string_view word) { return text.starts_with(word); });
  if (skips) return TestLine::skip;
  if (!has_any(text, kAssertions))
    return has_any(text, kTestBeginnings) ? TestLine::assertion : TestLine::other;
  auto const begin = std::min(line.find_first_not_of(" \t"), line.size());
  bool const is_statement = line.substr(begin).starts_with("assert ");
  bool const is_true = is_statement ? states_truth(text) : asserts_truth(text);
  return is_true ? TestLine::truth : TestLine::assertion;
}

bool ends_block(std::string_view line) {
  auto const text = compact(line);
  return text == "return" || text == "return;" || text == "returnnone" || text == "returntrue;" ||
         text == "exit0" || text == "exit(0)" || text == "exit(0);" || text == "sys.exit(0)" ||
         text == "process.exit(0)" || text == "process.exit(0);" || text == "os._exit(0)" ||
         text == "os.exit(0)";
}

bool stays_test(std::string_view before, std::string_view after) {
  if (!is_of_kind(after, PathKind::test) || ending_of_name(before) != ending_of_name(after)) return false;
  return is_put_away(before) || !is_put_away(after);
}

bool stays_code(std::string_view before, std::string_view after) {
  return !is_code(before) || is_code(after);
}

}  // namespace andon::core
