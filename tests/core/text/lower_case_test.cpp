#include "core/text/lower_case.hpp"

#include <doctest/doctest.h>

using andon::core::lower_case;

TEST_CASE("LowerCase.KnowsTheLettersOfAllScripts") {
  CHECK(lower_case("Ärger in KÖLN") == "ärger in köln");
  CHECK(lower_case("ΑΒΓ ДОМ ŽLUŤOUČKÝ ÞÆÐ") == "αβγ дом žluťoučký þæð");
  CHECK(lower_case("ＡＢＣ 𐐀") == "ａｂｃ 𐐨");
  CHECK(lower_case("K") == "k");
}

TEST_CASE("LowerCase.LeavesTheRest") {
  CHECK(lower_case("") == "");
  CHECK(lower_case("straße × ÷ 😀 漢字 1-2") == "straße × ÷ 😀 漢字 1-2");
  CHECK(lower_case("\xFF\xC3 A\xE2\x80") == "\xFF\xC3 a\xE2\x80");
}
