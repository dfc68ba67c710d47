#pragma once

#include <string>

namespace andon::store::postgres {

/// The SQL by which the owner of a database gives a role no more rights than Andon needs: it may read and
/// write rows of the schema, and change no table. Throws StoreError{refused} for names that need quotes.
std::string grant_sql(std::string const& role, std::string const& schema);

}  // namespace andon::store::postgres
