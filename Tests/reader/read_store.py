#!/usr/bin/env python3
"""Reads collections from disk. It was written from the documentation of the format alone.

usage: read_store.py FOLDER INDEX...

Prints one JSON object: the key is the path of an index in FOLDER, the value is the array of its items."""
import fcntl, json, os, re, sys, zlib


class Damage(Exception): pass


def checksum(data):
    return b"%08x" % zlib.crc32(data)


def read(path):
    if not os.path.lexists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def check_nesting(text, depth=0):
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[][{}]', text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > 64: raise Damage("the index has more than 64 levels")


def lines_of(index):
    """Returns the elements of an index, each as one line."""
    text, lines, decoder = index.decode("utf-8-sig"), [], json.JSONDecoder()
    check_nesting(text)
    space = re.compile(r"[ \t\r\n]*")
    position = space.match(text).end()
    if text[position : position + 1] != "[": raise Damage("the index is not an array")
    position = space.match(text, position + 1).end()
    while text[position : position + 1] != "]":
        _, end = decoder.raw_decode(text, position)
        line = text[position:end]
        if "\n" in line:
            line = re.sub(r'("(?:[^"\\]|\\.)*")|[ \t\r\n]+', lambda found: found[1] or "", line)
        lines.append(line.encode())
        position = space.match(text, end).end()
        if text[position : position + 1] == ",":
            position = space.match(text, position + 1).end()
        elif text[position : position + 1] != "]":
            raise Damage("a comma is missing")
    if text[position + 1 :].strip(" \t\r\n"): raise Damage("something follows the array")
    return lines


MARK = b"[ \n"  # the beginning of an index that has a journal
HEADER = re.compile(rb"directory-journal 1 [0-9a-f]{32} (\d+) ([0-9a-f]{8}) ([0-9a-f]{8})\n")
HEAD = re.compile(rb"(\d+) ([0-9a-f]{8}) (\d+) (\d+)\n")
OPERATION = re.compile(rb"([+=]) (\d+) (.*)|(-) (\d+) ([0-9a-f]{8})")
CHECKPOINT = re.compile(rb"! (\d+) (\d+) ([0-9a-f]{8})\n")
PREPARED = re.compile(rb"\? ([0-9a-f]{32}) (\{.*)")
END = re.compile(rb"([*.]) ([0-9a-f]{32})\n")


def is_object(text):
    try: return isinstance(json.loads(text), dict)
    except ValueError: return False


def record_at(journal, offset):
    """Returns sequence, previous, durable, body, checksum and end of a complete record, or None."""
    head = HEAD.match(journal, offset)
    if not head or head.end() - offset > 80: return None
    end = head.end() + int(head[4])
    body, check = journal[head.end() : end], checksum(journal[offset:end])
    if journal[end : end + 9] != check + b"\n" or not body.endswith(b"\n"):
        return None
    if not CHECKPOINT.fullmatch(body) and not END.fullmatch(body):
        lines, prepared = body[:-1].split(b"\n"), PREPARED.match(body)
        if prepared and not is_object(prepared[2]): return None
        if not all(map(OPERATION.fullmatch, lines[1 if prepared else 0 :])): return None
    return int(head[1]), head[2], int(head[3]), body, check, end + 9


def records_after(index, journal):
    header = HEADER.match(journal)
    if not header or checksum(journal[: header.start(3)]) != header[3]:
        raise Damage("the header of the journal is damaged")
    offset, previous, bodies = header.end(), header[3], []
    while record := record_at(journal, offset):
        sequence, before, durable, body, check, end = record
        if sequence != len(bodies) + 1 or before != previous or durable > offset:
            break
        bodies.append(body)
        offset, previous = end, check
    for start in range(offset, len(journal)):
        record = record_at(journal, start)
        if record and record[0] > len(bodies) + 1 and record[2] > offset:
            raise Damage("the journal is damaged at byte %d" % offset)
    held, fingerprint = None, (len(index), checksum(index))
    if (int(header[1]), header[2]) == fingerprint:
        held = 0
    for body in bodies:
        checkpoint = CHECKPOINT.fullmatch(body)
        if checkpoint and (int(checkpoint[2]), checkpoint[3]) == fingerprint:
            held = int(checkpoint[1])
    if held is None:
        raise Damage("index and journal do not belong together")
    return [body for body in bodies[held:] if not CHECKPOINT.fullmatch(body)]


def changes_in(bodies):
    """Returns the operations that count, and the part in a write to several indexes that waits, or None."""
    operations, part = [], None
    for body in bodies:
        prepared, end = PREPARED.match(body), END.fullmatch(body)
        new = [OPERATION.fullmatch(line) for line in body[:-1].split(b"\n")]
        if prepared:
            part = json.loads(prepared[2])
            part.update(number=prepared[1].decode(), is_committed=False, operations=new[1:])
        elif not end:
            operations += new
        elif part and part["number"] == end[2].decode():
            if end[1] == b"*":
                operations += part["operations"]
                part["is_committed"] = True
            if end[1] == b"." or "participants" not in part: part = None
    return operations, part


def generation_in(lock):
    text = (read(lock) or b"").split(b"\n")[0]
    return int(text) if re.fullmatch(rb"[0-9]{1,20}", text) else 0


def checked_line(path):
    """Returns the JSON of an intent; None if it is missing or not complete."""
    lines = (read(path) or b"").split(b"\n")
    if len(lines) == 3 and lines[1] == checksum(lines[0] + b"\n") and not lines[2]:
        return json.loads(lines[0])
    return None


def apply(operation, lines):
    """Changes the lines by an operation of a journal."""
    position = int(operation[2] or operation[5])
    if position > len(lines) - (operation[1] != b"+"):
        raise Damage("an operation changes an element that does not exist")
    if operation[4]:
        if checksum(lines.pop(position)) != operation[6]:
            raise Damage("an operation removes another element")
    else:
        lines[position : position + (operation[1] == b"=")] = [operation[3]]


def part_of(folder, name):
    """Returns the part of an index in a write to several indexes that waits; None also if it is damaged."""
    try: return contents(folder, name)[1]
    except Damage: return None


def place_of(home, index, part, number):
    """Returns the folder of a participant, if its part waits for the decision, else None."""
    participant = part["participants"][number]
    if participant["paths"] == [""] and participant["index"] == index: return home
    for path in participant["paths"]:
        folder = os.path.join(home, path)
        other = part_of(folder, participant["index"])
        if not other or (other["number"], other.get("participant")) != (part["number"], number):
            continue
        ways = [os.path.join(folder, way) for way in other["homePaths"]]
        if ".." not in path.split("/") or not any(map(os.path.isdir, ways)): return folder
        if any(os.path.isdir(way) and os.path.samefile(way, home) for way in ways): return folder
    return None


def write_of(folder, name, part):
    """Returns the write that a part belongs to: whether it has taken place, the part of the home, and
    the folders of the participants, None for each that does not wait; None if no home has the write."""
    homes = [(folder, name)]
    if "participants" not in part:
        homes = [(os.path.join(folder, way), part["home"]) for way in part.get("homePaths", [])]
    for home, index in homes:
        found = part_of(home, index) if os.path.isdir(home) else None
        if not found or found["number"] != part["number"] or "participants" not in found: continue
        numbers = range(len(found["participants"]))
        places = [place_of(home, index, found, number) for number in numbers]
        if "participant" in part:
            # If the home means another folder, this one is a copy.
            own = places[part["participant"]] or folder
            if not os.path.samefile(own, folder): continue
            places[part["participant"]] = own
        return found["is_committed"] or has_placed_folder(found, places), found, places
    return None


def moves_of(record):
    """Yields the two ends of each move: a folder as in the record, with the name in it."""
    for move in record.get("moves") or []:
        names, new_names = move["names"], move.get("newNames")
        if new_names is None: new_names = names
        if len(names) != len(new_names): raise Damage("a record of another version")
        for name, new_name in zip(names, new_names):
            yield dict(move["from"], name=name), dict(move["to"], name=new_name)


def spot_of(spot, record, places):
    """Returns the path of one end of a move; the folder of an assets folder is left out."""
    place = places[spot["participant"]]
    if spot.get("staged") is not None:
        stem = record["participants"][spot["participant"]]["index"].rsplit(".", 1)[0]
        place = os.path.join(place, ".staging", "%s~%s" % (stem, record["number"]), *spot["staged"])
    elif spot.get("kept") is not None:
        place = os.path.join(place, *spot["kept"])
    return os.path.join(place, spot["name"])


def is_visible(spot):
    """Returns whether one end of a move is beside an index or in its assets folder."""
    return spot.get("staged") is None and spot.get("kept") is None


def has_placed_folder(record, places):
    """Returns whether all wait, and a folder from a copy or from `.removed` is at its new place."""
    if None in places: return False
    for old, new in moves_of(record):
        if is_visible(old) or not is_visible(new) or new.get("assets"): continue
        here, there = (spot_of(spot, record, places) for spot in (old, new))
        is_gone = os.path.isdir(os.path.dirname(here)) and not os.path.lexists(here)
        if is_gone and os.path.lexists(there): return True
    return False


def decided_lines(folder, name):
    """Returns the lines of an index, with what a write to several indexes has still to change."""
    found, part = contents(folder, name)
    if part and not part["is_committed"]:
        write = write_of(folder, name, part)
        for operation in part["operations"] if write and write[0] else []: apply(operation, found)
    for line in found: check_nesting(line.decode(), depth=1)
    return found


def contents(folder, name):
    """Returns the lines of an index, and its part in a write to several indexes that waits, or None.
    Shares the lock if the generation is odd or changes."""
    stem = name.rsplit(".", 1)[0]
    lock = os.path.join(folder, ".%s.lock" % stem)

    def state():
        index = read(os.path.join(folder, name)) or b""
        journal = read(os.path.join(folder, ".%s.journal" % stem))
        lines = lines_of(index) if index else []
        if journal is None and index.startswith(MARK): raise Damage("the journal is missing")
        if index.startswith(MARK): index = b"[\n" + index[len(MARK):]
        bodies = records_after(index, journal) if journal is not None else []
        operations, part = changes_in(bodies)
        for operation in operations: apply(operation, lines)
        return lines, part

    generation = generation_in(lock)
    if generation % 2 == 0:
        try:
            found = state()
            if generation_in(lock) == generation: return found
        except Damage:
            # A file may have been replaced between the two that were read.
            if generation_in(lock) == generation: raise
    with open(lock, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        return state()


def folder_of(root, path):
    """Returns where a folder is now; each part of its path can have been moved."""
    for name in filter(None, path.split("/")):
        root = child_of(root, name)
    return root


def writes_in(root):
    """Yields each write to several indexes in which an index of the folder has a part that waits."""
    for file in os.listdir(root):
        journal = re.fullmatch(r"\.(.+)\.journal", file)
        part = part_of(root, journal[1] + ".json") if journal else None
        write = write_of(root, journal[1] + ".json", part) if part else None
        if write: yield write


def child_of(root, name):
    """Returns the folder that the item with this folder name has now."""
    for is_done, record, places in writes_in(root):
        # Before all participants are prepared and after the decision, nothing is between its two places.
        for ends in moves_of(record) if None not in places and not record["is_committed"] else []:
            own, other = ends[::-1] if is_done else ends
            if own.get("assets") or not is_visible(own): continue
            here, there = (spot_of(spot, record, places) for spot in (own, other))
            if os.path.realpath(here) != os.path.realpath(os.path.join(root, name)): continue
            # Another folder can have the visible name while this one is in that of a transaction.
            if os.path.isdir(there) and not (is_visible(other) and os.path.isdir(here)): return there
    staging = os.path.join(root, ".staging")
    for transaction in os.listdir(staging) if os.path.isdir(staging) else []:
        index = transaction.rpartition("~")[0] + ".json"
        intent = checked_line(os.path.join(staging, transaction, "intent"))
        if not intent: continue
        present = decided_lines(root, index)
        for number, moved in enumerate(intent["folders"]):
            names = [moved.get("from"), moved.get("to")]
            # The line of a removed item is the one before the commit, all others are those after it.
            is_done = (moved["item"].encode() in present) == bool(names[1])
            own, other = names[::-1] if is_done else names
            if own != name: continue
            if moved["isParked"]:
                there = os.path.join(staging, transaction, "folder-%d" % (number + 1))
                if os.path.isdir(there): return there
            elif not os.path.isdir(os.path.join(root, own)):
                return os.path.join(root, other)
    if os.path.isdir(os.path.join(root, name)): return os.path.join(root, name)
    raise Damage("the folder %s is missing" % name)


if __name__ == "__main__":
    found = {}
    for argument in sys.argv[2:]:
        parent, name = os.path.split(argument)
        lines_found = decided_lines(folder_of(sys.argv[1], parent), name)
        found[argument] = [json.loads(line) for line in lines_found]
    json.dump(found, sys.stdout, ensure_ascii=False, indent=1)
