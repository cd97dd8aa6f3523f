"""The explorer: a kernel on every level between its source and machine code, as one HTML page.

`levels.py` runs the passes and keeps the text after each, whose lines know their source line
(`texts.py`) and whether the pass changed them (`changes.py`); `page.py` writes the page, which is
`page.html` with the data in it. `docs/explorer.md` shows what it looks like.
"""
