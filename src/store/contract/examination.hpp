#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/time/time.hpp"

namespace andon::store {

class Tx;

/// One thing that was found when a store was looked through.
struct Finding {
  enum class Kind {
    fact,
    repair,  ///< the next command puts it right by itself
    fault,   ///< somebody has to see to it
  };
  Kind kind = Kind::fact;
  std::string about;
  std::string text;
};

/// Looks through a directory of Markdown files: settings, every task file, unfinished writes, the index, the
/// lock. Changes nothing and waits for nobody.
std::vector<Finding> examine_board(std::filesystem::path const& root, core::Instant now);

/// Looks through a SQLite database: whether it is whole, its schema, who owns it. Reads all of it and changes
/// nothing, also while a server has it open.
std::vector<Finding> examine_database(std::filesystem::path const& file);

/// What the last look at a database that a server has open found.
struct Soundness {
  core::Instant at{};
  std::string verdict;  ///< `ok`, or what is wrong
};
/// How often a server looks through its database.
inline constexpr core::Duration kExaminedEvery = std::chrono::hours{24};

/// Reads all of a database on a connection of its own, beside the one that writes. Nothing when it was told
/// to stop.
std::optional<std::string> examine_soundness(std::filesystem::path const& file, std::stop_token const& stop);
std::optional<Soundness> kept_soundness(Tx& tx);
void keep_soundness(Tx& tx, Soundness const& found);

}  // namespace andon::store
