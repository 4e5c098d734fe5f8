"""Every process that we start: its end is tied to ours, and takes all with it that it has started.

`supervisor` starts and ends processes, `process_tree` finds and kills what they have started,
`followed_program` takes what a program writes until it ends, and `measured_commands` measures
programs of the user's own from outside.
"""
