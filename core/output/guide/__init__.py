"""The user guide: pages of Markdown in `resources/guide`, from the first to the last.

A line such as `{{options fasta cache}}` stands for a list that is made from what the program itself
declares (`core.output.guide.lists`), so that what there is is written down once.

    for page in GuidePage.all():
        print(page.title, page.text)
"""

from core.output.guide.pages import GuidePage

__all__ = ["GuidePage"]
