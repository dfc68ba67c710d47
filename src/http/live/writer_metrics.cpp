#include "http/live/writer_metrics.hpp"

#include <cstdio>
#include <functional>

namespace andon::http {
namespace {

std::string in_seconds(std::chrono::microseconds time) {
  std::string out(32, '\0');
  auto const length =
      std::snprintf(out.data(), out.size(), "%.6f", std::chrono::duration<double>(time).count());
  out.resize(static_cast<std::size_t>(length));
  return out;
}

using Value = std::function<std::string(store::ActTimes const&)>;

void add(std::string& out, store::WriterTimes::Totals const& totals, std::string const& name,
         std::string_view type, Value const& value) {
  out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
  for (std::size_t act = 0; act < totals.acts.size(); ++act)
    out.append(name)
        .append("{act=\"")
        .append(store::kWriterActNames.at(act))
        .append("\"} ")
        .append(value(totals.acts.at(act)))
        .append("\n");
}

}  // namespace

std::string metrics_of(store::WriterTimes::Totals const& totals) {
  std::string out;
  add(out, totals, "andon_writer_acts_total", "counter",
      [](auto const& act) { return std::to_string(act.count); });
  add(out, totals, "andon_writer_long_acts_total", "counter",
      [](auto const& act) { return std::to_string(act.beyond_bound); });
  add(out, totals, "andon_writer_longest_act_seconds", "gauge",
      [](auto const& act) { return in_seconds(act.most.time); });
  add(out, totals, "andon_writer_largest_act_rows", "gauge",
      [](auto const& act) { return std::to_string(act.most.rows); });
  out += "# TYPE andon_writer_slowest_renewal_seconds gauge\nandon_writer_slowest_renewal_seconds " +
         in_seconds(totals.slowest_urgent) + "\n";
  return out;
}

}  // namespace andon::http
