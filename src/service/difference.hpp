#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "core/field.hpp"
#include "reflect/json.hpp"

namespace andon::service {

/// One field that is not what it was. A value that is not there is left out.
struct FieldChange {
  std::string field;  ///< a path such as `columns/todo/wip_limit`; things with a name are found by it
  boost::json::value from;
  boost::json::value to;
};
BOOST_DESCRIBE_STRUCT(FieldChange, (), (field, from, to))
inline constexpr std::array kFieldChangeFields{
    core::Field{"field", "Path of the field; things with a name are found by it", core::always},
    core::Field{"from", "What it was"}, core::Field{"to", "What it becomes"}};
constexpr auto const& fields(FieldChange const*) { return kFieldChangeFields; }

/// The differences, in the order of the fields. A new order of the same items is one difference of their
/// list.
std::vector<FieldChange> differences(boost::json::object const& before, boost::json::object const& after);

/// The differences of two values of one described type.
template <class T>
std::vector<FieldChange> differences_of(T const& before, T const& after) {
  auto const object = [](T const& value) {
    return reflect::parse_json(reflect::to_json(value)).value().as_object();
  };
  return differences(object(before), object(after));
}

}  // namespace andon::service
