# Sourced by ./up, ./check and the tools: where we are, and what went wrong.
# A step line is "[2/4] Building the page (31 s since the start)".

progress_step=0
progress_steps=0
progress_started=$SECONDS

steps() { progress_steps=$1; }

step() {
  progress_step=$((progress_step + 1))
  printf '\n[%d/%d] %s (%d s since the start)\n' \
    "$progress_step" "$progress_steps" "$*" "$((SECONDS - progress_started))" >&2
}

say() { printf '      %s\n' "$*" >&2; }

fail() {
  printf '\n%s: %s\n' "${0##*/}" "$1" >&2
  shift
  if (($#)); then printf '  %s\n' "$@" >&2; fi
  exit 1
}
