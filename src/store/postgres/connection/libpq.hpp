#pragma once

#include <libpq-fe.h>
#include <memory>

namespace andon::store::postgres {

/// The functions of libpq that are used, under the names of their parts. The program does not link libpq:
/// the library and the 22 others that it needs would cost each start 5 ms.
class Libpq {
 public:
  /// Throws StoreError when there is no library of this name, or when it is too old.
  explicit Libpq(char const* name);

  struct Options {
    decltype(&PQconninfoParse) parse = nullptr;
    decltype(&PQconndefaults) defaults = nullptr;
    decltype(&PQconninfoFree) free = nullptr;
    decltype(&PQfreemem) free_text = nullptr;
  } options;
  struct Connecting {
    decltype(&PQconnectdbParams) connect = nullptr;
    decltype(&PQfinish) finish = nullptr;
    decltype(&PQstatus) status = nullptr;
    decltype(&PQerrorMessage) error = nullptr;
    decltype(&PQsetNoticeProcessor) set_notice_processor = nullptr;
    decltype(&PQserverVersion) server_version = nullptr;
    decltype(&PQparameterStatus) parameter = nullptr;
    decltype(&PQtransactionStatus) transaction = nullptr;
    decltype(&PQsocket) socket = nullptr;
    decltype(&PQconsumeInput) consume = nullptr;
    decltype(&PQnotifies) notice = nullptr;
  } connection;
  struct Cancelling {
    decltype(&PQgetCancel) get = nullptr;
    decltype(&PQfreeCancel) free = nullptr;
    decltype(&PQcancel) send = nullptr;
  } cancel;
  struct Sending {
    decltype(&PQenterPipelineMode) enter = nullptr;
    decltype(&PQexitPipelineMode) exit = nullptr;
    decltype(&PQpipelineSync) sync = nullptr;
    decltype(&PQsendPrepare) prepare = nullptr;
    decltype(&PQsendQueryPrepared) run = nullptr;
    decltype(&PQsendQueryParams) run_once = nullptr;
    decltype(&PQexec) script = nullptr;
    decltype(&PQgetResult) receive = nullptr;
  } pipeline;
  struct Results {
    decltype(&PQclear) clear = nullptr;
    decltype(&PQresultStatus) status = nullptr;
    decltype(&PQresultErrorField) error_field = nullptr;
    decltype(&PQcmdStatus) command = nullptr;
    decltype(&PQcmdTuples) changed = nullptr;
    decltype(&PQntuples) rows = nullptr;
    decltype(&PQnfields) columns = nullptr;
    decltype(&PQftype) type = nullptr;
    decltype(&PQgetisnull) is_null = nullptr;
    decltype(&PQgetvalue) value = nullptr;
    decltype(&PQgetlength) length = nullptr;
  } result;

 private:
  bool load_connection(void* library);
  bool load_pipeline(void* library);
  bool load_result(void* library);
};

/// The library of this system, loaded by the first call. Throws StoreError.
Libpq const& libpq();

struct ClearResult {
  void operator()(PGresult* result) const { libpq().result.clear(result); }
};
struct FinishConnection {
  void operator()(PGconn* connection) const { libpq().connection.finish(connection); }
};
struct FreeCancel {
  void operator()(PGcancel* cancel) const { libpq().cancel.free(cancel); }
};
struct FreeOptions {
  void operator()(PQconninfoOption* options) const { libpq().options.free(options); }
};
using ResultHandle = std::unique_ptr<PGresult, ClearResult>;
using ConnectionHandle = std::unique_ptr<PGconn, FinishConnection>;
using CancelHandle = std::unique_ptr<PGcancel, FreeCancel>;
using OptionsHandle = std::unique_ptr<PQconninfoOption, FreeOptions>;

}  // namespace andon::store::postgres
