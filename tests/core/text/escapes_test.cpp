#include <doctest/doctest.h>

#include "core/text/ascii.hpp"
#include "core/text/hex.hpp"
#include "core/text/percent.hpp"

using namespace andon::core;

TEST_CASE("Ascii.ComparesWordsWithoutRegardToCase") {
  CHECK(ascii_lower("Content-TYPE: Ä") == "content-type: Ä");
  CHECK(is_ascii_equal("Idempotency-Key", "idempotency-key"));
  CHECK_FALSE(is_ascii_equal("Key", "Keys"));
}

TEST_CASE("Hex.ReadsWhatItWrote") {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  CHECK(to_hex(std::string_view{"\x00\xab\xff", 3}) == "00abff");
  CHECK(from_hex(to_hex(every)) == every);
  for (auto const* text : {"0", "0g", "AB", " 1"}) CHECK_FALSE(from_hex(text));
}

TEST_CASE("Percent.ReadsWhatItWrote") {
  CHECK(percent_encoded("a b/ä~.-_") == "a%20b%2F%C3%A4~.-_");
  CHECK(percent_decoded("a%20b%2F%c3%A4~.-_") == "a b/ä~.-_");
  for (auto const* text : {"%", "%4", "%4x", "%0A", "%7F", "%FF"}) CHECK_FALSE(percent_decoded(text));
}
