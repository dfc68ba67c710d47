#include "store/postgres/connection/rows.hpp"

#include <algorithm>
#include <bit>

#include "store/contract/store_error.hpp"

namespace andon::store::postgres {
namespace {

// PostgreSQL's numbers of the types that are read.
constexpr Oid kBool = 16;
constexpr Oid kBytea = 17;
constexpr Oid kName = 19;
constexpr Oid kInt8 = 20;
constexpr Oid kInt2 = 21;
constexpr Oid kInt4 = 23;
constexpr Oid kText = 25;
constexpr Oid kFloat8 = 701;
constexpr Oid kVarchar = 1043;

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t out = 0;
  for (char const byte : bytes) out = out << 8U | static_cast<unsigned char>(byte);
  return out;
}

[[noreturn]] void refuse_column(int column, std::string_view why) {
  throw StoreError{StoreError::Kind::other,
                   "column " + std::to_string(column) + " of a result " + std::string{why}};
}

void require_size(int column, std::string_view bytes, std::size_t size) {
  if (bytes.size() != size) refuse_column(column, "has a wrong length");
}

}  // namespace

bool Row::is_null(int column) const {
  auto const& result = libpq().result;
  if (column < 0 || column >= result.columns(result_)) refuse_column(column, "does not exist");
  return result.is_null(result_, row_, column) != 0;
}

bool Row::is_boolean(int column) const { return libpq().result.type(result_, column) == kBool; }

bool Row::is_text(int column) const {
  auto const type = libpq().result.type(result_, column);
  return type == kText || type == kVarchar || type == kName;
}

std::string_view Row::value(int column, std::initializer_list<Oid> types, std::string_view wanted) const {
  auto const& result = libpq().result;
  if (is_null(column)) refuse_column(column, "is null");
  auto const type = result.type(result_, column);
  if (std::ranges::find(types, type) == types.end())
    refuse_column(column, "is no " + std::string{wanted} + ", its type is " + std::to_string(type));
  auto const length = static_cast<std::size_t>(result.length(result_, row_, column));
  return {result.value(result_, row_, column), length};
}

std::int64_t Row::integer(int column) const {
  auto const bytes = value(column, {kInt8, kInt4, kInt2}, "integer");
  auto const number = number_in(bytes);
  switch (bytes.size()) {
    case 2: return static_cast<std::int16_t>(number);
    case 4: return static_cast<std::int32_t>(number);
    default: require_size(column, bytes, 8); return static_cast<std::int64_t>(number);
  }
}

bool Row::boolean(int column) const {
  auto const bytes = value(column, {kBool}, "boolean");
  require_size(column, bytes, 1);
  return bytes[0] != 0;
}

double Row::real(int column) const {
  auto const bytes = value(column, {kFloat8}, "real number");
  require_size(column, bytes, 8);
  return std::bit_cast<double>(number_in(bytes));
}

std::string_view Row::view(int column) const { return value(column, {kText, kVarchar, kName}, "text"); }

std::span<std::byte const> Row::bytes(int column) const {
  return std::as_bytes(std::span{value(column, {kBytea}, "bytes")});
}

Row Rows::operator[](int row) const {
  if (row < 0 || row >= size()) throw StoreError{StoreError::Kind::other, "a result has too few rows"};
  return {result_.get(), row};
}

}  // namespace andon::store::postgres
