#include "http/access/reads_in_flight.hpp"

#include <doctest/doctest.h>

using andon::api::Reading;
using andon::http::ReadsInFlight;

TEST_CASE("ReadsInFlight.OfEachCredentialAreBounded") {
  ReadsInFlight reads({3, 1});
  CHECK(reads.enter("a", Reading::slow));
  CHECK_FALSE(reads.enter("a", Reading::slow));
  CHECK(reads.enter("a", Reading::brief));
  CHECK(reads.enter("a", Reading::brief));
  CHECK_FALSE(reads.enter("a", Reading::brief));
  CHECK(reads.enter("b", Reading::slow));
  CHECK(reads.count() == 4);
}

TEST_CASE("ReadsInFlight.AnAnswerMakesRoomForOneOfItsKind") {
  ReadsInFlight reads({3, 1});
  CHECK(reads.enter("a", Reading::slow));
  CHECK(reads.enter("a", Reading::brief));
  reads.leave("a", Reading::brief);
  CHECK_FALSE(reads.enter("a", Reading::slow));
  reads.leave("a", Reading::slow);
  CHECK(reads.enter("a", Reading::slow));
  reads.leave("a", Reading::slow);
  CHECK(reads.count() == 0);
}

TEST_CASE("ReadsInFlight.ARefusedOneTakesNoPlace") {
  ReadsInFlight reads({0, 0});
  CHECK_FALSE(reads.enter("a", Reading::brief));
  CHECK(reads.count() == 0);
  reads.leave("a", Reading::brief);
  CHECK(reads.count() == 0);
}
