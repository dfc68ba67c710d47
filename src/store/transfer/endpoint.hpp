#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "store/postgres/connection/settings.hpp"
#include "store/transfer/table_access.hpp"

namespace andon::store::transfer {

/// The database that a URL names: a file of SQLite, or a database of a PostgreSQL server.
using Endpoint = std::variant<std::filesystem::path, postgres::Settings>;

/// Understands `sqlite:/path` and `postgres://…`. Throws StoreError{refused}; the text holds no password.
Endpoint parse_endpoint(std::string_view url);

/// The URL of a database without password and options, for messages.
std::string display_url(Endpoint const& endpoint);

/// The settings for a connection that copies: a statement may take as long as it needs.
postgres::Settings copying(postgres::Settings settings);

/// Lets the tables be read as they are at one moment. Servers may use the database meanwhile. Throws
/// StoreError for a database that is not there or has an older or newer schema.
void read_tables(Endpoint const& from, std::function<void(TableAccess&)> const& read);

}  // namespace andon::store::transfer
