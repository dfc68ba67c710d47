#include "store/postgres/connection/failure.hpp"

#include <algorithm>
#include <array>

#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::postgres {
namespace {

using enum StoreError::Kind;

constexpr std::size_t kLongestMessage = 500;
constexpr std::string_view kLost = "the connection to the database was lost; try again";

struct KnownState {
  std::string_view beginning;  ///< of the SQLSTATE; the first two characters are its class
  StoreError::Kind kind;
  std::string_view advice;
};

constexpr std::array kKnownStates{
    KnownState{"08P01", other, "the database did not understand a statement"},
    KnownState{"08", busy, kLost},
    KnownState{"22021", refused, "the database cannot keep a character of this text"},
    KnownState{"22P05", refused, "the database cannot keep a character of this text"},
    KnownState{"25006", read_only,
               "the database takes no writes, as a standby does; name the primary server"},
    KnownState{"25P03", busy, kLost},
    KnownState{"28", other, "the database refused the login; check the user and the password"},
    KnownState{"40", busy, "another transaction was in the way; try again"},
    KnownState{"42501", other, "the user of the database lacks a right; let the owner grant it"},
    KnownState{"53100", no_space,
               "the disk of the database is full; free some space, the same request will then work"},
    KnownState{"53", busy, "the database has no memory or no connections left; try again"},
    KnownState{"55P03", busy, "another program holds the rows; try again"},
    KnownState{"57014", overlong, "the statement took too long and was given up"},
    KnownState{"57P0", busy, kLost},
    KnownState{"XX001", damaged, "the database is damaged; restore a backup of the PostgreSQL server"},
    KnownState{"XX002", damaged, "an index of the database is damaged; let its owner rebuild it"},
};

}  // namespace

std::string one_line(std::string_view message) {
  while (message.ends_with('\n')) message.remove_suffix(1);
  auto const line = core::visible_line(message);
  return std::string{core::beginning(line, kLongestMessage)};
}

StoreError failure(std::string_view state, std::string_view message, std::string_view doing) {
  auto const* const known = std::ranges::find_if(
      kKnownStates, [&](KnownState const& one) { return state.starts_with(one.beginning); });
  bool const is_known = known != kKnownStates.end();
  std::string text{is_known ? known->advice : "the database failed"};
  text.append(" (").append(doing).append(": ").append(one_line(message)).append(")");
  return {is_known ? known->kind : other, text};
}

}  // namespace andon::store::postgres
