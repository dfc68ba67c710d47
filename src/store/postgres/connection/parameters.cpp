#include "store/postgres/connection/parameters.hpp"

#include <bit>

#include "store/contract/store_error.hpp"

namespace andon::store::postgres {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30U;  // PostgreSQL keeps no larger value

void write_number(char* to, std::uint64_t value, int size) {
  for (int at = size; at-- > 0; value >>= 8U) to[at] = static_cast<char>(value & 0xFFU);
}

}  // namespace

std::vector<char const*> Parameters::pointers() const {
  std::vector<char const*> out;
  out.reserve(starts_.size());
  for (std::size_t i = 0; i < starts_.size(); ++i)
    out.push_back(lengths_[i] < 0 ? nullptr : bytes_.data() + starts_[i]);
  return out;
}

void Parameters::begin(Type type) {
  types_.push_back(static_cast<unsigned>(type));
  starts_.push_back(bytes_.size());
  lengths_.push_back(-1);
  formats_.push_back(1);
}

Parameters& Parameters::add_untyped(std::optional<std::string> const& value) {
  begin(Type::unknown);
  formats_.back() = 0;
  if (!value) return *this;
  append(std::string_view{*value});
  end();
  bytes_ += '\0';  // libpq finds the end of a text by it
  return *this;
}

Parameters& Parameters::end() {
  auto const length = bytes_.size() - starts_.back();
  if (length >= kMostBytes) throw StoreError{StoreError::Kind::refused, "a value is larger than 1 GiB"};
  lengths_.back() = static_cast<int>(length);
  return *this;
}

Parameters& Parameters::add_null(Type type) {
  begin(type);
  return *this;
}

void Parameters::append(double value) { append_number(std::bit_cast<std::uint64_t>(value), 8); }

void Parameters::append(std::string_view text) {
  if (text.contains('\0'))
    throw StoreError{StoreError::Kind::refused, "a text with a zero byte cannot be kept in PostgreSQL"};
  bytes_.append(text);
}

void Parameters::append(std::span<std::byte const> bytes) {
  bytes_.append(reinterpret_cast<char const*>(bytes.data()), bytes.size());
}

void Parameters::append_number(std::uint64_t value, int size) {
  bytes_.append(static_cast<std::size_t>(size), '\0');
  write_number(bytes_.data() + bytes_.size() - size, value, size);
}

/// An array begins with the number of its dimensions, a flag for nulls, which the server does not need, the
/// type of its elements, and the length and first index of each dimension. An empty one has no dimension.
void Parameters::append_header(Type element, std::size_t count) {
  append_number(count > 0 ? 1 : 0, 4);
  append_number(1, 4);
  append_number(static_cast<unsigned>(element), 4);
  if (count == 0) return;
  append_number(count, 4);
  append_number(1, 4);
}

std::size_t Parameters::begin_element() {
  append_number(0, 4);
  return bytes_.size();
}

void Parameters::end_element(std::size_t start) {
  write_number(bytes_.data() + start - 4, bytes_.size() - start, 4);
}

}  // namespace andon::store::postgres
