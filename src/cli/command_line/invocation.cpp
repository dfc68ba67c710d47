#include "cli/command_line/invocation.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include <boost/json/serialize.hpp>

#include "api/operation.hpp"
#include "api/request.hpp"
#include "core/text/names.hpp"
#include "os/data/data_directory.hpp"
#include "service/boards/boards.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Result;

/// A page of 500 tasks with everything they can hold.
constexpr reflect::JsonLimits kAnswerLimits{64, 1'000'000};

/// Something else than a server of Andon may listen at the address.
Result<json::value> read_answer(api::Operation const& operation, std::string_view text) {
  auto answer = reflect::parse_json(text, kAnswerLimits);
  auto const checked = answer ? reflect::check_form(*operation.response, *answer)
                              : Result<void>{std::unexpected(answer.error())};
  if (checked) return answer;
  return core::refuse(core::Code::kInternalError, "the answer to " + std::string{operation.name} +
                                                      " is not one of Andon (" + checked.error().message +
                                                      "); check the address and the version of the server");
}

struct FlagRow {
  core::Code code;
  std::string_view field;
  std::string_view says;
};
/// Refusals that a flag of the command line overcomes.
constexpr std::array kFlags{
    FlagRow{core::Code::kTaskClaimed, "", ". Use --force to override."},
    FlagRow{core::Code::kClaimRequired, "claim", ": use --claim NAME (the command agent-name makes one)"},
};

core::Error with_flag(core::Error error) {
  auto const row = std::ranges::find(kFlags, error.code, &FlagRow::code);
  if (row != kFlags.end() && row->field == error.field) error.message += row->says;
  return error;
}

/// Bytes of the command line or of a file that are no text must not arrive as another text.
Result<void> check_utf8(json::value const& value, std::string_view field) {
  if (auto const* text = value.if_string(); text && !core::is_utf8({text->data(), text->size()}))
    return core::refuse(core::Code::kInvalidInput, "\"" + std::string{field} + "\" must be UTF-8",
                        std::string{field});
  if (auto const* list = value.if_array())
    for (auto const& item : *list) ANDON_CHECK(check_utf8(item, field));
  if (auto const* object = value.if_object())
    for (auto const& [key, member] : *object) ANDON_CHECK(check_utf8(member, {key.data(), key.size()}));
  return {};
}

}  // namespace

bool Given::has(std::string_view flag) const {
  auto const given = value(flag);
  return given && *given != "false";
}

std::optional<std::string> Given::value(std::string_view flag) const {
  for (auto const& f : std::views::reverse(flags))
    if (f.name == flag) return f.value;
  return std::nullopt;
}

std::vector<std::string> Given::values(std::string_view flag) const {
  std::vector<std::string> out;
  for (auto const& f : flags)
    if (f.name == flag) out.push_back(f.value);
  return out;
}

Result<Location> Invocation::location() const {
  return locate({given_.value("server"), given_.value("token"), given_.value("dir"), given_.value("store")},
                env_);
}

/// Agents in work trees mean the board that all of them see.
void Invocation::tell_of_copy(Location const& place) {
  auto const* board = std::get_if<BoardDirectory>(&place);
  if (!board || board->original.empty() || env_.is_kanban_md()) return;
  screen().tell("Warning: this work tree has a copy of the board that others do not see; theirs is --dir " +
                board->original.native());
}

void Invocation::tell_of_token() {
  if (given_.value("token"))
    screen().tell(
        "Warning: others on this machine can read the token of --token in the list of processes; give it in "
        "ANDON_TOKEN");
}

void Invocation::tell_of_password() {
  auto const store = given_.value("store").value_or("");
  auto const at = store.find('@'), colon = store.find(':', store.find("//") + 2);
  if (at != std::string::npos && colon < at)
    screen().tell(
        "Warning: others on this machine can read the password of --store in the list of processes; give the "
        "URL in ANDON_STORE or andon.yml");
}

void Invocation::tell_of_settings(Location const& place) {
  auto const* data = std::get_if<DataDirectory>(&place);
  if (auto const unread = data ? os::unread_settings(data->root) : std::nullopt)
    screen().tell("Warning: " + *unread);
}

Result<Connection*> Invocation::connection(IfMissing missing) {
  if (!connection_) {
    ANDON_TRY(auto const place, location());
    tell_of_copy(place);
    tell_of_settings(place);
    tell_of_token();
    tell_of_password();
    ANDON_TRY(auto opened, connect(place, given_.value("as").value_or(""), env_, missing));
    connection_ = std::move(opened);
  }
  return &*connection_;
}

Result<Connection> Invocation::take_connection() {
  ANDON_CHECK(connection());
  return *std::exchange(connection_, std::nullopt);
}

Result<api::Call> Invocation::call_for(api::Operation const& operation, json::object const& request) {
  ANDON_TRY(auto* const open, connection());
  ANDON_CHECK(check_utf8(request, ""));
  api::Call call;
  call.operation = &operation;
  ANDON_SET(call.request, api::decode(*call.operation, request));
  call.caller = open->caller;
  ANDON_CHECK(api::set_patience(call));
  return call;
}

Result<api::Answer> Invocation::run(api::Call call) {
  ANDON_TRY(auto* const open, connection());
  auto done = open->executor->run(std::move(call));
  if (!done) return core::refuse(with_flag(done.error()));
  return done;
}

Result<json::value> Invocation::call(api::Operation const& operation, json::object const& request,
                                     std::optional<core::Revision> expected_rev,
                                     std::string idempotency_key) {
  ANDON_TRY(auto call, call_for(operation, request));
  call.expected_rev = expected_rev;
  call.idempotency_key = std::move(idempotency_key);
  return answer_of(std::move(call));
}

Result<json::value> Invocation::answer_of(api::Call call) {
  auto const& operation = *call.operation;
  ANDON_TRY(auto const done, run(std::move(call)));
  auto const text = done.text();
  received_ += text.size();
  ANDON_TRY(auto answer, read_answer(operation, text));
  tell_warnings(answer);
  return answer;
}

void Invocation::tell_warnings(json::value& answer) {
  auto* const object = answer.if_object();
  auto const* const warnings = object ? object->if_contains("warnings") : nullptr;
  if (!warnings) return;
  if (auto const* texts = warnings->if_array())
    for (auto const& warning : *texts)
      if (auto const* text = warning.if_string()) screen_.tell("Warning: " + std::string{*text});
  object->stable_erase("warnings");
}

Result<std::string> Invocation::own_name() {
  ANDON_TRY(auto* const open, connection());
  if (!open->caller.actor.name.empty()) return open->caller.actor.name;
  return env_.variable("ANDON_WORKER");
}

std::string Invocation::board() const { return given_.value("board").value_or(env_.variable("ANDON_BOARD")); }

Result<std::string> Invocation::board_or_first() {
  if (auto name = board(); !name.empty()) return name;
  ANDON_TRY(auto const boards, call<&service::list_boards>({}));
  auto const& items = boards.at("items").as_array();
  if (items.empty())
    return core::refuse(core::Code::kBoardNotFound,
                        "there is no board yet; make one with: andon boards create NAME", "board");
  return text_of(items.front().as_object(), "name");
}

std::string text_of(json::object const& object, std::string_view name) {
  auto const* value = object.if_contains({name.data(), name.size()});
  if (!value || value->is_null()) return {};
  if (auto const* text = value->if_string()) return {text->data(), text->size()};
  return json::serialize(*value);
}

}  // namespace andon::cli
