"""The client: keys, player, views, console, and the verbs that draw."""
