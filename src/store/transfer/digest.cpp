#include "store/transfer/digest.hpp"

#include <bit>
#include <string_view>

// A row is the digest before it, and then for each value a letter for its kind and the value: `n` for a null,
// `i` and `r` with the decimal digits of an integer or of a real number's bits up to a semicolon, `t` with
// the length of a text, a colon and its bytes.
namespace andon::store::transfer {
namespace {

void encode(std::monostate, std::string& out) { out += 'n'; }
void encode(std::int64_t value, std::string& out) { (out += 'i').append(std::to_string(value)) += ';'; }
void encode(double value, std::string& out) {
  (out += 'r').append(std::to_string(std::bit_cast<std::uint64_t>(value))) += ';';
}
void encode(std::string const& value, std::string& out) {
  ((out += 't').append(std::to_string(value.size())) += ':').append(value);
}

}  // namespace

void RowDigest::add(Row const& row) {
  std::string bytes{reinterpret_cast<char const*>(value_.data()), value_.size()};
  for (auto const& value : row) std::visit([&](auto const& known) { encode(known, bytes); }, value);
  value_ = os::sha256(bytes);
  ++rows_;
}

}  // namespace andon::store::transfer
