/** The tables of the chat between people and the support. Messages are only ever added. */
export type ChatTable = {
  user_id: bigint
  /** When the first message came that nobody has answered, epoch ms; null: none waits. */
  waiting_since: bigint | null
  /** The person's messages that nobody has answered. */
  unanswered: bigint
  /** The last message that the person, and that somebody at the support has seen. */
  user_seen_id: bigint
  desk_seen_id: bigint
  /** When a mail tells of an answer, unless it has been seen by then; null: none is to. */
  mail_due_at: bigint | null
}

export type ChatMessageTable = {
  id: bigint
  user_id: bigint
  /** Who has answered; null for the person. */
  operator_id: bigint | null
  operator_name: string | null
  /** As it was typed. */
  text: string
  /** The key of a stored picture. */
  picture: string | null
  sent_at: bigint
  /** The caller's own name for the message, and the digest of what it asked for. */
  request_id: string | null
  digest: string | null
}

/** How long people waited for an answer, by the message that answered them. */
export type ChatAnswerTable = { message_id: bigint; waited_ms: bigint }

export type ChatTables = {
  chat: ChatTable
  chat_message: ChatMessageTable
  chat_answer: ChatAnswerTable
}
