/** The tables of users: personal data, log-ins and messages. Rows are changed and deleted. */
export type UserTable = {
  id: bigint
  is_demo: bigint
  /** SHA-256 of the secret a demo user logs in with. */
  demo_hash: string | null
  invite_code: string
  credit_score: bigint
  created_at: bigint
  /** When the personal data was deleted, after the account was closed; it has no log-in any more. */
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

/** The personal data of a registered user. */
export type RegisteredUserTable = {
  user_id: bigint
  /** As it was entered, and in lower case for lookups. */
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

/** The version of a legal text that a user has accepted. */
export type ConsentTable = {
  user_id: bigint
  version: string
  language: string
  address: string
  at: bigint
}

/** The only valid code of a target and purpose. */
export type VerificationCodeTable = {
  target: string
  purpose: string
  code_hash: string
  sent_at: bigint
  tries: bigint
}

/** Counts of daily limits; rows are deleted after a day. */
export type DayCountTable = {
  id: string
  /** SHA-256 of the counted key: an account at a place, or a network. */
  key_hash: string
  at: bigint
}

export type SecondFactorTable = {
  user_id: bigint
  /** Base32, sealed; it is needed to check codes. */
  secret: string
  /** Null until it is confirmed with a code. */
  confirmed_at: bigint | null
  /** The time step of the last accepted code, so that none is accepted twice. */
  last_step: bigint
}

export type RecoveryCodeTable = { code_hash: string; user_id: bigint }

/** A passkey of a user or an operator. */
export type PasskeyTable = {
  /** The credential id in base64url, which its device has chosen. */
  id: string
  /** One of the two is set. */
  user_id: bigint | null
  operator_id: bigint | null
  /** The domain that it was made for; it works at no other. */
  domain: string
  name: string
  /** A COSE key in base64url. */
  public_key: string
  /** The device's count of its signatures; 0 on devices that do not count. */
  counter: bigint
  /** JSON: how browsers reach the device. */
  transports: string
  /** 1: copies of it may exist on other devices of its owner. */
  is_synced: bigint
  created_at: bigint
  used_at: bigint | null
}

/** Browsers and networks that a user has logged in from. */
export type KnownLoginTable = { user_id: bigint; fingerprint: string; at: bigint }

/** Activities of users on their own accounts, such as log-ins. */
export type UserActivityTable = {
  id: string
  user_id: bigint
  at: bigint
  /** A kind of `user-activity.ts`. */
  kind: string
  device: string
  address: string
  /** The count of repeated activities in one row. */
  times: bigint
}

/** The instruments on a user's watch list. */
export type WatchedInstrumentTable = { user_id: bigint; instrument_id: bigint }

/** The outbox of mails and text messages. */
export type OutboxTable = {
  id: string
  channel: string
  recipient: string
  subject: string
  body: string
  created_at: bigint
  /** Not sent any more after this, epoch ms. */
  expires_at: bigint
  /** waiting, sent, failed, or kept for operators. */
  state: string
  tries: bigint
  next_try_at: bigint
  error: string | null
  /** The kind of message; empty for those of an older version. */
  name: string
  /** The text for operators, with secrets masked; `body` must not be shown to them. */
  shown: string
  /** 1 for a message with a code, whose body is deleted once it is sent. */
  has_secret: bigint
  sent_at: bigint | null
  /** The message that this one resends. */
  again_of: string | null
  /** A language code; empty where it is not known. */
  language: string
}
