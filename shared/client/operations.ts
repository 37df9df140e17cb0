// Made by "npm run client" from the OpenAPI document.
// biome-ignore-all format: generated code

export type AmoeGuestPlayReply = { status: "success"; items: Outcome[]; };

export type AmoeGuestPlayRequest = { num_of_spins: number; /** Default: `prizewheel` */ game?: Game | undefined; result_effective_date?: Timestamp | undefined; idempotency_key: IdempotencyKey; };

export type AmoeGuestQueueReply = { status: "success"; total_queued_spins: number; };

export type AmoeGuestQueueRequest = { num_of_spins: number; /** Default: `prizewheel` */ game?: Game | undefined; idempotency_key: IdempotencyKey; };

export type AmoeQueueReply = { status: "success"; total_queued_spins: number; };

export type AmoeQueueRequest = { num_of_spins: number; /** Default: `prizewheel` */ game?: Game | undefined; result_effective_date?: Timestamp | undefined; idempotency_key: IdempotencyKey; };

export type BalanceUpdatedEvent = { id: EventId; type: "balance_updated"; timestamp: Instant; /** The number of the transaction or outcome among the user's, from 1; the events of one outcome share it */ sequence: number; data: { user_id: UserId; external_reference?: string | undefined; balance_type: "tickets" | "truck" | "flight"; amount: number; new_balance: number; transaction_id: TransactionId; /** Absent if the transaction comes from a game or an operator */ idempotency_key?: string | undefined; /** Present only if the transaction comes from a game */ outcome_id?: OutcomeId | undefined; description: string; }; };

/** An https URL with a public address, without a user name or password. The local stage also accepts http and local addresses */
export type CallbackUrl = string;

export type CashWonEvent = { id: EventId; type: "cash_won"; timestamp: Instant; /** The number of the transaction or outcome among the user's, from 1; the events of one outcome share it */ sequence: number; data: { outcome_id: OutcomeId; user_id: UserId; external_reference?: string | undefined; result_effective_date: Instant; cash_usd: number; }; };

export type DebugDailyCashLimitReply = { status: "success"; cash_limit: number; };

export type DebugDailyCashLimitRequest = { cash_limit: number; };

export type DebugDailySpinLimitReply = { status: "success"; on: boolean; };

export type DebugDailySpinLimitRequest = { on: boolean; };

export type DebugPlayReply = { status: "success"; url: string; lang: Lang; result: DebugResult; expiry_time: Instant; };

export type DebugPlayRequest = { /** Default: `en` */ lang?: Lang | undefined; /** Default: `prizewheel` */ game?: Game | undefined; result: DebugResult; /** Default: 1800 */ valid_seconds?: number | undefined; };

/** The result that a debug play forces: `jackpot` the highest cash prize, `tickets_only` a ticket prize, and any other value a prize of this kind */
export type DebugResult = "jackpot" | "tickets_only" | "entry_truck" | "entry_flight" | "prize_money_transfer" | "prize_cash_back" | "prize_streaming" | "prize_imt" | "prize_gift_card" | "prize_phone_accessory" | "prize_merchandise" | "tickets" | "cash_usd";

export type DebugSpinRunReply = { status: "success"; started: number; };

export type EntriesCreditReply = { status: "success"; user_id: UserId; type: EntryType; new_entry_balance: number; transaction_id: TransactionId; /** The `sequence` of the user's last event that the response includes; 0 before the first event. Of two responses, the one with the higher number is newer */ sequence: number; };

export type EntriesCreditRequest = { amount: number; /** Default: `truck` */ type?: EntryType | undefined; /** Default: empty */ description?: string | undefined; idempotency_key: IdempotencyKey; };

export type EntriesDebitReply = { status: "success"; user_id: UserId; type: EntryType; new_entry_balance: number; transaction_id: TransactionId; /** The `sequence` of the user's last event that the response includes; 0 before the first event. Of two responses, the one with the higher number is newer */ sequence: number; };

export type EntriesDebitRequest = { amount: number; /** Default: `truck` */ type?: EntryType | undefined; /** Default: empty */ description?: string | undefined; idempotency_key: IdempotencyKey; };

/** A row of the report on entry transactions */
export type EntryReportRow = { transaction_id: TransactionId; /** Absent if the transaction comes from a game or an operator */ idempotency_key?: string | undefined; /** Present only if the transaction comes from a game */ outcome_id?: OutcomeId | undefined; amount: number; description: string; date_created: Instant; user_id: UserId; result_effective_date: Instant; entry_type: EntryType; };

/** A type of sweepstakes entry. A user has a balance of each type */
export type EntryType = "truck" | "flight";

/** The kind of an error. Existing codes never change; codes may be added */
export type ErrorCode = "accepted_repeat_to_collect" | "daily_spin_limit_reached" | "external_reference_taken" | "forbidden" | "game_paused" | "idempotency_key_reused" | "insufficient_entries" | "insufficient_tickets" | "internal_error" | "not_found" | "organization_suspended" | "outcome_unknown" | "play_expired" | "play_not_found" | "play_voided" | "too_many_requests" | "too_many_webhooks" | "unauthorized" | "unavailable" | "user_frozen" | "user_not_found" | "validation_failed" | "webhook_not_found";

/** The body of an error response. Programs use `code`, people read `message` */
export type ErrorReply = { status: "error"; message: string; code: ErrorCode; /** A hint at the cause, for developers. The text may change; do not compare it */ detail?: string | undefined; request_id: string; };

/** The id of an event, the same in every delivery; also sent as the header `webhook-id` */
export type EventId = string;

/** The type of an event: a game outcome, a change of a balance, or a win of cash or of another prize. Types may be added */
export type EventType = "outcome" | "balance_updated" | "cash_won" | "prize_won";

export type EventsListReply = { status: "success"; events: (OutcomeEvent | BalanceUpdatedEvent | CashWonEvent | PrizeWonEvent)[]; /** The cursor for the next page: send it as `after` */ next: string; is_all: boolean; };

/** The host's own identifier of a user */
export type ExternalReference = string;

/** The data of one draw. Anybody can repeat the draw from it, together with the prizes of the table */
export type Fairness = { /** The hex SHA-256 of the 32 bytes of `server_seed`. The page shows it before the play */ commitment: string; /** The service's part of the draw: 32 bytes in hex */ server_seed: string; /** The browser's part of the draw: the text sent with the first spin, or empty */ client_seed: string; /** The version of the prize table: the game, and the base64url SHA-256 of the prizes as canonical JSON. The prizes are on the page and in the book of the day */ prize_table_version: string; /** The id of the drawn prize in the table */ prize_id: string; /** The budgets before the draw. A prize was in the draw if every budget had enough left for it. If the remaining cash covered no cash prize of the table, only tickets were in the draw. Absent for a forced prize */ budgets?: { /** The day in New York on which the play counts, if it is not the day of `timestamp` */ day?: string | undefined; /** The day's cash, or the user's share of it, in whole USD: the number of cash prizes granted earlier, their sum, and the limit at the time. Cash prizes above `limit - granted` were not in the draw */ cash: { grants: number; granted: number; limit: number; }; /** Present if the table has a prize with a stock: the number of prizes granted earlier from the stock, and the ids that were out of stock. If the drawn prize has a stock, also its number in all and on the day, from 1 */ stock?: { grants: number; out?: string[] | undefined; number?: number | undefined; number_of_day?: number | undefined; } | undefined; /** Present if a user's wins per day are limited: the earlier wins of the day and the limit. At the limit, only tickets and entries were in the draw */ wins?: { granted: number; limit: number; } | undefined; } | undefined; /** The forced result. Present only for a debug play */ debug?: DebugResult | undefined; };

/** A game. Each game has its own cost and prize table */
export type Game = "prizewheel" | "truck" | "flight";

/** Whether a user can play a game now. `playable` is true if `holds` is empty and `restrictions` has no value other than `tickets_only` */
export type GameEligibility = { game: Game; playable: boolean; free_playable: boolean; /** In tickets */ cost: number; restrictions: Restriction[]; holds: Hold[]; };

export type GamesCheckEligibilityReply = { status: "success"; playable: boolean; restrictions: Restriction[]; holds: Hold[]; games: GameEligibility[]; };

export type GamesHistoryReply = { status: "success"; items: Outcome[]; /** Empty on the last page */ next_token: string; };

export type GamesPlayReply = { status: "success"; url: string; lang: Lang; expiry_time: Instant; playable: boolean; restrictions: Restriction[]; };

export type GamesPlayRequest = { /** Default: `en` */ lang?: Lang | undefined; /** Default: `prizewheel` */ game?: Game | undefined; };

/** A stop by an operator, which only an operator can lift. The service refuses plays with this `code` */
export type Hold = "organization_suspended" | "user_frozen" | "game_paused";

/** Your identifier of one change of a user. It never expires. A repeated request changes nothing and returns the first response */
export type IdempotencyKey = string;

/** A time in ISO 8601: in UTC, with milliseconds and `Z` */
export type Instant = string;

/** A language of the play page */
export type Lang = "en" | "es";

/** The outcome of a play or of a free spin */
export type Outcome = { id: OutcomeId; user_id: UserId; play_type: "regular" | "amoe"; prize: Prize; timestamp: Instant; result_effective_date: Instant; };

export type OutcomeEvent = { id: EventId; type: "outcome"; timestamp: Instant; /** The number of the transaction or outcome among the user's, from 1; the events of one outcome share it */ sequence: number; data: { id: OutcomeId; user_id: UserId; external_reference?: string | undefined; play_type: "regular" | "amoe"; game: Game; prize: Prize; timestamp: Instant; game_status: "Cash" | "Extra-prize" | "Ticket-only"; result_effective_date: Instant; }; };

/** The id of a game outcome, generated by the service */
export type OutcomeId = string;

/** A row of the report on game outcomes */
export type OutcomeReportRow = { id: OutcomeId; user_id: UserId; prize: Prize; timestamp: Instant; game_status: "Cash" | "Extra-prize" | "Ticket-only"; result_effective_date: Instant; };

export type PageGetReply = { status: "success"; /** Target of the button that leads back to you: an https URL, or a link such as `myapp://wallet` */ return_url: string; /** Origins that may frame the page and get its messages. If empty, every origin may frame the page, and none gets messages */ frame_origins: string[]; /** https URL of your official rules in `en` */ rules_url_en: string; /** https URL of your official rules in `es` */ rules_url_es: string; /** How to enter for free in `en`, shown near the button; by default it points to the rules */ free_entry_en: string; /** How to enter for free in `es`, shown near the button; by default it points to the rules */ free_entry_es: string; /** https URL of your free entry in `en` */ free_entry_url_en: string; /** https URL of your free entry in `es` */ free_entry_url_es: string; /** Your name, shown above the game */ brand_name: string; /** An https URL, or a PNG, JPEG, WebP or SVG image of up to 8 KB as a data URL in base64. Needs a `brand_name` */ brand_logo: string; /** Color of buttons, as `#rrggbb` */ brand_accent: string; /** Color of buttons' text; by default a readable one */ brand_accent_text: string; /** Color of the page */ brand_background: string; /** Color of the page's text; by default a readable one */ brand_text: string; preview_urls: PagePreview[]; };

/** A preview of a game's page in one language, with your settings. Opening `url` plays nothing */
export type PagePreview = { game: Game; lang: Lang; url: string; };

export type PageUpdateReply = { status: "success"; /** Target of the button that leads back to you: an https URL, or a link such as `myapp://wallet` */ return_url: string; /** Origins that may frame the page and get its messages. If empty, every origin may frame the page, and none gets messages */ frame_origins: string[]; /** https URL of your official rules in `en` */ rules_url_en: string; /** https URL of your official rules in `es` */ rules_url_es: string; /** How to enter for free in `en`, shown near the button; by default it points to the rules */ free_entry_en: string; /** How to enter for free in `es`, shown near the button; by default it points to the rules */ free_entry_es: string; /** https URL of your free entry in `en` */ free_entry_url_en: string; /** https URL of your free entry in `es` */ free_entry_url_es: string; /** Your name, shown above the game */ brand_name: string; /** An https URL, or a PNG, JPEG, WebP or SVG image of up to 8 KB as a data URL in base64. Needs a `brand_name` */ brand_logo: string; /** Color of buttons, as `#rrggbb` */ brand_accent: string; /** Color of buttons' text; by default a readable one */ brand_accent_text: string; /** Color of the page */ brand_background: string; /** Color of the page's text; by default a readable one */ brand_text: string; preview_urls: PagePreview[]; };

export type PageUpdateRequest = { /** Target of the button that leads back to you: an https URL, or a link such as `myapp://wallet` */ return_url?: string | undefined; /** Origins that may frame the page and get its messages. If empty, every origin may frame the page, and none gets messages */ frame_origins?: string[] | undefined; /** https URL of your official rules in `en` */ rules_url_en?: string | undefined; /** https URL of your official rules in `es` */ rules_url_es?: string | undefined; /** How to enter for free in `en`, shown near the button; by default it points to the rules */ free_entry_en?: string | undefined; /** How to enter for free in `es`, shown near the button; by default it points to the rules */ free_entry_es?: string | undefined; /** https URL of your free entry in `en` */ free_entry_url_en?: string | undefined; /** https URL of your free entry in `es` */ free_entry_url_es?: string | undefined; /** Your name, shown above the game */ brand_name?: string | undefined; /** An https URL, or a PNG, JPEG, WebP or SVG image of up to 8 KB as a data URL in base64. Needs a `brand_name` */ brand_logo?: string | undefined; /** Color of buttons, as `#rrggbb` */ brand_accent?: string | undefined; /** Color of buttons' text; by default a readable one */ brand_accent_text?: string | undefined; /** Color of the page */ brand_background?: string | undefined; /** Color of the page's text; by default a readable one */ brand_text?: string | undefined; };

/** The prize; exactly one field is present */
export type Prize = { entry_truck?: number | undefined; entry_flight?: number | undefined; prize_money_transfer?: number | undefined; prize_cash_back?: number | undefined; prize_streaming?: number | undefined; prize_imt?: number | undefined; prize_gift_card?: number | undefined; prize_phone_accessory?: number | undefined; prize_merchandise?: number | undefined; tickets?: number | undefined; cash_usd?: number | undefined; };

export type PrizeWonEvent = { id: EventId; type: "prize_won"; timestamp: Instant; /** The number of the transaction or outcome among the user's, from 1; the events of one outcome share it */ sequence: number; data: { outcome_id: OutcomeId; user_id: UserId; external_reference?: string | undefined; result_effective_date: Instant; prize: Prize; }; };

export type ReportsEntriesReply = { status: "success"; transactions: EntryReportRow[]; total_count: number; page: number; page_size: number; total_pages: number; };

export type ReportsOutcomesReply = { status: "success"; items: OutcomeReportRow[]; total_count: number; page: number; page_size: number; total_pages: number; };

export type ReportsTicketsReply = { status: "success"; transactions: TicketReportRow[]; total_count: number; page: number; page_size: number; total_pages: number; };

/** Limits or prevents plays. `tickets_only` means that no cash prize can be won now; the other values prevent a play */
export type Restriction = "tickets_only" | "daily_spin_limit_reached" | "insufficient_tickets";

/** The type of the events that a webhook receives, or `all` */
export type Subscription = "all" | "outcome" | "balance_updated" | "cash_won" | "prize_won";

/** A row of the report on ticket transactions */
export type TicketReportRow = { transaction_id: TransactionId; /** Absent if the transaction comes from a game or an operator */ idempotency_key?: string | undefined; /** Present only if the transaction comes from a game */ outcome_id?: OutcomeId | undefined; amount: number; description: string; date_created: Instant; user_id: UserId; result_effective_date: Instant; };

/** A change of a ticket balance. The amount of a debit is negative */
export type TicketTransaction = { transaction_id: TransactionId; /** Absent if the transaction comes from a game or an operator */ idempotency_key?: string | undefined; /** Present only if the transaction comes from a game */ outcome_id?: OutcomeId | undefined; amount: number; description: string; date_created: Instant; };

export type TicketsBalanceReply = { status: "success"; balance: number; /** The `sequence` of the user's last event that the response includes; 0 before the first event. Of two responses, the one with the higher number is newer */ sequence: number; };

export type TicketsCreditReply = { status: "success"; user_id: UserId; new_ticket_balance: number; transaction_id: TransactionId; /** The `sequence` of the user's last event that the response includes; 0 before the first event. Of two responses, the one with the higher number is newer */ sequence: number; };

export type TicketsCreditRequest = { amount: number; /** Default: empty */ description?: string | undefined; idempotency_key: IdempotencyKey; };

export type TicketsDebitReply = { status: "success"; user_id: UserId; new_ticket_balance: number; transaction_id: TransactionId; /** The `sequence` of the user's last event that the response includes; 0 before the first event. Of two responses, the one with the higher number is newer */ sequence: number; };

export type TicketsDebitRequest = { amount: number; /** Default: empty */ description?: string | undefined; idempotency_key: IdempotencyKey; };

export type TicketsHistoryReply = { status: "success"; limit: number; /** Empty on the last page */ next_token: string; transactions: TicketTransaction[]; };

/** ISO 8601, years 1970 to 9999, by default in UTC. A date means midnight in New York. In queries, encode `+` */
export type Timestamp = string;

/** The id of a transaction, a change of a balance */
export type TransactionId = string;

/** The id of a user, generated by the service */
export type UserId = string;

export type UsersCreateReply = { status: "success"; user_id: UserId; date_created: Instant; };

export type UsersCreateRequest = { external_reference: ExternalReference; };

export type UsersFindReply = { status: "success"; user_id: UserId; external_reference: string; date_created: Instant; };

export type UsersGetReply = { status: "success"; user_id: UserId; external_reference: string; date_created: Instant; };

export type UsersSummaryReply = { status: "success"; user_id: UserId; external_reference: string; /** The `sequence` of the user's last event that the response includes; 0 before the first event. Of two responses, the one with the higher number is newer */ sequence: number; balances: { tickets: number; truck: number; flight: number; }; plays_left: number | null; plays_reset_at: Instant | null; games: GameEligibility[]; queued_spins: { total: number; due: number; run_at: Instant | null; }; wins: { since: Instant; prizes: { outcome_id: OutcomeId; prize: Prize; timestamp: Instant; }[]; }; };

export type UsersUpdateReply = { status: "success"; user_id: UserId; date_created: Instant; };

export type UsersUpdateRequest = { external_reference: ExternalReference; };

/** A registered webhook with its secret, its state and the types of events that it receives */
export type Webhook = { webhook_id: WebhookId; callback_url: string; secret_key: string; event: Subscription; /** When deliveries began to fail; absent while they succeed */ failing_since?: Instant | undefined; /** When the webhook was switched off after five days of failures; a PUT switches it on */ disabled_at?: Instant | undefined; /** The last failure before the webhook was switched off */ disabled_reason?: string | undefined; /** The types of events that the webhook receives now. Empty while it is switched off, and if newer webhooks with the same callback URL receive them all */ receives: EventType[]; };

/** One attempt to send an event, or the payload of an `invoke` request, to a webhook */
export type WebhookCall = { timestamp: Instant; url: string; payload: Record<string, unknown>; webhook_id: WebhookId; event_id: EventId; event_type: string; attempt: number; /** Absent if the receiver did not respond */ response_status?: number | undefined; duration_ms: number; /** Present if the receiver did not respond */ error?: string | undefined; };

/** The id of a webhook, generated by the service */
export type WebhookId = string;

export type WebhooksCreateReply = { status: "success"; webhook_id: WebhookId; callback_url: string; secret_key: string; event: Subscription; /** When deliveries began to fail; absent while they succeed */ failing_since?: Instant | undefined; /** When the webhook was switched off after five days of failures; a PUT switches it on */ disabled_at?: Instant | undefined; /** The last failure before the webhook was switched off */ disabled_reason?: string | undefined; };

export type WebhooksCreateRequest = { callback_url: CallbackUrl; /** The key that signs deliveries: base64 of its bytes after `whsec_`, or any other text for its UTF-8 bytes. Use 24 random bytes; the strength is not checked */ secret_key: string; event?: Subscription | undefined; };

export type WebhooksDeleteReply = { status: "success"; webhook_id: WebhookId; };

export type WebhooksGetReply = { status: "success"; webhook_id: WebhookId; callback_url: string; secret_key: string; event: Subscription; /** When deliveries began to fail; absent while they succeed */ failing_since?: Instant | undefined; /** When the webhook was switched off after five days of failures; a PUT switches it on */ disabled_at?: Instant | undefined; /** The last failure before the webhook was switched off */ disabled_reason?: string | undefined; };

export type WebhooksHistoryReply = { status: "success"; calls: WebhookCall[]; /** Empty on the last page */ next_token: string; limit: number; is_all: boolean; };

export type WebhooksInvokeReply = { status: "success"; };

export type WebhooksListReply = { status: "success"; webhooks: Webhook[]; /** Empty on the last page */ next_token: string; };

export type WebhooksUpdateReply = { status: "success"; webhook_id: WebhookId; callback_url: string; secret_key: string; event: Subscription; /** When deliveries began to fail; absent while they succeed */ failing_since?: Instant | undefined; /** When the webhook was switched off after five days of failures; a PUT switches it on */ disabled_at?: Instant | undefined; /** The last failure before the webhook was switched off */ disabled_reason?: string | undefined; };

export type WebhooksUpdateRequest = { callback_url: CallbackUrl; /** The key that signs deliveries: base64 of its bytes after `whsec_`, or any other text for its UTF-8 bytes. Use 24 random bytes; the strength is not checked */ secret_key: string; event?: Subscription | undefined; };

/** The payload of a webhook call: one event. */
export type WebhookEvent = OutcomeEvent | BalanceUpdatedEvent | CashWonEvent | PrizeWonEvent;

/** The input and reply of each operation. */

export type Operations = {
  users: {
    /** Create a user. The user starts with empty balances. The request has no idempotency key. After `outcome_unknown`, repeat the request: for a day, it returns the same user. If you got no response, repeat the request too. The error `external_reference_taken` then means that the first request created the user: look up the reference. */
    create: { input: UsersCreateRequest; reply: UsersCreateReply },
    /** Look up a user by external reference. References are compared character by character. An unknown reference returns the error `user_not_found`. */
    find: { input: { external_reference: ExternalReference; }; reply: UsersFindReply },
    /** Look up a user by id. Unknown ids and the ids of other organizations' users return the error `user_not_found`. */
    get: { input: { user_id: UserId; }; reply: UsersGetReply },
    /** Change a user's external reference. Another user can get the old reference immediately. Setting the current reference again succeeds. */
    update: { input: { user_id: UserId; } & UsersUpdateRequest; reply: UsersUpdateReply },
    /** Read what a screen shows about a user. Returns balances, queued spins, the day's remaining plays, the eligibility for each game, and recent wins, all as of the event `sequence`. `plays_left` and `plays_reset_at` are null if plays are not limited. `queued_spins.run_at` is the next midnight in New York, or null if no spins are queued for it. The `due` spins run within minutes, or when a hold ends. `wins` lists the prizes that you hand out, such as cash, newest first. It covers the user's last 50 outcomes. The list is complete from `since` on. */
    summary: { input: { user_id: UserId; }; reply: UsersSummaryReply },
  },
  tickets: {
    /** Add tickets to a user's balance. Credits whole tickets, once for each idempotency key. A credit and a debit cannot have the same key. */
    credit: { input: { user_id: UserId; } & TicketsCreditRequest; reply: TicketsCreditReply },
    /** Take tickets from a user's balance. Debits once for each idempotency key. A debit of more than the balance takes nothing and uses up no key. */
    debit: { input: { user_id: UserId; } & TicketsDebitRequest; reply: TicketsDebitReply },
    /** List a user's ticket transactions, newest first. Lists credits, debits, ticket prizes, and costs of games. Send `next_token` to get the next page. New transactions do not shift pages. A `limit` of 0 returns an empty page. */
    history: { input: { user_id: UserId; /** Default: 10 */ limit?: number | undefined; /** The `next_token` of the previous page, with the same filters; absent for the first page */ next_token?: string | undefined; }; reply: TicketsHistoryReply; item: TicketsHistoryReply['transactions'][number] },
    /** Read a user's ticket balance. The balance includes every change whose response you got before this request. */
    balance: { input: { user_id: UserId; }; reply: TicketsBalanceReply },
  },
  entries: {
    /** Add truck or flight entries to a user's balance. Credits entries once for each idempotency key. Each type has its own balance. `type` defaults to `truck`, even if you misspell the name of the field, because unknown fields are ignored. A key belongs to one credit or debit of one type: a request with the same key and the other type returns the error `idempotency_key_reused`. */
    credit: { input: { user_id: UserId; } & EntriesCreditRequest; reply: EntriesCreditReply },
    /** Take truck or flight entries from a user's balance. Debits entries once for each idempotency key. `type` defaults to `truck`, even if you misspell the name of the field, because unknown fields are ignored. A debit of more than the balance takes nothing and uses up no key. */
    debit: { input: { user_id: UserId; } & EntriesDebitRequest; reply: EntriesDebitReply },
  },
  amoe: {
    /** Queue free spins for the next midnight in New York. The spins cost no tickets. They use the prize table that `game` has at the time of the request: all that a game’s plays can win for tickets can be won for free, at the same odds. They run at midnight or in the minutes after it, once for each idempotency key. `total_queued_spins` counts all spins of the user that have not run yet. The outcomes get your `result_effective_date`, by default the start of today in New York. This date does not affect when the spins run. */
    queue: { input: { user_id: UserId; } & AmoeQueueRequest; reply: AmoeQueueReply },
    /** Run free spins immediately for a user without an account on the host system. Create the guest by `POST /users`. The spins cost no tickets, use the prize table of `game`, and run once for each idempotency key. `items` are in the order of the draws. If not all spins run in time, the response is the error `accepted_repeat_to_collect`. The remaining spins still run: repeat the request to get all outcomes. The outcomes get your `result_effective_date`, by default the start of today in New York. */
    guestPlay: { input: { user_id: UserId; } & AmoeGuestPlayRequest; reply: AmoeGuestPlayReply },
    /** Queue free guest spins for the next midnight in New York. Works like `POST /users/{user_id}/game/queue`, but has no `result_effective_date`. Use `POST /users/guest/{user_id}/game/play` instead, which runs a guest's spins immediately. @deprecated */
    guestQueue: { input: { user_id: UserId; } & AmoeGuestQueueRequest; reply: AmoeGuestQueueReply },
  },
  games: {
    /** Generate a URL at which a user plays a game once, within 30 minutes. Each request returns a new URL, which costs nothing until the play. A URL has one outcome, however often it is opened, and shows the outcome for a year. The URL is a credential: anybody who has it can play. `playable` and `restrictions` are those of the game now: a user who cannot play yet can still get a URL. */
    play: { input: { user_id: UserId; } & GamesPlayRequest; reply: GamesPlayReply },
    /** List a user's game outcomes, newest first. Lists plays and free spins, each with one prize. Send `next_token` to get the next page. New outcomes do not shift pages. A `limit` of 0 returns an empty page. */
    history: { input: { user_id: UserId; /** Default: 10 */ limit?: number | undefined; /** The `next_token` of the previous page, with the same filters; absent for the first page */ next_token?: string | undefined; }; reply: GamesHistoryReply; item: GamesHistoryReply['items'][number] },
    /** Check whether a user can play, without starting a session. `playable`, `restrictions` and `holds` are those of the prize wheel; `games` has those of each game, and whether its free spins can be requested (`free_playable`). `tickets_only` does not prevent a play: it means that no cash prize can be drawn now. `holds` lists what an operator has stopped; each hold prevents plays. */
    checkEligibility: { input: { user_id: UserId; }; reply: GamesCheckEligibilityReply },
  },
  page: {
    /** Read the settings of your play pages. Returns the origins that may frame the page, the return URL, the rules and the brand. An empty value means the default. Each of `preview_urls` shows a game in one language with these settings, to anybody who has the URL. A preview plays nothing, costs nothing and never expires. In a frame, it sends the messages `ready`, `resize` and `done`. */
    get: { input: Record<never, never>; reply: PageGetReply },
    /** Change the settings of your play pages. The settings apply to pages opened after the request. A setting that you leave out stays the same, and an empty value restores the default. Colors with too little contrast return an error that names the nearest readable color. Repeating the request has no further effect. Operators see each change with the id of your API key. */
    update: { input: PageUpdateRequest; reply: PageUpdateReply },
  },
  debug: {
    /** Generate a play URL with a forced result. `jackpot` wins the highest cash prize of the prize table. A kind of prize, such as `prize_gift_card`, wins a prize of this kind; if the table has none, a 422 names the kinds that it has. Both cost nothing and have no limits. `tickets_only` has the ordinary cost and limits, and draws only ticket prizes. After the play, `fairness.debug` is the forced result. `valid_seconds` makes the URL expire earlier. */
    play: { input: { user_id: UserId; } & DebugPlayRequest; reply: DebugPlayReply },
    /** Set the daily cash limit, in whole USD. Limits the cash prizes of all users together per day in New York, from the next draw on. */
    dailyCashLimit: { input: DebugDailyCashLimitRequest; reply: DebugDailyCashLimitReply },
    /** Turn the daily spin limit on or off. Limits each user's plays per day in New York. Free spins do not count. */
    dailySpinLimit: { input: DebugDailySpinLimitRequest; reply: DebugDailySpinLimitReply },
    /** Run the queued free spins now. Starts the run that starts at midnight in New York, for all queued spins of the organization. They run within seconds, once each however often you ask, with their webhooks. `started` counts these spins. Spins of a frozen user stay queued. */
    spinRun: { input: Record<never, never>; reply: DebugSpinRunReply },
  },
  webhooks: {
    /** Register a webhook. Without `event`, the webhook subscribes to all types of events. If a webhook with this callback URL and event exists, the request updates it as a PUT does, and returns it: you can repeat the request, and send it at every start. If webhooks for different events have the same callback URL, only the newest that subscribes to a type receives it; `receives` in the list shows which. `secret_key` signs the deliveries. */
    create: { input: WebhooksCreateRequest; reply: WebhooksCreateReply },
    /** List the webhooks, oldest first. Lists the webhooks with their secrets, the time since which deliveries fail, and the types of events that each webhook receives. If several webhooks with the same callback URL subscribe to a type of event, only the newest receives the events. Send `next_token` to get the next page. A `limit` of 0 returns an empty page. */
    list: { input: { /** Default: 100 */ limit?: number | undefined; /** The `next_token` of the previous page, with the same filters; absent for the first page */ next_token?: string | undefined; }; reply: WebhooksListReply; item: WebhooksListReply['webhooks'][number] },
    /** Read one webhook. Returns the webhook with its secret, and with the time since which deliveries fail. */
    get: { input: { webhook_id: WebhookId; }; reply: WebhooksGetReply },
    /** Change a webhook, and switch it on if it is off. If the body has no `event`, the subscription stays the same. For 24 hours after a change of the secret, the old and the new secret both sign deliveries. A webhook that was switched off is switched on again and receives the events that it missed, once your receiver works. */
    update: { input: { webhook_id: WebhookId; } & WebhooksUpdateRequest; reply: WebhooksUpdateReply },
    /** Delete a webhook. Drops the deliveries that are still pending for the webhook. Repeating the request returns a 404. */
    delete: { input: { webhook_id: WebhookId; }; reply: WebhooksDeleteReply },
    /** Send a JSON object to a webhook, once for each request id. Sends the body byte for byte, even to a webhook that is switched off. The body is signed like an event, with a `webhook-id` that begins with `inv_`. Within 90 days, requests with the same `request_id` send the body once, and a request with another body returns the error `idempotency_key_reused`. Each request without a `request_id` sends its body. */
    invoke: { input: { webhook_id: WebhookId; request_id?: string | undefined; } & { payload: Record<string, unknown> }; reply: WebhooksInvokeReply },
    /** List the calls made to webhooks, oldest first. A call is one attempt to send an event or an `invoke` body. Calls are kept for 90 days. `start` and `end` are inclusive, while reports exclude `end`. Send `next_token` with the same `start`, `end` and `event_type` to get the next page. `is_all` is true on the last page. */
    history: { input: { start: Timestamp; end: Timestamp; event_type?: EventType | undefined; /** Default: 1000 */ limit?: number | undefined; /** The `next_token` of the previous page, with the same filters; absent for the first page */ next_token?: string | undefined; }; reply: WebhooksHistoryReply; item: WebhooksHistoryReply['calls'][number] },
  },
  events: {
    /** Read events forward, oldest first. Returns the events that webhooks receive, with the same ids and payloads. You need no webhook. Without `after`, the page begins with the first event of your organization. Store `next` in the same transaction as the effects of the page, and send it as `after` in the next request. A `next` never expires. `is_all` means that you have all events older than one minute that AWS's index shows, which is all of them as a rule: newer events appear one minute after their time. A gap in a user’s `sequence` shows that one is late: read it with `user_id`. In a request with `user_id`, they appear immediately. */
    list: { input: { /** The `next` of the previous page; absent for the first page. It is valid only with the same `user_id` and `event_type` as before */ after?: string | undefined; /** Default: 100 */ limit?: number | undefined; user_id?: UserId | undefined; event_type?: EventType | undefined; }; reply: EventsListReply; item: EventsListReply['events'][number] },
  },
  reports: {
    /** Report on game outcomes, oldest first. The rows are plays and free spins, of all users or of one. `start` (inclusive) and `end` (exclusive, unlike in the history of webhook calls) select rows by `timestamp`, not by `result_effective_date`. Pages are numbered from 0, and totals are exact. The report on a time range can get more rows until a minute after `end`. A page of more than 6 MB returns a 422: send `Accept-Encoding: gzip`, or request fewer rows. You can also send the parameters in a JSON body. */
    outcomes: { input: { start?: Timestamp | undefined; end?: Timestamp | undefined; /** Default: 0 */ page?: number | undefined; /** Default: 1000 */ page_size?: number | undefined; user_id?: UserId | undefined; }; reply: ReportsOutcomesReply; item: ReportsOutcomesReply['items'][number] },
    /** Report on ticket transactions, oldest first. The rows are credits, debits, ticket prizes, and costs of games, of all users or of one. `start` (inclusive) and `end` (exclusive, unlike in the history of webhook calls) select rows by `date_created`, not by `result_effective_date`. Pages are numbered from 0, and totals are exact. The report on a time range can get more rows until a minute after `end`. A page of more than 6 MB returns a 422: send `Accept-Encoding: gzip`, or request fewer rows. You can also send the parameters in a JSON body. */
    tickets: { input: { start?: Timestamp | undefined; end?: Timestamp | undefined; /** Default: 0 */ page?: number | undefined; /** Default: 1000 */ page_size?: number | undefined; user_id?: UserId | undefined; }; reply: ReportsTicketsReply; item: ReportsTicketsReply['transactions'][number] },
    /** Report on entry transactions, oldest first. The rows are credits, debits and prizes, of both entry types or of `entry_type`, of all users or of one. `start` (inclusive) and `end` (exclusive, unlike in the history of webhook calls) select rows by `date_created`, not by `result_effective_date`. Pages are numbered from 0, and totals are exact. The report on a time range can get more rows until a minute after `end`. A page of more than 6 MB returns a 422: send `Accept-Encoding: gzip`, or request fewer rows. You can also send the parameters in a JSON body. */
    entries: { input: { start?: Timestamp | undefined; end?: Timestamp | undefined; /** Default: 0 */ page?: number | undefined; /** Default: 1000 */ page_size?: number | undefined; user_id?: UserId | undefined; entry_type?: EntryType | undefined; }; reply: ReportsEntriesReply; item: ReportsEntriesReply['transactions'][number] },
  },
};

/** The HTTP request of each operation. */

export const operations = {
  users: {
    create: {"method":"POST","path":"/users","query":[]},
    find: {"method":"GET","path":"/users","query":["external_reference"]},
    get: {"method":"GET","path":"/users/{user_id}","query":[]},
    update: {"method":"PUT","path":"/users/{user_id}","query":[]},
    summary: {"method":"GET","path":"/users/{user_id}/summary","query":[]},
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
  page: {
    get: {"method":"GET","path":"/page","query":[]},
    update: {"method":"PUT","path":"/page","query":[]},
  },
  debug: {
    play: {"method":"POST","path":"/debug/users/{user_id}/games/play","query":[]},
    dailyCashLimit: {"method":"PUT","path":"/debug/daily-cash-limit","query":[]},
    dailySpinLimit: {"method":"PUT","path":"/debug/daily-spin-limit","query":[]},
    spinRun: {"method":"POST","path":"/debug/spin-run","query":[]},
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
  events: {
    list: {"method":"GET","path":"/events","query":["after","limit","user_id","event_type"],"items":"events"},
  },
  reports: {
    outcomes: {"method":"GET","path":"/game/history","query":["start","end","page","page_size","user_id"],"items":"items"},
    tickets: {"method":"GET","path":"/tickets/history","query":["start","end","page","page_size","user_id"],"items":"transactions"},
    entries: {"method":"GET","path":"/entrties/history","query":["start","end","page","page_size","user_id","entry_type"],"items":"transactions"},
  },
} as const;
