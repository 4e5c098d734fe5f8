#!/bin/sh
# Prepares .venv, and nothing outside the checkout except missing Debian packages where that is allowed.
#
#   sh packaging/setup.sh [extra ...]   installs requirements/default.lock, app.lock and those of the extras
#   sh packaging/setup.sh --uv          prints the path of a uv, for `make lock`
#
# .venv counts only while .venv/.ready stands: it is removed first and written last, so an
# interrupted set-up is never taken for a finished one.
# File layout of .ready: the checkout's path, the fingerprint of what was installed, the extras.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
root=$(pwd -P)
log=.bootstrap/set-up.log
apt_updated=''

say() { printf 'set-up: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
quietly() { "$@" >>"$log" 2>&1 </dev/null; }

# Every place on PATH, not only the first hit: a pyenv shim may exist and yet fail.
in_path() { # in_path name...
	for name; do
		(
			set -f
			IFS=:
			for folder in $PATH; do printf '%s\n' "$folder/$name"; done
		)
	done
}

# --- is there anything to do? ---------------------------------------------------------------

fingerprint() { cat pyproject.toml packaging/setup.sh packaging/debian-packages.txt requirements/*.lock | cksum; }

read_ready() {
	ready_root='' ready_sum='' ready_extras=''
	if [ -f .venv/.ready ]; then
		{ read -r ready_root; read -r ready_sum; read -r ready_extras; } <.venv/.ready || :
	fi
}

usable() { [ "$ready_root" = "$root" ] && .venv/bin/python -c '' 2>/dev/null; }

ready() { # ready extra...
	read_ready
	[ "$ready_sum" = "$(fingerprint)" ] || return 1
	for extra; do
		case " $ready_extras " in *" $extra "*) ;; *) return 1 ;; esac
	done
	usable
}

# --- one set-up at a time -------------------------------------------------------------------

release() { [ "$(readlink .bootstrap/lock 2>/dev/null)" != "$$" ] || rm -f .bootstrap/lock; }

# A symbolic link, because it is made in one step together with what it says: the holder's id.
take_lock() {
	mkdir -p .bootstrap && [ -w .bootstrap ] || fail "cannot write to $root/.bootstrap"
	trap release EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	told=''
	until ln -s "$$" .bootstrap/lock 2>/dev/null; do
		holder=$(readlink .bootstrap/lock) || continue
		if kill -0 "$holder" 2>/dev/null; then
			[ -n "$told" ] || say "waiting for the set-up that process $holder is running"
			told=yes
			sleep 1
		elif mv .bootstrap/lock ".bootstrap/lock.$$" 2>/dev/null; then
			# Another waiter may have replaced the dead lock by its own in between: give it back.
			moved=$(readlink ".bootstrap/lock.$$")
			[ "$moved" = "$holder" ] || ln -s "$moved" .bootstrap/lock 2>/dev/null || :
			rm -f ".bootstrap/lock.$$"
		fi
	done
}

# --- system packages ------------------------------------------------------------------------

apt_install() { # apt_install package...: only as root, or with a sudo that does not ask
	have apt-get || return 1
	if [ "$(id -u)" = 0 ]; then sudo=''; else sudo='sudo -n'; fi
	[ -z "$sudo" ] || quietly sudo -n true || return 1
	set -- $sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=60 \
		-o Acquire::Retries=0 -o Acquire::http::Timeout=20 --no-install-recommends install "$@"
	quietly "$@" && return
	[ -z "$apt_updated" ] || return 1
	apt_updated=yes
	quietly $sudo apt-get update && quietly "$@"
}

missing_packages() {
	have dpkg-query && have apt-get || return 0
	while read -r package _; do
		case $package in '' | '#'*) continue ;; esac
		# Since 2024 some libraries carry "t64" in their names.
		dpkg-query -W -f='${db:Status-Status}\n' "$package" "${package}t64" 2>/dev/null |
			grep -qx installed || printf '%s ' "$package"
	done <packaging/debian-packages.txt
}

install_packages() {
	missing=$(missing_packages)
	[ -n "$missing" ] || return 0
	say "installing system packages: $missing"
	# shellcheck disable=SC2086 # a list of names
	apt_install $missing || say "the window may need what could not be installed: apt-get install $missing"
}

# --- uv -------------------------------------------------------------------------------------

find_uv() {
	for candidate in uv "$root/.bootstrap/uv/bin/uv"; do
		if "$candidate" --version >/dev/null 2>&1; then
			command -v "$candidate"
			return
		fi
	done
	return 1
}

# uv trusts its own list of certificates; behind a proxy with its own authority only the system's will do.
run_uv() { quietly "$uv" "$@" || quietly env UV_SYSTEM_CERTS=true "$uv" "$@"; }

uv_by_pip() { # uv_by_pip python
	rm -rf .bootstrap/uv
	quietly env PIP_USER=0 "$1" -m pip install --retries 1 --timeout 20 --target .bootstrap/uv \
		--require-hashes -r packaging/uv.lock
}

uv_by_any_pip() { # a Python too old for Sluice serves as well
	{ printf '%s\n' "$python"; in_path python3 python; } | {
		while IFS= read -r candidate; do
			[ -x "$candidate" ] || continue
			if ! quietly "$candidate" -m pip --version; then
				quietly "$candidate" -m venv --clear .bootstrap/pip || continue
				candidate=.bootstrap/pip/bin/python
			fi
			if uv_by_pip "$candidate"; then exit 0; fi
		done
		exit 1
	}
}

uv_by_installer() {
	version=$(sed -n 's/^uv==\([0-9.]*\).*/\1/p' packaging/uv.lock)
	url=https://astral.sh/uv/$version/install.sh
	if have curl; then quietly curl -LsSf --connect-timeout 20 -o .bootstrap/uv.sh "$url"
	elif have wget; then quietly wget -q -T 20 -t 1 -O .bootstrap/uv.sh "$url"
	else return 1; fi &&
		quietly env UV_UNMANAGED_INSTALL="$root/.bootstrap/uv/bin" sh .bootstrap/uv.sh
}

# uv is the quick way and can fetch a Python, so much is tried to get it.
get_uv() {
	find_uv && return
	say "fetching uv"
	uv_by_any_pip && find_uv && return
	uv_by_installer && find_uv && return
	apt_install python3-pip && uv_by_any_pip && find_uv && return
	have brew && quietly brew install uv && find_uv
}

# --- Python ---------------------------------------------------------------------------------

# Prints the interpreter behind the candidate (a venv may be about to go, a pyenv shim depends on
# the folder). 3.15 and later lack wheels; abiflags tell free-threaded and debug builds, which do too.
interpreter() {
	"$1" -c '
import sys
if (3, 12) <= sys.version_info < (3, 15) and sys.maxsize > 2**32 and not sys.abiflags:
    print(getattr(sys, "_base_executable", None) or sys.executable)
else:
    sys.exit(1)' 2>/dev/null </dev/null
}

# 3.12 first, as in .python-version.
candidates() {
	in_path python3.12 python3.13 python3.14 python3 python
	for versions in "${PYENV_ROOT:-/nonexistent}/versions" "${HOME:-}/.pyenv/versions"; do
		for found in "$versions"/3.1[2-4]*/bin/python; do printf '%s\n' "$found"; done
	done
	for found in "$root"/.bootstrap/python/*/bin/python3; do printf '%s\n' "$found"; done
	! uv=$(find_uv) || "$uv" python find --no-python-downloads '>=3.12,<3.15' 2>/dev/null || :
}

find_python() {
	candidates | {
		while IFS= read -r candidate; do
			if [ -x "$candidate" ] && interpreter "$candidate"; then exit 0; fi
		done
		exit 1
	}
}

get_python() {
	find_python && return
	say "no Python 3.12 to 3.14 found, fetching one"
	python=''
	if uv=$(get_uv); then
		run_uv python install --install-dir .bootstrap/python 3.12 || :
		find_python && return
	fi
	for version in 3.12 3.13 3.14; do
		apt_install "python$version-venv" && find_python && return
	done
	return 1
}

# --- svfsc, which comes as a source distribution ---------------------------------------------

compiler() { have c++ || have g++ || have clang++; }

headers() { [ -f "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]; }

# Only who asks for sparse files waits for a compiler: it is larger than all else together.
can_build() { # can_build extra...
	case " $* " in *' sparse '*) may='apt_install' ;; *) may='false' ;; esac
	{ compiler || $may g++ && compiler; } || return 1
	headers || $may "$("$python" -c 'import sys; print("python%d.%d-dev" % sys.version_info[:2])')" && headers
}

# The module that is installed has neither headers nor mutexes, so the C++ sources stay beside it.
keep_sources() {
	[ ! -d .venv/share/svfsc ] || return 0
	rm -rf .bootstrap/svfsc && mkdir -p .bootstrap/svfsc
	sed -n '/^svfsc==/,/[^\\]$/p' requirements/sparse.lock >.bootstrap/svfsc/pinned.txt
	set -- download --no-deps --no-binary svfsc --require-hashes --dest .bootstrap/svfsc -r .bootstrap/svfsc/pinned.txt
	{ [ -n "$uv" ] && run_uv tool run pip "$@"; } || quietly .venv/bin/python -m pip "$@" ||
		quietly "$python" -m pip "$@" || return 1
	mkdir -p .bootstrap/svfsc/kept .venv/share
	quietly tar -xzf .bootstrap/svfsc/svfsc-*.tar.gz -C .bootstrap/svfsc/kept --strip-components 1 &&
		mv .bootstrap/svfsc/kept .venv/share/svfsc
}

# --- .venv ----------------------------------------------------------------------------------

make_venv() {
	rm -rf .venv
	if [ -n "$uv" ]; then
		quietly "$uv" venv --no-project --python "$python" .venv
	else
		# Debian splits ensurepip off; the interpreter's own pip can then serve the environment.
		quietly "$python" -m venv .venv ||
			{ quietly "$python" -m venv --clear --without-pip .venv && quietly "$python" -m pip --version; }
	fi
}

install_by_uv() { # install_by_uv lock...
	run_uv pip sync --python .venv/bin/python --require-hashes --compile-bytecode "$@" &&
		run_uv pip install --python .venv/bin/python --no-deps --no-build-isolation --editable .
}

install_by_pip() { # install_by_pip lock...
	installer=$(pwd -P)/.venv/bin/python target=''
	quietly "$installer" -m pip --version || { installer=$python target='--python=.venv/bin/python'; }
	for lock; do
		shift
		set -- "$@" -r "$lock"
	done
	# shellcheck disable=SC2086 # no target is no argument
	quietly "$installer" -m pip $target install --require-hashes "$@" &&
		quietly "$installer" -m pip $target install --no-deps --no-build-isolation --editable .
}

install() { # install extra...
	for extra; do
		shift
		set -- "$@" "requirements/$extra.lock"
	done
	[ -n "$uv" ] && install_by_uv requirements/default.lock "$@" && return
	# pip may know a mirror or a certificate that uv does not.
	install_by_pip requirements/default.lock "$@"
}

set_up() { # set_up extra...
	: >"$log"
	install_packages
	python=$(get_python) || fail "no Python 3.12, 3.13 or 3.14 here and none could be fetched ($log says why): install one, e.g. 'apt install python3.12-venv', 'brew install python@3.12' or 'pyenv install 3.12', then run make again"
	uv=$(get_uv) || uv=''

	read_ready
	rm -f .venv/.ready
	if ! usable; then
		say "making .venv with $python"
		make_venv || fail "could not make .venv with $python ($log says why): install its venv module, e.g. 'apt install python3-venv', or uv, then run make again"
		ready_extras=''
	fi

	# What was asked for once stays, so that a plain `make test` does not take an extra away.
	extras=$(printf '%s\n' $ready_extras "$@" | grep -vx -e app -e sparse | sort -u | tr '\n' ' ')
	sparse=''
	if can_build "$@"; then sparse=sparse; else say "no C++ compiler with Python's headers: sparse files will be unavailable ('make .venv EXTRAS=sparse' installs one where it may)"; fi
	say "installing with $(basename "${uv:-pip}"): default app $sparse $extras"
	# shellcheck disable=SC2086 # a list of names
	if [ -n "$sparse" ] && install app sparse $extras; then
		extras="app sparse $extras"
		keep_sources || say "svfsc's C++ sources could not be fetched ($log says why): its C++ rows will be unavailable"
	elif install app $extras; then
		[ -z "$sparse" ] || say "svfsc could not be built ($log says why): sparse files will be unavailable"
		extras="app $extras"
	else
		tail -n 15 "$log" >&2
		# Qt has no wheel for every machine; the engine does without.
		say "trying without the window"
		install $extras || { tail -n 15 "$log" >&2; fail "could not install ($log says why): check the network, then run make again"; }
	fi
	printf '%s\n' "$root" "$(fingerprint)" "$extras" >.venv/.ready.new
	mv .venv/.ready.new .venv/.ready
	say "ready"
}

if [ "${1:-}" = --uv ]; then
	take_lock
	python=''
	get_uv || fail "uv could not be fetched ($log says why): install it, then run make again"
	exit
fi
for extra; do
	[ -f "requirements/$extra.lock" ] || fail "no such extra: $extra (there are: $(cd requirements && echo *.lock | sed 's/\.lock//g'))"
done
ready "$@" && exit
take_lock
ready "$@" || set_up "$@"
