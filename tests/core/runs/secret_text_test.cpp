#include "core/runs/secret_text.hpp"

#include <doctest/doctest.h>

using andon::core::is_secret_value;

TEST_CASE("SecretText.AValueIsASecretByItsNameOrItsLook") {
  CHECK(is_secret_value("DB_PASSWORD", "hunter2hunter2"));
  CHECK(is_secret_value("apiKey", "development"));
  CHECK(is_secret_value("SESSION", "a1b2c3d4e5f6g7h8i9j0"));
  CHECK(is_secret_value("", "Zm9vYmFyYmF6cXV4MTIzNDU2"));
}

TEST_CASE("SecretText.WordsPathsAndAddressesAreNone") {
  for (auto const* value :
       {"", "short", "development", "postgres://db.example.org/shop", "/srv/shop/data/of/2026/files",
        "a sentence of many words 12345", "localhost:5432", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa1"})
    CHECK_FALSE_MESSAGE(is_secret_value("SETTING", value), value);
  CHECK_FALSE(is_secret_value("DB_PASSWORD", "short"));
  CHECK_FALSE(is_secret_value("KEY_FILE", "/etc/ssl/private.pem"));
}
