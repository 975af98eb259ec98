#!/usr/bin/env bash
# bare_machine.sh: runs the README's commands on a Debian that has nothing installed, in a chroot.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<'TEXT'
usage: scripts/bare_machine.sh [OPTION...]

Makes a minimal Debian in a folder (debootstrap --variant=minbase), clones this repository into it, runs commands of
the README there, and reports the exit status and the time of each. It needs root, debootstrap, git and unshare.

  --run COMMAND   run this shell command in the clone; may be repeated. Default: scripts/run_all.sh quick_start, then
                  make test
  --keep DIR      make the machine in DIR and leave it there; a machine that is already in DIR is used unchanged
  --suite NAME    Debian release (default: bookworm)
  --mirror URL    Debian mirror (default: the host's mirror of that release, else http://deb.debian.org/debian)

The machine gets the host's proxy variables, apt's Acquire settings, pip's settings and the local CA certificates, so
that it works behind a mirror. Files of /etc/apt/auth.conf.d are not copied.
Exit status: 0 every command succeeded, 1 one failed, 2 bad usage or no machine could be made, 130 or 143 interrupted.
TEXT
}

die() {
    echo "bare_machine: $*" >&2
    exit 2
}

# ---- options ----

commands=()
suite=bookworm mirror='' keep=''
while (($# > 0)); do
    case $1 in
    -h | --help)
        usage
        exit
        ;;
    --run | --keep | --suite | --mirror) (($# > 1)) || die "$1 needs a value; --help lists the options" ;;&
    --run) commands+=("$2") ;;
    --keep) keep=$2 ;;
    --suite) suite=$2 ;;
    --mirror) mirror=$2 ;;
    *) die "$1: no such option; --help lists them" ;;
    esac
    shift 2
done
((${#commands[@]} > 0)) || commands=('scripts/run_all.sh quick_start' 'make test')

[[ $(id -u) == 0 ]] || die "only root can make a chroot: run it with sudo"
for program in debootstrap git unshare; do
    command -v "$program" >/dev/null || die "$program is not installed: apt-get install $program"
done

git rev-parse --git-dir >/dev/null 2>&1 || die "$PWD is not a git clone: there is nothing to clone"

# ---- the machine ----

if [[ -n $keep ]]; then
    mkdir -p "$keep"
    root=$(realpath "$keep")
    [[ -d $root/gtrav || -z $(ls -A "$root") ]] || die "--keep $keep: neither empty nor a machine of this script"
else
    root=$(mktemp -d "${TMPDIR:-/tmp}/gtrav-bare.XXXXXX")
fi

# Runs a program in process and mount namespaces of its own, so that its mounts below $root end with it. Signals
# interrupt the wait; clean_up then kills the program and all that it started.
child=''
isolated() {
    local status=0
    unshare --mount --mount-proc --pid --fork --kill-child "$@" </dev/null &
    child=$!
    wait "$child" || status=$?
    child=''
    return $status
}

log=$(mktemp)
clean_up() {
    if [[ -n $child ]]; then
        kill -KILL "$child"
        wait "$child" || true
    fi 2>/dev/null
    rm -f "$log"
    [[ -z $keep ]] || return 0
    # A process that was killed may still finish a write.
    rm -rf --one-file-system "$root" 2>/dev/null || { sleep 1 && rm -rf --one-file-system "$root"; }
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

host_mirror() {
    local found
    found=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' "Release: $suite" 2>/dev/null |
        sed -n 1p)
    echo "${found:-http://deb.debian.org/debian}"
}

# The host's variables that lead to proxies, package indexes and CA certificates, as NAME=VALUE.
host_variables=()
for name in $(compgen -e); do
    case ${name,,} in
    http_proxy | https_proxy | ftp_proxy | no_proxy | pip_* | ssl_cert_file | requests_ca_bundle | curl_ca_bundle)
        host_variables+=("$name=${!name}")
        ;;
    esac
done
environment=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${host_variables[@]}")

make_machine() {
    local proxy='' Proxy='' path
    eval "$(apt-config shell Proxy Acquire::http::Proxy)"
    proxy=${http_proxy:-$Proxy}
    echo "bare_machine: making Debian $suite in $root" >&2
    isolated env ${proxy:+http_proxy="$proxy"} \
        debootstrap --variant=minbase "$suite" "$root" "${mirror:-$(host_mirror)}" >"$log" 2>&1 ||
        die "debootstrap failed: $(tail -n 1 "$log")"
    apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/10host" || true
    # What the host has of these goes to the same places.
    for path in /etc/hosts /etc/resolv.conf /etc/pip.conf /usr/local/share/ca-certificates "${host_variables[@]#*=}"; do
        [[ $path != /* || ! -e $path ]] || cp -rL --parents "$path" "$root"
    done
    chmod 755 "$root" # mktemp lets no other user in
    git clone --quiet --depth 1 "file://$PWD" "$root/gtrav"
}

# Runs a shell command in the clone, on a machine that has its own mounts and processes.
on_machine() {
    isolated bash -euc '
        root=$1 command=$2
        shift 2
        mount -t proc proc "$root/proc"
        mount -t sysfs -o ro sysfs "$root/sys"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/dev/shm"
        exec chroot "$root" env -i "$@" bash -c "cd /gtrav && $command"' bash "$root" "$1" "${environment[@]}"
}

run_commands() {
    local command begin status failed=0 results=()
    if [[ ! -d $root/gtrav ]]; then
        make_machine
        results+=("Debian $suite: made in $SECONDS s")
    fi
    for command in "${commands[@]}"; do
        echo "bare_machine: \$ $command" >&2
        begin=$SECONDS status=0
        on_machine "$command" || status=$?
        results+=("$command: exit status $status after $((SECONDS - begin)) s")
        [[ $status == 0 ]] || failed=1
    done
    printf 'bare_machine: %s\n' "${results[@]}"
    [[ -z $keep ]] || echo "bare_machine: the machine is left in $root; --keep $keep --run COMMAND uses it again"
    return $failed
}

run_commands; exit # on one line: bash must not read on in a file that may have changed meanwhile
