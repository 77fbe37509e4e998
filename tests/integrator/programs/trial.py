"""What an integrator does on a first day, by the documentation alone, with nothing but the standard library."""

import base64
import datetime
import hashlib
import hmac
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE = os.environ["DOVEPOST_URL"]
PROJECT = {"x-auth-key": os.environ["DOVEPOST_AUTH_KEY"]}
ACCOUNT = {"authorization": os.environ["DOVEPOST_API_KEY"]}


class Refused(Exception):
    def __init__(self, status, problem):
        super().__init__(problem["message"])
        self.status, self.code, self.docs = status, problem["code"], problem["docs"]


def call(method, path, key, body=None, headers=None):
    data, kind = None, {}
    if isinstance(body, str):
        data, kind = body.encode(), {"content-type": "text/csv"}
    elif body is not None:
        data, kind = json.dumps(body).encode(), {"content-type": "application/json"}
    request = urllib.request.Request(BASE + path, data, {**key, **kind, **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        raise Refused(error.code, json.load(error)) from None


def check(is_right, what):
    if not is_right:
        raise AssertionError(what)
    print(what, flush=True)


def until(what, look):
    give_up_at = time.time() + 20
    while True:
        found = look()
        if found:
            return found
        if time.time() > give_up_at:
            raise AssertionError("never: " + what)
        time.sleep(0.05)


def is_genuine(headers, body):
    try:
        if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
            return False
    except (TypeError, ValueError):
        return False
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    given = (headers["webhook-signature"] or "").split(" ")
    return any(hmac.compare_digest(each, "v1," + digest) for each in given)


secret = b""
is_up = True
refused = []
received = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if not is_genuine(self.headers, body):
            status = 401
        elif is_up:
            received.append((self.headers["webhook-id"], json.loads(body)))
            status = 204
        else:
            refused.append(self.headers["webhook-id"])
            status = 503
        self.send_response(status)
        self.end_headers()

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()

projects = call("GET", "/api/projects", ACCOUNT)["data"]
project_id = projects[0]["id"]
address = f"http://127.0.0.1:{server.server_address[1]}/hook"
endpoints = f"/api/projects/{project_id}/webhook-endpoints"
endpoint = call("POST", endpoints, ACCOUNT, {"url": address, "events": ["*"]})
secret = base64.b64decode(endpoint["secret"].removeprefix("whsec_"))


def received_of(kind, thing):
    return [delivery_id for delivery_id, event in received if event["type"] == kind and event["data"]["id"] == thing]


now = datetime.datetime.now(datetime.timezone.utc)
started_at = (now - datetime.timedelta(minutes=1)).isoformat()
in_an_hour = (now + datetime.timedelta(hours=1)).isoformat()

text = {"to": "+1 (415) 555-0132", "message": "Your order #4821 is on its way", "metadata": {"order": "4821"}}
once = {"idempotency-key": "order-4821-shipped"}
sent = call("POST", "/api/send-message", PROJECT, text, once)
check(sent["to"] == "14155550132", "sent")
read = until("message.read", lambda: received_of("message.read", sent["id"]))
check(len(read) == 1, "got the webhook")
forged = urllib.request.Request(address, b'{"type":"forged"}', {"webhook-id": "evt_1"})
try:
    urllib.request.urlopen(forged)
    check(False, "took what was forged")
except urllib.error.HTTPError as error:
    check(error.code == 401, "verified")

again = call("POST", "/api/send-message", PROJECT, text, once)
check(again["id"] == sent["id"], "retried: no second message")
try:
    call("POST", "/api/send-message", PROJECT, {"to": "14155550000", "message": "Hi"})
    check(False, "sent to nobody")
except Refused as refusal:
    check(refusal.code == "not_on_whatsapp" and refusal.docs.endswith("#not_on_whatsapp"), "refused, with a code")

lines = [{"to": "14155550132", "message": "Hello Ada"}, {"to": "12", "message": "Hello nobody"}]
answer = call("POST", "/api/messages/batch", PROJECT, {"messages": lines})["data"]
check("id" in answer[0] and answer[1]["error"]["code"] == "invalid_input", "batched: a bad line spoils no other")

after, count = None, 0
while True:
    query = {"limit": 1, "direction": "outgoing", **({"after": after} if after else {})}
    page = call("GET", "/api/messages?" + urllib.parse.urlencode(query), PROJECT)
    count += len(page["data"])
    after = page["next_cursor"]
    if after is None:
        break
check(count == 3, "paged")

is_up = False
missed = call("POST", "/api/send-message", PROJECT, {"to": "14155550134", "message": "While you were down"})
until("three that were refused", lambda: len(set(refused)) >= 3)
is_up = True
waiting = call("GET", f"/api/projects/{project_id}/webhooks?status=pending", ACCOUNT)["data"]
for record in waiting:
    call("POST", f"/api/webhooks/{record['id']}/retry", ACCOUNT)
until("the one that was missed", lambda: received_of("message.read", missed["id"]))
check(len(waiting) >= 3, "delivered again, one by one")
only = {"since": started_at, "types": ["message.read"]}
replay = call("POST", f"/api/projects/{project_id}/webhooks/replay", ACCOUNT, only)
until("the same id again", lambda: received_of("message.read", sent["id"]) == read * 2)
check(replay["replayed"] > 0, "replayed under the same ids")
after, sequences = 0, []
while True:
    page = call("GET", f"/api/projects/{project_id}/events?after_sequence={after}", ACCOUNT)
    sequences += [event["sequence"] for event in page["data"]]
    if page["next_after"] == after:
        break
    after = page["next_after"]
check(sequences == list(range(1, len(sequences) + 1)), "no gap")

csv = "phone,name,custom_fields.city\n14155550135,Ada,Lisbon\n14155550136,,Lisbon\n"
import_id = call("POST", "/api/profiles/import", ACCOUNT, csv)["id"]
call("POST", f"/api/profiles/imports/{import_id}/run", ACCOUNT, {})


def finished_import():
    found = call("GET", f"/api/profiles/imports/{import_id}", ACCOUNT)
    return found if found["status"] == "completed" else None


check(until("the import", finished_import)["counts"]["new"] == 2, "imported")

condition = {"fieldPath": "custom_fields.city", "operator": "equals", "value": "Lisbon"}
segment = call("POST", "/api/segments", ACCOUNT, {"name": "Lisbon", "condition": condition})
content = {"project_id": project_id, "segment_id": segment["id"], "message": "Hello {name|there}"}
check(call("POST", "/api/campaigns/preview", ACCOUNT, content)["will_receive"] == 2, "previewed")
campaign = call("POST", "/api/campaigns", ACCOUNT, {**content, "name": "Autumn"})
until("campaign.completed", lambda: received_of("campaign.completed", campaign["id"]))
check(True, "launched")
planned = call("POST", "/api/campaigns", ACCOUNT, {**content, "name": "Winter", "when": in_an_hour})
cancelled = call("POST", f"/api/campaigns/{planned['id']}/cancel", ACCOUNT)
check((planned["status"], cancelled["status"]) == ("scheduled", "cancelled"), "cancelled")
later = {"to": "14155550137", "message": "See you", "send_at": in_an_hour}
scheduled = call("POST", "/api/send-message", PROJECT, later)
taken_back = call("POST", f"/api/messages/{scheduled['id']}/cancel", PROJECT)
check(taken_back["error_code"] == "withdrawn", "took a message back")

call("DELETE", f"{endpoints}/{endpoint['id']}", ACCOUNT)
server.shutdown()
print("done")
