#!/bin/sh
# Installs the locked dependencies when they are missing or another lock file than the
# installed one says so: `npm start` and `npm test` complete on a fresh clone.
set -e
cd "$(dirname "$0")/.."
marker=node_modules/.installed-lock
if ! cmp -s package-lock.json "$marker"; then
  # Its report goes to stderr: what the command prints on stdout may be meant for a machine.
  # Only these need their install scripts; aws-lambda-ric would compile for half a minute.
  npm ci --ignore-scripts --no-fund --no-audit --loglevel=error >&2
  npm rebuild --loglevel=error node esbuild classic-level >&2
  cp package-lock.json "$marker"
fi
