"""torch.utils.benchmark: how long statements take, and tables of that."""

import math
import textwrap
import timeit
from collections import namedtuple

import mindspore
import numpy as np


def timer_of_devices():
    """torch.utils.benchmark.timer: the time when all that was asked of the device is done."""
    if mindspore.get_context("device_target") != "CPU":  # there operators have run
        mindspore.runtime.synchronize()
    return timeit.default_timer()


def dedented(code):
    """Code of several lines without the indentation and the line break that it begins with."""
    code = textwrap.dedent(code)
    return code.removeprefix("\n").rstrip()


TASK_FIELDS = {
    "stmt": "pass",
    "setup": "pass",
    "global_setup": "",
    "label": None,
    "sub_label": None,
    "description": None,
    "env": None,
    "num_threads": 1,
}


class TaskSpec(namedtuple("TaskSpec", TASK_FIELDS, defaults=tuple(TASK_FIELDS.values())[2:])):
    """torch.utils.benchmark.utils.common.TaskSpec: what a Timer runs."""

    @property
    def title(self):
        if self.label is None and "\n" in self.stmt:
            of_part = f" ({self.sub_label})" if self.sub_label else ""
            return f"stmt:{of_part}\n" + textwrap.indent(self.stmt, "  ")
        name = self.stmt if self.label is None else self.label
        return f"{name}: {self.sub_label}" if self.sub_label else name

    def setup_str(self):
        if self.setup in ("pass", ""):
            return ""
        return (
            "setup:\n" + textwrap.indent(self.setup, "  ") if "\n" in self.setup else f"setup: {self.setup}"
        )

    def summarize(self):
        parts = filter(None, (self.title, self.description, self.setup_str()))
        return "\n".join(part + "\n" if "\n" in part else part for part in parts)


class Measurement:
    """torch.utils.benchmark.Measurement."""

    def __init__(self, number_per_run, raw_times, task_spec, metadata=None):
        self.number_per_run = number_per_run
        self.raw_times = raw_times
        self.task_spec = task_spec
        self.metadata = metadata

    def __getattr__(self, name):
        if name in TASK_FIELDS:
            return getattr(self.task_spec, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __eq__(self, other):
        if not isinstance(other, Measurement):
            return NotImplemented
        return vars(self) == vars(other)

    __hash__ = None

    @property
    def times(self):
        return [time / self.number_per_run for time in self.raw_times]

    def quantile(self, share):
        """A quantile of the times; -1 where nothing was measured."""
        return float(np.quantile(self.times, share)) if self.raw_times else -1.0

    median = property(lambda self: self.quantile(0.5))
    mean = property(lambda self: float(np.mean(self.times)) if self.raw_times else -1.0)
    iqr = property(lambda self: self.quantile(0.75) - self.quantile(0.25))
    title = property(lambda self: self.task_spec.title)
    as_row_name = property(lambda self: self.sub_label or self.stmt or "[Unknown]")

    @property
    def significant_figures(self):
        count = len(self.raw_times)
        middle = sorted(self.times)[count // 4 : math.ceil(3 * count / 4)]
        error = max(1.645 * float(np.std(middle)) / math.sqrt(len(middle)), 25e-9)
        return min(max(math.floor(math.log10(self.median / error)), 1), 4)

    def meets_confidence(self, threshold=0.1):
        return self.iqr / self.median < threshold

    def warned(self):
        """The lines about times that differ much."""
        if not self.raw_times or self.meets_confidence():
            return []
        why = "This could indicate system fluctuation."
        if not self.meets_confidence(0.25):
            why = "This suggests significant environmental influence."
        share = f"{self.iqr / self.median * 100:.1f}%"
        first = f"  WARNING: Interquartile range is {share} of the median measurement."
        return [first, " " * 11 + why]

    has_warnings = property(lambda self: bool(self.warned()))

    def __repr__(self):
        count, (unit, scale) = len(self.raw_times), unit_of_time(self.median)
        low, high = self.quantile(0.25) / scale, self.quantile(0.75) / scale
        several, threads = count > 1, self.num_threads
        lines = [object.__repr__(self), *self.task_spec.summarize().split("\n")]
        lines.append(f"  {'Median: ' if several else ''}{self.median / scale:.2f} {unit}")
        if count >= 4:
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low:.2f} to {high:.2f})")
        runs = f"{self.number_per_run} runs {'per measurement,' if several else ','}"
        measured = f"{count} measurement{'s' if several else ''}"
        lines.append(f"  {measured}, {runs} {threads} thread{'s' if threads > 1 else ''}")
        return "\n".join([*lines, *self.warned()])

    @staticmethod
    def merge(measurements):
        times = {}
        for each in measurements:
            times.setdefault(each.task_spec, []).extend(each.times)
        return [Measurement(1, found, task) for task, found in times.items()]


def unit_of_time(seconds):
    """torch.utils.benchmark.select_unit: the unit for a time, and how many seconds that is."""
    power = int(math.log10(seconds) // 3) if seconds > 0 else 0
    unit = {-3: "ns", -2: "us", -1: "ms"}.get(power, "s")
    return unit, {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]


class Timer:
    """torch.utils.benchmark.Timer, of statements in Python."""

    _timer_cls = timeit.Timer

    def __init__(
        self,
        stmt="pass",
        setup="pass",
        global_setup="",
        timer=timer_of_devices,
        globals=None,
        label=None,
        sub_label=None,
        description=None,
        env=None,
        num_threads=1,
        language="python",
    ):
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language not in ("py", "python"):
            raise NotImplementedError(f"statements in the language {language}")
        if global_setup:
            raise ValueError(
                f"global_setup is C++ only, got `{global_setup}`. Most likely this code can simply be moved "
                "to `setup`."
            )
        self._globals, stmt, setup = dict(globals or {}), dedented(stmt), dedented(setup)
        self._timer = self._timer_cls(stmt=stmt, setup=setup, timer=timer, globals=self._globals)
        self._task_spec = TaskSpec(stmt, setup, global_setup, label, sub_label, description, env, num_threads)

    def _timeit(self, number):
        return max(self._timer.timeit(number), 1e-9)

    def measured(self, number, times):
        """What was measured with so many runs each time."""
        return Measurement(number, times, self._task_spec)

    def timeit(self, number=1000000):
        self._timeit(max(number // 100, 2))
        return self.measured(number, [self._timeit(number)])

    def runs_together(self, min_run_time):
        """How many runs take long enough for what measuring takes not to matter."""
        overhead, number = sorted(self._timeit(0) for _ in range(5))[2], 1
        while True:
            taken = self._timeit(number)
            is_long = overhead / taken <= 1e-4 and taken >= min_run_time / 1000
            if is_long or taken > min_run_time or number * 10 > 2**31 - 1:
                return number
            number *= 10

    def times_until(self, number, min_run_time, callback, is_enough, max_run_time=None):
        """The times of so many runs each, until they are enough."""
        times = []
        while True:
            times.append(self._timeit(number))
            if callback:
                callback(number, times[-1])
            if max_run_time and sum(times) > max_run_time:
                return times
            if sum(times) >= min_run_time and is_enough(times):
                return times

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        number = self.runs_together(min_run_time)
        return self.measured(number, self.times_until(number, min_run_time, callback, lambda times: True))

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        number = self.runs_together(0.05)

        def is_enough(times):
            return len(times) > 3 and self.measured(number, times).meets_confidence(threshold)

        return self.measured(
            number, self.times_until(number, min_run_time, callback, is_enough, max_run_time)
        )

    def repeat(self, repeat=-1, number=-1):
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback=None):
        raise NotImplementedError("See `Timer.blocked_autorange.`")


def as_written(number, figures):
    """A number rounded to so many figures."""
    scale = 10.0 ** (math.ceil(math.log10(abs(number))) - figures)
    return float(np.round(number / scale) * scale)


class TableOfTimes:
    """The table that Compare writes of measurements with one label."""

    def __init__(self, results, colorize, trims, highlights):
        self.results, self.colorize, self.trims = results, colorize, trims
        self.unit, self.scale = unit_of_time(min(each.median for each in results))
        self.rows = sorted(dict.fromkeys(map(row_of_measurement, results)), key=lambda row: row[:2])
        self.columns = list(dict.fromkeys(each.description for each in results))
        self.cells = {(row_of_measurement(each), each.description): each for each in results}
        self.highlights = highlights

    def column_of(self, description):
        """What is in a column, row by row; None where nothing was measured."""
        return [self.cells.get((row, description)) for row in self.rows]

    def texts_of(self, description):
        """The texts of a column."""
        found = self.column_of(description)
        there = [each for each in found if each is not None]
        digits = [math.ceil(math.log10(each.median / self.scale)) for each in there]
        decimals, marks = 1, self.highlights and any(each.has_warnings for each in there)
        if self.trims:
            decimals = min(max(one.significant_figures - size, 0) for one, size in zip(there, digits))
        width = max(digits) + decimals + (1 if decimals else 0)

        def text(each):
            value = 1.0 if each is None else each.median / self.scale
            if self.trims:
                value = as_written(value, 1 if each is None else each.significant_figures)
            is_marked = marks and each is not None and each.has_warnings
            mark = f" (! {each.iqr / each.median * 100:.0f}%)" if is_marked else ""
            written = f"{value:>{width}.{decimals}f}" + f"{mark:>{7 if marks else 0}}"
            return " " * len(written) if each is None else written

        return [text(each) for each in found]

    def colored(self, text, each, row):
        """A cell in the color of how good it is, in its column or in its row."""
        if self.colorize is None or each is None:
            return text
        if self.colorize == "rows":
            others = [self.cells.get((row, description)) for description in self.columns]
        else:
            others = [one for one in self.column_of(each.description) if one and one.num_threads == row[0]]
        best = min(one.median for one in others if one is not None)
        if each.median <= best * 1.01 or each.median <= best + 100e-9:
            return "\033[92m\033[1m" + text + "\033[0m" * 2
        if each.median <= best * 1.1:
            return "\033[34m\033[1m" + text + "\033[0m" * 2
        if each.median >= best * 5:
            return "\033[31m\033[1m" + text + "\033[0m" * 2
        return "\033[2m\033[91m" + text + "\033[0m" * 2 if each.median >= best * 2 else text

    def names(self):
        """What the rows begin with."""
        surroundings = {each.env for each in self.results}
        width = max(len(str(each)) for each in surroundings) if len(surroundings) > 1 else 0
        names, before = [], (None, None)
        for row in self.rows:
            shown = f"({row[1]})" if width and row[:2] != before else ""
            names.append("  " + shown.ljust(width + 4) + row[2])
            before = row[:2]
        return names

    def render(self):
        """The table."""
        names = self.names()
        texts = [self.texts_of(description) for description in self.columns]
        widths = [max(map(len, names)) if names else 0]
        widths += [max(len(name), *map(len, column)) for name, column in zip(self.columns, texts)]
        heads = zip(["", *self.columns], widths)
        lines = ["  |  ".join(head.center(width) for head, width in heads)]
        across, threads = len(lines[0]), None
        for number, row in enumerate(self.rows):
            if row[0] != threads:
                threads = row[0]
                lines.append(f"{threads} threads: ".ljust(across, "-"))
            cells = [
                self.colored(column[number].center(width), self.cells.get((row, description)), row)
                for column, width, description in zip(texts, widths[1:], self.columns)
            ]
            lines.append("  |  ".join([names[number].ljust(widths[0]), *cells]))
        title = f" {self.results[0].label or ''} ".center(across - 2, "-")
        english = {"ns": "nano", "us": "micro", "ms": "milli", "s": ""}[self.unit]
        marks = self.highlights and any(each.has_warnings for each in self.results)
        told = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n" if marks else ""
        return "\n".join([f"[{title}]", *lines, "", f"Times are in {english}seconds ({self.unit}).", told])


def row_of_measurement(measurement):
    """What says in which row a measurement stands."""
    return measurement.num_threads, measurement.env, measurement.as_row_name


class Compare:
    """torch.utils.benchmark.Compare."""

    def __init__(self, results):
        self._results = []
        self.extend_results(results)
        self._trims, self._colors, self._highlights = False, None, False

    def extend_results(self, results):
        for each in results:
            if not isinstance(each, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(each)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        self._trims = True

    def colorize(self, rowwise=False):
        self._colors = "rows" if rowwise else "columns"

    def highlight_warnings(self):
        self._highlights = True

    def __str__(self):
        by_label = {}
        for each in Measurement.merge(self._results):
            by_label.setdefault(each.label, []).append(each)
        options = (self._colors, self._trims, self._highlights)
        return "\n".join(TableOfTimes(found, *options).render() for found in by_label.values())

    def print(self):
        print(str(self))
