"""Published studies: their cells, figures and claims, judged against a run here.

study = load_study("svfs-read")
specs = study.specs(dataset, changes)       what to measure, by the label of its cell
found = reproduction_of(study, results)        scoreboard, judged claims and charts

preset          a study as read from its file: cells, claims, figures
cells           what it measures: on this machine's cores, with the lab's servers
study_dataset   the data that is generated where the user names none, and what it takes on disk
publications    the publications, and which of their studies can be run here
board           published and measured figures side by side
judge_claims    each claim judged by interval
program_answers which number of threads each program wants, in a study of programs
reproduction    the last three together, the sides of a study, and the publication's plots
"""
