#include <cmath>
#include <set>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include "core/text/names.hpp"
#include "reflect/json.hpp"

namespace andon::reflect {
namespace {

namespace json = boost::json;

enum class Fault { none, nodes, duplicate };

/// Builds the tree while counting nodes and refusing a key that an object already has. The interface is the
/// one boost::json::basic_parser asks for.
struct Handler {
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();

  json::value_stack stack;
  std::size_t nodes_left;
  std::vector<std::set<std::string>> keys;  ///< of the objects that are open
  std::string partial;
  Fault fault = Fault::none;
  std::string duplicate;

  Handler(json::storage_ptr memory, std::size_t nodes) : stack(std::move(memory)), nodes_left(nodes) {}

  bool count(json::error_code& error) {
    if (nodes_left-- > 0) return true;
    fault = Fault::nodes;
    error = json::error::exception;
    return false;
  }
  bool on_document_begin(json::error_code&) {
    stack.reset(stack_memory);
    return true;
  }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code& error) {
    keys.emplace_back();
    return count(error);
  }
  bool on_object_end(std::size_t n, json::error_code&) {
    keys.pop_back();
    stack.push_object(n);
    return true;
  }
  bool on_array_begin(json::error_code& error) { return count(error); }
  bool on_array_end(std::size_t n, json::error_code&) {
    stack.push_array(n);
    return true;
  }
  bool on_key_part(std::string_view text, std::size_t, json::error_code&) {
    partial += text;
    stack.push_chars({text.data(), text.size()});
    return true;
  }
  bool on_key(std::string_view text, std::size_t, json::error_code& error) {
    partial += text;
    auto const [key, is_new] = keys.back().insert(std::exchange(partial, {}));
    if (!is_new) {
      fault = Fault::duplicate;
      duplicate = *key;
      error = json::error::exception;
      return false;
    }
    stack.push_key({text.data(), text.size()});
    return true;
  }
  bool on_string_part(std::string_view text, std::size_t, json::error_code&) {
    stack.push_chars({text.data(), text.size()});
    return true;
  }
  bool on_string(std::string_view text, std::size_t, json::error_code& error) {
    stack.push_string({text.data(), text.size()});
    return count(error);
  }
  bool on_number_part(std::string_view, json::error_code&) { return true; }
  bool on_int64(std::int64_t value, std::string_view, json::error_code& error) {
    stack.push_int64(value);
    return count(error);
  }
  bool on_uint64(std::uint64_t value, std::string_view, json::error_code& error) {
    stack.push_uint64(value);
    return count(error);
  }
  bool on_double(double value, std::string_view, json::error_code& error) {
    if (!std::isfinite(value)) {
      error = json::error::exponent_overflow;
      return false;
    }
    stack.push_double(value);
    return count(error);
  }
  bool on_bool(bool value, json::error_code& error) {
    stack.push_bool(value);
    return count(error);
  }
  bool on_null(json::error_code& error) {
    stack.push_null();
    return count(error);
  }
  bool on_comment_part(std::string_view, json::error_code&) { return true; }
  bool on_comment(std::string_view, json::error_code&) { return true; }

  json::storage_ptr stack_memory;
};

core::Error fault_error(Handler const& handler, json::error_code error, std::size_t at, JsonLimits limits) {
  std::string what = "the text is not valid JSON: " + error.message();
  if (handler.fault == Fault::duplicate)
    what = "the key \"" + handler.duplicate + "\" stands twice in one object";
  if (handler.fault == Fault::nodes)
    what = "the JSON holds more than " + std::to_string(limits.nodes) + " values";
  if (error == json::error::too_deep) what = "the JSON is nested deeper than " + std::to_string(limits.depth);
  return {core::Code::kMalformed, what + " (at byte " + std::to_string(at) + ")", {}, {}, {}};
}

}  // namespace

core::Result<json::value> parse_json(std::string_view text, JsonLimits limits, json::storage_ptr memory) {
  json::parse_options options;
  options.max_depth = limits.depth;
  json::basic_parser<Handler> parser(options, memory, limits.nodes);
  parser.handler().stack_memory = memory;
  json::error_code error;
  auto const used = parser.write_some(false, text.data(), text.size(), error);
  if (!error && used < text.size() && text.find_first_not_of(" \t\r\n", used) != std::string_view::npos)
    error = json::error::extra_data;
  if (error) return core::refuse(fault_error(parser.handler(), error, used, limits));
  return parser.handler().stack.release();
}

}  // namespace andon::reflect
