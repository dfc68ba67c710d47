#pragma once

#include <filesystem>
#include <optional>

#include "bridge/conversation/settings.hpp"
#include "bridge/telegram/account.hpp"
#include "core/error.hpp"
#include "core/time/time_zone.hpp"

namespace andon::bridge::telegram {

struct Configuration {
  Settings settings;
  Account account;
};

/// The base URL of a Bot API without the slash at its end. The token is sent there, so plain http is refused
/// except for this machine.
core::Result<std::string> checked_api(std::string url);

/// Reads `telegram.json` of a data directory, and the token that it names. Nothing without the file: the
/// bridge is off. A refusal names the field (`chats/0/users`) and the remedy, and never holds the token.
core::Result<std::optional<Configuration>> read_configuration(std::filesystem::path const& data_directory,
                                                              core::TimeZones const& zones);

/// The chats of boards that are not there, as sentences with the field and the remedy.
std::vector<std::string> missing_boards(Settings const& settings, std::vector<std::string> const& boards);

}  // namespace andon::bridge::telegram
