/** The tables as the queries see them. Every integer is a BIGINT and arrives as a bigint; JSON is text. */
export type JournalTable = {
  seq: bigint
  at: bigint
  /** The run of the engine that wrote it. */
  writer: string
  previous_hash: string
  hash: string
  entries: string
}

/** How far a projection has read the journal. */
export type ProjectionTable = { name: string; journal_seq: bigint }

export type AccountTable = { id: bigint; ledger: string; opened_at: bigint }

export type LedgerAccountTable = { id: string; balance: bigint; entry_count: bigint }

export type TransferTable = {
  id: bigint
  at: bigint
  debit: string
  credit: string
  amount: bigint
  kind: string
  order_id: bigint | null
  /** The user it touches, if any: their records are found by it. */
  account_id: bigint | null
  debit_balance: bigint
  debit_entry: bigint
  credit_balance: bigint
  credit_entry: bigint
}

export type OrderTable = {
  id: bigint
  /** The position that a closed part was cut from. */
  parent_id: bigint | null
  account_id: bigint
  instrument_id: bigint
  side: string
  kind: string
  status: string
  end_reason: string
  lots: bigint
  leverage: bigint
  target_price: bigint | null
  accepted_price: bigint
  open_price: bigint | null
  close_price: bigint | null
  take_profit: bigint | null
  stop_loss: bigint | null
  trailing_distance: bigint | null
  margin: bigint
  fee: bigint
  profit: bigint
  /** Overnight financing so far, and the last 17:00 New York that was booked; 0 before the first. */
  financed_at: bigint
  expires_at: bigint | null
  created_at: bigint
  opened_at: bigint | null
  ended_at: bigint | null
}

export type ReceiptTable = {
  id: bigint
  account_id: bigint
  /** Counts the receipts of its account from 1. */
  number: bigint
  order_id: bigint
  at: bigint
  previous_hash: string
  /** Covers the body and, through the hash before it, every receipt of the account before. */
  hash: string
  /** The number, the time and the whole event that it proves, as JSON. */
  body: string
}

/** What the engine knows beyond accounts and orders: halts, its mode, the last rollover. `value` is JSON. */
export type EngineFactTable = { name: string; value: string }

export type RequestTable = {
  account_id: bigint
  call: string
  request_id: string
  digest: string
  at: bigint
  events: string
}

export type UserTable = {
  id: bigint
  is_demo: bigint
  /** SHA-256 of the secret a demo user logs in with. */
  demo_hash: string | null
  invite_code: string
  credit_score: bigint
  created_at: bigint
}

export type SessionTable = {
  token_hash: string
  user_id: bigint
  created_at: bigint
  seen_at: bigint
  device: string
  address: string
}

/** What a real user registered with. */
export type MemberTable = {
  user_id: bigint
  /** As it was typed, and in small letters to find it by. */
  email: string | null
  email_key: string | null
  /** E.164, such as +85291234567, and its two parts in digits. */
  phone: string | null
  calling_code: string | null
  national_number: string | null
  /** ISO 3166-1 alpha-2. */
  area: string
  language: string
  password_hash: string
  invited_by: bigint | null
}

/** Which wording a user agreed to, and when. */
export type ConsentTable = {
  user_id: bigint
  version: string
  language: string
  address: string
  at: bigint
}

/** The one code of a target and purpose that is good now. */
export type VerificationCodeTable = {
  target: string
  purpose: string
  code_hash: string
  sent_at: bigint
  tries: bigint
}

export type SecondFactorTable = {
  user_id: bigint
  /** Base32; it has to be read again to check a code. */
  secret: string
  /** Null while nobody has confirmed it by a code. */
  confirmed_at: bigint | null
  /** The time step of the last code taken: none is taken twice. */
  last_step: bigint
}

export type RecoveryCodeTable = { code_hash: string; user_id: bigint }

/** Browsers and networks that a user has logged in from. */
export type KnownLoginTable = { user_id: bigint; fingerprint: string; at: bigint }

/** Mails and text messages on their way. */
export type OutboxTable = {
  id: string
  channel: string
  recipient: string
  subject: string
  body: string
  created_at: bigint
  /** Of no use any more after this. */
  expires_at: bigint
  /** waiting, sent, failed, or kept for the operators to read. */
  state: string
  tries: bigint
  next_try_at: bigint
  error: string | null
}

export type CategoryTable = { id: bigint; name: string; sort: bigint }

/** `terms` is JSON: what the desk may change about an instrument. */
export type InstrumentTable = { id: bigint; code: string; category_id: bigint; sort: bigint; terms: string }

export type SettingTable = { name: string; value: string }

export type QuoteTable = {
  instrument_id: bigint
  bid: bigint
  ask: bigint
  time: bigint
  received_at: bigint
  seq: bigint
  source: string
}

export type CandleTable = {
  instrument_id: bigint
  period: string
  time: bigint
  open: bigint
  high: bigint
  low: bigint
  close: bigint
  volume: bigint
}

export type Tables = {
  journal: JournalTable
  projection: ProjectionTable
  account: AccountTable
  ledger_account: LedgerAccountTable
  transfer: TransferTable
  trade_order: OrderTable
  receipt: ReceiptTable
  engine_fact: EngineFactTable
  request: RequestTable
  app_user: UserTable
  session: SessionTable
  member: MemberTable
  consent: ConsentTable
  verification_code: VerificationCodeTable
  second_factor: SecondFactorTable
  recovery_code: RecoveryCodeTable
  known_login: KnownLoginTable
  outbox: OutboxTable
  category: CategoryTable
  instrument: InstrumentTable
  setting: SettingTable
  quote: QuoteTable
  candle: CandleTable
}
