"""The command line's bodies: what is asked, what is printed, what the exit code is. No rules."""
