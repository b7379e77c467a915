"""What an instructor reads about a class: one HTML file out of the verdicts and the gradebook. Changes neither."""
