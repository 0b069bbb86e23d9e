"""Rebuilds the collections from the shared folder of replicas, from the page "The format of replicas" alone.

Usage: read_replica.py FOLDER. Prints a JSON object: for each collection (kind, or kind@container) the lines in order.
"""
import hashlib
import json
import os
import re
import sys

UUID = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
DEAD = {None: 0, "container": 1, "item": 2}
NAME = re.compile(r"^(\d{12})-([ds])-([0-9a-f]{32})")


def read(folder):
    segments, states = [], []
    for top, _, names in os.walk(os.path.join(folder, "replicas")):
        for name in names:
            found = NAME.match(name)
            if not found or ".jsonl" not in name:
                continue
            with open(os.path.join(top, name), "rb") as file:
                data = file.read()
            if not hashlib.sha256(data).hexdigest().startswith(found[3]):
                continue
            lines = [json.loads(line) for line in data.decode().split("\n")[:-1]]
            if found[2] == "s":
                states.append((lines[0], lines[1:]))
                continue
            while lines:
                count = lines[0]["entries"]
                segments.append((lines[0], lines[1:count + 1]))
                lines = lines[count + 1:]
    return segments, states


def has_asset(folder, digest):
    top = os.path.join(folder, "assets", digest[:2])
    names = os.listdir(top) if os.path.isdir(top) else []
    return any(name == digest or name.startswith(digest + "-") for name in names)


class Item:
    def __init__(self):
        self.registers = {}  # name -> {dot: [time, dead, value]}
        self.gone = {}       # dot -> time


def key_in(line, container):
    """Returns the key of an item by the id in its line."""
    text = line["set"]["id"]
    if UUID.match(text):
        return text.upper()
    escaped = text.replace("%", "%25").replace("/", "%2F")
    return escaped if container is None else container + "/" + escaped


def covers(seen, dot):
    return seen.get(dot[0], 0) >= dot[1]


class State:
    def __init__(self):
        self.items, self.seen = {}, {}

    def apply(self, header, entries):
        dot = (header["device"], header["seq"])
        for entry in entries:
            seen = dict(entry.get("seen", header["seen"]))
            seen[dot[0]] = dot[1] - 1
            item = self.items.setdefault((entry["in"], entry["id"]), Item())
            if entry.get("gone"):
                for register in item.registers.values():
                    for other, value in register.items():
                        if covers(seen, other):
                            value[1] = max(value[1], DEAD[entry["gone"]])
                item.gone = {d: t for d, t in item.gone.items() if not covers(seen, d)}
                item.gone[dot] = header["at"]
            values = {"@" + part: entry[part] for part in ("of", "at", "file") if part in entry}
            values.update(entry.get("set", {}))
            missing = object()
            for name in entry.get("unset", []):
                values[name] = missing
            for name, value in values.items():
                register = item.registers.setdefault(name, {})
                for other in [d for d in register if covers(seen, d) or d == dot]:
                    del register[other]
                register[dot] = [header["at"], 0, None if value is missing else [value]]
        self.seen[dot[0]] = dot[1]

    def join(self, header, lines):
        devices = header["devices"]
        there = {}
        kind = dot = container = None
        for line in lines:
            if "in" in line:
                kind, container = line["in"], None
            if "set" in line:
                container = line.get("of", container)
                dot = line.get("dot", dot)
            key = line["id"] if "id" in line else key_in(line, container)
            item = there[(kind, key)] = Item()
            if "set" in line:
                device, number, time = dot
                dead = DEAD[line.get("dead")]
                values = {"@" + part: line[part] for part in ("at", "file") if part in line}
                values["@of"] = container
                values.update(line["set"])
                for name, value in values.items():
                    item.registers[name] = {(devices[device], number): [time, dead, [value]]}
            else:
                registers = {"@" + part: line[part] for part in ("of", "at", "file") if part in line}
                registers.update(line.get("members", {}))
                for name, entries in registers.items():
                    item.registers[name] = {
                        (devices[e[0]], e[1]): [e[2], e[3], e[4:] or None] for e in entries}
            item.gone = {(devices[d], n): t for d, n, t in line.get("gone", [])}
        for key in set(self.items) | set(there):
            mine, theirs = self.items.get(key, Item()), there.get(key, Item())
            joined = Item()
            for name in set(mine.registers) | set(theirs.registers):
                a, b = mine.registers.get(name, {}), theirs.registers.get(name, {})
                register = self.both(a, b, header["seen"])
                for dot in register:
                    if dot in a and dot in b:
                        register[dot][1] = max(a[dot][1], b[dot][1])
                if register:
                    joined.registers[name] = register
            joined.gone = self.both(mine.gone, theirs.gone, header["seen"])
            self.items[key] = joined
        for device, number in header["seen"].items():
            self.seen[device] = max(self.seen.get(device, 0), number)

    def both(self, a, b, seen):
        return {dot: a.get(dot, b.get(dot)) for dot in set(a) | set(b)
                if dot in a and dot in b or dot in a and not covers(seen, dot)
                or dot in b and not covers(self.seen, dot)}

    def winner(self, register):
        least = min(v[1] for v in register.values())
        alive = {d: v for d, v in register.items() if v[1] == least}
        dot = max(alive, key=lambda d: (alive[d][0], d[0], d[1]))
        return alive[dot][2], alive[dot][0]

    def shown(self, folder):
        def part(key, name):
            register = self.items[key].registers.get(name) if key in self.items else None
            value = self.winner(register)[0] if register else None
            return value[0] if value else None

        def container(key):
            return (key[0].rsplit("/", 1)[0], part(key, "@of")) if "/" in key[0] else None

        def values(key, least):
            return any(v[1] <= least for n, r in self.items[key].registers.items() if n != "@at"
                       for v in r.values())

        def placed(key):
            register = self.items[key].registers.get("@of") if key in self.items else None
            if not register:
                return False
            least = min(v[1] for v in register.values())
            return least == 0 or least == 1 and container(key) is not None and placed(container(key))

        def revived(key):
            return (not values(key, 0) and values(key, 1) and container(key) is not None
                    and placed(container(key)))

        for key in [key for key in self.items if revived(key)]:
            for register in self.items[key].registers.values():
                for value in register.values():
                    value[1] = 0 if value[1] == 1 else value[1]
        alive = {key for key in self.items if values(key, 0)}
        for key in list(alive):
            above = container(key)
            while above in self.items:
                alive.add(above)
                above = container(above)

        def visible(key):
            if key not in alive or not part(key, "@at"):
                return False
            file = part(key, "@file")
            if file and not has_asset(folder, file[1]):
                return False
            above = container(key)
            return above is None or visible(above)

        collections = {}
        for key in filter(visible, self.items):
            above = container(key)
            name = key[0] + ("@" + above[1] if above else "")
            line = {}
            for member, register in self.items[key].registers.items():
                value = self.winner(register)[0]
                if not member.startswith("@") and value is not None:
                    line[member] = value[0]
            collections.setdefault(name, []).append((part(key, "@at"), key[1], line))
        return {name: [line for _, _, line in sorted(lines, key=lambda i: i[:2])]
                for name, lines in collections.items()}


def main(folder):
    segments, states = read(folder)
    state = State()
    for header, lines in states:
        state.join(header, lines)
    progress = True
    while progress:
        progress = False
        for header, entries in segments:
            have = state.seen.get(header["device"], 0)
            if have == header["seq"] - 1 and all(
                    state.seen.get(d, 0) >= n for d, n in header["seen"].items()):
                state.apply(header, entries)
                progress = True
    json.dump(state.shown(folder), sys.stdout, sort_keys=True)


if __name__ == "__main__":
    main(sys.argv[1])
