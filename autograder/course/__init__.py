"""The course as typed objects. Reads solutions/course.toml and knows the folders; judges and builds nothing."""

from autograder.course.manifest import Course, CourseError, Part, Question, Task, find_root, load_course

__all__ = ["Course", "CourseError", "Part", "Question", "Task", "find_root", "load_course"]
