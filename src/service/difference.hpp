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
void describe(auto& field, FieldChange const*) {
  field(&FieldChange::field, "field", "Path of the field; things with a name are found by it", core::always);
  field(&FieldChange::from, "from", "What it was");
  field(&FieldChange::to, "to", "What it becomes");
}

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
