#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "mcp/protocol/message.hpp"

namespace andon::mcp {

/// Called once, on any thread.
using Respond = std::move_only_function<void(Outcome<json::object>)>;

/// The tools, resources and prompts that a server offers to one caller. Lists are in a fixed order. The
/// objects have the members that the protocol gives them; the protocol adds what differs between revisions.
class Features {
 public:
  virtual ~Features() = default;

  /// How a model uses the server.
  virtual std::string instructions() const = 0;

  virtual json::array tools() = 0;
  /// `content`, perhaps `structuredContent` and `isError`. A tool that is not there is `invalid_params`.
  virtual void call_tool(std::string const& name, json::object arguments, Respond respond) = 0;

  /// `resources`, and `nextCursor` where more follow the cursor.
  virtual void list_resources(std::string const& cursor, Respond respond) = 0;
  virtual json::array resource_templates() = 0;
  /// `contents`. An address that names nothing is `resource_not_found`.
  virtual void read_resource(std::string const& uri, Respond respond) = 0;

  virtual json::array prompts() = 0;
  /// `description` and `messages`.
  virtual void get_prompt(std::string const& name, json::object arguments, Respond respond) = 0;
  /// `values` of the argument `name` that begin with `begun`. `about` is a prompt's name or a resource's
  /// address.
  virtual void complete(std::string const& about, std::string const& name, std::string const& begun,
                        Respond respond) = 0;
};

}  // namespace andon::mcp
