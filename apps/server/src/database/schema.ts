/** The tables as the queries see them. Every integer is a BIGINT and arrives as a bigint; JSON is text. */
import type {
  CandleTable,
  HeldPriceTable,
  InstrumentCategoryTable,
  QuoteTable,
  RefusedPriceTable,
  RefusedTickTable,
} from './market-schema.ts'
import type { ChatTables } from './chat-schema.ts'
import type { ContentTables } from './content-schema.ts'
import type {
  ApprovalTable,
  CaseHolderTable,
  DeskActTable,
  MailedHashTable,
  OperatorRecoveryCodeTable,
  OperatorSessionTable,
  OperatorTable,
  PersonNoteTable,
} from './desk-schema.ts'
import type { StoredFileTable } from './file-schema.ts'
import type {
  ConsentTable,
  KnownLoginTable,
  MemberTable,
  OutboxTable,
  RecoveryCodeTable,
  SecondFactorTable,
  SessionTable,
  UserActivityTable,
  UserTable,
  VerificationCodeTable,
  WatchedInstrumentTable,
} from './people-schema.ts'
import type { IdentityTables } from './identity-schema.ts'
import type { NoticeTables } from './notice-schema.ts'
import type { PaymentTables } from './payment-schema.ts'
import type { ReportTables } from './report-schema.ts'

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

export type AccountTable = {
  id: bigint
  ledger: string
  opened_at: bigint
  /** active, closeOnly, frozen or closed, and why: the user reads it. */
  status: string
  status_reason: string
}

export type LedgerAccountTable = { id: string; balance: bigint; entry_count: bigint }

export type TransferTable = {
  id: bigint
  at: bigint
  debit: string
  credit: string
  amount: bigint
  kind: string
  order_id: bigint | null
  case_id: bigint | null
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

/** Money that enters or leaves outside trading. */
export type MoneyCaseTable = {
  id: bigint
  /** deposit, withdrawal or adjustment. */
  kind: string
  account_id: bigint
  /** As it was asked for; below zero takes money away. */
  amount: bigint
  fee: bigint
  /** open, or how it ended. */
  status: string
  /** What a deposit was credited with. */
  credited: bigint
  opened_at: bigint
  /** The operator who asked for an adjustment, and why. */
  asked_by: bigint | null
  asked_reason: string
  ended_at: bigint | null
  /** The operator who ended it, and why; null where the user did. */
  ended_by: bigint | null
  ended_reason: string
}

/** Every change of terms, in force or announced. What is in force is the highest version of its kind and subject. */
export type TermsChangeTable = {
  change_id: bigint
  /** settings, instrument, calendar or source. */
  kind: string
  /** The id of an instrument or the name of a session; empty for settings. */
  subject: string
  /** When it was decided, and from when it was to hold. */
  at: bigint
  effective_at: bigint
  /** Null while it is only announced. */
  in_effect_at: bigint | null
  /** Counts the changes that have taken effect: what receipts name as their terms. */
  version: bigint | null
  withdrawn_at: bigint | null
  /** JSON, as the journal has it. */
  author: string
  reason: string
  /** The change whole, as JSON. */
  body: string
}

/** Moments whose prices are marked: full hours, and each 17:00 New York. */
export type PriceMomentTable = { moment: bigint; told_at: bigint }

/** The last accepted price of an instrument at a moment. */
export type PriceMarkTable = {
  moment: bigint
  instrument_id: bigint
  bid: bigint
  ask: bigint
  seq: bigint
  time: bigint
  received_at: bigint
  source: string
  /** Ticks on each side that its source did not send. */
  mark_up: bigint
}

/**
 * Overnight financing of one 17:00 New York: its rates as JSON, the version of the terms it goes by (null in nights of the first
 * version), and when every position had it.
 */
export type NightTable = { rollover: bigint; rates: string; terms: bigint | null; ended_at: bigint | null }

/** What operators did, an event a row. Acts from before operators had names are not among them. */
export type OperatorActTable = {
  id: bigint
  journal_seq: bigint
  at: bigint
  operator_id: bigint
  role: string
  reason: string
  second_id: bigint | null
  second_role: string | null
  /** The account it touched, if any. */
  account_id: bigint | null
  /** The type of the event. */
  event: string
}

/** What the engine knows beyond the other tables: halts, its mode, the last rollover of the first version. `value` is JSON. */
export type EngineFactTable = { name: string; value: string }

export type RequestTable = {
  account_id: bigint
  call: string
  request_id: string
  digest: string
  at: bigint
  /** The journal row that tells what it did. */
  journal_seq: bigint
}

/** With `instrument`: what a deployment of the first version offered. From then on terms are in the journal. */
export type CategoryTable = { id: bigint; name: string; sort: bigint }

/** `terms` is JSON: what operators may change about an instrument. */
export type InstrumentTable = { id: bigint; code: string; category_id: bigint; sort: bigint; terms: string }

export type SettingTable = { name: string; value: string }

export type Tables = ContentTables &
  IdentityTables &
  ChatTables &
  NoticeTables &
  PaymentTables &
  ReportTables & {
    journal: JournalTable
    projection: ProjectionTable
    account: AccountTable
    ledger_account: LedgerAccountTable
    transfer: TransferTable
    trade_order: OrderTable
    receipt: ReceiptTable
    money_case: MoneyCaseTable
    terms_change: TermsChangeTable
    price_moment: PriceMomentTable
    price_mark: PriceMarkTable
    night: NightTable
    operator_act: OperatorActTable
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
    refused_tick: RefusedTickTable
    refused_price: RefusedPriceTable
    held_price: HeldPriceTable
    instrument_category: InstrumentCategoryTable
    watched_instrument: WatchedInstrumentTable
    operator: OperatorTable
    operator_recovery_code: OperatorRecoveryCodeTable
    operator_session: OperatorSessionTable
    desk_act: DeskActTable
    approval: ApprovalTable
    case_holder: CaseHolderTable
    stored_file: StoredFileTable
    mailed_hash: MailedHashTable
    person_note: PersonNoteTable
    user_activity: UserActivityTable
  }
