"""From solutions/ to assignments/ to release/, and the scan that nothing secret leaves on the way."""
