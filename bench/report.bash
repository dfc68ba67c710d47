# Sourced by bench/run: turns the recorded lines into the tables of bench/RESULTS.md. What people wrote below them stays.

# median LABEL KEY: the middle value of the repeats, or nothing.
median() {
  awk -v label="$1" -v key="$2" '$1 == label { for (i = 2; i <= NF; ++i) if (split($i, p, "=") == 2 && p[1] == key) print p[2] }' "$lines" |
    sort -n | awk '{ v[NR] = $1 } END { if (NR) print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# ratio A B [DIGITS]: A / B, or a dash when either is missing.
ratio() {
  awk -v a="${1:-}" -v b="${2:-}" -v digits="${3:-2}" 'BEGIN { if (a == "" || b == "" || b == 0) print "–"; else printf "%.*f\n", digits, a / b }'
}

load_range() {
  grep -o 'load=[0-9.]*' "$lines" | cut -d = -f 2 | sort -n | awk 'NR == 1 { low = $1 } { high = $1 } END { print low " to " high }'
}

write_machine() {
  cat <<END
# Results

Written by \`bench/run\` on $(date -u +%F). Medians of $repeats interleaved repeats; FULL durability, everything over loopback.

| | |
| --- | --- |
| processor | $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores |
| memory | $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo) |
| kernel | $(uname -r) |
| Andon | $("$andon" --version), g++ 12 release build of commit $(git -C "$root" describe --always --dirty --abbrev=7) |
| load average before | $load_before |
| load average meanwhile | $(load_range) (the measurement itself brings 1 to 3) |

Rates and times suffer from whatever else runs on the machine; ratios to the limit program of the same minutes suffer less, CPU
per operation least.

END
}

write_load() {
  local workers
  cat <<END
## Pick, complete and enqueue over HTTP, $backlog waiting

One task per request, every answer durable. The limit, \`http_actor\`, does the same three steps without any rule: no roles, no
limits, no history worth reading, no JSON. The goal at 32 workers is a ratio of 0.5, finally 0.75.

| workers | cycles/s | limit | ratio | pick p50 / p99 µs | limit | complete, enqueue p50 µs | server CPU per cycle µs | limit | ratio |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
END
  for workers in 1 8 32; do
    local mine=andon/$workers limit=actor/$workers
    echo "| $workers | $(median "$mine" per_s) | $(median "$limit" per_s) | **$(ratio "$(median "$mine" per_s)" "$(median "$limit" per_s)")** |" \
      "$(median "$mine" pick_p50_us) / $(median "$mine" pick_p99_us) | $(median "$limit" pick_p50_us) / $(median "$limit" pick_p99_us) |" \
      "$(median "$mine" complete_p50_us), $(median "$mine" enqueue_p50_us) | $(median "$mine" srv_cpu_us) | $(median "$limit" srv_cpu_us) |" \
      "$(ratio "$(median "$mine" srv_cpu_us)" "$(median "$limit" srv_cpu_us)") |"
  done
  cat <<END

The same work where the end of a task picks the next one, so that a task costs two requests and not three:

| workers | cycles/s | against three requests | end and pick p50 µs | server CPU per cycle µs |
| --- | --- | --- | --- | --- |
END
  for workers in 1 8 32; do
    local mine=cycle/$workers apart=andon/$workers
    echo "| $workers | $(median "$mine" per_s) | **$(ratio "$(median "$mine" per_s)" "$(median "$apart" per_s)")** |" \
      "$(median "$mine" complete_p50_us) | $(median "$mine" srv_cpu_us) |"
  done
  cat <<END

Claim and complete alone, without new tasks, from a board with $((backlog * 4)) waiting: as two requests, and as one, in which the end
of a task picks the next. The goal of a claim and a completion is 110 µs of server CPU at 32 workers.

| workers | two requests: tasks/s | server CPU per task µs | one request: tasks/s | server CPU per task µs | request p50 µs |
| --- | --- | --- | --- | --- | --- |
END
  for workers in 1 8 32; do
    echo "| $workers | $(median "drain/$workers" per_s) | $(median "drain/$workers" srv_cpu_us) |" \
      "$(median "drain_cycle/$workers" per_s) | $(median "drain_cycle/$workers" srv_cpu_us) | $(median "drain_cycle/$workers" complete_p50_us) |"
  done
  cat <<END

One overwrite with \`fdatasync\` in the same minutes: p50 $(median sync p50_us) µs, p99 $(median sync p99_us) µs.
Filling by arrays of 1,000: $(median "fill/$backlog" per_s) tasks/s, $(median "fill/$backlog" srv_cpu_us) µs of server CPU per task.

END
}

write_pick() {
  local size first
  first=${sizes%% *}
  cat <<END
## The pick against the backlog

One worker picks into a column with a WIP limit and completes. Four classes, four priorities, three roles, of which it picks for one
after the other; every fourth task waits for one that is never done, every task touches files, and work under way holds a tenth of
these. The goal: p50 at most 1.15 times and p99 at most 1.3 times that of the smallest backlog.

| waiting | pick p50 µs | against $first | pick p99 µs | against $first | server CPU per pick + complete µs |
| --- | --- | --- | --- | --- | --- |
END
  for size in $sizes; do
    echo "| $size | $(median "pick/$size" p50_us) | $(ratio "$(median "pick/$size" p50_us)" "$(median "pick/$first" p50_us)") |" \
      "$(median "pick/$size" p99_us) | $(ratio "$(median "pick/$size" p99_us)" "$(median "pick/$first" p99_us)") | $(median "pick/$size" srv_cpu_us) |"
  done
  echo
}

write_wake() {
  cat <<END
## From the start of an enqueue until a parked picker holds the task

Both durable.

| | p50 µs | p99 µs |
| --- | --- | --- |
| Andon | $(median wake p50_us) | $(median wake p99_us) |
| limit | $(median actor_wake p50_us) | $(median actor_wake p99_us) |
| ratio | $(ratio "$(median wake p50_us)" "$(median actor_wake p50_us)") | $(ratio "$(median wake p99_us)" "$(median actor_wake p99_us)") |

END
}

write_small() {
  cat <<END
## Memory and commands at 10,000 tasks

| | measured | goal |
| --- | --- | --- |
| resident memory of the server | $(ratio "$(median memory rss_kib)" 1024 1) MiB | 64 MiB |
| one of $(median streams streams) idle event streams on a fresh server | $(median streams kib_per_stream) KiB | 64 KiB |

| 50 processes one after the other | time p50 / p99 ms | CPU ms |
| --- | --- | --- |
END
  local label title
  while IFS='|' read -r label title; do
    echo "| $title | $(ratio "$(median "$label" p50_us)" 1000 1) / $(ratio "$(median "$label" p99_us)" 1000 1) | $(ratio "$(median "$label" cpu_us)" 1000 1) |"
  done <<'END'
list/server|`andon list --limit 20` through the server
pick/server|`andon pick` through the server
list/alone|`andon list --limit 20` on the data directory
pick/alone|`andon pick` on the data directory
version|`andon --version`, for comparison
END
  echo
}

write_report() {
  write_machine
  write_load
  write_pick
  write_wake
  write_small
  sed -n '/^## Commands on boards of Markdown files/,$p' "$root/bench/RESULTS.md" 2>/dev/null || true
}
