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


HEADER = re.compile(rb"directory-journal 1 [0-9a-f]{32} (\d+) ([0-9a-f]{8}) ([0-9a-f]{8})\n")
HEAD = re.compile(rb"(\d+) ([0-9a-f]{8}) (\d+) (\d+)\n")
OPERATION = re.compile(rb"([+=]) (\d+) (.*)|(-) (\d+) ([0-9a-f]{8})")
CHECKPOINT = re.compile(rb"! (\d+) (\d+) ([0-9a-f]{8})\n")


def record_at(journal, offset):
    """Returns sequence, previous, durable, body, checksum and end of a complete record, or None."""
    head = HEAD.match(journal, offset)
    if not head or head.end() - offset > 80: return None
    end = head.end() + int(head[4])
    body, check = journal[head.end() : end], checksum(journal[offset:end])
    if journal[end : end + 9] != check + b"\n" or not body.endswith(b"\n"):
        return None
    lines = body[:-1].split(b"\n")
    if not CHECKPOINT.fullmatch(body) and not all(map(OPERATION.fullmatch, lines)):
        return None
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


def generation_in(lock):
    text = (read(lock) or b"").split(b"\n")[0]
    return int(text) if re.fullmatch(rb"[0-9]{1,20}", text) else 0


def items(folder, name):
    """Returns the items of an index. Takes the lock if the generation is odd or changes."""
    stem = name.rsplit(".", 1)[0]
    lock = os.path.join(folder, ".%s.lock" % stem)

    def state():
        index = read(os.path.join(folder, name)) or b""
        journal = read(os.path.join(folder, ".%s.journal" % stem))
        lines = lines_of(index) if index else []
        for body in records_after(index, journal) if journal is not None else []:
            for operation in map(OPERATION.fullmatch, body[:-1].split(b"\n")):
                position = int(operation[2] or operation[5])
                if position > len(lines) - (operation[1] != b"+"):
                    raise Damage("the journal changes an element that does not exist")
                if operation[4]:
                    if checksum(lines.pop(position)) != operation[6]:
                        raise Damage("the journal removes another element")
                else:
                    lines[position : position + (operation[1] == b"=")] = [operation[3]]
        for line in lines: check_nesting(line.decode(), depth=1)
        return [json.loads(line) for line in lines]

    generation = generation_in(lock)
    if generation % 2 == 0:
        found = state()
        if generation_in(lock) == generation:
            return found
    with open(lock, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        return state()


def folder_of(root, path):
    if not path or os.path.isdir(os.path.join(root, path)):
        return os.path.join(root, path)

    def transactions(parent):
        parent = os.path.join(root, parent)
        return os.listdir(parent) if os.path.isdir(parent) else []

    staging = os.path.join(root, ".staging")
    for transaction in transactions(".staging"):
        text = (read(os.path.join(staging, transaction, "intent")) or b"").split(b"\n")
        if len(text) == 3 and int(text[1], 16) == zlib.crc32(text[0]):
            intent = json.loads(text[0])
            for names in [[pair["from"], pair["to"]] for pair in intent["renamedFolders"]]:
                if path in names:
                    return os.path.join(root, names[1 - names.index(path)])
            index = transaction[: transaction.rindex("~")] + ".json"
            owners = [item["id"] for item in items(root, index) if item.get("folderName") == path]
            for number, parked in enumerate(intent.get("parkedFolders") or []):
                slot = os.path.join(staging, transaction, "folder-%d" % (number + 1))
                if json.loads(parked["item"])["id"] in owners and os.path.isdir(slot):
                    return slot
    for transaction in transactions(".trash"):
        removed = os.path.join(root, ".trash", transaction, path)
        if os.path.isdir(removed):
            return removed
    raise Damage("the folder %s is missing" % path)


if __name__ == "__main__":
    found = {}
    for argument in sys.argv[2:]:
        parent, name = os.path.split(argument)
        found[argument] = items(folder_of(sys.argv[1], parent), name)
    json.dump(found, sys.stdout, ensure_ascii=False, indent=1)
