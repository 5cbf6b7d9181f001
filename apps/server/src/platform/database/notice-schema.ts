/** The tables of notices to users. */

/** A notice: its kind and facts, without text. */
export type NoticeTable = {
  /** The journal row and the place in it, or a UUID for a notice that is not about a journal event. */
  id: string
  user_id: bigint
  /** Epoch ms. */
  at: bigint
  kind: string
  /** The facts as JSON. */
  facts: string
  read_at: bigint | null
  /** Its mail and pushes are due; or its mail is written, none, or due in place of a push that failed (instead). */
  mail: string
  mailed_at: bigint | null
}

/** The choices that a user has switched off: a list of `group.way` as JSON. */
export type NoticeChoiceTable = { user_id: bigint; off: string }

/** Accounts with a margin warning that have not recovered since. */
export type MarginWarnedTable = { user_id: bigint; at: bigint }

export type NoticeTables = {
  notice: NoticeTable
  notice_choice: NoticeChoiceTable
  margin_warned: MarginWarnedTable
}
