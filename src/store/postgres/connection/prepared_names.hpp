#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace andon::store::postgres {

/// The statements that one connection has prepared, by text and types of the parameters. The server keeps
/// memory for each, so the one that was not used for the longest time makes room.
class PreparedNames {
 public:
  struct Use {
    std::string name;                    ///< on the server
    bool is_new = false;                 ///< to be prepared
    std::optional<std::string> dropped;  ///< the name that made room
  };
  Use use(std::string_view text, std::vector<unsigned> const& types);
  /// Called when a statement could not be prepared.
  void forget(std::string_view name);

 private:
  struct Entry {
    std::int64_t number = 0;
    std::int64_t used = 0;
  };
  std::string drop_oldest();

  std::unordered_map<std::string, Entry> entries_;
  std::int64_t count_ = 0;  ///< of uses
};

}  // namespace andon::store::postgres
