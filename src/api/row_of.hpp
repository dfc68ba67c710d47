#pragma once

#include "core/error.hpp"

namespace andon::service {
struct OperationContext;
}

namespace andon::api {

struct Operation;

namespace detail {
/// Its address tells a function from every other one.
template <auto F>
inline constexpr char kIdentity{};

template <class F>
struct Signature;
template <class R, class Q>
struct Signature<core::Result<R> (*)(service::OperationContext&, Q const&)> {
  using Response = R;
  using Request = Q;
};
/// Throws `std::logic_error` where no row has the function.
Operation const& row_with(void const* function);
}  // namespace detail

/// The identity of an operation, for tables about operations: equal to `Operation::function` of its row.
template <auto F>
inline constexpr void const* of = &detail::kIdentity<F>;

/// The row of a service function.
template <auto F>
Operation const& row_of() {
  static Operation const& row = detail::row_with(&detail::kIdentity<F>);
  return row;
}

}  // namespace andon::api
