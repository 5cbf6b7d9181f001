/** The tables of the operators' desk. Acts are never changed or deleted, operators neither. */
export type OperatorTable = {
  id: bigint
  name: string
  /** In small letters, to find it by. */
  name_key: string
  role: string
  /** Null until the invitation is taken. */
  password_hash: string | null
  invitation_hash: string | null
  invited_until: bigint | null
  /** Base32; null before it is set up. */
  totp_secret: string | null
  totp_confirmed_at: bigint | null
  totp_last_step: bigint
  is_on: bigint
  created_at: bigint
  last_seen_at: bigint | null
}

export type OperatorRecoveryCodeTable = { code_hash: string; operator_id: bigint }

export type OperatorSessionTable = {
  token_hash: string
  operator_id: bigint
  created_at: bigint
  seen_at: bigint
  device: string
  address: string
}

/** What operators did and tried, each row chained to the one before by its hash. */
export type DeskActTable = {
  id: bigint
  at: bigint
  operator_id: bigint
  operator_name: string
  role: string
  /** The second person behind it, where two are asked for. */
  second_id: bigint | null
  second_name: string | null
  /** A line of the table of permissions. */
  act: string
  /** What it was done to, such as `person:12`. */
  subject: string
  /** The account it touches, whose owner reads of it. */
  account_id: bigint | null
  reason: string
  /** JSON, or null where there is none. */
  before: string | null
  after: string | null
  /** The case it belongs to, such as `approval:3`. */
  case_key: string | null
  /** `done`, or the code of the refusal. */
  outcome: string
  /** The moment of its journal entry on the market clock; null where it is none of the engine's. */
  journal_at: bigint | null
  previous_hash: string
  hash: string
}

/** An act that waits for a second person. */
export type ApprovalTable = {
  id: bigint
  kind: string
  subject: string
  account_id: bigint | null
  /** What is to be done, as JSON. */
  body: string
  before: string | null
  after: string | null
  reason: string
  asked_by: bigint
  asked_name: string
  asked_role: string
  asked_at: bigint
  /** waiting, approved, refused or withdrawn. */
  status: string
  /** While it waits: who was about to approve it when something went wrong. */
  decided_by: bigint | null
  decided_name: string | null
  decided_role: string | null
  decided_at: bigint | null
  decided_reason: string
  /** Names the asking, and the digest of what was asked; null where the caller named nothing. */
  request_key: string | null
  request_digest: string | null
}

/** The last hashes of a day as they were mailed: what somebody outside has too. */
export type MailedHashTable = {
  /** In UTC, such as 2026-11-22. */
  day: string
  at: bigint
  journal_seq: bigint
  journal_hash: string
  act_id: bigint
  act_hash: string
  recipients: string
}

/** Who has taken a case that waits. */
export type CaseHolderTable = { case_key: string; operator_id: bigint; since: bigint }

/** What operators wrote about somebody, for each other. Never changed, never deleted. */
export type PersonNoteTable = {
  id: bigint
  account_id: bigint
  at: bigint
  operator_id: bigint
  operator_name: string
  role: string
  text: string
}
