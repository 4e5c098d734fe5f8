"""The window's texts in the user's language, where there is a translation."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import (
    QCoreApplication,
    QDateTime,
    QLibraryInfo,
    QLocale,
    QSettings,
    QTranslator,
)

from core import resources_folder, use_translator

LANGUAGE = "language"
"""The name of the setting."""


def languages() -> tuple[str, ...]:
    """The codes of the languages that the window speaks; English is written into it."""
    folder = resources_folder() / "translations"
    return ("en", *sorted(file.stem.removeprefix("sluice_") for file in folder.glob("*.qm")))


def chosen_language(settings: QSettings) -> str:
    """The code of the language that the user chose; empty to follow the system."""
    code = str(settings.value(LANGUAGE, "") or "")
    return code if code in languages() else ""


def locale_for(settings: QSettings) -> QLocale:
    """That of the chosen language, or of the system."""
    chosen = chosen_language(settings)
    return QLocale(chosen) if chosen else QLocale.system()


def speak(application: QCoreApplication, locale: QLocale) -> tuple[QTranslator, ...]:
    """Install the translations into that language, Qt's own first; returns those that exist.

    From then on, this thread makes the engine's texts in that language too, and writes numbers with
    its marks.
    """
    folder = resources_folder() / "translations"
    places = {
        "qtbase": QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath),
        "sluice": str(folder),
    }
    dated = partial(_dated, locale)
    use_translator(_of_the_engine, dated=dated)
    installed = []
    for name, place in places.items():
        translator = QTranslator(application)
        if translator.load(locale, name, "_", place):
            application.installTranslator(translator)
            installed.append(translator)
            if name == "sluice":
                marks = (locale.decimalPoint(), locale.groupSeparator())
                use_translator(_of_the_engine, marks, dated)
    return tuple(installed)


def _dated(locale: QLocale, seconds: float) -> str:
    """The day and the time here, as short as the locale has them."""
    return locale.toString(
        QDateTime.fromSecsSinceEpoch(int(seconds)), QLocale.FormatType.ShortFormat
    )


def _of_the_engine(text: str) -> str:
    return QCoreApplication.translate("core", text)
