#include "http/access/proposals.hpp"

#include <doctest/doctest.h>

#include "core/text/ascii.hpp"

using namespace andon;
using http::Proposal;
using http::Proposals;
using std::chrono::minutes;

namespace {

Proposal proposal(std::string credential, std::string body) {
  Proposal out;
  out.credential = std::move(credential);
  out.body = std::move(body);
  return out;
}

}  // namespace

TEST_CASE("Proposals.AreFoundByTheirCodeHoweverItIsTyped") {
  Proposals proposals;
  Proposals::Time const now{minutes{1}};
  auto const* kept = proposals.add(proposal("a", "{}"), now);
  REQUIRE(kept);
  auto const code = kept->view.code;
  auto plain = core::ascii_lower(code);
  std::erase(plain, '-');
  CHECK(proposals.find(code, now) == kept);
  CHECK(proposals.find(plain, now) == kept);
  for (auto const* other : {"", "-", "K7M2-9QX", "K7M2-9QXDX", "../..", "K7M2-9QXD\n"})
    CHECK_FALSE(proposals.find(other, now));
}

TEST_CASE("Proposals.TheSameRequestKeepsItsCode") {
  Proposals proposals;
  auto const first = proposals.add(proposal("a", "{}"), {})->view.code;
  CHECK(proposals.add(proposal("a", "{}"), {})->view.code == first);
  CHECK(proposals.add(proposal("b", "{}"), {})->view.code != first);
  proposals.find(first, {})->view.state = api::ProposalState::confirmed;
  CHECK(proposals.add(proposal("a", "{}"), {})->view.code != first);
}

TEST_CASE("Proposals.EndAfterTheirTime") {
  Proposals proposals;
  auto const code = proposals.add(proposal("a", "{}"), {})->view.code;
  CHECK(proposals.find(code, Proposals::Time{Proposals::kLife - minutes{1}}));
  CHECK_FALSE(proposals.find(code, Proposals::Time{Proposals::kLife}));
}

TEST_CASE("Proposals.AreBoundedInNumberAndSize") {
  Proposals proposals;
  for (std::size_t i = 0; i < Proposals::kMostOfCredential; ++i)
    CHECK(proposals.add(proposal("a", std::to_string(i)), {}));
  CHECK_FALSE(proposals.add(proposal("a", "one more"), {}));
  CHECK_FALSE(proposals.add(proposal("b", std::string(Proposals::kLargestBody + 1, 'x')), {}));
  for (std::size_t i = Proposals::kMostOfCredential; i < Proposals::kMost; ++i)
    CHECK(proposals.add(proposal("of " + std::to_string(i), "{}"), {}));
  CHECK_FALSE(proposals.add(proposal("b", "{}"), {}));
  CHECK(proposals.add(proposal("b", "{}"), Proposals::Time{Proposals::kLife}));
}

TEST_CASE("Proposals.ACredentialIsTrustedForAWhileOnly") {
  Proposals proposals;
  proposals.trust("a", {});
  CHECK(proposals.is_trusted("a", Proposals::Time{Proposals::kLife - minutes{1}}));
  CHECK_FALSE(proposals.is_trusted("a", Proposals::Time{Proposals::kLife}));
  CHECK_FALSE(proposals.is_trusted("b", {}));
}
