#!/bin/sh
# Runs a command with a network and two small disks of its own, so that a storm may lose packets and fill a disk without
# harm to the machine, and as it is where the machine has no namespaces, or where Citus is to be reached.
if [ "$(id -u)" = 0 ]; then flags='--net --mount'; else flags='--net --mount --user --map-current-user --keep-caps'; fi
prepare='ip link set lo up
  mount -t tmpfs -o mode=1777 tmpfs /mnt
  for disk in one two; do
    mkdir -m 1777 /mnt/$disk
    mount -t tmpfs -o size=3g,mode=1777 tmpfs /mnt/$disk
  done'
if [ -z "$CITUS_URL" ] && unshare $flags sh -ec "$prepare" 2>/dev/null; then
  SMALL_DISKS=/mnt/one:/mnt/two exec unshare $flags sh -ec "$prepare"'; exec "$@"' sh "$@"
fi
exec "$@"
