#include "runner/output/event.hpp"

#include <charconv>
#include <cstddef>

#include <boost/json/serialize.hpp>

namespace andon::runner {
namespace {

namespace json = boost::json;

std::string as_text(json::value const& value) {
  if (auto const* text = value.if_string()) return {text->data(), text->size()};
  if (auto const* list = value.if_array()) {
    std::string out;
    for (auto const& item : *list) {
      auto const* object = item.if_object();
      auto const* text = object ? object->if_contains("text") : nullptr;
      if (!out.empty()) out += '\n';
      out += text ? as_text(*text) : as_text(item);
    }
    return out;
  }
  return json::serialize(value);
}

double unit(std::string_view suffix) {
  if (suffix.empty()) return 1;
  if (suffix == "k" || suffix == "K") return 1e3;
  if (suffix == "m" || suffix == "M") return 1e6;
  return 0;
}

}  // namespace

json::value const* Event::field(std::string_view name) const {
  auto const found = fields.find(name);
  return found == fields.end() ? nullptr : &found->second;
}

std::string Event::text(std::string_view name) const {
  auto const* value = field(name);
  return value ? as_text(*value) : std::string{};
}

std::optional<double> Event::number(std::string_view name) const {
  auto const* value = field(name);
  if (!value) return std::nullopt;
  if (value->is_number()) return value->to_number<double>();
  auto const* text = value->if_string();
  if (!text) return std::nullopt;
  double number = 0;
  auto const* const end = text->data() + text->size();
  auto const parsed = std::from_chars(text->data(), end, number);
  if (parsed.ec != std::errc{}) return std::nullopt;
  auto const factor = unit({parsed.ptr, static_cast<std::size_t>(end - parsed.ptr)});
  return factor == 0 ? std::nullopt : std::optional{number * factor};
}

std::optional<bool> Event::flag(std::string_view name) const {
  auto const* value = field(name);
  if (!value || !value->is_bool()) return std::nullopt;
  return value->get_bool();
}

}  // namespace andon::runner
