"""What PyInstaller is told of Sluice.app: its name, its icon, and the sessions that it opens."""

from __future__ import annotations

from typing import Any

from contents import PROJECT, ROOT

IDENTIFIER = "sluice.Sluice"
SESSION_TYPE = "sluice.session"


def bundle_options() -> dict[str, Any]:
    """The arguments of BUNDLE besides its content."""
    return {
        "name": "Sluice.app",
        # PyInstaller makes an .icns of it by Pillow, which matplotlib brings.
        "icon": str(ROOT / "resources" / "icons" / "sluice-512.png"),
        "bundle_identifier": IDENTIFIER,
        "version": PROJECT["version"],
        "info_plist": information(),
    }


def information() -> dict[str, Any]:
    """Info.plist, beyond what PyInstaller writes by itself."""
    return {
        "CFBundleDisplayName": "Sluice",
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSBackgroundOnly": False,  # which PyInstaller sets for programs that have a console
        "LSMinimumSystemVersion": "13.0",  # as Qt 6.12's wheels ask for
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "The Sluice authors, MIT licence",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Sluice session",
                "CFBundleTypeRole": "Editor",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [SESSION_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": SESSION_TYPE,
                "UTTypeDescription": "Sluice session",
                "UTTypeConformsTo": ["public.database", "public.data"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": ["sluice"],
                    "public.mime-type": ["application/vnd.sluice.session"],
                },
            }
        ],
    }
