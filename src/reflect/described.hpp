#pragma once

#include <bit>

#include "reflect/type.hpp"

// Defines the tables of described structs. Compiling them takes a good part of a second for each file that
// contains one, so a struct has its table in one source file, its layer's or room's `described.cpp`:
//
//     template struct reflect::Described<TaskRequest>;

namespace andon::reflect {
namespace detail {

/// The members of one struct, in the order of the wire.
class MemberList {
 public:
  void add(Member const& member);
  std::span<Member const> members() const { return members_; }

 private:
  std::vector<Member> members_;
};

/// The argument of `describe` of T. It adds each member to a list, inherited ones too.
template <class T>
class Describer {
 public:
  explicit Describer(MemberList& list) : list_(list) {}

  template <class M, class Owner>
  void operator()(M Owner::* member, std::string_view name, std::string_view help = {},
                  core::Presence presence = core::Presence::optional) {
    // A pointer to a data member is its offset: Itanium C++ ABI, section 2.3.1.
    M T::* const own = member;
    list_.add({name, help, presence, &type_of<M>(), std::bit_cast<std::ptrdiff_t>(own)});
  }
  template <class M, class Owner>
  void operator()(M Owner::* member, core::Field const& field) {
    (*this)(member, field.name, field.help, field.presence);
  }

 private:
  MemberList& list_;
};

template <class T>
std::span<Member const> members() {
  static MemberList const list = [] {
    MemberList out;
    Describer<T> describer{out};
    describe(describer, static_cast<T const*>(nullptr));
    return out;
  }();
  return list.members();
}

template <class T>
constexpr Type struct_type() {
  Type t{};
  t.kind = Kind::object;
  t.name = struct_name<T>();
  t.members = &members<T>;
  return t;
}

}  // namespace detail

template <class T>
constinit Type const Described<T>::type = detail::struct_type<T>();

}  // namespace andon::reflect
