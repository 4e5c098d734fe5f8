"""The user guide: pages of Markdown in `resources/guide`, from the first to the last.

A line such as `{{options fasta cache}}` stands for a list that is made from what the program itself
declares (`core.output.guide.lists`), so that what there is is written down once.

    for page in guide_pages():
        print(page.title, page.text)
"""

from core.output.guide.pages import GuidePage, guide_pages

__all__ = ["GuidePage", "guide_pages"]
