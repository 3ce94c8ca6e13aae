"""The main window and the application."""
