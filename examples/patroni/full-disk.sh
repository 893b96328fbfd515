#!/bin/sh
# /usr/local/sbin/kalends-full-disk of each database machine. On a full disk PostgreSQL refuses writes and stays the primary, so this
# makes another machine the primary: once until there is room again, in case that all disks are full.
has_left=no
while sleep 3; do
  used=$(df --output=pcent /var/lib/postgresql | tr --complement --delete 0-9)
  [ "$used" -ge 95 ] || has_left=no
  [ "$used" -ge 95 ] && [ "$has_left" = no ] || continue
  curl --fail --silent --output /dev/null http://ADDRESS:8008/primary || continue
  echo "The disk is full to $used %: another machine becomes the primary."
  patronictl -c /etc/patroni/config.yml switchover --force kalends && has_left=yes
done
