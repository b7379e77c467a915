"""A whole class: judged, written into the gradebook, killed, regraded."""
