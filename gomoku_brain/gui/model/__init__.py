"""The data of the desktop board; nothing here imports Qt."""
