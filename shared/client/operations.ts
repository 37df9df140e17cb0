// Made by "npm run client" from the OpenAPI document.
// biome-ignore-all format: nobody writes this file

export type AmoeGuestPlayReply = { status: "success"; items: Outcome[]; };

export type AmoeGuestPlayRequest = { num_of_spins: number; result_effective_date?: Timestamp | undefined; idempotency_key: IdempotencyKey; };

export type AmoeGuestQueueReply = { status: "success"; total_queued_spins: number; };

export type AmoeGuestQueueRequest = { num_of_spins: number; idempotency_key: IdempotencyKey; };

export type AmoeQueueReply = { status: "success"; total_queued_spins: number; };

export type AmoeQueueRequest = { num_of_spins: number; result_effective_date?: Timestamp | undefined; idempotency_key: IdempotencyKey; };

export type BalanceUpdatedEvent = { id: EventId; type: "balance_updated"; timestamp: Instant; sequence: number; data: { user_id: UserId; external_reference?: string | undefined; balance_type: "tickets" | "truck" | "flight"; amount: number; new_balance: number; transaction_id: TransactionId; /** Absent if the transaction comes from a game or an operator */ idempotency_key?: string | undefined; /** Present if the transaction comes from a game, and only then */ outcome_id?: OutcomeId | undefined; description: string; }; };

/** https, to a public address, without user info; the local stage takes http, and its own machine, too */
export type CallbackUrl = string;

export type CashWonEvent = { id: EventId; type: "cash_won"; timestamp: Instant; sequence: number; data: { outcome_id: OutcomeId; user_id: UserId; external_reference?: string | undefined; result_effective_date: Instant; cash_usd: number; }; };

export type DebugDailyCashLimitReply = { status: "success"; cash_limit: number; };

export type DebugDailyCashLimitRequest = { cash_limit: number; };

export type DebugDailySpinLimitReply = { status: "success"; on: boolean; };

export type DebugDailySpinLimitRequest = { on: boolean; };

export type DebugPlayReply = { status: "success"; url: string; lang: Lang; result: DebugResult; expiry_time: Instant; };

export type DebugPlayRequest = { lang?: Lang | undefined; result: DebugResult; };

/** What a debug play is forced to */
export type DebugResult = "jackpot" | "tickets_only";

export type EntriesCreditReply = { status: "success"; user_id: UserId; type: EntryType; new_entry_balance: number; transaction_id: TransactionId; };

export type EntriesCreditRequest = { amount: number; type?: EntryType | undefined; description?: string | undefined; idempotency_key: IdempotencyKey; };

export type EntriesDebitReply = { status: "success"; user_id: UserId; type: EntryType; new_entry_balance: number; transaction_id: TransactionId; };

export type EntriesDebitRequest = { amount: number; type?: EntryType | undefined; description?: string | undefined; idempotency_key: IdempotencyKey; };

/** A change of an entry balance, in the report */
export type EntryReportRow = { transaction_id: TransactionId; /** Absent if the transaction comes from a game or an operator */ idempotency_key?: string | undefined; /** Present if the transaction comes from a game, and only then */ outcome_id?: OutcomeId | undefined; amount: number; description: string; date_created: Instant; user_id: UserId; result_effective_date: Instant; entry_type: EntryType; };

/** A type of sweepstakes entries */
export type EntryType = "truck" | "flight";

/** A stable word by which refusals are told apart; further ones may come */
export type ErrorCode = "accepted_repeat_to_collect" | "daily_spin_limit_reached" | "external_reference_taken" | "forbidden" | "game_paused" | "idempotency_key_reused" | "insufficient_entries" | "insufficient_tickets" | "internal_error" | "not_found" | "organization_suspended" | "outcome_unknown" | "play_expired" | "play_not_found" | "play_voided" | "too_many_requests" | "too_many_webhooks" | "unauthorized" | "unavailable" | "user_frozen" | "user_not_found" | "validation_failed" | "webhook_not_found";

/** A refusal: `message` is for people, and `detail` hints at the cause */
export type ErrorReply = { status: "error"; message: string; code: ErrorCode; detail?: string | undefined; request_id: string; };

/** The id of an event: the same in each of its deliveries, as the header `webhook-id` */
export type EventId = string;

/** A type of events */
export type EventType = "outcome" | "balance_updated" | "cash_won" | "prize_won";

/** The host's own name for a user, such as its id there */
export type ExternalReference = string;

/** What it takes, beside the prizes of the table, to draw the prize of an outcome again */
export type Fairness = { /** The SHA-256, in hex, of the 32 bytes that `server_seed` spells; the page shows it before the play */ commitment: string; /** The service's part of the draw: 32 bytes in hex */ server_seed: string; /** The browser's part: the text that the first spin sent, empty if it sent none */ client_seed: string; /** The table that was drawn from: its game, and the SHA-256 of its prizes as canonical JSON, in base64url. The prizes themselves are in the page and in the book of the day */ prize_table_version: string; /** What was drawn: the id of a prize in the table */ prize_id: string; /** Whole USD of the day's cash that were left: cash prizes of more were not in the draw. Null if it was not limited, as of a debug jackpot */ cash_left_usd: number | null; /** Whether nothing but tickets was in the draw */ tickets_only: boolean; /** How many cash prizes the day's cash had given before; absent if `cash_left_usd` is null */ cash_sequence?: number | undefined; /** Their sum, in whole USD; absent if `cash_left_usd` is null */ cash_granted_usd?: number | undefined; /** The day's cash in whole USD, or the share of it that the user draws from; absent if `cash_left_usd` is null */ cash_limit_usd?: number | undefined; /** How much of that was available at the hour, in whole USD; present if it is paced */ cash_paced_usd?: number | undefined; /** How many wins a user can have on the day; present if the wins of a user and day are limited */ win_limit?: number | undefined; /** How many the user had before: if as many as there can be, only tickets and entries were in the draw; present if the wins of a user and day are limited */ wins?: number | undefined; /** The day in New York of the stock; present if the table has a stock */ stock_day?: string | undefined; /** How many prizes of the stock had been won before; present if the table has a stock */ stock_sequence?: number | undefined; /** Ids of the prizes that were out of stock, and so not in the draw; present if the table has a stock */ stock_out?: string[] | undefined; /** The number of the prize among all of its id, from 1; present if it has a stock */ stock_number?: number | undefined; /** The same among those of the day */ stock_number_of_day?: number | undefined; /** Present if the play was a debug one */ debug?: DebugResult | undefined; };

/** A game */
export type Game = "prizewheel" | "truck" | "flight";

export type GamesCheckEligibilityReply = { status: "success"; playable: boolean; restrictions: Restriction[]; };

export type GamesHistoryReply = { status: "success"; items: Outcome[]; /** Empty if no page follows */ next_token: string; };

export type GamesPlayReply = { status: "success"; url: string; lang: Lang; expiry_time: Instant; };

export type GamesPlayRequest = { lang?: Lang | undefined; game?: Game | undefined; };

/** Names one change of one user. With the same parameters it returns the first answer again, for good. */
export type IdempotencyKey = string;

/** UTC, with milliseconds and `Z` */
export type Instant = string;

/** A language of the play page */
export type Lang = "en" | "es";

/** What a spin came to */
export type Outcome = { id: OutcomeId; user_id: UserId; play_type: "regular" | "amoe"; prize: Prize; timestamp: Instant; result_effective_date: Instant; };

export type OutcomeEvent = { id: EventId; type: "outcome"; timestamp: Instant; sequence: number; data: { id: OutcomeId; user_id: UserId; external_reference?: string | undefined; play_type: "regular" | "amoe"; game: Game; prize: Prize; timestamp: Instant; game_status: "Cash" | "Extra-prize" | "Ticket-only"; result_effective_date: Instant; }; };

/** The id of what a game came to */
export type OutcomeId = string;

/** What a spin came to, in the report */
export type OutcomeReportRow = { id: OutcomeId; user_id: UserId; prize: Prize; timestamp: Instant; game_status: "Cash" | "Extra-prize" | "Ticket-only"; result_effective_date: Instant; };

/** What was won: one of the fields */
export type Prize = { entry_truck?: number | undefined; entry_flight?: number | undefined; prize_money_transfer?: number | undefined; prize_cash_back?: number | undefined; prize_streaming?: number | undefined; prize_imt?: number | undefined; prize_gift_card?: number | undefined; prize_phone_accessory?: number | undefined; prize_merchandise?: number | undefined; tickets?: number | undefined; cash_usd?: number | undefined; };

export type PrizeWonEvent = { id: EventId; type: "prize_won"; timestamp: Instant; sequence: number; data: { outcome_id: OutcomeId; user_id: UserId; external_reference?: string | undefined; result_effective_date: Instant; prize: Prize; }; };

export type ReportsEntriesReply = { status: "success"; transactions: EntryReportRow[]; total_count: number; page: number; page_size: number; total_pages: number; };

export type ReportsOutcomesReply = { status: "success"; items: OutcomeReportRow[]; total_count: number; page: number; page_size: number; total_pages: number; };

export type ReportsTicketsReply = { status: "success"; transactions: TicketReportRow[]; total_count: number; page: number; page_size: number; total_pages: number; };

/** What restricts a play; only `tickets_only` is not in its way */
export type Restriction = "tickets_only" | "daily_spin_limit_reached" | "insufficient_tickets";

/** The events that a webhook is told of */
export type Subscription = "all" | "outcome" | "balance_updated" | "cash_won" | "prize_won";

/** A change of a ticket balance, in the report */
export type TicketReportRow = { transaction_id: TransactionId; /** Absent if the transaction comes from a game or an operator */ idempotency_key?: string | undefined; /** Present if the transaction comes from a game, and only then */ outcome_id?: OutcomeId | undefined; amount: number; description: string; date_created: Instant; user_id: UserId; result_effective_date: Instant; };

/** A change of a ticket balance; a debit is negative */
export type TicketTransaction = { transaction_id: TransactionId; /** Absent if the transaction comes from a game or an operator */ idempotency_key?: string | undefined; /** Present if the transaction comes from a game, and only then */ outcome_id?: OutcomeId | undefined; amount: number; description: string; date_created: Instant; };

export type TicketsBalanceReply = { status: "success"; balance: number; };

export type TicketsCreditReply = { status: "success"; user_id: UserId; new_ticket_balance: number; transaction_id: TransactionId; };

export type TicketsCreditRequest = { amount: number; description?: string | undefined; idempotency_key: IdempotencyKey; };

export type TicketsDebitReply = { status: "success"; user_id: UserId; new_ticket_balance: number; transaction_id: TransactionId; };

export type TicketsDebitRequest = { amount: number; description?: string | undefined; idempotency_key: IdempotencyKey; };

export type TicketsHistoryReply = { status: "success"; limit: number; /** Empty if no page follows */ next_token: string; transactions: TicketTransaction[]; };

/** ISO 8601: with an offset, without one (UTC), or a date alone (its midnight in New York). An offset may not lead out of the years from 1970 to 9999. In a query its `+` is sent as `%2B`. */
export type Timestamp = string;

/** The id of a change of a balance */
export type TransactionId = string;

/** The id of a user, made by the service */
export type UserId = string;

export type UsersCreateReply = { status: "success"; user_id: UserId; date_created: Instant; };

export type UsersCreateRequest = { external_reference: ExternalReference; };

export type UsersFindReply = { status: "success"; user_id: UserId; external_reference: string; date_created: Instant; };

export type UsersGetReply = { status: "success"; user_id: UserId; external_reference: string; date_created: Instant; };

export type UsersUpdateReply = { status: "success"; user_id: UserId; date_created: Instant; };

export type UsersUpdateRequest = { external_reference: ExternalReference; };

/** A registration of a webhook */
export type Webhook = { webhook_id: WebhookId; callback_url: string; secret_key: string; event: Subscription; /** Present if no delivery has succeeded since then */ failing_since?: Instant | undefined; /** Present if it is switched off, after five days of failures; a PUT switches it on */ disabled_at?: Instant | undefined; disabled_reason?: string | undefined; };

/** One attempt to deliver */
export type WebhookCall = { timestamp: Instant; url: string; payload: Record<string, unknown>; webhook_id: WebhookId; event_id: EventId; event_type: string; attempt: number; /** Absent if the receiver did not answer */ response_status?: number | undefined; duration_ms: number; /** Present if the receiver did not answer */ error?: string | undefined; };

export type WebhookDisabledEvent = { id: EventId; type: "webhook_disabled"; timestamp: Instant; sequence: number; data: { webhook_id: WebhookId; callback_url: string; event: Subscription; failing_since: Instant; disabled_at: Instant; reason: string; }; };

/** The id of a registration of a webhook */
export type WebhookId = string;

export type WebhooksCreateReply = { status: "success"; webhook_id: WebhookId; callback_url: string; secret_key: string; event: Subscription; /** Present if no delivery has succeeded since then */ failing_since?: Instant | undefined; /** Present if it is switched off, after five days of failures; a PUT switches it on */ disabled_at?: Instant | undefined; disabled_reason?: string | undefined; };

export type WebhooksCreateRequest = { callback_url: CallbackUrl; /** The key of its signatures: the bytes of a text, or base64 after `whsec_`. Its strength is not checked: make it of 24 random bytes */ secret_key: string; event?: Subscription | undefined; };

export type WebhooksDeleteReply = { status: "success"; webhook_id: WebhookId; };

export type WebhooksGetReply = { status: "success"; webhook_id: WebhookId; callback_url: string; secret_key: string; event: Subscription; /** Present if no delivery has succeeded since then */ failing_since?: Instant | undefined; /** Present if it is switched off, after five days of failures; a PUT switches it on */ disabled_at?: Instant | undefined; disabled_reason?: string | undefined; };

export type WebhooksHistoryReply = { status: "success"; calls: WebhookCall[]; /** Empty if no page follows */ next_token: string; limit: number; is_all: boolean; };

export type WebhooksInvokeReply = { status: "success"; };

export type WebhooksListReply = { status: "success"; webhooks: Webhook[]; /** Empty if no page follows */ next_token: string; };

export type WebhooksUpdateReply = { status: "success"; webhook_id: WebhookId; callback_url: string; secret_key: string; event: Subscription; /** Present if no delivery has succeeded since then */ failing_since?: Instant | undefined; /** Present if it is switched off, after five days of failures; a PUT switches it on */ disabled_at?: Instant | undefined; disabled_reason?: string | undefined; };

export type WebhooksUpdateRequest = { callback_url: CallbackUrl; /** The key of its signatures: the bytes of a text, or base64 after `whsec_`. Its strength is not checked: make it of 24 random bytes */ secret_key: string; event?: Subscription | undefined; };

/** What a webhook is told of. */
export type WebhookEvent = OutcomeEvent | BalanceUpdatedEvent | CashWonEvent | PrizeWonEvent | WebhookDisabledEvent;

/** What each operation takes and returns. */

export type Operations = {
  users: {
    /** Create a user. The user begins with empty balances. There is no idempotency key: after an `outcome_unknown`, the same request returns the same user, for a day. If it says `external_reference_taken` after no answer at all, an earlier try was carried out: look the reference up. */
    create: { input: {  } & UsersCreateRequest; reply: UsersCreateReply },
    /** Look up a user by external reference. References are compared character by character. One that nobody has is `user_not_found`. */
    find: { input: { external_reference: ExternalReference; }; reply: UsersFindReply },
    /** Look up a user by id. Another organization's user is `user_not_found`, as one that does not exist. */
    get: { input: { user_id: UserId; }; reply: UsersGetReply },
    /** Change a user's external reference. The old reference is free again at once; id, balances and history stay. The reference that the user has already is a success. */
    update: { input: { user_id: UserId; } & UsersUpdateRequest; reply: UsersUpdateReply },
  },
  tickets: {
    /** Add tickets to a user's balance. A whole number of tickets, credited once for each idempotency key: sent again, the request returns its first answer and changes nothing. A key counts for credits and debits alike. */
    credit: { input: { user_id: UserId; } & TicketsCreditRequest; reply: TicketsCreditReply },
    /** Take tickets from a user's balance. A whole number of tickets, taken once for each idempotency key. A balance never goes below zero: a debit of more tickets than there are takes none, and its key stays free. */
    debit: { input: { user_id: UserId; } & TicketsDebitRequest; reply: TicketsDebitReply },
    /** List a user's ticket transactions, newest first. Credits, debits, costs of games and prizes. Pages go on by `next_token`, and a transaction that is recorded meanwhile does not shift them. A `limit` of 0 gives an empty page. */
    history: { input: { user_id: UserId; limit?: number | undefined; /** `next_token` of the page before this one, with the same filter; any other is refused */ next_token?: string | undefined; }; reply: TicketsHistoryReply; item: TicketsHistoryReply['transactions'][number] },
    /** Read a user's ticket balance. In whole tickets, with every change that was answered before the request. */
    balance: { input: { user_id: UserId; }; reply: TicketsBalanceReply },
  },
  entries: {
    /** Add truck or flight entries to a user's balance. Each type has a balance of its own. `type` is `truck` by default, and so it is if its name is misspelled: what is not declared is ignored. Entries are credited once for each idempotency key, which counts for both types, and for credits and debits alike: with another type it is `idempotency_key_reused`. */
    credit: { input: { user_id: UserId; } & EntriesCreditRequest; reply: EntriesCreditReply },
    /** Take truck or flight entries from a user's balance. `type` is `truck` by default, and so it is if its name is misspelled: what is not declared is ignored. Entries are taken once for each idempotency key. A balance never goes below zero: a debit of more entries of a type than there are takes none, and its key stays free. */
    debit: { input: { user_id: UserId; } & EntriesDebitRequest; reply: EntriesDebitReply },
  },
  amoe: {
    /** Queue free spins for the next midnight in New York. The spins cost no tickets, and draw from the prize table of the wheel that is in force at the request. They run at midnight or in the minutes after it, once for each idempotency key. `total_queued_spins` is how many the user then has to run. `result_effective_date` is the start of today in New York by default. */
    queue: { input: { user_id: UserId; } & AmoeQueueRequest; reply: AmoeQueueReply },
    /** Run free spins at once for a user without an account on the host system. The spins cost no tickets, and run once for each idempotency key; `items` are in the order of their draws. If not all of them run in time, the answer is `accepted_repeat_to_collect`: the spins are the user's, and the same request returns them. `result_effective_date` is the start of today in New York by default. */
    guestPlay: { input: { user_id: UserId; } & AmoeGuestPlayRequest; reply: AmoeGuestPlayReply },
    /** Queue free guest spins for the next midnight in New York. It queues as `POST /users/{user_id}/game/queue` does, and takes no `result_effective_date`. A guest's spins can run at once instead: `POST /users/guest/{user_id}/game/play`. @deprecated */
    guestQueue: { input: { user_id: UserId; } & AmoeGuestQueueRequest; reply: AmoeGuestQueueReply },
  },
  games: {
    /** Generate a URL at which a user plays a game once, within 30 minutes. The URL costs nothing until it is played, and each request makes another one. It has one outcome, however often it is opened, and shows that for a year. It is a credential: whoever has it can play. */
    play: { input: { user_id: UserId; } & GamesPlayRequest; reply: GamesPlayReply },
    /** List a user's game outcomes, newest first. Plays and free spins, each with one prize. Pages go on by `next_token`, and an outcome that is recorded meanwhile does not shift them. A `limit` of 0 gives an empty page. */
    history: { input: { user_id: UserId; limit?: number | undefined; /** `next_token` of the page before this one, with the same filter; any other is refused */ next_token?: string | undefined; }; reply: GamesHistoryReply; item: GamesHistoryReply['items'][number] },
    /** Check whether a user can play, without starting a session. For the prize wheel. `tickets_only` alone is not in the way of a play: it says that no cash prize is left to draw. What an operator has put on hold makes `playable` false without a restriction. */
    checkEligibility: { input: { user_id: UserId; }; reply: GamesCheckEligibilityReply },
  },
  debug: {
    /** Generate a play URL for the prize wheel that ends in a given way. `jackpot` wins the highest cash prize of the prize table, at no cost and outside all limits. `tickets_only` has the ordinary cost and limits, and only ticket prizes are drawn. `fairness` says of both that they are debug plays. */
    play: { input: { user_id: UserId; } & DebugPlayRequest; reply: DebugPlayReply },
    /** Set the daily cash limit, in whole USD. The limit is of all users of the organization together, on each day in New York. It counts from the next draw on. */
    dailyCashLimit: { input: {  } & DebugDailyCashLimitRequest; reply: DebugDailyCashLimitReply },
    /** Turn the daily spin limit on or off. The limit is of the plays of each user on a day in New York. Free spins are not counted. */
    dailySpinLimit: { input: {  } & DebugDailySpinLimitRequest; reply: DebugDailySpinLimitReply },
  },
  webhooks: {
    /** Register a webhook. Of webhooks with one callback, the newest that wants an event is told of it, and no other. There is no idempotency key: after no answer, look at the list first. Deliveries are signed with `secret_key`; if it begins with `whsec_`, with the bytes that the base64 after that stands for. */
    create: { input: {  } & WebhooksCreateRequest; reply: WebhooksCreateReply },
    /** List the webhooks, oldest first. With their secrets, and since when their receivers have failed. Pages go on by `next_token`. A `limit` of 0 gives an empty page. */
    list: { input: { limit?: number | undefined; /** `next_token` of the page before this one, with the same filter; any other is refused */ next_token?: string | undefined; }; reply: WebhooksListReply; item: WebhooksListReply['webhooks'][number] },
    /** Read one webhook. With its secret, and since when its receiver has failed. */
    get: { input: { webhook_id: WebhookId; }; reply: WebhooksGetReply },
    /** Change a webhook, and switch it on if it is off. Without `event`, the events stay as they were. A replaced secret signs for 24 more hours, beside the new one. A webhook that is switched off is on again, and is told what it missed. Sent again, the request comes to the same. */
    update: { input: { webhook_id: WebhookId; } & WebhooksUpdateRequest; reply: WebhooksUpdateReply },
    /** Delete a webhook. What is still on its way to the webhook is not sent any more. Sent again, the request is a 404. */
    delete: { input: { webhook_id: WebhookId; }; reply: WebhooksDeleteReply },
    /** Send a JSON object to a webhook, once for each request id. The body is queued byte for byte, for a webhook that is switched off too, and signed as events are, under a `webhook-id` that begins with `inv_`. The same `request_id` is sent once within 90 days; without one, each request is. */
    invoke: { input: { webhook_id: WebhookId; request_id?: string | undefined; } & { payload: Record<string, unknown> }; reply: WebhooksInvokeReply },
    /** List the calls made to webhooks, oldest first. Each attempt to deliver is a call, kept for 90 days. `start` and `end` both belong to the range. `is_all` is true if no page follows. */
    history: { input: { start: Timestamp; end: Timestamp; event_type?: EventType | undefined; limit?: number | undefined; /** `next_token` of the page before this one, with the same filter; any other is refused */ next_token?: string | undefined; }; reply: WebhooksHistoryReply; item: WebhooksHistoryReply['calls'][number] },
  },
  reports: {
    /** Report on game outcomes, oldest first. Plays and free spins, of all users or of one. `start` belongs to the range, and `end` does not. Pages are numbered from 0; totals are exact. A range can grow for a minute after its end. A page of more than 6 MB is a 422: send `Accept-Encoding: gzip`, or ask for fewer rows. The parameters may stand in a JSON body too. */
    outcomes: { input: { start?: Timestamp | undefined; end?: Timestamp | undefined; page?: number | undefined; page_size?: number | undefined; user_id?: UserId | undefined; }; reply: ReportsOutcomesReply; item: ReportsOutcomesReply['items'][number] },
    /** Report on ticket transactions, oldest first. Credits, debits, costs of games and ticket prizes, of all users or of one. `start` belongs to the range, and `end` does not. Pages are numbered from 0; totals are exact. A range can grow for a minute after its end. A page of more than 6 MB is a 422: send `Accept-Encoding: gzip`, or ask for fewer rows. The parameters may stand in a JSON body too. */
    tickets: { input: { start?: Timestamp | undefined; end?: Timestamp | undefined; page?: number | undefined; page_size?: number | undefined; user_id?: UserId | undefined; }; reply: ReportsTicketsReply; item: ReportsTicketsReply['transactions'][number] },
    /** Report on entry transactions, oldest first. Credits, debits and prizes, of both types unless `entry_type` names one, of all users or of one. `start` belongs to the range, and `end` does not. Pages are numbered from 0; totals are exact. A range can grow for a minute after its end. A page of more than 6 MB is a 422: send `Accept-Encoding: gzip`, or ask for fewer rows. The parameters may stand in a JSON body too. */
    entries: { input: { start?: Timestamp | undefined; end?: Timestamp | undefined; page?: number | undefined; page_size?: number | undefined; user_id?: UserId | undefined; entry_type?: EntryType | undefined; }; reply: ReportsEntriesReply; item: ReportsEntriesReply['transactions'][number] },
  },
};

/** How each operation is called. */

export const operations = {
  users: {
    create: {"method":"POST","path":"/users","query":[]},
    find: {"method":"GET","path":"/users","query":["external_reference"]},
    get: {"method":"GET","path":"/users/{user_id}","query":[]},
    update: {"method":"PUT","path":"/users/{user_id}","query":[]},
  },
  tickets: {
    credit: {"method":"POST","path":"/users/{user_id}/tickets/credit","query":[]},
    debit: {"method":"POST","path":"/users/{user_id}/tickets/debit","query":[]},
    history: {"method":"GET","path":"/users/{user_id}/tickets/history","query":["limit","next_token"],"items":"transactions"},
    balance: {"method":"GET","path":"/users/{user_id}/tickets/balance","query":[]},
  },
  entries: {
    credit: {"method":"POST","path":"/users/{user_id}/entries/credit","query":[]},
    debit: {"method":"POST","path":"/users/{user_id}/entries/debit","query":[]},
  },
  amoe: {
    queue: {"method":"POST","path":"/users/{user_id}/game/queue","query":[]},
    guestPlay: {"method":"POST","path":"/users/guest/{user_id}/game/play","query":[]},
    guestQueue: {"method":"POST","path":"/users/guest/{user_id}/game/queue","query":[]},
  },
  games: {
    play: {"method":"POST","path":"/users/{user_id}/games/play","query":[]},
    history: {"method":"GET","path":"/users/{user_id}/games/history","query":["limit","next_token"],"items":"items"},
    checkEligibility: {"method":"GET","path":"/users/{user_id}/game/check-eligibility","query":[]},
  },
  debug: {
    play: {"method":"POST","path":"/debug/users/{user_id}/games/play","query":[]},
    dailyCashLimit: {"method":"PUT","path":"/debug/daily-cash-limit","query":[]},
    dailySpinLimit: {"method":"PUT","path":"/debug/daily-spin-limit","query":[]},
  },
  webhooks: {
    create: {"method":"POST","path":"/webhooks","query":[]},
    list: {"method":"GET","path":"/webhooks","query":["limit","next_token"],"items":"webhooks"},
    get: {"method":"GET","path":"/webhooks/{webhook_id}","query":[]},
    update: {"method":"PUT","path":"/webhooks/{webhook_id}","query":[]},
    delete: {"method":"DELETE","path":"/webhooks/{webhook_id}","query":[]},
    invoke: {"method":"POST","path":"/webhooks/{webhook_id}/invoke","query":["request_id"]},
    history: {"method":"GET","path":"/webhook/history","query":["start","end","event_type","limit","next_token"],"items":"calls"},
  },
  reports: {
    outcomes: {"method":"GET","path":"/game/history","query":["start","end","page","page_size","user_id"],"items":"items"},
    tickets: {"method":"GET","path":"/tickets/history","query":["start","end","page","page_size","user_id"],"items":"transactions"},
    entries: {"method":"GET","path":"/entrties/history","query":["start","end","page","page_size","user_id","entry_type"],"items":"transactions"},
  },
} as const;
