"""What axe-core says about the pages of ours."""
