#!/bin/sh
# Signs Sluice.app or its disk image, and has Apple notarise the image.
#
#   sh packaging/macos/sign.sh Sluice.app           signs everything in it, with the hardened runtime
#   sh packaging/macos/sign.sh sluice-….dmg         signs it, has it notarised, and staples the ticket to it
#
# SLUICE_SIGN_AS    the identity in the keychain, such as "Developer ID Application: NAME (TEAM)"
# SLUICE_NOTARISE   the profile that `xcrun notarytool store-credentials` has kept
#
# Without them nobody is there to vouch for it: macOS then opens the app only by its context menu.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
thing=$1
: "${SLUICE_SIGN_AS:?the identity to sign as}"

sign() { codesign --force --timestamp --options runtime --sign "$SLUICE_SIGN_AS" "$@"; }

case $thing in
*.app)
	# From the inside out: a signature covers those of what it holds.
	find "$thing" -type f \( -name '*.so' -o -name '*.dylib' \) -exec \
		codesign --force --timestamp --options runtime --sign "$SLUICE_SIGN_AS" {} +
	sign --entitlements "$here/entitlements.plist" "$thing"
	codesign --verify --deep --strict "$thing"
	;;
*.dmg)
	: "${SLUICE_NOTARISE:?the profile to notarise with}"
	sign "$thing"
	xcrun notarytool submit "$thing" --keychain-profile "$SLUICE_NOTARISE" --wait
	xcrun stapler staple "$thing"
	spctl --assess --type open --context context:primary-signature "$thing"
	;;
*)
	echo "neither an app nor a disk image: $thing" >&2
	exit 2
	;;
esac
