#!/usr/bin/env python3
"""Verifies what a Countersign audit log gave out: an export, a tlog-proof or a proof bundle.

Written from docs/spec/audit-log.md and the public specifications that it names (RFC 8785, RFC 9162, c2sp.org/signed-note,
tlog-checkpoint and tlog-proof), without Countersign's own verifier: where the two disagree, one of them or the page is wrong.
Section numbers are the page's. Needs Python 3.9 and the package `cryptography`. Asks nobody: no node, no vendor.

  audit_verify.py FILE [--key KEY]...   FILE may be -; prints one line of JSON; the exit code is the verdict's
"""
import argparse
import base64
import hashlib
import json
import re
import sys
from decimal import Decimal
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

class Bad(Exception):
    """Something that is there is wrong."""

def judge(data, keys):
    """The verdict on a file, by keys as (name of their log or None, 32 bytes): sections 7 to 9 and 11."""
    kind, found = None, []
    try:
        text = utf8(data)
        kind = kind_of(text)
        {"tlog-proof": judge_tlog_proof, "proof-bundle": judge_bundle, "export": judge_export}[kind](text, keys, found)
    except Bad as why:
        found.append(("wrong", str(why)))
    outcomes = {outcome for outcome, _ in found}
    verdict, code = ("bad", 1) if "wrong" in outcomes else ("incomplete", 2) if "missing" in outcomes else (
        "simulated", 3) if "simulated" in outcomes else ("good", 0)
    steps = [{"outcome": outcome, "what": what} for outcome, what in found]
    return {"verdict": verdict, "exitCode": code, "kind": kind, "steps": steps}

def kind_of(text):
    if text.startswith("c2sp.org/tlog-proof@"):
        return "tlog-proof"
    try:
        value = parse(text)
    except Bad:
        return "export"
    return "proof-bundle" if isinstance(value, dict) and "format" in value else "export"

def judge_export(text, keys, found):
    lines, end = text.split("\n"), None
    if lines[-1] == "":
        lines.pop()
    if lines and not is_record(last := parse(lines[-1])):
        end = shaped(last, OLD_END if "inclusion" not in last and "anchor" not in last else END)
        lines.pop()
    records = [read_record(line) for line in lines]
    check_chain(records, gaps=False)
    note, report = (read_note(end["checkpoint"]), read_report(end["attestation"])) if end else (None, None)
    line = check_keys(records, note, report, keys, found)
    found.append(("holds", f"{len(records)} records, chained without a gap"))
    if end is None:
        return found.append(("missing", "the last line, which says that no record is missing"))
    check_head(end, records, line)
    check_signed_note(note, line[-1:])
    if "inclusion" not in end:
        return found.append(("missing", "inclusion: an older export does not say that its records are in the tree"))
    if records:
        check_inclusion(note, int(records[-1]["leafIndex"]), lines[-1].encode(), from_hex(end["inclusion"]))
    need(records or not end["inclusion"], "an inclusion of no record")
    check_anchor(end["anchor"], note)
    found.append(("holds", "the newest record is the tenant's newest, and in the tree of the checkpoint"))

def check_head(end, records, line):
    """Holds tenantHead against the newest record, and the last line's signature."""
    head = end["tenantHead"]
    newest = records[-1] if records else {"tenantId": head["tenantId"], "seq": 0.0, "chainHash": "0" * 64}
    need(all(head[member] == newest[member] for member in ("tenantId", "seq", "chainHash")),
         "tenantHead is not the newest record's")
    signed = {"attestation": end["attestation"], "tenantHead": without(head, "signature")}
    if "inclusion" in end:
        signed["checkpoint"] = end["checkpoint"]
    label = b"countersign-audit-head-v3" if "inclusion" in end else b"countersign-audit-head-v2"
    need(verifies(line[-1:], head["signature"], sha(label, canonical(signed))), "tenantHead is not signed by the last key")

def judge_bundle(text, keys, found):
    bundle = shaped(parse(text), BUNDLE)
    note, report = read_note(bundle["checkpoint"]), read_report(bundle["attestation"])
    records = []
    for entry in bundle["records"]:
        leaf = canonical(entry["record"])
        records.append(read_record(leaf.decode()))
        check_inclusion(note, int(records[-1]["leafIndex"]), leaf, from_hex(entry["inclusion"]))
    check_chain(records, gaps=True)
    line = check_keys(records, note, report, keys, found)
    check_signed_note(note, line[-1:])
    signed = sha(b"countersign-audit-bundle-v1", canonical(without(bundle, "signature")))
    need(verifies(line[-1:], bundle["signature"], signed), "the bundle is not signed by the last key")
    check_anchor(bundle["anchor"], note)
    found.append(("holds", f"{len(records)} records, each in the tree of the checkpoint, and the bundle is signed"))

def judge_tlog_proof(text, keys, found):
    proof = re.fullmatch("c2sp\\.org/tlog-proof@v1\n(?:extra ([^\n]*)\n)?index (0|[1-9][0-9]{0,15})\n((?:[^\n]+\n)*)\n(.*)",
                         text, re.DOTALL)
    need(proof, "not a tlog-proof of version 1")
    leaf, index, note = unbase64(proof[1] or ""), int(proof[2]), read_note(proof[4])
    need(index < 2**53, "the index")
    path = [unbase64(line, 32) for line in proof[3].split("\n")[:-1]]
    trusted = [raw for name, raw in keys if name in (None, note["origin"])]
    if not keys:
        found.append(("missing", "a key"))
    need(trusted or not keys, "none of the keys is of this log")
    check_signed_note(note, trusted)
    if leaf:
        check_inclusion(note, index, leaf, path)
    try:
        record = read_record(utf8(leaf))
    except Bad:
        return found.append(("missing", "a record: the proof is of something else"))
    check_chain([record], gaps=True)
    need(record["leafIndex"] == index, "index is not the record's leafIndex")
    check_one_log([record], note)
    key_line([record], note)
    if record["tee"]["trust"] == "simulated":
        found.append(("simulated", "no hardware vouches for the record"))
    signed = [(record["signature"], bytes.fromhex(record["chainHash"])), *receipts_of(record)]
    if keys and not all(any(verifies([key], *each) for key in trusted) for each in signed):
        found.append(("missing", "the key of the record or its receipt: the log may have changed it since"))
    found.append(("holds", f"the record {record['auditId']} is in the tree of the checkpoint"))

# --- records: sections 1, 4 and 10 ---

def is_record(value):
    return isinstance(value, dict) and "chainHash" in value

def read_record(text):
    data = encode(text)
    record = shaped(parse(text), RECORD)
    need(len(data) <= 65535 and canonical(record) == data, "a record is not canonical, or too long")
    need(re.fullmatch(f"aud_[0-9a-f]{{8}}_{int(record['leafIndex'])}", record["auditId"]), "auditId")
    return record

def check_chain(records, gaps):
    need(gaps or not records or records[0]["seq"] == 1, "the first records are missing")
    for record in records:
        rest = canonical(without(record, "chainHash", "signature"))
        follows = sha(b"countersign-audit-v1", bytes.fromhex(record["prevChainHash"]), rest).hex()
        need(record["chainHash"] == follows, f"chainHash of {record['auditId']} does not follow from the record")
        need(record["seq"] > 1 or record["prevChainHash"] == "0" * 64, "the first record follows another")
    for one, following in zip(records, records[1:]):
        where = following["auditId"]
        need(following["tenantId"] == one["tenantId"], f"{where} is another tenant's")
        step, leaves = following["seq"] - one["seq"], following["leafIndex"] - one["leafIndex"]
        need(step == 1 or (gaps and step > 1), f"{where} is out of order")
        need(leaves >= step, f"{where} is out of order in the tree")
        need(step > 1 or following["prevChainHash"] == one["chainHash"], f"{where} does not follow the one before")

def check_one_log(records, note):
    logs = {record["auditId"][4:12] for record in records} | ({sha(encode(note["origin"])).hex()[:8]} if note else set())
    need(len(logs) < 2, "the records are not of one log")

def key_line(records, note):
    """The keys of the log, oldest first, as its signer_rotated say; empty where there is none."""
    line = []
    for record in records:
        if record["eventType"] == "signer_rotated":
            change = shaped(record["detail"], ROTATION)
            old, new = unbase64(change["previousKey"]), unbase64(change["key"])
            need(not line or line[-1] == old, "a change of the key does not follow the one before")
            if note:
                endorsed = sha(b"countersign-audit-key-v1", sha(encode(note["origin"])), new)
                need(verifies([old], change["endorsement"], endorsed), "the old key does not endorse the new one")
            line = (line or [old]) + [new]
    return line

def check_keys(records, note, report, keys, found):
    """The line of keys, held against the keys given and each record's signature; empty where no key is known."""
    check_one_log(records, note)
    receipts = [receipts_of(record) for record in records]
    if any(record["tee"]["trust"] == "simulated" for record in records) or (report and not report["hardware"]):
        found.append(("simulated", "no hardware vouches for the log"))
    if not keys and not (report and not report["hardware"]):
        found.append(("missing", "a key: none was given, and no report's quote was judged"))
    if not keys and not report:
        return []
    known = [raw for name, raw in keys if name is None or note is None or name == note["origin"]]
    line, own = key_line(records, note), [unbase64(report["auditPublicKey"], 32)] if report else []
    need(not line or not own or line[-1:] == own, "the report is not of the log's last key")
    line = line or own or [key for key in known if is_signer(key, records, note)][:1]
    need(not keys or any(key in line for key in known) or not (note or records), "none of the keys is the log's")
    if not keys:
        found.append(("told", "the key is the file's own: " + base64.b64encode(line[-1]).decode()))
    at = 0
    for record, of_record in zip(records, receipts):
        at += record["eventType"] == "signer_rotated"
        need(verifies([line[at]], record["signature"], bytes.fromhex(record["chainHash"])),
             f"{record['auditId']} is not signed by the log's key")
        need(all(any(verifies([key], *each) for key in line) for each in of_record), "a receipt is not signed by the log")
    return line

def is_signer(key, records, note):
    """Whether the key is the one of a log that never changed it."""
    if note:
        return any(key_id == key_id_of(note["origin"], key) for key_id, _ in note["signatures"])
    return bool(records) and verifies([key], records[0]["signature"], bytes.fromhex(records[0]["chainHash"]))

def receipts_of(record):
    """Signature and message of the record's receipt, in a list; what it says is held against the record."""
    detail = record["detail"]
    if "execution_receipt" not in detail:
        need(record["eventType"] != "execution_ended", "an ended execution has no receipt")
        return []
    both = shaped(detail["execution_receipt"], {"receipt": RECEIPT, "signature": signature})
    receipt = both["receipt"]
    need(receipt["tenant"] == record["tenantId"], "the receipt is another tenant's")
    need(all(canonical(receipt[member]) == canonical(detail.get(member)) for member in SAID_TWICE),
         "the record says something else than its receipt")
    return [(both["signature"], sha(b"countersign-execution-receipt-v1", canonical(receipt)))]

# --- tree, checkpoint, report and anchor: sections 2, 3, 5 and 6 ---

def read_note(text):
    note = re.fullmatch("(([^\n]+)\n(0|[1-9][0-9]{0,15})\n([^\n]+)\n(?:[^\n]+\n)*)\n((?:[^\n]+\n)+)", text)
    need(note and encode(text) and not re.search("[\x00-\x09\x0b-\x1f]", text), "not a checkpoint")
    origin, size, root = note[2], int(note[3]), unbase64(note[4], 32)
    need(size < 2**53 and (size or root == sha()), "the checkpoint's size")
    lines, signatures = note[5].split("\n")[:-1], []
    for line in lines:
        parts = re.fullmatch("\u2014 ([^\\s+]+) ([^ ]+)", line)
        need(parts and len(raw := unbase64(parts[2])) > 4 and len(lines) <= 64, "a line of a signature, or too many")
        if parts[1] == origin:
            signatures.append((raw[:4], raw[4:]))
    return {"origin": origin, "size": size, "root": root, "text": encode(note[1]), "signatures": signatures}

def check_signed_note(note, keys):
    """One of the keys has signed, and none of them wrongly; without keys nothing is judged."""
    ids = {key_id_of(note["origin"], key): key for key in keys}
    mine = [(ids[key_id], raw) for key_id, raw in note["signatures"] if key_id in ids]
    need(mine or not keys, "the checkpoint is not signed by the log's key")
    need(all(verifies([key], raw, note["text"]) for key, raw in mine), "the checkpoint's signature is wrong")

def key_id_of(origin, key):
    return sha(encode(origin), b"\n\x01", key)[:4]

def climb(at, last, start, proof):
    """RFC 9162, 2.1.3.2 and 2.1.4.2: the roots that a proof leads to from a node: of the tree up to it, and of all."""
    old = new = start
    for node in proof:
        need(last, "a proof is too long")
        if at & 1 or at == last:
            old, new = sha(b"\1", node, old), sha(b"\1", node, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = sha(b"\1", new, node)
        at, last = at >> 1, last >> 1
    need(last == 0, "a proof is too short")
    return old, new

def check_inclusion(note, index, leaf, proof):
    need(index < note["size"], "a record is not in the checkpoint's tree")
    need(climb(index, note["size"] - 1, sha(b"\0", leaf), proof)[1] == note["root"], "an inclusion leads to another root")

def check_consistency(size, root, note, proof):
    if size == note["size"]:
        return need(not proof and root == note["root"], "the anchored root is another")
    need(size < note["size"] and proof, "the anchored tree is not an earlier one")
    at, last = size - 1, note["size"] - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    path = proof if at else [root] + proof
    need(climb(at, last, path[0], path[1:]) == (root, note["root"]), "the tree does not continue the anchored one")

def check_anchor(anchor, note):
    if anchor is not None:
        need(anchor["logId"][2:].lower() == sha(encode(note["origin"])).hex(), "the anchor is another log's")
        root = bytes.fromhex(anchor["root"][2:])
        check_consistency(int(anchor["size"]), root, note, from_hex(anchor["consistency"]))

def read_report(report):
    if report is not None:
        keys = {member: report[member] for member in ("auditPublicKey", "nonce", "sealPublicKey")}
        need(report["reportData"] == hashlib.sha512(canonical(keys)).hexdigest(), "reportData is not that of the report's keys")
    return report

# --- what members may be: a function that says whether, or the members of an object; those with ? are optional ---

def shaped(value, shape, what="the file"):
    """The value, if it is of the shape."""
    if callable(shape):
        need(shape(value), f"{what} is not as it should be")
    elif isinstance(shape, list):
        need(isinstance(value, list), f"{what} is no array")
        for item in value:
            shaped(item, shape[0], what)
    else:
        need(isinstance(value, dict), f"{what} is no object")
        required = {member for member in shape if member[-1] != "?"}
        need(required <= set(value) <= {member.rstrip("?") for member in shape}, f"{what} has unknown or missing members")
        for member in value:
            shaped(value[member], shape.get(member) or shape[member + "?"], member)
    return value

def matching(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None

def integer(least, most=2**53 - 1):
    return lambda value: isinstance(value, float) and value.is_integer() and least <= value <= most

def one_of(*values):
    return lambda value: value in values

def nullable(shape):
    return lambda value: value is None or shaped(value, shape) is not None

def raw(length):
    return lambda value: len(unbase64(value, length)) == length

def anything(_):
    return True

def text(value):
    return isinstance(value, str)

def name(value):
    return text(value) and 0 < len(value) <= 512 and not re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", value)

def boolean(value):
    return isinstance(value, bool)

hash_, digest, signature, key = matching("[0-9a-f]{64}"), matching("sha256:[0-9a-f]{64}"), raw(64), raw(32)
time = matching("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z")
kind = one_of("tdx", "sev-snp", "dstack", "gramine", "nitro", "simulated")

RECORD = {
    "auditId": text, "seq": integer(1), "leafIndex": integer(0), "eventType": matching("[a-z][a-z0-9_]{0,63}"),
    "tenantId": name, "actor": name, "sessionId?": name, "credentialId?": name, "agentDid?": name,
    "detail": lambda value: isinstance(value, dict), "at": time, "tee": {"kind": kind, "trust": one_of("hardware", "simulated")},
    "prevChainHash": hash_, "chainHash": hash_, "signature": signature,
}
ROTATION = {"previousKey": key, "key": key, "endorsement": signature}
REPORT = {
    "provider": kind, "hardware": boolean, "quote": text, "reportData": text, "measurements": anything,
    "auditPublicKey": key, "sealPublicKey": text, "nonce": text, "createdAt": text,
}
ANCHOR = {
    "chainId": integer(1), "contract": matching("0x[0-9a-fA-F]{40}"), "logId": matching("0x[0-9a-fA-F]{64}"),
    "size": integer(1), "root": matching("0x[0-9a-fA-F]{64}"), "flags": integer(0, 255),
    "transactionHash": matching("0x[0-9a-fA-F]{64}"), "blockNumber": integer(0), "consistency": [hash_],
}
HEAD = {"tenantId": name, "seq": integer(0), "chainHash": hash_, "at": time, "signature": signature}
OLD_END = {"checkpoint": text, "tenantHead": HEAD, "attestation": nullable(REPORT)}
END = {**OLD_END, "inclusion": [hash_], "anchor": nullable(ANCHOR)}
BUNDLE = {
    "format": one_of("countersign-proof-bundle-v1"),
    "records": lambda value: shaped(value, [{"record": anything, "inclusion": [hash_]}]) != [],
    "checkpoint": text, "anchor": nullable(ANCHOR), "attestation": nullable(REPORT), "signature": signature,
}
SAID_TWICE = {
    "execution_id": text, "user_id": text, "service": text, "action": text, "policy_id": text, "policy_version": integer(1),
    "policy_digest": digest, "params_hash": digest, "problem": nullable(text), "tee_mrenclave": text,
    "status": one_of("completed", "failed", "denied", "expired", "cancelled", "outcome_unknown"),
    "hitl_proof": nullable([{
        "decision": one_of("approve", "deny"), "approver": text, "at": text, "method": text,
        "wallet?": text, "signature?": text, "batch_id?": text,
    }]),
}
RECEIPT = {
    **SAID_TWICE, "format": one_of("countersign-execution-receipt-v1"), "tenant": text, "agent": text,
    "result_hash": nullable(digest), "jti": nullable(text), "started_at": nullable(text), "ended_at": text,
    "sandbox": nullable({"sandbox_id": text, "driver": text, "network": text, "memory_limit": text, "seccomp": boolean}),
    "target_status?": nullable(integer(0)),
}

# --- bytes, signatures and JSON ---

def need(holds, why):
    if not holds:
        raise Bad(why)

def without(value, *names):
    return {member: value[member] for member in value if member not in names}

def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def utf8(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as why:
        raise Bad("not UTF-8") from why

def encode(value):
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError as why:
        raise Bad("a lone surrogate") from why

def from_hex(hashes):
    return [bytes.fromhex(one) for one in hashes]

def unbase64(value, length=None):
    need(matching("[A-Za-z0-9+/]*={0,2}")(value) and len(value) % 4 == 0, "base64")
    data = base64.b64decode(value)
    need(base64.b64encode(data).decode() == value and length in (None, len(data)), "base64")
    return data

def verifies(keys, signed, message):
    """Whether each of the keys, of which there may be none, has signed."""
    signed = unbase64(signed) if isinstance(signed, str) else signed
    try:
        for one in keys:
            Ed25519PublicKey.from_public_bytes(one).verify(signed, message)
        return True
    except (InvalidSignature, ValueError):
        return False

def parse(value):
    """JSON without a member twice; each number is a double, as RFC 8785 has it."""
    def unique(pairs):
        need(len(dict(pairs)) == len(pairs), "a member stands twice")
        return dict(pairs)
    try:
        return json.loads(value, parse_int=float, parse_constant=float, object_pairs_hook=unique)
    except (ValueError, RecursionError) as why:
        raise Bad("not JSON") from why

def canonical(value):
    """RFC 8785, as bytes."""
    try:
        return encode(write(value))
    except RecursionError as why:
        raise Bad("nested too deeply") from why

def write(value):
    if isinstance(value, dict):
        ordered = sorted(value, key=lambda member: member.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join([write(member) + ":" + write(value[member]) for member in ordered]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([write(item) for item in value]) + "]"
    return number_text(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)

def number_text(value):
    """As ECMAScript writes a double: the fewest digits that read back as the same."""
    need(value - value == 0, "a number that is no double")
    if value == 0:
        return "0"
    minus, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    digits, point = "".join(map(str, digits)), len(digits) + exponent
    if 0 < point <= 21:
        written = digits[:point].ljust(point, "0") + ("." + digits[point:] if digits[point:] else "")
    elif -6 < point <= 0:
        written = "0." + "0" * -point + digits
    else:
        written = digits[0] + ("." + digits[1:] if digits[1:] else "") + "e%+d" % (point - 1)
    return "-" * minus + written

# --- the call ---

def read_key(value):
    """A key for any log, or (a verifier key) for the log of one name."""
    if len(value) == 44:
        return None, unbase64(value, 32)
    named = re.fullmatch("([^+\\s]+)\\+([0-9a-f]{8})\\+([A-Za-z0-9+/=]+)", value)
    typed = unbase64(named[3] if named else "", 33)
    need(typed[0] == 1 and named[2] == key_id_of(named[1], typed[1:]).hex(), "no verifier key of Ed25519")
    return named[1], typed[1:]

def answer(read, keys):
    try:
        return judge(read(), [read_key(one) for one in keys])
    except (Bad, OSError) as why:
        return {"verdict": "none", "exitCode": 64, "error": str(why)}

class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.exit(64, json.dumps({"verdict": "none", "exitCode": 64, "error": message}) + "\n")

def main():
    arguments = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file")
    arguments.add_argument("--key", action="append", default=[])
    given = arguments.parse_args()
    result = answer(sys.stdin.buffer.read if given.file == "-" else Path(given.file).read_bytes, given.key)
    print(json.dumps(result))
    return result["exitCode"]

if __name__ == "__main__":
    sys.exit(main())
