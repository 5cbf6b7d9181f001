/** The tables of the operators' desk. Audit entries are append-only, and operators are never deleted. */
export type OperatorTable = {
  id: bigint
  name: string
  /** In lower case, for lookups. */
  name_key: string
  role: string
  /** Null until the invitation is accepted. */
  password_hash: string | null
  invitation_hash: string | null
  invited_until: bigint | null
  /** The confirmation key of an invitation. */
  confirmation_hash: string | null
  /** The number of wrong confirmation keys. */
  confirmation_tries: bigint | null
  /** The operators who gave the two keys. */
  invited_by: bigint | null
  confirmed_by: bigint | null
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
  /** When a code of the second factor was last given; null for never. */
  factor_at: bigint | null
}

/** The audit log: what operators did and tried. Each row contains the hash of the row before. */
export type DeskActTable = {
  id: bigint
  at: bigint
  operator_id: bigint
  operator_name: string
  role: string
  /** The second operator, where two are required. */
  second_id: bigint | null
  second_name: string | null
  /** The permission that was used. */
  act: string
  /** The subject of the action, such as `person:12`. */
  subject: string
  /** The affected account, if any. */
  account_id: bigint | null
  reason: string
  /** JSON, or null. */
  before: string | null
  after: string | null
  /** The case it belongs to, such as `approval:3`. */
  case_key: string | null
  /** `done`, or the code of the refusal. */
  outcome: string
  /** The time of its journal entry on the market clock; null without one. */
  journal_at: bigint | null
  previous_hash: string
  hash: string
}

/** An action that needs the approval of a second operator. */
export type ApprovalTable = {
  id: bigint
  kind: string
  subject: string
  account_id: bigint | null
  /** The requested action, as JSON. */
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
  /** While it waits: the operator whose approval was interrupted. */
  decided_by: bigint | null
  decided_name: string | null
  decided_role: string | null
  decided_at: bigint | null
  decided_reason: string
  /** The request id of the client and the digest of the request; null without one. */
  request_key: string | null
  request_digest: string | null
}

/** The last hashes of a day, as they were mailed to outside recipients. */
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

/** The operator to whom a case is assigned. */
export type CaseHolderTable = { case_key: string; operator_id: bigint; since: bigint }

/** Internal notes of operators about a user, append-only. */
export type UserNoteTable = {
  id: bigint
  account_id: bigint
  at: bigint
  operator_id: bigint
  operator_name: string
  role: string
  text: string
}
