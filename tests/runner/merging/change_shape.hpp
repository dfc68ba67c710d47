#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "runner/merging/change_measure.hpp"
#include "runner/merging/check_sources.hpp"
#include "runner/merging/shop_under_test.hpp"
#include "support/address_sanitizer.hpp"

namespace andon::test {

/// A change that does harm, and the limit that must hold it.
struct ChangeShape {
  char const* name;
  char const* limit;
  std::function<void(ShopUnderTest const&)> make;
  std::vector<std::string> touches{};
  std::vector<std::string> check_paths{};
};

/// The limits that the change exceeds on the newest commit of the shop.
inline std::vector<std::string> limits_exceeded(ShopUnderTest const& shop, ChangeShape const& change) {
  shop.git({"reset", "-q", "--hard"});
  shop.git({"checkout", "-q", "-f", "-B", "work", shop.tip});
  shop.git({"clean", "-q", "-f", "-d", "-x"});
  change.make(shop);
  shop.commit_tracked("Work");
  auto const head = shop.head();
  core::Board board;
  board.checks["check"] = {"sh", "scripts/check.sh"};
  auto const git = shop.opened();
  auto measured = runner::measure_change(git, {shop.tip, head, shop.tip, head},
                                         runner::check_sources(git, shop.tip, board));
  REQUIRE(measured);
  measured->touches = change.touches;
  core::LandLimits limits;
  limits.check_paths = change.check_paths;
  std::vector<std::string> out;
  for (auto const& found : core::findings_of(*measured, limits)) out.push_back(found.limit);
  return out;
}

/// One of so many shapes is tried. The sanitizer looks for faults of memory, which do not depend on the
/// shape.
inline constexpr std::size_t kShapeStep = kHasAddressSanitizer ? 7 : 1;

inline void check_all_held(std::vector<ChangeShape> const& all) {
  ShopUnderTest const shop;
  std::size_t held = 0;
  for (std::size_t i = 0; i < all.size(); i += kShapeStep) {
    auto const& change = all[i];
    INFO(std::string{change.name});
    INFO(std::string{change.limit});
    auto const limits = limits_exceeded(shop, change);
    for (auto const& limit : limits) INFO(limit);
    bool const is_held = std::ranges::find(limits, change.limit) != limits.end();
    held += is_held ? 1 : 0;
    CHECK(is_held);
  }
  MESSAGE(held, " of ", (all.size() + kShapeStep - 1) / kShapeStep, " changes are held for the right reason");
}

}  // namespace andon::test
