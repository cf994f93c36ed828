"""The screens of the replay client: the frame around a view, and the menu of files.

`frame.draw_frame` and `menu.draw_menu` are public, the other modules draw parts of the frame.  Must not import loops.
"""
