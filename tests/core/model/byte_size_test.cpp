#include "core/model/byte_size.hpp"

#include <doctest/doctest.h>

using namespace andon::core;

TEST_CASE("ByteSize.ReadsAmountsAndWritesThemTheSameWay") {
  CHECK(parse_bytes("4GiB") == ByteSize{4LL << 30U});
  CHECK(parse_bytes("4 G") == ByteSize{4LL << 30U});
  CHECK(parse_bytes("512M") == ByteSize{512LL << 20U});
  CHECK(parse_bytes("1000") == ByteSize{1000});
  for (auto const* text : {"", "GiB", "-1G", "4X", "4GiBB", "9999999999T", "1.5G"})
    CHECK_FALSE(parse_bytes(text));
  CHECK(to_text(ByteSize{4LL << 30U}) == "4GiB");
  CHECK(to_text(ByteSize{1000}) == "1000");
  CHECK(to_text(ByteSize{}) == "0");
}

TEST_CASE("ByteSize.IsRoundedForPeople") {
  CHECK(rounded({4'509'715'661}) == "4.2 GiB");
  CHECK(rounded({4LL << 30U}) == "4 GiB");
  CHECK(rounded({200LL << 20U}) == "200 MiB");
  CHECK(rounded({12}) == "12 B");
}
