#include "store/postgres/connection/settings.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/text/ascii.hpp"
#include "core/text/percent.hpp"
#include "core/text/visible_text.hpp"
#include "os/network/private_addresses.hpp"
#include "store/contract/store_error.hpp"
#include "store/postgres/connection/libpq.hpp"

namespace andon::store::postgres {
namespace {

constexpr std::string_view kSchemaOption = "schema=";
constexpr std::size_t kLongestName = 63;  // PostgreSQL cuts longer names

/// The texts hold nothing of the URL: each part of it may be a piece of a password.
[[noreturn]] void refuse_url(std::string_view why) {
  throw StoreError{StoreError::Kind::refused,
                   "the URL of the database " + std::string{why} +
                       "; it looks like postgres://user:password@host:5432/database?option=value"};
}

/// The place where the host begins. libpq looks for the end of the password in this way too.
std::size_t host_in(std::string_view url) {
  auto const begin = url.find("://") + 3;
  auto const at = url.find_first_of("@/", begin);
  return at != std::string_view::npos && url[at] == '@' ? at + 1 : begin;
}

/// A password with a bare `@` or `/` would end early, and its rest would be printed as the host or the port.
void refuse_bare_password(std::string_view url) {
  auto const host = host_in(url);
  if (url.substr(host, url.find('?', host) - host).contains('@'))
    refuse_url("is ambiguous: write @ as %40, / as %2F and ? as %3F in the user and the password");
}

void refuse_schema_unless_plain(std::string_view name) {
  auto const is_plain = [](char c) {
    return c == '_' || core::is_ascii_digit(c) || (core::is_ascii_letter(c) && !core::is_ascii_capital(c));
  };
  if (name.empty() || name.size() > kLongestName || !std::ranges::all_of(name, is_plain) ||
      core::is_ascii_digit(name[0]) || name.starts_with("pg_"))
    refuse_url("names no schema: it has small letters, digits and _, and does not begin with pg_");
}

bool is_local(std::string_view host) {
  return host.starts_with('/') || host.starts_with('@') || host == "localhost" ||
         os::scope_of(host) == os::AddressScope::machine;
}

bool are_local(std::string_view hosts) {
  return std::ranges::all_of(hosts | std::views::split(','),
                             [](auto part) { return is_local({part.begin(), part.end()}); });
}

/// The value that libpq takes from the environment or from a service that the environment names.
std::string default_of(std::string_view keyword) {
  OptionsHandle const options{libpq().options.defaults()};
  for (auto const* option = options.get(); option && option->keyword; ++option)
    if (option->keyword == keyword && option->val) return option->val;
  return {};
}

bool is_port_list(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c == ',' || core::is_ascii_digit(c); });
}

}  // namespace

Settings::Settings(std::string_view url) {
  if (!url.starts_with("postgres://") && !url.starts_with("postgresql://"))
    refuse_url("does not begin with postgres://");
  if (url.contains('\0')) refuse_url("holds a zero byte");
  refuse_bare_password(url);
  read(take_schema(url));
  if (!is_port_list(value_of("port"))) refuse_url("has a port that is no number");
  if (!value_of("service").empty()) refuse_url("names a service; name the host instead");
  require_encryption();
  set("client_encoding", "UTF8");
  set("gssencmode", "disable");  // its encryption verifies no certificate
  set_unless_given("application_name", "andon");
  set_unless_given("connect_timeout", "10");
  set_unless_given("keepalives_idle", "15");
  set_unless_given("keepalives_interval", "5");
  set_unless_given("keepalives_count", "3");
  set_unless_given("tcp_user_timeout", "30000");
  display_url_ = url_for_display();
}

/// The URL without the option that libpq does not know.
std::string Settings::take_schema(std::string_view url) {
  auto const question = url.find('?', host_in(url));
  std::string out{url.substr(0, question)};
  if (question == std::string_view::npos) return out;
  char separator = '?';
  for (auto const part : url.substr(question + 1) | std::views::split('&')) {
    std::string_view const option{part.begin(), part.end()};
    if (option.starts_with(kSchemaOption)) {
      schema_ = option.substr(kSchemaOption.size());
      refuse_schema_unless_plain(schema_);
    } else {
      (out += std::exchange(separator, '&')) += option;
    }
  }
  return out;
}

/// The message of libpq is dropped, because it quotes the URL.
void Settings::read(std::string const& url) {
  char* error = nullptr;
  OptionsHandle const parsed{libpq().options.parse(url.c_str(), &error)};
  if (error) libpq().options.free_text(error);
  if (!parsed) refuse_url("is not valid");
  for (auto const* option = parsed.get(); option->keyword; ++option)
    if (option->val) options_.push_back({option->keyword, option->val});
}

std::string Settings::value_of(std::string_view keyword) const {
  auto const found = std::ranges::find(options_, keyword, &Option::keyword);
  return found == options_.end() ? std::string{} : found->value;
}

void Settings::set(std::string_view keyword, std::string_view value) {
  std::erase_if(options_, [&](Option const& option) { return option.keyword == keyword; });
  options_.push_back({std::string{keyword}, std::string{value}});
}

void Settings::set_unless_given(std::string_view keyword, std::string_view value) {
  if (value_of(keyword).empty()) set(keyword, value);
}

void Settings::require_encryption() {
  auto const in_force = [&](std::string_view keyword) {
    auto given = value_of(keyword);
    return given.empty() ? default_of(keyword) : given;
  };
  auto const address = in_force("hostaddr");
  auto const host = address.empty() ? in_force("host") : address;
  if (host.empty() || are_local(host)) return;
  auto const mode = value_of("sslmode");
  if (!mode.empty() && mode != "verify-full")
    refuse_url(
        "has an sslmode that does not verify who answers: another machine needs sslmode=verify-full, "
        "and sslrootcert=FILE when ~/.postgresql/root.crt does not hold the authority");
  set("sslmode", "verify-full");
}

std::string Settings::url_for_display() const {
  auto const host = value_of("host").empty() ? value_of("hostaddr") : value_of("host");
  std::string out = "postgres://";
  if (auto const user = value_of("user"); !user.empty()) out += core::percent_encoded(user) + "@";
  out += host.starts_with('/') ? core::percent_encoded(host) : core::visible_line(host);
  if (auto const port = value_of("port"); !port.empty()) out += ":" + port;
  return out + "/" + core::percent_encoded(value_of("dbname"));
}

}  // namespace andon::store::postgres
