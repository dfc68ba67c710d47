#include "service/difference.hpp"

#include <algorithm>

namespace andon::service {
namespace {

namespace json = boost::json;

std::string name_of(json::value const& item) {
  auto const* object = item.if_object();
  auto const* name = object ? object->if_contains("name") : nullptr;
  auto const* text = name ? name->if_string() : nullptr;
  return text ? std::string{text->data(), text->size()} : std::string{};
}

/// The things of a list by their names, when all of them have one.
bool are_named(json::value const& list) {
  auto const* items = list.if_array();
  return items && !items->empty() &&
         std::ranges::none_of(*items, [](auto const& i) { return name_of(i).empty(); });
}

json::array names_in(json::array const& items) {
  json::array out;
  for (auto const& item : items) out.emplace_back(name_of(item));
  return out;
}

json::value const* find(json::array const& items, std::string const& name) {
  auto const found = std::ranges::find(items, name, name_of);
  return found == items.end() ? nullptr : &*found;
}

class Comparison {
 public:
  void objects(std::string const& path, json::object const& before, json::object const& after) {
    for (auto const& [key, was] : before) values(path + std::string{key}, &was, after.if_contains(key));
    for (auto const& [key, is] : after)
      if (!before.contains(key)) values(path + std::string{key}, nullptr, &is);
  }

  std::vector<FieldChange> found;

 private:
  void values(std::string const& path, json::value const* was, json::value const* is) {
    if (was && is && *was == *is) return;
    if (was && is && was->is_object() && is->is_object())
      return objects(path + "/", was->get_object(), is->get_object());
    if (was && is && are_named(*was) && are_named(*is)) return lists(path, was->get_array(), is->get_array());
    found.push_back({path, was ? *was : json::value{}, is ? *is : json::value{}});
  }

  void lists(std::string const& path, json::array const& was, json::array const& is) {
    for (auto const& item : was) values(path + "/" + name_of(item), &item, find(is, name_of(item)));
    for (auto const& item : is)
      if (!find(was, name_of(item))) values(path + "/" + name_of(item), nullptr, &item);
    auto const before = names_in(was);
    auto const after = names_in(is);
    if (before != after && std::ranges::is_permutation(before, after)) found.push_back({path, before, after});
  }
};

}  // namespace

std::vector<FieldChange> differences(json::object const& before, json::object const& after) {
  Comparison comparison;
  comparison.objects("", before, after);
  return std::move(comparison.found);
}

}  // namespace andon::service
