/** The types of all tables. Every integer is a BIGINT and read as a bigint; JSON is text. */
import type {
  CandleTable,
  HeldPriceTable,
  InstrumentCategoryTable,
  QuoteTable,
  RefusedPriceTable,
  RefusedTickTable,
} from './market-schema.ts'
import type { AlertTables } from './alert-schema.ts'
import type { ChatTables } from './chat-schema.ts'
import type { CopyingTables } from './copying-schema.ts'
import type { ContentTables } from './content-schema.ts'
import type {
  ApprovalTable,
  CaseHolderTable,
  DeskActTable,
  MailedHashTable,
  OperatorRecoveryCodeTable,
  OperatorSessionTable,
  OperatorTable,
  UserNoteTable,
} from './desk-schema.ts'
import type { PictureTextTable, StoredFileTable } from './file-schema.ts'
import type {
  ConsentTable,
  DayCountTable,
  KnownLoginTable,
  RegisteredUserTable,
  OutboxTable,
  PasskeyTable,
  RecoveryCodeTable,
  SecondFactorTable,
  SessionTable,
  UserActivityTable,
  UserTable,
  VerificationCodeTable,
  WatchedInstrumentTable,
} from './user-schema.ts'
import type { IdentityTables } from './identity-schema.ts'
import type { NoticeTables } from './notice-schema.ts'
import type { PushTables } from './push-schema.ts'
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

/** The last journal row that a projection has read. */
export type ProjectionTable = { name: string; journal_seq: bigint }

export type AccountTable = {
  id: bigint
  /** The user it belongs to; of a user's own account the same id. */
  owner_id: bigint
  ledger: string
  opened_at: bigint
  /** active, closeOnly, frozen or closed, and the reason, which is shown to the user. */
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
  /** The affected user, if any, for finding the user's records. */
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
  /** The last rollover (17:00 New York) whose swap is booked, epoch ms; 0 before the first. */
  financed_at: bigint
  expires_at: bigint | null
  created_at: bigint
  opened_at: bigint | null
  ended_at: bigint | null
  /** The provider's order that it copies, with the lots of both when it opened; null for all others. */
  copied_order_id: bigint | null
  copied_provider_lots: bigint | null
  copied_lots: bigint | null
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
  /** The number, the time and the event that it proves, as JSON. */
  body: string
}

/** Money that enters or leaves outside trading. */
export type MoneyCaseTable = {
  id: bigint
  /** deposit, withdrawal or adjustment. */
  kind: string
  account_id: bigint
  /** The requested amount, negative for a debit; for a deposit in the account currency, at the rate of its report. */
  amount: bigint
  fee: bigint
  /** open, or the outcome. */
  status: string
  /** The credited amount of a deposit. */
  credited: bigint
  opened_at: bigint
  /** The operator who requested an adjustment, and the reason. */
  asked_by: bigint | null
  asked_reason: string
  ended_at: bigint | null
  /** The operator who ended it, null for the user, and the reason. */
  ended_by: bigint | null
  ended_reason: string
  /** The destination and price of a withdrawal, as JSON; null in rows of earlier versions. */
  payout: string | null
  /** The sent and the arrived amount of a deposit with their rates, as JSON; null for a deposit in the account currency. */
  sent: string | null
  arrived: string | null
  /** The operator who approved it, and the one who started to pay it; null before, and once the approval is void. */
  approved_at: bigint | null
  approved_by: bigint | null
  paying_at: bigint | null
  paying_by: bigint | null
}

/** Amounts that operators have credited, approved or started to pay, for the limits of 24 hours. */
export type MoneyDecisionTable = {
  at: bigint
  case_id: bigint
  account_id: bigint
  /** The number of the address or bank account; null for a credit. */
  destination: bigint | null
  operator_id: bigint
  amount: bigint
}

/** Every change of terms, in force or announced. The highest version of a kind and subject is in force. */
export type TermsChangeTable = {
  change_id: bigint
  /** settings, instrument, calendar or source. */
  kind: string
  /** The id of an instrument or the name of a session; empty for settings. */
  subject: string
  /** When it was decided, and when it was to take effect. */
  at: bigint
  effective_at: bigint
  /** When it took effect; null while it is announced. */
  in_effect_at: bigint | null
  /** The number of the change among those in effect, by which receipts refer to terms. */
  version: bigint | null
  withdrawn_at: bigint | null
  /** JSON, as the journal has it. */
  author: string
  reason: string
  /** The complete change, as JSON. */
  body: string
}

/** The moments of price snapshots: full hours and rollovers (17:00 New York). */
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
  /** The mark-up on each side, in ticks. */
  mark_up: bigint
}

/**
 * A rollover (17:00 New York): its swap rates as JSON, the version of the terms (null in rows of the first version), and
 * when the swaps of all positions were booked.
 */
export type RolloverTable = { rollover: bigint; rates: string; terms: bigint | null; ended_at: bigint | null }

/** Actions of operators in the journal, a row per event; not those from before operators had accounts. */
export type OperatorActTable = {
  id: bigint
  journal_seq: bigint
  at: bigint
  operator_id: bigint
  role: string
  reason: string
  second_id: bigint | null
  second_role: string | null
  /** The affected account, if any. */
  account_id: bigint | null
  /** The type of the event. */
  event: string
}

/** State of the engine that has no table of its own: halts, the trading mode, the last rollover of the first version. `value` is JSON. */
export type EngineFactTable = { name: string; value: string }

export type RequestTable = {
  account_id: bigint
  call: string
  request_id: string
  digest: string
  at: bigint
  /** The journal row with its result. */
  journal_seq: bigint
}

/** `category` and `instrument` are of the first version; since then terms are in the journal. */
export type CategoryTable = { id: bigint; name: string; sort: bigint }

/** `terms` is JSON. */
export type InstrumentTable = { id: bigint; code: string; category_id: bigint; sort: bigint; terms: string }

export type SettingTable = {
  name: string
  value: string
  /** The value until `holds_from` (epoch ms), when `value` is announced for that moment; else both null. */
  value_before: string | null
  holds_from: bigint | null
}

/** Changes of payment methods that are shown to users: announced, or made within the last day. */
export type PaymentChangeTable = {
  id: bigint
  /** The subject of the change, as in the audit log. */
  subject: string
  /** The name of the affected payment method; empty for all. */
  about: string
  /** JSON: name, before and after of each field. */
  fields: string
  reason: string
  at: bigint
  effective_at: bigint
}

export type Tables = ContentTables &
  IdentityTables &
  AlertTables &
  ChatTables &
  CopyingTables &
  NoticeTables &
  PaymentTables &
  PushTables &
  ReportTables & {
    journal: JournalTable
    projection: ProjectionTable
    account: AccountTable
    ledger_account: LedgerAccountTable
    transfer: TransferTable
    trade_order: OrderTable
    receipt: ReceiptTable
    money_case: MoneyCaseTable
    money_decision: MoneyDecisionTable
    terms_change: TermsChangeTable
    price_moment: PriceMomentTable
    price_mark: PriceMarkTable
    night: RolloverTable
    operator_act: OperatorActTable
    engine_fact: EngineFactTable
    request: RequestTable
    app_user: UserTable
    session: SessionTable
    member: RegisteredUserTable
    consent: ConsentTable
    verification_code: VerificationCodeTable
    second_factor: SecondFactorTable
    recovery_code: RecoveryCodeTable
    passkey: PasskeyTable
    day_count: DayCountTable
    known_login: KnownLoginTable
    outbox: OutboxTable
    category: CategoryTable
    instrument: InstrumentTable
    setting: SettingTable
    payment_change: PaymentChangeTable
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
    picture_text: PictureTextTable
    mailed_hash: MailedHashTable
    person_note: UserNoteTable
    user_activity: UserActivityTable
  }
