#include "core/model/clone_url.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace andon;

TEST_CASE("CloneUrl.IsToldFromAPath") {
  for (auto const* url :
       {"https://example.org/shop.git", "http://example.org/shop", "ssh://git@example.org:22/shop",
        "file:///srv/shop.git", "git@example.org:team/shop.git", "ssh://[::1]:2222/shop"}) {
    CAPTURE(std::string{url});
    CHECK(core::is_clone_url(url));
    CHECK(core::fault_of_repo(url) == "");
  }
  for (auto const* path :
       {"", "/srv/shop", "/srv/a@b:c", "./a@b:c", "shop", "../shop.git", "/srv/with blank"}) {
    CAPTURE(std::string{path});
    CHECK_FALSE(core::is_clone_url(path));
    CHECK(core::fault_of_repo(path) == "");
  }
}

TEST_CASE("CloneUrl.NoTextMakesGitRunAProgramOrTakeItForAnOption") {
  for (auto const* text : {"ext::sh -c id",
                           "fd::17",
                           "-uid",
                           "--upload-pack=id",
                           "git://example.org/shop",
                           "ftp://example.org/shop",
                           "https::https://example.org/x",
                           "-oProxyCommand=id@host:path",
                           "ssh://-oProxyCommand=id/x",
                           "git@-oProxyCommand=id:x",
                           "-git@host:x",
                           "git@host:-x",
                           "ssh://git@-host/x",
                           "https://-host/x",
                           "git@host:",
                           "https://",
                           "https://example.org",
                           "https://example.org/",
                           "file://srv/shop",
                           "file:///",
                           "file://",

                           "git@ho st:x",
                           "https://example.org/a b",
                           "https://example.org/a\"b",
                           "https://example.org/a\\b",
                           "https://example.org/a\nb",
                           "ssh://git@example.org/a\x01"}) {
    CAPTURE(std::string{text});
    CHECK(core::fault_of_repo(text) != "");
  }
}

TEST_CASE("CloneUrl.HoldsNoSecret") {
  for (auto const* url : {"https://ann:secret@example.org/shop", "https://ghp_token@example.org/shop",
                          "http://ann:secret@example.org/shop", "ssh://ann:secret@example.org/shop",
                          "ann:secret@example.org:shop", "https://example.org/shop?access_token=1",
                          "https://example.org/shop#token"}) {
    CAPTURE(std::string{url});
    CHECK(core::fault_of_repo(url).find("git/credentials") != std::string::npos);
  }
}
