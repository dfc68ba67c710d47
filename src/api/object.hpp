#pragma once

#include <memory>
#include <utility>

namespace andon::api {

struct Destroy {
  void (*of_type)(void*) = nullptr;
  void operator()(void* value) const { of_type(value); }
};
/// A value of any type: a decoded request, the response to it.
using Object = std::unique_ptr<void, Destroy>;
template <class T>
Object object(T value) {
  return {new T(std::move(value)), Destroy{[](void* p) { delete static_cast<T*>(p); }}};
}

}  // namespace andon::api
