#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "store/contract/stores.hpp"
#include "store/postgres/open_postgres.hpp"
#include "store/transfer/copy_store.hpp"
#include "store/transfer/endpoint.hpp"
#include "support/private_postgres.hpp"

namespace andon::test {

inline doctest::skip without_postgres() { return doctest::skip(!PrivatePostgres::is_installed()); }

/// The URL of a schema that no other test has.
inline std::string url_of_new_schema() {
  static std::atomic<int> schemas = 0;
  return PrivatePostgres::instance().url() + "&schema=transfer_" + std::to_string(++schemas);
}

inline std::unique_ptr<store::Store> open_any(std::string const& url) {
  if (url.starts_with("postgres:"))
    return store::postgres::open_postgres(url, store::exit_on_fatal, at_minute(0));
  return store::open_store(url);
}

/// Copies between the stores of two URLs.
inline store::transfer::Copied copied(std::string const& from, std::string const& to, core::Instant now) {
  using store::transfer::parse_endpoint;
  return store::transfer::copy_store(parse_endpoint(from), parse_endpoint(to), now);
}

inline store::transfer::Copied measured(std::string const& url) {
  store::transfer::Copied out;
  store::transfer::read_tables(
      store::transfer::parse_endpoint(url),
      [&](store::transfer::TableAccess& tables) { out = store::transfer::measure(tables); });
  return out;
}

/// The text of the StoreError that an act throws; empty when it throws none.
inline std::string refusal_of(auto const& act) {
  try {
    act();
  } catch (store::StoreError const& error) {
    return error.what();
  }
  return {};
}

}  // namespace andon::test
