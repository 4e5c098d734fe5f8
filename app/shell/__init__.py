"""The window, its menus, and how its panels are put together."""
