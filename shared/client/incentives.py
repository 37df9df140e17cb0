"""A client of the Incentives API in one file: Python 3.9 or newer, standard library only.

    from incentives import Client, IncentivesError, Ledger, each, verify

    incentives = Client("https://api.example.com", api_key, organization_id)
    user_id = incentives.users.create(external_reference="anna-17")["user_id"]
    incentives.tickets.credit(user_id, amount=5, idempotency_key="order-1042")
    for row in each(incentives.reports.tickets, start="2026-03-14", end="2026-03-15"):
        print(row["amount"])

Calls take the fields of path, query and body as arguments, and return the response's body as a
dict. The operation `ticketsCredit` of the reference is `tickets.credit`. A `None` is not sent.

Time-outs. The slowest answer of the API takes 29 seconds, so an attempt ends after 35 without a
byte (`timeout`).

Retries. After a 429, a 503 or no answer, a request is sent again, in up to five attempts
(`tries`). The pauses are as long as `Retry-After` says, else 0.5, 1, 2, 4, … 20 seconds, and up to
a quarter longer at random. So a call without any answer ends after about three minutes. It then
raises IncentivesError; repeat it later with the same idempotency key. Not sent again is
`webhooks.invoke` without a `request_id`, if it may have been carried out.

Webhooks. `verify` checks a call, `Ledger` applies each user's events once and in order:

    message = verify(raw_body, request.headers, secret)  # raises WebhookVerificationError: a 400
    if message.kind == "event":
        ledger.add(message.payload)

Events. Run `Ledger.catch_up` every minute, or loop over `Client.feed` yourself.
"""

from __future__ import annotations

import base64
import datetime
import gzip
import hmac
import http.client
import json
import random
import re
import sqlite3
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

__all__ = [
    "Client",
    "IncentivesError",
    "Ledger",
    "Message",
    "WebhookVerificationError",
    "each",
    "verify",
]

Json = dict[str, Any]


class IncentivesError(Exception):
    """A request whose last attempt failed.

    `code` is a code of the API, `no_answer`, or `unexpected_answer` for a response from elsewhere,
    such as a proxy. After these two, `outcome_unknown` and `internal_error`, the request may have
    been carried out: repeat it with the same key.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        detail: str | None = None,
        request_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.detail = detail
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        answer = f", HTTP {self.status}, request {self.request_id}" if self.status else ""
        return f"{self.message} ({self.code}{answer})"


_Send = Callable[..., Json]


class _Group:
    def __init__(self, send: _Send) -> None:
        self._send = send


def _fields(**fields: Any) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


def _id(value: str) -> str:
    """Encodes an id for a path. Refuses ids that would lead to another path."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"not an id: {value!r}")
    return urllib.parse.quote(value, safe="")


# Operations: made by "npm run client" from the OpenAPI document.


class _Users(_Group):
    def create(self, *, external_reference: str) -> Json:
        """Create a user.

        The user starts with empty balances. The request has no idempotency key. After
        `outcome_unknown`, repeat the request: for a day, it returns the same user. If you got no
        response, repeat the request too. The error `external_reference_taken` then means that the
        first request created the user: look up the reference.

        `POST /users` returns `user_id`, `date_created`.
        """
        return self._send("POST", "/users", body=_fields(external_reference=external_reference))

    def find(self, *, external_reference: str) -> Json:
        """Look up a user by external reference.

        References are compared character by character. An unknown reference returns the error
        `user_not_found`.

        `GET /users` returns `user_id`, `external_reference`, `date_created`.
        """
        return self._send("GET", "/users", query=_fields(external_reference=external_reference))

    def get(self, user_id: str) -> Json:
        """Look up a user by id.

        Unknown ids and the ids of other organizations' users return the error `user_not_found`.

        `GET /users/{user_id}` returns `user_id`, `external_reference`, `date_created`.
        """
        return self._send("GET", f"/users/{_id(user_id)}")

    def update(self, user_id: str, *, external_reference: str) -> Json:
        """Change a user's external reference.

        Another user can get the old reference immediately. Setting the current reference again
        succeeds.

        `PUT /users/{user_id}` returns `user_id`, `date_created`.
        """
        return self._send(
            "PUT",
            f"/users/{_id(user_id)}",
            body=_fields(external_reference=external_reference),
        )

    def summary(self, user_id: str) -> Json:
        """Read what a screen shows about a user.

        Returns balances, queued spins, the day's remaining plays, the eligibility for each game,
        and recent wins, all as of the event `sequence`. `plays_left` and `plays_reset_at` are null
        if plays are not limited. `queued_spins.run_at` is the next midnight in New York, or null if
        no spins are queued for it. The `due` spins run within minutes, or when a hold ends. `wins`
        lists the prizes of games that you hand out, such as cash, newest first. It covers the
        user's last 50 outcomes. The list is complete from `since` on.

        `GET /users/{user_id}/summary` returns `user_id`, `external_reference`, `sequence`,
        `balances`, `plays_left`, `plays_reset_at`, `games`, `promotion`, `queued_spins`, `wins`.
        """
        return self._send("GET", f"/users/{_id(user_id)}/summary")


class _Tickets(_Group):
    def credit(
        self,
        user_id: str,
        *,
        amount: int,
        description: str | None = None,
        idempotency_key: str,
    ) -> Json:
        """Add tickets to a user's balance.

        Credits whole tickets, once for each idempotency key. A credit and a debit cannot have the
        same key.

        `POST /users/{user_id}/tickets/credit` returns `user_id`, `new_ticket_balance`,
        `transaction_id`, `sequence`.
        """
        return self._send(
            "POST",
            f"/users/{_id(user_id)}/tickets/credit",
            body=_fields(amount=amount, description=description, idempotency_key=idempotency_key),
        )

    def debit(
        self,
        user_id: str,
        *,
        amount: int,
        description: str | None = None,
        idempotency_key: str,
    ) -> Json:
        """Take tickets from a user's balance.

        Debits once for each idempotency key. A debit of more than the balance takes nothing and
        uses up no key.

        `POST /users/{user_id}/tickets/debit` returns `user_id`, `new_ticket_balance`,
        `transaction_id`, `sequence`.
        """
        return self._send(
            "POST",
            f"/users/{_id(user_id)}/tickets/debit",
            body=_fields(amount=amount, description=description, idempotency_key=idempotency_key),
        )

    def history(
        self,
        user_id: str,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> Json:
        """List a user's ticket transactions, newest first.

        Lists credits, debits, ticket prizes, and costs of games. Send `next_token` to get the next
        page. New transactions do not shift pages. A `limit` of 0 returns an empty page.

        `GET /users/{user_id}/tickets/history` returns `limit`, `next_token`, `transactions`.
        """
        return self._send(
            "GET",
            f"/users/{_id(user_id)}/tickets/history",
            query=_fields(limit=limit, next_token=next_token),
        )

    def balance(self, user_id: str) -> Json:
        """Read a user's ticket balance.

        The balance includes every change whose response you got before this request.

        `GET /users/{user_id}/tickets/balance` returns `balance`, `sequence`.
        """
        return self._send("GET", f"/users/{_id(user_id)}/tickets/balance")


class _Entries(_Group):
    def credit(
        self,
        user_id: str,
        *,
        amount: int,
        type: Literal["truck", "flight"] | None = None,
        description: str | None = None,
        idempotency_key: str,
    ) -> Json:
        """Add truck or flight entries to a user's balance.

        Credits entries once for each idempotency key. Each type has its own balance. `type`
        defaults to `truck`, even if you misspell the name of the field, because unknown fields are
        ignored. A key belongs to one credit or debit of one type: a request with the same key and
        the other type returns the error `idempotency_key_reused`.

        `POST /users/{user_id}/entries/credit` returns `user_id`, `type`, `new_entry_balance`,
        `transaction_id`, `sequence`.
        """
        return self._send(
            "POST",
            f"/users/{_id(user_id)}/entries/credit",
            body=_fields(
                amount=amount,
                type=type,
                description=description,
                idempotency_key=idempotency_key,
            ),
        )

    def debit(
        self,
        user_id: str,
        *,
        amount: int,
        type: Literal["truck", "flight"] | None = None,
        description: str | None = None,
        idempotency_key: str,
    ) -> Json:
        """Take truck or flight entries from a user's balance.

        Debits entries once for each idempotency key. `type` defaults to `truck`, even if you
        misspell the name of the field, because unknown fields are ignored. A debit of more than the
        balance takes nothing and uses up no key.

        `POST /users/{user_id}/entries/debit` returns `user_id`, `type`, `new_entry_balance`,
        `transaction_id`, `sequence`.
        """
        return self._send(
            "POST",
            f"/users/{_id(user_id)}/entries/debit",
            body=_fields(
                amount=amount,
                type=type,
                description=description,
                idempotency_key=idempotency_key,
            ),
        )


class _Drawings(_Group):
    def list(self) -> Json:
        """List the newest 100 drawings among entries, newest first.

        Each drawing uses up the entries of its type that users hold at the end of its closing day.
        Show your users what their entries are for, when the drawing is, and its `root` once it has
        closed.

        `GET /drawings` returns `drawings`.
        """
        return self._send("GET", "/drawings")

    def get(self, drawing_id: str) -> Json:
        """Read one drawing, with its winners.

        Winners who forfeited stay in the list, before the user who took their place. The reference
        of an erased user is empty.

        `GET /drawings/{drawing_id}` returns `drawing_id`, `type`, `prize`, `value_usd`, `closes`,
        `draws_at`, `state`, `is_test`, `entrants`, `total_entries`, `root`, `places_left`, `round`,
        `winners`.
        """
        return self._send("GET", f"/drawings/{_id(drawing_id)}")


class _Amoe(_Group):
    def queue(
        self,
        user_id: str,
        *,
        num_of_spins: int,
        game: Literal["prizewheel", "truck", "flight"] | None = None,
        result_effective_date: str | None = None,
        idempotency_key: str,
    ) -> Json:
        """Queue free spins for the next midnight in New York.

        The spins cost no tickets. They use the prize table that `game` has at the time of the
        request: all that a game’s plays can win for tickets can be won for free, at the same odds.
        They run at midnight or in the minutes after it, once for each idempotency key.
        `total_queued_spins` counts all spins of the user that have not run yet. The outcomes get
        your `result_effective_date`, by default the start of today in New York. This date does not
        affect when the spins run.

        `POST /users/{user_id}/game/queue` returns `total_queued_spins`.
        """
        return self._send(
            "POST",
            f"/users/{_id(user_id)}/game/queue",
            body=_fields(
                num_of_spins=num_of_spins,
                game=game,
                result_effective_date=result_effective_date,
                idempotency_key=idempotency_key,
            ),
        )

    def guest_play(
        self,
        user_id: str,
        *,
        num_of_spins: int,
        game: Literal["prizewheel", "truck", "flight"] | None = None,
        result_effective_date: str | None = None,
        idempotency_key: str,
    ) -> Json:
        """Run free spins immediately for a user without an account on the host system.

        Create the guest by `POST /users`. The spins cost no tickets, use the prize table of `game`,
        and run once for each idempotency key. `items` are in the order of the draws. If not all
        spins run in time, the response is the error `accepted_repeat_to_collect`. The remaining
        spins still run: repeat the request to get all outcomes. The outcomes get your
        `result_effective_date`, by default the start of today in New York.

        `POST /users/guest/{user_id}/game/play` returns `items`.
        """
        return self._send(
            "POST",
            f"/users/guest/{_id(user_id)}/game/play",
            body=_fields(
                num_of_spins=num_of_spins,
                game=game,
                result_effective_date=result_effective_date,
                idempotency_key=idempotency_key,
            ),
        )

    def guest_queue(
        self,
        user_id: str,
        *,
        num_of_spins: int,
        game: Literal["prizewheel", "truck", "flight"] | None = None,
        idempotency_key: str,
    ) -> Json:
        """Queue free guest spins for the next midnight in New York.

        Deprecated. Works like `POST /users/{user_id}/game/queue`, but has no
        `result_effective_date`. Use `POST /users/guest/{user_id}/game/play` instead, which runs a
        guest's spins immediately.

        `POST /users/guest/{user_id}/game/queue` returns `total_queued_spins`.
        """
        return self._send(
            "POST",
            f"/users/guest/{_id(user_id)}/game/queue",
            body=_fields(num_of_spins=num_of_spins, game=game, idempotency_key=idempotency_key),
        )


class _Games(_Group):
    def play(
        self,
        user_id: str,
        *,
        lang: Literal["en", "es"] | None = None,
        game: Literal["prizewheel", "truck", "flight"] | None = None,
    ) -> Json:
        """Generate a URL at which a user plays a game once, within 30 minutes.

        Each request returns a new URL, which costs nothing until the play. A URL has one outcome,
        however often it is opened, and shows the outcome for a year. The URL is a credential:
        anybody who has it can play. `playable` and `restrictions` are those of the game now: a user
        who cannot play yet can still get a URL.

        `POST /users/{user_id}/games/play` returns `url`, `lang`, `expiry_time`, `playable`,
        `restrictions`, `promotion`.
        """
        return self._send(
            "POST",
            f"/users/{_id(user_id)}/games/play",
            body=_fields(lang=lang, game=game),
        )

    def history(
        self,
        user_id: str,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> Json:
        """List a user's game outcomes, newest first.

        Lists plays and free spins, each with one prize. Send `next_token` to get the next page. New
        outcomes do not shift pages. A `limit` of 0 returns an empty page.

        `GET /users/{user_id}/games/history` returns `items`, `next_token`.
        """
        return self._send(
            "GET",
            f"/users/{_id(user_id)}/games/history",
            query=_fields(limit=limit, next_token=next_token),
        )

    def check_eligibility(self, user_id: str) -> Json:
        """Check whether a user can play, without starting a session.

        `playable`, `restrictions` and `holds` are those of the prize wheel; `games` has those of
        each game, and whether its free spins can be requested (`free_playable`). `tickets_only`
        does not prevent a play: it means that only tickets can be won now, because no cash is left
        or the promotion has not begun or is over. `holds` lists what an operator has stopped; each
        hold prevents plays.

        `GET /users/{user_id}/game/check-eligibility` returns `playable`, `restrictions`, `holds`,
        `games`, `promotion`.
        """
        return self._send("GET", f"/users/{_id(user_id)}/game/check-eligibility")


class _Prizes(_Group):
    def list(
        self,
        user_id: str,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> Json:
        """List the prizes that a user has won and you hand out, newest first, with their states.

        Prizes that a balance shows, tickets and entries, are left out. A prize is `open` until it
        is `delivered` or `forfeited`; while it is `held`, something is missing, such as a form. A
        prize is `untracked` if your organization did not track its kind when it was won; prizes of
        drawings are always tracked. A page can be shorter than `limit`: send `next_token` until it
        is empty.

        `GET /users/{user_id}/prizes` returns `items`, `next_token`.
        """
        return self._send(
            "GET",
            f"/users/{_id(user_id)}/prizes",
            query=_fields(limit=limit, next_token=next_token),
        )

    def update(
        self,
        prize_id: str,
        *,
        state: Literal["open", "held", "delivered", "forfeited"],
        reference: str | None = None,
        reason: str | None = None,
        delivered_on: str | None = None,
    ) -> Json:
        """Record a step of a prize: held, delivered, forfeited, or open again.

        The same step again succeeds and changes nothing. A step that cannot follow, such as a
        second delivery with another reference, returns the error `claim_conflict`. A prize won in
        the last minute can return `unavailable`: send the request again. A drawing’s prize that is
        `forfeited` goes to the next user drawn, at once and for good. Each step emits
        `prize_updated`.

        `PUT /prizes/{prize_id}` returns `prize_id`, `prize`, `value_usd`, `won_at`, `claim_by`,
        `state`, `reference`, `reason`, `delivered_on`, `state_at`.
        """
        return self._send(
            "PUT",
            f"/prizes/{_id(prize_id)}",
            body=_fields(
                state=state,
                reference=reference,
                reason=reason,
                delivered_on=delivered_on,
            ),
        )


class _Page(_Group):
    def get(self) -> Json:
        """Read the settings of your play pages.

        Returns the origins that may frame the page, the return URL, the rules and the brand. An
        empty value means the default. Each of `preview_urls` shows a game in one language with
        these settings, to anybody who has the URL. A preview plays nothing, costs nothing and never
        expires. In a frame, it sends the messages `ready`, `resize` and `done`.

        `GET /page` returns `return_url`, `frame_origins`, `rules_url_en`, `rules_url_es`,
        `free_entry_en`, `free_entry_es`, `free_entry_url_en`, `free_entry_url_es`, `brand_name`,
        `brand_logo`, `brand_accent`, `brand_accent_text`, `brand_background`, `brand_text`,
        `preview_urls`.
        """
        return self._send("GET", "/page")

    def update(
        self,
        *,
        return_url: str | None = None,
        frame_origins: list[str] | None = None,
        rules_url_en: str | None = None,
        rules_url_es: str | None = None,
        free_entry_en: str | None = None,
        free_entry_es: str | None = None,
        free_entry_url_en: str | None = None,
        free_entry_url_es: str | None = None,
        brand_name: str | None = None,
        brand_logo: str | None = None,
        brand_accent: str | None = None,
        brand_accent_text: str | None = None,
        brand_background: str | None = None,
        brand_text: str | None = None,
    ) -> Json:
        """Change the settings of your play pages.

        The settings apply to pages opened after the request. A setting that you leave out stays the
        same, and an empty value restores the default. Colors with too little contrast return an
        error that names the nearest readable color. Repeating the request has no further effect.
        Operators see each change with the id of your API key.

        `PUT /page` returns `return_url`, `frame_origins`, `rules_url_en`, `rules_url_es`,
        `free_entry_en`, `free_entry_es`, `free_entry_url_en`, `free_entry_url_es`, `brand_name`,
        `brand_logo`, `brand_accent`, `brand_accent_text`, `brand_background`, `brand_text`,
        `preview_urls`.
        """
        return self._send(
            "PUT",
            "/page",
            body=_fields(
                return_url=return_url,
                frame_origins=frame_origins,
                rules_url_en=rules_url_en,
                rules_url_es=rules_url_es,
                free_entry_en=free_entry_en,
                free_entry_es=free_entry_es,
                free_entry_url_en=free_entry_url_en,
                free_entry_url_es=free_entry_url_es,
                brand_name=brand_name,
                brand_logo=brand_logo,
                brand_accent=brand_accent,
                brand_accent_text=brand_accent_text,
                brand_background=brand_background,
                brand_text=brand_text,
            ),
        )


class _Debug(_Group):
    def play(
        self,
        user_id: str,
        *,
        lang: Literal["en", "es"] | None = None,
        game: Literal["prizewheel", "truck", "flight"] | None = None,
        result: str,
        valid_seconds: int | None = None,
    ) -> Json:
        """Generate a play URL with a forced result.

        `jackpot` wins the highest cash prize of the prize table. A kind of prize, such as
        `prize_gift_card`, wins a prize of this kind; if the table has none, a 422 names the kinds
        that it has. Both cost nothing and have no limits. `tickets_only` has the ordinary cost and
        limits, and draws only ticket prizes. After the play, `fairness.debug` is the forced result.
        `valid_seconds` makes the URL expire earlier.

        `POST /debug/users/{user_id}/games/play` returns `url`, `lang`, `result`, `expiry_time`.
        """
        return self._send(
            "POST",
            f"/debug/users/{_id(user_id)}/games/play",
            body=_fields(lang=lang, game=game, result=result, valid_seconds=valid_seconds),
        )

    def daily_cash_limit(self, *, cash_limit: int) -> Json:
        """Set the daily cash limit, in whole USD.

        Limits the cash prizes of all users together per day in New York, from the next draw on.

        `PUT /debug/daily-cash-limit` returns `cash_limit`.
        """
        return self._send("PUT", "/debug/daily-cash-limit", body=_fields(cash_limit=cash_limit))

    def daily_spin_limit(self, *, on: bool) -> Json:
        """Turn the daily spin limit on or off.

        Limits each user's plays per day in New York. Free spins do not count.

        `PUT /debug/daily-spin-limit` returns `on`.
        """
        return self._send("PUT", "/debug/daily-spin-limit", body=_fields(on=on))

    def spin_run(self) -> Json:
        """Run the queued free spins now.

        Starts the run that starts at midnight in New York, for all queued spins of the
        organization. They run within seconds, once each however often you ask, with their webhooks.
        `started` counts these spins. Spins of a frozen user stay queued.

        `POST /debug/spin-run` returns `started`.
        """
        return self._send("POST", "/debug/spin-run", body=_fields())


class _Webhooks(_Group):
    def create(self, *, callback_url: str, secret_key: str, event: str | None = None) -> Json:
        """Register a webhook.

        Without `event`, the webhook subscribes to all types of events. If a webhook with this
        callback URL and event exists, the request updates it as a PUT does, and returns it: you can
        repeat the request, and send it at every start. If webhooks for different events have the
        same callback URL, only the newest that subscribes to a type receives it; `receives` in the
        list shows which. `secret_key` signs the deliveries.

        `POST /webhooks` returns `webhook_id`, `callback_url`, `secret_key`, `event`,
        `failing_since`, `disabled_at`, `disabled_reason`.
        """
        return self._send(
            "POST",
            "/webhooks",
            body=_fields(callback_url=callback_url, secret_key=secret_key, event=event),
        )

    def list(self, *, limit: int | None = None, next_token: str | None = None) -> Json:
        """List the webhooks, oldest first.

        Lists the webhooks with their secrets, the time since which deliveries fail, and the types
        of events that each webhook receives. If several webhooks with the same callback URL
        subscribe to a type of event, only the newest receives the events. Send `next_token` to get
        the next page. A `limit` of 0 returns an empty page.

        `GET /webhooks` returns `webhooks`, `next_token`.
        """
        return self._send("GET", "/webhooks", query=_fields(limit=limit, next_token=next_token))

    def get(self, webhook_id: str) -> Json:
        """Read one webhook.

        Returns the webhook with its secret, and with the time since which deliveries fail.

        `GET /webhooks/{webhook_id}` returns `webhook_id`, `callback_url`, `secret_key`, `event`,
        `failing_since`, `disabled_at`, `disabled_reason`.
        """
        return self._send("GET", f"/webhooks/{_id(webhook_id)}")

    def update(
        self,
        webhook_id: str,
        *,
        callback_url: str,
        secret_key: str,
        event: str | None = None,
    ) -> Json:
        """Change a webhook, and switch it on if it is off.

        If the body has no `event`, the subscription stays the same. For 24 hours after a change of
        the secret, the old and the new secret both sign deliveries. A webhook that was switched off
        is switched on again and receives the events that it missed, once your receiver works.

        `PUT /webhooks/{webhook_id}` returns `webhook_id`, `callback_url`, `secret_key`, `event`,
        `failing_since`, `disabled_at`, `disabled_reason`.
        """
        return self._send(
            "PUT",
            f"/webhooks/{_id(webhook_id)}",
            body=_fields(callback_url=callback_url, secret_key=secret_key, event=event),
        )

    def delete(self, webhook_id: str) -> Json:
        """Delete a webhook.

        Drops the deliveries that are still pending for the webhook. Repeating the request returns a
        404.

        `DELETE /webhooks/{webhook_id}` returns `webhook_id`.
        """
        return self._send("DELETE", f"/webhooks/{_id(webhook_id)}")

    def invoke(self, webhook_id: str, *, request_id: str | None = None, payload: Json) -> Json:
        """Send a JSON object to a webhook, once for each request id.

        Sends the body byte for byte, even to a webhook that is switched off. The body is signed
        like an event, with a `webhook-id` that begins with `inv_`. Within 90 days, requests with
        the same `request_id` send the body once, and a request with another body returns the error
        `idempotency_key_reused`. Each request without a `request_id` sends its body.

        `POST /webhooks/{webhook_id}/invoke` returns no fields.
        """
        return self._send(
            "POST",
            f"/webhooks/{_id(webhook_id)}/invoke",
            query=_fields(request_id=request_id),
            body=payload,
        )

    def history(
        self,
        *,
        start: str,
        end: str,
        event_type: str | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> Json:
        """List the calls made to webhooks, oldest first.

        A call is one attempt to send an event or an `invoke` body. Calls are kept for 90 days.
        `start` and `end` are inclusive, while reports exclude `end`. Send `next_token` with the
        same `start`, `end` and `event_type` to get the next page. `is_all` is true on the last
        page.

        `GET /webhook/history` returns `calls`, `next_token`, `limit`, `is_all`.
        """
        return self._send(
            "GET",
            "/webhook/history",
            query=_fields(
                start=start,
                end=end,
                event_type=event_type,
                limit=limit,
                next_token=next_token,
            ),
        )


class _Events(_Group):
    def list(
        self,
        *,
        after: str | None = None,
        after_sequence: int | None = None,
        limit: int | None = None,
        user_id: str | None = None,
        event_type: str | None = None,
    ) -> Json:
        """Read events forward, oldest first.

        Returns the events that webhooks receive, with the same ids and payloads. You need no
        webhook. Without `after`, the page begins with the first event of your organization. Store
        `next` in the same transaction as the effects of the page, and send it as `after` in the
        next request. A `next` never expires. `is_all` means that no event older than one minute is
        known to be missing: newer events appear one minute after their time. A gap in a user’s
        `sequence` shows that AWS’s index was late: read on from the gap with `user_id` and
        `after_sequence`. In a request with `user_id`, events appear immediately.

        `GET /events` returns `events`, `next`, `is_all`.
        """
        return self._send(
            "GET",
            "/events",
            query=_fields(
                after=after,
                after_sequence=after_sequence,
                limit=limit,
                user_id=user_id,
                event_type=event_type,
            ),
        )


class _Reports(_Group):
    def outcomes(
        self,
        *,
        start: str | None = None,
        end: str | None = None,
        page: int | None = None,
        page_size: int | None = None,
        user_id: str | None = None,
    ) -> Json:
        """Report on game outcomes, oldest first.

        The rows are plays and free spins, of all users or of one. `start` (inclusive) and `end`
        (exclusive, unlike in the history of webhook calls) select rows by `timestamp`, not by
        `result_effective_date`. Pages are numbered from 0, and totals are exact. The report on a
        time range can get more rows until a minute after `end`. A page of more than 6 MB returns a
        422: send `Accept-Encoding: gzip`, or request fewer rows. You can also send the parameters
        in a JSON body.

        `GET /game/history` returns `items`, `total_count`, `page`, `page_size`, `total_pages`.
        """
        return self._send(
            "GET",
            "/game/history",
            query=_fields(start=start, end=end, page=page, page_size=page_size, user_id=user_id),
        )

    def tickets(
        self,
        *,
        start: str | None = None,
        end: str | None = None,
        page: int | None = None,
        page_size: int | None = None,
        user_id: str | None = None,
    ) -> Json:
        """Report on ticket transactions, oldest first.

        The rows are credits, debits, ticket prizes, and costs of games, of all users or of one.
        `start` (inclusive) and `end` (exclusive, unlike in the history of webhook calls) select
        rows by `date_created`, not by `result_effective_date`. Pages are numbered from 0, and
        totals are exact. The report on a time range can get more rows until a minute after `end`. A
        page of more than 6 MB returns a 422: send `Accept-Encoding: gzip`, or request fewer rows.
        You can also send the parameters in a JSON body.

        `GET /tickets/history` returns `transactions`, `total_count`, `page`, `page_size`,
        `total_pages`.
        """
        return self._send(
            "GET",
            "/tickets/history",
            query=_fields(start=start, end=end, page=page, page_size=page_size, user_id=user_id),
        )

    def entries(
        self,
        *,
        start: str | None = None,
        end: str | None = None,
        page: int | None = None,
        page_size: int | None = None,
        user_id: str | None = None,
        entry_type: Literal["truck", "flight"] | None = None,
    ) -> Json:
        """Report on entry transactions, oldest first (the path is spelled so).

        The rows are credits, debits and prizes, of both entry types or of `entry_type`, of all
        users or of one. `start` (inclusive) and `end` (exclusive, unlike in the history of webhook
        calls) select rows by `date_created`, not by `result_effective_date`. Pages are numbered
        from 0, and totals are exact. The report on a time range can get more rows until a minute
        after `end`. A page of more than 6 MB returns a 422: send `Accept-Encoding: gzip`, or
        request fewer rows. You can also send the parameters in a JSON body.

        `GET /entrties/history` returns `transactions`, `total_count`, `page`, `page_size`,
        `total_pages`.
        """
        return self._send(
            "GET",
            "/entrties/history",
            query=_fields(
                start=start,
                end=end,
                page=page,
                page_size=page_size,
                user_id=user_id,
                entry_type=entry_type,
            ),
        )


class _Books(_Group):
    def get(self, day: str) -> Json:
        """Read the totals of a closed day, as its book states them.

        Compare them with your ledger. A day in New York is closed at 01:00 on the next day, for
        good. `sums` has what was credited and debited on each account, including costs of games and
        prizes. `cash_usd` and `spins` count forced results only as `debug`. Keep `kept_line`: it
        proves this day and all earlier ones.

        `GET /books/{day}` returns `day`, `records`, `counts`, `sums`, `kept_line`.
        """
        return self._send("GET", f"/books/{_id(day)}")


class _Operations:
    def __init__(self, send: _Send) -> None:
        self.users = _Users(send)
        self.tickets = _Tickets(send)
        self.entries = _Entries(send)
        self.drawings = _Drawings(send)
        self.amoe = _Amoe(send)
        self.games = _Games(send)
        self.prizes = _Prizes(send)
        self.page = _Page(send)
        self.debug = _Debug(send)
        self.webhooks = _Webhooks(send)
        self.events = _Events(send)
        self.reports = _Reports(send)
        self.books = _Books(send)


# End of operations.


class Client(_Operations):
    """The API for one organization. Threads can share a client.

    `fault` makes the first attempt of each request fail on purpose, to try your program with:
    `unavailable`, `throttled`, `lost`, `slow` or `slow=12`. Production ignores it.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        organization_id: str,
        *,
        tries: int = 5,
        timeout: float = 35,
        fault: str | None = None,
    ) -> None:
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must be a URL such as https://api.example.com")
        if tries < 1 or not timeout > 0:
            raise ValueError("tries and timeout must be at least 1 and above 0")
        super().__init__(self._request)
        self._base_url = base_url.rstrip("/")
        self._headers = {
            "authorization": f"Bearer {api_key}",
            "x-organization-id": organization_id,
            "accept-encoding": "gzip",
            "user-agent": "incentives-python",
        }
        self._tries = tries
        self._timeout = timeout
        self._fault = fault
        self._opener = urllib.request.build_opener(_NoRedirects)

    def feed(
        self,
        after: str | None = None,
        *,
        user_id: str | None = None,
        after_sequence: int | None = None,
    ) -> Iterator[tuple[list[Json], str]]:
        """Yields pages of `GET /events`, oldest first, each with the cursor after it.

        Store a page's cursor in the transaction that stores its effects, and continue with it as
        `after`. Ends when all is read that can be read now: of all users, what is older than a
        minute; of one user, everything.
        """
        while True:
            page = self.events.list(
                after=after, after_sequence=after_sequence, limit=1000, user_id=user_id
            )
            yield page["events"], page["next"]
            if page["is_all"] or page["next"] == after:
                return
            after, after_sequence = page["next"], None

    def _request(
        self,
        method: str,
        path: str,
        *,
        query: Json | None = None,
        body: Json | None = None,
    ) -> Json:
        query = query or {}
        # The API would carry out an invocation without an id of its own twice.
        repeatable = not path.endswith("/invoke") or "request_id" in query
        url = self._base_url + path
        if query:
            url += "?" + urllib.parse.urlencode(query)
        headers = dict(self._headers)
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body, allow_nan=False).encode()
        for tried in range(1, self._tries + 1):
            fault = {"incentives-fault": self._fault} if self._fault and tried == 1 else {}
            request = urllib.request.Request(
                url, data=data, headers={**headers, **fault}, method=method
            )
            try:
                return self._attempt(request)
            except IncentivesError as error:
                if tried == self._tries or not _may_repeat(error, repeatable):
                    raise
                pause = min(2.0 ** (tried - 2), 20)
                if error.retry_after is not None:
                    pause = error.retry_after
                # At random up to a quarter longer, so that clients do not retry together.
                time.sleep(pause * (1 + random.random() / 4))
        raise AssertionError("unreachable")

    def _attempt(self, request: urllib.request.Request) -> Json:
        try:
            try:
                response = self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as refused:
                response = refused
            with response:
                text = response.read()
                if response.headers.get("content-encoding") == "gzip":
                    text = gzip.decompress(text)
        except (OSError, EOFError, zlib.error, http.client.HTTPException) as error:
            what = f"{request.get_method()} {request.full_url}: no answer"
            raise IncentivesError("no_answer", what) from error
        return _answer(response.status, response.headers, text)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which would turn a POST into a GET."""

    def redirect_request(self, *_: Any) -> None:
        return None


_WITHOUT_EFFECT = ("too_many_requests", "unavailable")
_WITH_UNKNOWN_EFFECT = (
    "outcome_unknown",
    "accepted_repeat_to_collect",
    "no_answer",
    "unexpected_answer",
)


def _may_repeat(error: IncentivesError, repeatable: bool) -> bool:
    if error.code in _WITHOUT_EFFECT:
        return True
    # Another attempt would get a proxy's 4xx again, but after a proxy's 5xx it may succeed.
    if error.code == "unexpected_answer" and (error.status or 0) < 500 and error.status != 429:
        return False
    return repeatable and error.code in _WITH_UNKNOWN_EFFECT


def _answer(status: int, headers: Mapping[str, str], text: bytes) -> Json:
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    if 200 <= status < 300 and body.get("status") == "success":
        return body
    code = body.get("code") if body.get("status") == "error" else None
    message = str(body.get("message", code))
    if not isinstance(code, str):
        code, message = "unexpected_answer", f"HTTP {status}, but not from the service"
    after = headers.get("retry-after") or ""
    raise IncentivesError(
        code,
        message,
        status=status,
        detail=body.get("detail"),
        request_id=body.get("request_id") or headers.get("x-request-id"),
        retry_after=int(after) if re.fullmatch("[0-9]{1,6}", after) else None,
    )


def each(operation: Callable[..., Json], *ids: str, **fields: Any) -> Iterator[Json]:
    """Yields the items of all pages of a list, such as `each(incentives.reports.tickets)`.

    Fetches a page when the loop reaches it.
    """
    while True:
        page = operation(*ids, **fields)
        yield from next(items for items in page.values() if isinstance(items, list))
        following = _following(page, fields)
        if following is None:
            return
        fields.update(following)


def _following(page: Json, fields: Json) -> Json | None:
    """The fields that ask for the page after `page`, unless it is the last."""
    if "total_pages" in page:
        number = page["page"] + 1
        return {"page": number} if number < page["total_pages"] else None
    if page.get("next_token") and fields.get("limit") != 0:
        return {"next_token": page["next_token"]}
    if "next" in page and not page["is_all"] and page["next"] != fields.get("after"):
        return {"after": page["next"], "after_sequence": None}
    return None


class WebhookVerificationError(Exception):
    """A call that was forged or altered, or whose timestamp is too far from the local clock."""


class Message(NamedTuple):
    """A verified webhook call. Repeated deliveries have the same `id`."""

    id: str
    kind: Literal["event", "invocation"]
    payload: Json


def verify(
    body: bytes | str,
    headers: Any,
    secret: str | list[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> Message:
    """Verifies a webhook call (Standard Webhooks 1.0).

    `body` is the raw body: one that was parsed and serialized again has other bytes. `headers` is
    any mapping, also a WSGI environ, or the pairs of ASGI; the case of names does not matter.
    While you replace the `secret_key`, `secret` is a list of the old and the new one. Raises
    WebhookVerificationError; ValueError and TypeError mean that your program is wrong.
    """
    if isinstance(body, str):
        body = body.encode()
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("body must be the raw body as bytes or text, before any parsing")
    keys = [_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("secret is missing")
    found = _webhook_headers(headers)
    message_id, timestamp, signatures = (
        _header(found, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("webhook-timestamp is not a number")
    if not abs((time.time() if now is None else now) - int(timestamp)) <= tolerance:
        raise WebhookVerificationError("webhook-timestamp is too far from the local clock")
    signed = f"{message_id}.{timestamp}.".encode() + bytes(body)
    expected = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    given = signatures.encode().split(b" ")
    if not any(hmac.compare_digest(one, other) for one in expected for other in given):
        raise WebhookVerificationError("no signature matches the secret")
    kind: Any = "invocation" if message_id.startswith("inv_") else "event"
    return Message(message_id, kind, json.loads(bytes(body)))


def _key(secret: str) -> bytes:
    if not isinstance(secret, str) or not secret:
        raise ValueError("secret is missing")
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("secret must be base64 after whsec_")
    return key


def _webhook_headers(headers: Any) -> dict[str, str]:
    found = {}
    for name, value in headers.items() if hasattr(headers, "items") else headers:
        name = name.decode("latin-1") if isinstance(name, bytes) else str(name)
        # A WSGI environ has `HTTP_WEBHOOK_ID`.
        name = re.sub("^http-", "", name.lower().replace("_", "-"))
        if name.startswith("webhook-"):
            value = value[0] if isinstance(value, (list, tuple)) and value else value
            found[name] = value.decode("latin-1") if isinstance(value, bytes) else str(value)
    return found


def _header(headers: dict[str, str], name: str) -> str:
    if not headers.get(name):
        raise WebhookVerificationError(f"{name} is missing")
    return headers[name]


class Ledger:
    """Events of users in an SQLite file, each applied once, in the order of its `sequence`.

    An event that comes early is parked until those before it have come, and one whose number is
    applied is ignored. So webhooks may come in any order, repeatedly or not at all, as long as
    `catch_up` runs. Threads can share a ledger, processes its file.

    `apply(connection, event)` is called for each applied event, in its transaction. Your tables in
    the same file thus change once for each event, even if your program crashes.

    Left out are `cash_won` and `prize_won`, which repeat an outcome under its number, and events of
    drawings, which have no number.
    """

    def __init__(
        self, path: str, apply: Callable[[sqlite3.Connection, Json], None] | None = None
    ) -> None:
        self._apply = apply or (lambda connection, event: None)
        self._lock = threading.RLock()
        self._connection = sqlite3.connect(
            path, timeout=60, isolation_level=None, check_same_thread=False
        )
        self._connection.executescript(_SCHEMA)

    def close(self) -> None:
        self._connection.close()

    def add(self, *events: Json) -> list[Json]:
        """Stores events. Returns those that could be applied now, in order."""
        with self._transaction() as connection:
            return self._add(connection, events)

    def catch_up(self, client: Client) -> dict[str, list[range]]:
        """Reads the feed from where it ended last time, and closes gaps. Returns `missing()`."""
        for events, cursor in client.feed(self._cursor()):
            with self._transaction() as connection:
                self._add(connection, events)
                connection.execute("INSERT OR REPLACE INTO feed VALUES (1, ?)", (cursor,))
        for user_id in self.missing():
            try:
                for events, _ in client.feed(
                    user_id=user_id, after_sequence=self.sequence(user_id)
                ):
                    self.add(*events)
            except IncentivesError as error:
                # An erased user has no list any more.
                if error.code != "user_not_found":
                    raise
        return self.missing()

    def missing(self) -> dict[str, list[range]]:
        """The numbers, by user, that are lacking although later ones have come."""
        gaps: dict[str, list[range]] = {}
        with self._transaction() as connection:
            parked = connection.execute("SELECT user_id, sequence FROM parked ORDER BY 1, 2")
            for user_id, sequence in parked.fetchall():
                if user_id not in gaps:
                    gaps[user_id] = []
                    last = self.sequence(user_id)
                if sequence > last + 1:
                    gaps[user_id].append(range(last + 1, sequence))
                last = sequence
        return gaps

    def sequence(self, user_id: str) -> int:
        """The number of a user's last applied event.

        Nothing is lacking if it is the `sequence` of `incentives.users.summary(user_id)`.
        """
        return self._one("SELECT sequence FROM users WHERE user_id = ?", user_id) or 0

    def balance(self, user_id: str, balance_type: str = "tickets") -> int:
        """The balance after the last applied event: of `tickets`, `truck` or `flight`."""
        return (
            self._one(
                "SELECT balance FROM balances WHERE user_id = ? AND balance_type = ?",
                user_id,
                balance_type,
            )
            or 0
        )

    def totals(self, day: str) -> Json:
        """Counts and sums of a day in New York, with the names that `books.get(day)` has.

        Uses your system's time zones (on Windows, those of the package tzdata).
        """
        counts = dict.fromkeys(("tickets", "entries", "outcomes", "claims"), 0)
        sums: Json = {
            account: {"credited": 0, "debited": 0} for account in ("tickets", "truck", "flight")
        }
        sums["cash_usd"] = 0
        for event in self._events_of_day(day):
            data = event["data"]
            if event["type"] == "balance_updated":
                account, amount = data["balance_type"], data["amount"]
                counts["tickets" if account == "tickets" else "entries"] += 1
                sums[account]["credited" if amount > 0 else "debited"] += abs(amount)
            elif event["type"] == "outcome":
                counts["outcomes"] += 1
                # A book leaves out the cash of forced results.
                if "debug" not in data:
                    sums["cash_usd"] += data["prize"].get("cash_usd", 0)
            elif event["type"] == "prize_updated":
                counts["claims"] += 1
        return {"counts": counts, "sums": sums}

    def differences(self, book: Json) -> dict[str, tuple[int, int]]:
        """Compares the totals of a day with those of its book, a reply of `books.get`.

        Maps what differs, such as `sums.tickets.credited`, to its values here and in the book.
        """
        ours, theirs = _flat(self.totals(book["day"])), _flat(book)
        return {
            name: (value, theirs[name]) for name, value in ours.items() if value != theirs[name]
        }

    def _events_of_day(self, day: str) -> list[Json]:
        first = datetime.date.fromisoformat(day)
        bounds = [_midnight(first), _midnight(first + datetime.timedelta(days=1))]
        with self._lock:
            rows = self._connection.execute(
                "SELECT event FROM events WHERE timestamp >= ? AND timestamp < ?", bounds
            ).fetchall()
        return [json.loads(event) for (event,) in rows]

    def _add(self, connection: sqlite3.Connection, events: Iterable[Json]) -> list[Json]:
        applied = []
        for event in events:
            if event["type"] in ("cash_won", "prize_won") or event["sequence"] < 1:
                continue
            user_id = event["data"]["user_id"]
            number = self.sequence(user_id)
            if event["sequence"] > number:
                connection.execute(
                    "INSERT OR IGNORE INTO parked VALUES (?, ?, ?)",
                    (user_id, event["sequence"], json.dumps(event)),
                )
            while True:
                number += 1
                text = self._one(
                    "SELECT event FROM parked WHERE user_id = ? AND sequence = ?", user_id, number
                )
                if text is None:
                    break
                applied.append(json.loads(text))
                self._apply_next(connection, user_id, applied[-1], text)
        return applied

    def _apply_next(
        self, connection: sqlite3.Connection, user_id: str, event: Json, text: str
    ) -> None:
        number = event["sequence"]
        connection.execute(
            "DELETE FROM parked WHERE user_id = ? AND sequence = ?", (user_id, number)
        )
        connection.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?)", (user_id, number, event["timestamp"], text)
        )
        connection.execute("INSERT OR REPLACE INTO users VALUES (?, ?)", (user_id, number))
        if event["type"] == "balance_updated":
            data = event["data"]
            connection.execute(
                "INSERT OR REPLACE INTO balances VALUES (?, ?, ?)",
                (user_id, data["balance_type"], data["new_balance"]),
            )
        self._apply(connection, event)

    def _cursor(self) -> str | None:
        cursor: str | None = self._one("SELECT cursor FROM feed")
        return cursor

    def _one(self, query: str, *values: Any) -> Any:
        with self._lock:
            row = self._connection.execute(query, values).fetchone()
        return row and row[0]

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")


def _midnight(day: datetime.date) -> str:
    """The beginning of a day in New York, as events have instants."""
    zone = zoneinfo.ZoneInfo("America/New_York")
    local = datetime.datetime(day.year, day.month, day.day, tzinfo=zone)
    return local.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _flat(values: Json, path: str = "") -> Json:
    """Maps paths such as `sums.tickets.credited` to values."""
    flat: Json = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{path}{name}."))
        else:
            flat[path + name] = value
    return flat


_SCHEMA = """
CREATE TABLE IF NOT EXISTS users (user_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS balances (
  user_id TEXT, balance_type TEXT, balance INTEGER NOT NULL, PRIMARY KEY (user_id, balance_type)
);
CREATE TABLE IF NOT EXISTS events (
  user_id TEXT, sequence INTEGER, timestamp TEXT NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (user_id, sequence)
);
CREATE INDEX IF NOT EXISTS events_by_time ON events (timestamp);
CREATE TABLE IF NOT EXISTS parked (
  user_id TEXT, sequence INTEGER, event TEXT NOT NULL, PRIMARY KEY (user_id, sequence)
);
CREATE TABLE IF NOT EXISTS feed (only INTEGER PRIMARY KEY, cursor TEXT NOT NULL);
"""
