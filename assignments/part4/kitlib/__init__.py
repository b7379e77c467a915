"""What kit.py and conftest.py are made of. Students need not read it, and their own code never imports from here."""
