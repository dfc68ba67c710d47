#pragma once

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "mcp/protocol/exchange.hpp"

namespace andon::mcp {

/// The lists of which a client is told that they changed.
struct ListChanges {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
};

/// One of these lists: its member in the filter of a subscription, and the notification that it changed.
struct ListRow {
  bool ListChanges::* list;
  std::string_view member;
  std::string_view notification;
};
inline constexpr std::array kLists{
    ListRow{&ListChanges::tools, "toolsListChanged", "notifications/tools/list_changed"},
    ListRow{&ListChanges::prompts, "promptsListChanged", "notifications/prompts/list_changed"},
    ListRow{&ListChanges::resources, "resourcesListChanged", "notifications/resources/list_changed"},
};

/// The changes of which a client wants to be told.
struct Filter {
  ListChanges lists;
  std::set<std::string, std::less<>> resources;  ///< addresses
};

/// The changes in the history of a server up to `place`.
struct Changes {
  std::string place;
  ListChanges lists;
  std::set<std::string, std::less<>> resources;  ///< addresses
  bool is_all = false;  ///< too much changed to name it, so everything counts as changed
};
using TellChanges = std::move_only_function<void(Outcome<Changes>)>;

/// The tools, resources and prompts that a server offers to one caller. Lists are in a fixed order. The
/// objects have the members that the protocol gives them; the protocol adds what differs between revisions.
/// A result with `inputRequests` asks the client for input (see `RequestContext`).
class Features {
 public:
  virtual ~Features() = default;

  /// How a model uses the server.
  virtual std::string instructions() const = 0;

  virtual json::array tools() = 0;
  /// `content`, perhaps `structuredContent` and `isError`. A tool that is not there is `invalid_params`.
  virtual void call_tool(std::string const& name, json::object arguments, RequestContext context,
                         Respond respond) = 0;

  /// `resources`, and `nextCursor` where more follow the cursor.
  virtual void list_resources(std::string const& cursor, Respond respond) = 0;
  virtual json::array resource_templates() = 0;
  /// `contents`. An address that names nothing is `resource_not_found`.
  virtual void read_resource(std::string const& uri, Respond respond) = 0;

  virtual json::array prompts() = 0;
  /// `description` and `messages`.
  virtual void get_prompt(std::string const& name, json::object arguments, RequestContext context,
                          Respond respond) = 0;
  /// `values` of the argument `name` that begin with `begun`. `about` is a prompt's name or a resource's
  /// address.
  virtual void complete(std::string const& about, std::string const& name, std::string const& begun,
                        Respond respond) = 0;

  /// The lists that can change while a client is connected. Resources can always be watched.
  virtual ListChanges changing_lists() const = 0;
  /// Reads the changes after a place in the history. With an empty one, only the end of the history.
  virtual void changes_since(std::string const& place, TellChanges tell) = 0;
};

}  // namespace andon::mcp
