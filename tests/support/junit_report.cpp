// Writes what ran as JUnit XML to $ANDON_TEST_REPORT, beside doctest's own words on the terminal;
// doctest can write one of the two only.
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (char const c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

struct Case {
  std::string file;
  std::string name;
  double seconds = 0;
  std::string failure;
  bool failed = false;
  bool skipped = false;
};

class JUnitReport : public doctest::IReporter {
 public:
  explicit JUnitReport(doctest::ContextOptions const&) {}

  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_case_start(doctest::TestCaseData const& data) override { add(data); }
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_message(doctest::MessageData const&) override {}

  void test_case_skipped(doctest::TestCaseData const& data) override {
    if (data.m_skip) add(data).skipped = true;  // the others were only filtered out
  }

  void test_case_end(doctest::CurrentTestCaseStats const& stats) override {
    cases_.back().seconds = stats.seconds;
    cases_.back().failed = !stats.testCaseSuccess;
  }

  void test_case_exception(doctest::TestCaseException const& e) override { complain(e.error_string.c_str()); }

  void log_assert(doctest::AssertData const& assertion) override {
    if (!assertion.m_failed) return;
    complain(std::string(assertion.m_file) + ":" + std::to_string(assertion.m_line) + ": " +
             assertion.m_expr);
  }

  void test_run_end(doctest::TestRunStats const&) override {
    char const* const path = std::getenv("ANDON_TEST_REPORT");
    if (path == nullptr || *path == '\0') return;
    std::ofstream out(path);
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"doctest\">\n";
    for (auto const& one : cases_) write(out, one);
    out << "</testsuite>\n</testsuites>\n";
  }

 private:
  Case& add(doctest::TestCaseData const& data) {
    auto& added = cases_.emplace_back();
    added.file = data.m_file.c_str();
    added.name = data.m_name;
    return added;
  }

  void complain(std::string_view text) {
    std::lock_guard const lock(mutex_);
    if (!cases_.back().failure.empty()) cases_.back().failure += '\n';
    cases_.back().failure += text;
  }

  static void write(std::ostream& out, Case const& one) {
    out << "<testcase classname=\"" << escaped(one.file) << "\" name=\"" << escaped(one.name) << "\" time=\""
        << one.seconds << "\">";
    if (one.skipped) out << "<skipped/>";
    if (one.failed) out << "<failure message=\"" << escaped(one.failure) << "\"/>";
    out << "</testcase>\n";
  }

  std::mutex mutex_;  // assertions may come from any thread of a test
  std::vector<Case> cases_;
};

}  // namespace

REGISTER_LISTENER("andon-junit", 1, JUnitReport);
