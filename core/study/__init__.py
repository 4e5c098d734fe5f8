"""Published studies: their cells, figures and claims, judged against a run here.

study = load_study("svfs-read")
specs = study.specs(dataset, changes)       what to measure, by the label of its cell
found = reproduction_of(study, results)        scoreboard, judged claims and charts

preset          a study as read from its file: cells, claims, figures
cells           what it measures: on this machine's cores, with the lab's servers
publications    the publications, which of their studies can be run here, and on what data
board           published and measured figures side by side; the threads that programs want
judge_claims    each claim judged by interval
reproduction    the last two together, the sides of a study, and the publication's plots
"""
