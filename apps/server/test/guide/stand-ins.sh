#!/bin/bash
# Stands in, under the name that it is called by, for a program that needs root, systemd or a network. It records the call in
# $ROOT/calls, and does as much as the next command of docs/self-hosting.md needs.
set -eu
name=$(basename "$0")
printf '%s' "$name" >>"$ROOT/calls"
printf ' %s' "$@" >>"$ROOT/calls"
printf '\n' >>"$ROOT/calls"
last=${*: -1}
unit=$ROOT/etc/systemd/system/kalends.service

# Prints a field of the unit with its paths inside $ROOT, as the paths of the commands are.
field() { sed -n "s/^$1=//p" "$unit" | sed -E "s#(^|[ :=-])/(opt|etc|var)/#\1$ROOT/\2/#g"; }

start() {
  mkdir -p "$ROOT/var/lib/$(field StateDirectory)"
  cd "$(field WorkingDirectory)"
  rm -f "$ROOT/ended" "$ROOT/pid"
  (
    set -a
    for setting in $(field Environment); do eval "$setting"; done
    # shellcheck disable=SC1090
    . "$(field EnvironmentFile | sed 's/^-//')"
    set +a
    $(field ExecStart) &
    echo $! >"$ROOT/pid"
    wait || true
    touch "$ROOT/ended"
  ) >>"$ROOT/journal" 2>&1 </dev/null &
  until [ -s "$ROOT/pid" ]; do sleep 0.05; done
}

stop() {
  kill "$(cat "$ROOT/pid")" 2>/dev/null || true
  until [ -f "$ROOT/ended" ]; do sleep 0.05; done
}

case "$name $*" in
  "systemctl enable --now kalends"* | "systemctl start kalends") start ;;
  "systemctl stop kalends" | "systemctl disable --now kalends") stop ;;
  "systemctl restart kalends") stop && start ;;
  "journalctl --unit=kalends"*) cat "$ROOT/journal" ;;
  "git clone "*) mkdir -p "$last" && cp -R "$REPOSITORY/examples" "$last" && echo v1.0.0 >"$ROOT/tag" ;;
  "git checkout "*) echo "$last" >"$ROOT/tag" ;;
  "git describe --tags --always") cat "$ROOT/tag" ;;
  # deep/server/deploy.deep.test.ts runs the real command, which takes a minute. A release is made of the build that is there.
  "npm run pnpm -- --filter=@kalends/server deploy --prod "*)
    mkdir -p "$last"
    cp -R "$REPOSITORY"/apps/server/{dist,assets,package.json} "$last"
    ln -s "$REPOSITORY/apps/server/node_modules" "$last/node_modules"
    ;;
  "install "*) # the user and the group exist only after a real useradd
    arguments=()
    for argument in "$@"; do [[ $argument == --group=* || $argument == --owner=* ]] || arguments+=("$argument"); done
    PATH=$REAL_PATH install "${arguments[@]}"
    ;;
  "runuser --user=kalends -- "*) # the user is this one, and the file of settings is not in /etc
    shift 2
    case $1 in pg_dump | pg_restore | psql) exec "$@" ;; esac
    "$1" --env-file "$ROOT/etc/kalends.env" "${@:2}"
    ;;
  "curl "*" http://127.0.0.1:808"[12]"/readyz") ;; # of the template, whose one server here has another port
  "curl "*" http://127.0.0.1:"*) PATH=$REAL_PATH curl "$@" ;;
  "curl "*/SHASUMS256.txt)
    mkdir -p node-v24/bin
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$NODE" | tee node-v24/bin/{node,npm,npx} >/dev/null
    chmod +x node-v24/bin/*
    tar -czf node-v24.9.9-linux-x64.tar.xz node-v24
    (sha256sum node-v24.9.9-linux-x64.tar.xz && echo "$(printf '%064d' 0)  node-v24.9.9-linux-arm64.tar.xz") >SHASUMS256.txt
    ;;
  "curl "*linux-x64.tar.xz) [ -f "$(basename "$last")" ] ;;
esac
