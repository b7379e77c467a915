"""What travels to students: these files import nothing of ours and run on Python 3.10."""
