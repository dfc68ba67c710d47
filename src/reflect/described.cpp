#include "reflect/described.hpp"

namespace andon::reflect::detail {

void MemberList::add(Member const& member) { members_.push_back(member); }

}  // namespace andon::reflect::detail
