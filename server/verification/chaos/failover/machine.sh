# A machine of the drill, in namespaces of its own: it has an empty place wherever the installed files of a node name one.
#   machine.sh FOLDER
set -e
for place in etc/patroni var/backups var/lib/postgresql var/lib/etcd run/postgresql; do
  mkdir -p "$1/$place" "/$place"
  mount --bind "$1/$place" "/$place"
done
chown -R postgres:postgres "$1"
ip link set lo up
echo up
exec sleep infinity
