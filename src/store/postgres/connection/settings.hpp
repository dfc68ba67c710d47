#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace andon::store::postgres {

/// One option of libpq, such as `host`. The values of some are secret.
struct Option {
  std::string keyword;
  std::string value;
};

/// When the server gives up what Andon has begun.
struct TimeLimits {
  std::chrono::milliseconds statement{30'000};
  std::chrono::milliseconds idle_in_transaction{5'000};
};

/// The settings of connections to one database, from
/// `postgres://user:password@host:port/database?option=value` with the options of libpq, and `schema` for the
/// schema with Andon's tables.
///
/// Everything that is not local (a socket, localhost, 127.0.0.0/8, ::1) is encrypted, and the certificate and
/// the name of the server are verified: `sslmode` is `verify-full`, and any other mode in the URL is refused.
/// There is no way around that but a tunnel that ends on this machine. A host of the environment counts as
/// one of the URL. No message of this class or about it holds a password.
class Settings {
 public:
  /// Throws StoreError{refused}.
  explicit Settings(std::string_view url);

  std::vector<Option> const& options() const { return options_; }
  std::string const& schema() const { return schema_; }
  /// The URL without the password and the options, for messages.
  std::string const& display_url() const { return display_url_; }
  TimeLimits const& limits() const { return limits_; }
  void set_limits(TimeLimits const& limits) { limits_ = limits; }

 private:
  std::string take_schema(std::string_view url);
  void read(std::string const& url);
  std::string value_of(std::string_view keyword) const;
  void set(std::string_view keyword, std::string_view value);
  void set_unless_given(std::string_view keyword, std::string_view value);
  void require_encryption();
  std::string url_for_display() const;

  std::vector<Option> options_;
  std::string schema_ = "andon";
  std::string display_url_;
  TimeLimits limits_;
};

}  // namespace andon::store::postgres
