#include "mcp/protocol/request_state.hpp"

#include <chrono>

#include <boost/json/serialize.hpp>

#include "core/text/hex.hpp"
#include "os/digest.hpp"
#include "os/random.hpp"

namespace andon::mcp {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr core::Duration kLife = std::chrono::minutes{15};
constexpr std::size_t kLongest = 1U << 20U;

std::int64_t seconds(core::Duration time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

}  // namespace

StateSeal::StateSeal() : key_(os::random_hex(kKeyBytes)) {}

std::string StateSeal::seal(RequestState const& state, std::string_view purpose, core::Duration now) const {
  auto const inside = core::to_hex(json::serialize(
      json::object{{"inputs", state.inputs}, {"state", state.state}, {"until", seconds(now + kLife)}}));
  auto const code = os::hmac_sha256(key_, std::string{purpose} + "\n" + inside);
  return inside + "." + os::hex(code);
}

Outcome<RequestState> StateSeal::open(std::string_view sealed, std::string_view purpose,
                                      core::Duration now) const {
  auto const bad = [] {
    return fault(Fault::invalid_params,
                 "\"requestState\" is not what this server gave for this request, or it has expired; call "
                 "again without it");
  };
  auto const dot = sealed.find('.');
  if (dot == std::string_view::npos || sealed.size() > kLongest) return bad();
  auto const inside = sealed.substr(0, dot);
  auto const code = os::hmac_sha256(key_, std::string{purpose} + "\n" + std::string{inside});
  if (!os::same_secret(os::hex(code), sealed.substr(dot + 1))) return bad();
  auto const text = core::from_hex(inside);
  auto const value = text ? read_own(*text) : Outcome<json::value>{bad()};
  auto const* object = value ? value->if_object() : nullptr;
  auto const* until = object ? object->if_contains("until") : nullptr;
  if (!until || !until->is_int64() || until->get_int64() < seconds(now)) return bad();
  return RequestState{object_in(*object, "inputs"), std::string{text_in(*object, "state")}};
}

}  // namespace andon::mcp
