#include "api/description/openapi.hpp"

#include <fstream>
#include <iterator>

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include "api/operation.hpp"

using namespace andon;

namespace {

std::string committed() {
  std::ifstream file(std::string{std::getenv("ANDON_SOURCE")} + "/docs/reference/openapi.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("OpenApi.ReferenceIsWhatTheTableSays") {
  // ANDON_WRITE_REFERENCE=1 writes it anew after a change of the table.
  auto const derived = api::openapi_json() + "\n";
  if (std::getenv("ANDON_WRITE_REFERENCE"))
    std::ofstream(std::string{std::getenv("ANDON_SOURCE")} + "/docs/reference/openapi.json") << derived;
  CHECK(committed() == derived);
}

TEST_CASE("OpenApi.DescribesEveryOperationWithItsSentence") {
  auto const paths = boost::json::parse(api::openapi_json()).at("paths").as_object();
  for (auto const& operation : api::operations()) {
    if (operation.surfaces == api::Surfaces::internal) continue;
    CAPTURE(operation.name);
    auto const* path = paths.if_contains("/api/v1" + std::string{operation.path});
    REQUIRE(path);
    std::string method{api::to_text(operation.method)};
    for (auto& c : method) c = static_cast<char>(c | 0x20);
    REQUIRE(path->as_object().contains(method));
    auto const& entry = path->at(method).as_object();
    CHECK(entry.at("summary").as_string() == operation.summary);
    CHECK(entry.at("responses").as_object().contains(std::to_string(operation.status)));
  }
}

TEST_CASE("OpenApi.DescribesTheListFormsOfCreatingAndPicking") {
  auto const paths = boost::json::parse(api::openapi_json()).at("paths").as_object();
  auto const schema_in = [](boost::json::value const& content) {
    return content.at("content").at("application/json").at("schema");
  };
  auto const& create = paths.at("/api/v1/tasks").at("post");
  CHECK(schema_in(create.at("requestBody")).at("anyOf").at(1).at("type") == "array");
  CHECK(schema_in(create.at("responses").at("201"))
            .at("anyOf")
            .at(1)
            .at("properties")
            .as_object()
            .contains("items"));
  auto const& pick = paths.at("/api/v1/pick").at("post");
  CHECK(schema_in(pick.at("responses").at("200")).at("anyOf").as_array().size() == 2);
}
