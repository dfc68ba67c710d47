#include "core/text/names.hpp"

#include <doctest/doctest.h>

using namespace andon;

TEST_CASE("Names.TextOfSeveralLinesHoldsNoControlCharacters") {
  for (auto const* good : {"", "two\nlines\r\n\tand a tab", "grün 👩‍💻"})
    CHECK_FALSE(core::is_unsafe_text(good));
  for (std::string const& bad : {std::string("a\0b", 3), std::string("\x1b[2J"), std::string("\x7f"),
                                 std::string("\xc2\x85"), std::string("\xff"), std::string("\xe2\x82")})
    CHECK(core::is_unsafe_text(bad));
}

TEST_CASE("Names.CompareWithoutCaseDashesUnderscoresAndSpaces") {
  for (auto const* name : {"To Do", "todo", "to-do", "TO_DO", "t o-d_o"})
    CHECK(core::same_name(name, "todo"));
  CHECK_FALSE(core::same_name("todo", "to.do"));
  CHECK(core::folded("In-Progress 2") == "inprogress2");
}

TEST_CASE("Names.AreShortAndPlain") {
  for (auto const* good : {"a", "shop", "web-2", "a_b.c", "9lives"}) CHECK(core::is_name(good));
  for (auto const* bad : {"", "-a", ".a", "a b", "a/b", "ä", "a\n"}) CHECK_FALSE(core::is_name(bad));
  CHECK(core::is_name(std::string(64, 'a')));
  CHECK_FALSE(core::is_name(std::string(65, 'a')));
}

TEST_CASE("Slug.IsLowerCaseWordsCutAtAWord") {
  CHECK(core::slug("Fix the Cart: totals & taxes!") == "fix-the-cart-totals-taxes");
  CHECK(core::slug("  --  ") == "");
  CHECK(core::slug("fix the cart", 8) == "fix-the");
  CHECK(core::slug("fix the cart", 7) == "fix-the");
  CHECK(core::slug("fix the cart", 6) == "fix");
  CHECK(core::slug("extraordinary", 5) == "extra");
}

TEST_CASE("UnsafeLine.IsWhatCouldFoolAReader") {
  for (std::string_view const bad :
       {"a\nb", "a\tb", "\x1b[31m", "a\x7f", "\xc2\x80", "\xc2\x9b", "a\xc2\xad", "\xe2\x80\x8b",
        "\xe2\x80\x8d", "\xe2\x80\x8f", "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9",
        "\xe2\x81\xa2", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xef\xbb\xbf", "\xd8\x9c", "\xe1\xa0\x8e",
        "\xef\xbf\xb9", "\xf3\xa0\x80\x81", "\xf3\xa0\x84\x80",
        // not UTF-8: alone, cut short, overlong, surrogates, beyond the last
        "\x80", "\xc2", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xff"}) {
    CAPTURE(bad);
    CHECK(core::is_unsafe_line(bad));
    CHECK(core::is_unsafe_line("before " + std::string{bad} + " after"));
  }
  CHECK(core::is_unsafe_line(std::string_view{"a\0b", 3}));
  for (auto const* good : {"", "Fix the cart", "Größe für €5", "修正", "مرحبا", "🙂", "a\u00a0b"})
    CHECK_FALSE(core::is_unsafe_line(good));
}

TEST_CASE("UnsafeLine.IsNoneWhereAJoinerSpellsWhatPeopleRead") {
  for (auto const* good : {"👩\u200d👩\u200d👧 at home", "می\u200cخواهم", "क्\u200dष", "❤️\u200d🔥"})
    CHECK_FALSE(core::is_unsafe_line(good));
  for (auto const* bad : {"a\u200db", "é\u200d", "\u200dé", "é\u200da", "é\u200d\u200dé",
                          "é\u200b"
                          "é"})
    CHECK(core::is_unsafe_line(bad));
}

TEST_CASE("Beginning.CutsBetweenCharacters") {
  CHECK(core::beginning("abc", 3) == "abc");
  CHECK(core::beginning("abcd", 3) == "abc");
  CHECK(core::beginning("aä", 2) == "a");
  CHECK(core::beginning("a€x", 3) == "a");
  CHECK(core::beginning("a€x", 4) == "a€");
  CHECK(core::beginning("🙂", 3) == "");
  CHECK(core::beginning("x", 0) == "");
}

TEST_CASE("Length.IsCountedInCharacters") {
  CHECK(core::length_in_characters("") == 0);
  CHECK(core::length_in_characters("aä€🙂") == 4);
}
