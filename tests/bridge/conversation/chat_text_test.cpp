#include "bridge/conversation/chat_text.hpp"

#include <doctest/doctest.h>

#include "core/text/names.hpp"

namespace andon::bridge {

TEST_CASE("ChatText.FirstLineOfAMessageIsTheTitle") {
  auto const made = task_text("  Fix the login\r\n\r\nIt fails.\nSee the log.  ");
  CHECK(made.title == "Fix the login");
  CHECK(made.brief == "It fails.\nSee the log.");
  CHECK(task_text("One line").brief.empty());
}

TEST_CASE("ChatText.LongFirstLineIsCutAtAWordAndKeptInTheBrief") {
  std::string line;
  while (line.size() < 400) line += "ümlaut ";
  auto const made = task_text(line + "\nrest");
  CHECK(core::length_in_characters(made.title) <= kLongestTitle);
  CHECK(made.title.ends_with("ümlaut…"));
  CHECK(made.brief == line + "\nrest");
}

TEST_CASE("ChatText.HiddenCharactersDoNotReachATask") {
  auto const made = task_text("a\x1b[31mb\u202Ec\xff\nd\x07");
  CHECK(made.title == "a[31mbc");
  CHECK(made.brief == "d");
  CHECK(task_text(" \u200b\n ").title.empty());
}

TEST_CASE("ChatText.OneLineIsOneLineAndBounded") {
  CHECK(one_line(" a\n b\tc ") == "a b c");
  CHECK(one_line("a\u202Eb") == "a[U+202E]b");
  CHECK(one_line("") == "");
  CHECK(one_line("abcdef", 4) == "abc…");
  CHECK(one_line("a" + std::string(5'000, ' ') + "b") == "a b");
  CHECK(core::length_in_characters(one_line(std::string(60 << 10, 'x'))) == kLongestTitle);
  CHECK(core::length_in_characters(one_line(std::string(60 << 10, '\x01'))) <= kLongestTitle);
}

TEST_CASE("ChatText.ExcerptHasAFewLinesAndSaysThatThereIsMore") {
  CHECK(excerpt("one\ntwo\n") == "one\ntwo");
  CHECK(excerpt("1\n2\n3\n4\n5\n6\n7\n8\n9\n10") == "1\n2\n3\n4\n5\n6\n7\n8…");
  CHECK(excerpt("1\n2\n3\n4\n5\n6\n7\n8") == "1\n2\n3\n4\n5\n6\n7\n8");
  CHECK(core::length_in_characters(excerpt(std::string(60 << 10, 'x'))) == kLongestExcerpt);
  CHECK(core::is_utf8(excerpt(std::string(3000, '\xff'))));
  CHECK(excerpt("").empty());
}

TEST_CASE("ChatText.SentenceBeginsAndEndsLikeOne") {
  CHECK(sentence("there is no task #9") == "There is no task #9.");
  CHECK(sentence("Why?") == "Why?");
  CHECK(sentence("").empty());
}

}  // namespace andon::bridge
