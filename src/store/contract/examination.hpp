#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/time/time.hpp"

namespace andon::store {

namespace engine {
class Unit;
}
using Tx = engine::Unit;

/// One result of examining a store.
struct Finding {
  enum class Kind {
    fact,
    repair,  ///< the next command repairs it without help
    fault,   ///< a person has to repair it
  };
  Kind kind = Kind::fact;
  std::string about;
  std::string text;
};

/// The finding about the pairs of open tasks of a board that look like copies.
inline Finding suspected_copies(std::string const& board, std::int64_t pairs) {
  return {Finding::Kind::fact, "suspected copies",
          std::to_string(pairs) + (pairs == 1 ? " pair" : " pairs") + " on board " + board +
              "; see `andon copies --board " + board + "`"};
}

/// Examines a directory of Markdown files: settings, every task file, unfinished writes, the index and the
/// lock. Changes nothing and waits for no lock.
std::vector<Finding> examine_board(std::filesystem::path const& root, core::Instant now);

/// Examines a SQLite database: its integrity, its schema and its owner. Reads all of it and changes nothing.
/// A server may have the database open.
std::vector<Finding> examine_database(std::filesystem::path const& file);

/// The boards in a SQLite database, archived ones too; nothing when it cannot be read. Changes nothing.
std::optional<std::vector<std::string>> board_names(std::filesystem::path const& file);

/// The result of the last examination of a database by the server that has it open.
struct Soundness {
  core::Instant at{};
  std::string verdict;  ///< `ok`, or a description of the damage
};
/// How often a server examines its database.
inline constexpr core::Duration kExaminedEvery = std::chrono::hours{24};

/// Reads all of a database on a separate connection, beside the one that writes. Returns nothing when `stop`
/// was requested.
std::optional<std::string> examine_soundness(std::filesystem::path const& file, std::stop_token const& stop);
std::optional<Soundness> kept_soundness(Tx& tx);
void keep_soundness(Tx& tx, Soundness const& found);

}  // namespace andon::store
