"""The untrusted side: the only code of ours that shares a process with a submission.

Standard library only, nothing of ours from outside this folder, and no secret: a student's code may read it all.
"""
