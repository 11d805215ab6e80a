# Boots systemd as the first process of namespaces of its own: of the machine around it, it has the programs and the
# network, and nothing that it does stays. Of the machine's units it sees none, so that it starts, mounts and cleans
# nothing of it.
#   $1 what becomes /opt/malipo   $2 folder of units   $3 what becomes /etc/malipo   $4 what is started, by spaces
#   $5 an empty folder
set -eu
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs "$5" && cd "$5"
mkdir units etc opt opt/malipo
cp -a /etc/. etc
rm -rf etc/systemd etc/malipo && mkdir -p etc/systemd/system
cp -R "$3" etc/malipo
cp "$2"/*.service units
for target in basic sysinit shutdown network-online multi-user umount; do
  printf '[Unit]\nDefaultDependencies=no\n' > units/$target.target
done
printf '[Unit]\nDefaultDependencies=no\nWants=%s\n' "$4" > units/machine.target
mount --bind "$1" opt/malipo
mount --bind etc /etc
mount --rbind opt /opt
mount --bind units /lib/systemd/system
cd /
for none in /lib/systemd/system-generators /run; do mount -t tmpfs tmpfs $none; done
mkdir -p /run/lock
umount -R /sys/fs/cgroup 2>/dev/null || true
mount -t cgroup2 none /sys/fs/cgroup
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=machine.target --log-target=console --show-status=false
