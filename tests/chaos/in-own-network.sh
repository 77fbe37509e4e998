#!/bin/sh
# Runs a command in a network namespace of its own, so that a storm may lose packets without harm to the machine, and as
# it is where the machine has none.
if [ "$(id -u)" = 0 ]; then flags='--net'; else flags='--net --user --map-current-user --keep-caps'; fi
if unshare $flags ip link set lo up 2>/dev/null; then
  exec unshare $flags sh -c 'ip link set lo up && exec "$@"' sh "$@"
fi
exec "$@"
