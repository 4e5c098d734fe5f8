<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AxisEditor</name>
    <message>
        <source>choose at least one value</source>
        <translation>mindestens einen Wert wählen</translation>
    </message>
</context>
<context>
    <name>ChoiceControl</name>
    <message>
        <source>needs {name}: {remedy}</source>
        <translation>braucht {name}: {remedy}</translation>
    </message>
</context>
<context>
    <name>ColumnMenu</name>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>As at first</source>
        <translation>Wie am Anfang</translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>Command line that does the same</source>
        <translation>Befehlszeile, die dasselbe tut</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the command line</source>
        <translation>Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Copy the command line (Ctrl+Shift+C)</source>
        <translation>Befehlszeile kopieren (Strg+Umschalt+C)</translation>
    </message>
    <message>
        <source>Same as</source>
        <translation>Wie</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Select two results below to compare them.</source>
        <translation>Unten zwei Ergebnisse auswählen, um sie zu vergleichen.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>{} and {} trials</source>
        <translation>{} und {} Versuche</translation>
    </message>
    <message>
        <source>Cannot be compared</source>
        <translation>Nicht vergleichbar</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Sluice has met a fault of its own</source>
        <translation>Sluice ist auf einen eigenen Fehler gestoßen</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>What was measured is in the session file. The window stays open; a report like this one helps to mend the fault. Secrets are left out of it.</source>
        <translation>Was gemessen wurde, steht in der Sitzungsdatei. Das Fenster bleibt offen; ein Bericht wie dieser hilft, den Fehler zu beheben. Geheimnisse stehen nicht darin.</translation>
    </message>
    <message>
        <source>The window could not be filled and closes with this dialog; a report like this one helps to mend the fault. Secrets are left out of it.</source>
        <translation>Das Fenster ließ sich nicht füllen und schließt mit diesem Dialog; ein Bericht wie dieser hilft, den Fehler zu beheben. Geheimnisse stehen nicht darin.</translation>
    </message>
</context>
<context>
    <name>DataDialog</name>
    <message>
        <source>Data of the plot</source>
        <translation>Daten der Kurve</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>Summary of the plot</source>
        <translation>Die Kurve in Worten</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Plain values in seconds, bytes and operations per second</source>
        <translation>Bloße Werte in Sekunden, Bytes und Operationen je Sekunde</translation>
    </message>
</context>
<context>
    <name>DatasetPicker</name>
    <message>
        <source>choose a dataset, or make a sample</source>
        <translation>Daten wählen oder eine Probe erzeugen</translation>
    </message>
    <message>
        <source>File or folder: type, choose or drop it here</source>
        <translation>Datei oder Ordner: eingeben, wählen, hierher ziehen</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>File or folder to measure on.</source>
        <translation>Datei oder Ordner, an dem gemessen wird.</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>Datei …</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>Make a sample dataset</source>
        <translation>Probedaten erzeugen</translation>
    </message>
    <message>
        <source>Choose a file to measure on</source>
        <translation>Datei wählen, an der gemessen wird</translation>
    </message>
    <message>
        <source>Choose a folder to measure on</source>
        <translation>Ordner wählen, an dem gemessen wird</translation>
    </message>
    <message>
        <source>Datasets that were used before</source>
        <translation>Daten, die schon benutzt wurden</translation>
    </message>
    <message>
        <source>Generate data that this workload can read, in Sluice&apos;s cache</source>
        <translation>Daten, die diese Aufgabe lesen kann, in Sluices Zwischenspeicher erzeugen</translation>
    </message>
    <message>
        <source>Nothing chosen yet.</source>
        <translation>Noch nichts gewählt.</translation>
    </message>
    <message>
        <source>What is known of the dataset</source>
        <translation>Was über die Daten bekannt ist</translation>
    </message>
    <message>
        <source>Progress of making the sample</source>
        <translation>Fortschritt der Probe</translation>
    </message>
    <message>
        <source>the dataset is being looked at</source>
        <translation>die Daten werden angesehen</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird angesehen …</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Stop making the sample</source>
        <translation>Probe abbrechen</translation>
    </message>
    <message>
        <source>Making a sample…</source>
        <translation>Probe wird erzeugt …</translation>
    </message>
    <message>
        <source>No dataset was used before</source>
        <translation>Noch keine Daten benutzt</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>First steps</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <source>Three clicks to a first verdict</source>
        <translation>Drei Klicks zum ersten Urteil</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close the first steps</source>
        <translation>Erste Schritte schließen</translation>
    </message>
    <message>
        <source>Close; F1 shows them again</source>
        <translation>Schließen; F1 zeigt sie wieder</translation>
    </message>
    <message>
        <source>1  Make a sample dataset</source>
        <translation>1  Probedaten erzeugen</translation>
    </message>
    <message>
        <source>Generated data that the workload can read; nothing of yours is touched.</source>
        <translation>Erzeugte Daten, die die Aufgabe lesen kann; nichts von Ihnen wird berührt.</translation>
    </message>
    <message>
        <source>2  Sweep the threads</source>
        <translation>2  Threads durchgehen</translation>
    </message>
    <message>
        <source>Measure 1, 2, 4 and 8 threads, interleaved, for half a second each.</source>
        <translation>1, 2, 4 und 8 Threads messen, verschränkt, je eine halbe Sekunde.</translation>
    </message>
    <message>
        <source>3  Start</source>
        <translation>3  Start</translation>
    </message>
    <message>
        <source>Watch it live; the verdict appears below as soon as it can be given.</source>
        <translation>Zusehen; das Urteil erscheint unten, sobald es feststeht.</translation>
    </message>
    <message>
        <source>State of step {}</source>
        <translation>Stand von Schritt {}</translation>
    </message>
    <message>
        <source>✓ done</source>
        <translation>✓ fertig</translation>
    </message>
</context>
<context>
    <name>LiveNumbers</name>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Operations per second since the last look.</source>
        <translation>Operationen je Sekunde seit dem letzten Blick.</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Bytes per second since the last look.</source>
        <translation>Bytes je Sekunde seit dem letzten Blick.</translation>
    </message>
    <message>
        <source>Latency p50</source>
        <translation>Latenz p50</translation>
    </message>
    <message>
        <source>Half of the latest operations took less.</source>
        <translation>Die Hälfte der letzten Operationen war kürzer.</translation>
    </message>
    <message>
        <source>Latency p99</source>
        <translation>Latenz p99</translation>
    </message>
    <message>
        <source>99 % of the latest operations took less.</source>
        <translation>99 % der letzten Operationen waren kürzer.</translation>
    </message>
    <message>
        <source>Memory, own</source>
        <translation>Speicher, eigener</translation>
    </message>
    <message>
        <source>Resident memory that belongs to no file.</source>
        <translation>Residenter Speicher, der zu keiner Datei gehört.</translation>
    </message>
    <message>
        <source>Memory, files</source>
        <translation>Speicher, Dateien</translation>
    </message>
    <message>
        <source>Resident memory that maps files.</source>
        <translation>Residenter Speicher, der Dateien abbildet.</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>Offene Dateien</translation>
    </message>
    <message>
        <source>Files that the measured processes hold open.</source>
        <translation>Dateien, die die gemessenen Prozesse offen halten.</translation>
    </message>
    <message>
        <source>Cores busy</source>
        <translation>Kerne belegt</translation>
    </message>
    <message>
        <source>CPU seconds of the workers per second.</source>
        <translation>CPU-Sekunden der Arbeiter je Sekunde.</translation>
    </message>
</context>
<context>
    <name>LivePlots</name>
    <message>
        <source>Live plots</source>
        <translation>Laufende Kurven</translation>
    </message>
    <message>
        <source>Trial {}</source>
        <translation>Versuch {}</translation>
    </message>
    <message>
        <source>medians of {}</source>
        <translation>Mediane von {}</translation>
    </message>
    <message>
        <source>selected {}</source>
        <translation>gewählt {}</translation>
    </message>
    <message>
        <source>at</source>
        <translation>bei</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>{} trials</source>
        <translation>{} Versuche</translation>
    </message>
</context>
<context>
    <name>Measuring</name>
    <message>
        <source>Cancelled after {trials} of {of} trials; what was measured is kept</source>
        <translation>Abgebrochen nach {trials} von {of} Versuchen; Gemessenes bleibt</translation>
    </message>
    <message>
        <source>Done: {trials} trials</source>
        <translation>Fertig: {trials} Versuche</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Session</source>
        <translation>&amp;Sitzung</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>Neues &amp;Fenster</translation>
    </message>
    <message>
        <source>A second window beside this one</source>
        <translation>Ein zweites Fenster neben diesem</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Umbenennen …</translation>
    </message>
    <message>
        <source>No&amp;tes…</source>
        <translation>No&amp;tizen …</translation>
    </message>
    <message>
        <source>Save a &amp;copy…</source>
        <translation>&amp;Kopie speichern …</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>E&amp;xportieren</translation>
    </message>
    <message>
        <source>&amp;Close the window</source>
        <translation>Fenster s&amp;chließen</translation>
    </message>
    <message>
        <source>PNG: a picture of the plots that are seen</source>
        <translation>PNG: ein Bild der sichtbaren Kurven</translation>
    </message>
    <message>
        <source>SVG: lines and texts of the plots that are seen</source>
        <translation>SVG: Linien und Texte der sichtbaren Kurven</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Copy the &amp;command line</source>
        <translation>Be&amp;fehlszeile kopieren</translation>
    </message>
    <message>
        <source>Copy the table as &amp;Markdown</source>
        <translation>Tabelle als &amp;Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy the table as CS&amp;V</source>
        <translation>Tabelle als CS&amp;V kopieren</translation>
    </message>
    <message>
        <source>&amp;Filter the table</source>
        <translation>Tabelle f&amp;iltern</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;First steps</source>
        <translation>&amp;Erste Schritte</translation>
    </message>
    <message>
        <source>&amp;Data of the plots…</source>
        <translation>&amp;Daten der Kurven …</translation>
    </message>
    <message>
        <source>As the s&amp;ystem</source>
        <translation>Wie das S&amp;ystem</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>No session yet</source>
        <translation>Noch keine Sitzung</translation>
    </message>
</context>
<context>
    <name>ModeBar</name>
    <message>
        <source>What this kind of run does</source>
        <translation>Was diese Art Lauf tut</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Measure one configuration.</source>
        <translation>Eine Einstellung messen.</translation>
    </message>
    <message>
        <source>Measure every combination of the parameters that are ticked.</source>
        <translation>Jede Verbindung der angehakten Parameter messen.</translation>
    </message>
    <message>
        <source>Search the best number of threads in few trials; tick one more parameter to search it too.</source>
        <translation>Die beste Zahl von Threads in wenigen Versuchen suchen; ein weiterer angehakter Parameter wird mit gesucht.</translation>
    </message>
    <message>
        <source>Repeat a published study beside its published figures.</source>
        <translation>Eine veröffentlichte Studie neben ihren Zahlen wiederholen.</translation>
    </message>
</context>
<context>
    <name>NotesDialog</name>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Nothing was written down so far.</source>
        <translation>Bisher wurde nichts notiert.</translation>
    </message>
    <message>
        <source>Earlier notes</source>
        <translation>Frühere Notizen</translation>
    </message>
    <message>
        <source>What is worth remembering of this session?</source>
        <translation>Was ist an dieser Sitzung merkenswert?</translation>
    </message>
    <message>
        <source>New note</source>
        <translation>Neue Notiz</translation>
    </message>
    <message>
        <source>Notes of the session</source>
        <translation>Notizen der Sitzung</translation>
    </message>
</context>
<context>
    <name>NumberAxis</name>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>‘from’ is above ‘to’</source>
        <translation>„von“ liegt über „bis“</translation>
    </message>
</context>
<context>
    <name>PhaseStrip</name>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Elapsed and remaining time</source>
        <translation>Vergangene und restliche Zeit</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Failed operations</source>
        <translation>Fehlgeschlagene Operationen</translation>
    </message>
    <message>
        <source>Operations with wrong data</source>
        <translation>Operationen mit falschen Daten</translation>
    </message>
    <message>
        <source>trial {} of {}</source>
        <translation>Versuch {} von {}</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>{gone} gone · {left} left</source>
        <translation>{gone} vorbei · noch {left}</translation>
    </message>
    <message>
        <source>took {}</source>
        <translation>dauerte {}</translation>
    </message>
    <message>
        <source>{} errors</source>
        <translation>{} Fehler</translation>
    </message>
    <message>
        <source>{} wrong</source>
        <translation>{} falsch</translation>
    </message>
</context>
<context>
    <name>PlotDesk</name>
    <message>
        <source>Plot</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>Data and pictures of the plots (Ctrl+D: data)</source>
        <translation>Daten und Bilder der Kurven (Strg+D: Daten)</translation>
    </message>
    <message>
        <source>Show the &amp;data…</source>
        <translation>&amp;Daten zeigen …</translation>
    </message>
    <message>
        <source>Copy the &amp;summary</source>
        <translation>&amp;Worte kopieren</translation>
    </message>
    <message>
        <source>Export as &amp;PNG…</source>
        <translation>Als &amp;PNG exportieren …</translation>
    </message>
    <message>
        <source>Export as S&amp;VG…</source>
        <translation>Als S&amp;VG exportieren …</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Export the plot as {}</source>
        <translation>Kurve exportieren als {}</translation>
    </message>
</context>
<context>
    <name>Row</name>
    <message>
        <source>Vary {} along the sweep</source>
        <translation>{} in der Reihe verändern</translation>
    </message>
    <message>
        <source>Vary {}</source>
        <translation>{} verändern</translation>
    </message>
</context>
<context>
    <name>RunViews</name>
    <message>
        <source>Views of the run</source>
        <translation>Ansichten des Laufs</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
</context>
<context>
    <name>ScaleSlider</name>
    <message>
        <source>{} slider</source>
        <translation>Schieber {}</translation>
    </message>
    <message>
        <source> ▏marks {}, the cores here</source>
        <translation> ▏steht bei {}, den Kernen hier</translation>
    </message>
</context>
<context>
    <name>ScalingView</name>
    <message>
        <source>Throughput by threads</source>
        <translation>Durchsatz nach Threads</translation>
    </message>
    <message>
        <source>Vary the threads to see how throughput scales.</source>
        <translation>Threads verändern, um die Skalierung des Durchsatzes zu sehen.</translation>
    </message>
    <message>
        <source>use {}</source>
        <translation>{} nehmen</translation>
    </message>
    <message>
        <source>perhaps {}</source>
        <translation>vielleicht {}</translation>
    </message>
    <message>
        <source>thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>{} slower not drawn</source>
        <translation>{} langsamere nicht gezeichnet</translation>
    </message>
    <message>
        <source>from {}</source>
        <translation>ab {}</translation>
    </message>
</context>
<context>
    <name>SessionDesk</name>
    <message>
        <source>Opening the session</source>
        <translation>Öffnen der Sitzung</translation>
    </message>
    <message>
        <source>Written: {}</source>
        <translation>Geschrieben: {}</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Renaming the session</source>
        <translation>Umbenennen der Sitzung</translation>
    </message>
    <message>
        <source>Writing the note</source>
        <translation>Schreiben der Notiz</translation>
    </message>
    <message>
        <source>The note is kept in the session</source>
        <translation>Die Notiz steht in der Sitzung</translation>
    </message>
</context>
<context>
    <name>SetupPanel</name>
    <message>
        <source>Workload</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Trials of each configuration, interleaved in a random order.</source>
        <translation>Versuche jeder Einstellung, verschränkt in zufälliger Folge.</translation>
    </message>
    <message>
        <source>Also measure the bare files</source>
        <translation>Auch die bloßen Dateien messen</translation>
    </message>
    <message>
        <source>Also measure what the bare files give, for comparison.</source>
        <translation>Zum Vergleich auch messen, was die bloßen Dateien hergeben.</translation>
    </message>
    <message>
        <source>More parameters</source>
        <translation>Weitere Parameter</translation>
    </message>
    <message>
        <source>Show the parameters that are rarely changed.</source>
        <translation>Parameter zeigen, die selten geändert werden.</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Set-up</source>
        <translation>Aufbau</translation>
    </message>
    <message>
        <source>tick at least one parameter to sweep</source>
        <translation>mindestens einen Parameter anhaken</translation>
    </message>
    <message>
        <source>Less ▾</source>
        <translation>Weniger ▾</translation>
    </message>
    <message>
        <source>More ▸</source>
        <translation>Mehr ▸</translation>
    </message>
</context>
<context>
    <name>StudyChart</name>
    <message>
        <source>This study has no figure.</source>
        <translation>Diese Studie hat keine Abbildung.</translation>
    </message>
    <message>
        <source>{at}: here {here}, published {published}</source>
        <translation>{at}: hier {here}, veröffentlicht {published}</translation>
    </message>
    <message>
        <source>dashed, hollow (in brackets): published</source>
        <translation>gestrichelt, hohl (in Klammern): veröffentlicht</translation>
    </message>
    <message>
        <source>{}; dotted: as charted there</source>
        <translation>{}; gepunktet: wie dort gezeichnet</translation>
    </message>
</context>
<context>
    <name>StudyView</name>
    <message>
        <source>Claims of the study</source>
        <translation>Aussagen der Studie</translation>
    </message>
    <message>
        <source>Published figures and those measured here</source>
        <translation>Veröffentlichte und hier gemessene Zahlen</translation>
    </message>
    <message>
        <source>Claims</source>
        <translation>Aussagen</translation>
    </message>
    <message>
        <source>Published and here</source>
        <translation>Dort und hier</translation>
    </message>
    <message>
        <source>Parts of the study</source>
        <translation>Teile der Studie</translation>
    </message>
    <message>
        <source>Judgement</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Claim</source>
        <translation>Aussage</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Veröffentlicht</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Published: {source}; {machine}. × is the ratio to “{baseline}”.</source>
        <translation>Veröffentlicht: {source}; {machine}. × ist das Verhältnis zu „{baseline}“.</translation>
    </message>
    <message>
        <source>{} – {}</source>
        <translation>{} – {}</translation>
    </message>
    <message>
        <source>Figure {}</source>
        <translation>Abbildung {}</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Abbildung</translation>
    </message>
</context>
<context>
    <name>TableModel</name>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>{} rows</source>
        <translation>{} Zeilen</translation>
    </message>
    <message>
        <source>best {}</source>
        <translation>beste {}</translation>
    </message>
    <message>
        <source>median {}</source>
        <translation>Median {}</translation>
    </message>
</context>
<context>
    <name>TablePanel</name>
    <message>
        <source>A row for each configuration</source>
        <translation>Eine Zeile je Einstellung</translation>
    </message>
    <message>
        <source>A row for each trial</source>
        <translation>Eine Zeile je Versuch</translation>
    </message>
    <message>
        <source>Filter, such as: lru threads&gt;4 p99&lt;5ms</source>
        <translation>Filter, etwa: lru threads&gt;4 p99&lt;5ms</translation>
    </message>
    <message>
        <source>Filter of the table</source>
        <translation>Filter der Tabelle</translation>
    </message>
    <message>
        <source>Rows that have all these words, and meet all conditions such as threads&gt;4, p99&lt;5ms, peak_rss&lt;1GiB or ending!=completed (Ctrl+F)</source>
        <translation>Zeilen, die alle diese Wörter haben und alle Bedingungen wie threads&gt;4, p99&lt;5ms, peak_rss&lt;1GiB oder ending!=completed erfüllen (Strg+F)</translation>
    </message>
    <message>
        <source>Groups of the table</source>
        <translation>Gruppen der Tabelle</translation>
    </message>
    <message>
        <source>Rows that have the same value, together</source>
        <translation>Zeilen mit gleichem Wert beisammen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Which columns are shown</source>
        <translation>Welche Spalten gezeigt werden</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Selected rows, or all that are shown</source>
        <translation>Gewählte Zeilen oder alle gezeigten</translation>
    </message>
    <message>
        <source>As &amp;Markdown</source>
        <translation>Als &amp;Markdown</translation>
    </message>
    <message>
        <source>As CS&amp;V</source>
        <translation>Als CS&amp;V</translation>
    </message>
    <message>
        <source>Show all trials again (Esc in the plots)</source>
        <translation>Wieder alle Versuche zeigen (Esc in den Kurven)</translation>
    </message>
    <message>
        <source>Why the filter cannot be read</source>
        <translation>Warum der Filter nicht lesbar ist</translation>
    </message>
    <message>
        <source>1 trial</source>
        <translation>1 Versuch</translation>
    </message>
    <message>
        <source>{} trials</source>
        <translation>{} Versuche</translation>
    </message>
    <message>
        <source>✕  Only {reach} · {trials}</source>
        <translation>✕  Nur {reach} · {trials}</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>No row matches the filter.</source>
        <translation>Keine Zeile passt zum Filter.</translation>
    </message>
    <message>
        <source>Nothing was measured in the selected time.</source>
        <translation>In der gewählten Zeit wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>Noch keine Ergebnisse</translation>
    </message>
    <message>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
    <message>
        <source>Results · {}</source>
        <translation>Ergebnisse · {}</translation>
    </message>
    <message>
        <source>Trials · {}</source>
        <translation>Versuche · {}</translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>Keine Gruppen</translation>
    </message>
    <message>
        <source>By {}</source>
        <translation>Nach {}</translation>
    </message>
</context>
<context>
    <name>TextControl</name>
    <message>
        <source>env:NAME or keyring:SERVICE/USER</source>
        <translation>env:NAME oder keyring:DIENST/NUTZER</translation>
    </message>
    <message>
        <source>path or URL</source>
        <translation>Pfad oder URL</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
</context>
<context>
    <name>VerdictCard</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Choose a dataset and press Start to measure it.</source>
        <translation>Daten wählen und Start drücken, um sie zu messen.</translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation>Noch nicht</translation>
    </message>
    <message>
        <source>Verdict: {}</source>
        <translation>Urteil: {}</translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message>
        <source>▶ Start</source>
        <translation>▶ Start</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>■ Cancel</source>
        <translation>■ Abbrechen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>End the run and keep what was measured (Esc)</source>
        <translation>Lauf beenden und Gemessenes behalten (Esc)</translation>
    </message>
    <message>
        <source>Why Start is disabled, or what is left out</source>
        <translation>Warum Start nicht geht oder was fehlt</translation>
    </message>
    <message>
        <source>Measure (Ctrl+Return)</source>
        <translation>Messen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Start waits: {}</source>
        <translation>Start wartet: {}</translation>
    </message>
    <message>
        <source>Left out: {}</source>
        <translation>Ausgelassen: {}</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen …</translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation>Noch nicht</translation>
    </message>
    <message>
        <source>The first trial is running.</source>
        <translation>Der erste Versuch läuft.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Nicht gemessen</translation>
    </message>
    <message>
        <source>Opened {}</source>
        <translation>{} geöffnet</translation>
    </message>
    <message>
        <source>Save a copy of the session</source>
        <translation>Kopie der Sitzung speichern</translation>
    </message>
</context>
<context>
    <name>_Drawing</name>
    <message>
        <source>memory {}</source>
        <translation>Speicher {}</translation>
    </message>
</context>
<context>
    <name>dialogs</name>
    <message>
        <source>Open a session</source>
        <translation>Sitzung öffnen</translation>
    </message>
    <message>
        <source>Sluice sessions (*.sluice)</source>
        <translation>Sluice-Sitzungen (*.sluice)</translation>
    </message>
    <message>
        <source>Export as {}</source>
        <translation>Exportieren als {}</translation>
    </message>
    <message>
        <source>Rename the session</source>
        <translation>Sitzung umbenennen</translation>
    </message>
    <message>
        <source>Title of the session:</source>
        <translation>Titel der Sitzung:</translation>
    </message>
    <message>
        <source>{} failed.</source>
        <translation>{} ist misslungen.</translation>
    </message>
    <message>
        <source>Unfinished run</source>
        <translation>Unvollendeter Lauf</translation>
    </message>
    <message>
        <source>The last run of ‘{name}’ did not come to its end.</source>
        <translation>Der letzte Lauf von „{name}“ kam nicht zu seinem Ende.</translation>
    </message>
    <message>
        <source>{} trials are still to be measured. What was measured is kept.</source>
        <translation>{} Versuche sind noch zu messen. Gemessenes bleibt.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source> (run {})</source>
        <translation> (Lauf {})</translation>
    </message>
</context>
</TS>
