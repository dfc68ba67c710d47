#include "os/processes/call_thread.hpp"

#include <cerrno>
#include <future>
#include <stdexcept>

#include <doctest/doctest.h>

using andon::os::CallThread;
using andon::os::SystemError;
using std::chrono::milliseconds;

TEST_CASE("CallThread.ReturnsAndThrowsWhatTheCallDoes") {
  CallThread calls{"here", milliseconds{60'000}};
  CHECK(calls.run([] { return 7; }) == 7);
  CHECK_THROWS_AS(calls.run([]() -> int { throw std::runtime_error{"no"}; }), std::runtime_error);
  CHECK(calls.run([&calls] { return calls.run([] { return std::this_thread::get_id(); }); }) !=
        std::this_thread::get_id());
}

TEST_CASE("CallThread.RefusesEverythingUntilACallThatWasGivenUpReturns") {
  CallThread calls{"the mount", milliseconds{1}};
  auto const gate = std::make_shared<std::promise<void>>();
  auto const returned = std::make_shared<std::promise<void>>();
  int number = 0;
  try {
    calls.run([gate, returned] {
      gate->get_future().wait();
      returned->set_value();
    });
  } catch (SystemError const& error) {
    number = error.number();
    CHECK(std::string{error.what()}.contains("the mount"));
  }
  CHECK(number == ETIMEDOUT);
  CHECK(calls.is_stuck());
  CHECK_THROWS_AS(calls.run([] { return 1; }), SystemError);
  gate->set_value();
  returned->get_future().wait();
  while (calls.is_stuck()) std::this_thread::yield();
  CallThread patient{"here", milliseconds{60'000}};
  CHECK(patient.run([] { return 2; }) == 2);
}
