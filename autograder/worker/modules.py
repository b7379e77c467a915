"""The submission's files as importable modules, from the bytes that came over the pipe.

No file of a submission exists inside the jail: `import value` finds its source here. Tracebacks and
inspect.getsource work, because linecache is told the text.
"""

import importlib.abc
import importlib.util
import linecache


class Submission(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds and loads the modules of one submission. `sources` maps file names ("value.py") to bytes."""

    def __init__(self, sources):
        self.sources = sources

    def find_spec(self, fullname, path=None, target=None):
        if fullname + ".py" not in self.sources:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=fullname + ".py")

    def get_source(self, fullname):
        return importlib.util.decode_source(self.sources[fullname + ".py"])

    def get_code(self, fullname):
        name = fullname + ".py"
        source = self.sources[name]
        if source:
            try:
                lines = self.get_source(fullname).splitlines(keepends=True)
            except UnicodeDecodeError as error:
                # Python refuses such a file; compile() would overlook a byte in a comment.
                line = source.count(b"\n", 0, error.start) + 1
                text = f"byte 0x{source[error.start]:02x} is not {error.encoding} text"
                raise SyntaxError(text, (name, line, None, None)) from None
            except SyntaxError as error:
                # No such encoding, or no UTF-8 in the first lines, where an encoding would be declared.
                raise SyntaxError(str(error), (name, 1, None, None)) from None
            linecache.cache[name] = (len(source), None, lines, name)
        return compile(source, name, "exec", dont_inherit=True)

    def exec_module(self, module):
        module.__file__ = module.__name__ + ".py"
        exec(self.get_code(module.__name__), module.__dict__)

    def place(self, frame):
        """[file, line, function] of the innermost of the submission's own frames from `frame` outwards, or None."""
        while frame is not None:
            if frame.f_code.co_filename in self.sources:
                return [frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name]
            frame = frame.f_back
        return None

    def place_of(self, error):
        """[file, line, function] where an exception came from in the submission, or None."""
        if isinstance(error, SyntaxError) and error.filename in self.sources:
            return [error.filename, error.lineno or 0, ""]
        found, trace = None, error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename in self.sources:
                found = [code.co_filename, trace.tb_lineno, code.co_name]
            trace = trace.tb_next
        return found
