"""Published studies: their cells, figures and claims, judged against a run here.

study = load_study("svfs-read")
specs = study.specs(dataset, changes)       what to measure, by the label of its cell
found = reproduction_of(study, results)        scoreboard, judged claims and charts

preset          a study as read from its file: cells, claims, figures; the publications
cells           what it measures: on this machine's cores, with the lab's servers
judge_claims    each claim judged by interval
reproduction    published and measured figures side by side, the judged claims, the sides of a
                study, the threads that programs want, and the publication's plots
"""
