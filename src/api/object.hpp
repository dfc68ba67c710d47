#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace andon::api {

struct Destroy {
  void (*of_type)(void*) = nullptr;
  void operator()(void* value) const { of_type(value); }
};
/// A value of any type: a decoded request, the response to it.
using Object = std::unique_ptr<void, Destroy>;
template <class T>
Object object(T&& value) {
  using Value = std::remove_cvref_t<T>;
  return {new Value(std::forward<T>(value)), Destroy{[](void* p) { delete static_cast<Value*>(p); }}};
}
template <class T>
Object empty_object() {
  return object(T{});
}

}  // namespace andon::api
