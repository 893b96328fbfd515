#!/usr/bin/python3
"""Prints the dates of random recurrence rules as two other programs compute them, for src/series/expand.pure.test.ts.

Needs Debian's packages python3-dateutil, python3-recurring-ical-events and a tzdata of the version that Kalends has:

    python3 scripts/series-reference.py 2000 1 > test/fixtures/series-reference.txt

The arguments are how many rules and the seed. A line has, with "|" between them: zone, first start, rule, RDATE, EXDATE, which programs
agree (both; "clock" and "until": see verdict), how many dates, the first ten digits of the SHA-256 of all instants. Times are wall clocks; instants are Unix seconds joined by
commas. dateutil computes wall clocks, which Python's zoneinfo turns into instants; recurring_ical_events reads an iCalendar file.
Rules are written so that no rule of RFC 5545 that dateutil reads otherwise matters: see the comments.
"""

import collections
import datetime as dt
import hashlib
import random
import signal
import sys
import zoneinfo

import icalendar
import recurring_ical_events
from dateutil.rrule import rrulestr

ZONES = """Africa/Casablanca America/Edmonton America/Havana America/New_York America/Santiago America/Vancouver America/Winnipeg
Asia/Kolkata Australia/Lord_Howe Europe/Berlin Europe/Chisinau Europe/Dublin""".split()
NOW = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.timezone.utc)  # as in the test
AHEAD = dt.timedelta(days=732)
MOST = 366
DAYS = "MO TU WE TH FR SA SU".split()
# Around the changes of the clocks of the zones, in 2026 and 2027.
CHANGES = [(2026, 3, 8), (2026, 3, 29), (2026, 4, 5), (2026, 9, 6), (2026, 10, 4), (2026, 10, 25), (2026, 11, 1), (2027, 3, 14)]


def some(items, most):
    return random.sample(items, random.randint(1, min(most, len(items))))


def joined(items):
    return ",".join(map(str, items))


def chance(probability):
    return random.random() < probability


def random_rule(freq):
    parts = {}
    if chance(0.4):
        parts["INTERVAL"] = random.randint(2, 6)
    if chance(0.3):
        parts["BYMONTH"] = joined(some(range(1, 13), 5))
    # Not 52 and 53: dateutil misses some days of January, such as 2039-01-01, that are in the last week of the year before.
    if freq == "YEARLY" and chance(0.25):
        parts["BYWEEKNO"] = joined(some([1, 2, 9, 20, 40, 51, -1, -5], 3))
    elif freq == "YEARLY" and chance(0.25):
        parts["BYYEARDAY"] = joined(some([1, 60, 100, 200, 300, 366, -1, -366, -50], 4))
    if freq != "WEEKLY" and chance(0.4):
        parts["BYMONTHDAY"] = joined(some([*range(1, 32), -1, -2, -5, -31], 6))
    if chance(0.5):
        days = some(DAYS, 4)
        if freq == "MONTHLY" or (freq == "YEARLY" and "BYWEEKNO" not in parts):
            most = 53 if freq == "YEARLY" and "BYMONTH" not in parts else 5
            numbers = ["", "", "", 1, 2, -1, most, -most, random.randint(1, most)]
            days = [f"{random.choice(numbers)}{day}" for day in days]
        parts["BYDAY"] = joined(days)
    if chance(0.2):
        parts["BYHOUR"] = joined(some([0, 1, 2, 3, 8, 18, 23], 3))
    if chance(0.15):
        parts["BYMINUTE"] = joined(some([0, 15, 30, 59], 2))
    if any(name.startswith("BY") for name in parts) and chance(0.3):
        parts["BYSETPOS"] = joined(some([1, 2, 3, 5, -1, -2, -7], 3))
    if chance(0.3):
        parts["WKST"] = random.choice(DAYS)
    return parts


def text(freq, parts):
    return ";".join([f"FREQ={freq}", *(f"{name}={value}" for name, value in parts.items())])


def explicit(parts, start):
    """dateutil takes all days of the weeks of BYWEEKNO; RFC 5545 takes what a rule does not say from DTSTART."""
    if "BYWEEKNO" in parts and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & parts.keys():
        return {**parts, "BYDAY": DAYS[start.weekday()]}
    return dict(parts)


def wall_clocks(freq, parts, start, last, most):
    """The wall clocks that dateutil computes from `start` to `last`, at most so many."""
    parts = explicit(parts, start)
    begin = start
    # dateutil begins the first week at DTSTART, so BYSETPOS would count from there.
    if freq == "WEEKLY" and "BYSETPOS" in parts:
        parts.setdefault("BYDAY", DAYS[start.weekday()])
        parts.setdefault("BYHOUR", start.hour)
        parts.setdefault("BYMINUTE", start.minute)
        begin -= dt.timedelta((start.weekday() - DAYS.index(parts.get("WKST", "MO"))) % 7)
    found = []
    for local in rrulestr(text(freq, parts), dtstart=begin):
        if local > last or len(found) == most:
            break
        if local >= start:
            found.append(local)
    return found


def instant(local, zone):
    return int(local.replace(tzinfo=zone).timestamp())  # fold 0 is the first of two, and moves a skipped time forward


def shown(local):
    return local.strftime("%Y%m%dT%H%M%S")


def calendar(zone_name, start, rule, rdate, exdate):
    lines = [f"DTSTART;TZID={zone_name}:{shown(start)}", f"DURATION:PT10M", f"RRULE:{rule}"]
    lines += [f"RDATE;TZID={zone_name}:{shown(local)}" for local in rdate]
    lines += [f"EXDATE;TZID={zone_name}:{shown(local)}" for local in exdate]
    event = ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z", *lines, "END:VEVENT"]
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", *event, "END:VCALENDAR", ""])


def second_opinion(source, first, last):
    events = recurring_ical_events.of(icalendar.Calendar.from_ical(source)).between(first, last)
    return sorted(int(event["DTSTART"].dt.timestamp()) for event in events)


def verdict(instants, other, zone, kind):
    """Why recurring_ical_events returns something else: what RFC 5545 3.3.5 says of skipped and repeated times, or the last UNTIL."""
    if other == instants:
        return "both"
    if not isinstance(other, list):
        return "dateutil"
    differing = set(instants) ^ set(other)
    if all(is_at_clock_change(each, zone) for each in differing):
        return "clock"
    return "until" if kind == "UNTIL" and differing == {instants[-1]} else "dateutil"


def is_at_clock_change(instant_, zone):
    offsets = {dt.datetime.fromtimestamp(instant_ + shift, zone).utcoffset() for shift in (-7200, 7200)}
    return len(offsets) > 1


def case():
    zone_name = random.choice(ZONES)
    zone = zoneinfo.ZoneInfo(zone_name)
    freq = random.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    parts = random_rule(freq)
    day = dt.datetime(*random.choice(CHANGES)) + dt.timedelta(days=random.randint(-8, 1))
    if chance(0.5):
        day = dt.datetime(2026, 1, 1) + dt.timedelta(days=random.randint(0, 700))
    start = day + dt.timedelta(minutes=random.choice([0, 60, 90, 120, 135, 150, 180, 600, 1170, 1425]))
    horizon = (NOW + AHEAD).astimezone(zone).replace(tzinfo=None)
    far = dt.datetime(2037, 1, 1)  # pytz, which recurring_ical_events uses, knows no clock changes after 2037
    synchronized = wall_clocks(freq, parts, start, far, 1)
    if not synchronized:
        return None
    if chance(0.85):
        start = synchronized[0]
    kind = random.choice(["COUNT", "UNTIL", "endless"])
    last, most = (horizon, MOST) if kind == "endless" else (far, random.randint(2, 40))
    locals_ = wall_clocks(freq, parts, start, last, most)
    # DTSTART is the first of them and counts, also when the rule does not name it.
    if start not in locals_:
        locals_ = [start, *locals_][:most]
    if kind != "endless" and len(locals_) < most:
        return None
    end = ""
    if kind == "COUNT":
        end = f";COUNT={most}"
    elif kind == "UNTIL":
        end = ";UNTIL=" + dt.datetime.fromtimestamp(instant(locals_[-1], zone), dt.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    rule = text(freq, parts) + end
    rdate = [random.choice(locals_) + dt.timedelta(days=3, hours=5) for _ in range(random.choice([0, 0, 0, 1, 3]))]
    exdate = [random.choice(locals_) for _ in range(random.choice([0, 0, 0, 1, 4]))]
    if kind == "endless" and len(locals_) + len(rdate) > MOST:
        rdate = []
    if kind == "endless" and len(locals_) == MOST:
        exdate = []
    all_ = sorted(set(locals_ + rdate) - set(exdate))
    if not all_ or len(all_) > MOST:
        return None
    instants = sorted(instant(local, zone) for local in all_)
    other = None
    try:
        source = calendar(zone_name, start, text(freq, explicit(parts, start)) + end, rdate, exdate)
        other = second_opinion(source, dt.datetime(2025, 1, 1), all_[-1] + dt.timedelta(days=2))
        limit = max(instants)
        other = [each for each in other if each <= limit]
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        other = error
    agree = verdict(instants, other, zone, kind)
    digest = hashlib.sha256(joined(instants).encode()).hexdigest()[:10]
    fields = [zone_name, shown(start), rule, joined(map(shown, rdate)), joined(map(shown, exdate)), agree, str(len(instants)), digest]
    if agree != "both" and "-v" in sys.argv:
        print("|".join(fields), sorted(set(instants) ^ set(other)) if isinstance(other, list) else other, file=sys.stderr)
    return "|".join(fields)


def too_slow(*_):
    raise TimeoutError


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    random.seed(seed)
    signal.signal(signal.SIGALRM, too_slow)
    agreed = collections.Counter()
    while agreed.total() < count:
        signal.setitimer(signal.ITIMER_REAL, 1)  # dateutil follows a rule without dates to the year 9999
        try:
            line = case()
        except TimeoutError:
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if line is not None:
            print(line)
            agreed[line.split("|")[5]] += 1
    print(dict(agreed), file=sys.stderr)


main()
