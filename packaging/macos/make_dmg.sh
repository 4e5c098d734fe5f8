#!/bin/sh
# Puts Sluice.app into a disk image, beside a link to the folder for applications.
#
#   sh packaging/macos/make_dmg.sh build/package/gathered/Sluice.app dist/sluice-1.0.0-macos-arm64.dmg
#
# Needs macOS (hdiutil). Run packaging/macos/sign.sh on the app before it, and on the image after it.
set -eu
app=$1 image=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ditto "$app" "$folder/Sluice.app"
ln -s /Applications "$folder/Applications"
rm -f "$image"
hdiutil create -quiet -fs HFS+ -format ULMO -volname Sluice -srcfolder "$folder" "$image"
