# Sourced by bench/postgres: turns the recorded lines into its section of bench/RESULTS.md, between two marks.

kBegin='<!-- bench/postgres writes from here -->'
kEnd='<!-- bench/postgres writes to here -->'

# verdict MEASURED least|most GOAL: met, missed, or a dash when nothing was measured.
verdict() {
  awk -v measured="${1:-–}" -v kind="$2" -v goal="$3" 'BEGIN {
    if (measured !~ /^[0-9.]+$/) print "–"; else print (kind == "least" ? measured >= goal : measured <= goal) ? "met" : "**missed**" }'
}

# goal TITLE least|most GOAL MEASURED [UNIT]: a row of the table of goals.
goal() { echo "| $1 | at $2 $3${5:-} | ${4:-–}${4:+${5:-}} | $(verdict "${4:-}" "$2" "$3") |"; }

# sum LABEL KEY…: the sum of these values of the last line with the label, or nothing.
sum() {
  local label=$1 keys=" ${*:2} "
  awk -v label="$label" -v keys="$keys" '
    $1 == label { out = 0; for (i = 2; i <= NF; ++i) if (split($i, p, "=") == 2 && index(keys, " " p[1] " ")) out += p[2] }
    END { if (out != "") print out }' "$lines"
}

# paired_ratio LABEL OTHER: the median of the ratios of two rates in the same repeat, or nothing.
paired_ratio() {
  awk -v a="$1" -v b="$2" '
    { for (i = 2; i <= NF; ++i) if (split($i, p, "=") == 2 && (p[1] == "per_s" || p[1] == "rows_per_s")) rate = p[2] }
    $1 == a { x[++n] = rate }
    $1 == b { y[++m] = rate }
    END { for (i = 1; i <= n && i <= m; ++i) if (y[i] > 0) printf "%.2f\n", x[i] / y[i] }' "$lines" |
    sort -n | awk '{ v[NR] = $1 } END { if (NR) printf "%.2f\n", (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

write_goals() {
  echo "| | goal | measured | |"
  echo "| --- | --- | --- | --- |"
  goal "claim and complete against plain SQL, two requests" least 2.5 "$(paired_ratio alone/drain raw)"
  goal "the same, one request" least 2.5 "$(paired_ratio alone/cycle raw)"
  goal "tasks/s, two requests" least 12000 "$(median alone/drain per_s)"
  goal "tasks/s, one request" least 12000 "$(median alone/cycle per_s)"
  goal "beside $finished finished tasks and an old snapshot, against alone, two requests" least 0.8 "$(paired_ratio aged/drain alone/drain)"
  goal "the same, one request" least 0.8 "$(paired_ratio aged/cycle alone/cycle)"
  goal "claims through two servers that are lost, twice or leave gaps, of $(median two claims)" most 0 \
    "$(sum two lost twice ended_twice gaps)"
  goal "writes lost, twice, told twice, refused, never told or in gaps, after $restarts crashes" most 0 \
    "$(sum restarts lost twice told_twice refused unacknowledged gaps)"
  goal "from \"accepts connections\" to the first acknowledged write, longest" most 5000 "$(median restarts longest_ms)" " ms"
  echo "| connections cut at a commit: $cuts | the fate of each commit is known | $(known=$(sed -n 's/^cuts .*passed=//p' "$lines"); echo "${known:-–}") | |"
}

write_costs() {
  cat <<END

| $kWorkers workers | tasks/s | server CPU per task µs | PostgreSQL CPU per task µs | tasks per commit | log bytes per task |
| --- | --- | --- | --- | --- | --- |
| plain SQL, a connection each | $(median raw rows_per_s) | | | | |
END
  local label title
  while IFS='|' read -r label title; do
    echo "| $title | $(median "$label" per_s) | $(median "$label" srv_cpu_us) | $(median "$label" pg_cpu_us) |" \
      "$(median "$label" per_commit) | $(median "$label" wal_bytes) |"
  done <<'END'
alone/drain|one server, two requests
alone/cycle|one server, one request
aged/drain|beside an old snapshot, two requests
aged/cycle|beside an old snapshot, one request
END
}

# figures: what bench/scale reckons with; what was not measured is left out.
figures() {
  local name label key value
  while read -r name label key; do
    value=$(median "$label" "$key")
    if [[ $value ]]; then echo "$name=$value"; fi
  done <<'END'
tasks_per_s alone/drain per_s
tasks_per_s_two two per_s
tasks_per_commit alone/drain per_commit
server_us_per_task alone/drain srv_cpu_us
pg_us_per_task alone/drain pg_cpu_us
pg_us_per_read reads pg_cpu_us
event_bytes size event_bytes
wal_per_task alone/drain wal_bytes
END
}

write_section() {
  local measured
  mapfile -t measured < <(figures)
  cat <<END
$kBegin
## Servers on one PostgreSQL

By \`bench/postgres\` on $(date -u +%F): $(nproc) cores for the servers, PostgreSQL and the load together, commit
$(git -C "$root" describe --always --dirty --abbrev=7), $("$programs/postgres" --version | sed 's/.*(\(.*\)) \([^ ]*\).*/\1 \2/'). Medians of $repeats interleaved repeats of $seconds s; $kWorkers workers, $backlog waiting tasks.
Load average before: $load_before. Plain SQL is \`pg_claim drain\`: a claim with \`SKIP LOCKED\` and a completion, two durable
transactions, on $kWorkers connections.

$(write_goals)
$(write_costs)

Two servers at once, $kWorkers workers each: $(median two per_s) tasks/s, $(median two first) and $(median two second) tasks. Under the crashes, $(median restarts acknowledged) writes
were acknowledged; $(median restarts busy) attempts heard \`BUSY\`, $(median restarts unknown) that the result is unknown, $(median restarts cut) lost their connection.
Lists of 20 tasks by $kRetryingWorkers readers: $(median reads per_s) a second, $(median reads pg_cpu_us) µs of PostgreSQL's CPU each.

### 10,000 boards and 100 servers, reckoned

By \`bench/scale${measured[*]:+ ${measured[*]}}\`:

$("$root/bench/scale" "${measured[@]}")
$kEnd
END
}

# replace_section FILE: puts the section between its marks, or at the end; everything else stays.
replace_section() {
  local section=$built/postgres_section
  write_section >"$section"
  awk -v begin="$kBegin" -v end="$kEnd" -v section="$section" '
    function put(  line) { while ((getline line < section) > 0) print line; done = 1 }
    $0 == begin { skipping = 1; put() }
    !skipping { print; blank = $0 == "" }
    $0 == end { skipping = 0 }
    END { if (!done) { if (!blank) print ""; put() } }' "$1" >"$built/postgres_results"
  cat "$built/postgres_results" >"$1"
  say "Written: $1"
}
