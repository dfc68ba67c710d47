#include "cli/commands/teams/role_documents.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "os/files/file.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestDocument = 1U << 20U;

std::string lines_of(std::string const& text) {
  auto const lines = std::ranges::count(text, '\n');
  return lines == 1 ? "1 line" : std::to_string(lines) + " lines";
}

}  // namespace

std::string document_name(std::string_view prompt_file) {
  constexpr std::string_view kFolder = "roles/";
  if (prompt_file.starts_with(kFolder)) prompt_file.remove_prefix(kFolder.size());
  return std::string{prompt_file};
}

std::vector<service::TeamChange> document_changes(fs::path const& data,
                                                  std::vector<RoleDocument> const& documents) {
  using enum service::TeamAction;
  std::vector<service::TeamChange> out;
  for (auto const& document : documents) {
    auto const before = os::read_file_if_there(data / "roles" / document.name, kLongestDocument);
    if (before == document.text) continue;
    service::TeamChange found{"role document", document.name, before ? change : create, {}, {}};
    if (before)
      found.fields = {
          {"text", boost::json::value(lines_of(*before)), boost::json::value(lines_of(document.text))}};
    out.push_back(std::move(found));
  }
  return out;
}

void write_documents(fs::path const& data, std::vector<RoleDocument> const& documents) {
  if (documents.empty()) return;
  os::make_private_directory(data / "roles");
  for (auto const& document : documents)
    if (os::read_file_if_there(data / "roles" / document.name, kLongestDocument) != document.text)
      os::write_file(data / "roles" / document.name, document.text);
}

std::vector<RoleDocument> read_documents(fs::path const& data, std::vector<std::string> const& names) {
  std::vector<RoleDocument> out;
  for (auto const& prompt_file : names) {
    auto const name = document_name(prompt_file);
    if (!core::is_name(name)) continue;
    auto text = os::read_file_if_there(data / "roles" / name, kLongestDocument);
    if (text) out.push_back({name, *std::move(text)});
  }
  return out;
}

}  // namespace andon::cli
