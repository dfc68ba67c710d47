#include "core/tasks/attachment_rules.hpp"

#include <doctest/doctest.h>

using namespace andon;

namespace {

core::Attachment a_file(std::string id, std::string name) {
  core::Attachment out;
  out.id = std::move(id);
  out.name = std::move(name);
  return out;
}

}  // namespace

TEST_CASE("AttachmentRules.TakePlainFileNamesOnly") {
  for (auto const* name : {"shot.png", "a b.txt", "Bildschirmfoto 2026-11-27.png", "日本語.pdf", "x"})
    CHECK(core::check_attachment_name(name));
  for (std::string const& name :
       {std::string{}, std::string{"."}, std::string{".."}, std::string{".env"}, std::string{"-rf"},
        std::string{"a/b"}, std::string{"../b"}, std::string{"a\\b"}, std::string{"a\nb"},
        std::string{"a\tb"}, std::string{"a\0b", 3}, std::string{"a\x1b[31m"}, std::string{"gnp.\u202Etxt"},
        std::string{"a\xff"}, std::string{"a."}, std::string{"a "}, std::string{" a"},
        std::string(201, 'a')}) {
    auto const refused = core::check_attachment_name(name);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().field == "name");
  }
}

TEST_CASE("AttachmentRules.FindTheTypeInTheContent") {
  using namespace std::string_literals;
  CHECK(core::media_type_of("\x89PNG\r\n\x1a\n...") == "image/png");
  CHECK(core::media_type_of("\xff\xd8\xff\xe0") == "image/jpeg");
  CHECK(core::media_type_of("GIF89a") == "image/gif");
  CHECK(core::media_type_of("RIFF\x10\0\0\0WEBPVP8 "s) == "image/webp");
  CHECK(core::media_type_of("RIFF\x10\0\0\0WAVEfmt "s) == "application/octet-stream");
  CHECK(core::media_type_of("%PDF-1.7") == "application/pdf");
  CHECK(core::media_type_of("RIFF") == "text/plain");
  // HTML and SVG can hold scripts, so they get the type of plain text.
  CHECK(core::media_type_of("<html><script>alert(1)</script>") == "text/plain");
  CHECK(core::media_type_of("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>") == "text/plain");
  CHECK(core::media_type_of("a\0b"s) == "application/octet-stream");
  CHECK(core::media_type_of("\xc3\x28") == "application/octet-stream");
}

TEST_CASE("AttachmentRules.NoRecordOfABoardsFileLeadsOutOfItsPlace") {
  auto file = a_file("0a1b", "shot.png");
  CHECK(core::has_safe_place(file));
  for (auto const* id : {"", "..", "../..", "0A", "a/b", "g"}) {
    auto other = file;
    other.id = id;
    CHECK_FALSE(core::has_safe_place(other));
  }
  file.name = "../../andon.db";
  CHECK_FALSE(core::has_safe_place(file));
}

TEST_CASE("AttachmentRules.TellNamesApartByMoreThanTheCaseOfLetters") {
  std::vector<core::Attachment> const files{a_file("1", "Shot.png"), a_file("2", "shot-2.png")};
  CHECK(core::find_attachment(files, "sHOT.PNG") == &files[0]);
  CHECK(core::find_attachment(files, "shot2.png") == nullptr);
}
