"""The window's texts in the user's language, where there is a translation."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from core import resources_folder, use_translator


def speak(application: QCoreApplication, locale: QLocale) -> tuple[QTranslator, ...]:
    """Install the translations into that language, Qt's own first; returns those that exist.

    From then on, this thread makes the engine's texts in that language too.
    """
    folder = resources_folder() / "translations"
    places = {
        "qtbase": QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath),
        "sluice": str(folder),
    }
    found = []
    for name, place in places.items():
        translator = QTranslator(application)
        if translator.load(locale, name, "_", place):
            application.installTranslator(translator)
            found.append(translator)
    use_translator(_of_the_engine)
    return tuple(found)


def _of_the_engine(text: str) -> str:
    return QCoreApplication.translate("core", text)
