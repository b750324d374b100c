#!/usr/bin/env bash
# Runs tests in a view of this machine that is thrown away: a mutant may delete or write anything. Called by sandbox.ts in
# new mount and process namespaces, with a scratch folder, whose shared/tests has a command a line, and the repository.
set -euo pipefail
scratch=$1 repository=$2

mount -t tmpfs -o mode=755 tmpfs "$scratch/view"
cd "$scratch/view"
mkdir changed work root
mount -t overlay overlay -o lowerdir=/,upperdir=changed,workdir=work root
cd root
mount -t proc proc proc
mount --rbind /sys sys
mount --bind /dev dev
mount -o remount,bind,ro dev
mount --rbind /dev/pts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
# The only folder that is shared: it brings the mutant, and takes the coverage out.
mount --bind "$scratch/shared" ".$scratch/shared"
# In place of chroot, in which the user code's containment could make no user namespace.
mkdir -p tmp/machine
pivot_root . tmp/machine
umount -l /tmp/machine
cd "$repository"
cp -r "$scratch/shared/laid/." .
# The bundles and the wheel are those of the mutant, but not where its coverage is measured: then they run its sources.
[[ -e $scratch/shared/laid/dist ]] || node esbuild.ts || exit 3
# Not by exec: the first process of a namespace has to reap the processes that the others leave behind.
while read -r line; do bash -c "$line" </dev/null || exit 1; done <"$scratch/shared/tests"
exit 0
