/** The tables of people: who they are, how they log in and what is sent to them. Rows change and go. */
export type UserTable = {
  id: bigint
  is_demo: bigint
  /** SHA-256 of the secret a demo user logs in with. */
  demo_hash: string | null
  invite_code: string
  credit_score: bigint
  created_at: bigint
  /** When the person was forgotten, after the account was closed; nobody logs in to it any more. */
  closed_at: bigint | null
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

/** What users did about their own accounts, a log-in among it. */
export type UserActivityTable = {
  id: string
  user_id: bigint
  at: bigint
  /** A kind of `user-activity.ts`. */
  kind: string
  device: string
  address: string
  /** How often, where several are one row. */
  times: bigint
}

/** What a user has put on the own list of instruments. */
export type WatchedInstrumentTable = { user_id: bigint; instrument_id: bigint }

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
  /** Which message it is; empty for those of an older version. */
  name: string
  /** The text for operators: as it went out, with secrets masked. `body` is theirs only on the machine itself. */
  shown: string
  /** 1 for one that holds a code: its body goes once it has been sent. */
  has_secret: bigint
  sent_at: bigint | null
  /** The message that this one sends again. */
  again_of: string | null
}
