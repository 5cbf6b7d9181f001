/** The tables of what users are told of. */

/** One thing that happened to a user: a kind and its facts, no sentence. */
export type NoticeTable = {
  /** The journal row and its place in it, or random letters for what the journal does not hold. */
  id: string
  user_id: bigint
  /** Epoch ms. */
  at: bigint
  kind: string
  /** The facts as JSON. */
  facts: string
  read_at: bigint | null
  /** due, written, or none where there is none to write. */
  mail: string
  mailed_at: bigint | null
}

/** What a user has switched off: a list of `group.way` as JSON. */
export type NoticeChoiceTable = { user_id: bigint; off: string }

/** Accounts that were warned of their margin and have not recovered since. */
export type MarginWarnedTable = { user_id: bigint; at: bigint }

export type NoticeTables = {
  notice: NoticeTable
  notice_choice: NoticeChoiceTable
  margin_warned: MarginWarnedTable
}
