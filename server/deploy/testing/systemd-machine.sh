# Boots systemd as the first process of namespaces of its own: of the machine around it, it has the programs and the
# network, and nothing that it does stays. Of the machine's units it sees none, so that it starts, mounts and cleans
# nothing of it.
#   $1 what becomes /opt/malipo   $2 folder of units   $3 what becomes /etc/malipo   $4 what is started, by spaces
set -eu
mount --make-rprivate /
mount -t proc proc /proc
mkdir /tmp/malipo-machine.$$ && mount -t tmpfs tmpfs /tmp/malipo-machine.$$ && scratch=/tmp/malipo-machine.$$
mkdir $scratch/units $scratch/etc $scratch/opt $scratch/opt/malipo
cp -a /etc/. $scratch/etc
rm -rf $scratch/etc/systemd $scratch/etc/malipo && mkdir -p $scratch/etc/systemd/system
cp -R "$3" $scratch/etc/malipo
cp "$2"/*.service $scratch/units
for target in basic sysinit shutdown network-online multi-user umount; do
  printf '[Unit]\nDefaultDependencies=no\n' > $scratch/units/$target.target
done
printf '[Unit]\nDefaultDependencies=no\nWants=%s\n' "$4" > $scratch/units/machine.target
mount --bind "$1" $scratch/opt/malipo
mount --bind $scratch/etc /etc
mount --rbind $scratch/opt /opt
mount --bind $scratch/units /lib/systemd/system
for none in /lib/systemd/system-generators /run; do mount -t tmpfs tmpfs $none; done
mkdir -p /run/lock
umount -R /sys/fs/cgroup 2>/dev/null || true
mount -t cgroup2 none /sys/fs/cgroup
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=machine.target --log-target=console --show-status=false
