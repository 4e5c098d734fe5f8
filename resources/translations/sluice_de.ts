<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>(not measured any more)</source>
        <translation>(wird nicht mehr gemessen)</translation>
    </message>
    <message>
        <source>this is a fault of Sluice: {error}</source>
        <translation>Das ist ein Fehler von Sluice: {error}</translation>
    </message>
    <message>
        <source>no further process can be started</source>
        <translation>Es kann kein weiterer Prozess gestartet werden</translation>
    </message>
</context>
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Sluice</source>
        <translation>Über Sluice</translation>
    </message>
    <message>
        <source>The details name the parts by others and their licences.</source>
        <translation>Die Details nennen die Teile anderer und ihre Lizenzen.</translation>
    </message>
    <message>
        <source>Under the MIT licence. Python {}.</source>
        <translation>Unter der MIT-Lizenz. Python {}.</translation>
    </message>
</context>
<context>
    <name>AllRuns</name>
    <message>
        <source>Reading the runs</source>
        <translation>Lesen der Läufe</translation>
    </message>
</context>
<context>
    <name>AnswerCard</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>Vorbereiten</translation>
    </message>
    <message>
        <source>Warm up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>run {number}, {when}</source>
        <translation>Lauf {number}, {when}</translation>
    </message>
    <message>
        <source>nothing measured yet</source>
        <translation>noch nichts gemessen</translation>
    </message>
    <message>
        <source>answer for now: {}</source>
        <translation>Antwort für jetzt: {}</translation>
    </message>
    <message>
        <source>Waiting until the machine is quiet</source>
        <translation>Warten, bis der Rechner ruhig ist</translation>
    </message>
    <message>
        <source>not yet sure</source>
        <translation>noch nicht sicher</translation>
    </message>
    <message>
        <source>run {}</source>
        <translation>Lauf {}</translation>
    </message>
</context>
<context>
    <name>AnswerView</name>
    <message>
        <source>The answer is drawn here once something is measured.</source>
        <translation>Die Antwort erscheint hier, sobald etwas gemessen ist.</translation>
    </message>
</context>
<context>
    <name>BarsPlot</name>
    <message>
        <source>Settings by their throughput</source>
        <translation>Einstellungen nach ihrem Durchsatz</translation>
    </message>
    <message>
        <source>{} · out</source>
        <translation>{} · scheidet aus</translation>
    </message>
</context>
<context>
    <name>BeforeStart</name>
    <message>
        <source>Waiting until quiet.</source>
        <translation>Wartet auf Ruhe.</translation>
    </message>
    <message>
        <source>Measure anyway</source>
        <translation>Trotzdem messen</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Erneut messen</translation>
    </message>
    <message>
        <source>Measure waits: {}</source>
        <translation>„Messen“ wartet: {}</translation>
    </message>
</context>
<context>
    <name>ChipsControl</name>
    <message>
        <source>needs {name} ({remedy})</source>
        <translation>braucht {name} ({remedy})</translation>
    </message>
</context>
<context>
    <name>ColumnMenu</name>
    <message>
        <source>{} of {} columns</source>
        <translation>{} von {} Spalten</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Default columns</source>
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
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>Select two results in the table to compare them</source>
        <translation>Zwei Ergebnisse in der Tabelle auswählen, um sie zu vergleichen</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>trials: {} and {}</source>
        <translation>Versuche: {} und {}</translation>
    </message>
    <message>
        <source>Cannot be compared</source>
        <translation>Nicht vergleichbar</translation>
    </message>
</context>
<context>
    <name>ComparisonChart</name>
    <message>
        <source>Plot of the comparison</source>
        <translation>Diagramm des Vergleichs</translation>
    </message>
    <message>
        <source>The ratio of each figure with the interval of its verdict. Hollow: not measurably different. Within the grey band a difference is smaller than the margin.</source>
        <translation>Das Verhältnis jeder Zahl mit dem Intervall ihres Urteils. Hohl: nicht messbar verschieden. Im grauen Band ist ein Unterschied kleiner als die Spanne.</translation>
    </message>
</context>
<context>
    <name>ConsentDialog</name>
    <message>
        <source>You did not start this here</source>
        <translation>Das wurde nicht hier begonnen</translation>
    </message>
    <message>
        <source>What would run</source>
        <translation>Was laufen würde</translation>
    </message>
    <message>
        <source>Only look</source>
        <translation>Nur ansehen</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>The session comes from elsewhere, or was changed. If you go on, this runs on your computer with your rights:</source>
        <translation>Die Sitzung kommt von anderswo oder wurde geändert. Wird sie ausgeführt, läuft auf diesem Computer mit Ihren Rechten:</translation>
    </message>
    <message>
        <source>Lines above: {}.</source>
        <translation>Zeilen oben: {}.</translation>
    </message>
    <message>
        <source>Not all of it is shown.</source>
        <translation>Nicht alles wird gezeigt.</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>There is a bug in Sluice</source>
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
        <source>Sluice was ended by a fault the last time. What was measured until then is in the session file; a report like this one helps to fix the bug. It contains no secrets.</source>
        <translation>Sluice wurde beim letzten Mal durch einen Fehler beendet. Was bis dahin gemessen war, steht in der Sitzungsdatei; ein Bericht wie dieser hilft, den Fehler zu beheben. Er enthält keine Geheimnisse.</translation>
    </message>
    <message>
        <source>What was measured is in the session file. The window stays open; a report like this one helps to fix the bug. It contains no secrets.</source>
        <translation>Was gemessen wurde, steht in der Sitzungsdatei. Das Fenster bleibt offen; ein Bericht wie dieser hilft, den Fehler zu beheben. Geheimnisse stehen nicht darin.</translation>
    </message>
    <message>
        <source>The window could not be filled and closes with this dialog; a report like this one helps to fix the bug. It contains no secrets.</source>
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
        <source>Dataset</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>A file, a folder, or data that was used before</source>
        <translation>Eine Datei, ein Ordner oder früher benutzte Daten</translation>
    </message>
    <message>
        <source>Sample data</source>
        <translation>Probedaten</translation>
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
        <source>a sample is being made</source>
        <translation>eine Probe wird erzeugt</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Looking… {}</source>
        <translation>Suche… {}</translation>
    </message>
    <message>
        <source>Sample data · {}</source>
        <translation>Probedaten · {}</translation>
    </message>
    <message>
        <source>Making a sample…</source>
        <translation>Probe wird erzeugt …</translation>
    </message>
    <message>
        <source>File, folder or address: type, choose or drop it</source>
        <translation>Datei, Ordner oder Adresse: tippen, wählen oder ablegen</translation>
    </message>
    <message>
        <source>choose a dataset, or make a sample ({})</source>
        <translation>Daten wählen oder eine Probe erzeugen ({})</translation>
    </message>
    <message>
        <source>drop, type or choose</source>
        <translation>ablegen, eintippen oder wählen</translation>
    </message>
    <message>
        <source>No dataset was used before</source>
        <translation>Noch keine Daten benutzt</translation>
    </message>
</context>
<context>
    <name>DropTarget</name>
    <message>
        <source>Let go to ask</source>
        <translation>Loslassen, um zu fragen</translation>
    </message>
    <message>
        <source>The question before is kept: one undo brings it back.</source>
        <translation>Die Frage davor bleibt: einmal Rückgängig bringt sie zurück.</translation>
    </message>
</context>
<context>
    <name>Drops</name>
    <message>
        <source>Let go to open the session</source>
        <translation>Loslassen, um die Sitzung zu öffnen</translation>
    </message>
    <message>
        <source>Nothing here reads this</source>
        <translation>Nichts hier kann das lesen</translation>
    </message>
    <message>
        <source>{name}: {work}. Let go to ask.</source>
        <translation>{name}: {work}. Loslassen, um zu fragen.</translation>
    </message>
    <message>
        <source>{}: undo brings the question before back</source>
        <translation>{}: Rückgängig bringt die Frage davor zurück</translation>
    </message>
    <message>
        <source>{}: Work lists more programs for it; undo brings the question back</source>
        <translation>{}: Unter Arbeit stehen weitere Programme dafür; Rückgängig holt die Frage zurück</translation>
    </message>
</context>
<context>
    <name>EffortRows</name>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Also measure the bare files</source>
        <translation>Auch die bloßen Dateien messen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>about {}</source>
        <translation>etwa {}</translation>
    </message>
</context>
<context>
    <name>FigureTile</name>
    <message>
        <source>of {}</source>
        <translation>von {}</translation>
    </message>
</context>
<context>
    <name>FormRow</name>
    <message>
        <source>{count} caches</source>
        <translation>{count} Caches</translation>
    </message>
    <message>
        <source>{count} readers</source>
        <translation>{count} Leser</translation>
    </message>
    <message>
        <source>{count} stores</source>
        <translation>{count} Ablagen</translation>
    </message>
    <message>
        <source>{count} clients</source>
        <translation>{count} Clients</translation>
    </message>
    <message>
        <source>{count} languages</source>
        <translation>{count} Sprachen</translation>
    </message>
    <message>
        <source>{count} operations</source>
        <translation>{count} Operationen</translation>
    </message>
    <message>
        <source>{name}: {count}</source>
        <translation>{name}: {count}</translation>
    </message>
</context>
<context>
    <name>GuideWindow</name>
    <message>
        <source>User guide</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <source>Pages of the guide</source>
        <translation>Seiten der Anleitung</translation>
    </message>
    <message>
        <source>Page of the guide</source>
        <translation>Seite der Anleitung</translation>
    </message>
    <message>
        <source>Search all pages (Enter: next)</source>
        <translation>Alle Seiten durchsuchen (Eingabe: weiter)</translation>
    </message>
    <message>
        <source>Search in the guide</source>
        <translation>In der Anleitung suchen</translation>
    </message>
</context>
<context>
    <name>HeatMap</name>
    <message>
        <source>Throughput of every pair</source>
        <translation>Durchsatz jedes Paars</translation>
    </message>
    <message>
        <source>~ not measured, from its neighbours</source>
        <translation>~ nicht gemessen, aus den Nachbarn</translation>
    </message>
</context>
<context>
    <name>HeldSession</name>
    <message>
        <source>Opening the session</source>
        <translation>Öffnen der Sitzung</translation>
    </message>
    <message>
        <source>Salvaging the session</source>
        <translation>Die Sitzung wird gerettet</translation>
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
    <message>
        <source>somebody else has begun it, so it stays as it is; save a copy, and open that</source>
        <translation>jemand anderes hat sie begonnen, darum bleibt sie, wie sie ist; speichern Sie eine Kopie und öffnen Sie diese</translation>
    </message>
    <message>
        <source>Writing into the session</source>
        <translation>In die Sitzung schreiben</translation>
    </message>
</context>
<context>
    <name>IdlePicture</name>
    <message>
        <source>What each worker did</source>
        <translation>Was jeder Worker tat</translation>
    </message>
    <message>
        <source>what {} workers did in one trial</source>
        <translation>was {} Worker in einem Versuch taten</translation>
    </message>
    <message>
        <source>with {}</source>
        <translation>mit {}</translation>
    </message>
    <message>
        <source>worker {}</source>
        <translation>Worker {}</translation>
    </message>
    <message>
        <source>nothing to do</source>
        <translation>nichts zu tun</translation>
    </message>
</context>
<context>
    <name>InsideView</name>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>What a setting did is shown here once it is measured.</source>
        <translation>Was eine Einstellung getan hat, steht hier, sobald sie gemessen ist.</translation>
    </message>
    <message>
        <source>The only setting</source>
        <translation>Die einzige Einstellung</translation>
    </message>
</context>
<context>
    <name>LogChart</name>
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
    <name>MachineLight</name>
    <message>
        <source>What the machine does</source>
        <translation>Was der Rechner tut</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Opening further windows</source>
        <translation>Weitere Fenster werden geöffnet</translation>
    </message>
    <message>
        <source>there is not enough memory for more windows; not opened: {}</source>
        <translation>Für weitere Fenster fehlt Speicher; nicht geöffnet: {}</translation>
    </message>
</context>
<context>
    <name>Measuring</name>
    <message>
        <source>Cancelled; trials measured and kept: {trials} of {of}</source>
        <translation>Abgebrochen; gemessene Versuche bleiben: {trials} von {of}</translation>
    </message>
    <message>
        <source>Done; trials: {trials}</source>
        <translation>Fertig; Versuche: {trials}</translation>
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
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen …</translation>
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
        <source>Re&amp;port…</source>
        <translation>Be&amp;richt…</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>E&amp;xportieren</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>&amp;Close the window</source>
        <translation>Fenster s&amp;chließen</translation>
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
        <source>&amp;Measure</source>
        <translation>&amp;Messen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Stop the ser&amp;vers on this computer</source>
        <translation>Ser&amp;ver auf diesem Rechner anhalten</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Start page</source>
        <translation>&amp;Startseite</translation>
    </message>
    <message>
        <source>&amp;User guide</source>
        <translation>&amp;Anleitung</translation>
    </message>
    <message>
        <source>&amp;About Sluice…</source>
        <translation>Ü&amp;ber Sluice …</translation>
    </message>
    <message>
        <source>No session yet</source>
        <translation>Noch keine Sitzung</translation>
    </message>
</context>
<context>
    <name>MessageLine</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
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
        <source>{} wrong</source>
        <translation>{} falsch</translation>
    </message>
</context>
<context>
    <name>NotesDialog</name>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Earlier notes</source>
        <translation>Frühere Notizen</translation>
    </message>
    <message>
        <source>No notes so far.</source>
        <translation>Bisher wurde nichts notiert.</translation>
    </message>
    <message>
        <source>What is worth remembering about this session?</source>
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
    <name>Pace</name>
    <message>
        <source>{doing} {left} left</source>
        <translation>{doing} noch {left}</translation>
    </message>
</context>
<context>
    <name>PairFacts</name>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>of {} allowed</source>
        <translation>von {} erlaubten</translation>
    </message>
    <message>
        <source>each setting in its turns</source>
        <translation>jede Einstellung, wenn sie dran ist</translation>
    </message>
</context>
<context>
    <name>ParameterForm</name>
    <message>
        <source>Page cache, warm-up, limits, … ▾</source>
        <translation>Seitencache, Aufwärmen, Grenzen, … ▾</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Weitere Einstellungen</translation>
    </message>
    <message>
        <source>Search the other settings</source>
        <translation>In den weiteren Einstellungen suchen</translation>
    </message>
</context>
<context>
    <name>PlanConsent</name>
    <message>
        <source>Measuring</source>
        <translation>Das Messen</translation>
    </message>
    <message>
        <source>Comparing the data with what was measured</source>
        <translation>Die Daten werden mit den gemessenen verglichen</translation>
    </message>
</context>
<context>
    <name>PlotActions</name>
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
    <name>PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>&amp;Remove them</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird gesucht…</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Until the machine is quiet</source>
        <translation>Bis der Rechner ruhig ist</translation>
    </message>
    <message>
        <source>At most {}</source>
        <translation>Höchstens {}</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>Usual &amp;repeats</source>
        <translation>Übliche &amp;Wiederholungen</translation>
    </message>
    <message>
        <source>Usual &amp;time</source>
        <translation>Übliche &amp;Zeit</translation>
    </message>
    <message>
        <source>&amp;Wait until quiet</source>
        <translation>Auf Ruhe &amp;warten</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>Data it makes</source>
        <translation>Erzeugte Daten</translation>
    </message>
    <message>
        <source>Samples, indexes, reports</source>
        <translation>Beispiele, Indizes, Berichte</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>The variable {} names another folder, from the next start on</source>
        <translation>Die Variable {} nennt einen anderen Ordner, ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Open the folder of {}</source>
        <translation>Den Ordner von {} öffnen</translation>
    </message>
    <message>
        <source>The language changes with the next start.</source>
        <translation>Die Sprache wechselt mit dem nächsten Start.</translation>
    </message>
    <message>
        <source>Removed: {}. They are made again when wanted.</source>
        <translation>Entfernt: {}. Sie werden bei Bedarf neu erzeugt.</translation>
    </message>
</context>
<context>
    <name>PreflightStrip</name>
    <message>
        <source>Before Start</source>
        <translation>Vor dem Start</translation>
    </message>
</context>
<context>
    <name>QuestionLine</name>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Settings to try</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>RangeSlider</name>
    <message>
        <source>{}: from, slider</source>
        <translation>{}: von, Schieberegler</translation>
    </message>
    <message>
        <source>{}: to, slider</source>
        <translation>{}: bis, Schieberegler</translation>
    </message>
    <message>
        <source>Drag the handle to try a range of values</source>
        <translation>Den Griff ziehen, um einen Bereich von Werten zu versuchen</translation>
    </message>
    <message>
        <source>▏marks {}, the cores here</source>
        <translation>▏kennzeichnet {}, die Kerne hier</translation>
    </message>
</context>
<context>
    <name>ReportWindow</name>
    <message>
        <source>Report: {}</source>
        <translation>Bericht: {}</translation>
    </message>
    <message>
        <source>The report</source>
        <translation>Der Bericht</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>&amp;Drucken …</translation>
    </message>
    <message>
        <source>Save as P&amp;DF…</source>
        <translation>Als &amp;PDF speichern …</translation>
    </message>
    <message>
        <source>Open in the &amp;browser</source>
        <translation>Im &amp;Browser öffnen</translation>
    </message>
    <message>
        <source>There also with every trial and its course</source>
        <translation>Dort auch mit jedem Versuch und seinem Verlauf</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save the report as PDF</source>
        <translation>Bericht als PDF speichern</translation>
    </message>
    <message>
        <source>Print the report</source>
        <translation>Bericht drucken</translation>
    </message>
</context>
<context>
    <name>Reports</name>
    <message>
        <source>Writing the report</source>
        <translation>Der Bericht wird geschrieben</translation>
    </message>
    <message>
        <source>Writing the report…</source>
        <translation>Der Bericht wird geschrieben …</translation>
    </message>
    <message>
        <source>The report: {}</source>
        <translation>Der Bericht: {}</translation>
    </message>
</context>
<context>
    <name>RunActions</name>
    <message>
        <source>Reading the session</source>
        <translation>Lesen der Sitzung</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen …</translation>
    </message>
    <message>
        <source>Look out: {}</source>
        <translation>Achtung: {}</translation>
    </message>
    <message>
        <source>Left out: {}</source>
        <translation>Ausgelassen: {}</translation>
    </message>
    <message>
        <source>{left} left</source>
        <translation>noch {left}</translation>
    </message>
    <message>
        <source>{share} · {left} left</source>
        <translation>{share} · noch {left}</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>took {}</source>
        <translation>dauerte {}</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Nicht gemessen</translation>
    </message>
    <message>
        <source>The two selected rows beside each other</source>
        <translation>Die beiden ausgewählten Zeilen nebeneinander</translation>
    </message>
    <message>
        <source>Compare the two</source>
        <translation>Beide vergleichen</translation>
    </message>
</context>
<context>
    <name>RunBar</name>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
</context>
<context>
    <name>RunPlots</name>
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
        <source>at {}</source>
        <translation>bei {}</translation>
    </message>
    <message>
        <source>{} more</source>
        <translation>{} weitere</translation>
    </message>
    <message>
        <source>✓ {} not measured any more</source>
        <translation>✓ {} nicht mehr gemessen</translation>
    </message>
</context>
<context>
    <name>RunViews</name>
    <message>
        <source>Views of the run</source>
        <translation>Ansichten des Laufs</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>Innen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
</context>
<context>
    <name>ScalingView</name>
    <message>
        <source>{} by {}</source>
        <translation>{} nach {}</translation>
    </message>
    <message>
        <source>Vary the threads to see how throughput scales.</source>
        <translation>Threads verändern, um die Skalierung des Durchsatzes zu sehen.</translation>
    </message>
    <message>
        <source>Use {}</source>
        <translation>{} nehmen</translation>
    </message>
    <message>
        <source>Leading: {}</source>
        <translation>Vorn: {}</translation>
    </message>
    <message>
        <source>filled: open, hollow: surely slower, dotted ring: in turn now</source>
        <translation>gefüllt: offen, hohl: sicher langsamer, gepunkteter Ring: gerade dran</translation>
    </message>
    <message>
        <source>{} a second</source>
        <translation>{} pro Sekunde</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>alle Kerne</translation>
    </message>
    <message>
        <source>when quiet</source>
        <translation>wenn ruhig</translation>
    </message>
    <message>
        <source>more than the store gives</source>
        <translation>mehr, als der Speicher gibt</translation>
    </message>
    <message>
        <source>leanest client</source>
        <translation>schlankster Client</translation>
    </message>
    <message>
        <source>leading</source>
        <translation>vorn</translation>
    </message>
    <message>
        <source>{}, for now</source>
        <translation>{}, für jetzt</translation>
    </message>
    <message>
        <source>{}, when quiet</source>
        <translation>{}, wenn ruhig</translation>
    </message>
    <message>
        <source>not measurably different</source>
        <translation>nicht messbar verschieden</translation>
    </message>
    <message>
        <source>{} not drawn</source>
        <translation>{} nicht gezeichnet</translation>
    </message>
    <message>
        <source>by {} – {}</source>
        <translation>nach {} – {}</translation>
    </message>
    <message>
        <source>what will be measured</source>
        <translation>was gemessen wird</translation>
    </message>
    <message>
        <source>dashed, hollow: published</source>
        <translation>gestrichelt, hohl: veröffentlicht</translation>
    </message>
    <message>
        <source>from {}</source>
        <translation>ab {}</translation>
    </message>
</context>
<context>
    <name>ServerStarter</name>
    <message>
        <source>What is known of a server</source>
        <translation>Was von einem Server bekannt ist</translation>
    </message>
    <message>
        <source>Progress of starting the server</source>
        <translation>Fortschritt beim Starten des Servers</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Wird gestartet …</translation>
    </message>
    <message>
        <source>Stop starting the server</source>
        <translation>Starten des Servers abbrechen</translation>
    </message>
    <message>
        <source>Use the one that runs here</source>
        <translation>Den verwenden, der hier läuft</translation>
    </message>
    <message>
        <source>Start one on this computer</source>
        <translation>Auf diesem Rechner einen starten</translation>
    </message>
    <message>
        <source>{title} runs on this computer until it is stopped (Run menu).</source>
        <translation>{title} läuft auf diesem Rechner, bis es angehalten wird (Menü Lauf).</translation>
    </message>
    <message>
        <source>No server is known.</source>
        <translation>Es ist kein Server bekannt.</translation>
    </message>
    <message>
        <source>{title} runs on this computer.</source>
        <translation>{title} läuft auf diesem Rechner.</translation>
    </message>
    <message>
        <source>No server is known. {title} is ready to start here.</source>
        <translation>Es ist kein Server bekannt. {title} kann hier gestartet werden.</translation>
    </message>
    <message>
        <source>No server is known. Starting {title} here fetches {size} once.</source>
        <translation>Es ist kein Server bekannt. Um {title} hier zu starten, werden einmal {size} geladen.</translation>
    </message>
</context>
<context>
    <name>Sessions</name>
    <message>
        <source>Save a copy of the session</source>
        <translation>Kopie der Sitzung speichern</translation>
    </message>
    <message>
        <source>Opened {}</source>
        <translation>{} geöffnet</translation>
    </message>
    <message>
        <source>Opened {}; somebody else has begun it, so it stays as it is</source>
        <translation>{} geöffnet; jemand anders hat die Sitzung begonnen, sie bleibt also, wie sie ist</translation>
    </message>
</context>
<context>
    <name>SessionsPage</name>
    <message>
        <source>Search answers, data, work, machines, days and titles</source>
        <translation>Antworten, Daten, Arbeit, Rechner, Tage und Titel durchsuchen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>How many runs</source>
        <translation>Wie viele Läufe</translation>
    </message>
    <message>
        <source>Search the runs</source>
        <translation>Läufe durchsuchen</translation>
    </message>
    <message>
        <source>{} of {} runs</source>
        <translation>{} von {} Läufen</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>Move to the &amp;wastebasket</source>
        <translation>In den &amp;Papierkorb</translation>
    </message>
    <message>
        <source>This window has it open</source>
        <translation>Dieses Fenster hat sie offen</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Suche…</translation>
    </message>
    <message>
        <source>Select two runs</source>
        <translation>Zwei Läufe auswählen</translation>
    </message>
</context>
<context>
    <name>SetupPanel</name>
    <message>
        <source>Try once…</source>
        <translation>Einmal ausführen…</translation>
    </message>
    <message>
        <source>Run the command once, unmeasured, and show what it puts out</source>
        <translation>Den Befehl einmal ausführen, ohne zu messen, und seine Ausgabe zeigen</translation>
    </message>
    <message>
        <source>Programs for {}</source>
        <translation>Programme für {}</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>as published</source>
        <translation>wie veröffentlicht</translation>
    </message>
    <message>
        <source>study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Settings to try</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>such as</source>
        <translation>etwa</translation>
    </message>
    <message>
        <source>Sample data · an answer in 1 min</source>
        <translation>Beispieldaten · Antwort in 1 min</translation>
    </message>
    <message>
        <source>Read the user guide</source>
        <translation>Die Anleitung lesen</translation>
    </message>
    <message>
        <source>Or begin with a question</source>
        <translation>Oder mit einer Frage beginnen</translation>
    </message>
    <message>
        <source>A published study</source>
        <translation>Eine veröffentlichte Studie</translation>
    </message>
    <message>
        <source>Is what was published true here?</source>
        <translation>Stimmt hier, was veröffentlicht wurde?</translation>
    </message>
    <message>
        <source>all runs</source>
        <translation>alle Läufe</translation>
    </message>
    <message>
        <source>What do you want to know?</source>
        <translation>Was möchten Sie wissen?</translation>
    </message>
    <message>
        <source>Drop a file, a folder or a link anywhere in this window, or type.</source>
        <translation>Datei, Ordner oder Link irgendwo in diesem Fenster ablegen, oder tippen.</translation>
    </message>
    <message>
        <source>path, address, or a command with {threads} in it</source>
        <translation>Pfad, Adresse, oder ein Befehl mit {threads} darin</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>Makes data in Sluice&apos;s own folder and measures it; your files stay untouched.</source>
        <translation>Erzeugt Daten in Sluices eigenem Ordner und misst an ihnen; eigene Dateien bleiben unberührt.</translation>
    </message>
</context>
<context>
    <name>StudiesPage</name>
    <message>
        <source>Studies</source>
        <translation>Studien</translation>
    </message>
    <message>
        <source>Claims of the study</source>
        <translation>Behauptungen der Studie</translation>
    </message>
    <message>
        <source>Repeat this study</source>
        <translation>Diese Studie wiederholen</translation>
    </message>
    <message>
        <source>Is what was published true here?</source>
        <translation>Stimmt hier, was veröffentlicht wurde?</translation>
    </message>
    <message>
        <source>{fitting} of {all} studies fit the chosen data.</source>
        <translation>{fitting} von {all} Studien passen zu den gewählten Daten.</translation>
    </message>
    <message>
        <source>Published: {source}; {machine}</source>
        <translation>Veröffentlicht: {source}; {machine}</translation>
    </message>
    <message>
        <source>The chosen data is of another kind; take it away first.</source>
        <translation>Die gewählten Daten sind von anderer Art; erst wegnehmen.</translation>
    </message>
    <message>
        <source>Judgement</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Claim</source>
        <translation>Behauptung</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Veröffentlicht</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
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
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Published: {source}; {machine}. × is the ratio to “{baseline}”.</source>
        <translation>Veröffentlicht: {source}; {machine}. × ist das Verhältnis zu „{baseline}“.</translation>
    </message>
    <message>
        <source>Programs here</source>
        <translation>Programme hier</translation>
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
    <name>TableHead</name>
    <message>
        <source>Filter of the table</source>
        <translation>Filter der Tabelle</translation>
    </message>
    <message>
        <source>Rows of the table, and copies of them</source>
        <translation>Zeilen der Tabelle, und Kopien davon</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>Spalten der Tabelle</translation>
    </message>
    <message>
        <source>Filter, such as: {}</source>
        <translation>Filter, etwa: {}</translation>
    </message>
    <message>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
    <message>
        <source>{}, {} selected</source>
        <translation>{}, {} ausgewählt</translation>
    </message>
    <message>
        <source>Rows that have all these words, and meet all conditions such as threads&gt;4, p99&lt;5ms, memory&lt;1GiB or ending!=completed (Ctrl+F)</source>
        <translation>Zeilen, die alle diese Wörter haben und alle Bedingungen wie threads&gt;4, p99&lt;5ms, memory&lt;1GiB oder ending!=completed erfüllen (Strg+F)</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
</context>
<context>
    <name>TableModel</name>
    <message>
        <source>{}, no more trials</source>
        <translation>{}, keine Versuche mehr</translation>
    </message>
    <message>
        <source>{}, not measured any more</source>
        <translation>{}, wird nicht mehr gemessen</translation>
    </message>
</context>
<context>
    <name>TablePanel</name>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>Als &amp;Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as CS&amp;V</source>
        <translation>Als CS&amp;V kopieren</translation>
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
        <source>✕  Only {reach} · {trials}</source>
        <translation>✕  Nur {reach} · {trials}</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Settings of all runs</source>
        <translation>Einstellungen aller Läufe</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
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
</context>
<context>
    <name>TextControl</name>
    <message>
        <source>env:NAME, keyring:SERVICE/USER or lab:SERVER/NAME</source>
        <translation>env:NAME, keyring:SERVICE/USER oder lab:SERVER/NAME</translation>
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
    <name>ThreadLanes</name>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>thread {}</source>
        <translation>Thread {}</translation>
    </message>
    <message>
        <source>share of a core over the last trial</source>
        <translation>Anteil eines Kerns im letzten Versuch</translation>
    </message>
    <message>
        <source>{} more</source>
        <translation>{} weitere</translation>
    </message>
</context>
<context>
    <name>Tiles</name>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Running: {}</source>
        <translation>Läuft: {}</translation>
    </message>
    <message>
        <source>last 60 s</source>
        <translation>letzte 60 s</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Sluice</source>
        <translation>Sluice</translation>
    </message>
    <message>
        <source>What do you want to know?</source>
        <translation>Was möchten Sie wissen?</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Studies</source>
        <translation>Studien</translation>
    </message>
</context>
<context>
    <name>TryDialog</name>
    <message>
        <source>Try once</source>
        <translation>Einmal ausführen</translation>
    </message>
    <message>
        <source>Running once, with the first of each setting. Not measured.</source>
        <translation>Läuft einmal, mit dem jeweils ersten Wert. Nicht gemessen.</translation>
    </message>
    <message>
        <source>What the run has put out</source>
        <translation>Ausgabe des Laufs</translation>
    </message>
    <message>
        <source>One run with the first of each setting. Not measured.</source>
        <translation>Ein Lauf mit dem jeweils ersten Wert. Nicht gemessen.</translation>
    </message>
    <message>
        <source>It could not be run.</source>
        <translation>Der Befehl ließ sich nicht ausführen.</translation>
    </message>
</context>
<context>
    <name>VerdictActions</name>
    <message>
        <source>What to do next</source>
        <translation>Was nun zu tun ist</translation>
    </message>
    <message>
        <source>Copy for now</source>
        <translation>Für jetzt kopieren</translation>
    </message>
    <message>
        <source>Copy for my code</source>
        <translation>Als Code kopieren</translation>
    </message>
    <message>
        <source>The answer in the terms of your own program</source>
        <translation>Die Antwort in den Begriffen des eigenen Programms</translation>
    </message>
    <message>
        <source>{} lines</source>
        <translation>{} Zeilen</translation>
    </message>
    <message>
        <source>Make it surer</source>
        <translation>Sicherer machen</translation>
    </message>
    <message>
        <source>Copy as &amp;image</source>
        <translation>Als &amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Copy as &amp;text</source>
        <translation>Als &amp;Text kopieren</translation>
    </message>
    <message>
        <source>No setting to copy: {}</source>
        <translation>Keine Einstellung zum Kopieren: {}</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>More to do next</source>
        <translation>Was noch zu tun ist</translation>
    </message>
</context>
<context>
    <name>ViewButtons</name>
    <message>
        <source>Live</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Back to live: follow what is measured (Home)</source>
        <translation>Zurück zur Messung: dem Gemessenen folgen (Pos1)</translation>
    </message>
    <message>
        <source>1 min</source>
        <translation>1 min</translation>
    </message>
    <message>
        <source>The last minute</source>
        <translation>Die letzte Minute</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>Der ganze Lauf</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Logarithmic axis: small values are seen too</source>
        <translation>Logarithmische Achse: auch kleine Werte sind zu sehen</translation>
    </message>
</context>
<context>
    <name>WindowParts</name>
    <message>
        <source>■ Stop</source>
        <translation>■ Stopp</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>End the run and keep what was measured (Esc)</source>
        <translation>Lauf beenden und Gemessenes behalten (Esc)</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Verdict: {}</source>
        <translation>Urteil: {}</translation>
    </message>
</context>
<context>
    <name>WorkList</name>
    <message>
        <source>Search work and programs</source>
        <translation>Arbeit und Programme durchsuchen</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message>
        <source>Stopping the servers</source>
        <translation>Server werden angehalten</translation>
    </message>
    <message>
        <source>Measure (Ctrl+Return)</source>
        <translation>Messen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Measure waits: {}</source>
        <translation>„Messen“ wartet: {}</translation>
    </message>
    <message>
        <source>Waiting for something that does not end, such as a server of files that is gone; close the window again to end at once. What was measured is kept</source>
        <translation>Es wird auf etwas gewartet, das nicht endet, etwa einen Dateiserver, der weg ist; ein zweites Schließen des Fensters beendet sofort. Was gemessen wurde, bleibt</translation>
    </message>
    <message>
        <source>Stopped: {}</source>
        <translation>Angehalten: {}</translation>
    </message>
    <message>
        <source>What this run was asked is not known here, or is somebody else&apos;s</source>
        <translation>Was bei diesem Lauf gefragt war, ist hier nicht bekannt oder die Wahl von jemand anderem</translation>
    </message>
    <message>
        <source>No server was running</source>
        <translation>Es lief kein Server</translation>
    </message>
    <message>
        <source>The form of last time cannot be read; it is set aside in the settings</source>
        <translation>Das Formular vom letzten Mal ist nicht lesbar; es ist in den Einstellungen beiseitegelegt</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>1 MiB is written into an empty sparse file in equal blocks: one after the other, which leaves one block, or with gaps, which leaves as many as there are writes.</source>
        <translation>1 MiB wird in gleichen Blöcken in eine leere löchrige Datei geschrieben: hintereinander, dann bleibt ein Block, oder mit Lücken, dann bleiben so viele wie Schreibvorgänge.</translation>
    </message>
    <message>
        <source>1 MiB lies in a sparse file as equal blocks that do not touch: every 1024 bytes in C++, with a byte between them in Python; all blocks are read in order.</source>
        <translation>1 MiB liegt in einer löchrigen Datei als gleiche Blöcke, die sich nicht berühren: alle 1024 Bytes in C++, mit einem Byte dazwischen in Python; alle Blöcke werden der Reihe nach gelesen.</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <source>1 is not: {claim}</source>
        <translation>1 nicht: {claim}</translation>
    </message>
    <message>
        <source>1 of {total} published claims is reproduced here.</source>
        <translation>1 von {total} veröffentlichten Aussagen ist hier bestätigt.</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>1.02× (data: 2.6×)</source>
        <translation>1.02× (Daten: 2.6×)</translation>
    </message>
    <message>
        <source>1.02× (no real difference)</source>
        <translation>1.02× (kein wirklicher Unterschied)</translation>
    </message>
    <message>
        <source>1.05× (no real difference)</source>
        <translation>1.05× (kein wirklicher Unterschied)</translation>
    </message>
    <message>
        <source>10 threads with a locked cache are faster than 1</source>
        <translation>10 Threads mit gesperrtem Cache sind schneller als 1</translation>
    </message>
    <message>
        <source>10 threads without a cache are faster than 1</source>
        <translation>10 Threads ohne Cache sind schneller als 1</translation>
    </message>
    <message>
        <source>10,000 accessions drawn at random; each fetch looks the alias and the sequence up in SQLite, then reads the first 5 bases from a block-compressed FASTA file.</source>
        <translation>10&#x202f;000 zufällig gezogene Accessions; jeder Abruf schlägt Alias und Sequenz in SQLite nach und liest dann die ersten 5 Basen aus einer blockweise gepackten FASTA-Datei.</translation>
    </message>
    <message>
        <source>127 misses for 119 files = 1.07×</source>
        <translation>127-mal gefehlt bei 119 Dateien = 1.07×</translation>
    </message>
    <message>
        <source>128 threads write more slowly than 1, C++ coalesced (the chart read rightly)</source>
        <translation>128 Threads schreiben langsamer als 1, C++ verschmolzen (die Abbildung richtig gelesen)</translation>
    </message>
    <message>
        <source>14 to 264×</source>
        <translation>14 bis 264×</translation>
    </message>
    <message>
        <source>2.9× (text: 4.5×)</source>
        <translation>2.9× (Text: 4.5×)</translation>
    </message>
    <message>
        <source>4 threads write more slowly than 1, C++ coalesced (the chart read rightly)</source>
        <translation>4 Threads schreiben langsamer als 1, C++ verschmolzen (die Abbildung richtig gelesen)</translation>
    </message>
    <message>
        <source>64 threads gain nothing on 1, C++ un-coalesced (the chart read rightly)</source>
        <translation>64 Threads gewinnen nichts gegen 1, C++ unverschmolzen (die Abbildung richtig gelesen)</translation>
    </message>
    <message>
        <source>9 to 19 files</source>
        <translation>9 bis 19 Dateien</translation>
    </message>
    <message>
        <source>99 % of the {units} within {time}</source>
        <translation>99 % der {units} binnen {time}</translation>
    </message>
    <message>
        <source>Each value is looked at once, the first with several numbers of threads.</source>
        <translation>Jeder Wert wird einmal betrachtet, der erste mit mehreren Zahlen von Threads.</translation>
    </message>
    <message>
        <source>A coarse ladder shows where the knee may be.</source>
        <translation>Eine grobe Leiter zeigt, wo das Knie sein kann.</translation>
    </message>
    <message>
        <source>A dip may be chance or a jagged curve.</source>
        <translation>Eine Delle kann Zufall sein oder eine zackige Kurve.</translation>
    </message>
    <message>
        <source>A gap here could hide a better value.</source>
        <translation>Eine Lücke hier könnte einen besseren Wert verbergen.</translation>
    </message>
    <message>
        <source>A local file that answers after the latency.</source>
        <translation>Eine örtliche Datei, die nach der Latenz antwortet.</translation>
    </message>
    <message>
        <source>A look between good values shows whether work divides unevenly.</source>
        <translation>Ein Blick zwischen gute Werte zeigt, ob sich die Arbeit ungleich teilt.</translation>
    </message>
    <message>
        <source>A memory map counts the page cache as memory: peak RAM of POD5 mmap against io</source>
        <translation>Abgebildete Dateien zählen den Seitencache als Speicher: höchster Speicher von POD5 mmap gegen io</translation>
    </message>
    <message>
        <source>A million 1-byte blocks take 33 times their bytes, by its own account</source>
        <translation>Eine Million Blöcke von 1 Byte nehmen das 33-fache ihrer Bytes, nach eigener Rechnung</translation>
    </message>
    <message>
        <source>A region at a random place.</source>
        <translation>Ein Bereich an einer zufälligen Stelle.</translation>
    </message>
    <message>
        <source>A slow file behind a sparse one</source>
        <translation>Langsame Datei hinter einer löchrigen</translation>
    </message>
    <message>
        <source>A smaller value may be near the best too.</source>
        <translation>Auch ein kleinerer Wert kann nahe am besten liegen.</translation>
    </message>
    <message>
        <source>A sparse file system, in which every call looks the file up by its name.</source>
        <translation>Ein System löchriger Dateien, in dem jeder Aufruf die Datei beim Namen sucht.</translation>
    </message>
    <message>
        <source>A thread takes a file out of a common pool and puts it back; idle ones are kept.</source>
        <translation>Ein Thread nimmt eine Datei aus einem gemeinsamen Vorrat und legt sie zurück; ungenutzte bleiben offen.</translation>
    </message>
    <message>
        <source>Longest time without progress. A trial that exceeds it is stopped as stalled.</source>
        <translation>Ein Versuch, in dem sich so lange nichts regt, wird als stehend beendet.</translation>
    </message>
    <message>
        <source> and {queued} wait for a core</source>
        <translation> und {queued} warten auf einen Kern</translation>
    </message>
    <message>
        <source>(as in a collection)</source>
        <translation>(wie in einer Collection)</translation>
    </message>
    <message>
        <source>(at most 8)</source>
        <translation>(höchstens 8)</translation>
    </message>
    <message>
        <source>(backpressure)</source>
        <translation>(Rückstau)</translation>
    </message>
    <message>
        <source>(like the others)</source>
        <translation>(wie die anderen)</translation>
    </message>
    <message>
        <source>(no significant gain)</source>
        <translation>(kein nennenswerter Gewinn)</translation>
    </message>
    <message>
        <source>(similar)</source>
        <translation>(ähnlich)</translation>
    </message>
    <message>
        <source>(threads = cores)</source>
        <translation>(Threads = Kerne)</translation>
    </message>
    <message>
        <source>, bound to 1 core</source>
        <translation>, gebunden an 1 Kern</translation>
    </message>
    <message>
        <source>, so other programs or a limit keep cores from them</source>
        <translation>, andere Programme oder eine Grenze nehmen ihnen also Kerne</translation>
    </message>
    <message>
        <source>, {time} left</source>
        <translation>, noch {time}</translation>
    </message>
    <message>
        <source>/bin/sh cannot be started: {why}</source>
        <translation>/bin/sh lässt sich nicht starten: {why}</translation>
    </message>
    <message>
        <source>0.57× on 4 cores, 0.60× on 8</source>
        <translation>0,57× auf 4 Kernen, 0,60× auf 8</translation>
    </message>
    <message>
        <source>0.77× on 4 cores, 0.90× on 8</source>
        <translation>0,77× auf 4 Kernen, 0,90× auf 8</translation>
    </message>
    <message>
        <source>0.80× on 4 cores</source>
        <translation>0,80× auf 4 Kernen</translation>
    </message>
    <message>
        <source>0.84× on 4 cores</source>
        <translation>0,84× auf 4 Kernen</translation>
    </message>
    <message>
        <source>1 process</source>
        <translation>1 Prozess</translation>
    </message>
    <message>
        <source>1 read</source>
        <translation>1 Read</translation>
    </message>
    <message>
        <source>1 read group</source>
        <translation>1 Read-Gruppe</translation>
    </message>
    <message>
        <source>1 setting</source>
        <translation>1 Einstellung</translation>
    </message>
    <message>
        <source>1 trial</source>
        <translation>1 Versuch</translation>
    </message>
    <message>
        <source>1.31× on 8 cores</source>
        <translation>1,31× auf 8 Kernen</translation>
    </message>
    <message>
        <source>1.74× from 4 to 8 cores</source>
        <translation>1,74× von 4 auf 8 Kerne</translation>
    </message>
    <message>
        <source>1.78× on 8 cores</source>
        <translation>1,78× auf 8 Kernen</translation>
    </message>
    <message>
        <source>1.90× from 4 to 8 cores</source>
        <translation>1,90× von 4 auf 8 Kerne</translation>
    </message>
    <message>
        <source>1.94× from 4 to 8 cores</source>
        <translation>1,94× von 4 auf 8 Kerne</translation>
    </message>
    <message>
        <source>2.10× from 4 to 8 cores</source>
        <translation>2,10× von 4 auf 8 Kerne</translation>
    </message>
    <message>
        <source>: measure both in turn (`compare --again`)</source>
        <translation>: beide abwechselnd messen (`compare --again`)</translation>
    </message>
    <message>
        <source>A MapFile on HDFS, through hdfs-native.</source>
        <translation>Ein MapFile auf HDFS, durch hdfs-native.</translation>
    </message>
    <message>
        <source>A process may open only {count:,} files at once.</source>
        <translation>Ein Prozess darf nur {count:,} Dateien zugleich öffnen.</translation>
    </message>
    <message>
        <source>A request is a job of Spark&apos;s; each partition has a pool of the load&apos;s threads.</source>
        <translation>Eine Anfrage ist ein Job von Spark; jede Partition hat einen Vorrat von Threads der Last.</translation>
    </message>
    <message>
        <source>A table of Accumulo, through its own Java client.</source>
        <translation>Eine Tabelle von Accumulo, durch dessen eigenen Java-Client.</translation>
    </message>
    <message>
        <source>A table of Cassandra, through cassandra-driver.</source>
        <translation>Eine Tabelle von Cassandra, durch cassandra-driver.</translation>
    </message>
    <message>
        <source>, bound to {count:g} cores</source>
        <translation>, gebunden an {count:g} Kerne</translation>
    </message>
    <message>
        <source>1 base</source>
        <translation>1 Base</translation>
    </message>
    <message>
        <source>1 core</source>
        <translation>1 Kern</translation>
    </message>
    <message>
        <source>1 more line</source>
        <translation>1 weitere Zeile</translation>
    </message>
    <message>
        <source>1 more result has no throughput; the table says how it ended.</source>
        <translation>1 weiteres Ergebnis hat keinen Durchsatz; die Tabelle sagt, wie es endete.</translation>
    </message>
    <message>
        <source>1 of {of} configurations has no throughput</source>
        <translation>1 von {of} Konfigurationen hat keinen Durchsatz</translation>
    </message>
    <message>
        <source>1 of {of} trials</source>
        <translation>1 von {of} Versuchen</translation>
    </message>
    <message>
        <source>1 read is too little to show what workers bring ({workers}): a batch could have {batch}; take data with more reads</source>
        <translation>1 Read ist zu wenig, um zu zeigen, was Arbeiter bringen ({workers}): Ein Stapel könnte {batch} haben; Daten mit mehr Reads nehmen</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 Messwert</translation>
    </message>
    <message>
        <source>1 setting to search, about {time}</source>
        <translation>1 Einstellung zu durchsuchen, etwa {time}</translation>
    </message>
    <message>
        <source>1 shortened trial was measured again when the run was resumed, and counts no more.</source>
        <translation>1 verkürzter Versuch wurde beim Fortsetzen noch einmal gemessen und zählt nicht mehr.</translation>
    </message>
    <message>
        <source>1 trial remains to be measured.</source>
        <translation>1 Versuch ist noch zu messen.</translation>
    </message>
    <message>
        <source>1 trial remains to be measured. What was measured is kept.</source>
        <translation>1 Versuch ist noch zu messen. Gemessenes bleibt.</translation>
    </message>
    <message>
        <source>1 trial was measured before the end.</source>
        <translation>1 Versuch wurde vor dem Ende gemessen.</translation>
    </message>
    <message>
        <source>A quota allows the time of {quota:g} cores, of {cores}: with more threads, all of them are stopped in every period.</source>
        <translation>Ein Kontingent erlaubt die Zeit von {quota:g} Kernen, von {cores}: Mit mehr Threads werden in jedem Zeitabschnitt alle angehalten.</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Zugriff</translation>
    </message>
    <message>
        <source>Access key</source>
        <translation>Zugriffsschlüssel</translation>
    </message>
    <message>
        <source>Access key; empty = as boto3 finds it: environment, profiles, the machine&apos;s role.</source>
        <translation>Zugriffsschlüssel; leer = wie boto3 ihn findet: Umgebung, Profile, die Rolle des Rechners.</translation>
    </message>
    <message>
        <source>Access size</source>
        <translation>Zugriffsgröße</translation>
    </message>
    <message>
        <source>Accesses</source>
        <translation>Zugriffe</translation>
    </message>
    <message>
        <source>Accesses in one pass, in clusters of 16.</source>
        <translation>Zugriffe in einem Durchgang, in Haufen von 16.</translation>
    </message>
    <message>
        <source>Accessions</source>
        <translation>Accessions</translation>
    </message>
    <message>
        <source>Accessions drawn at random. If there are fewer, some come again.</source>
        <translation>Zufällig gezogene Accessions; wo es weniger gibt, kommen manche mehrmals.</translation>
    </message>
    <message>
        <source>Accumulo at {place} refuses the login: {reason}</source>
        <translation>Accumulo bei {place} weist die Anmeldung ab: {reason}</translation>
    </message>
    <message>
        <source>Accumulo does not give {name!r}: {reason}</source>
        <translation>Accumulo gibt {name!r} nicht her: {reason}</translation>
    </message>
    <message>
        <source>Accumulo has no namespace {name!r}</source>
        <translation>Accumulo hat keinen Namensraum {name!r}</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Address space is limited to {size}: readers that map files will fail early.</source>
        <translation>Der Adressraum ist auf {size} begrenzt: Leser, die Dateien einblenden, scheitern früh.</translation>
    </message>
    <message>
        <source>All blocks of all files once each, in a random order.</source>
        <translation>Alle Blöcke aller Dateien je einmal, in zufälliger Folge.</translation>
    </message>
    <message>
        <source>All files one after the other, as cat does.</source>
        <translation>Alle Dateien hintereinander, wie cat es tut.</translation>
    </message>
    <message>
        <source>All reads in the order of the file.</source>
        <translation>Alle Reads in der Folge der Datei.</translation>
    </message>
    <message>
        <source>All your processes together may have only {count:,} threads.</source>
        <translation>Alle Ihre Prozesse zusammen dürfen nur {count:,} Threads haben.</translation>
    </message>
    <message>
        <source>Amazon m3.xlarge and m3.2xlarge with 4 and 8 cores</source>
        <translation>Amazon m3.xlarge und m3.2xlarge mit 4 und 8 Kernen</translation>
    </message>
    <message>
        <source>Amazon m3.xlarge and m3.2xlarge with 4 and 8 cores; averages after warm-up</source>
        <translation>Amazon m3.xlarge und m3.2xlarge mit 4 und 8 Kernen; Mittel nach dem Aufwärmen</translation>
    </message>
    <message>
        <source>Amazon t3a.micro with 2 cores in us-east-1, against the real Synapse and S3; single runs</source>
        <translation>Amazon t3a.micro mit 2 Kernen in us-east-1, gegen das echte Synapse und S3; einzelne Läufe</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>Another value may be better with another number of threads.</source>
        <translation>Ein anderer Wert ist vielleicht mit einer anderen Zahl von Threads besser.</translation>
    </message>
    <message>
        <source>Any program</source>
        <translation>Beliebiges Programm</translation>
    </message>
    <message>
        <source>As blow5-pool, with records decompressed by this machine&apos;s zstd, not pyslow5&apos;s.</source>
        <translation>Wie blow5-pool, aber die Einträge entpackt das zstd dieses Rechners, nicht das von pyslow5.</translation>
    </message>
    <message>
        <source>As botocore&apos;s mode of that name, its default.</source>
        <translation>Wie der Modus dieses Namens von botocore, der dort voreingestellt ist.</translation>
    </message>
    <message>
        <source>As botocore&apos;s mode of that name, which also slows all requests down.</source>
        <translation>Wie der Modus dieses Namens von botocore, der auch alle Anfragen bremst.</translation>
    </message>
    <message>
        <source>As botocore&apos;s mode of that name.</source>
        <translation>Wie der Modus dieses Namens von botocore.</translation>
    </message>
    <message>
        <source>As contiguous, onto the same bytes that are there already.</source>
        <translation>Wie contiguous, auf dieselben Bytes, die schon dort stehen.</translation>
    </message>
    <message>
        <source>As decode, but the whole batch is decompressed before any record is parsed.</source>
        <translation>Wie decode, doch wird der ganze Stapel entpackt, ehe ein Datensatz zerlegt wird.</translation>
    </message>
    <message>
        <source>As good within {near:g} %: {others}.</source>
        <translation>Bis auf {near:g} % ebenso gut: {others}.</translation>
    </message>
    <message>
        <source>As many bytes arrive as the link or the server lets through</source>
        <translation>Es kommen so viele Bytes an, wie die Leitung oder der Server durchlässt</translation>
    </message>
    <message>
        <source>Ask which parts of a range a file lacks; it is filled before the clock starts.</source>
        <translation>Fragen, welche Teile eines Bereichs einer Datei fehlen; sie wird vor der Messung gefüllt.</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Anläufe</translation>
    </message>
    <message>
        <source>BLOW5 by pyslow5; with several threads by its calls for many reads.</source>
        <translation>BLOW5 mit pyslow5; bei mehreren Threads mit dessen Aufrufen für viele Reads.</translation>
    </message>
    <message>
        <source>BLOW5 by slow5lib, batches decoded by its own threads.</source>
        <translation>BLOW5 mit slow5lib, Stapel von dessen eigenen Threads entschlüsselt.</translation>
    </message>
    <message>
        <source>BLOW5 by slow5lib: raw records by one thread, then one task per record in a pool.</source>
        <translation>BLOW5 mit slow5lib: rohe Datensätze von einem Thread, dann je Datensatz eine Arbeit in einem Pool.</translation>
    </message>
    <message>
        <source>BLOW5 or POD5, by which library and with how many threads?</source>
        <translation>BLOW5 oder POD5, mit welcher Bibliothek und wie vielen Threads?</translation>
    </message>
    <message>
        <source>BLOW5 or SLOW5</source>
        <translation>BLOW5 oder SLOW5</translation>
    </message>
    <message>
        <source>Backoff base</source>
        <translation>Grundwartezeit</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Stapelgröße</translation>
    </message>
    <message>
        <source>Batch threads</source>
        <translation>Stapel-Threads</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>Unterhalb</translation>
    </message>
    <message>
        <source>Block size</source>
        <translation>Blockgröße</translation>
    </message>
    <message>
        <source>Blocks of 256 bytes take 12.5 % more than their bytes, by its own account</source>
        <translation>Blöcke von 256 Bytes nehmen 12,5 % mehr als ihre Bytes, nach eigener Rechnung</translation>
    </message>
    <message>
        <source>Blocks that begin every 1024 bytes, or as much further as they are longer.</source>
        <translation>Blöcke, die alle 1024 Bytes beginnen, oder so viel weiter, wie sie länger sind.</translation>
    </message>
    <message>
        <source>Blocks with one byte between them, so that they never merge.</source>
        <translation>Blöcke mit einem Byte dazwischen, damit sie nie verschmelzen.</translation>
    </message>
    <message>
        <source>Blocks without space between them, so that all merge into one.</source>
        <translation>Blöcke ohne Abstand, damit alle zu einem verschmelzen.</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Bytes fetched a pass</source>
        <translation>Geholte Bytes je Durchgang</translation>
    </message>
    <message>
        <source>Bytes in all blocks together.</source>
        <translation>Bytes in allen Blöcken zusammen.</translation>
    </message>
    <message>
        <source>Bytes in each block, and in each read or write.</source>
        <translation>Bytes in jedem Block und bei jedem Lesen oder Schreiben.</translation>
    </message>
    <message>
        <source>Bytes in each read.</source>
        <translation>Bytes bei jedem Lesen.</translation>
    </message>
    <message>
        <source>Bytes of each part. Files of that size or more are transferred in parts.</source>
        <translation>Bytes jedes Teils; Dateien ab dieser Größe werden in Teilen übertragen.</translation>
    </message>
    <message>
        <source>Bytes that a request gets in a second, after the latency; 0 = without a limit.</source>
        <translation>Bytes, die eine Anfrage nach der Latenz je Sekunde bekommt; 0 = ohne Grenze.</translation>
    </message>
    <message>
        <source>Bytes that each access wants.</source>
        <translation>Bytes, die jeder Zugriff will.</translation>
    </message>
    <message>
        <source>Bytes that each need asks about.</source>
        <translation>Bytes, nach denen jede Bedarfsfrage fragt.</translation>
    </message>
    <message>
        <source>C++: needs of 32 bytes to 16 KiB over a low-level index of an RP66V1 file, 238,310 blocks. Python: needs of 1, 64 and 1024 KiB at the start and at 512 KiB of 1 MiB in equal blocks with a byte between them.</source>
        <translation>C++: Bedarfsfragen nach 32 Bytes bis 16 KiB über einem Index einer RP66V1-Datei, 238&#x202f;310 Blöcke. Python: Bedarfsfragen nach 1, 64 und 1024 KiB am Anfang und bei 512 KiB von 1 MiB in gleichen Blöcken mit einem Byte dazwischen.</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU per worker</source>
        <translation>CPU je Arbeiter</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>Cache size</source>
        <translation>Cache-Größe</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Cannot tell: {why}</source>
        <translation>Offen: {why}</translation>
    </message>
    <message>
        <source>Cassandra at {place} cannot be talked to: {reason}</source>
        <translation>mit Cassandra unter {place} ist keine Verständigung möglich: {reason}</translation>
    </message>
    <message>
        <source>Cassandra at {place} refuses the login: {reason}</source>
        <translation>Cassandra bei {place} weist die Anmeldung ab: {reason}</translation>
    </message>
    <message>
        <source>Cassandra does not give {name!r}: {reason}</source>
        <translation>Cassandra gibt {name!r} nicht her: {reason}</translation>
    </message>
    <message>
        <source>Cassandra has no keyspace {name!r}</source>
        <translation>Cassandra hat keinen Keyspace {name!r}</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Choose by bytes per second, or compare settings with operations of one size.</source>
        <translation>Nach Bytes je Sekunde wählen, oder Einstellungen mit gleich großen Operationen vergleichen.</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>Client</translation>
    </message>
    <message>
        <source>Clock ±</source>
        <translation>Uhr ±</translation>
    </message>
    <message>
        <source>Coalesced 1-byte writes are faster than un-coalesced, C++</source>
        <translation>Verschmolzenes Schreiben von 1 Byte ist schneller als unverschmolzenes, C++</translation>
    </message>
    <message>
        <source>Columns and rows of the square that a request covers; the seed draws where. 0 = the whole layer.</source>
        <translation>Spalten und Zeilen des Quadrats, das eine Anfrage umfasst, an einer durch den Startwert gezogenen Stelle; 0 = die ganze Ebene.</translation>
    </message>
    <message>
        <source>Command after each run, outside the clock.</source>
        <translation>Befehl nach jedem Lauf, außerhalb der Uhr.</translation>
    </message>
    <message>
        <source>Command before each run, outside the clock.</source>
        <translation>Befehl vor jedem Lauf, außerhalb der Uhr.</translation>
    </message>
    <message>
        <source>Command whose exit code judges a run, with the same placeholders; 0 is right.</source>
        <translation>Befehl, dessen Exit-Code über einen Lauf urteilt, mit denselben Platzhaltern; 0 ist richtig.</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>Kompression</translation>
    </message>
    <message>
        <source>Conclude</source>
        <translation>Abschluss</translation>
    </message>
    <message>
        <source>Concurrency</source>
        <translation>Gleichzeitigkeit</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Cores busy</source>
        <translation>Kerne belegt</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Anlegen</translation>
    </message>
    <message>
        <source>Create a missing keyspace or namespace. A keyspace has no copies.</source>
        <translation>Den Keyspace oder Namensraum anlegen, wo er fehlt; einen Keyspace ohne Kopien.</translation>
    </message>
    <message>
        <source>Cut off, and counted with what was measured: {which}; the shortest had {shortest}.</source>
        <translation>Abgebrochen und mit dem Gemessenen gezählt: {which}; der kürzeste hatte {shortest}.</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>Frist</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Disturbed and measured again: {which}; the calmer repeat counts.</source>
        <translation>Gestört und noch einmal gemessen: {which}; die ruhigere Wiederholung zählt.</translation>
    </message>
    <message>
        <source>Disturbed and measured again: {which}; the repeat was no calmer and does not count.</source>
        <translation>Gestört und noch einmal gemessen: {which}; die Wiederholung war nicht ruhiger und zählt nicht.</translation>
    </message>
    <message>
        <source>Disturbed, and counted: {which}.</source>
        <translation>Gestört und gezählt: {which}.</translation>
    </message>
    <message>
        <source>Disturbed: other programs took over {taken} of the core time that a trial wanted, or the hypervisor over {stolen}, or a quota over {throttled}.</source>
        <translation>Gestört: Andere Programme nahmen über {taken} der Kernzeit, die ein Versuch wollte, oder der Hypervisor über {stolen} oder eine Quote über {throttled}.</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Each thread writes 1 MiB by 8 bytes into one file: all the same block, or 131,072 blocks. In Python the un-coalesced threads split 1 MiB between them.</source>
        <translation>Jeder Thread schreibt 1 MiB zu je 8 Bytes in eine Datei: alle denselben Block, oder 131&#x202f;072 Blöcke. In Python teilen sich die unverschmolzenen Threads 1 MiB.</translation>
    </message>
    <message>
        <source>Ending</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Entries of a MapFile from one in its index to the next; Hadoop&apos;s default is 128.</source>
        <translation>Einträge eines MapFile von einem in seinem Index bis zum nächsten; Hadoops Vorgabe ist 128.</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Every read once, in the order of the file: fetch the raw records of a batch, then decompress and parse them in parallel. BLOW5 C decodes with slow5lib&apos;s threads, BLOW5 CXX with a pool of one task per record, POD5 by lib_pod5 with a task per row, with plain reads (io) or a memory map (mmap). The first step of BLOW5 CXX is the disc, of POD5 the table of reads; mapped memory is page cache, not the reader&apos;s own.</source>
        <translation>Jeder Read einmal, in der Folge der Datei: die rohen Datensätze eines Stapels holen, dann gleichzeitig entpacken und zerlegen. BLOW5 C entschlüsselt mit den Threads von slow5lib, BLOW5 CXX mit einem Pool und einer Arbeit je Datensatz, POD5 mit lib_pod5 und einer Arbeit je Zeile, durch Lesen (io) oder Abbilden (mmap). Der erste Schritt von BLOW5 CXX ist die Platte, der von POD5 die Tabelle der Reads; abgebildeter Speicher ist Seitencache und nicht der des Lesers.</translation>
    </message>
    <message>
        <source>Every result is compared with the data without the reader under test. Results too large to be held are dropped, and a part of them is read again and compared.</source>
        <translation>Jedes Ergebnis wird mit den Daten verglichen, ohne den Leser, der geprüft wird. Ergebnisse, die zum Aufheben zu groß sind, werden verworfen; ein Teil von ihnen wird noch einmal gelesen und verglichen.</translation>
    </message>
    <message>
        <source>Every thread keeps the last files that it opened.</source>
        <translation>Jeder Thread behält die Dateien, die er zuletzt geöffnet hat.</translation>
    </message>
    <message>
        <source>Every thread writes its own part: together they write the file once.</source>
        <translation>Jeder Thread schreibt seinen Teil: zusammen schreiben sie die Datei einmal.</translation>
    </message>
    <message>
        <source>Every thread writes the whole file: with more threads there is more to do.</source>
        <translation>Jeder Thread schreibt die ganze Datei: mit mehr Threads ist mehr zu tun.</translation>
    </message>
    <message>
        <source>Every worker has its fixed share of the items.</source>
        <translation>Jeder Arbeiter hat seinen festen Anteil.</translation>
    </message>
    <message>
        <source>Expect</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Explicit close costs nothing, 1 thread</source>
        <translation>Ausdrückliches Schließen kostet nichts, 1 Thread</translation>
    </message>
    <message>
        <source>Explicit close costs nothing, 10 threads</source>
        <translation>Ausdrückliches Schließen kostet nichts, 10 Threads</translation>
    </message>
    <message>
        <source>FASTA file</source>
        <translation>FASTA-Datei</translation>
    </message>
    <message>
        <source>FASTA files have no namespaces</source>
        <translation>FASTA-Dateien haben keine Namensräume</translation>
    </message>
    <message>
        <source>Fetch a tree, which is placed there once and used again, into a folder of the trial&apos;s own.</source>
        <translation>Einen Baum, der dort einmal abgelegt und wieder verwendet wird, in einen eigenen Ordner des Versuchs holen.</translation>
    </message>
    <message>
        <source>Fetch and read whole pages of 4 KiB, which avoids a fault of svfsc&apos;s: blocks that touch but do not merge.</source>
        <translation>Ganze Seiten von 4 KiB holen und lesen, was einen Fehler von svfsc meidet: Blöcke, die sich berühren und nicht verschmelzen.</translation>
    </message>
    <message>
        <source>Fetch the objects and leave them as they are, which tells the store&apos;s share.</source>
        <translation>Die Objekte holen und lassen, wie sie sind; das zeigt den Anteil der Ablage.</translation>
    </message>
    <message>
        <source>Fetch the raw records and leave them as they are, which tells the disc&apos;s share.</source>
        <translation>Die rohen Datensätze holen und lassen, wie sie sind; das zeigt den Anteil der Platte.</translation>
    </message>
    <message>
        <source>Fetch, decompress and parse.</source>
        <translation>Holen, entpacken und zerlegen.</translation>
    </message>
    <message>
        <source>Fetch, inflate and decode into bands.</source>
        <translation>Holen, entpacken und in Kanäle entschlüsseln.</translation>
    </message>
    <message>
        <source>File with a read id on each line, read in that order; empty = shuffled by the seed.</source>
        <translation>Datei mit einer Kennung je Zeile, in dieser Folge gelesen; leer = durch den Startwert gemischt.</translation>
    </message>
    <message>
        <source>File with regions of your own, fetched in its order: BED, lines such as chr1:101-200, or names of sequences; empty = drawn at random.</source>
        <translation>Datei mit eigenen Regionen, in ihrer Reihenfolge geholt: BED, Zeilen wie chr1:101-200 oder Namen von Sequenzen; leer = zufällig gezogen.</translation>
    </message>
    <message>
        <source>Files in a folder, one for each tile.</source>
        <translation>Dateien in einem Ordner, eine je Kachel.</translation>
    </message>
    <message>
        <source>Files that the processes hold open, together; the most of a trial.</source>
        <translation>Dateien, die die Prozesse zusammen geöffnet halten; die meisten eines Versuchs.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder of the tree to transfer, such as 775-files of the published trees. Empty = the whole tree.</source>
        <translation>Ordner des Baums, der allein übertragen wird, etwa 775-files der veröffentlichten Bäume; leer = der ganze Baum.</translation>
    </message>
    <message>
        <source>Folder to fetch files to; each trial has its own below it, which is removed. Empty = a folder in the cache.</source>
        <translation>Ordner auf dem Datenträger, auf den Dateien geholt werden, jeder Versuch in einen eigenen, der entfernt wird; leer = einer im Zwischenspeicher.</translation>
    </message>
    <message>
        <source>Folder on the disk that {out} is made in; empty = one in the cache.</source>
        <translation>Ordner auf der Platte, in dem {out} angelegt wird; leer = einer im Cache.</translation>
    </message>
    <message>
        <source>Folder with the jars of Accumulo&apos;s client; empty = those that the lab has fetched.</source>
        <translation>Ordner mit den Jars des Clients von Accumulo; leer = die, die das Labor geholt hat.</translation>
    </message>
    <message>
        <source>Free memory, then: sudo swapoff -a &amp;&amp; sudo swapon -a</source>
        <translation>Geben Sie Speicher frei, dann: sudo swapoff -a &amp;&amp; sudo swapon -a</translation>
    </message>
    <message>
        <source>From 512 KiB on, again and again.</source>
        <translation>Ab 512 KiB, immer wieder.</translation>
    </message>
    <message>
        <source>GIL</source>
        <translation>GIL</translation>
    </message>
    <message>
        <source>GeoTrellis: tiles by collection and RDD readers from five stores on 1 to 32 threads</source>
        <translation>GeoTrellis: Kacheln mit Collection- und RDD-Lesern aus fünf Ablagen auf 1 bis 32 Threads</translation>
    </message>
    <message>
        <source>GeoTrellis: tiles written into five stores on 1 to 32 threads</source>
        <translation>GeoTrellis: Kacheln in fünf Ablagen geschrieben, mit 1 bis 32 Threads</translation>
    </message>
    <message>
        <source>Give each file the five annotations of the published measurements: text, whole number, number, truth and date.</source>
        <translation>Jeder Datei die fünf Annotationen der veröffentlichten Messungen geben: Text, ganze Zahl, Zahl, Wahrheitswert und Datum.</translation>
    </message>
    <message>
        <source>Give the container or job more memory, or use datasets that fit.</source>
        <translation>Geben Sie dem Container oder Auftrag mehr Speicher, oder nehmen Sie Datensätze, die hineinpassen.</translation>
    </message>
    <message>
        <source>Give the container or job whole cores (a cpuset) instead of a quota.</source>
        <translation>Geben Sie dem Container oder Auftrag ganze Kerne (ein cpuset) statt eines Kontingents.</translation>
    </message>
    <message>
        <source>Greedy length</source>
        <translation>Vorgriff</translation>
    </message>
    <message>
        <source>HDFS does not give {folder}: {reason}</source>
        <translation>HDFS gibt {folder} nicht her: {reason}</translation>
    </message>
    <message>
        <source>Harness</source>
        <translation>Messaufwand</translation>
    </message>
    <message>
        <source>Lock a mutex in every call of the C++ classes. Several threads need it.</source>
        <translation>Die C++-Klassen bei jedem Aufruf eine Sperre nehmen lassen; mehr als ein Thread braucht das.</translation>
    </message>
    <message>
        <source>Have writes compare with the bytes that are there already.</source>
        <translation>Beim Schreiben mit den Bytes vergleichen, die schon da sind.</translation>
    </message>
    <message>
        <source>/proc is missing, by which processes are watched</source>
        <translation>/proc fehlt, womit Prozesse beobachtet werden</translation>
    </message>
    <message>
        <source>1 line differs, line {place:,}: {text}</source>
        <translation>1 Zeile ist anders, Zeile {place:,}: {text}</translation>
    </message>
    <message>
        <source>1 line is missing, line {place:,}</source>
        <translation>1 Zeile fehlt, Zeile {place:,}</translation>
    </message>
    <message>
        <source>1 line is there in addition, line {place:,}</source>
        <translation>1 Zeile ist zusätzlich da, Zeile {place:,}</translation>
    </message>
    <message>
        <source>1 record differs, number {place:,}</source>
        <translation>1 Datensatz ist anders, Nummer {place:,}</translation>
    </message>
    <message>
        <source>1 record is missing, number {place:,}</source>
        <translation>1 Datensatz fehlt, Nummer {place:,}</translation>
    </message>
    <message>
        <source>1 record is there in addition, number {place:,}</source>
        <translation>1 Datensatz ist zusätzlich da, Nummer {place:,}</translation>
    </message>
    <message>
        <source>Asleep seconds per operation</source>
        <translation>Schlafsekunden je Operation</translation>
    </message>
    <message>
        <source>Evict the files before the clock starts, and prove it; a trial ends after one pass over them.</source>
        <translation>Die Dateien vor dem Start der Uhr verdrängen und das nachweisen; ein Versuch endet nach einem Durchgang durch sie.</translation>
    </message>
    <message>
        <source>Filter for what is compared, each file by itself, such as gzip -dc | sort. What a format is known to hold beside its content, such as the command line in a BAM file, needs none.</source>
        <translation>Filter für das, was verglichen wird, jede Datei für sich, etwa gzip -dc | sort. Was ein Format bekanntlich neben seinem Inhalt hat, etwa die Kommandozeile in einer BAM-Datei, braucht keinen.</translation>
    </message>
    <message>
        <source>Give all the same work: --operations, as many as the data has, or --duration 0.</source>
        <translation>Allen die gleiche Arbeit geben: --operations, so viele wie die Daten haben, oder --duration 0.</translation>
    </message>
    <message>
        <source>Holder</source>
        <translation>Halter</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>How a failed or refused request is repeated.</source>
        <translation>Wie eine Anfrage wiederholt wird, die S3 als zu viel abgewiesen hat oder die unterwegs gescheitert ist.</translation>
    </message>
    <message>
        <source>How far the records are read.</source>
        <translation>Wie weit die Datensätze gelesen werden.</translation>
    </message>
    <message>
        <source>How far tiles are read.</source>
        <translation>Wie weit die Kacheln gelesen werden.</translation>
    </message>
    <message>
        <source>How fast can this disk and page cache hand out these files at all?</source>
        <translation>Wie schnell können diese Platte und der Seitencache diese Dateien überhaupt hergeben?</translation>
    </message>
    <message>
        <source>How greedily should a slow or remote file be read through a sparse one?</source>
        <translation>Mit wie viel Vorgriff soll eine langsame oder ferne Datei durch eine löchrige gelesen werden?</translation>
    </message>
    <message>
        <source>How many cores the processes kept busy.</source>
        <translation>Wie viele Kerne die Prozesse beschäftigten.</translation>
    </message>
    <message>
        <source>How many threads and which cache of open files serve random sequence fetches best?</source>
        <translation>Wie viele Threads und welcher Cache offener Dateien dienen zufälligen Abrufen von Sequenzen am besten?</translation>
    </message>
    <message>
        <source>How many threads does my own tool want on my own data?</source>
        <translation>Wie viele Threads will mein eigenes Programm auf meinen eigenen Daten?</translation>
    </message>
    <message>
        <source>How many threads read or write the tiles of a layer best, in which store?</source>
        <translation>Wie viele Threads lesen oder schreiben die Kacheln einer Ebene am besten, in welcher Ablage?</translation>
    </message>
    <message>
        <source>How open files are kept between fetches.</source>
        <translation>Wie Dateien zwischen Abrufen offen bleiben.</translation>
    </message>
    <message>
        <source>How the work is shared between the workers.</source>
        <translation>Wie die Arbeit auf die Arbeiter verteilt wird.</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Stillstand</translation>
    </message>
    <message>
        <source>In each partition too, more threads than cores are slower: 32 against 4, Accumulo</source>
        <translation>Auch in jeder Partition sind mehr Threads als Kerne langsamer: 32 gegen 4, Accumulo</translation>
    </message>
    <message>
        <source>In each partition too, more threads than cores are slower: 32 against 4, Cassandra</source>
        <translation>Auch in jeder Partition sind mehr Threads als Kerne langsamer: 32 gegen 4, Cassandra</translation>
    </message>
    <message>
        <source>In each partition too, more threads than cores are slower: 32 against 4, File</source>
        <translation>Auch in jeder Partition sind mehr Threads als Kerne langsamer: 32 gegen 4, Datei</translation>
    </message>
    <message>
        <source>In each partition too, more threads than cores are slower: 32 against 4, Hadoop</source>
        <translation>Auch in jeder Partition sind mehr Threads als Kerne langsamer: 32 gegen 4, Hadoop</translation>
    </message>
    <message>
        <source>In each partition too, more threads than cores are slower: 32 against 4, S3</source>
        <translation>Auch in jeder Partition sind mehr Threads als Kerne langsamer: 32 gegen 4, S3</translation>
    </message>
    <message>
        <source>Index interval</source>
        <translation>Indexabstand</translation>
    </message>
    <message>
        <source>Invalid BGZF header</source>
        <translation>Invalid BGZF header</translation>
    </message>
    <message>
        <source>It is the best so far, and something else may be it.</source>
        <translation>Es ist bisher das Beste, und etwas anderes kann es sein.</translation>
    </message>
    <message>
        <source>Jars</source>
        <translation>Jars</translation>
    </message>
    <message>
        <source>Java heap</source>
        <translation>Java-Heap</translation>
    </message>
    <message>
        <source>Java&apos;s memory in Accumulo&apos;s client is full: use fewer threads, a smaller batch or a larger {parameter}</source>
        <translation>Der Speicher von Java im Client von Accumulo ist voll; weniger Threads, einen kleineren Stapel oder ein größeres {parameter} wählen</translation>
    </message>
    <message>
        <source>Keeping files open pays, 1 thread</source>
        <translation>Dateien offen zu halten lohnt sich, 1 Thread</translation>
    </message>
    <message>
        <source>Keeping files open pays, 10 threads</source>
        <translation>Dateien offen zu halten lohnt sich, 10 Threads</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Language that makes the calls.</source>
        <translation>Sprache, aus der aufgerufen wird.</translation>
    </message>
    <message>
        <source>Larger writes are faster: 256 bytes against 1, coalesced, C++</source>
        <translation>Größere Schreibvorgänge sind schneller: 256 Bytes gegen 1, verschmolzen, C++</translation>
    </message>
    <message>
        <source>Largest share of a setting&apos;s requests that a server may refuse, as by 503 SlowDown; 1 = any.</source>
        <translation>Größter Anteil der Anfragen einer Einstellung, den ein Server ablehnen darf, etwa mit 503 SlowDown; 1 = beliebig.</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Latency p99</source>
        <translation>Latenz p99</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>Leading of {count} is {setting}</source>
        <translation>Von {count} liegt {setting} vorn</translation>
    </message>
    <message>
        <source>Leading so far: {setting}; {why}</source>
        <translation>Bisher vorn: {setting}; {why}</translation>
    </message>
    <message>
        <source>Least bytes to fetch at once when some are missing. 0 = only what is missing.</source>
        <translation>Wenigste Bytes, die eine Antwort auf eine Bedarfsfrage auf einmal holen soll; 0 = nur was fehlt.</translation>
    </message>
    <message>
        <source>Least bytes to fetch at once, whole pages where those are asked for; 0 = what is missing.</source>
        <translation>Wenigste Bytes, die auf einmal geholt werden, ganze Seiten, wo diese gewünscht sind; 0 = was fehlt.</translation>
    </message>
    <message>
        <source>Leave the operating system&apos;s cache as it is.</source>
        <translation>Den Cache des Betriebssystems lassen, wie er ist.</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Library that reads the sequences.</source>
        <translation>Bibliothek, die die Sequenzen liest.</translation>
    </message>
    <message>
        <source>Library that reads the signals, and how.</source>
        <translation>Bibliothek, die die Signale liest, und wie.</translation>
    </message>
    <message>
        <source>Limited by {cause}. {meaning}</source>
        <translation>Begrenzt durch {cause}. {meaning}</translation>
    </message>
    <message>
        <source>Longest operation</source>
        <translation>Längster Vorgang</translation>
    </message>
    <message>
        <source>Longest p99 latency that a setting may have; 0 = any.</source>
        <translation>Längste Latenz p99, die eine Einstellung haben darf; 0 = jede.</translation>
    </message>
    <message>
        <source>Longest time of a run; 0 = any.</source>
        <translation>Längste Zeit eines Laufs; 0 = beliebig.</translation>
    </message>
    <message>
        <source>Longest time of a whole trial, and of making what its results are compared with. What takes longer is stopped as timed out.</source>
        <translation>Längste Zeit eines ganzen Versuchs und dessen, womit seine Ergebnisse verglichen werden. Was länger dauert, wird wegen Zeitüberschreitung beendet.</translation>
    </message>
    <message>
        <source>Longest wait before the first repetition; it doubles with each.</source>
        <translation>Längste Wartezeit vor der ersten Wiederholung; sie verdoppelt sich mit jeder.</translation>
    </message>
    <message>
        <source>Longest wait for an answer, and for a connection.</source>
        <translation>Längste Wartezeit auf eine Antwort und auf eine Verbindung.</translation>
    </message>
    <message>
        <source>MacBook Pro of 2018, 2.7 GHz Core i7, 16 GB; one run of each</source>
        <translation>MacBook Pro von 2018, 2,7 GHz Core i7, 16 GB; je ein Lauf</translation>
    </message>
    <message>
        <source>MacBook of one of the authors, 2023; one run of 10,000 fetches a cell</source>
        <translation>MacBook eines der Verfasser, 2023; je Zelle ein Lauf von 10&#x202f;000 Abrufen</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Machines of a cluster. Each has that many processes, and they share the items.</source>
        <translation>Rechner eines Clusters. Jeder hat so viele Prozesse, und sie teilen sich die Aufgaben.</translation>
    </message>
    <message>
        <source>Many more threads than the default are unstable with large files: one after the other</source>
        <translation>Viel mehr Threads als voreingestellt sind bei großen Dateien instabil: eine nach der anderen</translation>
    </message>
    <message>
        <source>Many more threads than the default are unstable with large files: sync</source>
        <translation>Viel mehr Threads als voreingestellt sind bei großen Dateien instabil: sync</translation>
    </message>
    <message>
        <source>Mapped</source>
        <translation>Abgebildet</translation>
    </message>
    <message>
        <source>Master</source>
        <translation>Master</translation>
    </message>
    <message>
        <source>Master of Spark: local[CORES], local-cluster[WORKERS,CORES,MB] or spark://host:port; local[*] = all cores here.</source>
        <translation>Master von Spark: local[KERNE], local-cluster[WORKER,KERNE,MB] oder spark://host:port; local[*] = alle Kerne hier.</translation>
    </message>
    <message>
        <source>Max connections</source>
        <translation>Höchstzahl der Verbindungen</translation>
    </message>
    <message>
        <source>Measure both in turn (at most {time})</source>
        <translation>Beide abwechselnd messen (höchstens {time})</translation>
    </message>
    <message>
        <source>Measured in turns of {told}: {which}. A disturbance of the machine hit all settings of a block alike.</source>
        <translation>Abwechselnd in Scheiben von {told} gemessen: {which}. Was den Rechner störte, traf alle Einstellungen eines Blocks gleich.</translation>
    </message>
    <message>
        <source>Measured on nodes: up to {nodes}, machines: {machines}. They started within {skew} of each other, on clocks known to ± {uncertainty}.</source>
        <translation>Gemessen auf Knoten: bis zu {nodes}, Rechner: {machines}. Sie begannen binnen {skew}, nach Uhren, die auf ± {uncertainty} bekannt sind.</translation>
    </message>
    <message>
        <source>Measured one trial after the other, and not in turns.</source>
        <translation>Ein Versuch nach dem anderen gemessen, nicht abwechselnd.</translation>
    </message>
    <message>
        <source>Measured time of a trial. 0 = until the operations are done, or one pass if their number is not set.</source>
        <translation>Gemessene Zeit eines Versuchs; 0 = bis die Operationen getan sind oder, ohne diese, ein Durchgang.</translation>
    </message>
    <message>
        <source>Measuring it again shows the noise.</source>
        <translation>Es noch einmal zu messen zeigt das Rauschen.</translation>
    </message>
    <message>
        <source>Measuring the faster ones again shows the noise.</source>
        <translation>Die schnelleren noch einmal zu messen zeigt das Rauschen.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Memory of the processes, together; the most of a trial.</source>
        <translation>Speicher der Prozesse zusammen; der größte eines Versuchs.</translation>
    </message>
    <message>
        <source>More threads than the default are unstable with huge files: one after the other</source>
        <translation>Mehr Threads als voreingestellt sind bei riesigen Dateien instabil: eine nach der anderen</translation>
    </message>
    <message>
        <source>More threads than the default are unstable with huge files: sync</source>
        <translation>Mehr Threads als voreingestellt sind bei riesigen Dateien instabil: sync</translation>
    </message>
    <message>
        <source>Most attempts at a request; 1 = never repeat one.</source>
        <translation>Meiste Anläufe je Anfrage; 1 = nie wiederholen.</translation>
    </message>
    <message>
        <source>Most calls in a run, which is what the engine times.</source>
        <translation>Meiste Aufrufe in einer Folge, deren Zeit als Ganzes genommen wird.</translation>
    </message>
    <message>
        <source>Most connections kept open; 0 = one for each thread.</source>
        <translation>Meiste offen gehaltene Verbindungen; 0 = eine je Thread.</translation>
    </message>
    <message>
        <source>Most cpu time</source>
        <translation>CPU-Zeit bis</translation>
    </message>
    <message>
        <source>Most files</source>
        <translation>Dateien bis</translation>
    </message>
    <message>
        <source>Most files kept open; with caches of their own, by each thread.</source>
        <translation>Meiste offen gehaltene Dateien, je Thread, wo jeder eigene hält.</translation>
    </message>
    <message>
        <source>Most files that a setting may have open; 0 = any.</source>
        <translation>Meiste Dateien, die eine Einstellung offen haben darf; 0 = beliebig.</translation>
    </message>
    <message>
        <source>Most memory</source>
        <translation>Speicher bis</translation>
    </message>
    <message>
        <source>Most memory for the objects of Accumulo&apos;s client, which runs in Java.</source>
        <translation>Meister Speicher für die Objekte des Clients von Accumulo, der in Java läuft.</translation>
    </message>
    <message>
        <source>Most memory that a setting may take; 0 = any.</source>
        <translation>Meister Speicher, den eine Einstellung nehmen darf; 0 = beliebig.</translation>
    </message>
    <message>
        <source>Most operations of a trial, for all workers together. 0 = as many as the time allows.</source>
        <translation>Meiste Operationen eines Versuchs, alle Arbeiter zusammen; 0 = so viele die Zeit erlaubt.</translation>
    </message>
    <message>
        <source>Most p99</source>
        <translation>p99 bis</translation>
    </message>
    <message>
        <source>Most readers of MapFiles kept open.</source>
        <translation>Meiste offen gehaltene Leser von MapFiles.</translation>
    </message>
    <message>
        <source>Most reads of each file, from its start. All of them are verified.</source>
        <translation>Meiste Reads jeder Datei, von vorn gezählt; alles, was gelesen werden kann, wird geprüft.</translation>
    </message>
    <message>
        <source>Most refused</source>
        <translation>Abgelehnt bis</translation>
    </message>
    <message>
        <source>Most requests of a batch on their way at once.</source>
        <translation>Meiste Anfragen eines Stapels, die zugleich unterwegs sind.</translation>
    </message>
    <message>
        <source>Most resident memory of a trial&apos;s processes, from its first process on. A trial that needs more is stopped. 0 = no limit.</source>
        <translation>Größter residenter Speicher der Prozesse eines Versuchs, vom ersten Prozess an. Ein Versuch, der mehr braucht, wird beendet. 0 = keine Grenze.</translation>
    </message>
    <message>
        <source>Most runs of the client over a tree. A further run sends what the run before left out, if the client can.</source>
        <translation>Höchstzahl der Läufe des Clients über einen Baum; ein weiterer macht mit dem weiter, was der vorige ausgelassen hat, wo der Client das kann.</translation>
    </message>
    <message>
        <source>Most trials</source>
        <translation>Höchstens Versuche</translation>
    </message>
    <message>
        <source>Mutex</source>
        <translation>Sperre</translation>
    </message>
    <message>
        <source>Name the bucket in the path, not in the host&apos;s name. Most servers except Amazon&apos;s want that.</source>
        <translation>Den Bucket im Pfad nennen, wie es die meisten Server außer denen von Amazon wollen, nicht im Namen des Hosts.</translation>
    </message>
    <message>
        <source>Name to log in with; empty = none, or on HDFS this process&apos;s.</source>
        <translation>Name für die Anmeldung; leer = keiner, oder auf HDFS der dieses Prozesses.</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>Namensraum</translation>
    </message>
    <message>
        <source>Namespace of the accessions in a snapshot, such as NCBI; empty = any.</source>
        <translation>Namensraum der Accessions in einem Abzug, etwa NCBI; leer = jeder.</translation>
    </message>
    <message>
        <source>Nanopore signal: BLOW5 and POD5 by shuffled read ids</source>
        <translation>Nanoporen-Signale: BLOW5 und POD5 nach gemischten Kennungen</translation>
    </message>
    <message>
        <source>Nanopore signal: BLOW5 and POD5 in order, by their C libraries, with threads and batches</source>
        <translation>Nanoporen-Signale: BLOW5 und POD5 der Reihe nach, mit ihren C-Bibliotheken, mit Threads und Stapeln</translation>
    </message>
    <message>
        <source>Nanopore signals</source>
        <translation>Nanoporen-Signale</translation>
    </message>
    <message>
        <source>Near</source>
        <translation>Nähe</translation>
    </message>
    <message>
        <source>Need at</source>
        <translation>Need ab</translation>
    </message>
    <message>
        <source>Need does not depend on the position, 1 KiB</source>
        <translation>Need hängt nicht von der Stelle ab, 1 KiB</translation>
    </message>
    <message>
        <source>Need does not depend on the position, 64 KiB</source>
        <translation>Need hängt nicht von der Stelle ab, 64 KiB</translation>
    </message>
    <message>
        <source>Need is linear in its size (largest distance from a line)</source>
        <translation>Need wächst linear mit der Größe (größter Abstand von einer Geraden)</translation>
    </message>
    <message>
        <source>Need is proportional to fragmentation: blocks of 64 bytes against 1, 64 KiB</source>
        <translation>Need wächst im Verhältnis zur Zerstückelung: Blöcke von 64 Bytes gegen 1, 64 KiB</translation>
    </message>
    <message>
        <source>Need is proportional to its size: 64 KiB against 1024 KiB, blocks of 64 bytes</source>
        <translation>Need wächst im Verhältnis zur Größe: 64 KiB gegen 1024 KiB, Blöcke von 64 Bytes</translation>
    </message>
    <message>
        <source>Need size</source>
        <translation>Need-Größe</translation>
    </message>
    <message>
        <source>Neighbours of the best show a jagged curve.</source>
        <translation>Nachbarn des besten zeigen eine zackige Kurve.</translation>
    </message>
    <message>
        <source>No more files can be opened</source>
        <translation>Es können keine weiteren Dateien geöffnet werden</translation>
    </message>
    <message>
        <source>No other that was measured is faster by more than that.</source>
        <translation>Nichts anderes Gemessenes ist um mehr als das schneller.</translation>
    </message>
    <message>
        <source>No real difference between {candidate} and {baseline}: {figures}, within {margin:g} % either way</source>
        <translation>Kein wirklicher Unterschied zwischen {candidate} und {baseline}: {figures}, höchstens {margin:g} % in jede Richtung</translation>
    </message>
    <message>
        <source>No throughput: {why}.</source>
        <translation>Kein Durchsatz: {why}.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes read from a file system of the network ({types}), which may keep what another node has read.</source>
        <translation>Die Knoten lasen von einem Dateisystem im Netz ({types}), das behalten kann, was ein anderer Knoten gelesen hat.</translation>
    </message>
    <message>
        <source>None of the other {others} is measurably faster than {setting}</source>
        <translation>Keine der anderen {others} ist messbar schneller als {setting}</translation>
    </message>
    <message>
        <source>Normalise</source>
        <translation>Angleichen</translation>
    </message>
    <message>
        <source>Not finished in Cassandra 5.</source>
        <translation>In Cassandra 5 nicht fertig.</translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation>Noch nicht</translation>
    </message>
    <message>
        <source>Nothing is measured so far.</source>
        <translation>Bisher ist nichts gemessen.</translation>
    </message>
    <message>
        <source>Nothing is ranked: {why}</source>
        <translation>Es gibt keine Rangfolge: {why}</translation>
    </message>
    <message>
        <source>Nothing: only the exit code judges.</source>
        <translation>Nichts: Nur der Exit-Code urteilt.</translation>
    </message>
    <message>
        <source>Of Cassandra 2.1.</source>
        <translation>Von Cassandra 2.1.</translation>
    </message>
    <message>
        <source>Of Cassandra 2.2 to 4, and of services that speak like it.</source>
        <translation>Von Cassandra 2.2 bis 4 und von Diensten, die so sprechen.</translation>
    </message>
    <message>
        <source>Of Cassandra 4 and 5.</source>
        <translation>Von Cassandra 4 und 5.</translation>
    </message>
    <message>
        <source>Of DataStax Enterprise 5.1.</source>
        <translation>Von DataStax Enterprise 5.1.</translation>
    </message>
    <message>
        <source>Of DataStax Enterprise 6.</source>
        <translation>Von DataStax Enterprise 6.</translation>
    </message>
    <message>
        <source>Of all</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of huge files, one after the other is faster than sync</source>
        <translation>Bei riesigen Dateien ist eine nach der anderen schneller als sync</translation>
    </message>
    <message>
        <source>Of raw</source>
        <translation>Vom Rohen</translation>
    </message>
    <message>
        <source>One block of 1 MiB is read at about 2,300 MiB/s, C++</source>
        <translation>Ein Block von 1 MiB wird mit etwa 2&#x202f;300 MiB/s gelesen, C++</translation>
    </message>
    <message>
        <source>One block of 1 MiB is read more slowly than blocks of 512 bytes, C++</source>
        <translation>Ein Block von 1 MiB wird langsamer gelesen als Blöcke von 512 Bytes, C++</translation>
    </message>
    <message>
        <source>One file after the other gains nothing: 50 against 6, few small files</source>
        <translation>Eine Datei nach der anderen gewinnt nichts: 50 gegen 6, wenige kleine Dateien</translation>
    </message>
    <message>
        <source>One file after the other gains nothing: 50 against 6, many small files</source>
        <translation>Eine Datei nach der anderen gewinnt nichts: 50 gegen 6, viele kleine Dateien</translation>
    </message>
    <message>
        <source>One file after the other gains where files have parts: 25 against 6, large files</source>
        <translation>Eine Datei nach der anderen gewinnt, wo Dateien Teile haben: 25 gegen 6, große Dateien</translation>
    </message>
    <message>
        <source>One pool of the load&apos;s threads reads a request.</source>
        <translation>Ein Vorrat von Threads der Last liest eine Anfrage.</translation>
    </message>
    <message>
        <source>One range after the other over the whole file, or ten stretches of it where these are too many.</source>
        <translation>Ein Bereich nach dem anderen über die ganze Datei, oder zehn Strecken von ihr, wo das zu viele sind.</translation>
    </message>
    <message>
        <source>One sparse file by itself.</source>
        <translation>Eine löchrige Datei für sich.</translation>
    </message>
    <message>
        <source>Only {count} of {cores} cores may be used.</source>
        <translation>Nur {count} von {cores} Kernen dürfen benutzt werden.</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>Offene Dateien</translation>
    </message>
    <message>
        <source>Open for every fetch and close at once.</source>
        <translation>Für jeden Abruf öffnen und sofort schließen.</translation>
    </message>
    <message>
        <source>Open for every fetch; closing is left to garbage collection.</source>
        <translation>Für jeden Abruf öffnen; das Schließen bleibt der Speicherbereinigung überlassen.</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Operations differ in size: {other} moves {more}, this one {rate}.</source>
        <translation>Die Operationen sind verschieden groß: {other} bewegt {more}, diese Einstellung {rate}.</translation>
    </message>
    <message>
        <source>Output that each run is compared with: what the fewest threads put out, twice before the clock. A run whose output has other content counts as wrong; how blocks are compressed, and dates and command lines in the headers of SAM, VCF and archives, are no content.</source>
        <translation>Ausgabe, mit der jeder Lauf verglichen wird: was die wenigsten Threads ausgeben, zweimal vor der Uhr. Ein Lauf, dessen Ausgabe anderen Inhalt hat, zählt als falsch; wie Blöcke komprimiert sind, sowie Daten und Kommandozeilen in den Köpfen von SAM, VCF und Archiven sind kein Inhalt.</translation>
    </message>
    <message>
        <source>Perhaps less was done: look at what comes out, and have it compared, as with --same, and give all the same work, as with --operations.</source>
        <translation>Vielleicht wurde weniger getan: ansehen, was herauskommt, es vergleichen lassen, etwa mit --same, und allen die gleiche Arbeit geben, etwa mit --operations.</translation>
    </message>
    <message>
        <source>Settings did not do the same: an operation of {base} comes to {size}, of {other} to {less}.</source>
        <translation>Einstellungen taten nicht dasselbe: eine Operation von {base} ergibt {size}, von {other} {less}.</translation>
    </message>
    <message>
        <source>Settings got differently far in their time, and items differ: {setting} was {ratio} as fast over all that it did as over the first {count}, which all did.</source>
        <translation>Einstellungen kamen in ihrer Zeit verschieden weit, und die Stücke sind verschieden: {setting} war über alles, was es tat, {ratio} so schnell wie über die ersten {count}, die alle taten.</translation>
    </message>
    <message>
        <source>The client sleeps before it asks again whether its work is done</source>
        <translation>Der Client schläft, bevor er wieder fragt, ob seine Arbeit getan ist</translation>
    </message>
    <message>
        <source>The other programs of the pipe wait for it</source>
        <translation>Die anderen Programme der Pipe warten darauf</translation>
    </message>
    <message>
        <source>Uncounted operations of each process before the clock, in place of a warm-up by time. 0 = by time.</source>
        <translation>Operationen jedes Prozesses, die nicht zählen, vor der Messung, statt der Zeit zum Aufwärmen; 0 = nach Zeit.</translation>
    </message>
    <message>
        <source>Operations per second.</source>
        <translation>Operationen pro Sekunde.</translation>
    </message>
    <message>
        <source>Order of the blocks.</source>
        <translation>Folge der Blöcke.</translation>
    </message>
    <message>
        <source>Order of the reads.</source>
        <translation>Folge der Reads.</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Own memory</source>
        <translation>Eigener Speicher</translation>
    </message>
    <message>
        <source>POD5</source>
        <translation>POD5</translation>
    </message>
    <message>
        <source>POD5 by lib_pod5&apos;s C functions through a memory map, one task per read in a pool.</source>
        <translation>POD5 mit den C-Funktionen von lib_pod5, abgebildet, eine Arbeit je Read in einem Pool.</translation>
    </message>
    <message>
        <source>POD5 by lib_pod5&apos;s C functions with plain reads, one task per read in a pool.</source>
        <translation>POD5 mit den C-Funktionen von lib_pod5, gelesen, eine Arbeit je Read in einem Pool.</translation>
    </message>
    <message>
        <source>POD5 by pod5 through a memory map; each thread has a reader of its own.</source>
        <translation>POD5 mit pod5, abgebildet; jeder Thread hat seinen eigenen Leser.</translation>
    </message>
    <message>
        <source>POD5 by pod5 with plain reads; each thread has a reader of its own.</source>
        <translation>POD5 mit pod5, gelesen; jeder Thread hat seinen eigenen Leser.</translation>
    </message>
    <message>
        <source>Page cache</source>
        <translation>Seitencache</translation>
    </message>
    <message>
        <source>Part size</source>
        <translation>Größe der Teile</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partitionen</translation>
    </message>
    <message>
        <source>Partitions of a request; 0 = one for each core of Spark.</source>
        <translation>Partitionen einer Anfrage; 0 = eine für jeden Kern von Spark.</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Password to log in with; empty = none.</source>
        <translation>Passwort für die Anmeldung; leer = keines.</translation>
    </message>
    <message>
        <source>Path style</source>
        <translation>Bucket im Pfad</translation>
    </message>
    <message>
        <source>Personal access token for Synapse that may view, download and modify.</source>
        <translation>Persönliches Zugangstoken für Synapse, das ansehen, herunterladen und ändern darf.</translation>
    </message>
    <message>
        <source>Plain copies between two folders by a pool of threads: what the disks allow.</source>
        <translation>Einfaches Kopieren zwischen zwei Ordnern durch mehrere Threads: was die Datenträger erlauben.</translation>
    </message>
    <message>
        <source>Pool size</source>
        <translation>Pool-Größe</translation>
    </message>
    <message>
        <source>Prefix</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>Probably limited by {cause}. {meaning}</source>
        <translation>Wahrscheinlich begrenzt durch {cause}. {meaning}</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>Processes at most</source>
        <translation>Prozesse höchstens</translation>
    </message>
    <message>
        <source>Processes, each with its own threads and its own GIL.</source>
        <translation>Prozesse, jeder mit eigenen Threads und eigenem GIL.</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Python is nearly equal with large blocks</source>
        <translation>Python ist mit großen Blöcken fast gleichauf</translation>
    </message>
    <message>
        <source>Python is slower with 1-byte blocks</source>
        <translation>Python ist mit Blöcken von 1 Byte langsamer</translation>
    </message>
    <message>
        <source>Python is slower with 1-byte writes, coalesced</source>
        <translation>Python schreibt 1 Byte langsamer, verschmolzen</translation>
    </message>
    <message>
        <source>Python is slower with 1-byte writes, un-coalesced</source>
        <translation>Python schreibt 1 Byte langsamer, unverschmolzen</translation>
    </message>
    <message>
        <source>Python threads neither gain nor lose, coalesced</source>
        <translation>Threads in Python gewinnen und verlieren nichts, verschmolzen</translation>
    </message>
    <message>
        <source>Python threads that split the work neither gain nor lose</source>
        <translation>Threads in Python, die sich die Arbeit teilen, gewinnen und verlieren nichts</translation>
    </message>
    <message>
        <source>Python&apos;s global lock is free when a thread asks for it</source>
        <translation>Pythons globale Sperre ist frei, wenn ein Thread sie verlangt</translation>
    </message>
    <message>
        <source>Python&apos;s global lock lets one thread run at a time</source>
        <translation>Pythons globale Sperre lässt immer nur einen Thread laufen</translation>
    </message>
    <message>
        <source>Query threads of a BatchScanner, write threads of a BatchWriter.</source>
        <translation>Lesende Threads eines BatchScanner, schreibende Threads eines BatchWriter.</translation>
    </message>
    <message>
        <source>Random FASTA fetches</source>
        <translation>Zufällige FASTA-Abrufe</translation>
    </message>
    <message>
        <source>Raw reads</source>
        <translation>Rohes Lesen</translation>
    </message>
    <message>
        <source>Read all files once before the clock starts.</source>
        <translation>Alle Dateien vor der Messung einmal lesen.</translation>
    </message>
    <message>
        <source>Read each block of a file that is filled before the clock starts.</source>
        <translation>Jeden Block einer Datei lesen, die vor der Messung gefüllt wird.</translation>
    </message>
    <message>
        <source>Read list</source>
        <translation>Liste der Reads</translation>
    </message>
    <message>
        <source>Read the tiles of a layer, which is written once and used again.</source>
        <translation>Die Kacheln einer Ebene lesen, die einmal geschrieben und wieder benutzt wird.</translation>
    </message>
    <message>
        <source>Reader</source>
        <translation>Leser</translation>
    </message>
    <message>
        <source>Reader cache</source>
        <translation>Leser-Cache</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>Reads</translation>
    </message>
    <message>
        <source>Reads by their ids in a shuffled or given order.</source>
        <translation>Reads nach ihren Kennungen in gemischter oder gegebener Folge.</translation>
    </message>
    <message>
        <source>Reads in each operation, fetched together before they are decoded.</source>
        <translation>Reads in jeder Operation, zusammen geholt, ehe sie entschlüsselt werden.</translation>
    </message>
    <message>
        <source>Records compressed with zlib.</source>
        <translation>Datensätze, mit zlib gepackt.</translation>
    </message>
    <message>
        <source>Records compressed with zstd.</source>
        <translation>Datensätze, mit zstd gepackt.</translation>
    </message>
    <message>
        <source>Records that are not compressed.</source>
        <translation>Datensätze, die nicht gepackt sind.</translation>
    </message>
    <message>
        <source>Secrets in the program&apos;s environment, such as env:TOKEN. Sluice leaves them out of everything that the program prints.</source>
        <translation>Verweise wie env:TOKEN auf Geheimnisse, die das Programm in seiner Umgebung findet, damit sie in dem, was es sagt, erkannt und ausgelassen werden.</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>Region; empty = as boto3 finds it.</source>
        <translation>Region; leer = wie boto3 sie findet.</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>Repeat it with longer trials, at least three of them.</source>
        <translation>Wiederholen, mit längeren Versuchen: mindestens drei.</translation>
    </message>
    <message>
        <source>Repeat it: at least three trials.</source>
        <translation>Wiederholen: mindestens drei Versuche.</translation>
    </message>
    <message>
        <source>Repeat more, or make the trials longer.</source>
        <translation>Öfter wiederholen oder die Versuche verlängern.</translation>
    </message>
    <message>
        <source>Requests a pass</source>
        <translation>Anfragen je Durchgang</translation>
    </message>
    <message>
        <source>Retry mode</source>
        <translation>Wiederholungsart</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>S3 does not give {bucket}: {why}</source>
        <translation>S3 gibt {bucket} nicht her: {why}</translation>
    </message>
    <message>
        <source>S3 does not remove {name}: {why}</source>
        <translation>S3 entfernt {name} nicht: {why}</translation>
    </message>
    <message>
        <source>S3 itself is neither slow nor silent on purpose</source>
        <translation>S3 selbst ist weder absichtlich langsam noch stumm</translation>
    </message>
    <message>
        <source>S3 sync is no faster than Synapse&apos;s sync: huge files</source>
        <translation>S3 sync ist nicht schneller als das sync von Synapse: riesige Dateien</translation>
    </message>
    <message>
        <source>S3 sync is the floor: faster than Synapse&apos;s sync, few small files</source>
        <translation>S3 sync ist die Untergrenze: schneller als das sync von Synapse, wenige kleine Dateien</translation>
    </message>
    <message>
        <source>S3 sync is the floor: faster than Synapse&apos;s sync, large files</source>
        <translation>S3 sync ist die Untergrenze: schneller als das sync von Synapse, große Dateien</translation>
    </message>
    <message>
        <source>S3 sync is the floor: faster than Synapse&apos;s sync, many small files</source>
        <translation>S3 sync ist die Untergrenze: schneller als das sync von Synapse, viele kleine Dateien</translation>
    </message>
    <message>
        <source>S3 sync is the floor: no slower than Synapse&apos;s sync, huge files</source>
        <translation>S3 sync ist die Untergrenze: nicht langsamer als das sync von Synapse, riesige Dateien</translation>
    </message>
    <message>
        <source>S3 sync is the floor: no slower than Synapse&apos;s sync, large files</source>
        <translation>S3 sync ist die Untergrenze: nicht langsamer als das sync von Synapse, große Dateien</translation>
    </message>
    <message>
        <source>S3 sync is the floor: no slower than Synapse&apos;s sync, many small files</source>
        <translation>S3 sync ist die Untergrenze: nicht langsamer als das sync von Synapse, viele kleine Dateien</translation>
    </message>
    <message>
        <source>SHA-256 of the only file in {out}, or of stdout where the command has no {out}; empty = not known.</source>
        <translation>SHA-256 der einzigen Datei in {out} oder, wo der Befehl kein {out} hat, von stdout; leer = nicht bekannt.</translation>
    </message>
    <message>
        <source>SLOW5 version {version}</source>
        <translation>SLOW5-Version {version}</translation>
    </message>
    <message>
        <source>Same output in each run</source>
        <translation>Gleiche Ausgabe in jedem Lauf</translation>
    </message>
    <message>
        <source>Secret key</source>
        <translation>Geheimer Schlüssel</translation>
    </message>
    <message>
        <source>Secret key that belongs to the access key; empty = as boto3 finds it.</source>
        <translation>Geheimer Schlüssel, der zum Zugriffsschlüssel gehört; leer = wie boto3 ihn findet.</translation>
    </message>
    <message>
        <source>Secret that a master shares with its applications; empty = it needs none.</source>
        <translation>Geheimnis, das ein Master mit seinen Anwendungen teilt; leer = er braucht keines.</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Seed of every random choice within the trial.</source>
        <translation>Startwert jeder zufälligen Wahl im Versuch.</translation>
    </message>
    <message>
        <source>Send a tree to a place of the trial&apos;s own, which is audited and removed.</source>
        <translation>Einen Baum an einen eigenen Ort des Versuchs schicken, der geprüft und entfernt wird.</translation>
    </message>
    <message>
        <source>SeqRepo itself: snapshots only, with caches lru-locked, none or per-thread.</source>
        <translation>SeqRepo selbst: nur Abzüge, mit den Caches lru-locked, none oder per-thread.</translation>
    </message>
    <message>
        <source>SeqRepo keeps one handle of a file</source>
        <translation>SeqRepo hält eine Datei nur einmal offen</translation>
    </message>
    <message>
        <source>SeqRepo locks every handle that it keeps</source>
        <translation>SeqRepo sperrt jede Datei, die es offen hält</translation>
    </message>
    <message>
        <source>SeqRepo never closes a handle explicitly</source>
        <translation>SeqRepo schließt nie ausdrücklich</translation>
    </message>
    <message>
        <source>SeqRepo reads its own snapshots only</source>
        <translation>SeqRepo liest nur seine eigenen Abzüge</translation>
    </message>
    <message>
        <source>SeqRepo snapshot</source>
        <translation>SeqRepo-Abzug</translation>
    </message>
    <message>
        <source>SeqRepo: keeping FASTA files open, with and without a lock, on 1 and 10 threads</source>
        <translation>SeqRepo: FASTA-Dateien offen halten, mit und ohne Sperre, auf 1 und 10 Threads</translation>
    </message>
    <message>
        <source>Set {parameter} to {value}</source>
        <translation>{parameter} auf {value} setzen</translation>
    </message>
    <message>
        <source>A search counts settings within this share of the best as equally good, and advises the cheapest.</source>
        <translation>Einstellungen innerhalb dieses Anteils der besten gelten einer Suche als gleich gut; sie rät zur günstigsten.</translation>
    </message>
    <message>
        <source>Several nodes were on one machine, whose cores they shared.</source>
        <translation>Mehrere Knoten lagen auf einem Rechner und teilten sich dessen Kerne.</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Shared file system</source>
        <translation>Gemeinsames Dateisystem</translation>
    </message>
    <message>
        <source>Sharing</source>
        <translation>Teilung</translation>
    </message>
    <message>
        <source>Sharing open files without a lock does not work on 10 threads</source>
        <translation>Offene Dateien ohne Sperre zu teilen geht auf 10 Threads nicht</translation>
    </message>
    <message>
        <source>Shell</source>
        <translation>Shell</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Small blocks are slow: 512 bytes against 1 byte, C++</source>
        <translation>Kleine Blöcke sind langsam: 512 Bytes gegen 1 Byte, C++</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Spark does not start on {master}: {why}</source>
        <translation>Spark startet nicht auf {master}: {why}</translation>
    </message>
    <message>
        <source>Spark secret</source>
        <translation>Spark-Geheimnis</translation>
    </message>
    <message>
        <source>Sparse virtual file: asking what is missing, by size, position and fragmentation, C++ and Python</source>
        <translation>Löchrige Datei: fragen, was fehlt, nach Größe, Stelle und Zerstückelung, C++ und Python</translation>
    </message>
    <message>
        <source>Sparse virtual file: many threads write into one, C++ with mutexes and Python with locks</source>
        <translation>Löchrige Datei: viele Threads schreiben in eine, C++ und Python mit Sperren</translation>
    </message>
    <message>
        <source>Sparse virtual file: reading 1 MiB in blocks of 1 byte to 1 MiB, C++ and Python</source>
        <translation>Löchrige Datei: 1 MiB in Blöcken von 1 Byte bis 1 MiB lesen, C++ und Python</translation>
    </message>
    <message>
        <source>Sparse virtual file: writing 1 MiB in blocks of 1 byte to 1 KiB, merged and not, C++ and Python</source>
        <translation>Löchrige Datei: 1 MiB in Blöcken von 1 Byte bis 1 KiB schreiben, verschmolzen und nicht, C++ und Python</translation>
    </message>
    <message>
        <source>Sparse virtual files</source>
        <translation>Löchrige Dateien</translation>
    </message>
    <message>
        <source>Stall</source>
        <translation>Stillstand</translation>
    </message>
    <message>
        <source>Start it without taskset, or ask the job scheduler for more cores.</source>
        <translation>Starten Sie es ohne taskset, oder verlangen Sie vom Auftragsverwalter mehr Kerne.</translation>
    </message>
    <message>
        <source>Start of the accessions&apos; names, such as NM_; empty = in a snapshot NM_ where there are any and otherwise all that are not digests, in files all.</source>
        <translation>Anfang der Namen der Accessions, etwa NM_; leer = in einem Abzug NM_, wo es solche gibt, sonst alle, die keine Prüfsummen sind, in Dateien alle.</translation>
    </message>
    <message>
        <source>Start-up</source>
        <translation>Anlauf</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Started after</source>
        <translation>Begann nach</translation>
    </message>
    <message>
        <source>State of the page cache when the clock starts.</source>
        <translation>Zustand des Seitencaches zu Beginn der Messung.</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>Ablage</translation>
    </message>
    <message>
        <source>Switch to {workload}</source>
        <translation>Zu {workload} wechseln</translation>
    </message>
    <message>
        <source>Synapse does not answer: {why}</source>
        <translation>Synapse antwortet nicht: {why}</translation>
    </message>
    <message>
        <source>Synapse does not let the client in: {why}</source>
        <translation>Synapse lässt den Client nicht ein: {why}</translation>
    </message>
    <message>
        <source>Synapse does not take a part: {why}</source>
        <translation>Synapse nimmt einen Teil nicht an: {why}</translation>
    </message>
    <message>
        <source>Synapse has no folder {name}</source>
        <translation>Synapse hat keinen Ordner {name}</translation>
    </message>
    <message>
        <source>Synapse refuses with {status}: {why}</source>
        <translation>Synapse lehnt mit {status} ab: {why}</translation>
    </message>
    <message>
        <source>Synapse takes no file with the name {file!r}</source>
        <translation>Synapse nimmt keine Datei mit dem Namen {file!r}</translation>
    </message>
    <message>
        <source>Synapse wants a token</source>
        <translation>Synapse verlangt ein Token</translation>
    </message>
    <message>
        <source>Synapse: trees of files fetched by sync, file after file and S3 sync</source>
        <translation>Synapse: Dateibäume, geholt mit sync, Datei für Datei und mit S3 sync</translation>
    </message>
    <message>
        <source>Synapse: trees of files sent with the default number of threads, by sync, file after file and S3 sync</source>
        <translation>Synapse: Dateibäume, gesendet mit der voreingestellten Zahl von Threads, mit sync, Datei für Datei und mit S3 sync</translation>
    </message>
    <message>
        <source>Synapse: trees of files with annotations sent by sync and file after file on 6 to 100 threads</source>
        <translation>Synapse: Dateibäume mit Annotationen, gesendet mit sync und Datei für Datei auf 6 bis 100 Threads</translation>
    </message>
    <message>
        <source>Sync gains less than a quarter where files are large: 50 against 6</source>
        <translation>Sync gewinnt weniger als ein Viertel, wo Dateien groß sind: 50 gegen 6</translation>
    </message>
    <message>
        <source>Sync gains with threads: 25 against 6, many small files</source>
        <translation>Sync gewinnt mit Threads: 25 gegen 6, viele kleine Dateien</translation>
    </message>
    <message>
        <source>Sync gains with threads: 50 against 6, few small files</source>
        <translation>Sync gewinnt mit Threads: 50 gegen 6, wenige kleine Dateien</translation>
    </message>
    <message>
        <source>Sync gains with threads: 50 against 6, many small files</source>
        <translation>Sync gewinnt mit Threads: 50 gegen 6, viele kleine Dateien</translation>
    </message>
    <message>
        <source>Sync is faster than one file after the other at 50 threads: many small files</source>
        <translation>Sync ist bei 50 Threads schneller als eine Datei nach der anderen: viele kleine Dateien</translation>
    </message>
    <message>
        <source>Sync is faster than one file after the other: few small files</source>
        <translation>Sync ist schneller als eine Datei nach der anderen: wenige kleine Dateien</translation>
    </message>
    <message>
        <source>Sync is faster than one file after the other: large files</source>
        <translation>Sync ist schneller als eine Datei nach der anderen: große Dateien</translation>
    </message>
    <message>
        <source>Sync is faster than one file after the other: many small files</source>
        <translation>Sync ist schneller als eine Datei nach der anderen: viele kleine Dateien</translation>
    </message>
    <message>
        <source>The CPU governor is powersave: clock rates lag behind the load.</source>
        <translation>Der CPU-Regler steht auf powersave: Die Taktraten hinken der Last hinterher.</translation>
    </message>
    <message>
        <source>The account is exactly linear: 40 bytes a block, 192 and the name, and the data</source>
        <translation>Die Rechnung ist genau linear: 40 Bytes je Block, 192 und der Name, und die Daten</translation>
    </message>
    <message>
        <source>The account leaves little out: resident memory over it, 1-byte blocks</source>
        <translation>Die Rechnung lässt wenig aus: residenter Speicher im Verhältnis, Blöcke von 1 Byte</translation>
    </message>
    <message>
        <source>The blocks of the dataset: a low-level index of an RP66V1 file.</source>
        <translation>Die Blöcke der Daten: ein Index einer RP66V1-Datei.</translation>
    </message>
    <message>
        <source>The command aws s3 sync, in a process of its own; it tells of files only when they are done.</source>
        <translation>Der Befehl aws s3 sync in einem eigenen Prozess; er meldet Dateien erst, wenn sie fertig sind.</translation>
    </message>
    <message>
        <source>The command, with {threads}, {dataset}, {each} (the next file of that folder or list), {out} (a fresh folder for each run), {n} (its number), {seed} and own placeholders such as {level:1..9}, also computed, such as {32/threads}M. It is split once, so no value needs quotes; without {threads} the threads are how many run at once.</source>
        <translation>Der Befehl, mit {threads}, {dataset}, {each} (die nächste Datei dieses Ordners oder dieser Liste), {out} (ein neuer Ordner je Lauf), {n} (seine Nummer), {seed} und eigenen Platzhaltern wie {level:1..9}, auch berechnet, etwa {32/threads}M. Er wird einmal zerlegt, kein Wert braucht Anführungszeichen; ohne {threads} sind die Threads, wie viele zugleich laufen.</translation>
    </message>
    <message>
        <source>The control group allows {size} of {whole} memory, page cache included.</source>
        <translation>Die Kontrollgruppe erlaubt {size} von {whole} Speicher, den Seitencache eingeschlossen.</translation>
    </message>
    <message>
        <source>The curve is jagged: every value counts.</source>
        <translation>Die Kurve ist zackig: jeder Wert zählt.</translation>
    </message>
    <message>
        <source>The data comes out of memory as fast as it can be copied</source>
        <translation>Die Daten kommen so schnell aus dem Speicher, wie sie kopiert werden können</translation>
    </message>
    <message>
        <source>The file&apos;s first bytes, again and again.</source>
        <translation>Die ersten Bytes der Datei, immer wieder.</translation>
    </message>
    <message>
        <source>The files in {out}.</source>
        <translation>Die Dateien in {out}.</translation>
    </message>
    <message>
        <source>The first bases, as in the published study.</source>
        <translation>Die ersten Basen, wie in der Studie.</translation>
    </message>
    <message>
        <source>The first trial shows how fast it is.</source>
        <translation>Der erste Versuch zeigt, wie schnell es ist.</translation>
    </message>
    <message>
        <source>The highest that driver and server know.</source>
        <translation>Das höchste, das Treiber und Server kennen.</translation>
    </message>
    <message>
        <source>The interval spans more than its value; the trials reached {low} to {high}.</source>
        <translation>Das Intervall ist breiter als sein Wert; die Versuche erreichten {low} bis {high}.</translation>
    </message>
    <message>
        <source>The least that need costs is 0.2 µs</source>
        <translation>Das wenigste, was eine Bedarfsfrage kostet, sind 0,2 µs</translation>
    </message>
    <message>
        <source>The lock costs nothing, 1 thread</source>
        <translation>Die Sperre kostet nichts, 1 Thread</translation>
    </message>
    <message>
        <source>The mutex costs a read little</source>
        <translation>Die Sperre kostet beim Lesen wenig</translation>
    </message>
    <message>
        <source>The mutex costs a write little where nobody waits</source>
        <translation>Die Sperre kostet beim Schreiben wenig, wo niemand wartet</translation>
    </message>
    <message>
        <source>The operations are so short that the harness is much of what is measured</source>
        <translation>Die Operationen sind so kurz, dass ein großer Teil des Gemessenen die Messschleife ist</translation>
    </message>
    <message>
        <source>The program&apos;s threads wait for each other while cores are idle</source>
        <translation>Die Threads des Programms warten aufeinander, während Kerne frei sind</translation>
    </message>
    <message>
        <source>The server turns requests away</source>
        <translation>Der Server weist Anfragen ab</translation>
    </message>
    <message>
        <source>The slowest node did up to {share} less than the fastest ({host}).</source>
        <translation>Der langsamste Knoten schaffte bis zu {share} weniger als der schnellste ({host}).</translation>
    </message>
    <message>
        <source>The threads spend their time decompressing</source>
        <translation>Die Threads verbringen ihre Zeit mit Entpacken</translation>
    </message>
    <message>
        <source>The threads wait for a lock that they share</source>
        <translation>Die Threads warten auf eine gemeinsame Sperre</translation>
    </message>
    <message>
        <source>The threads wait for answers over the network</source>
        <translation>Die Threads warten auf Antworten über das Netz</translation>
    </message>
    <message>
        <source>The threads wait for the disk or the file system</source>
        <translation>Die Threads warten auf den Datenträger oder das Dateisystem</translation>
    </message>
    <message>
        <source>The values are few, so that each is measured.</source>
        <translation>Es sind wenige Werte, darum wird jeder gemessen.</translation>
    </message>
    <message>
        <source>The whole sequence.</source>
        <translation>Die ganze Sequenz.</translation>
    </message>
    <message>
        <source>This can be measured.</source>
        <translation>Das kann gemessen werden.</translation>
    </message>
    <message>
        <source>This one takes the least memory: {least} against {others}.</source>
        <translation>Diese braucht am wenigsten Speicher: {least} gegenüber {others}.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads share the last files opened, each with a lock held while it is read.</source>
        <translation>Threads teilen die zuletzt geöffneten Dateien; jede ist gesperrt, während sie gelesen wird.</translation>
    </message>
    <message>
        <source>Threads share the last files opened, without a lock: readers that are not thread-safe fail.</source>
        <translation>Threads teilen die zuletzt geöffneten Dateien ohne Sperre: Leser, die das nicht vertragen, versagen.</translation>
    </message>
    <message>
        <source>Threads that miss at the same time open a file twice, but only now and then</source>
        <translation>Threads, denen dieselbe Datei gleichzeitig fehlt, öffnen sie doppelt, doch nur hin und wieder</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Tiles in each operation. Several go through the store&apos;s own batch call, if it has one.</source>
        <translation>Kacheln in jeder Operation; mehr als eine gehen durch die Stapelform der Ablage, wo sie eine hat.</translation>
    </message>
    <message>
        <source>Tiles of imagery</source>
        <translation>Kacheln von Bildern</translation>
    </message>
    <message>
        <source>Time for each MiB that the threads write together</source>
        <translation>Zeit für jedes MiB, das die Threads zusammen schreiben</translation>
    </message>
    <message>
        <source>Time in</source>
        <translation>Zeit in</translation>
    </message>
    <message>
        <source>Time of one need in 1 MiB of blocks, Python</source>
        <translation>Zeit einer Bedarfsfrage in 1 MiB aus Blöcken, Python</translation>
    </message>
    <message>
        <source>Time of one need over an index, C++</source>
        <translation>Zeit einer Bedarfsfrage über einem Index, C++</translation>
    </message>
    <message>
        <source>Time per run</source>
        <translation>Zeit je Lauf</translation>
    </message>
    <message>
        <source>Time before the clock for operations that are not counted.</source>
        <translation>Zeit für Operationen, die nicht zählen, vor der Messung.</translation>
    </message>
    <message>
        <source>Time that every request takes at least.</source>
        <translation>Zeit, die jede Anfrage mindestens braucht.</translation>
    </message>
    <message>
        <source>Time to read 1 MiB</source>
        <translation>Zeit, 1 MiB zu lesen</translation>
    </message>
    <message>
        <source>Time to write 1 MiB</source>
        <translation>Zeit, 1 MiB zu schreiben</translation>
    </message>
    <message>
        <source>A run that neither computes, reads nor writes for this long is ended as stalled. 0 = never.</source>
        <translation>Zeit ohne Rechnen, Lesen oder Schreiben, nach der ein Lauf als stehengeblieben beendet wird; 0 = beliebig.</translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation>Zeitgrenze</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauerte</translation>
    </message>
    <message>
        <source>Transfer of files</source>
        <translation>Übertragung von Dateien</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Trials of each setting, in random order.</source>
        <translation>Versuche jeder Einstellung, verschränkt in zufälliger Folge.</translation>
    </message>
    <message>
        <source>Trials: {trials}.</source>
        <translation>Versuche: {trials}.</translation>
    </message>
    <message>
        <source>Twice the cores are faster, with as many threads as these, Accumulo</source>
        <translation>Doppelt so viele Kerne sind schneller, mit ebenso vielen Threads, Accumulo</translation>
    </message>
    <message>
        <source>Twice the cores are faster, with as many threads as these, Cassandra</source>
        <translation>Doppelt so viele Kerne sind schneller, mit ebenso vielen Threads, Cassandra</translation>
    </message>
    <message>
        <source>Twice the cores are faster, with many more threads, Accumulo</source>
        <translation>Doppelt so viele Kerne sind schneller, mit viel mehr Threads, Accumulo</translation>
    </message>
    <message>
        <source>Twice the cores are faster, with many more threads, Cassandra</source>
        <translation>Doppelt so viele Kerne sind schneller, mit viel mehr Threads, Cassandra</translation>
    </message>
    <message>
        <source>Twice the threads pay with BLOW5 C</source>
        <translation>Doppelt so viele Threads lohnen sich bei BLOW5 C</translation>
    </message>
    <message>
        <source>Twice the threads pay with BLOW5 CXX</source>
        <translation>Doppelt so viele Threads lohnen sich bei BLOW5 CXX</translation>
    </message>
    <message>
        <source>Twice the threads pay with POD5 io</source>
        <translation>Doppelt so viele Threads lohnen sich bei POD5 io</translation>
    </message>
    <message>
        <source>Twice the threads pay with POD5 mmap</source>
        <translation>Doppelt so viele Threads lohnen sich bei POD5 mmap</translation>
    </message>
    <message>
        <source>Un-coalesced 256-byte writes are as fast as coalesced or faster, C++</source>
        <translation>Unverschmolzenes Schreiben von 256 Bytes ist so schnell wie verschmolzenes oder schneller, C++</translation>
    </message>
    <message>
        <source>Use {setting}: {ratio} {baseline}; {more}.</source>
        <translation>{setting} nehmen: {ratio} {baseline}; {more}.</translation>
    </message>
    <message>
        <source>Use {setting}; {more}.</source>
        <translation>{setting} nehmen; {more}.</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Version of Cassandra&apos;s own protocol.</source>
        <translation>Version von Cassandras eigenem Protokoll.</translation>
    </message>
    <message>
        <source>Wait a random time up to the base, which doubles with every attempt.</source>
        <translation>Eine zufällige Zeit bis zur Grundwartezeit warten, die sich mit jedem Anlauf verdoppelt.</translation>
    </message>
    <message>
        <source>Wait until the machine is quiet, then measure again.</source>
        <translation>Warten, bis der Rechner ruhig ist, und dann neu messen.</translation>
    </message>
    <message>
        <source>Warm up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Warm up operations</source>
        <translation>Aufwärmoperationen</translation>
    </message>
    <message>
        <source>What do reads, writes and needs of a sparse file in memory cost, in C++ and in Python?</source>
        <translation>Was kosten Lesen, Schreiben und Bedarfsfragen an eine löchrige Datei im Speicher, in C++ und in Python?</translation>
    </message>
    <message>
        <source>What each of several writing threads writes.</source>
        <translation>Was jeder von mehreren schreibenden Threads schreibt.</translation>
    </message>
    <message>
        <source>What holds the blocks.</source>
        <translation>Was die Blöcke hält.</translation>
    </message>
    <message>
        <source>What holds the tiles.</source>
        <translation>Was die Kacheln hält.</translation>
    </message>
    <message>
        <source>What is done with the sparse file.</source>
        <translation>Was mit der löchrigen Datei getan wird.</translation>
    </message>
    <message>
        <source>What is measured in turn has no drift of the machine between its sides. It ends as soon as the verdict is told.</source>
        <translation>Was abwechselnd gemessen wird, hat keine Drift des Rechners zwischen seinen Seiten. Es endet, sobald das Urteil feststeht.</translation>
    </message>
    <message>
        <source>What it writes to stdout, and the files in {out}.</source>
        <translation>Was es auf stdout schreibt, und die Dateien in {out}.</translation>
    </message>
    <message>
        <source>What it writes to stdout.</source>
        <translation>Was es auf stdout schreibt.</translation>
    </message>
    <message>
        <source>What limits the chosen setting shows beside it.</source>
        <translation>Was die gewählte Einstellung begrenzt, zeigt sich neben ihr.</translation>
    </message>
    <message>
        <source>What transfers the files, by as many threads as the load has.</source>
        <translation>Was die Dateien überträgt, mit so vielen Threads, wie die Last hat.</translation>
    </message>
    <message>
        <source>What was recorded does not tell what limits this</source>
        <translation>Aus dem Aufgezeichneten geht nicht hervor, was hier begrenzt</translation>
    </message>
    <message>
        <source>Whatever there is: the first of zstd, zlib, none and text.</source>
        <translation>Was es gibt: das erste von zstd, zlib, none und text.</translation>
    </message>
    <message>
        <source>Where nothing is missing all sizes cost the same</source>
        <translation>Wo nichts fehlt, kosten alle Größen gleich viel</translation>
    </message>
    <message>
        <source>Where the blocks are.</source>
        <translation>Wo die Blöcke liegen.</translation>
    </message>
    <message>
        <source>Where the file is read from.</source>
        <translation>Woher die Datei gelesen wird.</translation>
    </message>
    <message>
        <source>Ranges that need asks about.</source>
        <translation>Wo die Bereiche liegen, nach denen der Bedarf gefragt wird.</translation>
    </message>
    <message>
        <source>Whether files are fetched or sent.</source>
        <translation>Ob Dateien geholt oder geschickt werden.</translation>
    </message>
    <message>
        <source>Whether tiles are read or written.</source>
        <translation>Ob Kacheln gelesen oder geschrieben werden.</translation>
    </message>
    <message>
        <source>Compression of the BLOW5 files to read, in a folder with several.</source>
        <translation>Welche BLOW5-Dateien eines Ordners, der mehrere hat, gelesen werden.</translation>
    </message>
    <message>
        <source>Which client with how many threads sends or fetches a tree of files fastest?</source>
        <translation>Welcher Client mit wie vielen Threads schickt oder holt einen Baum von Dateien am schnellsten?</translation>
    </message>
    <message>
        <source>Which part of a sequence is fetched.</source>
        <translation>Welcher Teil einer Sequenz abgerufen wird.</translation>
    </message>
    <message>
        <source>Who reads the tiles of a request.</source>
        <translation>Wer die Kacheln einer Anfrage liest.</translation>
    </message>
    <message>
        <source>Whole pages</source>
        <translation>Ganze Seiten</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>With Hadoop, more than 16 threads gain nothing</source>
        <translation>Mit Hadoop gewinnen mehr als 16 Threads nichts</translation>
    </message>
    <message>
        <source>With S3, 32 threads are told to slow down</source>
        <translation>Mit S3 werden 32 Threads zum Bremsen aufgefordert</translation>
    </message>
    <message>
        <source>With S3, more than 8 threads gain nothing</source>
        <translation>Mit S3 gewinnen mehr als 8 Threads nichts</translation>
    </message>
    <message>
        <source>With explicit close, few files of the dataset are open on 10 threads</source>
        <translation>Mit ausdrücklichem Schließen sind auf 10 Threads wenige Dateien der Daten offen</translation>
    </message>
    <message>
        <source>Worker threads in each process.</source>
        <translation>Arbeitende Threads in jedem Prozess.</translation>
    </message>
    <message>
        <source>Workers claim the next items from one shared queue.</source>
        <translation>Arbeiter nehmen sich das Nächste aus einer gemeinsamen Schlange.</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Write all blocks into an empty file; one such pass is timed as a whole.</source>
        <translation>Alle Blöcke in eine leere Datei schreiben; ein solcher Durchgang wird als Ganzes gemessen.</translation>
    </message>
    <message>
        <source>Write tiles into a layer of the trial&apos;s own, which is read back, compared and removed.</source>
        <translation>Kacheln in eine eigene Ebene des Versuchs schreiben, die zurückgelesen, verglichen und entfernt wird.</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>Falsch</translation>
    </message>
    <message>
        <source>Wrong data: {count}.</source>
        <translation>Falsche Daten: {count}.</translation>
    </message>
    <message>
        <source>a backslash stands before {name}</source>
        <translation>vor {name} steht ein Backslash</translation>
    </message>
    <message>
        <source>a cell is not valid: {why}</source>
        <translation>eine Zelle ist nicht gültig: {why}</translation>
    </message>
    <message>
        <source>a client that has several operations under way will help; more threads of this one will not</source>
        <translation>ein Client, der mehrere Operationen zugleich unterwegs hat, wird helfen; mehr Threads von diesem nicht</translation>
    </message>
    <message>
        <source>a faster disk will not help; measure with a cold page cache to see the disk</source>
        <translation>ein schnellerer Datenträger wird nicht helfen; mit kaltem Seitencache gemessen zeigt sich der Datenträger</translation>
    </message>
    <message>
        <source>a faster link or server will help, more threads will not</source>
        <translation>eine schnellere Leitung oder ein schnellerer Server wird helfen, mehr Threads nicht</translation>
    </message>
    <message>
        <source>a file that is not in the tree</source>
        <translation>eine Datei, die nicht im Baum ist</translation>
    </message>
    <message>
        <source>a hole where the layer has a tile</source>
        <translation>ein Loch, wo die Ebene eine Kachel hat</translation>
    </message>
    <message>
        <source>a program fetches the data over a network ({type}): it and its cache are measured with the reader, and cold runs do not empty that cache</source>
        <translation>ein Programm holt die Daten über ein Netz ({type}): es und sein Cache werden mit dem Leser gemessen, und kalte Läufe leeren diesen Cache nicht</translation>
    </message>
    <message>
        <source>a program serves the data ({type}): it and its cache are measured with the reader, and cold runs do not empty that cache</source>
        <translation>ein Programm liefert die Daten ({type}): es und sein Cache werden mit dem Leser gemessen, und kalte Läufe leeren diesen Cache nicht</translation>
    </message>
    <message>
        <source>(not measured any more)</source>
        <translation>(wird nicht mehr gemessen)</translation>
    </message>
    <message>
        <source>99 % of the operations took less; none where too few were timed.</source>
        <translation>99 % der Operationen dauerten kürzer; leer, wo zu wenige einzeln gemessen wurden.</translation>
    </message>
    <message>
        <source>A bucket of S3.</source>
        <translation>Ein Bucket in S3.</translation>
    </message>
    <message>
        <source>A web server.</source>
        <translation>Ein Webserver.</translation>
    </message>
    <message>
        <source>CPU of processes</source>
        <translation>CPU der Prozesse</translation>
    </message>
    <message>
        <source>Fastest of {count} is {setting}</source>
        <translation>Von {count} am schnellsten ist {setting}</translation>
    </message>
    <message>
        <source>From how long its threads ran, and how long they waited for a core.</source>
        <translation>Daraus, wie lange seine Threads liefen und wie lange sie auf einen Kern warteten.</translation>
    </message>
    <message>
        <source>How long its threads waited for a core is not known, so nothing is computed.</source>
        <translation>Wie lange seine Threads auf einen Kern warteten, ist nicht bekannt; darum wird nichts berechnet.</translation>
    </message>
    <message>
        <source>The trials tell it from all others, or as good as them.</source>
        <translation>Die Versuche zeigen es besser als alle anderen, oder ebenso gut.</translation>
    </message>
    <message>
        <source>Use {setting} for now: {grade} of anything measured; {why}</source>
        <translation>Vorerst {setting} verwenden: {grade} von allem Gemessenen; {why}</translation>
    </message>
    <message>
        <source>a search goes over threads and one more parameter, not over {names}</source>
        <translation>eine Suche geht über Threads und einen weiteren Parameter, nicht über {names}</translation>
    </message>
    <message>
        <source>a second shell would read the value of {name} as a command</source>
        <translation>eine zweite Shell würde den Wert von {name} als Befehl lesen</translation>
    </message>
    <message>
        <source>a tile where the layer has a hole</source>
        <translation>eine Kachel, wo die Ebene ein Loch hat</translation>
    </message>
    <message>
        <source>a warm page cache or a faster disk will help</source>
        <translation>ein warmer Seitencache oder ein schnellerer Datenträger wird helfen</translation>
    </message>
    <message>
        <source>about 1×</source>
        <translation>etwa 1×</translation>
    </message>
    <message>
        <source>access</source>
        <translation>Zugriff</translation>
    </message>
    <message>
        <source>access key</source>
        <translation>Zugriffsschlüssel</translation>
    </message>
    <message>
        <source>access size</source>
        <translation>Zugriffsgröße</translation>
    </message>
    <message>
        <source>accesses</source>
        <translation>Zugriffe</translation>
    </message>
    <message>
        <source>accessions</source>
        <translation>Accessions</translation>
    </message>
    <message>
        <source>add --cluster tcp://HOST:PORT of a Dask scheduler, or --cluster local:{count}</source>
        <translation>--cluster tcp://HOST:PORT eines Dask-Schedulers hinzufügen, oder --cluster local:{count}</translation>
    </message>
    <message>
        <source>add --shell, or put quotes around it if it is meant as text</source>
        <translation>--shell angeben, oder es in Anführungszeichen setzen, wenn es Text sein soll</translation>
    </message>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>adopt the layer while nobody changes it</source>
        <translation>die Ebene übernehmen, während niemand sie ändert</translation>
    </message>
    <message>
        <source>adopting</source>
        <translation>wird übernommen</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>all trials</source>
        <translation>alle Versuche</translation>
    </message>
    <message>
        <source>an adopted layer stays as it is, and its tiles are not here to be written elsewhere</source>
        <translation>eine übernommene Ebene bleibt, wie sie ist, und ihre Kacheln sind nicht hier, um anderswohin geschrieben zu werden</translation>
    </message>
    <message>
        <source>an axis is given twice</source>
        <translation>eine Achse ist zweimal angegeben</translation>
    </message>
    <message>
        <source>an operation and the loop around it take {time} of CPU, of which the loop alone takes about a quarter of a microsecond</source>
        <translation>eine Operation und die Schleife um sie brauchen {time} Rechenzeit, davon die Schleife allein etwa eine Viertelmikrosekunde</translation>
    </message>
    <message>
        <source>an operation failed with: {text}</source>
        <translation>eine Operation schlug fehl mit: {text}</translation>
    </message>
    <message>
        <source>an operation takes no longer than alone: one at a time is under way</source>
        <translation>eine Operation dauert nicht länger als allein: es ist immer nur eine unterwegs</translation>
    </message>
    <message>
        <source>an operation takes {ratio} the time that it takes alone</source>
        <translation>eine Operation dauert {ratio} so lange wie allein</translation>
    </message>
    <message>
        <source>anonymous</source>
        <translation>eigener</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>beliebig viele</translation>
    </message>
    <message>
        <source>any of the {of} settings may be the best</source>
        <translation>jede der {of} Einstellungen kann die beste sein</translation>
    </message>
    <message>
        <source>as good within {near:g} % as the best measured, {other}; {sure}.</source>
        <translation>bis auf {near:g} % so gut wie das beste Gemessene, {other}; {sure}.</translation>
    </message>
    <message>
        <source>as good within {near:g} % as the best of {setting}</source>
        <translation>bis auf {near:g} % so gut wie das Beste von {setting}</translation>
    </message>
    <message>
        <source>as published</source>
        <translation>wie veröffentlicht</translation>
    </message>
    <message>
        <source>ask for fewer cores</source>
        <translation>weniger Kerne verlangen</translation>
    </message>
    <message>
        <source>at {item}</source>
        <translation>bei {item}</translation>
    </message>
    <message>
        <source>attempts</source>
        <translation>Anläufe</translation>
    </message>
    <message>
        <source>backoff base</source>
        <translation>Grundwartezeit</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>bandwidth of network or server</source>
        <translation>Bandbreite von Netz oder Server</translation>
    </message>
    <message>
        <source>bases</source>
        <translation>Basen</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>Stapelgröße</translation>
    </message>
    <message>
        <source>batch threads</source>
        <translation>Stapel-Threads</translation>
    </message>
    <message>
        <source>begin it with /, so that what trials leave there is found from anywhere</source>
        <translation>beginnen Sie ihn mit /, damit von überall gefunden wird, was Versuche dort hinterlassen</translation>
    </message>
    <message>
        <source>begin it with {scheme}://, and leave credentials out</source>
        <translation>mit {scheme}:// beginnen und Zugangsdaten weglassen</translation>
    </message>
    <message>
        <source>block size</source>
        <translation>Blockgröße</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>blue-crab could not convert {name}: {why}</source>
        <translation>blue-crab konnte {name} nicht umwandeln: {why}</translation>
    </message>
    <message>
        <source>blue-crab does not know its type of pore</source>
        <translation>blue-crab kennt die Art der Pore nicht</translation>
    </message>
    <message>
        <source>both keys are needed, or none</source>
        <translation>es braucht beide Schlüssel oder keinen</translation>
    </message>
    <message>
        <source>both sides are the same trials</source>
        <translation>beide Seiten sind dieselben Versuche</translation>
    </message>
    <message>
        <source>both sides ask for the same, so that there is nothing to measure in turn</source>
        <translation>beide Seiten verlangen dasselbe, es gibt also nichts abwechselnd zu messen</translation>
    </message>
    <message>
        <source>building versitygw with Go, one to three minutes</source>
        <translation>versitygw wird mit Go gebaut, ein bis drei Minuten</translation>
    </message>
    <message>
        <source>busiest</source>
        <translation>meiste</translation>
    </message>
    <message>
        <source>by time</source>
        <translation>nach Zeit</translation>
    </message>
    <message>
        <source>bytes fetched a pass</source>
        <translation>geholte Bytes je Durchgang</translation>
    </message>
    <message>
        <source>bytes/s</source>
        <translation>Bytes/s</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>cache size</source>
        <translation>Cache-Größe</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>cancelled while {stage}</source>
        <translation>abgebrochen bei: {stage}</translation>
    </message>
    <message>
        <source>cannot tell</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>Zelle</translation>
    </message>
    <message>
        <source>change that: {command}</source>
        <translation>ändern: {command}</translation>
    </message>
    <message>
        <source>check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>check access_key and secret_key, and what they may do with this bucket</source>
        <translation>access_key und secret_key prüfen und was sie mit diesem Bucket dürfen</translation>
    </message>
    <message>
        <source>check that the master runs, its address, and its secret in spark_secret</source>
        <translation>prüfen Sie, ob der Master läuft, seine Adresse und sein Geheimnis in spark_secret</translation>
    </message>
    <message>
        <source>check the address and the name of the layer</source>
        <translation>die Adresse und den Namen der Ebene prüfen</translation>
    </message>
    <message>
        <source>check the endpoint in the address, and that a server listens there</source>
        <translation>den Endpunkt in der Adresse prüfen und ob dort ein Server lauscht</translation>
    </message>
    <message>
        <source>check the network and Go&apos;s settings, and start again</source>
        <translation>das Netz und die Einstellungen von Go prüfen und neu starten</translation>
    </message>
    <message>
        <source>check the network and pip&apos;s settings</source>
        <translation>das Netz und die Einstellungen von pip prüfen</translation>
    </message>
    <message>
        <source>check the network and start again: what has arrived is kept</source>
        <translation>das Netz prüfen und neu starten: was angekommen ist, bleibt</translation>
    </message>
    <message>
        <source>check the path</source>
        <translation>Pfad prüfen</translation>
    </message>
    <message>
        <source>check what the user may do there</source>
        <translation>prüfen, was der Benutzer dort darf</translation>
    </message>
    <message>
        <source>choose a folder that you may write to as the address</source>
        <translation>als Adresse einen Ordner wählen, in den Sie schreiben dürfen</translation>
    </message>
    <message>
        <source>choose a larger zoom or fewer tiles</source>
        <translation>einen größeren Zoom oder weniger Kacheln wählen</translation>
    </message>
    <message>
        <source>choose an image of whole numbers of 8 or 16 bits</source>
        <translation>ein Bild aus ganzen Zahlen von 8 oder 16 Bits wählen</translation>
    </message>
    <message>
        <source>choose another folder</source>
        <translation>einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>choose another folder, or remove that one</source>
        <translation>einen anderen Ordner wählen oder diesen entfernen</translation>
    </message>
    <message>
        <source>choose another name</source>
        <translation>einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>choose another reader or compression</source>
        <translation>einen anderen Leser oder eine andere Kompression wählen</translation>
    </message>
    <message>
        <source>choose contiguous, which has the same blocks</source>
        <translation>contiguous wählen, das dieselben Blöcke hat</translation>
    </message>
    <message>
        <source>choose fewer levels, folders or files</source>
        <translation>weniger Stufen, Ordner oder Dateien wählen</translation>
    </message>
    <message>
        <source>choose lru-locked, none or per-thread, or the reader pysam</source>
        <translation>lru-locked, none oder per-thread wählen, oder den Leser pysam</translation>
    </message>
    <message>
        <source>choose one of {readers}, or convert to {wanted}</source>
        <translation>{readers} wählen oder nach {wanted} umwandeln</translation>
    </message>
    <message>
        <source>choose pysam</source>
        <translation>pysam wählen</translation>
    </message>
    <message>
        <source>clearing what is left of the layer in the store</source>
        <translation>Reste der Ebene in der Ablage werden entfernt</translation>
    </message>
    <message>
        <source>clearing what is left of the tree</source>
        <translation>Reste des Baums werden entfernt</translation>
    </message>
    <message>
        <source>client</source>
        <translation>Client</translation>
    </message>
    <message>
        <source>close every quote, and put a backslash before one that is meant as text</source>
        <translation>jedes Anführungszeichen schließen und vor eines, das als Text gemeint ist, einen Backslash setzen</translation>
    </message>
    <message>
        <source>close the other Sluice that writes to it, or try again</source>
        <translation>das andere Sluice schließen, das hineinschreibt, oder noch einmal versuchen</translation>
    </message>
    <message>
        <source>cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>cold runs cannot be cold here: {reason}</source>
        <translation>kalte Läufe können hier nicht kalt sein: {reason}</translation>
    </message>
    <message>
        <source>compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>compare without --again, or measure both sides on data that is there</source>
        <translation>ohne --again vergleichen oder beide Seiten an vorhandenen Daten messen</translation>
    </message>
    <message>
        <source>comparing the layer in the store with its catalogue</source>
        <translation>die Ebene in der Ablage wird mit ihrem Katalog verglichen</translation>
    </message>
    <message>
        <source>compression number {code}</source>
        <translation>Kompression Nummer {code}</translation>
    </message>
    <message>
        <source>conclude</source>
        <translation>Abschluss</translation>
    </message>
    <message>
        <source>concurrency</source>
        <translation>Gleichzeitigkeit</translation>
    </message>
    <message>
        <source>connecting to the cluster {address}</source>
        <translation>Verbindung mit dem Cluster {address} wird aufgebaut</translation>
    </message>
    <message>
        <source>convert it with seqtk seq -a</source>
        <translation>mit seqtk seq -a umwandeln</translation>
    </message>
    <message>
        <source>convert it: gdal_translate -co COMPRESS=DEFLATE FILE NEW.tif</source>
        <translation>umwandeln: gdal_translate -co COMPRESS=DEFLATE DATEI NEU.tif</translation>
    </message>
    <message>
        <source>convert it: slow5tools view -c zstd -s svb-zd FILE -o NEW.blow5</source>
        <translation>umwandeln: slow5tools view -c zstd -s svb-zd DATEI -o NEU.blow5</translation>
    </message>
    <message>
        <source>copy it to a folder of your own</source>
        <translation>in einen eigenen Ordner kopieren</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>cores busy</source>
        <translation>Kerne belegt</translation>
    </message>
    <message>
        <source>cores busy or wanted by the client: {busy} of {cores}, with {threads} threads in all</source>
        <translation>vom Client beschäftigte oder begehrte Kerne: {busy} von {cores}, mit zusammen {threads} Threads</translation>
    </message>
    <message>
        <source>correct the address, or what the user may do there</source>
        <translation>die Adresse berichtigen oder was der Benutzer dort darf</translation>
    </message>
    <message>
        <source>correct user and password</source>
        <translation>Benutzer und Passwort berichtigen</translation>
    </message>
    <message>
        <source>create</source>
        <translation>anlegen</translation>
    </message>
    <message>
        <source>create it first</source>
        <translation>ihn erst anlegen</translation>
    </message>
    <message>
        <source>create the bucket, or name another in the address</source>
        <translation>den Bucket anlegen oder einen anderen in der Adresse nennen</translation>
    </message>
    <message>
        <source>dataset files</source>
        <translation>Dateien der Daten</translation>
    </message>
    <message>
        <source>decompress it, or recompress it with bgzip</source>
        <translation>entpacken oder mit bgzip neu packen</translation>
    </message>
    <message>
        <source>decompression</source>
        <translation>Entpacken</translation>
    </message>
    <message>
        <source>delete it, or choose another name</source>
        <translation>sie löschen oder einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>delete the file by hand</source>
        <translation>löschen Sie die Datei von Hand</translation>
    </message>
    <message>
        <source>delete {name}, so that one is made where your data is not touched, or make it again with samtools faidx</source>
        <translation>{name} löschen, damit einer angelegt wird, wo Ihre Daten unberührt bleiben, oder ihn mit samtools faidx neu anlegen</translation>
    </message>
    <message>
        <source>descriptor limit</source>
        <translation>Grenze der offenen Dateien</translation>
    </message>
    <message>
        <source>device or file system</source>
        <translation>Datenträger oder Dateisystem</translation>
    </message>
    <message>
        <source>direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>do not trust it</source>
        <translation>ihm nicht trauen</translation>
    </message>
    <message>
        <source>does not end with its end signature: it was cut off, or much follows it</source>
        <translation>endet nicht mit seiner Endsignatur: es wurde abgeschnitten, oder es folgt noch viel</translation>
    </message>
    <message>
        <source>end it there with `truncate -s {start} {name}`, or fetch the file again</source>
        <translation>sie dort mit `truncate -s {start} {name}` enden lassen oder die Datei neu holen</translation>
    </message>
    <message>
        <source>ends within its header</source>
        <translation>endet im Kopf</translation>
    </message>
    <message>
        <source>ends within its last line</source>
        <translation>endet mitten in seiner letzten Zeile</translation>
    </message>
    <message>
        <source>eval, trap or alias would read the value of {name} as a command</source>
        <translation>eval, trap oder alias würde den Wert von {name} als Befehl lesen</translation>
    </message>
    <message>
        <source>extract it with samtools fasta</source>
        <translation>mit samtools fasta ausziehen</translation>
    </message>
    <message>
        <source>fetch it again or recompress it with bgzip</source>
        <translation>neu holen oder mit bgzip neu packen</translation>
    </message>
    <message>
        <source>fetch it: git lfs pull</source>
        <translation>sie holen: git lfs pull</translation>
    </message>
    <message>
        <source>fetch or write it again</source>
        <translation>neu holen oder neu schreiben</translation>
    </message>
    <message>
        <source>fetch the file again</source>
        <translation>die Datei neu holen</translation>
    </message>
    <message>
        <source>fetch the snapshot again</source>
        <translation>den Abzug neu holen</translation>
    </message>
    <message>
        <source>fetch them with: {command}</source>
        <translation>sie holen mit: {command}</translation>
    </message>
    <message>
        <source>fetching {title}: {size}</source>
        <translation>{title} wird geholt: {size}</translation>
    </message>
    <message>
        <source>finish fetching the snapshot</source>
        <translation>den Abzug zu Ende holen</translation>
    </message>
    <message>
        <source>fold it again: {command}</source>
        <translation>neu umbrechen: {command}</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>free some space, or copy the session to another disk</source>
        <translation>Platz schaffen oder die Sitzung auf eine andere Platte kopieren</translation>
    </message>
    <message>
        <source>give ?endpoint=http://host:port, and the keys as access_key and secret_key</source>
        <translation>?endpoint=http://host:port angeben und die Schlüssel als access_key und secret_key</translation>
    </message>
    <message>
        <source>give a folder, or a text file with a path in each line, as the dataset of {each}</source>
        <translation>als Daten für {each} einen Ordner angeben, oder eine Textdatei mit einem Pfad je Zeile</translation>
    </message>
    <message>
        <source>give access_key and secret_key, or what boto3 looks for</source>
        <translation>access_key und secret_key angeben oder das, wonach boto3 sucht</translation>
    </message>
    <message>
        <source>give each thread its own handle, or use processes</source>
        <translation>jedem Thread ein eigenes Handle geben oder Prozesse verwenden</translation>
    </message>
    <message>
        <source>give env:NAME for each, or neither, so that boto3 finds them</source>
        <translation>für jeden env:NAME angeben oder keinen, damit boto3 sie findet</translation>
    </message>
    <message>
        <source>give env:NAME, keyring:SERVICE/USER or lab:SERVER/NAME, never the secret itself</source>
        <translation>env:NAME, keyring:SERVICE/USER oder lab:SERVER/NAME angeben, nie das Geheimnis selbst</translation>
    </message>
    <message>
        <source>give its location, without credentials</source>
        <translation>ihren Ort angeben, ohne Zugangsdaten</translation>
    </message>
    <message>
        <source>give numbers such as 8, or write {name} outside of it</source>
        <translation>Zahlen wie 8 angeben oder {name} außerhalb davon schreiben</translation>
    </message>
    <message>
        <source>give s3://bucket/prefix, and for a server of your own ?endpoint=http://host:port</source>
        <translation>s3://bucket/prefix angeben und für einen eigenen Server ?endpoint=http://host:port</translation>
    </message>
    <message>
        <source>hand it over as an argument: {example}</source>
        <translation>ihn als Argument übergeben: {example}</translation>
    </message>
    <message>
        <source>hand it over in a variable: {example}</source>
        <translation>ihn in einer Variablen übergeben: {example}</translation>
    </message>
    <message>
        <source>harness</source>
        <translation>Messschleife</translation>
    </message>
    <message>
        <source>has a damaged footer</source>
        <translation>hat einen beschädigten Fuß</translation>
    </message>
    <message>
        <source>has a footer that points outside of it</source>
        <translation>hat einen Fuß, der aus der Datei zeigt</translation>
    </message>
    <message>
        <source>here /bin/sh does not notice which program of a pipe fails</source>
        <translation>hier bemerkt /bin/sh nicht, welches Programm einer Pipe scheitert</translation>
    </message>
    <message>
        <source>if nobody writes it any more, `pod5 recover {path}` saves what is whole in it</source>
        <translation>falls niemand mehr hineinschreibt, rettet `pod5 recover {path}`, was darin ganz ist</translation>
    </message>
    <message>
        <source>in {share} of the samples Python&apos;s global lock was held until it was taken</source>
        <translation>in {share} der Stichproben wurde Pythons globale Sperre gehalten, bis sie entzogen wurde</translation>
    </message>
    <message>
        <source>index interval</source>
        <translation>Indexabstand</translation>
    </message>
    <message>
        <source>install Maven, or name a repository: SLUICE_MAVEN=https://…</source>
        <translation>Maven einrichten oder eine Quelle nennen: SLUICE_MAVEN=https://…</translation>
    </message>
    <message>
        <source>install bash, which does</source>
        <translation>bash installieren, die es bemerkt</translation>
    </message>
    <message>
        <source>install it and set JAVA_HOME, or: {command}</source>
        <translation>es einrichten und JAVA_HOME setzen, oder: {command}</translation>
    </message>
    <message>
        <source>install there: {what}</source>
        <translation>dort einrichten: {what}</translation>
    </message>
    <message>
        <source>it did not come within {limit}; it is busy with other tasks, or stopped</source>
        <translation>er kam nicht binnen {limit}; er ist mit anderem beschäftigt oder angehalten</translation>
    </message>
    <message>
        <source>it did not say why</source>
        <translation>es hat nicht gesagt, warum</translation>
    </message>
    <message>
        <source>it does not answer after {time}</source>
        <translation>er antwortet nach {time} noch nicht</translation>
    </message>
    <message>
        <source>it ended too early</source>
        <translation>es endete zu früh</translation>
    </message>
    <message>
        <source>it has ended its part</source>
        <translation>er hat seinen Teil beendet</translation>
    </message>
    <message>
        <source>it has reads of several runs</source>
        <translation>sie hat Reads mehrerer Läufe</translation>
    </message>
    <message>
        <source>it has {name} and no {threads}</source>
        <translation>darin steht {name} und nicht {threads}</translation>
    </message>
    <message>
        <source>it has {name} {there}, and here is {here}</source>
        <translation>er hat {name} {there}, und hier ist {here}</translation>
    </message>
    <message>
        <source>it is being measured right now</source>
        <translation>in ihr wird gerade gemessen</translation>
    </message>
    <message>
        <source>it is gone: its Dask worker was killed, or was not heard of for {limit}</source>
        <translation>er ist fort: sein Dask-Worker wurde beendet oder schwieg {limit} lang</translation>
    </message>
    <message>
        <source>this machine has no known source of jars</source>
        <translation>es ist nicht bekannt, woher dieser Rechner Jars bekommt</translation>
    </message>
    <message>
        <source>it is not the one that {file} names</source>
        <translation>sie ist nicht die, die {file} nennt</translation>
    </message>
    <message>
        <source>it is the other way round</source>
        <translation>es ist umgekehrt</translation>
    </message>
    <message>
        <source>leading</source>
        <translation>vorn</translation>
    </message>
    <message>
        <source>leading: {count}</source>
        <translation>vorn: {count}</translation>
    </message>
    <message>
        <source>more threads are not measurably faster</source>
        <translation>mehr Threads sind nicht messbar schneller</translation>
    </message>
    <message>
        <source>not measurably different from the best of {setting}</source>
        <translation>nicht messbar verschieden vom Besten von {setting}</translation>
    </message>
    <message>
        <source>not measurably different from {other}, which measured best; {sure}.</source>
        <translation>nicht messbar verschieden von {other}, das am besten gemessen wurde; {sure}.</translation>
    </message>
    <message>
        <source>not measured any more</source>
        <translation>wird nicht mehr gemessen</translation>
    </message>
    <message>
        <source>own memory</source>
        <translation>eigener Speicher</translation>
    </message>
    <message>
        <source>the data is encrypted ({type}): what comes from the disk is decrypted on the cores, what is in the page cache is not</source>
        <translation>die Daten sind verschlüsselt ({type}): was von der Platte kommt, wird auf den Kernen entschlüsselt, was im Seitencache liegt, nicht</translation>
    </message>
    <message>
        <source>the data is in memory ({type}): no disk is read, and opening a file costs hardly anything</source>
        <translation>die Daten liegen im Speicher ({type}): keine Platte wird gelesen, und das Öffnen einer Datei kostet fast nichts</translation>
    </message>
    <message>
        <source>the data is in the layers of a container ({type}): opening a file searches them, and the disk below is not known; a mounted volume has neither</source>
        <translation>die Daten liegen in den Schichten eines Containers ({type}): das Öffnen einer Datei durchsucht sie, und die Platte darunter ist nicht bekannt; ein eingehängtes Volume hat beides nicht</translation>
    </message>
    <message>
        <source>the data is on a network file system ({type}): first reads time the network, later ones this machine&apos;s page cache, and each open asks the server</source>
        <translation>die Daten liegen auf einem Netz-Dateisystem ({type}): erste Lesevorgänge messen das Netz, spätere den Seitencache dieses Rechners, und jedes Öffnen fragt den Server</translation>
    </message>
    <message>
        <source>the file system ({type}) has a cache of its own, which cold runs do not empty, and may compress: generated data can shrink more or less than yours</source>
        <translation>das Dateisystem ({type}) hat einen eigenen Cache, den kalte Läufe nicht leeren, und komprimiert vielleicht: erzeugte Daten können stärker oder schwächer schrumpfen als Ihre</translation>
    </message>
    <message>
        <source>the file system compresses the data ({type}): its disk delivers fewer bytes than are read, and generated data can shrink more or less than yours</source>
        <translation>das Dateisystem komprimiert die Daten ({type}): seine Platte liefert weniger Bytes, als gelesen werden, und erzeugte Daten können stärker oder schwächer schrumpfen als Ihre</translation>
    </message>
    <message>
        <source>use {count}</source>
        <translation>{count} nehmen</translation>
    </message>
    <message>
        <source>its header lacks sample_frequency among the context tags</source>
        <translation>im Kopf fehlt sample_frequency unter den Context-Tags</translation>
    </message>
    <message>
        <source>its read ids are no UUIDs, as those of POD5 must be</source>
        <translation>ihre Read-IDs sind keine UUIDs, wie POD5 sie verlangt</translation>
    </message>
    <message>
        <source>its reads lack auxiliary fields that POD5 must have, such as channel_number</source>
        <translation>ihren Reads fehlen Zusatzfelder, die POD5 haben muss, etwa channel_number</translation>
    </message>
    <message>
        <source>lacks its end signature, so it was cut off or is not finished</source>
        <translation>hat keine Endsignatur, ist also abgeschnitten oder nicht fertig</translation>
    </message>
    <message>
        <source>make it anew from its source, with these fields</source>
        <translation>neu aus der Quelle erzeugen, mit diesen Feldern</translation>
    </message>
    <message>
        <source>measure it as it is</source>
        <translation>messen, wie sie ist</translation>
    </message>
    <message>
        <source>other files</source>
        <translation>andere Dateien</translation>
    </message>
    <message>
        <source>pyfaidx refuses repeated names: rename them, or index it with samtools faidx</source>
        <translation>pyfaidx lehnt doppelte Namen ab: umbenennen oder mit samtools faidx indizieren</translation>
    </message>
    <message>
        <source>regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>split it: pod5 view {file} --include read_id,run_id -o runs.tsv &amp;&amp; pod5 subset {file} --table runs.tsv --columns run_id -o runs</source>
        <translation>aufteilen: pod5 view {file} --include read_id,run_id -o runs.tsv &amp;&amp; pod5 subset {file} --table runs.tsv --columns run_id -o runs</translation>
    </message>
    <message>
        <source>the baseline reads blocks of several sizes</source>
        <translation>die Basis liest Blöcke verschiedener Größe</translation>
    </message>
    <message>
        <source>the baseline reads blocks of {theirs}, the candidate of {ours}</source>
        <translation>die Basis liest Blöcke von {theirs}, der Kandidat von {ours}</translation>
    </message>
    <message>
        <source>the baseline writes, the candidate reads</source>
        <translation>die Basis schreibt, der Kandidat liest</translation>
    </message>
    <message>
        <source>the dataset has no sequence {name}</source>
        <translation>die Daten haben keine Sequenz {name}</translation>
    </message>
    <message>
        <source>waiting for another process that prepares the same</source>
        <translation>wartet auf einen anderen Prozess, der dasselbe vorbereitet</translation>
    </message>
    <message>
        <source>{name} cannot be converted: {why}</source>
        <translation>{name} kann nicht umgewandelt werden: {why}</translation>
    </message>
    <message>
        <source>{path} ends its lines with CR alone, as old Macs did</source>
        <translation>{path} beendet Zeilen nur mit CR, wie es alte Macs taten</translation>
    </message>
    <message>
        <source>{path} has an empty line in the sequence {name}</source>
        <translation>{path} hat eine Leerzeile in der Sequenz {name}</translation>
    </message>
    <message>
        <source>{path} has {form}, which is not known here</source>
        <translation>{path} hat {form}, hier nicht bekannt</translation>
    </message>
    <message>
        <source>{path} holds {seen}, and what is read here is: {asked}</source>
        <translation>{path} enthält {seen}; gelesen wird hier: {asked}</translation>
    </message>
    <message>
        <source>{path} is {form}: rename it, as slow5lib goes by names</source>
        <translation>{path} ist {form}: umbenennen, da slow5lib nach Namen geht</translation>
    </message>
    <message>
        <source>{path} lists no region</source>
        <translation>{path} nennt keine Region</translation>
    </message>
    <message>
        <source>{path}, line {line}: {why}</source>
        <translation>{path}, Zeile {line}: {why}</translation>
    </message>
    <message>
        <source>most cpu time</source>
        <translation>CPU-Zeit bis</translation>
    </message>
    <message>
        <source>{reason}; {client} would send it too</source>
        <translation>{reason}; {client} würde es mitsenden</translation>
    </message>
    <message>
        <source>leave out what differs with --normalise, or give --same none</source>
        <translation>mit --normalise weglassen, was sich unterscheidet, oder --same none angeben</translation>
    </message>
    <message>
        <source>nothing but header lines differ: give --normalise {filter}</source>
        <translation>nur Kopfzeilen sind anders: --normalise {filter} angeben</translation>
    </message>
    <message>
        <source>nothing but the order of lines differs: give --normalise {filter}</source>
        <translation>nur die Reihenfolge der Zeilen ist anders: --normalise {filter} angeben</translation>
    </message>
    <message>
        <source>other output than with threads={threads}: {where}</source>
        <translation>andere Ausgabe als mit threads={threads}: {where}</translation>
    </message>
    <message>
        <source>the command has no {threads}, so it has no number of threads</source>
        <translation>im Befehl steht kein {threads}, also hat er keine Zahl von Threads</translation>
    </message>
    <message>
        <source>threads=0 is no number of threads</source>
        <translation>threads=0 ist keine Zahl von Threads</translation>
    </message>
    <message>
        <source>where 0 means none or all to the program, use a name of your own: -T{jobs}, and jobs=0,1,2</source>
        <translation>wo 0 für das Programm keine oder alle bedeutet, einen eigenen Namen nehmen: -T{jobs}, und jobs=0,1,2</translation>
    </message>
    <message>
        <source>with {each} each run has another file, and so other output</source>
        <translation>mit {each} hat jeder Lauf eine andere Datei und so eine andere Ausgabe</translation>
    </message>
    <message>
        <source>write {meant}, if that is meant, or give {name}=VALUE</source>
        <translation>{meant} schreiben, wenn das gemeint ist, oder {name}=WERT angeben</translation>
    </message>
    <message>
        <source>write {meant}, or double the braces if it is meant as text</source>
        <translation>{meant} schreiben, oder die Klammern verdoppeln, wenn es Text sein soll</translation>
    </message>
    <message>
        <source>write {threads} where that belongs, or ask how many run at once: processes=1..8</source>
        <translation>{threads} dorthin schreiben, wo sie hingehört, oder fragen, wie viele gleichzeitig laufen: processes=1..8</translation>
    </message>
    <message>
        <source>write {threads}, if that is meant</source>
        <translation>{threads} schreiben, wenn das gemeint ist</translation>
    </message>
    <message>
        <source>{count} of {of} settings may be the best</source>
        <translation>{count} von {of} Einstellungen können die beste sein</translation>
    </message>
    <message>
        <source>{count} processes</source>
        <translation>{count} Prozesse</translation>
    </message>
    <message>
        <source>{name} is missing</source>
        <translation>{name} fehlt</translation>
    </message>
    <message>
        <source>{name} is no placeholder</source>
        <translation>{name} ist kein Platzhalter</translation>
    </message>
    <message>
        <source>{name} is there in addition</source>
        <translation>{name} ist zusätzlich da</translation>
    </message>
    <message>
        <source>{path} has no files</source>
        <translation>{path} enthält keine Dateien</translation>
    </message>
    <message>
        <source>{sign} is read by a shell only</source>
        <translation>{sign} versteht nur eine Shell</translation>
    </message>
    <message>
        <source>{where}, and {count:,} more files</source>
        <translation>{where}, dazu {count:,} weitere Dateien</translation>
    </message>
    <message>
        <source>its scheduler is gone, and it with it</source>
        <translation>sein Scheduler ist fort, und er mit ihm</translation>
    </message>
    <message>
        <source>its {name} is not known, so it may be over the limit.</source>
        <translation>{name} ist unbekannt und kann also über der Grenze liegen.</translation>
    </message>
    <message>
        <source>jars</source>
        <translation>Jars</translation>
    </message>
    <message>
        <source>java heap</source>
        <translation>Java-Heap</translation>
    </message>
    <message>
        <source>keep fewer files open (a smaller cache, fewer threads) or raise `ulimit -n`</source>
        <translation>weniger Dateien offen halten (kleinerer Cache, weniger Threads) oder `ulimit -n` erhöhen</translation>
    </message>
    <message>
        <source>keep sessions on a local disk; some network file systems know no locks</source>
        <translation>Sitzungen auf einer örtlichen Platte halten; manche Netzlaufwerke kennen keine Sperren</translation>
    </message>
    <message>
        <source>lacks a table</source>
        <translation>fehlt eine Tabelle</translation>
    </message>
    <message>
        <source>lacks its end marker, so it was cut off</source>
        <translation>hat keine Endmarke und ist also abgeschnitten</translation>
    </message>
    <message>
        <source>larger data or smaller blocks may give its threads more to do at a time</source>
        <translation>mehr Daten oder kleinere Blöcke können seinen Threads gleichzeitig mehr zu tun geben</translation>
    </message>
    <message>
        <source>layer of tiles</source>
        <translation>Kachelebene</translation>
    </message>
    <message>
        <source>leave it empty</source>
        <translation>leer lassen</translation>
    </message>
    <message>
        <source>leave it empty to draw from all</source>
        <translation>leer lassen, um aus allen zu ziehen</translation>
    </message>
    <message>
        <source>leave it out</source>
        <translation>es weglassen</translation>
    </message>
    <message>
        <source>left out: {reason}</source>
        <translation>ausgelassen: {reason}</translation>
    </message>
    <message>
        <source>less</source>
        <translation>kleiner</translation>
    </message>
    <message>
        <source>less than {least} apart</source>
        <translation>weniger als {least} Unterschied</translation>
    </message>
    <message>
        <source>lock contention</source>
        <translation>Warten auf eine Sperre</translation>
    </message>
    <message>
        <source>look into the server&apos;s log; its disk may be full</source>
        <translation>in das Protokoll des Servers sehen; sein Datenträger kann voll sein</translation>
    </message>
    <message>
        <source>look whether the server is overloaded; use fewer threads, or a longer timeout</source>
        <translation>prüfen, ob der Server überlastet ist; weniger Threads oder eine längere Wartezeit wählen</translation>
    </message>
    <message>
        <source>look whether the server still runs, and into its log</source>
        <translation>prüfen, ob der Server noch läuft, und in sein Protokoll sehen</translation>
    </message>
    <message>
        <source>looking at the machine</source>
        <translation>der Rechner wird angesehen</translation>
    </message>
    <message>
        <source>make each operation do more, such as larger blocks or whole records</source>
        <translation>jede Operation mehr tun lassen, etwa größere Blöcke oder ganze Datensätze lesen</translation>
    </message>
    <message>
        <source>make room there, or name another folder: SLUICE_CACHE</source>
        <translation>dort Platz schaffen oder einen anderen Ordner nennen: SLUICE_CACHE</translation>
    </message>
    <message>
        <source>make room where the store keeps its data</source>
        <translation>Platz schaffen, wo die Ablage ihre Daten hält</translation>
    </message>
    <message>
        <source>make room, name a folder on a larger disk, or choose less data</source>
        <translation>Platz schaffen, einen Ordner auf einem größeren Datenträger angeben oder weniger Daten wählen</translation>
    </message>
    <message>
        <source>make room, or name another folder: SLUICE_CACHE</source>
        <translation>Platz schaffen oder einen anderen Ordner nennen: SLUICE_CACHE</translation>
    </message>
    <message>
        <source>making data, about {size} on disk</source>
        <translation>erzeuge Daten, etwa {size} auf dem Datenträger</translation>
    </message>
    <message>
        <source>master</source>
        <translation>Master</translation>
    </message>
    <message>
        <source>measuring on the cluster {address}</source>
        <translation>Es wird auf dem Cluster {address} gemessen</translation>
    </message>
    <message>
        <source>median</source>
        <translation>mittlere</translation>
    </message>
    <message>
        <source>more</source>
        <translation>größer</translation>
    </message>
    <message>
        <source>more cores will help, more threads will not</source>
        <translation>mehr Kerne werden helfen, mehr Threads nicht</translation>
    </message>
    <message>
        <source>more cores, a faster codec or less compression will help</source>
        <translation>mehr Kerne, ein schnellerer Codec oder schwächere Kompression werden helfen</translation>
    </message>
    <message>
        <source>more requests at a time will help</source>
        <translation>mehr Anfragen zugleich werden helfen</translation>
    </message>
    <message>
        <source>more threads can help, as far as the program can use them</source>
        <translation>mehr Threads können helfen, soweit das Programm sie nutzen kann</translation>
    </message>
    <message>
        <source>more threads will help</source>
        <translation>mehr Threads werden helfen</translation>
    </message>
    <message>
        <source>name a folder without spaces and signs: {setting}</source>
        <translation>nennen Sie einen Ordner ohne Leer- und Sonderzeichen: {setting}</translation>
    </message>
    <message>
        <source>name one</source>
        <translation>einen nennen</translation>
    </message>
    <message>
        <source>name the bucket&apos;s region with region</source>
        <translation>die Region des Buckets mit region nennen</translation>
    </message>
    <message>
        <source>network or remote latency</source>
        <translation>Netz oder ferne Antwortzeit</translation>
    </message>
    <message>
        <source>never began</source>
        <translation>nie begonnen</translation>
    </message>
    <message>
        <source>no answer within {time:g} s</source>
        <translation>keine Antwort innerhalb von {time:g} s</translation>
    </message>
    <message>
        <source>no command can hold the character NUL</source>
        <translation>kein Befehl kann das Zeichen NUL enthalten</translation>
    </message>
    <message>
        <source>no other number of threads was to be tried</source>
        <translation>keine andere Zahl von Threads sollte versucht werden</translation>
    </message>
    <message>
        <source>no other setting was to be tried</source>
        <translation>keine andere Einstellung sollte versucht werden</translation>
    </message>
    <message>
        <source>no tablet server runs any more: look into its log, and whether its disk is full</source>
        <translation>kein Tablet-Server läuft mehr: in sein Protokoll sehen, und ob seine Platte voll ist</translation>
    </message>
    <message>
        <source>no trial went well</source>
        <translation>kein Versuch gelang</translation>
    </message>
    <message>
        <source>nobody answers at {places}</source>
        <translation>niemand antwortet bei {places}</translation>
    </message>
    <message>
        <source>node {number} of {of}</source>
        <translation>Knoten {number} von {of}</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>nothing else can be used.</source>
        <translation>nichts anderes ist brauchbar.</translation>
    </message>
    <message>
        <source>nothing else was measured.</source>
        <translation>nichts anderes wurde gemessen.</translation>
    </message>
    <message>
        <source>nothing was done while all workers were active</source>
        <translation>während alle Worker aktiv waren, wurde nichts getan</translation>
    </message>
    <message>
        <source>nothing was measured</source>
        <translation>nichts wurde gemessen</translation>
    </message>
    <message>
        <source>nothing was read from storage</source>
        <translation>vom Datenträger wurde nichts gelesen</translation>
    </message>
    <message>
        <source>nothing where a tile was written</source>
        <translation>nichts, wo eine Kachel geschrieben wurde</translation>
    </message>
    <message>
        <source>of 1 thread {running} run at a time</source>
        <translation>von 1 Thread laufen {running} zugleich</translation>
    </message>
    <message>
        <source>on average one thread runs or wants to, with any number of threads</source>
        <translation>im Mittel läuft ein Thread oder will laufen, bei jeder Zahl von Threads</translation>
    </message>
    <message>
        <source>on {host}</source>
        <translation>auf {host}</translation>
    </message>
    <message>
        <source>only a faster device will help</source>
        <translation>nur ein schnellerer Datenträger wird helfen</translation>
    </message>
    <message>
        <source>only {size} are free in {folder}</source>
        <translation>nur {size} sind frei in {folder}</translation>
    </message>
    <message>
        <source>opening the store in the partitions</source>
        <translation>öffnet die Ablage in den Partitionen</translation>
    </message>
    <message>
        <source>other content than was written</source>
        <translation>anderer Inhalt als geschrieben</translation>
    </message>
    <message>
        <source>other programs took {share} of the time on cores that its threads wanted</source>
        <translation>andere Programme nahmen {share} der Zeit auf Kernen, die seine Threads brauchten</translation>
    </message>
    <message>
        <source>partitions</source>
        <translation>Partitionen</translation>
    </message>
    <message>
        <source>password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>path style</source>
        <translation>Bucket im Pfad</translation>
    </message>
    <message>
        <source>pip does not find {requirement}: {said}</source>
        <translation>pip findet {requirement} nicht: {said}</translation>
    </message>
    <message>
        <source>pip finds {url} for this machine instead of {file}</source>
        <translation>pip findet {url} für diesen Rechner statt {file}</translation>
    </message>
    <message>
        <source>pip is missing</source>
        <translation>pip fehlt</translation>
    </message>
    <message>
        <source>placing</source>
        <translation>Ablegen</translation>
    </message>
    <message>
        <source>pool size</source>
        <translation>Pool-Größe</translation>
    </message>
    <message>
        <source>put the data where all nodes have it at the same path</source>
        <translation>die Daten dorthin legen, wo alle Knoten sie unter demselben Pfad haben</translation>
    </message>
    <message>
        <source>put the file itself there, remove the link, or choose another folder</source>
        <translation>legen Sie die Datei selbst dorthin, entfernen Sie den Verweis, oder wählen Sie einen anderen Ordner</translation>
    </message>
    <message>
        <source>reader cache</source>
        <translation>Leser-Cache</translation>
    </message>
    <message>
        <source>reading back what was written</source>
        <translation>Geschriebenes wird zurückgelesen</translation>
    </message>
    <message>
        <source>region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>removing what was written</source>
        <translation>Geschriebenes wird entfernt</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>retry mode</source>
        <translation>Wiederholungsart</translation>
    </message>
    <message>
        <source>run Sluice with a Python for this machine&apos;s own processor</source>
        <translation>Sluice mit einem Python für den eigenen Prozessor dieses Rechners starten</translation>
    </message>
    <message>
        <source>secret key</source>
        <translation>geheimer Schlüssel</translation>
    </message>
    <message>
        <source>see {path}</source>
        <translation>siehe {path}</translation>
    </message>
    <message>
        <source>server backpressure</source>
        <translation>Abweisungen des Servers</translation>
    </message>
    <message>
        <source>sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>set create, or create it in Accumulo&apos;s shell: {statement}</source>
        <translation>create setzen oder ihn in der Shell von Accumulo anlegen: {statement}</translation>
    </message>
    <message>
        <source>set create, or create it in cqlsh: {statement}</source>
        <translation>create setzen oder ihn in cqlsh anlegen: {statement}</translation>
    </message>
    <message>
        <source>set {names}</source>
        <translation>{names} setzen</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>something is being measured, perhaps on this data</source>
        <translation>es wird gerade gemessen, vielleicht mit diesen Daten</translation>
    </message>
    <message>
        <source>spark secret</source>
        <translation>Spark-Geheimnis</translation>
    </message>
    <message>
        <source>start again; if it stays so, something between here and its server changes files</source>
        <translation>neu starten; bleibt es so, verändert etwas zwischen hier und dem Server die Dateien</translation>
    </message>
    <message>
        <source>start it first, and give its name or HOST:PORT as --of</source>
        <translation>ihn erst starten und seinen Namen oder HOST:PORT als --of angeben</translation>
    </message>
    <message>
        <source>start it, or write the address that its scheduler shows</source>
        <translation>ihn starten, oder die Adresse angeben, die sein Scheduler zeigt</translation>
    </message>
    <message>
        <source>start it: {command}</source>
        <translation>starten Sie ihn: {command}</translation>
    </message>
    <message>
        <source>start the server, or correct the address</source>
        <translation>den Server starten oder die Adresse berichtigen</translation>
    </message>
    <message>
        <source>start the server: {command}</source>
        <translation>den Server starten: {command}</translation>
    </message>
    <message>
        <source>starting Spark</source>
        <translation>startet Spark</translation>
    </message>
    <message>
        <source>starting {title}</source>
        <translation>{title} wird gestartet</translation>
    </message>
    <message>
        <source>stop it first: {command}</source>
        <translation>ihn erst anhalten: {command}</translation>
    </message>
    <message>
        <source>stopped before it was ready</source>
        <translation>angehalten, ehe er bereit war</translation>
    </message>
    <message>
        <source>store</source>
        <translation>Ablage</translation>
    </message>
    <message>
        <source>surely no other is faster</source>
        <translation>sicher ist nichts anderes schneller</translation>
    </message>
    <message>
        <source>surely {least} of any other of the {measured} measured; {left} were not</source>
        <translation>sicher {least} von jedem anderen der {measured} gemessenen; {left} wurden nicht gemessen</translation>
    </message>
    <message>
        <source>surely {least} of any other of the {measured} measured; 1 was not</source>
        <translation>sicher {least} von jedem anderen der {measured} gemessenen; 1 wurde nicht gemessen</translation>
    </message>
    <message>
        <source>surely no other of the {measured} measured is faster; {left} were not</source>
        <translation>sicher ist kein anderer der {measured} gemessenen schneller; {left} wurden nicht gemessen</translation>
    </message>
    <message>
        <source>surely no other of the {measured} measured is faster; 1 was not</source>
        <translation>sicher ist kein anderer der {measured} gemessenen schneller; 1 wurde nicht gemessen</translation>
    </message>
    <message>
        <source>surely {least} of any other</source>
        <translation>sicher {least} von jedem anderen</translation>
    </message>
    <message>
        <source>cleaning up</source>
        <translation>Aufräumen</translation>
    </message>
    <message>
        <source>take it away: a value needs none</source>
        <translation>ihn weglassen: kein Wert braucht einen</translation>
    </message>
    <message>
        <source>take it out, or double its braces</source>
        <translation>ihn herausnehmen oder seine Klammern verdoppeln</translation>
    </message>
    <message>
        <source>the best measured, {gain} faster than the next, {other}; {sure}.</source>
        <translation>der beste Messwert, {gain} schneller als der nächste, {other}; {sure}.</translation>
    </message>
    <message>
        <source>the cache</source>
        <translation>dem Zwischenspeicher</translation>
    </message>
    <message>
        <source>the client {client} does not know this address</source>
        <translation>der Client {client} kennt diese Adresse nicht</translation>
    </message>
    <message>
        <source>the cluster {address} does not answer: {why}</source>
        <translation>der Cluster {address} antwortet nicht: {why}</translation>
    </message>
    <message>
        <source>the cluster {address} wants a certificate</source>
        <translation>der Cluster {address} verlangt ein Zertifikat</translation>
    </message>
    <message>
        <source>the data is on a network file system ({type})</source>
        <translation>die Daten liegen auf einem Netzdateisystem ({type})</translation>
    </message>
    <message>
        <source>the data is on a server</source>
        <translation>die Daten liegen auf einem Server</translation>
    </message>
    <message>
        <source>the dataset is changing while it is looked at</source>
        <translation>der Datensatz ändert sich, während er angesehen wird</translation>
    </message>
    <message>
        <source>the endpoint is not a URL without credentials</source>
        <translation>der Endpunkt ist keine URL ohne Zugangsdaten</translation>
    </message>
    <message>
        <source>the lab&apos;s keeper could not be started</source>
        <translation>der Wächter des Labors ließ sich nicht starten</translation>
    </message>
    <message>
        <source>the lab&apos;s keeper in {folder} does not answer</source>
        <translation>der Wächter des Labors in {folder} antwortet nicht</translation>
    </message>
    <message>
        <source>the lab&apos;s server {server} does not run</source>
        <translation>der Server {server} des Labors läuft nicht</translation>
    </message>
    <message>
        <source>the scheduler {address} is gone</source>
        <translation>der Scheduler {address} ist fort</translation>
    </message>
    <message>
        <source>the store {store} needs an address</source>
        <translation>die Ablage {store} braucht eine Adresse</translation>
    </message>
    <message>
        <source>the threads wait {share} of the time for something that is not a core</source>
        <translation>die Threads warten {share} der Zeit auf etwas anderes als einen Kern</translation>
    </message>
    <message>
        <source>the tile of another key</source>
        <translation>die Kachel eines anderen Schlüssels</translation>
    </message>
    <message>
        <source>the world has {world:,} columns and rows at this zoom</source>
        <translation>die Welt hat bei diesem Zoom {world:,} Spalten und Zeilen</translation>
    </message>
    <message>
        <source>there is no Accumulo at {place}: {reason}</source>
        <translation>es gibt kein Accumulo bei {place}: {reason}</translation>
    </message>
    <message>
        <source>there is no Cassandra at {place}: {reason}</source>
        <translation>es gibt kein Cassandra bei {place}: {reason}</translation>
    </message>
    <message>
        <source>there is no HDFS at {place}: {reason}</source>
        <translation>es gibt kein HDFS bei {place}: {reason}</translation>
    </message>
    <message>
        <source>there is no server {name!r} to stand in front of</source>
        <translation>es gibt keinen Server {name!r}, vor den sich etwas schalten ließe</translation>
    </message>
    <message>
        <source>there is no {title} for {machine}</source>
        <translation>es gibt kein {title} für {machine}</translation>
    </message>
    <message>
        <source>this server cannot keep its data in {folder}</source>
        <translation>dieser Server kann seine Daten nicht in {folder} halten</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>tiles</source>
        <translation>Kacheln</translation>
    </message>
    <message>
        <source>tiles in files need a folder</source>
        <translation>Kacheln in Dateien brauchen einen Ordner</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>Zeitgrenze</translation>
    </message>
    <message>
        <source>too close to the limit to tell</source>
        <translation>zu nah an der Grenze, um es zu sagen</translation>
    </message>
    <message>
        <source>unavailable: Accumulo&apos;s client is not in {place}</source>
        <translation>nicht verfügbar: der Client von Accumulo fehlt in {place}</translation>
    </message>
    <message>
        <source>unavailable: Java {versions} is missing (found: {seen})</source>
        <translation>nicht verfügbar: Java {versions} fehlt (gefunden: {seen})</translation>
    </message>
    <message>
        <source>unavailable: this machine has no zstd library</source>
        <translation>nicht verfügbar: Dieser Rechner hat keine zstd-Bibliothek</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>unpacking {title}</source>
        <translation>{title} wird entpackt</translation>
    </message>
    <message>
        <source>update Sluice, or begin a new session; it can still be looked at</source>
        <translation>Sluice aktualisieren oder eine neue Sitzung beginnen; angesehen werden kann sie weiterhin</translation>
    </message>
    <message>
        <source>update Sluice; what this one can read can be copied into a new session: {command}</source>
        <translation>Sluice aktualisieren; was dieses lesen kann, lässt sich in eine neue Sitzung kopieren: {command}</translation>
    </message>
    <message>
        <source>use fewer threads, or a longer backoff_base</source>
        <translation>weniger Threads nehmen oder eine längere backoff_base</translation>
    </message>
    <message>
        <source>use fewer threads, or ask the store for a higher rate</source>
        <translation>weniger Threads verwenden oder bei der Ablage eine höhere Rate verlangen</translation>
    </message>
    <message>
        <source>use processes instead of threads, or a reader that lets go of the lock</source>
        <translation>Prozesse statt Threads verwenden oder einen Leser, der die Sperre loslässt</translation>
    </message>
    <message>
        <source>use processes or smaller blocks: threads wait for each other where each read takes new memory from the kernel; a faster disk will not help</source>
        <translation>Prozesse oder kleinere Blöcke verwenden: Threads warten aufeinander, wo jedes Lesen neuen Speicher vom Kernel nimmt; ein schnellerer Datenträger wird nicht helfen</translation>
    </message>
    <message>
        <source>user</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>versitygw could not be built: {said}</source>
        <translation>versitygw ließ sich nicht bauen: {said}</translation>
    </message>
    <message>
        <source>wait until it has ended</source>
        <translation>warten Sie, bis es beendet ist</translation>
    </message>
    <message>
        <source>wait until that is done</source>
        <translation>warten, bis das fertig ist</translation>
    </message>
    <message>
        <source>wait until the machine is quiet, then measure again</source>
        <translation>warten, bis der Rechner ruhig ist, und dann neu messen</translation>
    </message>
    <message>
        <source>warm up operations</source>
        <translation>Aufwärmoperationen</translation>
    </message>
    <message>
        <source>was cut off after {size} of at least {whole} bytes, or damaged at byte {offset}</source>
        <translation>wurde nach {size} von mindestens {whole} Bytes abgeschnitten oder ist bei Byte {offset} beschädigt</translation>
    </message>
    <message>
        <source>what can still be read can be salvaged into a new one: {command}</source>
        <translation>was noch lesbar ist, lässt sich in eine neue retten: {command}</translation>
    </message>
    <message>
        <source>what is in Synapse cannot be read: {why}</source>
        <translation>was in Synapse ist, kann nicht gelesen werden: {why}</translation>
    </message>
    <message>
        <source>begin a new session: further trials cannot be kept</source>
        <translation>eine neue Sitzung beginnen: weitere Messungen können nicht behalten werden</translation>
    </message>
    <message>
        <source>what it said of its counters is damaged</source>
        <translation>was er von seinen Zählern sagte, ist beschädigt</translation>
    </message>
    <message>
        <source>window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>work of one thread</source>
        <translation>Arbeit eines einzigen Threads</translation>
    </message>
    <message>
        <source>wouldn&apos;t complete</source>
        <translation>wurde nicht fertig</translation>
    </message>
    <message>
        <source>write $(…) in place of them</source>
        <translation>an ihrer Stelle $(…) schreiben</translation>
    </message>
    <message>
        <source>write each name once, as in level=3 memory=256M</source>
        <translation>jeden Namen einmal schreiben, wie in level=3 memory=256M</translation>
    </message>
    <message>
        <source>write f={name} on a line before it, and &quot;$f&quot; in its place</source>
        <translation>in einer Zeile davor f={name} schreiben und an seiner Stelle &quot;$f&quot;</translation>
    </message>
    <message>
        <source>write it as {form}</source>
        <translation>sie in der Form {form} schreiben</translation>
    </message>
    <message>
        <source>write it outside of $(( ))</source>
        <translation>ihn außerhalb von $(( )) schreiben</translation>
    </message>
    <message>
        <source>write it where the value belongs</source>
        <translation>dorthin schreiben, wohin der Wert gehört</translation>
    </message>
    <message>
        <source>write its values as in {example}</source>
        <translation>seine Werte schreiben wie in {example}</translation>
    </message>
    <message>
        <source>write its values once</source>
        <translation>seine Werte einmal schreiben</translation>
    </message>
    <message>
        <source>write local:{nodes}</source>
        <translation>local:{nodes} schreiben</translation>
    </message>
    <message>
        <source>write one, such as {example}</source>
        <translation>einen schreiben, etwa {example}</translation>
    </message>
    <message>
        <source>write tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, or local:N for up to {most} workers here</source>
        <translation>tcp://HOST:PORT oder tls://HOST:PORT eines Dask-Schedulers schreiben, oder local:N für bis zu {most} Worker hier</translation>
    </message>
    <message>
        <source>write the smaller value first, and at most {most:,} values</source>
        <translation>den kleineren Wert zuerst schreiben und höchstens {most:,} Werte</translation>
    </message>
    <message>
        <source>write {out} where its output goes</source>
        <translation>{out} dorthin schreiben, wohin seine Ausgabe geht</translation>
    </message>
    <message>
        <source>write {short}; threads are given as threads=1..8</source>
        <translation>{short} schreiben; Threads werden als threads=1..8 angegeben</translation>
    </message>
    <message>
        <source>writing the layer into the store</source>
        <translation>Ebene wird in die Ablage geschrieben</translation>
    </message>
    <message>
        <source>writing tiles</source>
        <translation>Kacheln werden geschrieben</translation>
    </message>
    <message>
        <source>{address!r} is no address of this store</source>
        <translation>{address!r} ist keine Adresse dieser Ablage</translation>
    </message>
    <message>
        <source>{address} did not have {count} workers within {limit}; start more, or ask for fewer nodes</source>
        <translation>{address} hatte binnen {limit} keine {count} Worker; mehr starten, oder weniger Knoten verlangen</translation>
    </message>
    <message>
        <source>{address} has fewer workers than {nodes} nodes</source>
        <translation>{address} hat weniger Worker als {nodes} Knoten</translation>
    </message>
    <message>
        <source>{address} is no cluster</source>
        <translation>{address} ist kein Cluster</translation>
    </message>
    <message>
        <source>{address} is not the whole path of a folder</source>
        <translation>{address} ist nicht der ganze Pfad eines Ordners</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>{count} weitere</translation>
    </message>
    <message>
        <source>{count} nodes need a cluster</source>
        <translation>{count} Knoten brauchen einen Cluster</translation>
    </message>
    <message>
        <source>{count} settings</source>
        <translation>{count} Einstellungen</translation>
    </message>
    <message>
        <source>{count} settings to search, about {time}</source>
        <translation>{count} Einstellungen zu durchsuchen, etwa {time}</translation>
    </message>
    <message>
        <source>{count} {name} for each operation</source>
        <translation>{count} {name} je Operation</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} und {last}</translation>
    </message>
    <message>
        <source>{folder} is no MapFile of tiles: {reason}</source>
        <translation>{folder} ist kein MapFile von Kacheln: {reason}</translation>
    </message>
    <message>
        <source>{line}: {text}</source>
        <translation>{line}: {text}</translation>
    </message>
    <message>
        <source>{name} could not be fetched: {problem}</source>
        <translation>{name} ließ sich nicht holen: {problem}</translation>
    </message>
    <message>
        <source>{name} ended with exit code {code}</source>
        <translation>{name} endete mit Code {code}</translation>
    </message>
    <message>
        <source>{name} has 1 base, so not this part of it</source>
        <translation>{name} hat 1 Base, also nicht diesen Teil davon</translation>
    </message>
    <message>
        <source>{name} has an empty value</source>
        <translation>{name} hat einen leeren Wert</translation>
    </message>
    <message>
        <source>{name} has different values in two places</source>
        <translation>{name} hat an zwei Stellen verschiedene Werte</translation>
    </message>
    <message>
        <source>{name} has {count:,} bases, so not this part of it</source>
        <translation>{name} hat {count:,} Basen, also nicht diesen Teil davon</translation>
    </message>
    <message>
        <source>{name} is a path, and $(( )) takes whole numbers</source>
        <translation>{name} ist ein Pfad, und $(( )) nimmt ganze Zahlen</translation>
    </message>
    <message>
        <source>{name} is another file than expected: its SHA-256 is {digest}</source>
        <translation>{name} ist eine andere Datei als erwartet: ihr SHA-256 ist {digest}</translation>
    </message>
    <message>
        <source>{name} is another module than expected: {digest}</source>
        <translation>{name} ist ein anderes Modul als erwartet: {digest}</translation>
    </message>
    <message>
        <source>{name} is {value}, and $(( )) takes whole numbers</source>
        <translation>{name} ist {value}, und $(( )) nimmt ganze Zahlen</translation>
    </message>
    <message>
        <source>{name} is {value}, which it may not be</source>
        <translation>{name} ist {value}, was es nicht sein darf</translation>
    </message>
    <message>
        <source>{name} stands between backquotes</source>
        <translation>{name} steht zwischen Backquotes</translation>
    </message>
    <message>
        <source>{name} stands in a comment</source>
        <translation>{name} steht in einem Kommentar</translation>
    </message>
    <message>
        <source>{name} stands in or behind a here-document</source>
        <translation>{name} steht in oder hinter einem Here-Dokument</translation>
    </message>
    <message>
        <source>{name} stands in or behind what shells read in different ways</source>
        <translation>{name} steht in oder hinter etwas, das Shells verschieden lesen</translation>
    </message>
    <message>
        <source>{name} takes no values in the command</source>
        <translation>{name} nimmt im Befehl keine Werte an</translation>
    </message>
    <message>
        <source>{name} was ended by {signal}</source>
        <translation>{name} wurde durch {signal} beendet</translation>
    </message>
    <message>
        <source>{parameter} (1 file)</source>
        <translation>{parameter} (1 Datei)</translation>
    </message>
    <message>
        <source>{parameter} ({count:,} files)</source>
        <translation>{parameter} ({count:,} Dateien)</translation>
    </message>
    <message>
        <source>{parameter} has no meaning for some settings, so they are measured once</source>
        <translation>{parameter} hat bei manchen Einstellungen keine Bedeutung, daher werden sie nur einmal gemessen</translation>
    </message>
    <message>
        <source>{parameter} has no meaning here, so it is not varied</source>
        <translation>{parameter} hat hier keine Bedeutung und wird daher nicht verändert</translation>
    </message>
    <message>
        <source>{path} cannot be compared: nobody knows its kind here</source>
        <translation>{path} lässt sich nicht vergleichen: Die Art der Daten ist hier unbekannt</translation>
    </message>
    <message>
        <source>{path} cannot be moved to the wastebasket</source>
        <translation>{path} lässt sich nicht in den Papierkorb legen</translation>
    </message>
    <message>
        <source>{path} cannot be removed: {why}</source>
        <translation>{path} kann nicht entfernt werden: {why}</translation>
    </message>
    <message>
        <source>{path} cannot be used: {why}</source>
        <translation>{path} ist nicht benutzbar: {why}</translation>
    </message>
    <message>
        <source>{path} comes from a newer Sluice ({made}; this is {own}): it has format {version}, and this one knows up to {known}. What this one knows of it is shown, figures may mean something else by now, and nothing can be added to it.</source>
        <translation>{path} stammt von einem neueren Sluice ({made}; dies ist {own}): Sie hat Format {version}, und dieses kennt sie bis {known}. Gezeigt wird, was dieses davon kennt; Zahlen können inzwischen etwas anderes bedeuten, und nichts kann hinzugefügt werden.</translation>
    </message>
    <message>
        <source>{path} comes from a newer Sluice ({made}; this is {own}): what is new in it is not shown.</source>
        <translation>{path} stammt von einem neueren Sluice ({made}; dies ist {own}): Was darin neu ist, wird nicht gezeigt.</translation>
    </message>
    <message>
        <source>{path} comes from a newer Sluice than this {own}, and not all of it can be read here</source>
        <translation>{path} stammt von einem neueren Sluice als diesem {own}, und nicht alles davon lässt sich hier lesen</translation>
    </message>
    <message>
        <source>{path} has format {version}, and this Sluice adds to sessions up to {known}</source>
        <translation>{path} hat Format {version}, und dieses Sluice ergänzt Sitzungen bis {known}</translation>
    </message>
    <message>
        <source>{path} holds {kind} values in {axes}</source>
        <translation>{path} enthält Werte der Art {kind} in {axes}</translation>
    </message>
    <message>
        <source>{path} is a link that leads out of the folder, to {there}</source>
        <translation>{path} ist ein Verweis, der aus dem Ordner hinausführt, nach {there}</translation>
    </message>
    <message>
        <source>{path} is not there</source>
        <translation>{path} ist nicht da</translation>
    </message>
    <message>
        <source>{path} is other data there; put the same where all nodes have it at that path</source>
        <translation>{path} sind dort andere Daten; dieselben dorthin legen, wo alle Knoten sie unter diesem Pfad haben</translation>
    </message>
    <message>
        <source>{platform} has no posix_fadvise to drop pages with</source>
        <translation>{platform} hat kein posix_fadvise, um Seiten zu verwerfen</translation>
    </message>
    <message>
        <source>{processes} processes reach {ratio} what as many threads do</source>
        <translation>{processes} Prozesse erreichen {ratio} das, was ebenso viele Threads erreichen</translation>
    </message>
    <message>
        <source>{program} cannot be started: {why}</source>
        <translation>{program} lässt sich nicht starten: {why}</translation>
    </message>
    <message>
        <source>{program} ended with {code}{said}</source>
        <translation>{program} endete mit {code}{said}</translation>
    </message>
    <message>
        <source>{program} is a folder</source>
        <translation>{program} ist ein Ordner</translation>
    </message>
    <message>
        <source>{program} left running: {names}</source>
        <translation>{program} ließ laufen: {names}</translation>
    </message>
    <message>
        <source>{program} may not be executed</source>
        <translation>{program} darf nicht ausgeführt werden</translation>
    </message>
    <message>
        <source>{program} did nothing any more and was ended</source>
        <translation>{program} wurde beendet, da es nichts mehr tat</translation>
    </message>
    <message>
        <source>{program} was killed by signal {number}{said}</source>
        <translation>{program} wurde von Signal {number} beendet{said}</translation>
    </message>
    <message>
        <source>{queued} of its threads wait for a core</source>
        <translation>{queued} seiner Threads warten auf einen Kern</translation>
    </message>
    <message>
        <source>{server} has no options</source>
        <translation>{server} hat keine Optionen</translation>
    </message>
    <message>
        <source>{server} is being started or stopped already</source>
        <translation>{server} wird schon gestartet oder angehalten</translation>
    </message>
    <message>
        <source>{server} runs with other options</source>
        <translation>{server} läuft mit anderen Optionen</translation>
    </message>
    <message>
        <source>{settings}, at most {time}</source>
        <translation>{settings}, höchstens {time}</translation>
    </message>
    <message>
        <source>{settings}, {trials}, about {time}</source>
        <translation>{settings}, {trials}, etwa {time}</translation>
    </message>
    <message>
        <source>{share} of the best measured, which {other} reached; {sure}.</source>
        <translation>{share} des besten Gemessenen, das {other} erreichte; {sure}.</translation>
    </message>
    <message>
        <source>{share} of the time the queue was not full, for its reads end before others are claimed: where it is full all the time, the disk may reach more</source>
        <translation>{share} der Zeit war die Warteschlange nicht voll, denn ihre Lesezugriffe enden, bevor weitere vergeben werden: Wo sie immer voll ist, erreicht die Platte vielleicht mehr</translation>
    </message>
    <message>
        <source>{side} has trials without {metric}: {count} of {of}</source>
        <translation>{side} hat Versuche ohne {metric}: {count} von {of}</translation>
    </message>
    <message>
        <source>{size} do not fit into {folder}</source>
        <translation>{size} passen nicht in {folder}</translation>
    </message>
    <message>
        <source>{size} of swap are in use.</source>
        <translation>{size} Auslagerungsspeicher sind belegt.</translation>
    </message>
    <message>
        <source>{source} measured with {name} {theirs}, not {ours}</source>
        <translation>{source} hat mit {name} {theirs} gemessen, nicht {ours}</translation>
    </message>
    <message>
        <source>{source} read from storage, not out of the page cache</source>
        <translation>{source} hat vom Speichermedium gelesen, nicht aus dem Seitencache</translation>
    </message>
    <message>
        <source>{source} varies {name}, which is no parameter here</source>
        <translation>{source} variiert {name}, das hier kein Parameter ist</translation>
    </message>
    <message>
        <source>{threads} (leading)</source>
        <translation>{threads} (vorn)</translation>
    </message>
    <message>
        <source>{tile} says it is at {column}, {row}</source>
        <translation>{tile} gibt an, bei {column}, {row} zu liegen</translation>
    </message>
    <message>
        <source>{tile} was listed, and is not there any more</source>
        <translation>{tile} war aufgeführt und ist nicht mehr da</translation>
    </message>
    <message>
        <source>{title} was fetched, but does not run here</source>
        <translation>{title} wurde geholt, läuft hier aber nicht</translation>
    </message>
    <message>
        <source>{told} of {total}</source>
        <translation>{told} von {total}</translation>
    </message>
    <message>
        <source>{type} holds files in memory only</source>
        <translation>{type} hält Dateien nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>{units}/s</source>
        <translation>{units}/s</translation>
    </message>
    <message>
        <source>{which}, and this one is at most {least} below it</source>
        <translation>{which}, und diese liegt höchstens {least} darunter</translation>
    </message>
    <message>
        <source>{which}; trials differ by {share}, and about {trials} of each would tell.</source>
        <translation>{which}; Versuche unterscheiden sich um {share}, und etwa {trials} von jeder würden es zeigen.</translation>
    </message>
    <message>
        <source>{workload} can read this data</source>
        <translation>{workload} kann diese Daten lesen</translation>
    </message>
    <message>
        <source>{workload} can read this in blocks, as any files; it is of no known kind: {why}</source>
        <translation>{workload} kann dies wie alle Dateien in Blöcken lesen; es ist von keiner bekannten Art: {why}</translation>
    </message>
    <message>
        <source>{written!r} gives no values</source>
        <translation>{written!r} gibt keine Werte an</translation>
    </message>
    <message>
        <source>× 1 thread</source>
        <translation>× 1 Thread</translation>
    </message>
    <message>
        <source>÷ 3 (their data: ÷ 3.3)</source>
        <translation>÷ 3 (ihre Daten: ÷ 3.3)</translation>
    </message>
    <message>
        <source>÷ 3 (their data: ÷ 4.2)</source>
        <translation>÷ 3 (ihre Daten: ÷ 4.2)</translation>
    </message>
    <message>
        <source>÷ 5 (their data: ÷ 2.9)</source>
        <translation>÷ 5 (ihre Daten: ÷ 2.9)</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>(32 a block and 184)</source>
        <translation>(32 je Block und 184)</translation>
    </message>
    <message>
        <source>0.30× (as charted: 1.2×)</source>
        <translation>0.30× (wie gezeichnet: 1.2×)</translation>
    </message>
    <message>
        <source>0.31× (as charted: 39×)</source>
        <translation>0.31× (wie gezeichnet: 39×)</translation>
    </message>
    <message>
        <source>0.41× (as charted: 27×)</source>
        <translation>0.41× (wie gezeichnet: 27×)</translation>
    </message>
    <message>
        <source>0.95× (no real difference)</source>
        <translation>0.95× (kein wirklicher Unterschied)</translation>
    </message>
    <message>
        <source>Do not use what returns wrong data; the table says which.</source>
        <translation>Nicht verwenden, was falsche Daten liefert; die Tabelle sagt, was es ist.</translation>
    </message>
    <message>
        <source>Make the trials longer, so that each has more operations.</source>
        <translation>Die Versuche verlängern, damit jeder mehr Operationen hat.</translation>
    </message>
    <message>
        <source>Measured once, so its variation is unknown.</source>
        <translation>Einmal gemessen; wie sehr es schwankt, ist daher unbekannt.</translation>
    </message>
    <message>
        <source>Most trials of a search; 0 = as many as measuring all its settings takes, but never fewer than 24.</source>
        <translation>Höchstzahl der Versuche einer Suche; 0 = so viele, wie alle ihre Einstellungen zu messen braucht, aber nie weniger als 24.</translation>
    </message>
    <message>
        <source>Where the cause is not yours to mend, hold the figure against another program&apos;s, and report it with this session: it may be a fault of Sluice.</source>
        <translation>Wo die Ursache nicht bei Ihnen liegt, die Zahl mit der eines anderen Programms vergleichen und mit dieser Sitzung melden: es kann ein Fehler von Sluice sein.</translation>
    </message>
    <message>
        <source>Windows per second</source>
        <translation>Fenster je Sekunde</translation>
    </message>
    <message>
        <source>Writers with fewer threads than cores are slower: as many against half as many, Hadoop by a client that sleeps 0.5 s at a close</source>
        <translation>Schreiber mit weniger Threads als Kernen sind langsamer: so viele gegen halb so viele, Hadoop mit einem Client, der beim Schließen 0,5 s schläft</translation>
    </message>
    <message>
        <source>Writers with more threads than cores gain nothing: twice as many against as many, Hadoop by a client that sleeps 0.5 s at a close</source>
        <translation>Schreiber mit mehr Threads als Kernen gewinnen nichts: doppelt so viele gegen so viele, Hadoop mit einem Client, der beim Schließen 0,5 s schläft</translation>
    </message>
    <message>
        <source>compression</source>
        <translation>Kompression</translation>
    </message>
    <message>
        <source>control characters and line breaks are not allowed</source>
        <translation>Steuerzeichen und Zeilenumbrüche sind nicht erlaubt</translation>
    </message>
    <message>
        <source>converting</source>
        <translation>Umwandlung</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>abgestürzt</translation>
    </message>
    <message>
        <source>crashed while {stage}: {why}</source>
        <translation>abgestürzt bei: {stage}: {why}</translation>
    </message>
    <message>
        <source>credentials do not belong in a location</source>
        <translation>Zugangsdaten gehören nicht in einen Ort</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>dataset</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>deadline</source>
        <translation>Frist</translation>
    </message>
    <message>
        <source>depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>did you mean {name}?</source>
        <translation>war {name} gemeint?</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>ending</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>evicting the page cache</source>
        <translation>Seitencache wird geräumt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>failed while {stage}: {why}</source>
        <translation>gescheitert bei: {stage}: {why}</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>schneller</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>file-backed</source>
        <translation>abgebildeter</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>first step</source>
        <translation>erster Schritt</translation>
    </message>
    <message>
        <source>folder of FASTA files</source>
        <translation>Ordner mit FASTA-Dateien</translation>
    </message>
    <message>
        <source>folder with BLOW5 and POD5</source>
        <translation>Ordner mit BLOW5 und POD5</translation>
    </message>
    <message>
        <source>fridge, 32 threads: BLOW5 CXX against BLOW5 C</source>
        <translation>fridge, 32 Threads: BLOW5 CXX gegen BLOW5 C</translation>
    </message>
    <message>
        <source>fridge, 32 threads: POD5 io against BLOW5 C</source>
        <translation>fridge, 32 Threads: POD5 io gegen BLOW5 C</translation>
    </message>
    <message>
        <source>fridge, 32 threads: POD5 mmap against BLOW5 C</source>
        <translation>fridge, 32 Threads: POD5 mmap gegen BLOW5 C</translation>
    </message>
    <message>
        <source>fridge: share of the disc in BLOW5 CXX</source>
        <translation>fridge: Anteil der Platte bei BLOW5 CXX</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>give one with --dataset</source>
        <translation>welche mit --dataset angeben</translation>
    </message>
    <message>
        <source>give them as env:NAME</source>
        <translation>als env:NAME angeben</translation>
    </message>
    <message>
        <source>greedy length</source>
        <translation>Vorgriff</translation>
    </message>
    <message>
        <source>gtgpu-ssd, 20 threads: BLOW5 CXX against BLOW5 C</source>
        <translation>gtgpu-ssd, 20 Threads: BLOW5 CXX gegen BLOW5 C</translation>
    </message>
    <message>
        <source>gtgpu-ssd, 20 threads: POD5 io against BLOW5 C</source>
        <translation>gtgpu-ssd, 20 Threads: POD5 io gegen BLOW5 C</translation>
    </message>
    <message>
        <source>gtgpu-ssd, 20 threads: POD5 mmap against BLOW5 C</source>
        <translation>gtgpu-ssd, 20 Threads: POD5 mmap gegen BLOW5 C</translation>
    </message>
    <message>
        <source>gtgpu-ssd: share of the disc in BLOW5 CXX</source>
        <translation>gtgpu-ssd: Anteil der Platte bei BLOW5 CXX</translation>
    </message>
    <message>
        <source>has a damaged header: {why}</source>
        <translation>hat einen beschädigten Kopf: {why}</translation>
    </message>
    <message>
        <source>has a damaged record, number {number}: {why}</source>
        <translation>hat einen beschädigten Eintrag, Nummer {number}: {why}</translation>
    </message>
    <message>
        <source>here {unit}</source>
        <translation>hier {unit}</translation>
    </message>
    <message>
        <source>higher in {metric}</source>
        <translation>höher in {metric}</translation>
    </message>
    <message>
        <source>holder</source>
        <translation>Halter</translation>
    </message>
    <message>
        <source>htslib through pysam.</source>
        <translation>htslib durch pysam.</translation>
    </message>
    <message>
        <source>idlest</source>
        <translation>wenigste</translation>
    </message>
    <message>
        <source>index of an RP66V1 file</source>
        <translation>Index einer RP66V1-Datei</translation>
    </message>
    <message>
        <source>indexing</source>
        <translation>Index wird erstellt</translation>
    </message>
    <message>
        <source>indexing aliases</source>
        <translation>Aliase werden geordnet</translation>
    </message>
    <message>
        <source>install: {command}</source>
        <translation>einrichten: {command}</translation>
    </message>
    <message>
        <source>it cannot be read: {why}</source>
        <translation>er ist nicht lesbar: {why}</translation>
    </message>
    <message>
        <source>it has the content from byte {content:,} on in a block at byte {start:,}, where none begins with that</source>
        <translation>er hat den Inhalt ab Byte {content:,} in einem Block bei Byte {start:,}, wo keiner damit beginnt</translation>
    </message>
    <message>
        <source>it has {sequence} begin at byte {listed:,}, not {found:,}</source>
        <translation>er lässt {sequence} bei Byte {listed:,} beginnen, nicht bei {found:,}</translation>
    </message>
    <message>
        <source>it is not an index of BGZF blocks</source>
        <translation>er ist kein Index von BGZF-Blöcken</translation>
    </message>
    <message>
        <source>it is not valid Unicode, so it could not be recorded</source>
        <translation>es ist kein gültiges Unicode und ließe sich nicht aufzeichnen</translation>
    </message>
    <message>
        <source>it lacks the block at byte {start:,}</source>
        <translation>ihm fehlt der Block bei Byte {start:,}</translation>
    </message>
    <message>
        <source>it lists {sequence}, which is not there</source>
        <translation>er führt {sequence} auf, die es nicht gibt</translation>
    </message>
    <message>
        <source>at least {count} trials of each are needed, and there are {fewest}</source>
        <translation>es braucht mindestens {count} Versuche von jedem, und es gibt {fewest}</translation>
    </message>
    <message>
        <source>1 file left out</source>
        <translation>1 Datei ausgelassen</translation>
    </message>
    <message>
        <source>429</source>
        <translation>429</translation>
    </message>
    <message>
        <source>429 per operation</source>
        <translation>429 je Vorgang</translation>
    </message>
    <message>
        <source>503</source>
        <translation>503</translation>
    </message>
    <message>
        <source>503 per operation</source>
        <translation>503 je Vorgang</translation>
    </message>
    <message>
        <source>99 % of the {units} within {time}, the longest {longest}</source>
        <translation>99 % der {units} binnen {time}, längstens {longest}</translation>
    </message>
    <message>
        <source>Measuring all {settings} settings takes {whole} trials; the search ends when it is sure, after {most} trials at the latest.</source>
        <translation>Alle {settings} Einstellungen zu messen braucht {whole} Versuche; die Suche endet, sobald sie sicher ist, spätestens nach {most} Versuchen.</translation>
    </message>
    <message>
        <source>Argument with which the program prints its version; Sluice asks once. Empty = it does not ask.</source>
        <translation>Argument, auf das hin das Programm seine Version nennt, einmal, bevor sie festgehalten wird; leer = es wird nicht gefragt.</translation>
    </message>
    <message>
        <source>--warmup beyond 1 run</source>
        <translation>--warmup über 1 Lauf hinaus</translation>
    </message>
    <message>
        <source>--{name} differs between the commands</source>
        <translation>--{name} ist für die Befehle verschieden</translation>
    </message>
    <message>
        <source>--{name} is {text}</source>
        <translation>--{name} ist {text}</translation>
    </message>
    <message>
        <source>1 failed</source>
        <translation>1 gescheitert</translation>
    </message>
    <message>
        <source>1 of {of} settings failed</source>
        <translation>1 von {of} Einstellungen scheiterte</translation>
    </message>
    <message>
        <source>1 trial: no interval yet</source>
        <translation>1 Versuch: noch kein Intervall</translation>
    </message>
    <message>
        <source>512 KiB are the sweet spot: faster than 64 KiB at random</source>
        <translation>512 KiB sind der beste Kompromiss: beim zufälligen Lesen schneller als 64 KiB</translation>
    </message>
    <message>
        <source>A PMTiles archive, read by ranges, whose directories are kept; also behind S3 or plain http.</source>
        <translation>Ein PMTiles-Archiv, in Bereichen gelesen, dessen Verzeichnisse behalten werden; auch hinter S3 oder http.</translation>
    </message>
    <message>
        <source>A request for each tile, one after the other, is slower than merged ones</source>
        <translation>Eine Anfrage je Kachel, eine nach der anderen, ist langsamer als zusammengefasste</translation>
    </message>
    <message>
        <source>Amplification</source>
        <translation>Verstärkung</translation>
    </message>
    <message>
        <source>Backoff seconds per operation</source>
        <translation>Sekunden Rückzug je Vorgang</translation>
    </message>
    <message>
        <source>Before each trial the files were evicted, and looked for in the page cache.</source>
        <translation>Vor jedem Versuch wurden die Dateien verdrängt und im Seitencache gesucht.</translation>
    </message>
    <message>
        <source>Bytes a second in each direction that a proxy lets through, of all connections together; 0 = no limit.</source>
        <translation>Bytes je Sekunde und Richtung, die ein Proxy durchlässt, von allen Verbindungen zusammen; 0 = keine Grenze.</translation>
    </message>
    <message>
        <source>Bytes per second.</source>
        <translation>Bytes je Sekunde.</translation>
    </message>
    <message>
        <source>Bytes that moved on the wire, heads too, for each byte that operations wanted.</source>
        <translation>Bytes auf der Leitung, samt Köpfen, für jedes Byte, das Operationen wollten.</translation>
    </message>
    <message>
        <source>Bytes written per operation</source>
        <translation>Geschriebene Bytes je Vorgang</translation>
    </message>
    <message>
        <source>CPU per operation</source>
        <translation>CPU je Vorgang</translation>
    </message>
    <message>
        <source>CPU seconds</source>
        <translation>CPU-Sekunden</translation>
    </message>
    <message>
        <source>CPU seconds per operation</source>
        <translation>CPU-Sekunden je Vorgang</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU-Zeit</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Close files that are no longer needed.</source>
        <translation>Dateien schließen, die nicht mehr gebraucht werden.</translation>
    </message>
    <message>
        <source>Compare with the last run</source>
        <translation>Mit dem vorigen Lauf vergleichen</translation>
    </message>
    <message>
        <source>Confirming the choice against what it cannot yet be told from.</source>
        <translation>Die Wahl wird gegen das bestätigt, wovon sie noch nicht zu unterscheiden ist.</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Cores that all processes of a trial share on each node, the first of those that Sluice may use. 0 = all of them.</source>
        <translation>Kerne, die sich alle Prozesse eines Versuchs auf jedem Knoten teilen: die ersten, die Sluice benutzen darf; 0 = alle.</translation>
    </message>
    <message>
        <source>Counted live</source>
        <translation>Mitgezählt</translation>
    </message>
    <message>
        <source>Dataset files</source>
        <translation>Dateien der Daten</translation>
    </message>
    <message>
        <source>Fewer threads than cores are slower: as many against half as many, Accumulo</source>
        <translation>Weniger Threads als Kerne sind langsamer: so viele gegen halb so viele, Accumulo</translation>
    </message>
    <message>
        <source>Fewer threads than cores are slower: as many against half as many, Cassandra</source>
        <translation>Weniger Threads als Kerne sind langsamer: so viele gegen halb so viele, Cassandra</translation>
    </message>
    <message>
        <source>Fewer threads than cores are slower: as many against half as many, File</source>
        <translation>Weniger Threads als Kerne sind langsamer: so viele gegen halb so viele, Datei</translation>
    </message>
    <message>
        <source>Fewer threads than cores are slower: as many against half as many, Hadoop</source>
        <translation>Weniger Threads als Kerne sind langsamer: so viele gegen halb so viele, Hadoop</translation>
    </message>
    <message>
        <source>Fewer threads than cores are slower: as many against half as many, S3</source>
        <translation>Weniger Threads als Kerne sind langsamer: so viele gegen halb so viele, S3</translation>
    </message>
    <message>
        <source>Fills the best setting into the form, as a run of its own.</source>
        <translation>Trägt die beste Einstellung in das Formular ein, als eigenen Lauf.</translation>
    </message>
    <message>
        <source>Find out what everything waited for then, and measure again.</source>
        <translation>Herausfinden, worauf da alles wartete, und noch einmal messen.</translation>
    </message>
    <message>
        <source>GDAL and tifffile read {path} differently, {window}: {why}</source>
        <translation>GDAL und tifffile lesen {path} verschieden, {window}: {why}</translation>
    </message>
    <message>
        <source>Hadoop looks like File, as many threads as cores</source>
        <translation>Hadoop verhält sich wie Dateien, so viele Threads wie Kerne</translation>
    </message>
    <message>
        <source>Have a shell read the commands: /bin/sh, or bash for a pipe, where each of its programs counts. Values stay single words.</source>
        <translation>Die Befehle von /bin/sh lesen lassen, oder von bash, wo eine Pipe steht, damit jedes ihrer Programme zählt; Werte bleiben einzelne Wörter.</translation>
    </message>
    <message>
        <source>How chunks are compressed, into which a part of it is converted first.</source>
        <translation>Wie die Chunks komprimiert sind, in die zuerst ein Teil davon umgewandelt wird.</translation>
    </message>
    <message>
        <source>It ends as soon as the answer is clear.</source>
        <translation>Es endet, sobald die Antwort klar ist.</translation>
    </message>
    <message>
        <source>Leading for now: {now}; on a quiet machine that cannot be told yet.</source>
        <translation>Vorerst vorn: {now}; für den ruhigen Rechner ist es noch nicht zu sagen.</translation>
    </message>
    <message>
        <source>Left out, as nothing here does the same: {options}.</source>
        <translation>Weggelassen, weil hier nichts dasselbe tut: {options}.</translation>
    </message>
    <message>
        <source>Link bandwidth</source>
        <translation>Bandbreite des Wegs</translation>
    </message>
    <message>
        <source>Longest operation that a setting may have; 0 = any.</source>
        <translation>Längster Vorgang, den eine Einstellung haben darf; 0 = jeder.</translation>
    </message>
    <message>
        <source>Longest p90 latency that a setting may have; 0 = any.</source>
        <translation>Längste p90-Latenz, die eine Einstellung haben darf; 0 = jede.</translation>
    </message>
    <message>
        <source>Lower {parameter} to {value}</source>
        <translation>{parameter} auf {value} senken</translation>
    </message>
    <message>
        <source>Many threads cost 1.1 to 1.7 times the time: 32 against as many as cores, Accumulo</source>
        <translation>Viele Threads kosten das 1,1- bis 1,7-Fache der Zeit: 32 gegen so viele wie Kerne, Accumulo</translation>
    </message>
    <message>
        <source>Many threads cost 1.1 to 1.7 times the time: 32 against as many as cores, Cassandra</source>
        <translation>Viele Threads kosten das 1,1- bis 1,7-Fache der Zeit: 32 gegen so viele wie Kerne, Cassandra</translation>
    </message>
    <message>
        <source>Many threads cost 1.1 to 1.7 times the time: 32 against as many as cores, File</source>
        <translation>Viele Threads kosten das 1,1- bis 1,7-Fache der Zeit: 32 gegen so viele wie Kerne, Datei</translation>
    </message>
    <message>
        <source>Many threads cost 1.1 to 1.7 times the time: 32 against as many as cores, Hadoop</source>
        <translation>Viele Threads kosten das 1,1- bis 1,7-Fache der Zeit: 32 gegen so viele wie Kerne, Hadoop</translation>
    </message>
    <message>
        <source>Many threads cost 1.1 to 1.7 times the time: 32 against as many as cores, S3</source>
        <translation>Viele Threads kosten das 1,1- bis 1,7-Fache der Zeit: 32 gegen so viele wie Kerne, S3</translation>
    </message>
    <message>
        <source>Measure again, for longer: the figure is a mean of two.</source>
        <translation>Noch einmal und länger messen: Die Zahl ist das Mittel aus zweien.</translation>
    </message>
    <message>
        <source>Measure for longer: does it stop? If not, it is a leak.</source>
        <translation>Länger messen: Hört es auf? Wenn nicht, ist es ein Leck.</translation>
    </message>
    <message>
        <source>Measure longer ({time})</source>
        <translation>Länger messen ({time})</translation>
    </message>
    <message>
        <source>Measure until sure (about {time})</source>
        <translation>Messen, bis es sicher ist (etwa {time})</translation>
    </message>
    <message>
        <source>Measure when quiet</source>
        <translation>Messen, wenn es ruhig ist</translation>
    </message>
    <message>
        <source>Measure why (about {time})</source>
        <translation>Messen, warum (etwa {time})</translation>
    </message>
    <message>
        <source>Measured in one piece, because {reason}: {which}.</source>
        <translation>An einem Stück gemessen, denn {reason}: {which}.</translation>
    </message>
    <message>
        <source>Measures by itself as soon as other programs take next to nothing of the cores. How long it waits at most is in the preferences.</source>
        <translation>Misst von selbst, sobald andere Programme kaum noch Kerne belegen. Wie lange höchstens gewartet wird, steht in den Einstellungen.</translation>
    </message>
    <message>
        <source>Measures one thread, and processes instead of threads, beside it.</source>
        <translation>Misst daneben einen Thread, und Prozesse statt Threads.</translation>
    </message>
    <message>
        <source>Measures the same once more, as a new run of this session.</source>
        <translation>Misst dasselbe noch einmal, als neuen Lauf dieser Sitzung.</translation>
    </message>
    <message>
        <source>Memory grows by {size} a second; the machine&apos;s {limit} are reached in {time}.</source>
        <translation>Der Speicher wächst um {size} je Sekunde; die {limit} des Rechners sind nach {time} erreicht.</translation>
    </message>
    <message>
        <source>More threads than cores are slower: twice as many against as many, Accumulo</source>
        <translation>Mehr Threads als Kerne sind langsamer: doppelt so viele gegen so viele, Accumulo</translation>
    </message>
    <message>
        <source>More threads than cores are slower: twice as many against as many, Cassandra</source>
        <translation>Mehr Threads als Kerne sind langsamer: doppelt so viele gegen so viele, Cassandra</translation>
    </message>
    <message>
        <source>More threads than cores are slower: twice as many against as many, File</source>
        <translation>Mehr Threads als Kerne sind langsamer: doppelt so viele gegen so viele, Datei</translation>
    </message>
    <message>
        <source>More threads than cores are slower: twice as many against as many, Hadoop</source>
        <translation>Mehr Threads als Kerne sind langsamer: doppelt so viele gegen so viele, Hadoop</translation>
    </message>
    <message>
        <source>More threads than cores are slower: twice as many against as many, S3</source>
        <translation>Mehr Threads als Kerne sind langsamer: doppelt so viele gegen so viele, S3</translation>
    </message>
    <message>
        <source>Most CPU time that an operation may take; 0 = any.</source>
        <translation>Höchste CPU-Zeit, die ein Vorgang brauchen darf; 0 = jede.</translation>
    </message>
    <message>
        <source>Most bytes of cells that are converted.</source>
        <translation>Wie viele Bytes an Zellen höchstens umgewandelt werden.</translation>
    </message>
    <message>
        <source>Most p90</source>
        <translation>p90 bis</translation>
    </message>
    <message>
        <source>Never measured: {settings}.</source>
        <translation>Nie gemessen: {settings}.</translation>
    </message>
    <message>
        <source>No number of threads was usable.</source>
        <translation>Keine Zahl von Threads war brauchbar.</translation>
    </message>
    <message>
        <source>No operation ended for {gap} at {at}.</source>
        <translation>Bei {at} endete {gap} lang keine Operation.</translation>
    </message>
    <message>
        <source>No operation ended for {gap} at {at}; whoever asks at a steady rate sees a p99 of at least {p99}.</source>
        <translation>Bei {at} endete {gap} lang keine Operation; wer in stetem Takt anfragt, sieht ein p99 von mindestens {p99}.</translation>
    </message>
    <message>
        <source>No other program took much of the time that the trials wanted.</source>
        <translation>Kein anderes Programm nahm viel von der Zeit, die die Versuche wollten.</translation>
    </message>
    <message>
        <source>None of the {total} published claims can be told yet.</source>
        <translation>Von den {total} veröffentlichten Behauptungen ist noch keine zu entscheiden.</translation>
    </message>
    <message>
        <source>Now {figures} {baseline}; {others}.</source>
        <translation>Jetzt {figures} {baseline}; {others}.</translation>
    </message>
    <message>
        <source>Open files grow by {count} a second.</source>
        <translation>Je Sekunde bleiben {count} Dateien mehr offen.</translation>
    </message>
    <message>
        <source>Open files grow by {count} a second; the limit of {limit} is reached in {time}.</source>
        <translation>Je Sekunde bleiben {count} Dateien mehr offen; die Grenze von {limit} ist nach {time} erreicht.</translation>
    </message>
    <message>
        <source>Open the report</source>
        <translation>Den Bericht öffnen</translation>
    </message>
    <message>
        <source>Operations returned other data than the dataset holds.</source>
        <translation>Operationen lieferten andere Daten, als der Datensatz hat.</translation>
    </message>
    <message>
        <source>Other programs take {share} of the cores: wait until quiet, or measure anyway.</source>
        <translation>Andere Programme nehmen {share} der Kerne: warten, bis es ruhig ist, oder trotzdem messen.</translation>
    </message>
    <message>
        <source>Overview that is read: 0 for the full resolution, 1 for the largest.</source>
        <translation>Übersicht, die gelesen wird: 0 für die volle Auflösung, 1 für die größte.</translation>
    </message>
    <message>
        <source>Parts of the data may have come from the page cache.</source>
        <translation>Teile der Daten können aus dem Seitencache gekommen sein.</translation>
    </message>
    <message>
        <source>Path of the array in the group or file; empty = the largest.</source>
        <translation>Pfad des Arrays in der Gruppe oder Datei; leer = das größte.</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Spitzenspeicher</translation>
    </message>
    <message>
        <source>Refusals per operation</source>
        <translation>Abgelehnte Anfragen je Operation</translation>
    </message>
    <message>
        <source>Repeat it {count} times (about {time})</source>
        <translation>{count}-mal wiederholen (etwa {time})</translation>
    </message>
    <message>
        <source>Request rate</source>
        <translation>Anfragerate</translation>
    </message>
    <message>
        <source>Requests a second above which a proxy answers 503 SlowDown; 0 = no limit.</source>
        <translation>Anfragen je Sekunde, über denen ein Proxy mit 503 SlowDown antwortet; 0 = keine Grenze.</translation>
    </message>
    <message>
        <source>Requests for all tiles at once are no faster than merged ones</source>
        <translation>Anfragen für alle Kacheln zugleich sind nicht schneller als zusammengefasste</translation>
    </message>
    <message>
        <source>Requests for all tiles at once are no faster than merged ones: near by</source>
        <translation>Anfragen für alle Kacheln zugleich sind nicht schneller als zusammengefasste: in der Nähe</translation>
    </message>
    <message>
        <source>Requests per operation</source>
        <translation>Anfragen je Vorgang</translation>
    </message>
    <message>
        <source>Requests that the client sent to a server, repeated ones too, for each operation.</source>
        <translation>Anfragen je Operation</translation>
    </message>
    <message>
        <source>Retries per operation</source>
        <translation>Wiederholungen je Vorgang</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>Anfragen des Clients an einen Server, auch wiederholte, je Operation.</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Runs what is installed of zstd, pigz, xz, sort, gzip, bgzip, samtools, s5cmd, fio and cp on a generated file, with one thread up to twice as many as there are cores, and tells the best number for each. gzip and cp have no threads: they are points of reference.</source>
        <translation>Führt aus, was von zstd, pigz, xz, sort, gzip, bgzip, samtools, s5cmd, fio und cp installiert ist, auf einer erzeugten Datei, mit einem Thread bis zu doppelt so vielen, wie es Kerne gibt, und nennt für jedes die beste Zahl. gzip und cp haben keine Threads: sie dienen dem Vergleich.</translation>
    </message>
    <message>
        <source>S3 looks like File, as many threads as cores</source>
        <translation>S3 verhält sich wie Dateien, so viele Threads wie Kerne</translation>
    </message>
    <message>
        <source>Shape of chunks, such as 1x256x256, into which a part of it is converted first; empty = as it is.</source>
        <translation>Form von Chunks, etwa 1x256x256, in die zuerst ein Teil davon umgewandelt wird; leer = wie es ist.</translation>
    </message>
    <message>
        <source>Shape of shards, whole numbers of chunks, into which a part of it is converted first; empty = none.</source>
        <translation>Form von Shards, ganze Zahlen von Chunks, in die zuerst ein Teil davon umgewandelt wird; leer = keine.</translation>
    </message>
    <message>
        <source>Show why</source>
        <translation>Zeigen, warum</translation>
    </message>
    <message>
        <source>Stands in the command as {name}.</source>
        <translation>Steht im Befehl als {name}.</translation>
    </message>
    <message>
        <source>Ten tools on this machine: how many threads does each want?</source>
        <translation>Zehn Werkzeuge auf diesem Rechner: Wie viele Threads will jedes?</translation>
    </message>
    <message>
        <source>The hypervisor took {low} to {high} of the time of trials from this machine; all rates are per second on the wall, as other programs report them.</source>
        <translation>Der Hypervisor nahm diesem Rechner {low} bis {high} der Zeit von Versuchen; alle Raten gelten je Sekunde der Wanduhr, wie sie andere Programme nennen.</translation>
    </message>
    <message>
        <source>The machine was busy before the first trial: load {load:.1f}, cores {cores}.</source>
        <translation>Der Rechner war schon vor dem ersten Versuch beschäftigt: Last {load:.1f}, Kerne {cores}.</translation>
    </message>
    <message>
        <source>The other end, such as s3://bucket/prefix?endpoint=http://host:port or synapse://synapse.org/syn123; empty = a folder in the cache, for copies only.</source>
        <translation>Das andere Ende, etwa s3://bucket/prefix?endpoint=http://host:port oder synapse://synapse.org/syn123; leer = ein Ordner im Cache, nur für Kopien.</translation>
    </message>
    <message>
        <source>The program s5cmd, in a process of its own; it tells of files only when they are done.</source>
        <translation>Das Programm s5cmd in einem eigenen Prozess; es meldet Dateien erst, wenn sie fertig sind.</translation>
    </message>
    <message>
        <source>The start of turns, as with cold caches, changed the throughput by up to {most} in {which}; the aim is at most {allowed}.</source>
        <translation>Der Anfang der Runden, etwa mit kalten Caches, änderte den Durchsatz um bis zu {most} in {which}; angestrebt ist höchstens {allowed}.</translation>
    </message>
    <message>
        <source>The sweet spot is about 50 threads: 100 gain nothing, few small files</source>
        <translation>Am besten sind etwa 50 Threads: 100 gewinnen nichts, wenige kleine Dateien</translation>
    </message>
    <message>
        <source>The sweet spot is about 50 threads: 100 gain nothing, many small files</source>
        <translation>Am besten sind etwa 50 Threads: 100 gewinnen nichts, viele kleine Dateien</translation>
    </message>
    <message>
        <source>The sweet spot is about 50 threads: 50 against 25, many small files</source>
        <translation>Am besten sind etwa 50 Threads: 50 gegen 25, viele kleine Dateien</translation>
    </message>
    <message>
        <source>The time of {time} is over. {untried}Next would have come: {reason}</source>
        <translation>Die Zeit von {time} ist um. {untried}Als Nächstes wäre gekommen: {reason}</translation>
    </message>
    <message>
        <source>The whole session as a page: plots, tables, caveats.</source>
        <translation>Die ganze Sitzung als Seite: Diagramme, Tabellen, Vorbehalte.</translation>
    </message>
    <message>
        <source>Then no process needs more files open than it may have.</source>
        <translation>Dann braucht kein Prozess mehr offene Dateien, als er haben darf.</translation>
    </message>
    <message>
        <source>There is only one setting, which is measured once.</source>
        <translation>Es gibt nur eine Einstellung, die einmal gemessen wird.</translation>
    </message>
    <message>
        <source>There is only one setting, which is measured {count} times at most.</source>
        <translation>Es gibt nur eine Einstellung, die höchstens {count}-mal gemessen wird.</translation>
    </message>
    <message>
        <source>Threads that wait for each other do other things beside other programs than alone, so that nothing can be computed.</source>
        <translation>Threads, die aufeinander warten, verhalten sich neben anderen Programmen anders als allein; darum lässt sich nichts berechnen.</translation>
    </message>
    <message>
        <source>Threads to use here: {programs}.</source>
        <translation>Threads, die hier zu verwenden sind: {programs}.</translation>
    </message>
    <message>
        <source>Time on the wall for each operation, such as a run of a program; where several run at once, less than one of them takes.</source>
        <translation>Zeit auf der Wanduhr je Vorgang, wie dem Lauf eines Programms; wo mehrere zugleich laufen, weniger, als einer davon braucht.</translation>
    </message>
    <message>
        <source>To be sure would take about {time}.</source>
        <translation>Sicher zu sein, würde etwa {time} dauern.</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Trees of 25, 775 and 10 files are sent into an empty project, with five annotations each, by synapseutils.syncToSynapse and by os.walk and store. Making the manifest is no part of the time. Every file is fetched back, or its MD5 asked for, and compared. For the servers: python -m core lab start s3 synapse.</source>
        <translation>Bäume von 25, 775 und 10 Dateien werden mit je fünf Annotationen in ein leeres Projekt gesendet, mit synapseutils.syncToSynapse und mit os.walk und store. Das Anlegen des Manifests gehört nicht zur Zeit. Jede Datei wird zurückgeholt oder ihre MD5 erfragt und verglichen. Für die Server: python -m core lab start s3 synapse.</translation>
    </message>
    <message>
        <source>Trees of 25, 775 and 10 files, and with --full of ten files of 10,000 MiB, are fetched into an empty folder by synapseutils.syncFromSynapse, by getChildren and get, and by aws s3 sync with its own ten threads. The MD5 of every file is compared. For the servers: python -m core lab start s3 synapse.</source>
        <translation>Bäume von 25, 775 und 10 Dateien, mit --full auch von zehn Dateien zu 10.000 MiB, werden in einen leeren Ordner geholt, mit synapseutils.syncFromSynapse, mit getChildren und get und mit aws s3 sync mit seinen zehn Threads. Die MD5 jeder Datei wird verglichen. Für die Server: python -m core lab start s3 synapse.</translation>
    </message>
    <message>
        <source>Trees of 25, 775 and 10 files, and with --full of ten files of 10,000 MiB, are sent into an empty project or prefix without annotations: by synapseutils.syncToSynapse and by os.walk and store, with as many threads as cores and four more, and by aws s3 sync with its own ten. For the servers: python -m core lab start s3 synapse.</source>
        <translation>Bäume von 25, 775 und 10 Dateien, mit --full auch von zehn Dateien zu 10.000 MiB, werden ohne Annotationen in ein leeres Projekt oder Präfix gesendet: mit synapseutils.syncToSynapse und mit os.walk und store auf vier Threads mehr, als es Kerne gibt, und mit aws s3 sync mit seinen zehn. Für die Server: python -m core lab start s3 synapse.</translation>
    </message>
    <message>
        <source>Try processes instead of threads</source>
        <translation>Prozesse statt Threads versuchen</translation>
    </message>
    <message>
        <source>Turns beside other programs are left out.</source>
        <translation>Runden neben anderen Programmen zählen nicht mit.</translation>
    </message>
    <message>
        <source>Use these settings</source>
        <translation>Diese Einstellungen verwenden</translation>
    </message>
    <message>
        <source>Values of own placeholders, such as level=3 memory={32/threads}M; as an axis, level=1..9.</source>
        <translation>Werte eigener Platzhalter, etwa level=3 memory={32/threads}M; als Achse level=1..9.</translation>
    </message>
    <message>
        <source>Version by</source>
        <translation>Version durch</translation>
    </message>
    <message>
        <source>What is read as it is, such as https://host/file.ending or s3://bucket/key.ending?endpoint=URL, or the folder or prefix for a copy of the dataset.</source>
        <translation>Was gelesen wird, wie es ist, etwa https://host/datei.endung oder s3://bucket/schlüssel.endung?endpoint=URL, oder der Ordner oder das Präfix für eine Kopie der Daten.</translation>
    </message>
    <message>
        <source>What limits the throughput, and the evidence.</source>
        <translation>Was den Durchsatz begrenzt, und die Belege.</translation>
    </message>
    <message>
        <source>What others took leaves too much open.</source>
        <translation>Was andere nahmen, lässt zu viel offen.</translation>
    </message>
    <message>
        <source>What was measured once says nothing about how much trials differ.</source>
        <translation>Was einmal gemessen wurde, sagt nichts darüber, wie sehr Versuche sich unterscheiden.</translation>
    </message>
    <message>
        <source>Where the data is read from.</source>
        <translation>Woher die Daten gelesen werden.</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>Wohin die Zeit geht</translation>
    </message>
    <message>
        <source>Whether this run&apos;s answer is faster than that of the run before it.</source>
        <translation>Ob die Antwort dieses Laufs schneller ist als die des vorigen.</translation>
    </message>
    <message>
        <source>With 1 thread</source>
        <translation>Mit 1 Thread</translation>
    </message>
    <message>
        <source>With the default threads, one file after the other takes about as long as sync: many small files</source>
        <translation>Mit den voreingestellten Threads dauert eine Datei nach der anderen etwa so lange wie sync: viele kleine Dateien</translation>
    </message>
    <message>
        <source>With {count} threads</source>
        <translation>Mit {count} Threads</translation>
    </message>
    <message>
        <source>Writers with fewer threads than cores are slower: as many against half as many, Accumulo</source>
        <translation>Schreiber mit weniger Threads als Kernen sind langsamer: so viele gegen halb so viele, Accumulo</translation>
    </message>
    <message>
        <source>Writers with fewer threads than cores are slower: as many against half as many, Cassandra</source>
        <translation>Schreiber mit weniger Threads als Kernen sind langsamer: so viele gegen halb so viele, Cassandra</translation>
    </message>
    <message>
        <source>Writers with fewer threads than cores are slower: as many against half as many, File</source>
        <translation>Schreiber mit weniger Threads als Kernen sind langsamer: so viele gegen halb so viele, Datei</translation>
    </message>
    <message>
        <source>Writers with fewer threads than cores are slower: as many against half as many, S3</source>
        <translation>Schreiber mit weniger Threads als Kernen sind langsamer: so viele gegen halb so viele, S3</translation>
    </message>
    <message>
        <source>Writers with more threads than cores gain nothing: twice as many against as many, Accumulo</source>
        <translation>Schreiber mit mehr Threads als Kernen gewinnen nichts: doppelt so viele gegen so viele, Accumulo</translation>
    </message>
    <message>
        <source>Writers with more threads than cores gain nothing: twice as many against as many, Cassandra</source>
        <translation>Schreiber mit mehr Threads als Kernen gewinnen nichts: doppelt so viele gegen so viele, Cassandra</translation>
    </message>
    <message>
        <source>Writers with more threads than cores gain nothing: twice as many against as many, File</source>
        <translation>Schreiber mit mehr Threads als Kernen gewinnen nichts: doppelt so viele gegen so viele, Datei</translation>
    </message>
    <message>
        <source>Writers with more threads than cores gain nothing: twice as many against as many, S3</source>
        <translation>Schreiber mit mehr Threads als Kernen gewinnen nichts: doppelt so viele gegen so viele, S3</translation>
    </message>
    <message>
        <source>a comma separates values, and {value} looks like one</source>
        <translation>Ein Komma trennt Werte, und {value} sieht wie einer aus</translation>
    </message>
    <message>
        <source>a faster link or server will help</source>
        <translation>Eine schnellere Verbindung oder ein schnellerer Server hilft</translation>
    </message>
    <message>
        <source>a file may have at most {size} here: raise `ulimit -f`</source>
        <translation>Eine Datei darf hier höchstens {size} haben: `ulimit -f` erhöhen</translation>
    </message>
    <message>
        <source>a line has a name, or a name, a start and an end in whole numbers</source>
        <translation>Eine Zeile hat einen Namen, oder einen Namen, Anfang und Ende in ganzen Zahlen</translation>
    </message>
    <message>
        <source>a process may have at most {size} of address space here: raise `ulimit -v`</source>
        <translation>Ein Prozess darf hier höchstens {size} Adressraum haben: `ulimit -v` erhöhen</translation>
    </message>
    <message>
        <source>a quote is not closed</source>
        <translation>ein Anführungszeichen ist nicht geschlossen</translation>
    </message>
    <message>
        <source>a step needs --parameter-scan</source>
        <translation>eine Schrittweite braucht --parameter-scan</translation>
    </message>
    <message>
        <source>about {count} trials of each would tell, in {time} more</source>
        <translation>etwa {count} Versuche von jedem würden es zeigen, in weiteren {time}</translation>
    </message>
    <message>
        <source>all trials allowed are spent.</source>
        <translation>alle erlaubten Versuche sind verbraucht.</translation>
    </message>
    <message>
        <source>annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>another client, or several processes of this one, will help</source>
        <translation>Ein anderer Client oder mehrere Prozesse von diesem helfen</translation>
    </message>
    <message>
        <source>as {program} shows it</source>
        <translation>wie {program} es zeigt</translation>
    </message>
    <message>
        <source>asleep seconds</source>
        <translation>Schlafsekunden</translation>
    </message>
    <message>
        <source>asleep seconds per operation</source>
        <translation>Schlafsekunden je Operation</translation>
    </message>
    <message>
        <source>auditing</source>
        <translation>wird geprüft</translation>
    </message>
    <message>
        <source>backoff seconds</source>
        <translation>Sekunden Rückzug</translation>
    </message>
    <message>
        <source>backoff seconds per operation</source>
        <translation>Sekunden Rückzug je Vorgang</translation>
    </message>
    <message>
        <source>below</source>
        <translation>unterhalb</translation>
    </message>
    <message>
        <source>bring it back</source>
        <translation>ihn zurückholen</translation>
    </message>
    <message>
        <source>by CPU time {figures} for each operation; by the clock it cannot be told</source>
        <translation>nach CPU-Zeit {figures} je Operation; nach der Uhr lässt es sich nicht sagen</translation>
    </message>
    <message>
        <source>byte {at:,} is the first that differs ({here:,} B, there {size:,} B)</source>
        <translation>Byte {at:,} ist das erste, das anders ist ({here:,} B, dort {size:,} B)</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>bytes written</source>
        <translation>geschriebene Bytes</translation>
    </message>
    <message>
        <source>check access_key and secret_key, if it wants keys, and what may be read there</source>
        <translation>access_key und secret_key prüfen, falls er Schlüssel verlangt, und was dort gelesen werden darf</translation>
    </message>
    <message>
        <source>check the address and the token</source>
        <translation>Adresse und Token prüfen</translation>
    </message>
    <message>
        <source>check the address, and that a server listens there</source>
        <translation>die Adresse prüfen, und dass dort ein Server lauscht</translation>
    </message>
    <message>
        <source>check the id in the address</source>
        <translation>die Kennung in der Adresse prüfen</translation>
    </message>
    <message>
        <source>check the token</source>
        <translation>das Token prüfen</translation>
    </message>
    <message>
        <source>check what the token may do with this project: view, modify and download</source>
        <translation>prüfen, was das Token mit diesem Projekt darf: ansehen, ändern und herunterladen</translation>
    </message>
    <message>
        <source>choose pyfaidx, or pack it again: gzip -dc {name} | bgzip &gt; {stem}.bgz</source>
        <translation>pyfaidx wählen oder neu packen: gzip -dc {name} | bgzip &gt; {stem}.bgz</translation>
    </message>
    <message>
        <source>claims reproduced</source>
        <translation>Aussagen bestätigt</translation>
    </message>
    <message>
        <source>close every quote</source>
        <translation>jedes Anführungszeichen schließen</translation>
    </message>
    <message>
        <source>closing</source>
        <translation>Abschluss</translation>
    </message>
    <message>
        <source>cold, not proven</source>
        <translation>kalt, nicht bewiesen</translation>
    </message>
    <message>
        <source>cold, proven</source>
        <translation>kalt, bewiesen</translation>
    </message>
    <message>
        <source>copying the data to its server</source>
        <translation>kopiere die Daten auf ihren Server</translation>
    </message>
    <message>
        <source>correct the address, let the parameter protocol be auto, or use a server of another version: driver and server have no version in common</source>
        <translation>die Adresse berichtigen, den Parameter protocol auf auto lassen oder einen Server anderer Version nehmen: Treiber und Server haben keine Version gemeinsam</translation>
    </message>
    <message>
        <source>cut after {here:,} of {size:,} B</source>
        <translation>abgeschnitten nach {here:,} von {size:,} B</translation>
    </message>
    <message>
        <source>cut off, since the client gave up after another file had failed</source>
        <translation>abgebrochen, weil der Client aufgab, nachdem eine andere Datei gescheitert war</translation>
    </message>
    <message>
        <source>damaged or cut ({damage}): {where}</source>
        <translation>beschädigt oder abgeschnitten ({damage}): {where}</translation>
    </message>
    <message>
        <source>decompressed</source>
        <translation>entpackt</translation>
    </message>
    <message>
        <source>done without a byte: service or client had them already</source>
        <translation>fertig ohne ein Byte: Dienst oder Client hatten sie schon</translation>
    </message>
    <message>
        <source>exit code only</source>
        <translation>nur der Exit-Code</translation>
    </message>
    <message>
        <source>expect</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>fewer and larger operations, or another client, will help</source>
        <translation>Weniger und größere Operationen oder ein anderer Client helfen</translation>
    </message>
    <message>
        <source>find out what the server waited for then, and measure again</source>
        <translation>Herausfinden, worauf der Server da gewartet hat, und erneut messen</translation>
    </message>
    <message>
        <source>first at {item}</source>
        <translation>zuerst bei {item}</translation>
    </message>
    <message>
        <source>from {low} to {high} by {step} are {count:,} values</source>
        <translation>von {low} bis {high} in Schritten von {step} sind {count:,} Werte</translation>
    </message>
    <message>
        <source>generate the layer again, or adopt it again</source>
        <translation>die Ebene neu erzeugen oder neu übernehmen</translation>
    </message>
    <message>
        <source>generate the tree again</source>
        <translation>den Baum neu erzeugen</translation>
    </message>
    <message>
        <source>give a number from {least} to {most:,}</source>
        <translation>eine Zahl von {least} bis {most:,} angeben</translation>
    </message>
    <message>
        <source>give at most {most:,}, the least first</source>
        <translation>höchstens {most:,} angeben, den kleinsten zuerst</translation>
    </message>
    <message>
        <source>give env:NAME for each variable, never the secret itself</source>
        <translation>env:NAME für jede Variable angeben, nie das Geheimnis selbst</translation>
    </message>
    <message>
        <source>give https://host/folder/file, without credentials</source>
        <translation>gib https://host/ordner/datei an, ohne Zugangsdaten</translation>
    </message>
    <message>
        <source>give it longer with --idle</source>
        <translation>ihm mit --idle mehr Zeit geben</translation>
    </message>
    <message>
        <source>give it longer with --timeout</source>
        <translation>ihm mit --timeout mehr Zeit geben</translation>
    </message>
    <message>
        <source>give its path from the root of the tree</source>
        <translation>den Pfad von der Wurzel des Baums angeben</translation>
    </message>
    <message>
        <source>give numbers such as 32, and write units behind the braces: {example}</source>
        <translation>Zahlen wie 32 angeben, und Einheiten hinter die Klammern schreiben: {example}</translation>
    </message>
    <message>
        <source>give one of {values}</source>
        <translation>eines von {values} angeben</translation>
    </message>
    <message>
        <source>give shares of 1 or less in all: {names}</source>
        <translation>Anteile von zusammen höchstens 1 angeben: {names}</translation>
    </message>
    <message>
        <source>give synapse://synapse.org/syn123, or what lab start synapse prints</source>
        <translation>synapse://synapse.org/syn123 angeben oder was lab start synapse ausgibt</translation>
    </message>
    <message>
        <source>give the store and the address where it is, or adopt it again</source>
        <translation>die Ablage und die Adresse angeben, wo sie liegt, oder sie neu übernehmen</translation>
    </message>
    <message>
        <source>give values of letters and digits, such as {example}</source>
        <translation>Werte aus Buchstaben und Ziffern angeben, etwa {example}</translation>
    </message>
    <message>
        <source>give {name}=VALUE, write {example}, or double its braces if it is no placeholder</source>
        <translation>{name}=WERT angeben, {example} schreiben oder die Klammern verdoppeln, wenn es kein Platzhalter ist</translation>
    </message>
    <message>
        <source>give {program} more threads or a faster setting: the others have time</source>
        <translation>{program} mehr Threads oder eine schnellere Einstellung geben: die anderen haben Zeit</translation>
    </message>
    <message>
        <source>has a damaged read, number {number}: {why}</source>
        <translation>hat einen beschädigten Read, Nummer {number}: {why}</translation>
    </message>
    <message>
        <source>has a read with a number that is out of range</source>
        <translation>hat einen Read mit einer Zahl außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>has other content</source>
        <translation>hat anderen Inhalt</translation>
    </message>
    <message>
        <source>have --prepare put it back, or give each run a copy in {out}</source>
        <translation>--prepare sie zurücksetzen lassen, oder jedem Lauf eine Kopie in {out} geben</translation>
    </message>
    <message>
        <source>have each run work on a copy of its own: --prepare {prepare} and {copy} in --run, or have --prepare put the data back</source>
        <translation>Jeden Lauf auf einer eigenen Kopie arbeiten lassen: --prepare {prepare} und {copy} in --run, oder --prepare die Daten zurücksetzen lassen</translation>
    </message>
    <message>
        <source>have it stay in the foreground: Sluice does not measure what goes on after its end</source>
        <translation>es im Vordergrund bleiben lassen: Was nach seinem Ende weitergeht, wird nicht gemessen</translation>
    </message>
    <message>
        <source>have it take less, or measure with fewer threads</source>
        <translation>Es weniger brauchen lassen, oder mit weniger Threads messen</translation>
    </message>
    <message>
        <source>have it write its files into {out}, or give --same stdout or --same none</source>
        <translation>Es seine Dateien nach {out} schreiben lassen, oder --same stdout oder --same none angeben</translation>
    </message>
    <message>
        <source>hdfs-native sleeps 0.5 s where HDFS needs some ms more to complete a file; threads gain by sleeping side by side, and the counter asleep seconds has how long that was</source>
        <translation>hdfs-native schläft 0,5 s, wo HDFS einige ms mehr braucht, um eine Datei abzuschließen; Threads gewinnen, indem sie nebeneinander schlafen, und der Zähler Schlafsekunden sagt, wie lange</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Stillstand</translation>
    </message>
    <message>
        <source>if the files have changed, name the folder again; a generated tree is to be made anew</source>
        <translation>haben sich die Dateien geändert, den Ordner erneut angeben; ein erzeugter Baum ist neu zu erzeugen</translation>
    </message>
    <message>
        <source>install it</source>
        <translation>installieren Sie es</translation>
    </message>
    <message>
        <source>install it, or give its path; among several commands one with a comma needs quotes: run=&quot;cut -f1,2 x&quot;,cat x</source>
        <translation>es installieren oder seinen Pfad angeben; unter mehreren Befehlen braucht einer mit einem Komma Anführungszeichen: run=&quot;cut -f1,2 x&quot;,cat x</translation>
    </message>
    <message>
        <source>is not there</source>
        <translation>ist nicht da</translation>
    </message>
    <message>
        <source>it did not arrive</source>
        <translation>sie kam nicht an</translation>
    </message>
    <message>
        <source>it does not answer</source>
        <translation>er antwortet nicht</translation>
    </message>
    <message>
        <source>it does not end where its list ends</source>
        <translation>es endet nicht, wo seine Liste endet</translation>
    </message>
    <message>
        <source>it ends before its end</source>
        <translation>es endet vor seinem Ende</translation>
    </message>
    <message>
        <source>it failed, in a line that its name has broken</source>
        <translation>sie scheiterte, in einer Zeile, die ihr Name umgebrochen hat</translation>
    </message>
    <message>
        <source>it has no command</source>
        <translation>sie hat keinen Befehl</translation>
    </message>
    <message>
        <source>it has no name</source>
        <translation>sie hat keinen Namen</translation>
    </message>
    <message>
        <source>it has no option {option}</source>
        <translation>hyperfine hat keine Option {option}</translation>
    </message>
    <message>
        <source>it has no threads: for comparison</source>
        <translation>es hat keine Threads: zum Vergleich</translation>
    </message>
    <message>
        <source>it has so many files that only a part was looked at for changes after it</source>
        <translation>Es sind so viele Dateien, dass danach nur ein Teil auf Änderungen angesehen wurde</translation>
    </message>
    <message>
        <source>it needs {count} trials that all went well to deny it</source>
        <translation>um es zu verneinen, braucht es {count} Versuche, die alle gelingen</translation>
    </message>
    <message>
        <source>it seems to be: {kind}; but {why}</source>
        <translation>sieht aus wie {kind}, aber {why}</translation>
    </message>
    <message>
        <source>its annotation {name} is not what was given</source>
        <translation>ihre Annotation {name} ist nicht die angegebene</translation>
    </message>
    <message>
        <source>its blocks are not in order</source>
        <translation>seine Blöcke sind nicht in ihrer Reihenfolge</translation>
    </message>
    <message>
        <source>its header differs</source>
        <translation>sein Kopf ist anders</translation>
    </message>
    <message>
        <source>its header is damaged</source>
        <translation>sein Kopf ist beschädigt</translation>
    </message>
    <message>
        <source>its header is too long</source>
        <translation>sein Kopf ist zu lang</translation>
    </message>
    <message>
        <source>its link leads elsewhere</source>
        <translation>sein Verweis führt anderswohin</translation>
    </message>
    <message>
        <source>its name leads out of the folder</source>
        <translation>ihr Name führt aus dem Ordner hinaus</translation>
    </message>
    <message>
        <source>its processes took {resident} of memory, and may take {limit}</source>
        <translation>seine Prozesse belegten {resident} Speicher und dürfen {limit} belegen</translation>
    </message>
    <message>
        <source>its tiles are looked for as {naming}</source>
        <translation>ihre Kacheln werden gesucht als {naming}</translation>
    </message>
    <message>
        <source>its {count:,} commands differ in more than one word</source>
        <translation>ihre {count:,} Befehle unterscheiden sich in mehr als einem Wort</translation>
    </message>
    <message>
        <source>join its values</source>
        <translation>die Werte zusammenfassen</translation>
    </message>
    <message>
        <source>join its values: threads=1,2,4</source>
        <translation>die Werte verbinden: threads=1,2,4</translation>
    </message>
    <message>
        <source>keep fewer open (fewer threads, a smaller cache) or raise `ulimit -n`</source>
        <translation>weniger offen halten (weniger Threads, kleinerer Cache) oder `ulimit -n` erhöhen</translation>
    </message>
    <message>
        <source>killed by the kernel while {stage}: the machine or its control group ran out of memory</source>
        <translation>vom Kernel beendet bei: {stage}. Der Rechner oder seine Kontrollgruppe hatte keinen Speicher mehr</translation>
    </message>
    <message>
        <source>known: {names}</source>
        <translation>bekannt: {names}</translation>
    </message>
    <message>
        <source>language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>layer {name} in the store {store} is not the one that was adopted: {tile} {difference}</source>
        <translation>die Ebene {name} in der Ablage {store} ist nicht die übernommene: {tile} {difference}</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>leave at most {most:,}</source>
        <translation>höchstens {most:,} lassen</translation>
    </message>
    <message>
        <source>leave cores at 0, which is all</source>
        <translation>Kerne bei 0 lassen, das sind alle</translation>
    </message>
    <message>
        <source>leave it out, or write the smaller number first</source>
        <translation>Weglassen, oder die kleinere Zahl zuerst schreiben</translation>
    </message>
    <message>
        <source>leave it out: a list has paths only</source>
        <translation>Weglassen: eine Liste hat nur Pfade</translation>
    </message>
    <message>
        <source>leave only the path in each line</source>
        <translation>In jeder Zeile nur den Pfad lassen</translation>
    </message>
    <message>
        <source>leave out the value 0, or write max(threads, 1)</source>
        <translation>den Wert 0 weglassen, oder max(threads, 1) schreiben</translation>
    </message>
    <message>
        <source>leave out {names}, or keep the files on disk</source>
        <translation>{names} weglassen oder die Dateien auf der Platte halten</translation>
    </message>
    <message>
        <source>leaves out a part of the work ({part})</source>
        <translation>lässt einen Teil der Arbeit aus ({part})</translation>
    </message>
    <message>
        <source>left out besides: 1 file</source>
        <translation>außerdem ausgelassen: 1 Datei</translation>
    </message>
    <message>
        <source>left out besides: {count:,} files</source>
        <translation>außerdem ausgelassen: {count:,} Dateien</translation>
    </message>
    <message>
        <source>left with exit code {code}</source>
        <translation>beendet mit Code {code}</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>limited</source>
        <translation>begrenzt</translation>
    </message>
    <message>
        <source>limited: {granted} of {cores} cores granted</source>
        <translation>begrenzt: {granted} von {cores} Kernen zugeteilt</translation>
    </message>
    <message>
        <source>lines that begin with {start}</source>
        <translation>Zeilen, die mit {start} beginnen</translation>
    </message>
    <message>
        <source>list one read id on each line</source>
        <translation>In jeder Zeile eine Read-ID angeben</translation>
    </message>
    <message>
        <source>listing the tiles</source>
        <translation>Kacheln werden aufgelistet</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>longest operation</source>
        <translation>längster Vorgang</translation>
    </message>
    <message>
        <source>look at what it would run, and agree to it</source>
        <translation>ansehen, was laufen würde, und zustimmen</translation>
    </message>
    <message>
        <source>look for an accent, an odd space or a tab in it</source>
        <translation>Nach einem Akzent, einem ungewöhnlichen Leerzeichen oder einem Tabulator darin suchen</translation>
    </message>
    <message>
        <source>looking at the page cache</source>
        <translation>Blick in den Seitencache</translation>
    </message>
    <message>
        <source>looking at what arrived</source>
        <translation>was ankam, wird angesehen</translation>
    </message>
    <message>
        <source>looking for a server</source>
        <translation>ein Server wird gesucht</translation>
    </message>
    <message>
        <source>looking through the sequences</source>
        <translation>Sequenzen durchsehen</translation>
    </message>
    <message>
        <source>lower in {metric}</source>
        <translation>niedriger in {metric}</translation>
    </message>
    <message>
        <source>machine busy</source>
        <translation>Rechner beschäftigt</translation>
    </message>
    <message>
        <source>machine quiet</source>
        <translation>Rechner ruhig</translation>
    </message>
    <message>
        <source>macmini, 8 threads: BLOW5 CXX against POD5 (mode not named, taken for io)</source>
        <translation>macmini, 8 Threads: BLOW5 CXX gegen POD5 (Art nicht genannt, als io genommen)</translation>
    </message>
    <message>
        <source>macmini: share of the disc in BLOW5 CXX</source>
        <translation>macmini: Anteil der Platte bei BLOW5 CXX</translation>
    </message>
    <message>
        <source>make a personal access token, and give where it is: env:NAME</source>
        <translation>ein persönliches Zugangstoken anlegen und angeben, wo es ist: env:NAME</translation>
    </message>
    <message>
        <source>make a project for this, and add its id: synapse://synapse.org/syn123</source>
        <translation>ein Projekt dafür anlegen und seine Kennung anhängen: synapse://synapse.org/syn123</translation>
    </message>
    <message>
        <source>mapped</source>
        <translation>abgebildet</translation>
    </message>
    <message>
        <source>max connections</source>
        <translation>Höchstzahl der Verbindungen</translation>
    </message>
    <message>
        <source>measure a copy that nobody writes to</source>
        <translation>Eine Kopie messen, in die niemand schreibt</translation>
    </message>
    <message>
        <source>measure again with this version</source>
        <translation>mit dieser Version noch einmal messen</translation>
    </message>
    <message>
        <source>measure on data that nobody writes</source>
        <translation>an Daten messen, die niemand schreibt</translation>
    </message>
    <message>
        <source>measure them one by one, and compare the runs</source>
        <translation>einzeln messen und die Läufe vergleichen</translation>
    </message>
    <message>
        <source>measure them one by one, then: {command}</source>
        <translation>einzeln messen, dann: {command}</translation>
    </message>
    <message>
        <source>measured apart, so the interval allows for a drift of {share} between sessions, a guess from these trials</source>
        <translation>getrennt gemessen, daher rechnet das Intervall mit einer Drift von {share} zwischen Sitzungen, geschätzt aus diesen Versuchen</translation>
    </message>
    <message>
        <source>measured apart, so the interval allows for a drift of {share} between sessions, as {count} earlier ones here had</source>
        <translation>getrennt gemessen, daher rechnet das Intervall mit einer Drift von {share} zwischen Sitzungen, wie {count} frühere sie hier hatten</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>measuring: round {number}</source>
        <translation>misst: Runde {number}</translation>
    </message>
    <message>
        <source>measuring: round {number} of {of}</source>
        <translation>misst: Runde {number} von {of}</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>minifridge, 8 threads: BLOW5 CXX against BLOW5 C</source>
        <translation>minifridge, 8 Threads: BLOW5 CXX gegen BLOW5 C</translation>
    </message>
    <message>
        <source>minifridge, 8 threads: POD5 io against BLOW5 C</source>
        <translation>minifridge, 8 Threads: POD5 io gegen BLOW5 C</translation>
    </message>
    <message>
        <source>minifridge, 8 threads: POD5 mmap against BLOW5 C</source>
        <translation>minifridge, 8 Threads: POD5 mmap gegen BLOW5 C</translation>
    </message>
    <message>
        <source>minifridge: share of the disc in BLOW5 CXX</source>
        <translation>minifridge: Anteil der Platte bei BLOW5 CXX</translation>
    </message>
    <message>
        <source>more cores will help</source>
        <translation>Mehr Kerne helfen</translation>
    </message>
    <message>
        <source>more requests would fail than there are</source>
        <translation>es würden mehr Anfragen scheitern, als es gibt</translation>
    </message>
    <message>
        <source>more than {threads} were not tried</source>
        <translation>mehr als {threads} wurden nicht versucht</translation>
    </message>
    <message>
        <source>more threads are slower</source>
        <translation>mehr Threads sind langsamer</translation>
    </message>
    <message>
        <source>more threads cannot be used</source>
        <translation>mehr Threads sind nicht möglich</translation>
    </message>
    <message>
        <source>more threads gain less than {share} %</source>
        <translation>mehr Threads gewinnen weniger als {share} %</translation>
    </message>
    <message>
        <source>more threads than 1 core</source>
        <translation>mehr Threads als 1 Kern</translation>
    </message>
    <message>
        <source>more threads than {count:g} cores</source>
        <translation>mehr Threads als {count:g} Kerne</translation>
    </message>
    <message>
        <source>most files</source>
        <translation>Dateien bis</translation>
    </message>
    <message>
        <source>most memory</source>
        <translation>Speicher bis</translation>
    </message>
    <message>
        <source>most p90</source>
        <translation>p90 bis</translation>
    </message>
    <message>
        <source>most p99</source>
        <translation>p99 bis</translation>
    </message>
    <message>
        <source>most refused</source>
        <translation>abgelehnt bis</translation>
    </message>
    <message>
        <source>most trials</source>
        <translation>höchstens Versuche</translation>
    </message>
    <message>
        <source>mount it: {command}</source>
        <translation>Einhängen: {command}</translation>
    </message>
    <message>
        <source>move it away, or name another project</source>
        <translation>ihn wegräumen oder ein anderes Projekt nennen</translation>
    </message>
    <message>
        <source>mutex</source>
        <translation>Sperre</translation>
    </message>
    <message>
        <source>name a .sluice file</source>
        <translation>eine .sluice-Datei nennen</translation>
    </message>
    <message>
        <source>name a FASTA file</source>
        <translation>eine FASTA-Datei nennen</translation>
    </message>
    <message>
        <source>name a GeoTIFF</source>
        <translation>Ein GeoTIFF angeben</translation>
    </message>
    <message>
        <source>name a file in it</source>
        <translation>eine Datei darin nennen</translation>
    </message>
    <message>
        <source>name a file with sequences</source>
        <translation>eine Datei mit Sequenzen nennen</translation>
    </message>
    <message>
        <source>name a folder that can be written to</source>
        <translation>einen Ordner nennen, in den geschrieben werden kann</translation>
    </message>
    <message>
        <source>name a folder that holds only what is to be sent</source>
        <translation>einen Ordner nennen, in dem nur liegt, was gesendet werden soll</translation>
    </message>
    <message>
        <source>name a folder with FASTA or BGZF files</source>
        <translation>einen Ordner mit FASTA- oder BGZF-Dateien nennen</translation>
    </message>
    <message>
        <source>name a folder with data</source>
        <translation>einen Ordner mit Daten nennen</translation>
    </message>
    <message>
        <source>name a program in it</source>
        <translation>ein Programm darin nennen</translation>
    </message>
    <message>
        <source>name another folder of it as below, or none</source>
        <translation>einen anderen Ordner darin als unterhalb nennen oder keinen</translation>
    </message>
    <message>
        <source>name another one, or generate the published trees: {command}</source>
        <translation>einen anderen nennen oder die veröffentlichten Bäume erzeugen: {command}</translation>
    </message>
    <message>
        <source>name each tile by its key, the number of its place on a Z-order curve</source>
        <translation>jede Kachel nach ihrem Schlüssel nennen, der Nummer ihres Platzes auf einer Z-Kurve</translation>
    </message>
    <message>
        <source>name it as the placeholder here; known: {names}</source>
        <translation>nennen Sie ihn wie den Platzhalter hier; bekannt: {names}</translation>
    </message>
    <message>
        <source>name one, such as {name}</source>
        <translation>einen nennen, etwa {name}</translation>
    </message>
    <message>
        <source>name that, or a folder without it</source>
        <translation>diesen angeben oder einen Ordner ohne ihn</translation>
    </message>
    <message>
        <source>name the layer in the store</source>
        <translation>die Ebene in der Ablage nennen</translation>
    </message>
    <message>
        <source>name the placeholder otherwise</source>
        <translation>nennen Sie den Platzhalter anders</translation>
    </message>
    <message>
        <source>name the sequence</source>
        <translation>der Sequenz einen Namen geben</translation>
    </message>
    <message>
        <source>name two settings, such as #threads=1 and #threads=4</source>
        <translation>zwei Einstellungen angeben, etwa #threads=1 und #threads=4</translation>
    </message>
    <message>
        <source>namespace</source>
        <translation>Namensraum</translation>
    </message>
    <message>
        <source>near</source>
        <translation>Nähe</translation>
    </message>
    <message>
        <source>need at</source>
        <translation>Need ab</translation>
    </message>
    <message>
        <source>need size</source>
        <translation>Need-Größe</translation>
    </message>
    <message>
        <source>needs at least three cells, all of them valid</source>
        <translation>braucht mindestens drei Zellen, alle gültig</translation>
    </message>
    <message>
        <source>needs at least two trials</source>
        <translation>braucht mindestens zwei Versuche</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no accession begins with {prefix!r}</source>
        <translation>keine Accession beginnt mit {prefix!r}</translation>
    </message>
    <message>
        <source>no accession in the namespace {name} begins with {prefix!r}</source>
        <translation>keine Accession im Namensraum {name} beginnt mit {prefix!r}</translation>
    </message>
    <message>
        <source>no accession is in the namespace {name!r}</source>
        <translation>keine Accession ist im Namensraum {name!r}</translation>
    </message>
    <message>
        <source>no column is called {name!r}</source>
        <translation>keine Spalte heißt {name!r}</translation>
    </message>
    <message>
        <source>no further process can be started</source>
        <translation>Es kann kein weiterer Prozess gestartet werden</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>no machine and no figures named</source>
        <translation>weder Rechner noch Zahlen genannt</translation>
    </message>
    <message>
        <source>no more threads or processes can be started, at most {limit:,} in this control group: use fewer, or give the container or job more (pids.max)</source>
        <translation>Es können keine weiteren Threads oder Prozesse gestartet werden, höchstens {limit:,} in dieser Kontrollgruppe: weniger verwenden, oder dem Container oder Job mehr geben (pids.max)</translation>
    </message>
    <message>
        <source>no more threads or processes can be started, at most {limit:,} of this user: use fewer, end others, or raise `ulimit -u`</source>
        <translation>Es können keine weiteren Threads oder Prozesse gestartet werden, höchstens {limit:,} dieses Benutzers: weniger verwenden, andere beenden oder `ulimit -u` erhöhen</translation>
    </message>
    <message>
        <source>no more threads or processes can be started: use fewer, or end others</source>
        <translation>Es können keine weiteren Threads oder Prozesse gestartet werden: weniger verwenden, oder andere beenden</translation>
    </message>
    <message>
        <source>no operation ended for {share} of the time</source>
        <translation>{share} der Zeit endete keine Operation</translation>
    </message>
    <message>
        <source>no program is named {program}</source>
        <translation>kein Programm heißt {program}</translation>
    </message>
    <message>
        <source>no read is named {name}</source>
        <translation>Kein Read heißt {name}</translation>
    </message>
    <message>
        <source>no real case where they are (#1295)</source>
        <translation>kein wirklicher Fall, in dem sie es sind (#1295)</translation>
    </message>
    <message>
        <source>no thread can be started: the kernel {release}, or the container, forbids the system call clone3; update the container&apos;s runtime or its seccomp profile</source>
        <translation>Es kann kein Thread gestartet werden: der Kernel {release} oder der Container verbietet den Systemaufruf clone3; die Laufzeit des Containers oder sein seccomp-Profil aktualisieren</translation>
    </message>
    <message>
        <source>no thread count ran without failing or breaking a limit.</source>
        <translation>keine Zahl von Threads lief, ohne zu scheitern oder eine Grenze zu brechen.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>normalise</source>
        <translation>Angleichen</translation>
    </message>
    <message>
        <source>not done within {limit:g} s while {stage}</source>
        <translation>nicht fertig binnen {limit:g} s bei: {stage}</translation>
    </message>
    <message>
        <source>not installed: {programs}</source>
        <translation>nicht installiert: {programs}</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>not reproduced</source>
        <translation>nicht bestätigt</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>nicht genannt</translation>
    </message>
    <message>
        <source>not transferred, since the client gave up after another file had failed</source>
        <translation>nicht übertragen, weil der Client aufgab, nachdem eine andere Datei gescheitert war</translation>
    </message>
    <message>
        <source>nothing done</source>
        <translation>nichts getan</translation>
    </message>
    <message>
        <source>nothing is lost</source>
        <translation>nichts ist verloren</translation>
    </message>
    <message>
        <source>nothing moved within {limit:g} s while {stage}</source>
        <translation>nichts regte sich binnen {limit:g} s bei: {stage}</translation>
    </message>
    <message>
        <source>nothing readable</source>
        <translation>nichts Lesbares</translation>
    </message>
    <message>
        <source>nothing says what {name} is</source>
        <translation>nichts sagt, was {name} ist</translation>
    </message>
    <message>
        <source>nothing was done</source>
        <translation>es wurde nichts getan</translation>
    </message>
    <message>
        <source>nothing was measured.</source>
        <translation>es wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>of raw</source>
        <translation>vom Rohen</translation>
    </message>
    <message>
        <source>of {count} threads {running} run at a time</source>
        <translation>von {count} Threads laufen {running} zugleich</translation>
    </message>
    <message>
        <source>one for each thread</source>
        <translation>einer je Thread</translation>
    </message>
    <message>
        <source>one of the two runs has no throughput</source>
        <translation>einer der beiden Läufe hat keinen Durchsatz</translation>
    </message>
    <message>
        <source>one program of a pipe</source>
        <translation>ein Programm einer Pipe</translation>
    </message>
    <message>
        <source>only writes can overwrite</source>
        <translation>nur Schreiben kann überschreiben</translation>
    </message>
    <message>
        <source>open files</source>
        <translation>offene Dateien</translation>
    </message>
    <message>
        <source>open it to read, or copy it to a folder of your own</source>
        <translation>zum Lesen öffnen oder in einen eigenen Ordner kopieren</translation>
    </message>
    <message>
        <source>open it with Session.open</source>
        <translation>mit Session.open öffnen</translation>
    </message>
    <message>
        <source>open it, or choose another name</source>
        <translation>sie öffnen oder einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>opening the store</source>
        <translation>die Ablage wird geöffnet</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>other bytes than in the catalogue</source>
        <translation>andere Bytes als im Katalog</translation>
    </message>
    <message>
        <source>other output than with threads={threads}: it differs</source>
        <translation>andere Ausgabe als mit threads={threads}: sie ist anders</translation>
    </message>
    <message>
        <source>over the limit on {name}</source>
        <translation>über der Grenze für {name}</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p90</source>
        <translation>p90</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>p99.9</source>
        <translation>p99,9</translation>
    </message>
    <message>
        <source>page cache</source>
        <translation>Seitencache</translation>
    </message>
    <message>
        <source>part size</source>
        <translation>Größe der Teile</translation>
    </message>
    <message>
        <source>pauses of the client</source>
        <translation>Pausen des Clients</translation>
    </message>
    <message>
        <source>put # before what is no region, such as a heading</source>
        <translation># vor das setzen, was keine Region ist, etwa eine Überschrift</translation>
    </message>
    <message>
        <source>put a space behind each comma that separates two</source>
        <translation>Hinter jedes Komma, das zwei trennt, ein Leerzeichen setzen</translation>
    </message>
    <message>
        <source>reading the files of {tree} for their MD5s</source>
        <translation>Dateien von {tree} werden für ihre MD5-Summen gelesen</translation>
    </message>
    <message>
        <source>request for 1 tile</source>
        <translation>Anfrage nach 1 Kachel</translation>
    </message>
    <message>
        <source>request for {count:,} tiles</source>
        <translation>Anfrage nach {count:,} Kacheln</translation>
    </message>
    <message>
        <source>saved: {runs}, {trials}</source>
        <translation>gerettet: {runs}, {trials}</translation>
    </message>
    <message>
        <source>see {command}</source>
        <translation>siehe {command}</translation>
    </message>
    <message>
        <source>the program keeps {busy} of 1 core busy</source>
        <translation>das Programm beschäftigt {busy} von 1 Kern</translation>
    </message>
    <message>
        <source>the program keeps {busy} of {count:g} cores busy</source>
        <translation>das Programm beschäftigt {busy} von {count:g} Kernen</translation>
    </message>
    <message>
        <source>the tiles at the address are read</source>
        <translation>gelesen werden die Kacheln unter der Adresse</translation>
    </message>
    <message>
        <source>the tree of 1 file</source>
        <translation>der Baum aus 1 Datei</translation>
    </message>
    <message>
        <source>the tree of {count:,} files</source>
        <translation>der Baum aus {count:,} Dateien</translation>
    </message>
    <message>
        <source>there would be {places:,} places for {tiles:,} of them</source>
        <translation>es gäbe {places:,} Plätze für {tiles:,} davon</translation>
    </message>
    <message>
        <source>this hyperfine line cannot be read: {why}</source>
        <translation>diese Zeile von hyperfine ist nicht lesbar: {why}</translation>
    </message>
    <message>
        <source>this package of Sluice comes without it</source>
        <translation>dieses Paket von Sluice enthält es nicht</translation>
    </message>
    <message>
        <source>trials: {count} of {of}</source>
        <translation>Versuche: {count} von {of}</translation>
    </message>
    <message>
        <source>type a path, a command, or such an address: {known}</source>
        <translation>einen Pfad, einen Befehl oder eine solche Adresse eingeben: {known}</translation>
    </message>
    <message>
        <source>unreadable and left out: {count}</source>
        <translation>nicht lesbar und ausgelassen: {count}</translation>
    </message>
    <message>
        <source>what the address names is read</source>
        <translation>gelesen wird, was die Adresse nennt</translation>
    </message>
    <message>
        <source>write -P threads 1 8 -D 1</source>
        <translation>-P threads 1 8 -D 1 schreiben</translation>
    </message>
    <message>
        <source>write it as in {example}</source>
        <translation>wie in {example} schreiben</translation>
    </message>
    <message>
        <source>write it in quotes behind the options</source>
        <translation>ihn in Anführungszeichen hinter die Optionen schreiben</translation>
    </message>
    <message>
        <source>{count:,} failed</source>
        <translation>{count:,} gescheitert</translation>
    </message>
    <message>
        <source>{count} larger</source>
        <translation>{count} größer</translation>
    </message>
    <message>
        <source>{count} of {of} returned wrong data</source>
        <translation>{count} von {of} lieferten falsche Daten</translation>
    </message>
    <message>
        <source>{count} smaller</source>
        <translation>{count} kleiner</translation>
    </message>
    <message>
        <source>{name} has the value {value!r}, which would not stay one word</source>
        <translation>{name} hat den Wert {value!r}, der nicht ein Wort bliebe</translation>
    </message>
    <message>
        <source>{name} is given twice</source>
        <translation>{name} ist zweimal angegeben</translation>
    </message>
    <message>
        <source>{option} takes no value</source>
        <translation>{option} nimmt keinen Wert</translation>
    </message>
    <message>
        <source>{option} takes {count:,} and has {given:,}</source>
        <translation>{option} nimmt {count:,} und hat {given:,}</translation>
    </message>
    <message>
        <source>{other} is {ratio} as fast as {base}, which is more than the cores can be, {cores} of them: an operation takes {less} of CPU and not {cpu}.</source>
        <translation>{other} ist {ratio} so schnell wie {base}, was mehr ist, als die Kerne können, {cores} an der Zahl: eine Operation braucht {less} CPU und nicht {cpu}.</translation>
    </message>
    <message>
        <source>{path} lists no read</source>
        <translation>{path} nennt keinen Read</translation>
    </message>
    <message>
        <source>{path} makes netCDF4 crash: its texts {name} have one length and a fill value</source>
        <translation>{path} bringt netCDF4 zum Absturz: seine Texte {name} haben eine feste Länge und einen Füllwert</translation>
    </message>
    <message>
        <source>{processes} of {threads}</source>
        <translation>{processes} zu {threads}</translation>
    </message>
    <message>
        <source>{program} holds up the others of its pipe: {why}</source>
        <translation>{program} hält die anderen seiner Pipe auf: {why}</translation>
    </message>
    <message>
        <source>{program} waits {share} of the time, as the pipe from {other} is empty</source>
        <translation>{program} wartet {share} der Zeit, weil die Pipe von {other} leer ist</translation>
    </message>
    <message>
        <source>{program} waits {share} of the time, as the pipe to {other} is full</source>
        <translation>{program} wartet {share} der Zeit, weil die Pipe zu {other} voll ist</translation>
    </message>
    <message>
        <source>{program} was killed by the kernel: the machine or its control group ran out of memory</source>
        <translation>{program} wurde vom Kernel beendet: der Rechner oder seine Kontrollgruppe hatte keinen Speicher mehr</translation>
    </message>
    <message>
        <source>{rate} ({low} to {high})</source>
        <translation>{rate} ({low} bis {high})</translation>
    </message>
    <message>
        <source>{ratio} the bytes</source>
        <translation>{ratio} die Bytes</translation>
    </message>
    <message>
        <source>{ratio} the money</source>
        <translation>{ratio} das Geld</translation>
    </message>
    <message>
        <source>{ratio} the requests</source>
        <translation>{ratio} die Anfragen</translation>
    </message>
    <message>
        <source>{reader} does not read {place}: {why}</source>
        <translation>{reader} liest {place} nicht: {why}</translation>
    </message>
    <message>
        <source>{remedy}, or {other}</source>
        <translation>{remedy}, oder {other}</translation>
    </message>
    <message>
        <source>{requests:,} requests to servers in all, with those beside the clock; they refused {refused:,}.</source>
        <translation>{requests:,} Anfragen an Server insgesamt, auch außerhalb der Messzeit; {refused:,} davon wurden abgelehnt.</translation>
    </message>
    <message>
        <source>{seconds} core-seconds each</source>
        <translation>je {seconds} Kernsekunden</translation>
    </message>
    <message>
        <source>{setting}: not measurably slower, {cheaper} cheaper.</source>
        <translation>{setting}: nicht messbar langsamer, {cheaper} billiger.</translation>
    </message>
    <message>
        <source>{setting}: {slower} slower, {cheaper} cheaper.</source>
        <translation>{setting}: {slower} langsamer, {cheaper} billiger.</translation>
    </message>
    <message>
        <source>{setting}: {speed} the throughput of {other}, for {more}.</source>
        <translation>{setting}: {speed} der Durchsatz von {other}, für {more}.</translation>
    </message>
    <message>
        <source>{share} compared</source>
        <translation>{share} verglichen</translation>
    </message>
    <message>
        <source>{share} of the data is on no disk: holes, and parts that were never written, are read as zeros without one.</source>
        <translation>{share} der Daten liegen auf keinem Datenträger: Löcher und nie beschriebene Teile werden ohne einen als Nullen gelesen.</translation>
    </message>
    <message>
        <source>{share} of the leanest client</source>
        <translation>{share} des schlanksten Clients</translation>
    </message>
    <message>
        <source>{share} of {units} compared, all right</source>
        <translation>{share} der {units} verglichen, alles richtig</translation>
    </message>
    <message>
        <source>{side} takes {more} for an operation</source>
        <translation>{side} braucht {more} für eine Operation</translation>
    </message>
    <message>
        <source>{side} was measured beside other programs, which took {share} of its time, and the other side on a quiet machine: measure both in turn (`compare --again`)</source>
        <translation>{side} wurde neben anderen Programmen gemessen, die {share} seiner Zeit nahmen, die andere Seite auf einem ruhigen Rechner: beide abwechselnd messen (`compare --again`)</translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation>{size} Speicher</translation>
    </message>
    <message>
        <source>{size} on disk</source>
        <translation>{size} auf der Platte</translation>
    </message>
    <message>
        <source>{source}: {why}</source>
        <translation>{source}: {why}</translation>
    </message>
    <message>
        <source>{stage} took longer than --deadline {limit:g} s: {item} (give it longer)</source>
        <translation>{stage} dauerte länger als --deadline {limit:g} s: {item} (mehr Zeit geben)</translation>
    </message>
    <message>
        <source>{status}: it is at {address}</source>
        <translation>{status}: es ist bei {address}</translation>
    </message>
    <message>
        <source>{text} are no numbers</source>
        <translation>{text} sind keine Zahlen</translation>
    </message>
    <message>
        <source>{text}; 1 more file changed</source>
        <translation>{text}; 1 weitere Datei hat sich geändert</translation>
    </message>
    <message>
        <source>{text}; {count:,} more files changed</source>
        <translation>{text}; {count:,} weitere Dateien haben sich geändert</translation>
    </message>
    <message>
        <source>{time} and {cpu} of CPU time, {share} of it in the kernel</source>
        <translation>{time} und {cpu} CPU-Zeit, davon {share} im Kernel</translation>
    </message>
    <message>
        <source>{total} cannot be shared out between {names}</source>
        <translation>{total} lässt sich nicht auf {names} aufteilen</translation>
    </message>
    <message>
        <source>{units} will be compared</source>
        <translation>{units} werden verglichen</translation>
    </message>
    <message>
        <source>{what} ({remedy})</source>
        <translation>{what} ({remedy})</translation>
    </message>
    <message>
        <source>{where} does not answer as it should: {why}</source>
        <translation>{where} antwortet nicht, wie es soll: {why}</translation>
    </message>
    <message>
        <source>{why}; it belongs to user {number}</source>
        <translation>{why}; es gehört Benutzer {number}</translation>
    </message>
    <message>
        <source>{why}; it may be locked, which `chattr -R -i` lifts</source>
        <translation>{why}; es ist vielleicht gesperrt, was `chattr -R -i` aufhebt</translation>
    </message>
    <message>
        <source>{wrong:,} of {count:,} cells are others</source>
        <translation>{wrong:,} von {count:,} Zellen sind andere</translation>
    </message>
    <message>
        <source>{wrong} of {done} {units} wrong</source>
        <translation>{wrong} von {done} {units} falsch</translation>
    </message>
    <message>
        <source>… 1 letter left out …</source>
        <translation>… 1 Zeichen ausgelassen …</translation>
    </message>
    <message>
        <source>… {count:,} letters left out …</source>
        <translation>… {count:,} Zeichen ausgelassen …</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>Spitzenspeicher</translation>
    </message>
    <message>
        <source>Bases to fetch; a shorter sequence gives fewer. 0 = the first 5, or 1,000 at random.</source>
        <translation>Abzurufende Basen. Eine kürzere Sequenz gibt weniger. 0 = die ersten 5, oder 1.000 an zufälliger Stelle.</translation>
    </message>
    <message>
        <source>Every read once, by its id, in an order drawn from the seed and alike for both formats. BLOW5 C fetches and decodes with slow5lib&apos;s threads; BLOW5 CXX fetches with a pool, then decodes with it; POD5 plans, takes the batches of the table, then fetches and decodes with a pool. Two threads of each also read in the order of the file, so that the answer is known for both.</source>
        <translation>Jeder Read einmal, nach seiner Kennung, in einer ausgelosten Folge, die für beide Formate gleich ist. BLOW5 C holt und entschlüsselt mit den Threads von slow5lib; BLOW5 CXX holt mit einem Pool und entschlüsselt dann mit ihm; POD5 plant, nimmt die Stapel der Tabelle, holt und entschlüsselt dann mit einem Pool. Je zwei Threads lesen auch in der Reihenfolge der Datei, damit die Antwort für beides bekannt ist.</translation>
    </message>
    <message>
        <source>Measure it with a lock</source>
        <translation>Mit einer Sperre messen</translation>
    </message>
    <message>
        <source>The cores that the threads can use are busy or wanted all the time</source>
        <translation>Die Kerne, die die Threads nutzen können, sind die ganze Zeit belegt oder gefragt</translation>
    </message>
    <message>
        <source>The same was right with 1 thread, so the threads disturb each other, as with a reader that they share without a lock</source>
        <translation>Dasselbe war mit 1 Thread richtig, also stören die Threads einander, wie bei einem Leser, den sie sich ohne Sperre teilen</translation>
    </message>
    <message>
        <source>What suits the data: of a snapshot the first bases, as in the published study; of sequences with 100,000 bases or more on average, such as a genome, a random region; of shorter ones the whole.</source>
        <translation>Was zu den Daten passt. Von einem Snapshot: die ersten Basen, wie in der veröffentlichten Studie. Von Sequenzen mit im Mittel 100.000 Basen oder mehr, wie einem Genom: ein zufälliger Ausschnitt. Von kürzeren: die ganze.</translation>
    </message>
    <message>
        <source>What the threads read is wrong: they share a reader that takes one at a time</source>
        <translation>Was die Threads lesen, ist falsch: Sie teilen sich einen Leser, der nur einen auf einmal verträgt</translation>
    </message>
    <message>
        <source>With {setting}, threads share a reader without a lock</source>
        <translation>Mit {setting} teilen sich Threads einen Leser ohne Sperre</translation>
    </message>
    <message>
        <source>a shared reader</source>
        <translation>einen geteilten Leser</translation>
    </message>
    <message>
        <source>an operation takes {time} and {cpu} of CPU time</source>
        <translation>ein Vorgang dauert {time} und braucht {cpu} CPU-Zeit</translation>
    </message>
    <message>
        <source>an operation takes {time} of its threads&apos; time, and {cpu} of it CPU time</source>
        <translation>ein Vorgang braucht {time} Zeit seiner Threads, davon {cpu} CPU-Zeit</translation>
    </message>
    <message>
        <source>at random</source>
        <translation>wahlfrei</translation>
    </message>
    <message>
        <source>files: {sizes}</source>
        <translation>Dateien: {sizes}</translation>
    </message>
    <message>
        <source>in order</source>
        <translation>der Reihe nach</translation>
    </message>
    <message>
        <source>a trial of each setting takes about {time}, and the time limit is {budget}: not all of them may be measured</source>
        <translation>ein Versuch je Einstellung dauert etwa {time}, und das Zeitlimit ist {budget}: vielleicht werden nicht alle gemessen</translation>
    </message>
    <message>
        <source>(1 more letter)</source>
        <translation>(1 weiteres Zeichen)</translation>
    </message>
    <message>
        <source>(no text)</source>
        <translation>(kein Text)</translation>
    </message>
    <message>
        <source>({count:,} more letters)</source>
        <translation>({count:,} weitere Zeichen)</translation>
    </message>
    <message>
        <source>0.25× (40 s for 10 s)</source>
        <translation>0.25× (40 s statt 10 s)</translation>
    </message>
    <message>
        <source>1 claim</source>
        <translation>1 Aussage</translation>
    </message>
    <message>
        <source>1 file at a time</source>
        <translation>1 Datei nach der anderen</translation>
    </message>
    <message>
        <source>1 of {all} files matches no pattern, so it is left out.</source>
        <translation>1 von {all} Dateien passt auf kein Muster und bleibt weg.</translation>
    </message>
    <message>
        <source>1 of {of} combinations has more threads than {cores:g} cores; --all measures it too</source>
        <translation>1 von {of} Kombinationen hat mehr Threads als {cores:g} Kerne; --all misst auch sie</translation>
    </message>
    <message>
        <source>1 of {of} returned wrong data</source>
        <translation>1 von {of} lieferte falsche Daten</translation>
    </message>
    <message>
        <source>1 of {workers} workers had work.</source>
        <translation>1 von {workers} Workern hatte Arbeit.</translation>
    </message>
    <message>
        <source>1 other value</source>
        <translation>1 anderer Wert</translation>
    </message>
    <message>
        <source>1 repeat</source>
        <translation>1 Wiederholung</translation>
    </message>
    <message>
        <source>1 row of all runs</source>
        <translation>1 Zeile aller Läufe</translation>
    </message>
    <message>
        <source>1 run at a time</source>
        <translation>1 Lauf nach dem anderen</translation>
    </message>
    <message>
        <source>1 setting {link}</source>
        <translation>1 Einstellung {link}</translation>
    </message>
    <message>
        <source>1 study can be repeated.</source>
        <translation>1 Studie lässt sich wiederholen.</translation>
    </message>
    <message>
        <source>1 tile</source>
        <translation>1 Kachel</translation>
    </message>
    <message>
        <source>1,000 runs</source>
        <translation>1.000 Läufe</translation>
    </message>
    <message>
        <source>12 workers of Dask at Amazon; single runs</source>
        <translation>12 Worker von Dask bei Amazon; einzelne Läufe</translation>
    </message>
    <message>
        <source>5 % of the memory</source>
        <translation>5 % des Speichers</translation>
    </message>
    <message>
        <source>6 (2,796 before)</source>
        <translation>6 (vorher 2.796)</translation>
    </message>
    <message>
        <source>64 at once are faster than 10: large chunks, 20 ms</source>
        <translation>64 zugleich sind schneller als 10: große Chunks, 20 ms</translation>
    </message>
    <message>
        <source>64 at once are faster than 10: large chunks, 5 ms</source>
        <translation>64 zugleich sind schneller als 10: große Chunks, 5 ms</translation>
    </message>
    <message>
        <source>64 at once are faster than 10: large chunks, 80 ms</source>
        <translation>64 zugleich sind schneller als 10: große Chunks, 80 ms</translation>
    </message>
    <message>
        <source>64 at once are faster than 10: small chunks, 20 ms</source>
        <translation>64 zugleich sind schneller als 10: kleine Chunks, 20 ms</translation>
    </message>
    <message>
        <source>64 at once are faster than 10: small chunks, 5 ms</source>
        <translation>64 zugleich sind schneller als 10: kleine Chunks, 5 ms</translation>
    </message>
    <message>
        <source>64 at once are faster than 10: small chunks, 80 ms</source>
        <translation>64 zugleich sind schneller als 10: kleine Chunks, 80 ms</translation>
    </message>
    <message>
        <source>A chunk at random.</source>
        <translation>Ein zufälliger Chunk.</translation>
    </message>
    <message>
        <source>A raster of 1536 × 1536 pixels in 144 tiles is read from the lab&apos;s nginx by /vsicurl: all of it at once, its tiles in merged requests or in one for each, and tile after tile in order. The link has a round trip of 20 ms and 28 MB/s, or none is in between. For the server: python -m core lab start http, which the command does by itself.</source>
        <translation>Ein Raster von 1536 × 1536 Pixeln in 144 Kacheln wird vom nginx des Labors mit /vsicurl gelesen: alles auf einmal, seine Kacheln in zusammengefassten Anfragen oder in einer für jede, und Kachel für Kachel der Reihe nach. Die Verbindung hat einen Hin- und Rückweg von 20 ms und 28 MB/s, oder nichts liegt dazwischen. Für den Server: python -m core lab start http, was der Befehl selbst tut.</translation>
    </message>
    <message>
        <source>A request reads a layer of 30 × 30 places, 855 of which have a tile: 256 × 256 pixels in five bands of 16 bits, in deflated Avro records, by Z-order keys. The imagery is that of 16 tiles, over and over. A collection reader has one pool of N threads, an RDD reader one in each partition of a job of Spark&apos;s. For the servers: python -m core lab start s3 cassandra hdfs accumulo.</source>
        <translation>Eine Anfrage liest eine Ebene mit 30 × 30 Plätzen, von denen 855 eine Kachel haben: 256 × 256 Pixel in fünf Kanälen zu 16 Bit, in mit Deflate gepackten Avro-Datensätzen, nach Schlüsseln in Z-Ordnung. Die Bilder sind die von 16 Kacheln, immer wieder. Ein Collection-Leser hat einen Vorrat von N Threads, ein RDD-Leser einen in jeder Partition eines Jobs von Spark. Für die Server: python -m core lab start s3 cassandra hdfs accumulo.</translation>
    </message>
    <message>
        <source>A writer puts the objects of a layer, as they were encoded before, into a layer of its own with a pool of N threads: 855 tiles of 256 × 256 pixels in five bands of 16 bits. What was written is read back by another client, compared and removed. Figures and claims of Hadoop rest on hdfs-native, which sleeps half a second at most files that it closes. For the servers: python -m core lab start s3 cassandra hdfs accumulo.</source>
        <translation>Ein Schreiber legt die Objekte einer Ebene, wie sie vorher kodiert wurden, mit einem Pool von N Threads in eine eigene Ebene: 855 Kacheln mit 256 × 256 Pixeln in fünf Kanälen zu 16 Bit. Was geschrieben wurde, wird von einem anderen Client zurückgelesen, verglichen und entfernt. Zahlen und Aussagen zu Hadoop beruhen auf hdfs-native, das bei den meisten Dateien, die es schließt, eine halbe Sekunde schläft. Für die Server: python -m core lab start s3 cassandra hdfs accumulo.</translation>
    </message>
    <message>
        <source>About {total:,} requests at most to {addresses}: {placing:,} to place the data, {measuring:,} while it measures, {verifying:,} to verify, {removing:,} to remove.</source>
        <translation>Höchstens etwa {total:,} Anfragen an {addresses}: {placing:,}, um die Daten abzulegen, {measuring:,} beim Messen, {verifying:,} zum Prüfen, {removing:,} zum Entfernen.</translation>
    </message>
    <message>
        <source>Against best</source>
        <translation>Gegen die beste</translation>
    </message>
    <message>
        <source>All of the first axis at a random point of the others, as a time series.</source>
        <translation>Die ganze erste Achse an einem zufälligen Punkt der anderen, wie eine Zeitreihe.</translation>
    </message>
    <message>
        <source>All of the others at a random index of the first axis, as a map.</source>
        <translation>Alle anderen an einem zufälligen Index der ersten Achse, wie eine Karte.</translation>
    </message>
    <message>
        <source>All threads share one open raster without a lock, which GDAL forbids.</source>
        <translation>Alle Threads teilen sich ein offenes Raster ohne Sperre, was GDAL verbietet.</translation>
    </message>
    <message>
        <source>All threads share one open raster, with a lock.</source>
        <translation>Alle Threads teilen sich ein offenes Raster, mit einer Sperre.</translation>
    </message>
    <message>
        <source>Also measure plain reads of the same files, or plain gets of the same objects, for comparison.</source>
        <translation>Zum Vergleich auch einfache Lesezugriffe auf dieselben Dateien oder Abrufe derselben Objekte messen.</translation>
    </message>
    <message>
        <source>An MBTiles file, which is a database of SQLite, with a connection for each thread.</source>
        <translation>Eine MBTiles-Datei, also eine Datenbank von SQLite, mit einer Verbindung für jeden Thread.</translation>
    </message>
    <message>
        <source>Array</source>
        <translation>Array</translation>
    </message>
    <message>
        <source>Arrays in chunks</source>
        <translation>Arrays in Chunks</translation>
    </message>
    <message>
        <source>As the array is; of one that is converted gzip in HDF5, else zstd.</source>
        <translation>Wie das Array ist; bei einem umgewandelten gzip in HDF5, sonst zstd.</translation>
    </message>
    <message>
        <source>At random, blocks of 5 MiB read ten times as much as is stored, or more</source>
        <translation>Beim zufälligen Lesen holen Blöcke von 5 MiB das Zehnfache des Gespeicherten oder mehr</translation>
    </message>
    <message>
        <source>At random, blocks of 512 KiB are faster than blocks of 5 MiB</source>
        <translation>Beim zufälligen Lesen sind Blöcke von 512 KiB schneller als Blöcke von 5 MiB</translation>
    </message>
    <message>
        <source>BLOW5 and POD5 of the folder do not hold the same reads: do not compare them</source>
        <translation>BLOW5 und POD5 des Ordners enthalten nicht dieselben Reads: Sie sind nicht zu vergleichen</translation>
    </message>
    <message>
        <source>BLOW5, pyslow5</source>
        <translation>BLOW5, pyslow5</translation>
    </message>
    <message>
        <source>BLOW5, slow5lib</source>
        <translation>BLOW5, slow5lib</translation>
    </message>
    <message>
        <source>BLOW5, slow5lib in a pool</source>
        <translation>BLOW5, slow5lib in einem Pool</translation>
    </message>
    <message>
        <source>BLOW5, zstd of this machine</source>
        <translation>BLOW5, zstd dieses Rechners</translation>
    </message>
    <message>
        <source>Batches of 1</source>
        <translation>Stapel von 1</translation>
    </message>
    <message>
        <source>Block cache</source>
        <translation>Block-Cache</translation>
    </message>
    <message>
        <source>Blosc with LZ4 and shuffled bytes, which HDF5 does not bring along.</source>
        <translation>Blosc mit LZ4 und umgeordneten Bytes, das HDF5 nicht mitbringt.</translation>
    </message>
    <message>
        <source>But {faults}.</source>
        <translation>Aber {faults}.</translation>
    </message>
    <message>
        <source>Bytes moved ÷ wanted</source>
        <translation>Bytes bewegt ÷ gewollt</translation>
    </message>
    <message>
        <source>Bytes that the client fetches ahead: block_size of s3fs, buffer_size of obstore.</source>
        <translation>Bytes, die der Client voraus holt: block_size von s3fs, buffer_size von obstore.</translation>
    </message>
    <message>
        <source>CPL_VSIL_CURL_CACHE_SIZE: fetched bytes that GDAL keeps in this process.</source>
        <translation>CPL_VSIL_CURL_CACHE_SIZE: geholte Bytes, die GDAL in diesem Prozess behält.</translation>
    </message>
    <message>
        <source>CPL_VSIL_CURL_CHUNK_SIZE: least bytes of a request.</source>
        <translation>CPL_VSIL_CURL_CHUNK_SIZE: kleinste Bytezahl einer Anfrage.</translation>
    </message>
    <message>
        <source>Cancelled at {rate}</source>
        <translation>Abgebrochen bei {rate}</translation>
    </message>
    <message>
        <source>Cancelled before anything was measured.</source>
        <translation>Abgebrochen, bevor etwas gemessen war.</translation>
    </message>
    <message>
        <source>Cancelled, leading so far: {setting}</source>
        <translation>Abgebrochen, bisher führt: {setting}</translation>
    </message>
    <message>
        <source>Cancelled: {text}</source>
        <translation>Abgebrochen: {text}</translation>
    </message>
    <message>
        <source>Cannot tell yet whether {candidate} and {baseline} differ</source>
        <translation>Noch nicht zu sagen, ob sich {candidate} und {baseline} unterscheiden</translation>
    </message>
    <message>
        <source>Choose data…</source>
        <translation>Daten wählen …</translation>
    </message>
    <message>
        <source>Choose more data…</source>
        <translation>Mehr Daten wählen …</translation>
    </message>
    <message>
        <source>Chunk cache</source>
        <translation>Cache der Chunks</translation>
    </message>
    <message>
        <source>Chunk size</source>
        <translation>Chunk-Größe</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>Chunks</translation>
    </message>
    <message>
        <source>Chunks that one operation asks for at once: async.concurrency of zarr, chunk_concurrent_maximum of zarrs, the store&apos;s limit in tensorstore. 0 = the library&apos;s own.</source>
        <translation>Chunks, die eine Operation zugleich anfragt: async.concurrency von zarr, chunk_concurrent_maximum von zarrs, die Grenze des Speichers in tensorstore. 0 = die der Bibliothek.</translation>
    </message>
    <message>
        <source>Codec</source>
        <translation>Codec</translation>
    </message>
    <message>
        <source>Columns and rows of a window.</source>
        <translation>Spalten und Zeilen eines Fensters.</translation>
    </message>
    <message>
        <source>Computed for the quiet machine: {kind}.</source>
        <translation>Für den ruhigen Rechner berechnet: {kind}.</translation>
    </message>
    <message>
        <source>Core-seconds a file</source>
        <translation>Kernsekunden je Datei</translation>
    </message>
    <message>
        <source>Core-seconds a run</source>
        <translation>Kernsekunden je Lauf</translation>
    </message>
    <message>
        <source>Decode threads</source>
        <translation>Dekodier-Threads</translation>
    </message>
    <message>
        <source>Direct</source>
        <translation>Direkt</translation>
    </message>
    <message>
        <source>Directories per operation</source>
        <translation>Verzeichnisse je Operation</translation>
    </message>
    <message>
        <source>Each keeps the cores that it asks for, or more where it uses more.</source>
        <translation>Jeder belegt die Kerne, um die er bittet, oder mehr, wo er mehr nutzt.</translation>
    </message>
    <message>
        <source>Each thread opens the raster once.</source>
        <translation>Jeder Thread öffnet das Raster einmal.</translation>
    </message>
    <message>
        <source>Effects compared in size: {sizes}.</source>
        <translation>Größe der Effekte im Vergleich: {sizes}.</translation>
    </message>
    <message>
        <source>Fewer threads in 1 step save {share} of the core-hours.</source>
        <translation>Weniger Threads in 1 Schritt sparen {share} der Kernstunden.</translation>
    </message>
    <message>
        <source>Fewer threads in {count} steps save {share} of the core-hours.</source>
        <translation>Weniger Threads in {count} Schritten sparen {share} der Kernstunden.</translation>
    </message>
    <message>
        <source>File cache</source>
        <translation>Datei-Cache</translation>
    </message>
    <message>
        <source>Files an hour</source>
        <translation>Dateien pro Stunde</translation>
    </message>
    <message>
        <source>Files behind a web server, one for each tile.</source>
        <translation>Dateien hinter einem Webserver, eine je Kachel.</translation>
    </message>
    <message>
        <source>Files in folders by zoom and column, as maps on the web ask for them.</source>
        <translation>Dateien in Ordnern nach Zoom und Spalte, wie Karten im Web sie verlangen.</translation>
    </message>
    <message>
        <source>Files of this machine.</source>
        <translation>Dateien dieses Rechners.</translation>
    </message>
    <message>
        <source>Finding out which of {of} settings is fastest</source>
        <translation>Findet heraus, welche von {of} Einstellungen die schnellste ist</translation>
    </message>
    <message>
        <source>GDAL counts ranges that it fetches side by side as one request</source>
        <translation>GDAL zählt Bereiche, die es nebeneinander holt, als eine Anfrage</translation>
    </message>
    <message>
        <source>GDAL reads {path} as {seen}, and tifffile as {expected}</source>
        <translation>GDAL liest {path} als {seen}, tifffile als {expected}</translation>
    </message>
    <message>
        <source>GDAL: a whole cloud-optimised GeoTIFF over http in few requests, in one per tile, and tile by tile</source>
        <translation>GDAL: ein ganzes cloud-optimiertes GeoTIFF über http in wenigen Anfragen, in einer je Kachel und Kachel für Kachel</translation>
    </message>
    <message>
        <source>GDAL_CACHEMAX: decoded blocks that GDAL keeps in this process; 0 = 5 % of the memory.</source>
        <translation>GDAL_CACHEMAX: dekodierte Blöcke, die GDAL in diesem Prozess behält; 0 = 5 % des Speichers.</translation>
    </message>
    <message>
        <source>GDAL_DISABLE_READDIR_ON_OPEN: whether opening a raster looks around it.</source>
        <translation>GDAL_DISABLE_READDIR_ON_OPEN: ob beim Öffnen eines Rasters dessen Umgebung angesehen wird.</translation>
    </message>
    <message>
        <source>GDAL_HTTP_MERGE_CONSECUTIVE_RANGES: whether ranges that touch are one request.</source>
        <translation>GDAL_HTTP_MERGE_CONSECUTIVE_RANGES: ob Bereiche, die sich berühren, eine Anfrage sind.</translation>
    </message>
    <message>
        <source>GDAL_NUM_THREADS: threads that decode one window.</source>
        <translation>GDAL_NUM_THREADS: Threads, die ein Fenster dekodieren.</translation>
    </message>
    <message>
        <source>Generates data as the study names it, in Sluice&apos;s own folder.</source>
        <translation>Erzeugt die Daten, die die Studie nennt, in Sluices eigenem Ordner.</translation>
    </message>
    <message>
        <source>Gzip, level 4.</source>
        <translation>Gzip, Stufe 4.</translation>
    </message>
    <message>
        <source>HDF5</source>
        <translation>HDF5</translation>
    </message>
    <message>
        <source>HDF5 does not bring {codec} along</source>
        <translation>HDF5 bringt {codec} nicht mit</translation>
    </message>
    <message>
        <source>Handles</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>How fast does this store hand out these objects at all?</source>
        <translation>Wie schnell gibt dieser Speicher diese Objekte überhaupt her?</translation>
    </message>
    <message>
        <source>How fast is it?</source>
        <translation>Wie schnell ist es?</translation>
    </message>
    <message>
        <source>How many threads and which settings of GDAL read windows of a GeoTIFF best?</source>
        <translation>Wie viele Threads und welche Einstellungen von GDAL lesen Fenster eines GeoTIFF am besten?</translation>
    </message>
    <message>
        <source>How many {counted}, which {others}?</source>
        <translation>Wie viele {counted}, welche Wahl bei {others}?</translation>
    </message>
    <message>
        <source>How many {counted}?</source>
        <translation>Wie viele {counted}?</translation>
    </message>
    <message>
        <source>How the raster is opened.</source>
        <translation>Wie das Raster geöffnet wird.</translation>
    </message>
    <message>
        <source>Io threads</source>
        <translation>I/O-Threads</translation>
    </message>
    <message>
        <source>Is what was published true here?</source>
        <translation>Stimmt hier, was veröffentlicht wurde?</translation>
    </message>
    <message>
        <source>It makes {requests} requests for each {unit}</source>
        <translation>Es stellt {requests} Anfragen je {unit}</translation>
    </message>
    <message>
        <source>It moves {times} the bytes wanted</source>
        <translation>Es bewegt {times} der gewollten Bytes</translation>
    </message>
    <message>
        <source>Its figures tell the least that the client reaches at this distance.</source>
        <translation>Die Werte sagen, was der Client auf diese Entfernung mindestens erreicht.</translation>
    </message>
    <message>
        <source>Kernel time per operation</source>
        <translation>Kernel-Zeit pro Operation</translation>
    </message>
    <message>
        <source>LRU, no lock</source>
        <translation>LRU, ohne Sperre</translation>
    </message>
    <message>
        <source>LRU, one lock</source>
        <translation>LRU, eine Sperre</translation>
    </message>
    <message>
        <source>Larger blocks are better in order: 50 MiB, today&apos;s default, against 5 MiB</source>
        <translation>Größere Blöcke sind der Reihe nach besser: 50 MiB, der heutige Standard, gegen 5 MiB</translation>
    </message>
    <message>
        <source>Larger blocks are worse at random: 50 MiB, today&apos;s default, against 5 MiB</source>
        <translation>Größere Blöcke sind beim zufälligen Lesen schlechter: 50 MiB, der heutige Standard, gegen 5 MiB</translation>
    </message>
    <message>
        <source>Latency of one operation</source>
        <translation>Latenz einer Operation</translation>
    </message>
    <message>
        <source>Leading so far: {setting}.</source>
        <translation>Bisher vorn: {setting}.</translation>
    </message>
    <message>
        <source>Left out, too much memory: {why}.</source>
        <translation>Zu viel Speicher, bleibt weg: {why}.</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Library that reads the array.</source>
        <translation>Bibliothek, die das Array liest.</translation>
    </message>
    <message>
        <source>Limit it by its flag or variable for threads, or bind it: --cores {count:.0f}.</source>
        <translation>Begrenzen Sie es mit seinem Schalter oder seiner Variablen für Threads, oder binden Sie es: --cores {count:.0f}.</translation>
    </message>
    <message>
        <source>Limit it by {name}: write {setting} before the command.</source>
        <translation>Begrenzen Sie es mit {name}: Schreiben Sie {setting} vor den Befehl.</translation>
    </message>
    <message>
        <source>List the folder, and look for files beside it (FALSE), which is GDAL&apos;s default.</source>
        <translation>Den Ordner auflisten und nach Dateien daneben suchen (FALSE), GDALs Vorgabe.</translation>
    </message>
    <message>
        <source>Look for files beside it one by one (TRUE).</source>
        <translation>Einzeln nach Dateien daneben suchen (TRUE).</translation>
    </message>
    <message>
        <source>Look for no other file (EMPTY_DIR).</source>
        <translation>Nach keiner anderen Datei suchen (EMPTY_DIR).</translation>
    </message>
    <message>
        <source>MBTiles are a database of SQLite, which needs a file here</source>
        <translation>MBTiles sind eine Datenbank von SQLite, und die braucht hier eine Datei</translation>
    </message>
    <message>
        <source>MBTiles file</source>
        <translation>MBTiles-Datei</translation>
    </message>
    <message>
        <source>Make it surer</source>
        <translation>Sicherer machen</translation>
    </message>
    <message>
        <source>Make its sample ({size})</source>
        <translation>Beispiel ({size})</translation>
    </message>
    <message>
        <source>Make the trials or their warm-up longer: a cache of files is empty at each start.</source>
        <translation>Die Versuche oder ihr Aufwärmen länger machen: Ein Cache von Dateien ist an jedem Anfang leer.</translation>
    </message>
    <message>
        <source>Maps of 2048 × 2048 cells are read from S3 by zarr-python through obstore, with 10 and with 64 chunks at once: from the lab&apos;s own server near by, and through round trips of 5, 20 and 80 ms. For the server: python -m core lab start s3, which the command does by itself.</source>
        <translation>Karten von 2048 × 2048 Zellen werden von zarr-python durch obstore aus S3 gelesen, mit 10 und mit 64 Chunks zugleich: vom Server des Labors in der Nähe und über Hin- und Rückwege von 5, 20 und 80 ms. Für den Server: python -m core lab start s3, was der Befehl selbst tut.</translation>
    </message>
    <message>
        <source>Measure beside them</source>
        <translation>Daneben messen</translation>
    </message>
    <message>
        <source>Measure in turns</source>
        <translation>Reihum messen</translation>
    </message>
    <message>
        <source>Measure only when you say so.</source>
        <translation>Erst messen, wenn Sie es sagen.</translation>
    </message>
    <message>
        <source>Measure why</source>
        <translation>Warum messen</translation>
    </message>
    <message>
        <source>Measure with a lock</source>
        <translation>Mit Sperre messen</translation>
    </message>
    <message>
        <source>Measure with batches of 1</source>
        <translation>Mit Stapeln von 1 messen</translation>
    </message>
    <message>
        <source>Memory for decoded chunks: cache_pool of tensorstore, rdcc_nbytes of h5py, the chunk cache of netCDF4. 0 = none is kept.</source>
        <translation>Speicher für dekodierte Chunks: cache_pool von tensorstore, rdcc_nbytes von h5py, der Chunk-Cache von netCDF4. 0 = keiner wird behalten.</translation>
    </message>
    <message>
        <source>Merge ranges</source>
        <translation>Bereiche verbinden</translation>
    </message>
    <message>
        <source>Money per TB</source>
        <translation>Geld je TB</translation>
    </message>
    <message>
        <source>Most programs are fastest where together they have all cores.</source>
        <translation>Die meisten Programme sind am schnellsten, wenn sie zusammen alle Kerne haben.</translation>
    </message>
    <message>
        <source>Most windows of a pass. Each pass begins without what GDAL keeps.</source>
        <translation>Höchste Zahl der Fenster eines Durchgangs. Jeder Durchgang beginnt ohne das, was GDAL behält.</translation>
    </message>
    <message>
        <source>Near by 10 at once are as good as 64: large chunks</source>
        <translation>In der Nähe sind 10 zugleich so gut wie 64: große Chunks</translation>
    </message>
    <message>
        <source>Near by 10 at once are as good as 64: small chunks</source>
        <translation>In der Nähe sind 10 zugleich so gut wie 64: kleine Chunks</translation>
    </message>
    <message>
        <source>Neighbours of the best may be better.</source>
        <translation>Nachbarn der besten Einstellung können besser sein.</translation>
    </message>
    <message>
        <source>NetCDF</source>
        <translation>NetCDF</translation>
    </message>
    <message>
        <source>No other number of threads is known to save anything.</source>
        <translation>Von keiner anderen Zahl von Threads ist bekannt, dass sie etwas spart.</translation>
    </message>
    <message>
        <source>No result was compared.</source>
        <translation>Kein Ergebnis wurde verglichen.</translation>
    </message>
    <message>
        <source>Nobody knows here what is right, so no result is called verified.</source>
        <translation>Was richtig ist, weiß hier niemand; darum heißt kein Ergebnis geprüft.</translation>
    </message>
    <message>
        <source>Not compressed.</source>
        <translation>Nicht komprimiert.</translation>
    </message>
    <message>
        <source>Objects in an S3 bucket, one for each tile.</source>
        <translation>Objekte in einem Bucket von S3, eines je Kachel.</translation>
    </message>
    <message>
        <source>On the quiet machine it cannot be told.</source>
        <translation>Für den ruhigen Rechner ist es nicht zu sagen.</translation>
    </message>
    <message>
        <source>One at a time shows what a run takes of the memory.</source>
        <translation>Einer nach dem anderen zeigt, wie viel Speicher ein Lauf braucht.</translation>
    </message>
    <message>
        <source>One file takes</source>
        <translation>Eine Datei dauert</translation>
    </message>
    <message>
        <source>One run takes</source>
        <translation>Ein Lauf dauert</translation>
    </message>
    <message>
        <source>Open fewer files</source>
        <translation>Weniger Dateien</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner beim Öffnen</translation>
    </message>
    <message>
        <source>Operations ended with an error, and returned nothing.</source>
        <translation>Operationen endeten mit einem Fehler und lieferten nichts.</translation>
    </message>
    <message>
        <source>Other programs take {share} of the cores</source>
        <translation>Andere Programme nehmen {share} der Kerne</translation>
    </message>
    <message>
        <source>Other programs take {share} of the cores: {programs}</source>
        <translation>Andere Programme nehmen {share} der Kerne: {programs}</translation>
    </message>
    <message>
        <source>Other programs took {share} of the time on cores that trials could use, so this holds beside them.</source>
        <translation>Andere Programme nahmen {share} der Zeit auf Kernen, die die Versuche nutzen konnten; das gilt also neben ihnen.</translation>
    </message>
    <message>
        <source>PMTiles archive</source>
        <translation>PMTiles-Archiv</translation>
    </message>
    <message>
        <source>PMTiles hold no empty tile, as {place} is</source>
        <translation>PMTiles enthalten keine leere Kachel, wie {place} eine ist</translation>
    </message>
    <message>
        <source>POD5, lib_pod5</source>
        <translation>POD5, lib_pod5</translation>
    </message>
    <message>
        <source>POD5, lib_pod5 mapped</source>
        <translation>POD5, lib_pod5 eingeblendet</translation>
    </message>
    <message>
        <source>POD5, pod5</source>
        <translation>POD5, pod5</translation>
    </message>
    <message>
        <source>POD5, pod5 mapped</source>
        <translation>POD5, pod5 eingeblendet</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>Patterns of names, such as *.fq.gz *.fastq: where the dataset is a folder, each run takes the next such file in it as {dataset} or {each}. Empty = {dataset} is the folder.</source>
        <translation>Muster von Namen, etwa *.fq.gz *.fastq: Ist der Datensatz ein Ordner, so nimmt jeder Lauf die nächste solche Datei darin als {dataset} oder {each}. Leer = {dataset} ist der Ordner.</translation>
    </message>
    <message>
        <source>Plain gets</source>
        <translation>Einfache Abrufe</translation>
    </message>
    <message>
        <source>Python&apos;s own http.client, a connection for each thread; plain http only.</source>
        <translation>Pythons eigener http.client, eine Verbindung je Thread; nur einfaches http.</translation>
    </message>
    <message>
        <source>Queue depth</source>
        <translation>Lesetiefe</translation>
    </message>
    <message>
        <source>Quiet, {setting}: at most {least} below the best, {how}.</source>
        <translation>Bei Ruhe {setting}: höchstens {least} unter dem Besten, {how}.</translation>
    </message>
    <message>
        <source>Quiet, {setting}: {figures} {baseline}, at most {least} below the best, {how}.</source>
        <translation>Bei Ruhe {setting}: {figures} {baseline}, höchstens {least} unter dem Besten, {how}.</translation>
    </message>
    <message>
        <source>Range cache</source>
        <translation>Bereichs-Cache</translation>
    </message>
    <message>
        <source>Read past the page cache (O_DIRECT), as databases do.</source>
        <translation>Am Seitencache vorbei lesen (O_DIRECT), wie Datenbanken es tun.</translation>
    </message>
    <message>
        <source>Reads in flight of each thread. 1 = by pread, one after the other; more by io_uring, on Linux.</source>
        <translation>Gleichzeitige Lesezugriffe jedes Threads. 1 = mit pread, einer nach dem anderen; mehr mit io_uring, unter Linux.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Requests to open</source>
        <translation>Anfragen zum Öffnen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Runs an hour</source>
        <translation>Läufe pro Stunde</translation>
    </message>
    <message>
        <source>S3 or a web server, at the address: the same file, which is compared with the local one.</source>
        <translation>S3 oder ein Webserver an der Adresse: dieselbe Datei, die mit der hiesigen verglichen wird.</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>Shards</translation>
    </message>
    <message>
        <source>Simulated, with cores: {cores}. Of the recorded run the simulation says {simulated}, and it took {took}.</source>
        <translation>Simuliert, mit Kernen: {cores}. Vom aufgezeichneten Lauf sagt die Simulation {simulated}, er dauerte {took}.</translation>
    </message>
    <message>
        <source>Sluice&apos;s lab servers</source>
        <translation>Labor-Server von Sluice</translation>
    </message>
    <message>
        <source>Small chunks: time for a MiB, by requests at once</source>
        <translation>Kleine Chunks: Zeit für ein MiB, nach Anfragen zugleich</translation>
    </message>
    <message>
        <source>Starts now. What it answers is for now.</source>
        <translation>Beginnt jetzt. Die Antwort gilt vorerst.</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>Nicht mehr warten</translation>
    </message>
    <message>
        <source>Subset</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>TIFF raster</source>
        <translation>TIFF-Raster</translation>
    </message>
    <message>
        <source>Take more data, or smaller batches: so the others tell nothing.</source>
        <translation>Mehr Daten nehmen oder kleinere Stapel: So sagen die anderen nichts.</translation>
    </message>
    <message>
        <source>Take {needs}. {text} How many are best cannot be told from this.</source>
        <translation>Es braucht {needs}. {text} Wie viele am besten sind, lässt sich daraus nicht sagen.</translation>
    </message>
    <message>
        <source>Temporary disk</source>
        <translation>Platz für Zwischendateien</translation>
    </message>
    <message>
        <source>The cells that each operation selects.</source>
        <translation>Die Zellen, die jede Operation auswählt.</translation>
    </message>
    <message>
        <source>The cores are taken by {others}. In {left} it measures beside them.</source>
        <translation>Die Kerne belegen {others}. In {left} wird daneben gemessen.</translation>
    </message>
    <message>
        <source>The cores are taken by {others}. Measuring starts by itself.</source>
        <translation>Die Kerne belegen {others}. Die Messung beginnt von selbst.</translation>
    </message>
    <message>
        <source>The file there, such as https://host/folder/file or s3://bucket/folder/file?endpoint=http://host:port.</source>
        <translation>Die Datei dort, etwa https://host/ordner/datei oder s3://bucket/ordner/datei?endpoint=http://host:port.</translation>
    </message>
    <message>
        <source>The operations took {used} CPU seconds a second, more than the {cores} that the cores have.</source>
        <translation>Die Operationen brauchten {used} CPU-Sekunden pro Sekunde, mehr als die {cores}, die die Kerne haben.</translation>
    </message>
    <message>
        <source>The output of each file is compared with that of its first run.</source>
        <translation>Die Ausgabe zu jeder Datei wird mit der ihres ersten Laufs verglichen.</translation>
    </message>
    <message>
        <source>The proxy that makes the server far away was busy for {share} of the time with {setting}, so it may be what limits.</source>
        <translation>Der Proxy, der den Server weit entfernt, rechnete {share} der Zeit bei {setting} und begrenzt daher vielleicht.</translation>
    </message>
    <message>
        <source>The raster is opened for each window, as many servers of tiles do.</source>
        <translation>Das Raster wird für jedes Fenster geöffnet, wie es viele Kachelserver tun.</translation>
    </message>
    <message>
        <source>The same windows row by row.</source>
        <translation>Dieselben Fenster Zeile für Zeile.</translation>
    </message>
    <message>
        <source>The servers were not all reached in the same way, so they cannot be compared: {ways}.</source>
        <translation>Die Server wurden nicht alle auf demselben Weg erreicht und sind daher nicht vergleichbar: {ways}.</translation>
    </message>
    <message>
        <source>The servers were reached {link}.</source>
        <translation>Die Server wurden {link} erreicht.</translation>
    </message>
    <message>
        <source>The whole array in order, in slabs of whole chunks of about 64 MiB.</source>
        <translation>Das ganze Array der Reihe nach, in Scheiben ganzer Chunks von etwa 64 MiB.</translation>
    </message>
    <message>
        <source>Then each worker has something to do, as far as there is data for it.</source>
        <translation>Dann hat jeder Worker etwas zu tun, soweit es Daten dafür gibt.</translation>
    </message>
    <message>
        <source>Threads of the library&apos;s own that decode: threading.max_workers of zarr and zarrs, data_copy_concurrency of tensorstore. 0 = the library&apos;s own number.</source>
        <translation>Eigene Threads der Bibliothek, die dekodieren: threading.max_workers von zarr und zarrs, data_copy_concurrency von tensorstore. 0 = die Zahl der Bibliothek.</translation>
    </message>
    <message>
        <source>Threads started</source>
        <translation>Gestartete Threads</translation>
    </message>
    <message>
        <source>Throughput still climbs at the end of each trial, by {share} in its last quarter.</source>
        <translation>Der Durchsatz steigt am Ende jedes Versuchs noch, um {share} in seinem letzten Viertel.</translation>
    </message>
    <message>
        <source>Tile by tile in order, GDAL fetches more and more at once: a request for ten tiles or more</source>
        <translation>Kachel für Kachel der Reihe nach holt GDAL immer mehr auf einmal: eine Anfrage für zehn Kacheln oder mehr</translation>
    </message>
    <message>
        <source>Tile by tile in order, larger chunks are faster</source>
        <translation>Kachel für Kachel der Reihe nach sind größere Stücke schneller</translation>
    </message>
    <message>
        <source>Time for a MiB of chunks, by size of block</source>
        <translation>Zeit für ein MiB an Chunks, nach Größe der Blöcke</translation>
    </message>
    <message>
        <source>Time for a MiB, by how much is read at once: a tile or the whole raster</source>
        <translation>Zeit für ein MiB, je nachdem, wie viel auf einmal gelesen wird: eine Kachel oder das ganze Raster</translation>
    </message>
    <message>
        <source>Time limit of the whole run. What is undecided is measured until it is used up, a search ends with its best so far, and trials get shorter to fit. 0 = none.</source>
        <translation>Zeitgrenze des ganzen Laufs. Was unentschieden ist, wird gemessen, bis sie verbraucht ist; eine Suche endet mit dem Besten bis dahin, und Versuche werden passend kürzer. 0 = keine.</translation>
    </message>
    <message>
        <source>Time per tile</source>
        <translation>Zeit je Kachel</translation>
    </message>
    <message>
        <source>Time that a proxy adds to every round trip to the server; 0 = none.</source>
        <translation>Zeit, die ein Proxy zu jedem Hin- und Rückweg zum Server hinzufügt; 0 = keine.</translation>
    </message>
    <message>
        <source>Try processes</source>
        <translation>Mit Prozessen</translation>
    </message>
    <message>
        <source>Use these</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Use {setting} for now: {grade} of anything measured (1 was not); {why}</source>
        <translation>Vorerst {setting} verwenden: {grade} von allem Gemessenen (1 wurde es nicht); {why}</translation>
    </message>
    <message>
        <source>Use {setting} for now: {grade} of anything measured ({count} were not); {why}</source>
        <translation>Vorerst {setting} verwenden: {grade} von allem Gemessenen ({count} wurden es nicht); {why}</translation>
    </message>
    <message>
        <source>Use {setting}: {figures} {baseline}.</source>
        <translation>{setting} nehmen: {figures} {baseline}.</translation>
    </message>
    <message>
        <source>VSI_CACHE: whether each open raster keeps up to 25 MB of its file.</source>
        <translation>VSI_CACHE: ob jedes offene Raster bis zu 25 MB seiner Datei behält.</translation>
    </message>
    <message>
        <source>Wait until quiet</source>
        <translation>Auf Ruhe warten</translation>
    </message>
    <message>
        <source>Wall seconds per operation</source>
        <translation>Sekunden je Vorgang</translation>
    </message>
    <message>
        <source>What a TB that operations wanted costs, in requests and bytes, by the prices that you gave.</source>
        <translation>Was ein TB, das Operationen wollten, an Anfragen und Bytes kostet, nach den angegebenen Preisen.</translation>
    </message>
    <message>
        <source>What h5py reads the file through.</source>
        <translation>Wodurch h5py die Datei liest.</translation>
    </message>
    <message>
        <source>What makes the requests, as many at once as the load has threads.</source>
        <translation>Was die Anfragen stellt, so viele zugleich, wie die Last Threads hat.</translation>
    </message>
    <message>
        <source>What went through the same link is compared: {ways}.</source>
        <translation>Verglichen wird, was über dieselbe Verbindung ging: {ways}.</translation>
    </message>
    <message>
        <source>Where one thread decodes, merging ranges makes no difference</source>
        <translation>Wo ein Thread dekodiert, macht das Zusammenfassen von Bereichen keinen Unterschied</translation>
    </message>
    <message>
        <source>Where the store is, such as s3://bucket/prefix?endpoint=http://host:port; empty = where the dataset is, or for other files a folder in the cache.</source>
        <translation>Wo die Ablage ist, etwa s3://bucket/prefix?endpoint=http://host:port; leer = wo die Daten sind, sonst für Dateien ein Ordner im Cache.</translation>
    </message>
    <message>
        <source>Where windows are, and their order.</source>
        <translation>Wo die Fenster liegen, und ihre Reihenfolge.</translation>
    </message>
    <message>
        <source>Which library with how many requests at once reads my Zarr, HDF5 or NetCDF best?</source>
        <translation>Welche Bibliothek mit wie vielen Anfragen zugleich liest mein Zarr, HDF5 oder NetCDF am besten?</translation>
    </message>
    <message>
        <source>Which {others}?</source>
        <translation>Welche Wahl bei {others}?</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Windows at random places, as maps are panned.</source>
        <translation>Fenster an zufälligen Stellen, wie beim Verschieben von Karten.</translation>
    </message>
    <message>
        <source>Windows of a raster</source>
        <translation>Fenster eines Rasters</translation>
    </message>
    <message>
        <source>Windows side by side from the upper left corner, in a random order, as tiles are asked for.</source>
        <translation>Fenster nebeneinander von der linken oberen Ecke an, in zufälliger Reihenfolge, wie Kacheln verlangt werden.</translation>
    </message>
    <message>
        <source>Wire bytes per operation</source>
        <translation>Übertragene Bytes je Vorgang</translation>
    </message>
    <message>
        <source>With 4 threads 64 at once for each fail</source>
        <translation>Mit 4 Threads scheitern je 64 zugleich</translation>
    </message>
    <message>
        <source>With 4 threads 64 at once for each gain nothing over 10</source>
        <translation>Mit 4 Threads bringen je 64 zugleich nichts gegenüber 10</translation>
    </message>
    <message>
        <source>With ranges merged the whole raster takes six requests or fewer</source>
        <translation>Mit zusammengefassten Bereichen braucht das ganze Raster höchstens sechs Anfragen</translation>
    </message>
    <message>
        <source>Without a limit nothing is gained over 64: small chunks, 80 ms</source>
        <translation>Ohne Grenze ist gegenüber 64 nichts gewonnen: kleine Chunks, 80 ms</translation>
    </message>
    <message>
        <source>Without merging each of the 144 tiles takes a request</source>
        <translation>Ohne Zusammenfassen braucht jede der 144 Kacheln eine Anfrage</translation>
    </message>
    <message>
        <source>Zarr</source>
        <translation>Zarr</translation>
    </message>
    <message>
        <source>Zstandard, which HDF5 does not bring along.</source>
        <translation>Zstandard, das HDF5 nicht mitbringt.</translation>
    </message>
    <message>
        <source>a PMTiles archive is written as a whole, and not tile by tile</source>
        <translation>ein PMTiles-Archiv wird als Ganzes geschrieben, nicht Kachel für Kachel</translation>
    </message>
    <message>
        <source>a connection was closed unseen, and several processes have some</source>
        <translation>eine Verbindung wurde ungesehen geschlossen, und mehrere Prozesse haben welche</translation>
    </message>
    <message>
        <source>a directory in it is damaged: {why}</source>
        <translation>ein Verzeichnis darin ist beschädigt: {why}</translation>
    </message>
    <message>
        <source>a directory stands behind its data</source>
        <translation>ein Verzeichnis steht hinter seinen Daten</translation>
    </message>
    <message>
        <source>a dry run, snakemake -n, has to succeed</source>
        <translation>Ein Probelauf, snakemake -n, muss gelingen</translation>
    </message>
    <message>
        <source>a file was read by two threads at once: {error}</source>
        <translation>zwei Threads lasen eine Datei zugleich: {error}</translation>
    </message>
    <message>
        <source>a proxy counts what a client does not tell, and may be slower: add --link-bandwidth 1TB</source>
        <translation>ein Proxy zählt, was ein Client nicht nennt, und ist vielleicht langsamer: --link-bandwidth 1TB angeben</translation>
    </message>
    <message>
        <source>a run takes {each}, too long for its part of the time, {budget}</source>
        <translation>ein Lauf dauert {each}, zu lange für seinen Teil der Zeit, {budget}</translation>
    </message>
    <message>
        <source>a shard has a whole number of chunks along each axis</source>
        <translation>ein Shard hat entlang jeder Achse eine ganze Zahl von Chunks</translation>
    </message>
    <message>
        <source>a sum is of placeholders of your own: write {example}</source>
        <translation>Eine Summe besteht aus eigenen Platzhaltern: Schreiben Sie {example}</translation>
    </message>
    <message>
        <source>a tile is at {place}, which no zoom has</source>
        <translation>eine Kachel liegt bei {place}, was es in keinem Zoom gibt</translation>
    </message>
    <message>
        <source>about the sweet spot</source>
        <translation>etwa der beste Kompromiss</translation>
    </message>
    <message>
        <source>activate the environment that has it</source>
        <translation>Aktivieren Sie die Umgebung, die es hat</translation>
    </message>
    <message>
        <source>add --mutex</source>
        <translation>--mutex dazunehmen</translation>
    </message>
    <message>
        <source>advised</source>
        <translation>empfohlen</translation>
    </message>
    <message>
        <source>affinity</source>
        <translation>Affinität</translation>
    </message>
    <message>
        <source>allow more locked memory (ulimit -l), or set queue_depth to 1</source>
        <translation>mehr gesperrten Speicher erlauben (ulimit -l) oder queue_depth auf 1 setzen</translation>
    </message>
    <message>
        <source>amplification</source>
        <translation>Verstärkung</translation>
    </message>
    <message>
        <source>an address with ? or # is no folder</source>
        <translation>eine Adresse mit ? oder # ist kein Ordner</translation>
    </message>
    <message>
        <source>an administrator can allow it (sysctl kernel.io_uring_disabled=0; in a container, its seccomp profile), or set queue_depth to 1</source>
        <translation>ein Administrator kann es erlauben (sysctl kernel.io_uring_disabled=0; in einem Container dessen seccomp-Profil), oder queue_depth auf 1 setzen</translation>
    </message>
    <message>
        <source>an entry has no place</source>
        <translation>ein Eintrag hat keinen Ort</translation>
    </message>
    <message>
        <source>and 1 more</source>
        <translation>und 1 weitere</translation>
    </message>
    <message>
        <source>and {count:,} more</source>
        <translation>und {count:,} weitere</translation>
    </message>
    <message>
        <source>another client, or several processes of this one, will help; threads beyond {threads} will not</source>
        <translation>Ein anderer Client oder mehrere Prozesse von diesem helfen; Threads über {threads} hinaus nicht</translation>
    </message>
    <message>
        <source>another shape than the window has</source>
        <translation>eine andere Form als die des Fensters</translation>
    </message>
    <message>
        <source>array</source>
        <translation>Array</translation>
    </message>
    <message>
        <source>as good within {near:g} %</source>
        <translation>bis auf {near:g} % so gut</translation>
    </message>
    <message>
        <source>asked for {count}</source>
        <translation>um {count} gebeten</translation>
    </message>
    <message>
        <source>asked for {wanted}, and the answer is {status} with {size:,} B of {range!r}</source>
        <translation>verlangt war {wanted}, und die Antwort ist {status} mit {size:,} B von {range!r}</translation>
    </message>
    <message>
        <source>at least {count} trials of each are needed</source>
        <translation>von jedem werden mindestens {count} Versuche gebraucht</translation>
    </message>
    <message>
        <source>at most {rate}</source>
        <translation>höchstens {rate}</translation>
    </message>
    <message>
        <source>at most {time}</source>
        <translation>höchstens {time}</translation>
    </message>
    <message>
        <source>at the wire</source>
        <translation>auf der Leitung</translation>
    </message>
    <message>
        <source>beneficial (#8499)</source>
        <translation>vorteilhaft (#8499)</translation>
    </message>
    <message>
        <source>best</source>
        <translation>beste</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>beyond the first {share:.0%} of the core-hours</source>
        <translation>jenseits der ersten {share:.0%} der Kernstunden</translation>
    </message>
    <message>
        <source>block cache</source>
        <translation>Block-Cache</translation>
    </message>
    <message>
        <source>both</source>
        <translation>beides</translation>
    </message>
    <message>
        <source>boto3 for S3, http for a web server.</source>
        <translation>boto3 für S3, http für einen Webserver.</translation>
    </message>
    <message>
        <source>boto3, whose threads take turns at the interpreter; S3 only.</source>
        <translation>boto3, dessen Threads sich am Interpreter abwechseln; nur S3.</translation>
    </message>
    <message>
        <source>bytes of a block</source>
        <translation>Bytes eines Blocks</translation>
    </message>
    <message>
        <source>cannot be told: {why}</source>
        <translation>nicht zu sagen: {why}</translation>
    </message>
    <message>
        <source>cataloguing the tiles</source>
        <translation>die Kacheln werden katalogisiert</translation>
    </message>
    <message>
        <source>cells of another shape or type: {said}</source>
        <translation>Zellen anderer Form oder anderen Typs: {said}</translation>
    </message>
    <message>
        <source>cheapest</source>
        <translation>am günstigsten</translation>
    </message>
    <message>
        <source>choose a smaller level, or add overviews: gdaladdo FILE</source>
        <translation>eine kleinere Stufe wählen oder Übersichten hinzufügen: gdaladdo DATEI</translation>
    </message>
    <message>
        <source>choose another</source>
        <translation>etwas anderes wählen</translation>
    </message>
    <message>
        <source>choose another folder, which a second --profile or -c can name</source>
        <translation>wählen Sie einen anderen Ordner, den ein zweites --profile oder -c nennen kann</translation>
    </message>
    <message>
        <source>choose file, or the reader h5py</source>
        <translation>file oder den Leser h5py wählen</translation>
    </message>
    <message>
        <source>choose gzip or none</source>
        <translation>gzip oder none wählen</translation>
    </message>
    <message>
        <source>choose the work first, then this data</source>
        <translation>wählen Sie zuerst die Arbeit, dann diese Daten</translation>
    </message>
    <message>
        <source>choose {readers}, or set chunks to convert</source>
        <translation>{readers} wählen oder mit chunks umwandeln</translation>
    </message>
    <message>
        <source>chunk cache</source>
        <translation>Cache der Chunks</translation>
    </message>
    <message>
        <source>chunk size</source>
        <translation>Chunk-Größe</translation>
    </message>
    <message>
        <source>chunks</source>
        <translation>Chunks</translation>
    </message>
    <message>
        <source>close the program that writes it, or open and close it once with sqlite3</source>
        <translation>das Programm schließen, das sie schreibt, oder sie einmal mit sqlite3 öffnen und schließen</translation>
    </message>
    <message>
        <source>cloud-optimised</source>
        <translation>cloud-optimiert</translation>
    </message>
    <message>
        <source>codec</source>
        <translation>Codec</translation>
    </message>
    <message>
        <source>compare the runs of each file: --same, or judge each by a command: --check</source>
        <translation>die Läufe jeder Datei vergleichen: --same, oder jeden durch einen Befehl beurteilen: --check</translation>
    </message>
    <message>
        <source>comparing the copy</source>
        <translation>die Kopie wird verglichen</translation>
    </message>
    <message>
        <source>computed for quiet, ± {error}</source>
        <translation>für Ruhe berechnet, ± {error}</translation>
    </message>
    <message>
        <source>computed from how long threads waited for a core</source>
        <translation>berechnet daraus, wie lange Threads auf einen Kern warteten</translation>
    </message>
    <message>
        <source>connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>convert it to version 3: pmtiles convert OLD NEW</source>
        <translation>in Version 3 umwandeln: pmtiles convert ALT NEU</translation>
    </message>
    <message>
        <source>convert the file or folder that it is in</source>
        <translation>die Datei oder den Ordner umwandeln, worin sie liegt</translation>
    </message>
    <message>
        <source>copy it again, or name Zarr 2 or 3</source>
        <translation>noch einmal kopieren, oder Zarr 2 oder 3 angeben</translation>
    </message>
    <message>
        <source>copy it again; NetCDF of before version 4 is converted by nccopy -4</source>
        <translation>noch einmal kopieren; NetCDF vor Version 4 wandelt nccopy -4 um</translation>
    </message>
    <message>
        <source>copy the array alone into another file, or convert it to Zarr</source>
        <translation>nur das Array in eine andere Datei kopieren, oder es in Zarr umwandeln</translation>
    </message>
    <message>
        <source>could not connect to the server</source>
        <translation>keine Verbindung zum Server</translation>
    </message>
    <message>
        <source>could not connect to {server}</source>
        <translation>keine Verbindung zu {server}</translation>
    </message>
    <message>
        <source>curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>decode threads</source>
        <translation>Dekodier-Threads</translation>
    </message>
    <message>
        <source>decoders do not agree on JPEG as TIFF 6.0 has it</source>
        <translation>Dekodierer sind sich über JPEG nach TIFF 6.0 nicht einig</translation>
    </message>
    <message>
        <source>decoding what is right</source>
        <translation>Das Richtige wird dekodiert</translation>
    </message>
    <message>
        <source>direct</source>
        <translation>direkt</translation>
    </message>
    <message>
        <source>direct reads are of whole sectors</source>
        <translation>direkt werden nur ganze Sektoren gelesen</translation>
    </message>
    <message>
        <source>directly</source>
        <translation>direkt</translation>
    </message>
    <message>
        <source>directories</source>
        <translation>Verzeichnisse</translation>
    </message>
    <message>
        <source>directories per operation</source>
        <translation>Verzeichnisse je Operation</translation>
    </message>
    <message>
        <source>each run needs a place of its own: have it write into {out}</source>
        <translation>jeder Lauf braucht einen Ort für sich: ihn in {out} schreiben lassen</translation>
    </message>
    <message>
        <source>either may be the best</source>
        <translation>jede der beiden kann die beste sein</translation>
    </message>
    <message>
        <source>entries</source>
        <translation>Einträge</translation>
    </message>
    <message>
        <source>errors with Dask (#3526)</source>
        <translation>Fehler mit Dask (#3526)</translation>
    </message>
    <message>
        <source>exit code only, output not compared</source>
        <translation>nur der Exit-Code, die Ausgabe nicht verglichen</translation>
    </message>
    <message>
        <source>exit code {code}, {time}</source>
        <translation>Exit-Code {code}, {time}</translation>
    </message>
    <message>
        <source>faster, and costs more</source>
        <translation>schneller, kostet aber mehr</translation>
    </message>
    <message>
        <source>fastest</source>
        <translation>am schnellsten</translation>
    </message>
    <message>
        <source>fetch it and choose the file, or convert it to PMTiles</source>
        <translation>laden Sie sie herunter und wählen Sie die Datei, oder wandeln Sie sie in PMTiles um</translation>
    </message>
    <message>
        <source>fetch or make it again</source>
        <translation>neu holen oder neu herstellen</translation>
    </message>
    <message>
        <source>fetched: regions of 1 base at random places</source>
        <translation>abgerufen: Regionen von 1 Base an zufälligen Stellen</translation>
    </message>
    <message>
        <source>fetched: regions of {count:,} bases at random places</source>
        <translation>abgerufen: Regionen von {count:,} Basen an zufälligen Stellen</translation>
    </message>
    <message>
        <source>fetched: whole sequences of 1 base</source>
        <translation>abgerufen: ganze Sequenzen von 1 Base</translation>
    </message>
    <message>
        <source>fetched: whole sequences of up to {count:,} bases</source>
        <translation>abgerufen: ganze Sequenzen von bis zu {count:,} Basen</translation>
    </message>
    <message>
        <source>fetching nginx</source>
        <translation>nginx wird geholt</translation>
    </message>
    <message>
        <source>fewer do not save core-hours for sure</source>
        <translation>weniger sparen nicht sicher Kernstunden</translation>
    </message>
    <message>
        <source>figures doubtful</source>
        <translation>Zahlen zweifelhaft</translation>
    </message>
    <message>
        <source>file cache</source>
        <translation>Datei-Cache</translation>
    </message>
    <message>
        <source>files an hour: {low} to {high}</source>
        <translation>Dateien pro Stunde: {low} bis {high}</translation>
    </message>
    <message>
        <source>files an hour: {rate}</source>
        <translation>Dateien pro Stunde: {rate}</translation>
    </message>
    <message>
        <source>files at once</source>
        <translation>Dateien zugleich</translation>
    </message>
    <message>
        <source>files in {out}:</source>
        <translation>Dateien in {out}:</translation>
    </message>
    <message>
        <source>folder of tiles by zoom</source>
        <translation>Ordner mit Kacheln nach Zoom</translation>
    </message>
    <message>
        <source>for each {unit}</source>
        <translation>je {unit}</translation>
    </message>
    <message>
        <source>give a file with a table or view tiles ({columns}, tile_data)</source>
        <translation>eine Datei mit einer Tabelle oder Sicht tiles ({columns}, tile_data) angeben</translation>
    </message>
    <message>
        <source>give a folder to write to as the address</source>
        <translation>einen Ordner, in den geschrieben werden darf, als Adresse angeben</translation>
    </message>
    <message>
        <source>give a folder, s3://bucket/prefix or http://host:port/folder</source>
        <translation>einen Ordner, s3://bucket/prefix oder http://host:port/folder angeben</translation>
    </message>
    <message>
        <source>give a part with at most {most:,}</source>
        <translation>einen Teil mit höchstens {most:,} angeben</translation>
    </message>
    <message>
        <source>give a whole number, at least 1 for each, of which there are at most {most:,} splits: {example}</source>
        <translation>Geben Sie eine ganze Zahl, mindestens 1 für jeden, mit höchstens {most:,} Aufteilungen: {example}</translation>
    </message>
    <message>
        <source>give as many numbers, with an x between two</source>
        <translation>ebenso viele Zahlen angeben, mit einem x dazwischen</translation>
    </message>
    <message>
        <source>give both in the same one, such as &apos;0.0004 EUR&apos; and &apos;0.09 EUR&apos;</source>
        <translation>beide in derselben angeben, etwa &apos;0.0004 EUR&apos; und &apos;0.09 EUR&apos;</translation>
    </message>
    <message>
        <source>give http://host:port/folder, without credentials</source>
        <translation>http://host:port/ordner angeben, ohne Zugangsdaten</translation>
    </message>
    <message>
        <source>give https://host/folder/file or s3://bucket/folder/file</source>
        <translation>https://host/ordner/datei oder s3://bucket/ordner/datei angeben</translation>
    </message>
    <message>
        <source>give its folder; only {stores} are read over a network</source>
        <translation>ihren Ordner angeben; über ein Netz werden nur {stores} gelesen</translation>
    </message>
    <message>
        <source>give more with --budget</source>
        <translation>geben Sie mehr mit --budget</translation>
    </message>
    <message>
        <source>give other patterns with --reads, or another folder</source>
        <translation>mit --reads andere Muster angeben, oder einen anderen Ordner</translation>
    </message>
    <message>
        <source>give the address of the same file, so that what is read can be compared</source>
        <translation>die Adresse derselben Datei angeben, damit sich vergleichen lässt, was gelesen wird</translation>
    </message>
    <message>
        <source>give the address that it leads to in the end</source>
        <translation>die Adresse angeben, zu der er am Ende führt</translation>
    </message>
    <message>
        <source>give the whole path of a folder that is there</source>
        <translation>den ganzen Pfad eines Ordners angeben, den es gibt</translation>
    </message>
    <message>
        <source>h5py reads a file of 80 MB in S3 through s3fs, chunk by chunk at random, or in order, while s3fs fetches a block ahead of each read. The link has a round trip of 20 ms and 90 MB/s. For the server: python -m core lab start s3, which the command does by itself.</source>
        <translation>h5py liest eine Datei von 80 MB in S3 durch s3fs, Chunk für Chunk zufällig oder der Reihe nach, während s3fs vor jedem Lesen einen Block voraus holt. Die Verbindung hat einen Hin- und Rückweg von 20 ms und 90 MB/s. Für den Server: python -m core lab start s3, was der Befehl selbst tut.</translation>
    </message>
    <message>
        <source>h5py. HDF5 has one lock for all threads of a process.</source>
        <translation>h5py. HDF5 hat eine Sperre für alle Threads eines Prozesses.</translation>
    </message>
    <message>
        <source>handles</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>has more after its end marker: {size}</source>
        <translation>hat nach seiner Endmarke noch {size}</translation>
    </message>
    <message>
        <source>has more after its end signature: {size}</source>
        <translation>hat nach seiner Endsignatur noch {size}</translation>
    </message>
    <message>
        <source>have it answer ranges with 206, without a cache in between that does not</source>
        <translation>er muss Bereiche mit 206 beantworten, ohne einen Zwischenspeicher davor, der das nicht tut</translation>
    </message>
    <message>
        <source>have it show a certificate that this machine trusts, for the name in the address</source>
        <translation>er muss ein Zertifikat vorweisen, dem dieser Rechner vertraut, für den Namen in der Adresse</translation>
    </message>
    <message>
        <source>have the server list folders as JSON, or read its folder as files</source>
        <translation>den Server Ordner als JSON auflisten lassen, oder seinen Ordner als Dateien lesen</translation>
    </message>
    <message>
        <source>install {package}</source>
        <translation>{package} installieren</translation>
    </message>
    <message>
        <source>install: apt-get install gcc; or set queue_depth to 1</source>
        <translation>installieren: apt-get install gcc; oder queue_depth auf 1 setzen</translation>
    </message>
    <message>
        <source>io threads</source>
        <translation>I/O-Threads</translation>
    </message>
    <message>
        <source>it does not begin as PMTiles do</source>
        <translation>sie beginnt nicht wie PMTiles</translation>
    </message>
    <message>
        <source>it gives {sequence} a length of {listed:,}, not {found:,}</source>
        <translation>er gibt {sequence} eine Länge von {listed:,}, nicht {found:,}</translation>
    </message>
    <message>
        <source>it gives {sequence} a line length of {bases:,} ({width:,} B with the line&apos;s end), not {found:,} ({bytes:,} B)</source>
        <translation>er gibt {sequence} eine Zeilenlänge von {bases:,} ({width:,} B mit dem Zeilenende), nicht {found:,} ({bytes:,} B)</translation>
    </message>
    <message>
        <source>it has 1 thread already</source>
        <translation>er hat schon nur 1 Thread</translation>
    </message>
    <message>
        <source>it has no overviews</source>
        <translation>es hat keine Übersichten</translation>
    </message>
    <message>
        <source>it has {size:,} B of {wanted:,} B</source>
        <translation>sie hat {size:,} B von {wanted:,} B</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>sie ist leer</translation>
    </message>
    <message>
        <source>it is no address of a web server</source>
        <translation>das ist keine Adresse eines Webservers</translation>
    </message>
    <message>
        <source>it is no database of SQLite</source>
        <translation>sie ist keine Datenbank von SQLite</translation>
    </message>
    <message>
        <source>it is striped</source>
        <translation>es besteht aus Streifen</translation>
    </message>
    <message>
        <source>it lists {listed:,} of 1 sequence</source>
        <translation>er führt {listed:,} von 1 Sequenz auf</translation>
    </message>
    <message>
        <source>it lists {listed:,} of {count:,} sequences</source>
        <translation>er führt {listed:,} von {count:,} Sequenzen auf</translation>
    </message>
    <message>
        <source>it names tiles that no zoom has</source>
        <translation>sie nennt Kacheln, die es in keinem Zoom gibt</translation>
    </message>
    <message>
        <source>it runs no command</source>
        <translation>er startet keinen Befehl</translation>
    </message>
    <message>
        <source>it runs no command that a shell could run again</source>
        <translation>er führt keinen Befehl aus, den eine Shell wiederholen könnte</translation>
    </message>
    <message>
        <source>it writes outside of its folder: {path}</source>
        <translation>er schreibt außerhalb seines Ordners: {path}</translation>
    </message>
    <message>
        <source>its certificate is not trusted: {why}</source>
        <translation>seinem Zertifikat wird nicht vertraut: {why}</translation>
    </message>
    <message>
        <source>its command does not have its number of threads</source>
        <translation>sein Befehl enthält seine Anzahl von Threads nicht</translation>
    </message>
    <message>
        <source>its command has no number of threads that could be changed</source>
        <translation>sein Befehl hat keine Zahl von Threads, die sich ändern ließe</translation>
    </message>
    <message>
        <source>its command is empty</source>
        <translation>sein Befehl ist leer</translation>
    </message>
    <message>
        <source>its directories have no end</source>
        <translation>ihre Verzeichnisse nehmen kein Ende</translation>
    </message>
    <message>
        <source>its directory at byte {start:,} cannot be read: {why}</source>
        <translation>ihr Verzeichnis bei Byte {start:,} ist nicht lesbar: {why}</translation>
    </message>
    <message>
        <source>its entries are not in order</source>
        <translation>seine Einträge sind nicht der Reihe nach</translation>
    </message>
    <message>
        <source>its folder has too many files for a copy of it</source>
        <translation>sein Ordner hat zu viele Dateien, um ihn nachzubilden</translation>
    </message>
    <message>
        <source>its input is not there any more</source>
        <translation>seine Eingabe ist nicht mehr da</translation>
    </message>
    <message>
        <source>its rule has changed since it ran</source>
        <translation>seine Regel ist seit dem Lauf geändert worden</translation>
    </message>
    <message>
        <source>judged by a command of yours</source>
        <translation>von einem eigenen Befehl beurteilt</translation>
    </message>
    <message>
        <source>layer of opaque tiles</source>
        <translation>Ebene mit Kacheln in unbekannter Form</translation>
    </message>
    <message>
        <source>leave out chunks, shards and codec</source>
        <translation>chunks, shards und codec weglassen</translation>
    </message>
    <message>
        <source>leave out {names}, or give the address of a server</source>
        <translation>{names} weglassen, oder die Adresse eines Servers angeben</translation>
    </message>
    <message>
        <source>leave out {names}, or give the address of a server without TLS</source>
        <translation>{names} weglassen, oder die Adresse eines Servers ohne TLS angeben</translation>
    </message>
    <message>
        <source>level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>likely faster</source>
        <translation>wahrscheinlich schneller</translation>
    </message>
    <message>
        <source>likely faster than the best of {setting}</source>
        <translation>wahrscheinlich schneller als das Beste mit {setting}</translation>
    </message>
    <message>
        <source>likely slower</source>
        <translation>wahrscheinlich langsamer</translation>
    </message>
    <message>
        <source>likely slower than the best of {setting}</source>
        <translation>wahrscheinlich langsamer als das Beste mit {setting}</translation>
    </message>
    <message>
        <source>likely slower than {other}, which measured best; {sure}.</source>
        <translation>wahrscheinlich langsamer als {other}, am besten gemessen; {sure}.</translation>
    </message>
    <message>
        <source>likely, not in turns</source>
        <translation>wahrscheinlich, nicht abwechselnd</translation>
    </message>
    <message>
        <source>lines missing: {count:,}, in addition: {more:,}, from line {place:,} on</source>
        <translation>fehlende Zeilen: {count:,}, zusätzliche: {more:,}, ab Zeile {place:,}</translation>
    </message>
    <message>
        <source>link bandwidth</source>
        <translation>Bandbreite des Wegs</translation>
    </message>
    <message>
        <source>look whether it is complete, and whether other programs read it</source>
        <translation>nachsehen, ob es vollständig ist und ob andere Programme es lesen</translation>
    </message>
    <message>
        <source>lower it with many threads (#3528)</source>
        <translation>mit vielen Threads senken (#3528)</translation>
    </message>
    <message>
        <source>lower may be better (#3528)</source>
        <translation>weniger kann besser sein (#3528)</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>make its sample, or choose data of its kind</source>
        <translation>ihre Probedaten erzeugen oder Daten ihrer Art wählen</translation>
    </message>
    <message>
        <source>making the raster</source>
        <translation>Das Raster wird erzeugt</translation>
    </message>
    <message>
        <source>measure it, with --repeats 1 if it is long</source>
        <translation>messen Sie es, mit --repeats 1, wenn es lange dauert</translation>
    </message>
    <message>
        <source>measure while nobody changes the data</source>
        <translation>messen, während niemand die Daten ändert</translation>
    </message>
    <message>
        <source>measured here</source>
        <translation>hier gemessen</translation>
    </message>
    <message>
        <source>measured in the {share} of the turns that were quiet</source>
        <translation>gemessen in den {share} der Runden, die ruhig waren</translation>
    </message>
    <message>
        <source>measured in {share} of the turns, quiet ones</source>
        <translation>gemessen in {share} der Runden, den ruhigen</translation>
    </message>
    <message>
        <source>merge ranges</source>
        <translation>Bereiche verbinden</translation>
    </message>
    <message>
        <source>money per TB</source>
        <translation>Geld je TB</translation>
    </message>
    <message>
        <source>more connections were closed than the kernel could tell of</source>
        <translation>es wurden mehr Verbindungen geschlossen, als der Kernel melden konnte</translation>
    </message>
    <message>
        <source>more data</source>
        <translation>mehr Daten</translation>
    </message>
    <message>
        <source>more than a number changes in its command with its threads</source>
        <translation>mit seinen Threads ändert sich in seinem Befehl mehr als eine Zahl</translation>
    </message>
    <message>
        <source>more threads are likely faster, but not surely</source>
        <translation>mehr Threads sind wahrscheinlich schneller, aber nicht sicher</translation>
    </message>
    <message>
        <source>more threads take more of a busy machine</source>
        <translation>mehr Threads nehmen sich mehr von einem belegten Rechner</translation>
    </message>
    <message>
        <source>much better (#3526)</source>
        <translation>viel besser (#3526)</translation>
    </message>
    <message>
        <source>name a Snakefile, a work folder of Nextflow or its trace.txt</source>
        <translation>Geben Sie ein Snakefile, einen Arbeitsordner von Nextflow oder dessen trace.txt an</translation>
    </message>
    <message>
        <source>name other data</source>
        <translation>andere Daten angeben</translation>
    </message>
    <message>
        <source>name the work folder of a run of Nextflow, or its trace.txt</source>
        <translation>Geben Sie den Arbeitsordner eines Laufs von Nextflow oder dessen trace.txt an</translation>
    </message>
    <message>
        <source>needs at least three trials of each</source>
        <translation>braucht mindestens drei Versuche von jedem</translation>
    </message>
    <message>
        <source>needs other data</source>
        <translation>braucht andere Daten</translation>
    </message>
    <message>
        <source>netCDF4 reads files only</source>
        <translation>netCDF4 liest nur Dateien</translation>
    </message>
    <message>
        <source>netCDF4, from files only. Use processes: it crashes where two threads read.</source>
        <translation>netCDF4, nur aus Dateien. Prozesse verwenden: Es stürzt ab, wo zwei Threads lesen.</translation>
    </message>
    <message>
        <source>nginx is not on this machine: {why}</source>
        <translation>nginx fehlt auf diesem Rechner: {why}</translation>
    </message>
    <message>
        <source>no answer within the time limit</source>
        <translation>keine Antwort innerhalb der Frist</translation>
    </message>
    <message>
        <source>no clear difference</source>
        <translation>kein klarer Unterschied</translation>
    </message>
    <message>
        <source>no file in {path} is any of {patterns}</source>
        <translation>keine Datei in {path} passt auf eines von {patterns}</translation>
    </message>
    <message>
        <source>no file in {path} is {patterns}</source>
        <translation>keine Datei in {path} passt auf {patterns}</translation>
    </message>
    <message>
        <source>no proxy can stand in front of {address}: it is encrypted</source>
        <translation>vor {address} kann kein Proxy stehen: die Verbindung ist verschlüsselt</translation>
    </message>
    <message>
        <source>no setting is open any more</source>
        <translation>keine Einstellung ist mehr offen</translation>
    </message>
    <message>
        <source>no work here reads {address}</source>
        <translation>keine Arbeit hier liest {address}</translation>
    </message>
    <message>
        <source>no work here reads {path}</source>
        <translation>keine Arbeit liest hier {path}</translation>
    </message>
    <message>
        <source>none, closed at once</source>
        <translation>keiner, sofort geschlossen</translation>
    </message>
    <message>
        <source>not a good idea (#2256)</source>
        <translation>keine gute Idee (#2256)</translation>
    </message>
    <message>
        <source>not all bytes on the wire are counted: {why}</source>
        <translation>nicht alle Bytes auf der Leitung sind gezählt: {why}</translation>
    </message>
    <message>
        <source>not cloud-optimised: {why}</source>
        <translation>nicht cloud-optimiert: {why}</translation>
    </message>
    <message>
        <source>not cloud-optimised: {why}: 1 request to open</source>
        <translation>nicht cloud-optimiert: {why}: 1 Anfrage zum Öffnen</translation>
    </message>
    <message>
        <source>not cloud-optimised: {why}: {count:,} requests to open</source>
        <translation>nicht cloud-optimiert: {why}: {count:,} Anfragen zum Öffnen</translation>
    </message>
    <message>
        <source>not measurably different</source>
        <translation>nicht messbar verschieden</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>noch nicht gemessen</translation>
    </message>
    <message>
        <source>not told for quiet</source>
        <translation>für Ruhe nicht zu sagen</translation>
    </message>
    <message>
        <source>nothing compared</source>
        <translation>nichts verglichen</translation>
    </message>
    <message>
        <source>nothing is known of it</source>
        <translation>davon ist nichts bekannt</translation>
    </message>
    <message>
        <source>nothing lies between here and a file</source>
        <translation>zwischen hier und einer Datei liegt nichts</translation>
    </message>
    <message>
        <source>nothing of {path} can be read as a session</source>
        <translation>nichts von {path} ist als Sitzung lesbar</translation>
    </message>
    <message>
        <source>obstore, compiled from Rust.</source>
        <translation>obstore, aus Rust kompiliert.</translation>
    </message>
    <message>
        <source>obstore, compiled from Rust: one file by each thread, large ones in parts; it tells of no requests.</source>
        <translation>obstore, aus Rust übersetzt: je Thread eine Datei, große in Teilen; von Anfragen meldet es nichts.</translation>
    </message>
    <message>
        <source>obstore, compiled from Rust; S3 and plain http.</source>
        <translation>obstore, aus Rust übersetzt; S3 und einfaches http.</translation>
    </message>
    <message>
        <source>of {limit}</source>
        <translation>von {limit}</translation>
    </message>
    <message>
        <source>one by one</source>
        <translation>nacheinander</translation>
    </message>
    <message>
        <source>one connection to Amazon S3, GDAL 3.7.1 and 3.8.5; single runs</source>
        <translation>eine Verbindung zu Amazon S3, GDAL 3.7.1 und 3.8.5; einzelne Läufe</translation>
    </message>
    <message>
        <source>one takes {costs}</source>
        <translation>einer braucht {costs}</translation>
    </message>
    <message>
        <source>one, locked</source>
        <translation>eines, mit Sperre</translation>
    </message>
    <message>
        <source>one, no lock</source>
        <translation>eines, ohne Sperre</translation>
    </message>
    <message>
        <source>only Linux tells of sockets</source>
        <translation>nur Linux gibt über Sockets Auskunft</translation>
    </message>
    <message>
        <source>only a command can be tried once</source>
        <translation>nur ein Befehl lässt sich einmal ausführen</translation>
    </message>
    <message>
        <source>open folder</source>
        <translation>Ordner beim Öffnen</translation>
    </message>
    <message>
        <source>other output or errors with threads={threads}</source>
        <translation>andere Ausgabe oder Fehler mit threads={threads}</translation>
    </message>
    <message>
        <source>other programs took {share} of the time on cores that trials could use.</source>
        <translation>andere Programme nahmen {share} der Zeit auf Kernen, die die Versuche nutzen konnten.</translation>
    </message>
    <message>
        <source>others take {taken} of {cores} cores</source>
        <translation>andere nehmen {taken} von {cores} Kernen</translation>
    </message>
    <message>
        <source>others took {share} of the cores, and more threads take more of a busy machine</source>
        <translation>andere nahmen {share} der Kerne, und mehr Threads nehmen sich mehr von einem belegten Rechner</translation>
    </message>
    <message>
        <source>pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>per thread</source>
        <translation>je Thread</translation>
    </message>
    <message>
        <source>per window</source>
        <translation>je Fenster</translation>
    </message>
    <message>
        <source>percentile</source>
        <translation>Perzentil</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>pixels along a side</source>
        <translation>Pixel je Seite</translation>
    </message>
    <message>
        <source>placing the tree</source>
        <translation>der Baum wird abgelegt</translation>
    </message>
    <message>
        <source>pool</source>
        <translation>Pool</translation>
    </message>
    <message>
        <source>prefix</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>prepare</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>preparing answers</source>
        <translation>Antworten werden vorbereitet</translation>
    </message>
    <message>
        <source>price of the step</source>
        <translation>Preis des Schritts</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>processes at most</source>
        <translation>Prozesse höchstens</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>protocol</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>published</source>
        <translation>veröffentlicht</translation>
    </message>
    <message>
        <source>published column: gtgpu-ssd, 20 threads, NVMe SSD; other machines in the claims; one run each, cache dropped</source>
        <translation>Spalte: gtgpu-ssd, 20 Threads, NVMe-SSD; andere Rechner in den Aussagen; je ein Lauf, Cache geleert</translation>
    </message>
    <message>
        <source>published {unit}</source>
        <translation>veröffentlicht {unit}</translation>
    </message>
    <message>
        <source>put those of one kind into a folder of their own</source>
        <translation>die einer Art in einen eigenen Ordner legen</translation>
    </message>
    <message>
        <source>pyfaidx, in Python; BGZF files through Biopython.</source>
        <translation>pyfaidx, in Python; BGZF-Dateien durch Biopython.</translation>
    </message>
    <message>
        <source>queue depth</source>
        <translation>Lesetiefe</translation>
    </message>
    <message>
        <source>quiet</source>
        <translation>ruhig</translation>
    </message>
    <message>
        <source>quiet for {quiet} of {whole} s</source>
        <translation>ruhig seit {quiet} von {whole} s</translation>
    </message>
    <message>
        <source>quiet, Sluice takes {own} cores</source>
        <translation>ruhig, Sluice nimmt {own} Kerne</translation>
    </message>
    <message>
        <source>quota of the control group</source>
        <translation>Quote der Kontrollgruppe</translation>
    </message>
    <message>
        <source>range cache</source>
        <translation>Bereichs-Cache</translation>
    </message>
    <message>
        <source>ranges</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>read</source>
        <translation>Read</translation>
    </message>
    <message>
        <source>read from it, or write to another store</source>
        <translation>daraus lesen, oder in eine andere Ablage schreiben</translation>
    </message>
    <message>
        <source>read it in order, where ids do not matter, with another reader or one process</source>
        <translation>der Reihe nach lesen, wo Kennungen keine Rolle spielen, mit einem anderen Leser oder einem Prozess</translation>
    </message>
    <message>
        <source>read list</source>
        <translation>Liste der Reads</translation>
    </message>
    <message>
        <source>reader</source>
        <translation>Leser</translation>
    </message>
    <message>
        <source>readers</source>
        <translation>Leser</translation>
    </message>
    <message>
        <source>reading back what arrived</source>
        <translation>was ankam, wird zurückgelesen</translation>
    </message>
    <message>
        <source>reading the tiles</source>
        <translation>die Kacheln werden gelesen</translation>
    </message>
    <message>
        <source>reading what arrived</source>
        <translation>was ankam, wird gelesen</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>Reads</translation>
    </message>
    <message>
        <source>reads no {kind}</source>
        <translation>liest nichts davon: {kind}</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>recompress it with bgzip: gunzip -c {name} | bgzip &gt; {stem}.bgz</source>
        <translation>mit bgzip neu packen: gunzip -c {name} | bgzip &gt; {stem}.bgz</translation>
    </message>
    <message>
        <source>records missing: {count:,}, in addition: {more:,}, from number {place:,} on</source>
        <translation>fehlende Datensätze: {count:,}, zusätzliche: {more:,}, ab Nummer {place:,}</translation>
    </message>
    <message>
        <source>refusals</source>
        <translation>Ablehnungen</translation>
    </message>
    <message>
        <source>refusals per operation</source>
        <translation>abgelehnte Anfragen je Operation</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>es entfernen</translation>
    </message>
    <message>
        <source>remove it, or choose another client</source>
        <translation>sie entfernen oder einen anderen Client wählen</translation>
    </message>
    <message>
        <source>remove it: a token is one line</source>
        <translation>Entfernen: ein Token ist eine Zeile</translation>
    </message>
    <message>
        <source>remove one of them</source>
        <translation>eine davon entfernen</translation>
    </message>
    <message>
        <source>removing what was transferred</source>
        <translation>was übertragen wurde, wird entfernt</translation>
    </message>
    <message>
        <source>rename it</source>
        <translation>sie umbenennen</translation>
    </message>
    <message>
        <source>rename it, or choose the client synapse-walk, as Synapse itself takes it</source>
        <translation>Umbenennen, oder den Client synapse-walk wählen, da Synapse selbst es nimmt</translation>
    </message>
    <message>
        <source>reproduced</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>request rate</source>
        <translation>Anfragerate</translation>
    </message>
    <message>
        <source>requests a pass</source>
        <translation>Anfragen je Durchgang</translation>
    </message>
    <message>
        <source>requests and bytes are not counted: {client} is another program</source>
        <translation>Anfragen und Bytes sind nicht gezählt: {client} ist ein anderes Programm</translation>
    </message>
    <message>
        <source>requests are not counted: set round_trip, and a proxy counts</source>
        <translation>Anfragen werden nicht gezählt: mit round_trip zählt ein Proxy</translation>
    </message>
    <message>
        <source>requests are not counted: {client} tells of none</source>
        <translation>Anfragen sind nicht gezählt: {client} nennt keine</translation>
    </message>
    <message>
        <source>requests at once</source>
        <translation>Anfragen zugleich</translation>
    </message>
    <message>
        <source>requests per operation</source>
        <translation>Anfragen je Vorgang</translation>
    </message>
    <message>
        <source>requests to open</source>
        <translation>Anfragen zum Öffnen</translation>
    </message>
    <message>
        <source>requests/s</source>
        <translation>Anfragen/s</translation>
    </message>
    <message>
        <source>resident</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>retries</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>retries are not counted: the client does not tell of them</source>
        <translation>Wiederholungen werden nicht gezählt: der Client meldet keine</translation>
    </message>
    <message>
        <source>retries per operation</source>
        <translation>Wiederholungen je Vorgang</translation>
    </message>
    <message>
        <source>round trip</source>
        <translation>Hin- und Rückweg</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>run chmod +x on it, or name its interpreter before it</source>
        <translation>chmod +x darauf anwenden oder seinen Interpreter davor nennen</translation>
    </message>
    <message>
        <source>run the workflow once with snakemake, then ask again</source>
        <translation>Führen Sie den Workflow einmal mit snakemake aus, und fragen Sie dann erneut</translation>
    </message>
    <message>
        <source>run {number}</source>
        <translation>Lauf {number}</translation>
    </message>
    <message>
        <source>run {number} has lost parts of its plan</source>
        <translation>Lauf {number} hat Teile seines Plans verloren</translation>
    </message>
    <message>
        <source>run {number} of {name} is being measured by another Sluice</source>
        <translation>Lauf {number} von {name} wird von einem anderen Sluice gemessen</translation>
    </message>
    <message>
        <source>run {number} of {session}</source>
        <translation>Lauf {number} von {session}</translation>
    </message>
    <message>
        <source>run {number} was not begun here by you</source>
        <translation>Lauf {number} wurde nicht hier von Ihnen begonnen</translation>
    </message>
    <message>
        <source>running {program}</source>
        <translation>{program} läuft</translation>
    </message>
    <message>
        <source>running {program} on {data} for what outputs are compared with</source>
        <translation>{program} läuft auf {data} für das, womit Ausgaben verglichen werden</translation>
    </message>
    <message>
        <source>running {program} on {data} once more, to see whether its output stays the same</source>
        <translation>{program} läuft noch einmal auf {data}, um zu sehen, ob seine Ausgabe gleich bleibt</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>runs an hour: {low} to {high}</source>
        <translation>Läufe pro Stunde: {low} bis {high}</translation>
    </message>
    <message>
        <source>runs an hour: {rate}</source>
        <translation>Läufe pro Stunde: {rate}</translation>
    </message>
    <message>
        <source>runs at once</source>
        <translation>Läufe zugleich</translation>
    </message>
    <message>
        <source>runs with the same setting write different output: {where}</source>
        <translation>Läufe mit derselben Einstellung schreiben verschiedene Ausgaben: {where}</translation>
    </message>
    <message>
        <source>s3fs of fsspec, on aiobotocore: one event loop for all files, large ones in parts.</source>
        <translation>s3fs von fsspec, auf aiobotocore: eine Ereignisschleife für alle Dateien, große in Teilen.</translation>
    </message>
    <message>
        <source>s3fs of fsspec, on aiobotocore: one event loop for all threads, and two requests for each whole object; S3 only.</source>
        <translation>s3fs von fsspec, auf aiobotocore: eine Ereignisschleife für alle Threads, und zwei Anfragen je ganzem Objekt; nur S3.</translation>
    </message>
    <message>
        <source>s3fs of fsspec, whose own blocks are of 50 MiB.</source>
        <translation>s3fs von fsspec, dessen eigene Blöcke 50 MiB haben.</translation>
    </message>
    <message>
        <source>s3fs: chunks of an HDF5 file in S3, at random and in order, with blocks of 64 KiB to 50 MiB</source>
        <translation>s3fs: Chunks einer HDF5-Datei in S3, zufällig und der Reihe nach, mit Blöcken von 64 KiB bis 50 MiB</translation>
    </message>
    <message>
        <source>s3transfer, as boto3 uses it: its own threads, large files in parts.</source>
        <translation>s3transfer, wie boto3 es benutzt: eigene Threads, große Dateien in Teilen.</translation>
    </message>
    <message>
        <source>s5cmd takes whole MiB only</source>
        <translation>s5cmd nimmt nur ganze MiB</translation>
    </message>
    <message>
        <source>same</source>
        <translation>Gleich</translation>
    </message>
    <message>
        <source>say which, such as #{name}={value}</source>
        <translation>sagen Sie, welches, etwa #{name}={value}</translation>
    </message>
    <message>
        <source>secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>selections</source>
        <translation>Auswahlen</translation>
    </message>
    <message>
        <source>sequence</source>
        <translation>Sequenz</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>Sequenzen</translation>
    </message>
    <message>
        <source>series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>set HOME or {variable}</source>
        <translation>HOME oder {variable} setzen</translation>
    </message>
    <message>
        <source>set SLUICE_SESSIONS to a folder of your own, or name a file with --session</source>
        <translation>SLUICE_SESSIONS auf einen eigenen Ordner setzen oder mit --session eine Datei nennen</translation>
    </message>
    <message>
        <source>set chunks too, and shards to multiples</source>
        <translation>auch chunks setzen und shards auf Vielfache davon</translation>
    </message>
    <message>
        <source>set client to one of: {names}</source>
        <translation>client auf eines davon setzen: {names}</translation>
    </message>
    <message>
        <source>set depth to fetch, which compares their bytes</source>
        <translation>die Tiefe auf fetch stellen, was ihre Bytes vergleicht</translation>
    </message>
    <message>
        <source>set direct to no</source>
        <translation>direct auf no setzen</translation>
    </message>
    <message>
        <source>set it before the run</source>
        <translation>vor dem Lauf setzen</translation>
    </message>
    <message>
        <source>set queue_depth to 1</source>
        <translation>queue_depth auf 1 setzen</translation>
    </message>
    <message>
        <source>set store to {store}, or give the address of a copy</source>
        <translation>store auf {store} setzen, oder die Adresse für eine Kopie angeben</translation>
    </message>
    <message>
        <source>set the others with their flags, or measure all combinations</source>
        <translation>die anderen fest einstellen oder alle Kombinationen messen</translation>
    </message>
    <message>
        <source>set this machine&apos;s clock, best by NTP: it differs from the server&apos;s by too much</source>
        <translation>die Uhr dieses Rechners stellen, am besten per NTP: sie weicht zu weit von der des Servers ab</translation>
    </message>
    <message>
        <source>set {variable} to a folder that can be written</source>
        <translation>{variable} auf einen beschreibbaren Ordner setzen</translation>
    </message>
    <message>
        <source>shards</source>
        <translation>Shards</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>sharing</source>
        <translation>Teilung</translation>
    </message>
    <message>
        <source>shell</source>
        <translation>Shell</translation>
    </message>
    <message>
        <source>shortened</source>
        <translation>verkürzt</translation>
    </message>
    <message>
        <source>shortened: {time}</source>
        <translation>verkürzt: {time}</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>size of the need</source>
        <translation>Größe der Bedarfsfrage</translation>
    </message>
    <message>
        <source>slice</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>langsamer</translation>
    </message>
    <message>
        <source>snakemake cannot plan {path}: {cause}</source>
        <translation>snakemake kann {path} nicht planen: {cause}</translation>
    </message>
    <message>
        <source>snakemake is not on PATH</source>
        <translation>snakemake ist nicht im PATH</translation>
    </message>
    <message>
        <source>somebody moves it meanwhile</source>
        <translation>Jemand verschiebt es währenddessen</translation>
    </message>
    <message>
        <source>something is mounted there; take it away with `umount`</source>
        <translation>Dort ist etwas eingehängt; mit `umount` aushängen</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>stall</source>
        <translation>Stillstand</translation>
    </message>
    <message>
        <source>start a new run</source>
        <translation>einen neuen Lauf starten</translation>
    </message>
    <message>
        <source>start it first: {command}</source>
        <translation>es zuerst starten: {command}</translation>
    </message>
    <message>
        <source>started 1 thread</source>
        <translation>1 Thread gestartet</translation>
    </message>
    <message>
        <source>started {count:,} threads</source>
        <translation>{count:,} Threads gestartet</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>stdout, {size}:</source>
        <translation>stdout, {size}:</translation>
    </message>
    <message>
        <source>stop it, and start it again: {command}</source>
        <translation>Anhalten und neu starten: {command}</translation>
    </message>
    <message>
        <source>store {time} ms away</source>
        <translation>Speicher {time} ms entfernt</translation>
    </message>
    <message>
        <source>subset</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>sure</source>
        <translation>sicher</translation>
    </message>
    <message>
        <source>surely within {share}</source>
        <translation>sicher innerhalb von {share}</translation>
    </message>
    <message>
        <source>svfsc as Python programs use it.</source>
        <translation>svfsc, wie Python-Programme es benutzen.</translation>
    </message>
    <message>
        <source>svfsc&apos;s C++ classes, called by a small program in runs of many calls.</source>
        <translation>Die C++-Klassen von svfsc, von einem kleinen Programm in Folgen vieler Aufrufe aufgerufen.</translation>
    </message>
    <message>
        <source>synapse-sync takes no file with an apostrophe: {file}</source>
        <translation>synapse-sync nimmt keine Datei mit Apostroph: {file}</translation>
    </message>
    <message>
        <source>synapseclient, store and get file after file; threads only move the parts of large ones.</source>
        <translation>synapseclient, store und get Datei für Datei; Threads bewegen nur die Teile großer Dateien.</translation>
    </message>
    <message>
        <source>synapseutils, syncToSynapse and syncFromSynapse: many files at once, in parts of 8 MiB.</source>
        <translation>synapseutils, syncToSynapse und syncFromSynapse: viele Dateien zugleich, in Teilen von 8 MiB.</translation>
    </message>
    <message>
        <source>take a block_size of 4096 or more, copy the data to a local disk, or set direct to no</source>
        <translation>eine block_size von 4096 oder mehr nehmen, die Daten auf eine lokale Platte kopieren oder direct auf no setzen</translation>
    </message>
    <message>
        <source>take a multiple of {least}</source>
        <translation>ein Vielfaches von {least} nehmen</translation>
    </message>
    <message>
        <source>temporary disk</source>
        <translation>Platz für Zwischendateien</translation>
    </message>
    <message>
        <source>tensorstore, in C++.</source>
        <translation>tensorstore, in C++.</translation>
    </message>
    <message>
        <source>that this needs</source>
        <translation>die dies braucht</translation>
    </message>
    <message>
        <source>the CPU time of an operation is {few} with {least}, and {many} with {most}.</source>
        <translation>die CPU-Zeit einer Operation ist {few} mit {least} und {many} mit {most}.</translation>
    </message>
    <message>
        <source>the answer ended after {size:,} of {whole:,} B</source>
        <translation>die Antwort endete nach {size:,} von {whole:,} B</translation>
    </message>
    <message>
        <source>the array has {axes} axes</source>
        <translation>das Array hat {axes} Achsen</translation>
    </message>
    <message>
        <source>the baseline</source>
        <translation>die Grundlage</translation>
    </message>
    <message>
        <source>the baseline counts {one}s, the candidate {two}s</source>
        <translation>die Basis zählt in {one}, der Kandidat in {two}</translation>
    </message>
    <message>
        <source>the baseline has no values: {why}</source>
        <translation>die Basis hat keine Werte: {why}</translation>
    </message>
    <message>
        <source>the baseline&apos;s server was reached {one}, the candidate&apos;s {two}</source>
        <translation>der Server der Grundlage wurde {one} erreicht, der des Kandidaten {two}</translation>
    </message>
    <message>
        <source>the best measured, as good within {near:g} % as {other}; {sure}.</source>
        <translation>das beste Gemessene, bis auf {near:g} % so gut wie {other}; {sure}.</translation>
    </message>
    <message>
        <source>the best measured, likely faster than {other}; {sure}.</source>
        <translation>am besten gemessen, wahrscheinlich schneller als {other}; {sure}.</translation>
    </message>
    <message>
        <source>the best measured, not measurably different from {other}; {sure}.</source>
        <translation>das beste Gemessene, nicht messbar verschieden von {other}; {sure}.</translation>
    </message>
    <message>
        <source>the best measured; too few trials to tell it from {other}; {sure}.</source>
        <translation>am besten gemessen; zu wenige Versuche für einen Unterschied zu {other}; {sure}.</translation>
    </message>
    <message>
        <source>the candidate</source>
        <translation>der Kandidat</translation>
    </message>
    <message>
        <source>the candidate has a trial whose {metric} is 0</source>
        <translation>der Kandidat hat einen Versuch, dessen {metric} 0 ist</translation>
    </message>
    <message>
        <source>the candidate has no throughput: {why}</source>
        <translation>der Kandidat hat keinen Durchsatz: {why}</translation>
    </message>
    <message>
        <source>the candidate ran several at once, the baseline one after the other</source>
        <translation>der Kandidat lief mehrfach zugleich, die Basis nacheinander</translation>
    </message>
    <message>
        <source>the client never transferred it</source>
        <translation>der Client hat sie nie übertragen</translation>
    </message>
    <message>
        <source>the client of Synapse gave up: {why}</source>
        <translation>der Client von Synapse gab auf: {why}</translation>
    </message>
    <message>
        <source>the client slept for {share} of its threads&apos; time</source>
        <translation>Der Client schlief {share} der Zeit seiner Threads</translation>
    </message>
    <message>
        <source>the client {client} needs an address</source>
        <translation>der Client {client} braucht eine Adresse</translation>
    </message>
    <message>
        <source>the command names no {placeholder}, and its stdin is empty: it reads nothing of the dataset</source>
        <translation>Das Kommando nennt kein {placeholder}, und seine Standardeingabe ist leer: es liest nichts vom Datensatz</translation>
    </message>
    <message>
        <source>the command put out nothing that could be compared</source>
        <translation>Das Kommando gab nichts aus, was verglichen werden könnte</translation>
    </message>
    <message>
        <source>the command writes no files into {out}</source>
        <translation>der Befehl schreibt keine Dateien nach {out}</translation>
    </message>
    <message>
        <source>the connection ended before the answer was complete</source>
        <translation>die Verbindung endete, bevor die Antwort vollständig war</translation>
    </message>
    <message>
        <source>the data is shorter than it says itself</source>
        <translation>die Daten sind kürzer, als sie selbst angeben</translation>
    </message>
    <message>
        <source>the dataset names no sequence that has bases</source>
        <translation>die Daten nennen keine Sequenz, die Basen hat</translation>
    </message>
    <message>
        <source>the file ends within block {number:,}</source>
        <translation>die Datei endet in Block {number:,}</translation>
    </message>
    <message>
        <source>the folder of {path} does not exist</source>
        <translation>den Ordner von {path} gibt es nicht</translation>
    </message>
    <message>
        <source>the folder that it ran in is gone</source>
        <translation>der Ordner, in dem er lief, ist weg</translation>
    </message>
    <message>
        <source>the folder {name} in Synapse is not one that Sluice has made</source>
        <translation>den Ordner {name} in Synapse hat nicht Sluice angelegt</translation>
    </message>
    <message>
        <source>the folder {path} cannot be made: {why}</source>
        <translation>der Ordner {path} kann nicht angelegt werden: {why}</translation>
    </message>
    <message>
        <source>the kernel {release} lacks the system call {call}, or a container forbids it: use a newer kernel, or another seccomp profile</source>
        <translation>Dem Kernel {release} fehlt der Systemaufruf {call}, oder ein Container verbietet ihn: einen neueren Kernel oder ein anderes seccomp-Profil verwenden</translation>
    </message>
    <message>
        <source>the kernel {release}, or the container, forbids the system call {call}: use another seccomp profile, or more rights</source>
        <translation>Der Kernel {release} oder der Container verbietet den Systemaufruf {call}: ein anderes seccomp-Profil oder mehr Rechte verwenden</translation>
    </message>
    <message>
        <source>the key {name}</source>
        <translation>der Schlüssel {name}</translation>
    </message>
    <message>
        <source>the keys of this layer are not places on a Z-order curve: {why}</source>
        <translation>die Schlüssel dieser Ebene sind keine Plätze auf einer Z-Kurve: {why}</translation>
    </message>
    <message>
        <source>the lab has no S3 to keep files in</source>
        <translation>das Lab hat kein S3, um Dateien darin zu halten</translation>
    </message>
    <message>
        <source>the length of the header before the first record</source>
        <translation>die Länge des Kopfes vor dem ersten Datensatz</translation>
    </message>
    <message>
        <source>the library&apos;s own</source>
        <translation>wie die Bibliothek selbst</translation>
    </message>
    <message>
        <source>the machine and the data of {source} are not known</source>
        <translation>Rechner und Daten von {source} sind nicht bekannt</translation>
    </message>
    <message>
        <source>the output is {found}, not as expected</source>
        <translation>die Ausgabe ist {found}, nicht wie erwartet</translation>
    </message>
    <message>
        <source>the packages {names} have none</source>
        <translation>in den Paketen {names} ist keines</translation>
    </message>
    <message>
        <source>the page cache held {first} of the data for the baseline and {second} for the candidate</source>
        <translation>der Seitencache hielt {first} der Daten für die Grundlage und {second} für den Kandidaten</translation>
    </message>
    <message>
        <source>the prices of requests and of bytes have different currencies</source>
        <translation>die Preise von Anfragen und von Bytes haben verschiedene Währungen</translation>
    </message>
    <message>
        <source>the proxy in front of the server has ended</source>
        <translation>der Proxy vor dem Server ist beendet</translation>
    </message>
    <message>
        <source>the quotes do not match</source>
        <translation>die Anführungszeichen passen nicht zusammen</translation>
    </message>
    <message>
        <source>the range of {name} goes from {low} to {high}</source>
        <translation>der Bereich von {name} geht von {low} bis {high}</translation>
    </message>
    <message>
        <source>the raster cannot be made: {why}</source>
        <translation>das Raster kann nicht erzeugt werden: {why}</translation>
    </message>
    <message>
        <source>the region from {start:,} to {stop:,} goes backwards</source>
        <translation>Die Region von {start:,} bis {stop:,} läuft rückwärts</translation>
    </message>
    <message>
        <source>the region from {start:,} to {stop:,} has no bases</source>
        <translation>Die Region von {start:,} bis {stop:,} hat keine Basen</translation>
    </message>
    <message>
        <source>the rest is lost</source>
        <translation>der Rest ist verloren</translation>
    </message>
    <message>
        <source>the same as with 1 thread</source>
        <translation>dasselbe wie mit 1 Thread</translation>
    </message>
    <message>
        <source>the same as with {count:,} threads</source>
        <translation>dasselbe wie mit {count:,} Threads</translation>
    </message>
    <message>
        <source>the same output in each run</source>
        <translation>dieselbe Ausgabe in jedem Lauf</translation>
    </message>
    <message>
        <source>the same output in each run of a file</source>
        <translation>dieselbe Ausgabe in jedem Lauf einer Datei</translation>
    </message>
    <message>
        <source>the same {count:,} lines in another order, from line {place:,} on</source>
        <translation>dieselben {count:,} Zeilen in anderer Reihenfolge, ab Zeile {place:,}</translation>
    </message>
    <message>
        <source>the same {count:,} records in another order, from number {place:,} on</source>
        <translation>dieselben {count:,} Datensätze in anderer Reihenfolge, ab Nummer {place:,}</translation>
    </message>
    <message>
        <source>the secret at {place} has a line break in it</source>
        <translation>Im Geheimnis bei {place} ist ein Zeilenumbruch</translation>
    </message>
    <message>
        <source>the secret at {place} has letters outside ASCII, or of control</source>
        <translation>Im Geheimnis bei {place} sind Zeichen außerhalb von ASCII oder Steuerzeichen</translation>
    </message>
    <message>
        <source>the server answers something that is not HTTP</source>
        <translation>der Server antwortet etwas, das kein HTTP ist</translation>
    </message>
    <message>
        <source>the server answers with another range than it was asked for</source>
        <translation>der Server antwortet mit einem anderen Bereich als verlangt</translation>
    </message>
    <message>
        <source>the server lists nothing at {path}</source>
        <translation>der Server listet bei {path} nichts auf</translation>
    </message>
    <message>
        <source>the server refuses {share} of the requests</source>
        <translation>der Server lehnt {share} der Anfragen ab</translation>
    </message>
    <message>
        <source>the server sends on to other addresses without an end</source>
        <translation>der Server leitet ohne Ende an andere Adressen weiter</translation>
    </message>
    <message>
        <source>the server&apos;s certificate is not trusted</source>
        <translation>dem Zertifikat des Servers wird nicht vertraut</translation>
    </message>
    <message>
        <source>the store failed: {why}</source>
        <translation>die Ablage versagte: {why}</translation>
    </message>
    <message>
        <source>the store {store} has no tiles of layer {layer}</source>
        <translation>die Ablage {store} hat keine Kacheln der Ebene {layer}</translation>
    </message>
    <message>
        <source>the store {store} is in a folder, and {address!r} is none</source>
        <translation>die Ablage {store} ist ein Ordner, und {address!r} ist keiner</translation>
    </message>
    <message>
        <source>the table is no layer of tiles: {reason}</source>
        <translation>die Tabelle ist keine Ebene aus Kacheln: {reason}</translation>
    </message>
    <message>
        <source>the tiles are in another store, {store}</source>
        <translation>die Kacheln sind in einer anderen Ablage, {store}</translation>
    </message>
    <message>
        <source>the tiles of an adopted layer are not here</source>
        <translation>die Kacheln einer übernommenen Ebene sind nicht hier</translation>
    </message>
    <message>
        <source>the tiles of this layer are encoded in a way that is not known here</source>
        <translation>die Kacheln dieser Ebene sind auf eine Weise codiert, die hier nicht bekannt ist</translation>
    </message>
    <message>
        <source>the trace {path} lacks {fields}</source>
        <translation>In der Trace-Datei {path} fehlt {fields}</translation>
    </message>
    <message>
        <source>the tree has no files in {folder}</source>
        <translation>der Baum hat keine Dateien in {folder}</translation>
    </message>
    <message>
        <source>the tree has no folder {folder}</source>
        <translation>der Baum hat keinen Ordner {folder}</translation>
    </message>
    <message>
        <source>the whole machine</source>
        <translation>die ganze Maschine</translation>
    </message>
    <message>
        <source>there are: {names}</source>
        <translation>es gibt: {names}</translation>
    </message>
    <message>
        <source>there is no command</source>
        <translation>es gibt keinen Befehl</translation>
    </message>
    <message>
        <source>there is no earlier run of the same data in this session</source>
        <translation>diese Sitzung hat keinen früheren Lauf mit denselben Daten</translation>
    </message>
    <message>
        <source>there is no file {path}</source>
        <translation>Die Datei {path} gibt es nicht</translation>
    </message>
    <message>
        <source>there is no home folder</source>
        <translation>es gibt keinen Heimordner</translation>
    </message>
    <message>
        <source>there is no secret at {place}</source>
        <translation>bei {place} gibt es kein Geheimnis</translation>
    </message>
    <message>
        <source>there is no {kind} named {name!r}</source>
        <translation>es gibt nichts namens {name!r} ({kind})</translation>
    </message>
    <message>
        <source>there is no {name} in the command</source>
        <translation>es gibt kein {name} im Befehl</translation>
    </message>
    <message>
        <source>there is no {other}</source>
        <translation>Es gibt kein {other}</translation>
    </message>
    <message>
        <source>there is no {program}</source>
        <translation>es gibt kein {program}</translation>
    </message>
    <message>
        <source>there is {key}</source>
        <translation>es gibt {key}</translation>
    </message>
    <message>
        <source>there would be {count:,} in all processes</source>
        <translation>es wären {count:,} in allen Prozessen</translation>
    </message>
    <message>
        <source>there would be {count:,} trials</source>
        <translation>es wären {count:,} Versuche</translation>
    </message>
    <message>
        <source>these trials could show a difference of {share} or more; repeat to see a smaller one</source>
        <translation>diese Versuche könnten einen Unterschied ab {share} zeigen; mehr Wiederholungen zeigen einen kleineren</translation>
    </message>
    <message>
        <source>these trials could show no difference of any size; repeat them</source>
        <translation>diese Versuche könnten keinen Unterschied zeigen, wie groß er auch sei; mehr Wiederholungen helfen</translation>
    </message>
    <message>
        <source>they might use {one:g} and {two:g} cores</source>
        <translation>sie durften {one:g} und {two:g} Kerne nutzen</translation>
    </message>
    <message>
        <source>they read different data</source>
        <translation>sie lesen verschiedene Daten</translation>
    </message>
    <message>
        <source>they were measured on different machines ({one} and {two})</source>
        <translation>sie wurden auf verschiedenen Rechnern gemessen ({one} und {two})</translation>
    </message>
    <message>
        <source>this client has {most} at most</source>
        <translation>dieser Client hat höchstens {most}</translation>
    </message>
    <message>
        <source>this is a fault of Sluice: {error}</source>
        <translation>Das ist ein Fehler von Sluice: {error}</translation>
    </message>
    <message>
        <source>this is not a list of references to secrets</source>
        <translation>das ist keine Liste von Verweisen auf Geheimnisse</translation>
    </message>
    <message>
        <source>this is not a reference to a secret</source>
        <translation>dies ist kein Verweis auf ein Geheimnis</translation>
    </message>
    <message>
        <source>this is not what the program did</source>
        <translation>das ist nicht, was das Programm tat</translation>
    </message>
    <message>
        <source>this kernel cannot keep it from writing elsewhere (Landlock, Linux 5.13)</source>
        <translation>dieser Kernel kann ihn nicht hindern, anderswo zu schreiben (Landlock, Linux 5.13)</translation>
    </message>
    <message>
        <source>this kernel does not count the bytes of a connection</source>
        <translation>dieser Kernel zählt die Bytes einer Verbindung nicht</translation>
    </message>
    <message>
        <source>this setting</source>
        <translation>diese Einstellung</translation>
    </message>
    <message>
        <source>this study needs other data than {kind}</source>
        <translation>diese Studie braucht andere Daten als {kind}</translation>
    </message>
    <message>
        <source>this system does not bind programs to cores</source>
        <translation>dieses System bindet Programme nicht an Kerne</translation>
    </message>
    <message>
        <source>this system has no apt to fetch it with</source>
        <translation>dieses System hat kein apt, um es zu holen</translation>
    </message>
    <message>
        <source>this tree would have {files:,} files</source>
        <translation>dieser Baum hätte {files:,} Dateien</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>threads cannot be told</source>
        <translation>Threads nicht zu sagen</translation>
    </message>
    <message>
        <source>threads each</source>
        <translation>Threads je Lauf</translation>
    </message>
    <message>
        <source>threads granted: {count}, cores of this machine: {cores:g}</source>
        <translation>zugeteilte Threads: {count}, Kerne dieses Rechners: {cores:g}</translation>
    </message>
    <message>
        <source>threads would damage the file that they share</source>
        <translation>Threads würden die Datei beschädigen, die sie teilen</translation>
    </message>
    <message>
        <source>through the lab&apos;s proxy</source>
        <translation>über den Proxy des Labors</translation>
    </message>
    <message>
        <source>through the slow link, {limits}</source>
        <translation>über die langsame Verbindung, {limits}</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>throughput likely higher</source>
        <translation>Durchsatz wahrscheinlich höher</translation>
    </message>
    <message>
        <source>throughput likely lower</source>
        <translation>Durchsatz wahrscheinlich niedriger</translation>
    </message>
    <message>
        <source>throughput not measurably different</source>
        <translation>Durchsatz nicht messbar verschieden</translation>
    </message>
    <message>
        <source>throughput the same within {near:g} %</source>
        <translation>Durchsatz gleich bis auf {near:g} %</translation>
    </message>
    <message>
        <source>throughput: too few trials to tell</source>
        <translation>Durchsatz: zu wenige Versuche, um es zu sagen</translation>
    </message>
    <message>
        <source>tile {place} has no bytes</source>
        <translation>Kachel {place} hat keine Bytes</translation>
    </message>
    <message>
        <source>tile {place} is found by one reader only</source>
        <translation>Kachel {place} findet nur einer von zwei Lesern</translation>
    </message>
    <message>
        <source>tile {place} is not there any more</source>
        <translation>Kachel {place} ist nicht mehr da</translation>
    </message>
    <message>
        <source>tile {tile} is not in {path} as it was</source>
        <translation>Kachel {tile} ist nicht in {path}, wie sie war</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>time per run</source>
        <translation>Zeit je Lauf</translation>
    </message>
    <message>
        <source>time per tile</source>
        <translation>Zeit je Kachel</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>Zeit um</translation>
    </message>
    <message>
        <source>times of members</source>
        <translation>Zeiten der Mitglieder</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>too few trials of the best</source>
        <translation>zu wenige Versuche des besten</translation>
    </message>
    <message>
        <source>too few trials to tell</source>
        <translation>zu wenige Versuche, um es zu sagen</translation>
    </message>
    <message>
        <source>too few trials to tell it from the best of {setting}</source>
        <translation>zu wenige Versuche für einen Unterschied zum Besten mit {setting}</translation>
    </message>
    <message>
        <source>too few trials to tell it from {other}, which measured best; {sure}.</source>
        <translation>zu wenige Versuche für einen Unterschied zu {other}, am besten gemessen; {sure}.</translation>
    </message>
    <message>
        <source>too little was measured twice to know the noise.</source>
        <translation>zu wenig wurde zweimal gemessen, um das Rauschen zu kennen.</translation>
    </message>
    <message>
        <source>too many open files, {used} of at most {limit}: {advice}</source>
        <translation>zu viele offene Dateien, {used} von höchstens {limit}: {advice}</translation>
    </message>
    <message>
        <source>too many open files: {advice}</source>
        <translation>zu viele offene Dateien: {advice}</translation>
    </message>
    <message>
        <source>took</source>
        <translation>dauerte</translation>
    </message>
    <message>
        <source>tree of files</source>
        <translation>Baum von Dateien</translation>
    </message>
    <message>
        <source>try again</source>
        <translation>noch einmal versuchen</translation>
    </message>
    <message>
        <source>try {setting}</source>
        <translation>{setting} versuchen</translation>
    </message>
    <message>
        <source>trying</source>
        <translation>wird ausprobiert</translation>
    </message>
    <message>
        <source>unavailable: a C compiler is missing, which several reads in flight need</source>
        <translation>nicht verfügbar: es fehlt ein C-Compiler, den mehrere gleichzeitige Lesezugriffe brauchen</translation>
    </message>
    <message>
        <source>unavailable: direct reads of {size} of {path}</source>
        <translation>nicht verfügbar: direktes Lesen von {size} aus {path}</translation>
    </message>
    <message>
        <source>unavailable: io_uring ({why})</source>
        <translation>nicht verfügbar: io_uring ({why})</translation>
    </message>
    <message>
        <source>unavailable: the GDAL of this rasterio cannot be asked what it keeps</source>
        <translation>nicht verfügbar: das GDAL dieses rasterio lässt sich nicht fragen, was es behält</translation>
    </message>
    <message>
        <source>unavailable: this system has no direct reads</source>
        <translation>nicht verfügbar: dieses System liest nicht direkt</translation>
    </message>
    <message>
        <source>unavailable: {name} is missing</source>
        <translation>nicht verfügbar: {name} fehlt</translation>
    </message>
    <message>
        <source>unavailable: {name} is not on PATH</source>
        <translation>nicht verfügbar: {name} ist nicht im PATH</translation>
    </message>
    <message>
        <source>until done</source>
        <translation>bis fertig</translation>
    </message>
    <message>
        <source>up to 2 MB a request</source>
        <translation>bis 2 MB je Anfrage</translation>
    </message>
    <message>
        <source>up to about {whole} files will be open in a process, where {allowed} may be: lower {what}, or raise `ulimit -n`</source>
        <translation>bis zu etwa {whole} Dateien werden in einem Prozess offen sein, wo es {allowed} sein dürfen: {what} senken oder `ulimit -n` erhöhen</translation>
    </message>
    <message>
        <source>use 1 thread, processes, or a reader for each thread</source>
        <translation>1 Thread, Prozesse oder einen Leser für jeden Thread verwenden</translation>
    </message>
    <message>
        <source>use Linux 5.6 or newer, or set queue_depth to 1</source>
        <translation>Linux 5.6 oder neuer verwenden oder queue_depth auf 1 setzen</translation>
    </message>
    <message>
        <source>use letters, digits, spaces and - + . _ ( ) &apos; only, or choose another client</source>
        <translation>nur Buchstaben, Ziffern, Leerzeichen und - + . _ ( ) &apos; verwenden oder einen anderen Client wählen</translation>
    </message>
    <message>
        <source>use one of {endings}</source>
        <translation>eines von {endings} nehmen</translation>
    </message>
    <message>
        <source>use the wheel: {command}</source>
        <translation>mit dem Wheel geht es: {command}</translation>
    </message>
    <message>
        <source>use this</source>
        <translation>diese nehmen</translation>
    </message>
    <message>
        <source>use this for now</source>
        <translation>vorerst dies nehmen</translation>
    </message>
    <message>
        <source>use {setting}: it was right with as many threads</source>
        <translation>{setting} verwenden: Mit ebenso vielen Threads war es richtig</translation>
    </message>
    <message>
        <source>used {used} of 1 granted core ({source})</source>
        <translation>{used} von 1 gewährten Kern genutzt ({source})</translation>
    </message>
    <message>
        <source>used {used} of {count:g} granted cores ({source})</source>
        <translation>{used} von {count:g} gewährten Kernen genutzt ({source})</translation>
    </message>
    <message>
        <source>verifying</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>version by</source>
        <translation>Version durch</translation>
    </message>
    <message>
        <source>version {one} and {two} of {workload} do other work</source>
        <translation>Fassung {one} und {two} von {workload} tun anderes</translation>
    </message>
    <message>
        <source>wait for the writer, or open the snapshot once with SeqRepo to recover it</source>
        <translation>auf den Schreiber warten oder den Abzug einmal mit SeqRepo öffnen, um ihn herzustellen</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>waiting for the store {name} at {address}: {seconds} s</source>
        <translation>Warten auf den Speicher {name} unter {address}: {seconds} s</translation>
    </message>
    <message>
        <source>waiting for {time}</source>
        <translation>wartet seit {time}</translation>
    </message>
    <message>
        <source>wall seconds</source>
        <translation>Sekunden je Lauf</translation>
    </message>
    <message>
        <source>wall seconds per operation</source>
        <translation>Sekunden je Vorgang</translation>
    </message>
    <message>
        <source>warm up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>warming the page cache</source>
        <translation>Seitencache wird gefüllt</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>what is at the address is read as it is</source>
        <translation>was unter der Adresse liegt, wird gelesen, wie es ist</translation>
    </message>
    <message>
        <source>what is left of {path} is no session: {why}</source>
        <translation>was von {path} übrig ist, ist keine Sitzung: {why}</translation>
    </message>
    <message>
        <source>what is right is not known, as another library fails: {why}</source>
        <translation>was richtig ist, ist nicht bekannt, weil eine andere Bibliothek scheitert: {why}</translation>
    </message>
    <message>
        <source>what they write changes now and then</source>
        <translation>was sie schreiben, ändert sich ab und zu</translation>
    </message>
    <message>
        <source>what was fetched is gone</source>
        <translation>was geholt wurde, ist nicht mehr da</translation>
    </message>
    <message>
        <source>whether processes would do better was not measured</source>
        <translation>ob Prozesse besser wären, wurde nicht gemessen</translation>
    </message>
    <message>
        <source>which number is its threads cannot be told</source>
        <translation>welche Zahl seine Threads sind, ist nicht zu erkennen</translation>
    </message>
    <message>
        <source>whole pages</source>
        <translation>ganze Seiten</translation>
    </message>
    <message>
        <source>window {columns} × {rows} at column {column}, row {row}</source>
        <translation>Fenster {columns} × {rows} bei Spalte {column}, Zeile {row}</translation>
    </message>
    <message>
        <source>windows</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>wire bytes</source>
        <translation>übertragene Bytes</translation>
    </message>
    <message>
        <source>within 35 % of 0.2 µs + 0.1 ns a byte</source>
        <translation>höchstens 35 % von 0.2 µs + 0.1 ns je Byte entfernt</translation>
    </message>
    <message>
        <source>within {share}</source>
        <translation>auf {share} genau</translation>
    </message>
    <message>
        <source>without {what} ({count:,})</source>
        <translation>ohne {what} ({count:,})</translation>
    </message>
    <message>
        <source>workload</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>write a generated one: {command}</source>
        <translation>eine erzeugte schreiben: {command}</translation>
    </message>
    <message>
        <source>write each path in a line of its own, such as with: ls {pattern}</source>
        <translation>Jeden Pfad in eine eigene Zeile schreiben, etwa mit: ls {pattern}</translation>
    </message>
    <message>
        <source>write it anew with directories in gzip, as pmtiles convert does</source>
        <translation>neu mit Verzeichnissen in gzip schreiben, wie pmtiles convert es tut</translation>
    </message>
    <message>
        <source>write it as those in {folder}</source>
        <translation>wie die in {folder} schreiben</translation>
    </message>
    <message>
        <source>write it without quotes and spaces around it</source>
        <translation>Ohne Anführungszeichen und Leerzeichen darum schreiben</translation>
    </message>
    <message>
        <source>write the whole path in place of ~</source>
        <translation>Statt ~ den ganzen Pfad schreiben</translation>
    </message>
    <message>
        <source>write this into nextflow.config, and run again:
{block}</source>
        <translation>Schreiben Sie dies in nextflow.config, und wiederholen Sie den Lauf:
{block}</translation>
    </message>
    <message>
        <source>write {number}</source>
        <translation>{number} schreiben</translation>
    </message>
    <message>
        <source>write {number} or {other}</source>
        <translation>{number} oder {other} schreiben</translation>
    </message>
    <message>
        <source>write {whole} or {part}</source>
        <translation>{whole} oder {part} schreiben</translation>
    </message>
    <message>
        <source>writes into</source>
        <translation>schreibt in</translation>
    </message>
    <message>
        <source>writing sequences</source>
        <translation>Sequenzen werden geschrieben</translation>
    </message>
    <message>
        <source>writing signals</source>
        <translation>Signale werden geschrieben</translation>
    </message>
    <message>
        <source>writing the array</source>
        <translation>Schreiben des Arrays</translation>
    </message>
    <message>
        <source>wrong data</source>
        <translation>falsche Daten</translation>
    </message>
    <message>
        <source>wrong data in {count:,}</source>
        <translation>falsche Daten in {count:,}</translation>
    </message>
    <message>
        <source>xavierjet2, 8 threads: BLOW5 CXX against BLOW5 C</source>
        <translation>xavierjet2, 8 Threads: BLOW5 CXX gegen BLOW5 C</translation>
    </message>
    <message>
        <source>xavierjet2, 8 threads: POD5 io against BLOW5 C</source>
        <translation>xavierjet2, 8 Threads: POD5 io gegen BLOW5 C</translation>
    </message>
    <message>
        <source>xavierjet2, 8 threads: POD5 mmap against BLOW5 C</source>
        <translation>xavierjet2, 8 Threads: POD5 mmap gegen BLOW5 C</translation>
    </message>
    <message>
        <source>xavierjet2: share of the disc in BLOW5 CXX</source>
        <translation>xavierjet2: Anteil der Platte bei BLOW5 CXX</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>zarr-python with the pipeline zarrs, in Rust.</source>
        <translation>zarr-python mit der Pipeline zarrs, in Rust.</translation>
    </message>
    <message>
        <source>zarr-python, on remote data through obstore.</source>
        <translation>zarr-python, bei entfernten Daten über obstore.</translation>
    </message>
    <message>
        <source>zarr-python: 10 or 64 requests at once, through four distances, with small and large chunks</source>
        <translation>zarr-python: 10 oder 64 Anfragen zugleich, über vier Entfernungen, mit kleinen und großen Chunks</translation>
    </message>
    <message>
        <source>{address!r} is no address of a web server</source>
        <translation>{address!r} ist keine Adresse eines Webservers</translation>
    </message>
    <message>
        <source>{address!r} is no file on a server</source>
        <translation>{address!r} ist keine Datei auf einem Server</translation>
    </message>
    <message>
        <source>{address!r} is no place for tiles</source>
        <translation>{address!r} ist kein Ort für Kacheln</translation>
    </message>
    <message>
        <source>{address!r} is no place in S3</source>
        <translation>{address!r} ist kein Ort in S3</translation>
    </message>
    <message>
        <source>{address!r} is no place in Synapse</source>
        <translation>{address!r} ist kein Ort in Synapse</translation>
    </message>
    <message>
        <source>{address} did not have a worker within {limit}; start one</source>
        <translation>{address} hatte innerhalb von {limit} keinen Arbeiter; starte einen</translation>
    </message>
    <message>
        <source>{address} does not list its tiles: {why}</source>
        <translation>{address} listet seine Kacheln nicht auf: {why}</translation>
    </message>
    <message>
        <source>{address} has {there:,} B, and the local file {here:,} B</source>
        <translation>{address} hat {there:,} B, und die Datei hier {here:,} B</translation>
    </message>
    <message>
        <source>{address} is only read</source>
        <translation>{address} wird nur gelesen</translation>
    </message>
    <message>
        <source>{address} names no project</source>
        <translation>{address} nennt kein Projekt</translation>
    </message>
    <message>
        <source>{address} still has fewer than {count} workers; start more, or ask for fewer nodes</source>
        <translation>{address} hat noch immer keine {count} Worker; mehr starten, oder weniger Knoten verlangen</translation>
    </message>
    <message>
        <source>{address} still has no worker; start one</source>
        <translation>{address} hat noch immer keinen Worker; einen starten</translation>
    </message>
    <message>
        <source>{advice} Measured over {over}.</source>
        <translation>{advice} Gemessen über {over}.</translation>
    </message>
    <message>
        <source>{answer}, but {faults}</source>
        <translation>{answer}, aber {faults}</translation>
    </message>
    <message>
        <source>{at_once}, {threads}</source>
        <translation>{at_once}, {threads}</translation>
    </message>
    <message>
        <source>{at_once}, {threads} each</source>
        <translation>{at_once}, je {threads}</translation>
    </message>
    <message>
        <source>{before} became {after}</source>
        <translation>aus {before} wurde {after}</translation>
    </message>
    <message>
        <source>{before} → {after} core-hours ({low} – {high}), and the run ends in {new} in place of {old}.</source>
        <translation>{before} → {after} Kernstunden ({low} – {high}), und der Lauf endet in {new} statt {old}.</translation>
    </message>
    <message>
        <source>{candidate} and {baseline} cannot be compared</source>
        <translation>{candidate} und {baseline} sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>{candidate} is {better} than {baseline}: {figures}</source>
        <translation>{candidate} ist {better} als {baseline}: {figures}</translation>
    </message>
    <message>
        <source>{cell}: {rate}, not measured, from its neighbours</source>
        <translation>{cell}: {rate}, nicht gemessen, aus den Nachbarn</translation>
    </message>
    <message>
        <source>{cell}: {reason}</source>
        <translation>{cell}: {reason}</translation>
    </message>
    <message>
        <source>{claim}, for {more}</source>
        <translation>{claim}, für {more}</translation>
    </message>
    <message>
        <source>{client} does not read from {server}</source>
        <translation>{client} liest nicht von {server}</translation>
    </message>
    <message>
        <source>{client} reaches {share} of what this store gives</source>
        <translation>{client} erreicht {share} dessen, was dieser Speicher hergibt</translation>
    </message>
    <message>
        <source>{client} with decoding</source>
        <translation>{client} mit Decodieren</translation>
    </message>
    <message>
        <source>{command} ended with {code}: {said}</source>
        <translation>{command} endete mit {code}: {said}</translation>
    </message>
    <message>
        <source>{condition} lacks a value</source>
        <translation>{condition} fehlt ein Wert</translation>
    </message>
    <message>
        <source>{count:+,} file</source>
        <translation>{count:+,} Datei</translation>
    </message>
    <message>
        <source>{count:+,} files</source>
        <translation>{count:+,} Dateien</translation>
    </message>
    <message>
        <source>{count:,} bases</source>
        <translation>{count:,} Basen</translation>
    </message>
    <message>
        <source>{count:,} claims</source>
        <translation>{count:,} Aussagen</translation>
    </message>
    <message>
        <source>{count:,} files</source>
        <translation>{count:,} Dateien</translation>
    </message>
    <message>
        <source>{count:,} files left out</source>
        <translation>{count:,} Dateien ausgelassen</translation>
    </message>
    <message>
        <source>{count:,} lines are missing, the first is line {place:,}</source>
        <translation>{count:,} Zeilen fehlen, die erste ist Zeile {place:,}</translation>
    </message>
    <message>
        <source>{count:,} lines are there in addition, the first is line {place:,}</source>
        <translation>{count:,} Zeilen sind zusätzlich da, die erste ist Zeile {place:,}</translation>
    </message>
    <message>
        <source>{count:,} lines differ, the first is line {place:,}: {text}</source>
        <translation>{count:,} Zeilen sind anders, die erste ist Zeile {place:,}: {text}</translation>
    </message>
    <message>
        <source>{count:,} more results have no throughput; the table says how each ended.</source>
        <translation>{count:,} weitere Ergebnisse haben keinen Durchsatz; die Tabelle sagt, wie jedes endete.</translation>
    </message>
    <message>
        <source>{count:,} other values</source>
        <translation>{count:,} andere Werte</translation>
    </message>
    <message>
        <source>{count:,} read groups</source>
        <translation>{count:,} Read-Gruppen</translation>
    </message>
    <message>
        <source>{count:,} reads</source>
        <translation>{count:,} Reads</translation>
    </message>
    <message>
        <source>{count:,} reads are too few to show what workers bring ({workers}): a batch could have {batch}; take data with more reads</source>
        <translation>{count:,} Reads sind zu wenige, um zu zeigen, was Arbeiter bringen ({workers}): Ein Stapel könnte {batch} haben; Daten mit mehr Reads nehmen</translation>
    </message>
    <message>
        <source>{count:,} records are missing, the first is number {place:,}</source>
        <translation>{count:,} Datensätze fehlen, der erste ist Nummer {place:,}</translation>
    </message>
    <message>
        <source>{count:,} records are there in addition, the first is number {place:,}</source>
        <translation>{count:,} Datensätze sind zusätzlich da, der erste ist Nummer {place:,}</translation>
    </message>
    <message>
        <source>{count:,} records differ, the first is number {place:,}</source>
        <translation>{count:,} Datensätze sind anders, der erste ist Nummer {place:,}</translation>
    </message>
    <message>
        <source>{count:,} repeats</source>
        <translation>{count:,} Wiederholungen</translation>
    </message>
    <message>
        <source>{count:,} rows of all runs</source>
        <translation>{count:,} Zeilen aller Läufe</translation>
    </message>
    <message>
        <source>{count:,} runs</source>
        <translation>{count:,} Läufe</translation>
    </message>
    <message>
        <source>{count:,} samples</source>
        <translation>{count:,} Messwerte</translation>
    </message>
    <message>
        <source>{count:,} studies can be repeated.</source>
        <translation>{count:,} Studien lassen sich wiederholen.</translation>
    </message>
    <message>
        <source>{count:,} tiles</source>
        <translation>{count:,} Kacheln</translation>
    </message>
    <message>
        <source>{count:,} trials</source>
        <translation>{count:,} Versuche</translation>
    </message>
    <message>
        <source>{count:,} trials remain to be measured.</source>
        <translation>{count:,} Versuche sind noch zu messen.</translation>
    </message>
    <message>
        <source>{count:,} trials remain to be measured. What was measured is kept.</source>
        <translation>{count:,} Versuche sind noch zu messen. Gemessenes bleibt.</translation>
    </message>
    <message>
        <source>{count:,} trials: no interval yet</source>
        <translation>{count:,} Versuche: noch kein Intervall</translation>
    </message>
    <message>
        <source>{count:,} trials: too few to tell</source>
        <translation>{count:,} Versuche: zu wenige, um etwas zu sagen</translation>
    </message>
    <message>
        <source>{count:,} × {text}, first at {item}</source>
        <translation>{count:,} × {text}, zuerst bei {item}</translation>
    </message>
    <message>
        <source>{count:g} cores</source>
        <translation>{count:g} Kerne</translation>
    </message>
    <message>
        <source>{count} an hour</source>
        <translation>{count} je Stunde</translation>
    </message>
    <message>
        <source>{count} are not: {claims}</source>
        <translation>{count} nicht: {claims}</translation>
    </message>
    <message>
        <source>{count} as published</source>
        <translation>{count} wie veröffentlicht</translation>
    </message>
    <message>
        <source>{count} cannot be told</source>
        <translation>{count} offen</translation>
    </message>
    <message>
        <source>{count} cannot be told from these trials</source>
        <translation>{count} bleiben nach diesen Versuchen offen</translation>
    </message>
    <message>
        <source>{count} connections</source>
        <translation>{count} Verbindungen</translation>
    </message>
    <message>
        <source>{count} core-seconds</source>
        <translation>{count} Kernsekunden</translation>
    </message>
    <message>
        <source>{count} cores were asked for, and {allowed} may be used here</source>
        <translation>{count} Kerne wurden verlangt, und {allowed} dürfen hier benutzt werden</translation>
    </message>
    <message>
        <source>{count} files at once</source>
        <translation>{count} Dateien zugleich</translation>
    </message>
    <message>
        <source>{count} h</source>
        <translation>{count} h</translation>
    </message>
    <message>
        <source>{count} min</source>
        <translation>{count} min</translation>
    </message>
    <message>
        <source>{count} more lines</source>
        <translation>{count} weitere Zeilen</translation>
    </message>
    <message>
        <source>{count} of {all} files match no pattern, so they are left out.</source>
        <translation>{count} von {all} Dateien passen auf kein Muster und bleiben weg.</translation>
    </message>
    <message>
        <source>{count} of {limit}</source>
        <translation>{count} von {limit}</translation>
    </message>
    <message>
        <source>{count} of {of} combinations have more threads than {cores:g} cores; --all measures them too</source>
        <translation>{count} von {of} Kombinationen haben mehr Threads als {cores:g} Kerne; --all misst auch sie</translation>
    </message>
    <message>
        <source>{count} of {of} configurations have no throughput</source>
        <translation>{count} von {of} Einstellungen haben keinen Durchsatz</translation>
    </message>
    <message>
        <source>{count} of {of} settings failed</source>
        <translation>{count} von {of} Einstellungen scheiterten</translation>
    </message>
    <message>
        <source>{count} of {of} settings still open</source>
        <translation>noch {count} von {of} Einstellungen offen</translation>
    </message>
    <message>
        <source>{count} of {of} trials</source>
        <translation>{count} von {of} Versuchen</translation>
    </message>
    <message>
        <source>{count} of {workers} workers had work.</source>
        <translation>{count} von {workers} Workern hatten Arbeit.</translation>
    </message>
    <message>
        <source>{count} results here could be meant by {name}</source>
        <translation>{count} Ergebnisse hier könnten mit {name} gemeint sein</translation>
    </message>
    <message>
        <source>{count} right</source>
        <translation>{count} richtig</translation>
    </message>
    <message>
        <source>{count} runs at once</source>
        <translation>{count} Läufe zugleich</translation>
    </message>
    <message>
        <source>{count} settings in turns</source>
        <translation>{count} Einstellungen abwechselnd</translation>
    </message>
    <message>
        <source>{count} settings {link}</source>
        <translation>{count} Einstellungen {link}</translation>
    </message>
    <message>
        <source>{count} settings, {first} to {last}: {reason}</source>
        <translation>{count} Einstellungen, {first} bis {last}: {reason}</translation>
    </message>
    <message>
        <source>{count} shortened trials were measured again when the run was resumed, and count no more.</source>
        <translation>{count} verkürzte Versuche wurden bei der Fortsetzung noch einmal gemessen und zählen nicht mehr.</translation>
    </message>
    <message>
        <source>{count} stay</source>
        <translation>{count} bleiben</translation>
    </message>
    <message>
        <source>{count} stays</source>
        <translation>{count} bleibt</translation>
    </message>
    <message>
        <source>{count} threads</source>
        <translation>{count} Threads</translation>
    </message>
    <message>
        <source>{count} trials were measured before the end.</source>
        <translation>{count} Versuche wurden bis dahin gemessen.</translation>
    </message>
    <message>
        <source>{count} values of {parameter}</source>
        <translation>{count} Werte von {parameter}</translation>
    </message>
    <message>
        <source>{count} {units} compared, all right</source>
        <translation>{count} {units} verglichen, alles richtig</translation>
    </message>
    <message>
        <source>{done:.1f} of {whole:g} s</source>
        <translation>{done:.1f} von {whole:g} s</translation>
    </message>
    <message>
        <source>{done} of {of} configurations measured so far</source>
        <translation>{done} von {of} Einstellungen bisher gemessen</translation>
    </message>
    <message>
        <source>{ending}, disturbed</source>
        <translation>{ending}, gestört</translation>
    </message>
    <message>
        <source>{ending}, does not count</source>
        <translation>{ending}, zählt nicht</translation>
    </message>
    <message>
        <source>{ending}, measured again</source>
        <translation>{ending}, noch einmal gemessen</translation>
    </message>
    <message>
        <source>{failed} of {done} {units} failed</source>
        <translation>{failed} von {done} {units} fehlgeschlagen</translation>
    </message>
    <message>
        <source>{few}; the trials reached {low} to {high}.</source>
        <translation>{few}; die Versuche erreichten {low} bis {high}.</translation>
    </message>
    <message>
        <source>{figures} the best of {setting}</source>
        <translation>{figures} des Besten von {setting}</translation>
    </message>
    <message>
        <source>{figure} changed from {before} to {after} at {at}.</source>
        <translation>{figure}: bei {at} von {before} auf {after} geändert.</translation>
    </message>
    <message>
        <source>{figure} has two levels, {before} and {after}; it changed first at {at}.</source>
        <translation>{figure}: zwei Stufen, {before} und {after}; zuerst bei {at} gewechselt.</translation>
    </message>
    <message>
        <source>{file} has no index of its BGZF blocks beside it (.gzi), so Sluice made one: without it a reader inflates all that stands before a region, and far ones take longer</source>
        <translation>{file} hat keinen Index seiner BGZF-Blöcke neben sich (.gzi), also hat Sluice einen gemacht: ohne ihn entpackt ein Leser alles, was vor einer Region steht, und ferne dauern länger</translation>
    </message>
    <message>
        <source>{file} in run {number}</source>
        <translation>{file} in Lauf {number}</translation>
    </message>
    <message>
        <source>{file} is empty, and Synapse takes no empty files</source>
        <translation>{file} ist leer, und Synapse nimmt keine leeren Dateien</translation>
    </message>
    <message>
        <source>{file} is not in its place as the catalogue has it: {why}</source>
        <translation>{file} liegt nicht so an ihrem Platz, wie der Katalog sie kennt: {why}</translation>
    </message>
    <message>
        <source>{folder} has no record of a run</source>
        <translation>{folder} enthält keine Aufzeichnung eines Laufs</translation>
    </message>
    <message>
        <source>{folder} has room for {free}, but {needed} are needed</source>
        <translation>{folder} hat Platz für {free}, nötig sind aber {needed}</translation>
    </message>
    <message>
        <source>{folder} is not a folder within the tree</source>
        <translation>{folder} ist kein Ordner im Baum</translation>
    </message>
    <message>
        <source>{gain:+.0f} % throughput</source>
        <translation>{gain:+.0f} % Durchsatz</translation>
    </message>
    <message>
        <source>{got:,} of 1 tile</source>
        <translation>{got:,} von 1 Kachel</translation>
    </message>
    <message>
        <source>{got:,} of {count:,} tiles</source>
        <translation>{got:,} von {count:,} Kacheln</translation>
    </message>
    <message>
        <source>{grade} for now</source>
        <translation>vorerst {grade}</translation>
    </message>
    <message>
        <source>{hours} core-hours</source>
        <translation>{hours} Kernstunden</translation>
    </message>
    <message>
        <source>{index} does not fit {name}: {why}</source>
        <translation>{index} passt nicht zu {name}: {why}</translation>
    </message>
    <message>
        <source>{jobs} × {each} = {all} of {room}</source>
        <translation>{jobs} × {each} = {all} von {room}</translation>
    </message>
    <message>
        <source>{layer} has tile {place} twice</source>
        <translation>{layer} hat Kachel {place} zweimal</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>{more:,} B too many at its end</source>
        <translation>{more:,} B zu viel am Ende</translation>
    </message>
    <message>
        <source>{more} threads reach {ratio} the throughput of {threads}</source>
        <translation>{more} Threads erreichen {ratio} den Durchsatz von {threads}</translation>
    </message>
    <message>
        <source>{name!r} among the layer&apos;s objects is no key of a tile</source>
        <translation>{name!r} unter den Objekten der Ebene ist kein Schlüssel einer Kachel</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} und {count} weitere</translation>
    </message>
    <message>
        <source>{name} ({pid}) of user {user} still runs: end it with sudo kill -KILL {pid}</source>
        <translation>{name} ({pid}) von Benutzer {user} läuft noch: mit sudo kill -KILL {pid} beenden</translation>
    </message>
    <message>
        <source>{name} ({source})</source>
        <translation>{name} ({source})</translation>
    </message>
    <message>
        <source>{name} divides by zero</source>
        <translation>{name} teilt durch null</translation>
    </message>
    <message>
        <source>{name} does not tell its format</source>
        <translation>{name} verrät sein Format nicht</translation>
    </message>
    <message>
        <source>{name} holds no run yet</source>
        <translation>{name} enthält noch keinen Lauf</translation>
    </message>
    <message>
        <source>{name} is a sequence, and a part of {other}</source>
        <translation>{name} ist eine Sequenz und ein Teil von {other}</translation>
    </message>
    <message>
        <source>{name} is compared {ways}</source>
        <translation>{name} wird {ways} verglichen</translation>
    </message>
    <message>
        <source>{name} is computed of whole numbers, and {why}</source>
        <translation>{name} wird aus ganzen Zahlen berechnet, und {why}</translation>
    </message>
    <message>
        <source>{name} is the name of a parameter</source>
        <translation>{name} ist der Name eines Parameters</translation>
    </message>
    <message>
        <source>{name} is {value}</source>
        <translation>{name} ist {value}</translation>
    </message>
    <message>
        <source>{name} was appended to while it was measured: {before:,} B before, {after:,} B after</source>
        <translation>An {name} wurde beim Messen angehängt: {before:,} B vorher, {after:,} B nachher</translation>
    </message>
    <message>
        <source>{name} was begun by somebody else and stays as it is; this is in {path}</source>
        <translation>{name} hat jemand anderes begonnen und bleibt, wie es ist; dies steht in {path}</translation>
    </message>
    <message>
        <source>{name} was cut short while it was measured: {before:,} B before, {after:,} B after</source>
        <translation>{name} wurde beim Messen gekürzt: {before:,} B vorher, {after:,} B nachher</translation>
    </message>
    <message>
        <source>{name} was deleted while it was measured</source>
        <translation>{name} wurde beim Messen gelöscht</translation>
    </message>
    <message>
        <source>{name} was replaced while it was measured: {before:,} B before, {after:,} B after</source>
        <translation>{name} wurde beim Messen ersetzt: {before:,} B vorher, {after:,} B nachher</translation>
    </message>
    <message>
        <source>{name} was written to while it was measured; its size is still {size:,} B</source>
        <translation>In {name} wurde beim Messen geschrieben; die Größe ist noch {size:,} B</translation>
    </message>
    <message>
        <source>{name}, loaded from {path}</source>
        <translation>{name}, geladen aus {path}</translation>
    </message>
    <message>
        <source>{name}, which is not found here</source>
        <translation>{name}, hier nicht gefunden</translation>
    </message>
    <message>
        <source>{name}: {difference}</source>
        <translation>{name}: {difference}</translation>
    </message>
    <message>
        <source>{node}: its clock is known to ± {uncertainty}, and the trial took {length}; by as much the time is uncertain that its throughput is based on</source>
        <translation>{node}: seine Uhr ist auf ± {uncertainty} bekannt, und der Versuch dauerte {length}; um so viel ist die Zeit ungewiss, auf der sein Durchsatz beruht</translation>
    </message>
    <message>
        <source>{node}: its clock is known to ± {uncertainty}, and the trial took {length}; for as long it may have worked without the others</source>
        <translation>{node}: seine Uhr ist auf ± {uncertainty} bekannt, und der Versuch dauerte {length}; so lange kann er ohne die anderen gearbeitet haben</translation>
    </message>
    <message>
        <source>{now} for now, {quiet} when the machine is quiet.</source>
        <translation>{now} für jetzt, {quiet}, wenn der Rechner ruhig ist.</translation>
    </message>
    <message>
        <source>{now} for now; on a quiet machine that cannot be told yet.</source>
        <translation>{now} für jetzt; für den ruhigen Rechner ist es noch nicht zu sagen.</translation>
    </message>
    <message>
        <source>{now} leading for now, {quiet} when the machine is quiet.</source>
        <translation>{now} vorerst vorn, {quiet}, wenn der Rechner ruhig ist.</translation>
    </message>
    <message>
        <source>{now}, for now and when the machine is quiet.</source>
        <translation>{now}, jetzt und wenn der Rechner ruhig ist.</translation>
    </message>
    <message>
        <source>{one} and {two} do other work</source>
        <translation>{one} und {two} tun Verschiedenes</translation>
    </message>
    <message>
        <source>{one} or {two}</source>
        <translation>{one} oder {two}</translation>
    </message>
    <message>
        <source>{out} is a folder: write {example} where a file is meant</source>
        <translation>{out} ist ein Ordner: schreibe {example}, wo eine Datei gemeint ist</translation>
    </message>
    <message>
        <source>{parameter} {value} does the same as {other} here</source>
        <translation>{parameter} {value} bewirkt hier dasselbe wie {other}</translation>
    </message>
    <message>
        <source>{path} cannot be decoded: {why}</source>
        <translation>{path} lässt sich nicht dekodieren: {why}</translation>
    </message>
    <message>
        <source>{path} cannot be listed: {why}</source>
        <translation>{path} kann nicht aufgelistet werden: {why}</translation>
    </message>
    <message>
        <source>{path} cannot be opened: permission denied, for the file or for its folder</source>
        <translation>{path} lässt sich nicht öffnen: keine Erlaubnis für die Datei oder ihren Ordner</translation>
    </message>
    <message>
        <source>{path} cannot be opened: {why}</source>
        <translation>{path} lässt sich nicht öffnen: {why}</translation>
    </message>
    <message>
        <source>{path} cannot be read or written: {error}</source>
        <translation>{path} ist weder lesbar noch schreibbar: {error}</translation>
    </message>
    <message>
        <source>{path} cannot be read: {why}</source>
        <translation>{path} ist nicht lesbar: {why}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {why}</source>
        <translation>{path} ist nicht schreibbar: {why}</translation>
    </message>
    <message>
        <source>{path} cannot grow: the disk is full</source>
        <translation>{path} kann nicht wachsen: die Platte ist voll</translation>
    </message>
    <message>
        <source>{path} does not begin as TIFF does</source>
        <translation>{path} beginnt nicht wie TIFF</translation>
    </message>
    <message>
        <source>{path} does not begin as {title} does</source>
        <translation>{path} beginnt nicht wie {title}</translation>
    </message>
    <message>
        <source>{path} does not exist</source>
        <translation>{path} gibt es nicht</translation>
    </message>
    <message>
        <source>{path} does not exist any more</source>
        <translation>{path} gibt es nicht mehr</translation>
    </message>
    <message>
        <source>{path} does not hold {sequence}, which {database} says it does</source>
        <translation>{path} enthält {sequence} nicht, obwohl {database} es sagt</translation>
    </message>
    <message>
        <source>{path} ends at byte {size:,}, and {length:,} B from {start:,} are wanted</source>
        <translation>{path} endet bei Byte {size:,}, und {length:,} B ab {start:,} werden gebraucht</translation>
    </message>
    <message>
        <source>{path} exists already</source>
        <translation>{path} gibt es schon</translation>
    </message>
    <message>
        <source>{path} exists already, and Sluice has not written it</source>
        <translation>{path} gibt es schon, und Sluice hat es nicht geschrieben</translation>
    </message>
    <message>
        <source>{path} goes on after BGZF&apos;s end marker: what begins at byte {start:,} is no block</source>
        <translation>{path} geht nach der Endmarke von BGZF weiter: was bei Byte {start:,} beginnt, ist kein Block</translation>
    </message>
    <message>
        <source>{path} has 1 overview, and {level} is wanted</source>
        <translation>{path} hat 1 Übersicht, und {level} ist verlangt</translation>
    </message>
    <message>
        <source>{path} has a header without a name</source>
        <translation>{path} hat eine Kopfzeile ohne Namen</translation>
    </message>
    <message>
        <source>{path} has a name that is no Unicode, which no server takes</source>
        <translation>{path} hat einen Namen, der kein Unicode ist, was kein Server annimmt</translation>
    </message>
    <message>
        <source>{path} has a sequence whose name has a zero byte</source>
        <translation>{path} hat eine Sequenz, deren Name ein Nullbyte hat</translation>
    </message>
    <message>
        <source>{path} has a sequence whose name is not UTF-8</source>
        <translation>{path} hat eine Sequenz, deren Name nicht UTF-8 ist</translation>
    </message>
    <message>
        <source>{path} has changed since it was measured</source>
        <translation>{path} hat sich seit der Messung geändert</translation>
    </message>
    <message>
        <source>{path} has changed since the run began</source>
        <translation>{path} hat sich seit Beginn des Laufs geändert</translation>
    </message>
    <message>
        <source>{path} has directories in {packing}</source>
        <translation>{path} hat Verzeichnisse in {packing}</translation>
    </message>
    <message>
        <source>{path} has extra fields in its BGZF blocks, which pysam does not read</source>
        <translation>{path} hat in seinen BGZF-Blöcken zusätzliche Felder, die pysam nicht liest</translation>
    </message>
    <message>
        <source>{path} has lines of different lengths in the sequence {name}</source>
        <translation>{path} hat verschieden lange Zeilen in der Sequenz {name}</translation>
    </message>
    <message>
        <source>{path} has no array of numbers</source>
        <translation>{path} enthält kein Array aus Zahlen</translation>
    </message>
    <message>
        <source>{path} has no array of numbers named {name!r}</source>
        <translation>{path} enthält kein Array aus Zahlen mit dem Namen {name!r}</translation>
    </message>
    <message>
        <source>{path} has no run {number}</source>
        <translation>{path} hat keinen Lauf {number}</translation>
    </message>
    <message>
        <source>{path} has no sequence for its alias {namespace}:{alias}</source>
        <translation>{path} hat keine Sequenz zu seinem Alias {namespace}:{alias}</translation>
    </message>
    <message>
        <source>{path} has no tiles</source>
        <translation>{path} hat keine Kacheln</translation>
    </message>
    <message>
        <source>{path} has no work folder of a task</source>
        <translation>{path} enthält keinen Arbeitsordner einer Aufgabe</translation>
    </message>
    <message>
        <source>{path} has read {id} more than once</source>
        <translation>{path} hat den Read {id} mehr als einmal</translation>
    </message>
    <message>
        <source>{path} has text before the first &apos;&gt;&apos;</source>
        <translation>{path} hat Text vor dem ersten &apos;&gt;&apos;</translation>
    </message>
    <message>
        <source>{path} has the byte {byte} inside the sequence {name}, which is no base</source>
        <translation>{path} hat in der Sequenz {name} das Byte {byte}, das keine Base ist</translation>
    </message>
    <message>
        <source>{path} has tiles of several kinds: {endings}</source>
        <translation>{path} hat Kacheln mehrerer Arten: {endings}</translation>
    </message>
    <message>
        <source>{path} has too many tiles: {number:,}</source>
        <translation>{path} hat zu viele Kacheln: {number:,}</translation>
    </message>
    <message>
        <source>{path} has white space inside the sequence {name}</source>
        <translation>{path} hat Leerraum in der Sequenz {name}</translation>
    </message>
    <message>
        <source>{path} has {count:,} overviews, and {level} is wanted</source>
        <translation>{path} hat {count:,} Übersichten, und {level} ist verlangt</translation>
    </message>
    <message>
        <source>{path} holds SeqRepo snapshots but is not one itself</source>
        <translation>{path} enthält SeqRepo-Abzüge, ist aber selbst keiner</translation>
    </message>
    <message>
        <source>{path} holds no FASTA file</source>
        <translation>{path} enthält keine FASTA-Datei</translation>
    </message>
    <message>
        <source>{path} holds no files</source>
        <translation>{path} enthält keine Dateien</translation>
    </message>
    <message>
        <source>{path} holds no sequence</source>
        <translation>{path} enthält keine Sequenz</translation>
    </message>
    <message>
        <source>{path} holds no {what}</source>
        <translation>{path} enthält kein {what}</translation>
    </message>
    <message>
        <source>{path} holds the SeqRepo snapshot {inside}, which is no mere folder of files</source>
        <translation>{path} enthält den SeqRepo-Stand {inside}, der kein bloßer Ordner von Dateien ist</translation>
    </message>
    <message>
        <source>{path} is PMTiles of version {version}</source>
        <translation>{path} ist PMTiles der Version {version}</translation>
    </message>
    <message>
        <source>{path} is a BAM file, not FASTA</source>
        <translation>{path} ist eine BAM-Datei, nicht FASTA</translation>
    </message>
    <message>
        <source>{path} is a SAM header or file, not FASTA</source>
        <translation>{path} ist ein SAM-Kopf oder eine SAM-Datei, nicht FASTA</translation>
    </message>
    <message>
        <source>{path} is a SeqRepo snapshot without {name}</source>
        <translation>{path} ist ein SeqRepo-Abzug ohne {name}</translation>
    </message>
    <message>
        <source>{path} is a folder</source>
        <translation>{path} ist ein Ordner</translation>
    </message>
    <message>
        <source>{path} is a folder, and one image is wanted</source>
        <translation>{path} ist ein Ordner, gewünscht ist ein Bild</translation>
    </message>
    <message>
        <source>{path} is a folder, and tiles are files side by side</source>
        <translation>{path} ist ein Ordner, und Kacheln sind Dateien nebeneinander</translation>
    </message>
    <message>
        <source>{path} is a folder, not a session</source>
        <translation>{path} ist ein Ordner, keine Sitzung</translation>
    </message>
    <message>
        <source>{path} is a link to a folder, which is not followed</source>
        <translation>{path} ist ein Verweis auf einen Ordner, dem nicht gefolgt wird</translation>
    </message>
    <message>
        <source>{path} is a link to nothing that can be read</source>
        <translation>{path} ist ein Verweis auf nichts, was gelesen werden kann</translation>
    </message>
    <message>
        <source>{path} is an SQLite file, but not a session</source>
        <translation>{path} ist eine SQLite-Datei, aber keine Sitzung</translation>
    </message>
    <message>
        <source>{path} is being written, or its writer was killed</source>
        <translation>{path} wird gerade geschrieben, oder der Schreiber wurde beendet</translation>
    </message>
    <message>
        <source>{path} is cut off or damaged</source>
        <translation>{path} ist abgeschnitten oder beschädigt</translation>
    </message>
    <message>
        <source>{path} is damaged or of another version: {why}</source>
        <translation>{path} ist beschädigt oder von einer anderen Version: {why}</translation>
    </message>
    <message>
        <source>{path} is damaged: its index and its row {row:,} of seqalias differ</source>
        <translation>{path} ist beschädigt: ihr Index und ihre Zeile {row:,} von seqalias sind verschieden</translation>
    </message>
    <message>
        <source>{path} is damaged: row {row:,} of {table} has {values}</source>
        <translation>{path} ist beschädigt: Zeile {row:,} von {table} hat {values}</translation>
    </message>
    <message>
        <source>{path} is damaged: the BGZF block at byte {start:,} {what}</source>
        <translation>{path} ist beschädigt: der BGZF-Block bei Byte {start:,} {what}</translation>
    </message>
    <message>
        <source>{path} is damaged: the bases of {sequence} are not those that it is the digest of</source>
        <translation>{path} ist beschädigt: die Basen von {sequence} sind nicht die, deren Prüfsumme es ist</translation>
    </message>
    <message>
        <source>{path} is damaged: {brief}</source>
        <translation>{path} ist beschädigt: {brief}</translation>
    </message>
    <message>
        <source>{path} is damaged: {why}</source>
        <translation>{path} ist beschädigt: {why}</translation>
    </message>
    <message>
        <source>{path} is empty</source>
        <translation>{path} ist leer</translation>
    </message>
    <message>
        <source>{path} is gone: it was deleted or moved while it was open</source>
        <translation>{path} ist weg: gelöscht oder verschoben, während sie offen war</translation>
    </message>
    <message>
        <source>{path} is gzip but not BGZF, so it cannot be read at random</source>
        <translation>{path} ist gzip, aber nicht BGZF, und also nicht an beliebiger Stelle lesbar</translation>
    </message>
    <message>
        <source>{path} is incomplete: {name} is missing</source>
        <translation>{path} ist unvollständig: {name} fehlt</translation>
    </message>
    <message>
        <source>{path} is neither a file nor a folder</source>
        <translation>{path} ist weder Datei noch Ordner</translation>
    </message>
    <message>
        <source>{path} is no MBTiles: {why}</source>
        <translation>{path} ist kein MBTiles: {why}</translation>
    </message>
    <message>
        <source>{path} is no folder to serve</source>
        <translation>{path} ist kein Ordner, der sich ausliefern lässt</translation>
    </message>
    <message>
        <source>{path} is no list: it is no text in UTF-8</source>
        <translation>{path} ist keine Liste: kein Text in UTF-8</translation>
    </message>
    <message>
        <source>{path} is no list: it is too long</source>
        <translation>{path} ist keine Liste: zu lang</translation>
    </message>
    <message>
        <source>{path} is no preset: {why}</source>
        <translation>{path} ist keine Vorlage: {why}</translation>
    </message>
    <message>
        <source>{path} is not FASTA: it does not begin with &apos;&gt;&apos;</source>
        <translation>{path} ist nicht FASTA: es beginnt nicht mit &apos;&gt;&apos;</translation>
    </message>
    <message>
        <source>{path} is not a FASTA index: see its line {number:,}</source>
        <translation>{path} ist kein FASTA-Index: siehe Zeile {number:,}</translation>
    </message>
    <message>
        <source>{path} is not a regular file</source>
        <translation>{path} ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>{path} is not a session: it is no SQLite file</source>
        <translation>{path} ist keine Sitzung: es ist keine SQLite-Datei</translation>
    </message>
    <message>
        <source>{path} is not an SQLite database</source>
        <translation>{path} ist keine SQLite-Datenbank</translation>
    </message>
    <message>
        <source>{path} is not in the tree, but the client would send it too</source>
        <translation>{path} ist nicht im Baum, aber der Client würde es mitsenden</translation>
    </message>
    <message>
        <source>{path} is not written to its end: {beside} has more of it</source>
        <translation>{path} ist nicht fertig geschrieben: {beside} hat den Rest</translation>
    </message>
    <message>
        <source>{path} is packed with {how}, which cannot be read at random</source>
        <translation>{path} ist mit {how} gepackt und also nicht an beliebiger Stelle lesbar</translation>
    </message>
    <message>
        <source>{path} is the root of the file system</source>
        <translation>{path} ist die Wurzel des Dateisystems</translation>
    </message>
    <message>
        <source>{path} changes while it is read</source>
        <translation>{path} änderte sich, während es gelesen wurde</translation>
    </message>
    <message>
        <source>{database} is damaged: it gives {sequence} a length of {listed:,}, not {found:,}</source>
        <translation>{database} ist beschädigt: sie gibt {sequence} eine Länge von {listed:,}, nicht {found:,}</translation>
    </message>
    <message>
        <source>{path} lacks BGZF&apos;s end marker, so it was cut off</source>
        <translation>{path} fehlt die Endmarke von BGZF und ist also abgeschnitten</translation>
    </message>
    <message>
        <source>{path} may not be written: permission denied</source>
        <translation>{path} darf nicht geschrieben werden: keine Erlaubnis</translation>
    </message>
    <message>
        <source>{path} names a file outside of itself: {name}</source>
        <translation>{path} nennt eine Datei außerhalb: {name}</translation>
    </message>
    <message>
        <source>{path} only says where Git LFS keeps the data</source>
        <translation>{path} sagt nur, wo Git LFS die Daten hat</translation>
    </message>
    <message>
        <source>{path} seems to be FASTQ, not FASTA</source>
        <translation>{path} ist wohl FASTQ, nicht FASTA</translation>
    </message>
    <message>
        <source>{path} was changed while it was read</source>
        <translation>{path} wurde beim Lesen geändert</translation>
    </message>
    <message>
        <source>{path} was cut off: the BGZF block at byte {start:,} is incomplete</source>
        <translation>{path} ist abgeschnitten: der BGZF-Block bei Byte {start:,} ist unvollständig</translation>
    </message>
    <message>
        <source>{path} was in use by another process for {patience}</source>
        <translation>{path} war {patience} lang von einem anderen Prozess belegt</translation>
    </message>
    <message>
        <source>{path} was opened to read</source>
        <translation>{path} ist nur zum Lesen geöffnet</translation>
    </message>
    <message>
        <source>{path} was written before Sluice 1.0, and its format is not read any more</source>
        <translation>{path} wurde vor Sluice 1.0 geschrieben, und dieses Format wird nicht mehr gelesen</translation>
    </message>
    <message>
        <source>{program} ({cores} cores)</source>
        <translation>{program} ({cores} Kerne)</translation>
    </message>
    <message>
        <source>{program} is not installed</source>
        <translation>{program} ist nicht installiert</translation>
    </message>
    <message>
        <source>{program} ran into its time limit and was gone after {time}</source>
        <translation>{program} überschritt seine Zeit und war nach {time} beendet</translation>
    </message>
    <message>
        <source>{program} waits for {other} {share} of the time</source>
        <translation>{program} wartet {share} der Zeit auf {other}</translation>
    </message>
    <message>
        <source>{rate} are moved</source>
        <translation>{rate} werden bewegt</translation>
    </message>
    <message>
        <source>{rate} come from storage</source>
        <translation>{rate} kommen vom Datenträger</translation>
    </message>
    <message>
        <source>{rate} {units}/s</source>
        <translation>{rate} {units}/s</translation>
    </message>
    <message>
        <source>{ratio} {threads} is above the usable cores, and the work computes, so it was taken from other programs. Wait until the machine is quiet, then measure again.</source>
        <translation>{ratio} {threads} ist mehr, als die nutzbaren Kerne bringen können, und die Arbeit rechnet; es wurde also anderen Programmen genommen. Warten Sie, bis der Rechner ruhig ist, und messen Sie dann neu.</translation>
    </message>
    <message>
        <source>{reader} does not read {kind}</source>
        <translation>{reader} liest kein {kind}</translation>
    </message>
    <message>
        <source>{setting} are enough: {ratio} {baseline}; {more}.</source>
        <translation>{setting} genügen: {ratio} {baseline}; {more}.</translation>
    </message>
    <message>
        <source>{setting} are enough; {more}.</source>
        <translation>{setting} genügen; {more}.</translation>
    </message>
    <message>
        <source>{setting} is enough; {more}.</source>
        <translation>{setting} genügt; {more}.</translation>
    </message>
    <message>
        <source>{setting} is {grade} of the other {others}</source>
        <translation>{setting} ist {grade} der anderen {others}</translation>
    </message>
    <message>
        <source>{share} in page cache</source>
        <translation>{share} im Seitencache</translation>
    </message>
    <message>
        <source>the data is gone: {path} does not exist</source>
        <translation>die Daten sind weg: {path} gibt es nicht</translation>
    </message>
    <message>
        <source>was cut off or damaged at byte {offset}</source>
        <translation>wurde bei Byte {offset} abgeschnitten oder beschädigt</translation>
    </message>
    <message>
        <source>the harness itself took {share} of the time, so the true ratio is further from 1</source>
        <translation>{share} der Zeit ist Messaufwand, das wahre Verhältnis liegt also weiter von 1</translation>
    </message>
    <message>
        <source>{settings}, at least {time}</source>
        <translation>{settings}, mindestens {time}</translation>
    </message>
    <message>
        <source>{share} of the CPU time is the kernel&apos;s, which copies it</source>
        <translation>{share} der Rechenzeit entfallen auf den Kernel, der sie kopiert</translation>
    </message>
    <message>
        <source>{share} of the data was in the page cache at the start</source>
        <translation>{share} der Daten waren zu Beginn im Seitencache</translation>
    </message>
    <message>
        <source>{share} of the time is {name}</source>
        <translation>{share} der Zeit sind {name}</translation>
    </message>
    <message>
        <source>{share} of the time was spent waiting to try again</source>
        <translation>{share} der Zeit wurde auf einen neuen Versuch gewartet</translation>
    </message>
    <message>
        <source>{side} has a trial whose {metric} is 0</source>
        <translation>{side} hat einen Versuch, dessen {metric} 0 ist</translation>
    </message>
    <message>
        <source>{side} has no throughput: {why}</source>
        <translation>{side} hat keinen Durchsatz: {why}</translation>
    </message>
    <message>
        <source>{side} should have started with a cold cache, but that is not proven</source>
        <translation>{side} sollte kalt beginnen, und das ist nicht nachgewiesen</translation>
    </message>
    <message>
        <source>{size} for it come from storage</source>
        <translation>{size} dafür kommen vom Speichermedium</translation>
    </message>
    <message>
        <source>{start} → {end} threads: {price}</source>
        <translation>{start} → {end} Threads: {price}</translation>
    </message>
    <message>
        <source>{text} ({count} of {of})</source>
        <translation>{text} ({count} von {of})</translation>
    </message>
    <message>
        <source>{threads} threads reach {ratio} what one does</source>
        <translation>{threads} Threads erreichen {ratio} das, was einer erreicht</translation>
    </message>
    <message>
        <source>{threads} with {others}</source>
        <translation>{threads} mit {others}</translation>
    </message>
    <message>
        <source>{time} of it is waiting for a core</source>
        <translation>{time} davon ist Warten auf einen Kern</translation>
    </message>
    <message>
        <source>{time} of it is waiting for something else, such as files or a server</source>
        <translation>{time} davon ist Warten auf anderes, etwa auf Dateien oder einen Server</translation>
    </message>
    <message>
        <source>{trials} ({each} of each)</source>
        <translation>{trials} ({each} von jedem)</translation>
    </message>
    <message>
        <source>{trials} ({each} of each) in about {time}</source>
        <translation>{trials} ({each} von jedem) in etwa {time}</translation>
    </message>
    <message>
        <source>{trials} in {time}</source>
        <translation>{trials} in {time}</translation>
    </message>
    <message>
        <source>{trials}, or {sweep} for the same precision</source>
        <translation>{trials}, oder {sweep} für dieselbe Genauigkeit</translation>
    </message>
    <message>
        <source>{trials}; measuring all {settings} settings takes {sweep}</source>
        <translation>{trials}; alle {settings} Einstellungen zu messen braucht {sweep}</translation>
    </message>
    <message>
        <source>{trials}; against the latter nothing was saved</source>
        <translation>{trials}; gegenüber letzterem wurde nichts gespart</translation>
    </message>
    <message>
        <source>{trials}; nothing was saved</source>
        <translation>{trials}; gespart wurde nichts</translation>
    </message>
    <message>
        <source>{trials}; only against the latter was anything saved</source>
        <translation>{trials}; nur gegenüber letzterem wurde etwas gespart</translation>
    </message>
    <message>
        <source>{value!r} does not have the form {pattern}</source>
        <translation>{value!r} hat nicht die Form {pattern}</translation>
    </message>
    <message>
        <source>{value!r} is neither yes nor no</source>
        <translation>{value!r} ist weder ja noch nein</translation>
    </message>
    <message>
        <source>{value!r} is no value for {column}</source>
        <translation>{value!r} ist kein Wert für {column}</translation>
    </message>
    <message>
        <source>{value!r} is not a number</source>
        <translation>{value!r} ist keine Zahl</translation>
    </message>
    <message>
        <source>{value!r} is not a size such as 64KiB</source>
        <translation>{value!r} ist keine Größe wie 64KiB</translation>
    </message>
    <message>
        <source>{value!r} is not a time such as 5s</source>
        <translation>{value!r} ist keine Zeit wie 5s</translation>
    </message>
    <message>
        <source>{value!r} is not a whole number</source>
        <translation>{value!r} ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>{value!r} is not one of {options}</source>
        <translation>{value!r} ist keines von {options}</translation>
    </message>
    <message>
        <source>{value!r} is not text</source>
        <translation>{value!r} ist kein Text</translation>
    </message>
    <message>
        <source>{value} ({low} to {high})</source>
        <translation>{value} ({low} bis {high})</translation>
    </message>
    <message>
        <source>{value} is outside {low}…{high}</source>
        <translation>{value} liegt außerhalb von {low}…{high}</translation>
    </message>
    <message>
        <source>{what}, at {item}</source>
        <translation>{what}, bei {item}</translation>
    </message>
    <message>
        <source>{when}: {claim}</source>
        <translation>{when}: {claim}</translation>
    </message>
    <message>
        <source>{where}, and 1 more file</source>
        <translation>{where}, und 1 weitere Datei</translation>
    </message>
    <message>
        <source>{why}, so {cache} cannot be had with it</source>
        <translation>{why}, daher geht {cache} damit nicht</translation>
    </message>
    <message>
        <source>{workload} has no dataset that can be generated</source>
        <translation>{workload} hat keine Daten, die sich erzeugen lassen</translation>
    </message>
    <message>
        <source>{wrong} wrong in {checked}</source>
        <translation>{wrong} falsch in {checked}</translation>
    </message>
    <message>
        <source>{yes} of {total} published claims are reproduced here.</source>
        <translation>{yes} von {total} veröffentlichten Aussagen sind hier bestätigt.</translation>
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
        <source>Choose a file to measure on</source>
        <translation>Datei wählen, an der gemessen wird</translation>
    </message>
    <message>
        <source>Choose a folder to measure on</source>
        <translation>Ordner wählen, an dem gemessen wird</translation>
    </message>
    <message>
        <source>&amp;File…</source>
        <translation>&amp;Datei …</translation>
    </message>
    <message>
        <source>F&amp;older…</source>
        <translation>&amp;Ordner …</translation>
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
        <source>The last run of ‘{name}’ was not finished.</source>
        <translation>Der letzte Lauf von „{name}“ kam nicht zu seinem Ende.</translation>
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
        <source>The data has changed</source>
        <translation>Die Daten haben sich geändert</translation>
    </message>
    <message>
        <source>The data is not the same as when the run began.</source>
        <translation>Die Daten sind nicht mehr dieselben wie zu Beginn des Laufs.</translation>
    </message>
    <message>
        <source>Measure all the same</source>
        <translation>Trotzdem messen</translation>
    </message>
    <message>
        <source>Many requests</source>
        <translation>Viele Anfragen</translation>
    </message>
    <message>
        <source>This run makes many requests to a server.</source>
        <translation>Dieser Lauf stellt viele Anfragen an einen Server.</translation>
    </message>
    <message>
        <source>A run goes on</source>
        <translation>Ein Lauf ist im Gange</translation>
    </message>
    <message>
        <source>Something is being measured. Close the window all the same?</source>
        <translation>Es wird gerade gemessen. Das Fenster trotzdem schließen?</translation>
    </message>
    <message>
        <source>What was measured is kept, and its session offers to go on.</source>
        <translation>Gemessenes bleibt erhalten, und seine Sitzung bietet an, weiterzumachen.</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Anhalten und schließen</translation>
    </message>
    <message>
        <source>Go on measuring</source>
        <translation>Weiter messen</translation>
    </message>
    <message>
        <source>Opening the session</source>
        <translation>Die Sitzung wird geöffnet</translation>
    </message>
    <message>
        <source>{}

What can still be read can be copied into a new session. The damaged file is not changed.</source>
        <translation>{}

Was noch lesbar ist, kann in eine neue Sitzung kopiert werden. Die beschädigte Datei wird nicht verändert.</translation>
    </message>
    <message>
        <source>Salvage</source>
        <translation>Retten</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>Lassen</translation>
    </message>
    <message>
        <source> (run {})</source>
        <translation> (Lauf {})</translation>
    </message>
</context>
<context>
    <name>labels</name>
    <message>
        <source>today {}</source>
        <translation>heute {}</translation>
    </message>
    <message>
        <source>yesterday {}</source>
        <translation>gestern {}</translation>
    </message>
</context>
</TS>
