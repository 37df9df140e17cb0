"""A host that uses the Python client on the local stage. Run by python.nightly.test.ts.

Needs the folder of incentives.py as PYTHONPATH, INCENTIVES_URL, INCENTIVES_KEY and
INCENTIVES_ORGANIZATION, and in OLD_USER a user with records older than a minute.
"""

import json
import os
import random
import sqlite3
import tempfile
import threading
import time
import unittest
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

from incentives import Client, IncentivesError, Ledger, WebhookVerificationError, each, verify

SECRETS = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "a plain secret ☺"]
ACCOUNT = (
    os.environ["INCENTIVES_URL"],
    os.environ["INCENTIVES_KEY"],
    os.environ["INCENTIVES_ORGANIZATION"],
)
host = Client(*ACCOUNT)


def new_user(reference):
    return host.users.create(external_reference=reference)["user_id"]


def until(check):
    end = time.monotonic() + 60
    while not check():
        if time.monotonic() > end:
            raise AssertionError("waited for a minute")
        time.sleep(0.05)


class Server:
    """Answers requests on a free port by `answer(handler, body)`, in threads."""

    def __init__(self, answer):
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                answer(self, self.rfile.read(int(self.headers.get("content-length", 0))))

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def reply(handler, status, body=b"", **headers):
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


class Calls(unittest.TestCase):
    def test_a_call_takes_fields_and_returns_the_body(self):
        user_id = new_user("anna/17 &?")
        found = host.users.find(external_reference="anna/17 &?")
        self.assertEqual(found["user_id"], user_id)
        fields = {"amount": 5, "idempotency_key": "first", "description": "Zoë"}
        credited = host.tickets.credit(user_id, **fields)
        self.assertEqual(credited["new_ticket_balance"], 5)
        self.assertEqual(host.tickets.credit(user_id, **fields), credited)
        self.assertEqual(host.games.play(user_id, lang="es")["lang"], "es")

    def test_a_refusal_has_status_message_and_code(self):
        user_id = new_user("poor")
        with self.assertRaises(IncentivesError) as caught:
            host.tickets.debit(user_id, amount=1, idempotency_key="much")
        error = caught.exception
        seen = (error.status, error.message, error.code)
        self.assertEqual(seen, (400, "insufficient ticket balance", "insufficient_tickets"))
        self.assertIn(error.request_id, str(error))

    def test_an_id_that_would_change_the_path_is_refused(self):
        for user_id in ("", ".", "..", None):
            with self.assertRaises(ValueError):
                host.users.get(user_id)

    def test_lists_yield_the_items_of_all_pages(self):
        user_id = new_user("listed")
        for amount in range(1, 6):
            host.tickets.credit(user_id, amount=amount, idempotency_key=f"c{amount}")
        newest = [row["amount"] for row in each(host.tickets.history, user_id, limit=2)]
        self.assertEqual(newest, [5, 4, 3, 2, 1])
        oldest = [row["amount"] for row in each(host.reports.tickets, user_id=user_id, page_size=2)]
        self.assertEqual(oldest, [1, 2, 3, 4, 5])
        events = [
            event["data"]["amount"] for event in each(host.events.list, user_id=user_id, limit=2)
        ]
        self.assertEqual(events, [1, 2, 3, 4, 5])
        self.assertEqual(list(each(host.tickets.history, user_id, limit=0)), [])
        self.assertEqual(list(each(host.drawings.list)), [])

    def test_faults_are_repeated_and_take_effect_once(self):
        user_id = new_user("unlucky")
        for number, fault in enumerate(("unavailable", "throttled", "lost"), 1):
            faulty = Client(*ACCOUNT, fault=fault)
            credited = faulty.tickets.credit(user_id, amount=1, idempotency_key=fault)
            self.assertEqual(credited["new_ticket_balance"], number)


class Attempts(unittest.TestCase):
    """Attempts against a server that answers as told."""

    def attempts(self, *answers, call=None, tries=5):
        seen = []

        def answer(handler, body):
            seen.append((handler.path, dict(handler.headers), body))
            status, text, headers = answers[min(len(seen), len(answers)) - 1]
            reply(handler, status, text, **headers)

        pauses = []
        with Server(answer) as server, mock.patch("incentives.time.sleep", pauses.append):
            with mock.patch("incentives.random.random", lambda: 0):
                client = Client(server.url, "key", "org_1", tries=tries)
                try:
                    result = call(client) if call else client.users.get("u")
                except IncentivesError as error:
                    result = error
        return result, seen, pauses

    def test_pauses_double_or_are_those_of_the_service(self):
        down = (503, b'{"status":"error","code":"unavailable"}', {})
        error, seen, pauses = self.attempts(down, tries=8)
        self.assertEqual((error.code, len(seen)), ("unavailable", 8))
        self.assertEqual(pauses, [0.5, 1, 2, 4, 8, 16, 20])
        _, seen, pauses = self.attempts((*down[:2], {"retry_after": "7"}))
        self.assertEqual(pauses, [7, 7, 7, 7])
        self.assertEqual(len({body for _, _, body in seen}), 1)

    def test_only_what_may_succeed_later_is_sent_again(self):
        for status, text, times in [
            (500, b"<html>", 5),
            (429, b"", 5),
            (404, b'{"code":"user_not_found"}', 1),
            (500, b'{"status":"error","code":"internal_error"}', 1),
            (200, b"<html>", 1),
            (200, b"null", 1),
            (301, b"", 1),
        ]:
            error, seen, _ = self.attempts((status, text, {"location": "/elsewhere"}))
            self.assertEqual(len(seen), times, (status, text))
            self.assertEqual(error.status, status)

    def test_an_invocation_is_sent_again_only_with_a_request_id(self):
        lost = (502, b"", {})
        for request_id, times in ((None, 1), ("r1", 5)):
            sent = {"payload": {"a": None}, "request_id": request_id}
            _, seen, _ = self.attempts(
                lost, call=lambda one, sent=sent: one.webhooks.invoke("w", **sent)
            )
            self.assertEqual(len(seen), times)
            self.assertEqual(json.loads(seen[0][2]), {"a": None})

    def test_no_answer_is_an_error_without_status(self):
        with Server(lambda *_: None) as closed:
            pass
        for answer in (closed.url, None):
            with Server(lambda handler, _: time.sleep(0.2)) as silent:
                client = Client(answer or silent.url, "key", "org_1", tries=1, timeout=0.05)
                with self.assertRaises(IncentivesError) as caught:
                    client.users.get("u")
            self.assertEqual((caught.exception.code, caught.exception.status), ("no_answer", None))
            self.assertRegex(str(caught.exception), r"/users/u: no answer \(no_answer\)$")

    def test_options_that_cannot_work_are_refused(self):
        for url, options in (("api.example.com", {}), ("http://a", {"tries": 0})):
            with self.assertRaises(ValueError):
                Client(url, "key", "org_1", **options)


class Webhooks(unittest.TestCase):
    """Real calls, of which the receiver handles some late, twice, out of order or not at all."""

    def test_a_ledger_is_complete_whatever_becomes_of_webhooks(self):
        seed = random.randrange(10**6)
        chance = random.Random(seed)
        file = os.path.join(tempfile.mkdtemp(), "ledger.db")

        def apply(connection, event):
            connection.execute("CREATE TABLE IF NOT EXISTS told (user_id, sequence, type)")
            told = (event["data"]["user_id"], event["sequence"], event["type"])
            connection.execute("INSERT INTO told VALUES (?, ?, ?)", told)

        ledger = Ledger(file, apply)
        late, calls = [], []

        def receive(handler, body):
            calls.append((handler.headers, body))
            message = verify(body, handler.headers, SECRETS[0])
            fate = chance.random()
            if fate < 0.3:
                late.append(message.payload)
            elif fate > 0.5:
                ledger.add(message.payload)
            # 0.3 to 0.5: the program loses the event after its answer.
            reply(handler, 500 if fate > 0.9 else 204)

        users = [new_user(f"player-{number}") for number in range(4)]
        with Server(receive) as receiver:
            host.webhooks.create(callback_url=receiver.url, secret_key=SECRETS[0])
            threads = [threading.Thread(target=self.play, args=(user_id,)) for user_id in users]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            sums = {user_id: host.users.summary(user_id) for user_id in users}
            records = sum(one["sequence"] for one in sums.values())
            until(lambda: len({self.number(body) for _, body in list(calls)}) == records)
            for one in host.webhooks.list()["webhooks"]:
                host.webhooks.delete(one["webhook_id"])
        chance.shuffle(late)
        ledger.add(*late, *late)
        # The last event of each user comes, so that the ledger knows what it lacks.
        for user_id in users:
            *_, last = (e for page, _ in host.feed(user_id=user_id) for e in page)
            ledger.add(last)
        lacking = {
            (user_id, number)
            for user_id, gaps in ledger.missing().items()
            for gap in gaps
            for number in gap
        }
        applied = {(u, n) for u in users for n in range(1, ledger.sequence(u) + 1)}
        self.assertFalse(lacking & applied, seed)
        self.assertTrue(lacking, f"seed {seed} loses nothing: try another")
        ledger.close()

        # After a restart, the ledger goes on from its file.
        ledger = Ledger(file, apply)
        self.assertEqual(ledger.catch_up(host), {}, seed)
        for user_id, summary in sums.items():
            self.assertEqual(ledger.sequence(user_id), summary["sequence"], seed)
            for balance_type, balance in summary["balances"].items():
                self.assertEqual(ledger.balance(user_id, balance_type), balance, seed)
        told = sqlite3.connect(file).execute("SELECT * FROM told").fetchall()
        for user_id, summary in sums.items():
            numbers = [number for user, number, _ in told if user == user_id]
            self.assertEqual(numbers, list(range(1, summary["sequence"] + 1)), seed)
        types = {"balance_updated", "outcome", "prize_updated"}
        self.assertEqual({of for _, _, of in told}, types, seed)
        # The feed brought what no webhook told.
        self.assertGreater(ledger.sequence(os.environ["OLD_USER"]), 0)
        ledger.close()
        self.verifies_any_mapping(*calls[0])

    def number(self, body):
        event = json.loads(body)
        return event["data"]["user_id"], event["sequence"]

    def play(self, user_id):
        for number in range(1, 7):
            host.tickets.credit(user_id, amount=number, idempotency_key=f"c{number}")
        host.entries.credit(user_id, amount=2, type="flight", idempotency_key="e")
        for result in ("jackpot", "entry_truck", "tickets", "prize_gift_card"):
            url = host.debug.play(user_id, result=result)["url"]
            urllib.request.urlopen(
                urllib.request.Request(url + "/spin", data=b"{}", method="POST")
            ).close()
        prize_id = host.prizes.list(user_id)["items"][0]["prize_id"]
        host.prizes.update(prize_id, state="held", reason="a form is missing")
        host.tickets.debit(user_id, amount=3, idempotency_key="d")

    def verifies_any_mapping(self, headers, body):
        pairs = [(name, value) for name, value in headers.items()]
        for mapping in (
            dict(pairs),
            {name.upper(): [value] for name, value in pairs},
            {"HTTP_" + name.upper().replace("-", "_"): value for name, value in pairs},
            [(name.lower().encode(), value.encode()) for name, value in pairs],
        ):
            for text in (body, bytearray(body), body.decode()):
                message = verify(text, mapping, SECRETS[:1])
                self.assertEqual((message.kind, message.payload), ("event", json.loads(body)))
        now = int(headers["webhook-timestamp"])
        verify(body, headers, ["other", SECRETS[0]], now=now + 300)
        for forged in (
            lambda: verify(body + b" ", headers, SECRETS[0]),
            lambda: verify(body, headers, SECRETS[1]),
            lambda: verify(body, headers, SECRETS[0], now=now + 301),
            lambda: verify(body, headers, SECRETS[0], now=now - 301),
            lambda: verify(body, {**dict(pairs), "webhook-id": "evt_2"}, SECRETS[0]),
            lambda: verify(body, {}, SECRETS[0]),
            lambda: verify(body, {**dict(pairs), "webhook-timestamp": "٣"}, SECRETS[0]),
        ):
            with self.assertRaises(WebhookVerificationError):
                forged()
        for secret in ("", [], "whsec_", "whsec_nearly_base64"):
            with self.assertRaises(ValueError):
                verify(body, headers, secret)
        with self.assertRaises(TypeError):
            verify(json.loads(body), headers, SECRETS[0])


class Books(unittest.TestCase):
    """Run when the book of DAY, on which the other tests ran, is closed."""

    def test_a_ledger_finds_what_differs_from_the_book_of_a_day(self):
        ledger = Ledger(":memory:")
        ledger.catch_up(host)
        for user_id in {row["user_id"] for row in each(host.reports.tickets)}:
            for events, _ in host.feed(user_id=user_id):
                ledger.add(*events)
        book = host.books.get(os.environ["DAY"])
        self.assertEqual(ledger.differences(book), {})
        self.assertGreater(min(ledger.totals(book["day"])["counts"].values()), 0)
        book["counts"]["claims"] += 1
        book["sums"]["flight"]["credited"] -= 2
        book["sums"]["cash_usd"] += 1
        flight, cash = book["sums"]["flight"]["credited"], book["sums"]["cash_usd"]
        self.assertEqual(
            ledger.differences(book),
            {
                "counts.claims": (book["counts"]["claims"] - 1, book["counts"]["claims"]),
                "sums.flight.credited": (flight + 2, flight),
                "sums.cash_usd": (cash - 1, cash),
            },
        )
        self.assertEqual(ledger.totals("2026-01-01")["counts"]["tickets"], 0)


if __name__ == "__main__":
    unittest.main()
