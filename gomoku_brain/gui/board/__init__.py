"""The board on the screen and the widgets beside it."""
