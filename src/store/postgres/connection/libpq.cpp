#include "store/postgres/connection/libpq.hpp"

#include <dlfcn.h>
#include <string>

#include "store/contract/store_error.hpp"

namespace andon::store::postgres {
namespace {

template <class Function>
bool load(void* library, char const* name, Function& into) {
  into = reinterpret_cast<Function>(::dlsym(library, name));
  return into != nullptr;
}

}  // namespace

Libpq::Libpq(char const* name) {
  using enum StoreError::Kind;
  void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw StoreError{other, std::string{name} + " is missing; install the package libpq5"};
  if (!load_connection(library) || !load_pipeline(library) || !load_result(library))
    throw StoreError{other, std::string{name} + " is too old; install libpq5 of version 14 or later"};
}

bool Libpq::load_connection(void* library) {
  return load(library, "PQconninfoParse", options.parse) &&
         load(library, "PQconndefaults", options.defaults) && load(library, "PQconninfoFree", options.free) &&
         load(library, "PQfreemem", options.free_text) &&
         load(library, "PQconnectdbParams", connection.connect) &&
         load(library, "PQfinish", connection.finish) && load(library, "PQstatus", connection.status) &&
         load(library, "PQerrorMessage", connection.error) &&
         load(library, "PQsetNoticeProcessor", connection.set_notice_processor) &&
         load(library, "PQserverVersion", connection.server_version) &&
         load(library, "PQparameterStatus", connection.parameter) &&
         load(library, "PQtransactionStatus", connection.transaction) &&
         load(library, "PQsocket", connection.socket) &&
         load(library, "PQconsumeInput", connection.consume) &&
         load(library, "PQnotifies", connection.notice) && load(library, "PQgetCancel", cancel.get) &&
         load(library, "PQfreeCancel", cancel.free) && load(library, "PQcancel", cancel.send);
}

bool Libpq::load_pipeline(void* library) {
  return load(library, "PQenterPipelineMode", pipeline.enter) &&
         load(library, "PQexitPipelineMode", pipeline.exit) &&
         load(library, "PQpipelineSync", pipeline.sync) && load(library, "PQsendPrepare", pipeline.prepare) &&
         load(library, "PQsendQueryPrepared", pipeline.run) &&
         load(library, "PQsendQueryParams", pipeline.run_once) && load(library, "PQexec", pipeline.script) &&
         load(library, "PQgetResult", pipeline.receive);
}

bool Libpq::load_result(void* library) {
  return load(library, "PQclear", result.clear) && load(library, "PQresultStatus", result.status) &&
         load(library, "PQresultErrorField", result.error_field) &&
         load(library, "PQcmdStatus", result.command) && load(library, "PQcmdTuples", result.changed) &&
         load(library, "PQntuples", result.rows) && load(library, "PQnfields", result.columns) &&
         load(library, "PQftype", result.type) && load(library, "PQgetisnull", result.is_null) &&
         load(library, "PQgetvalue", result.value) && load(library, "PQgetlength", result.length);
}

Libpq const& libpq() {
  static Libpq const loaded{"libpq.so.5"};
  return loaded;
}

}  // namespace andon::store::postgres
