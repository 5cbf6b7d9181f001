/** The tables of the support chat. Messages are append-only. */
export type ChatTable = {
  user_id: bigint
  /** When the first unanswered message was sent, epoch ms; null for none. */
  waiting_since: bigint | null
  /** The number of the user's unanswered messages. */
  unanswered: bigint
  /** The last message that the user has seen, and the last that an operator has seen. */
  user_seen_id: bigint
  desk_seen_id: bigint
  /** When a mail about an unseen answer is due, epoch ms; null for none. */
  mail_due_at: bigint | null
}

export type ChatMessageTable = {
  id: bigint
  user_id: bigint
  /** The operator who wrote the message; null for the user. */
  operator_id: bigint | null
  operator_name: string | null
  text: string
  /** The key of a stored picture. */
  picture: string | null
  sent_at: bigint
  /** The request id of the client, and the digest of the request. */
  request_id: string | null
  digest: string | null
}

/** How long users waited for an answer, by the message that answered them. */
export type ChatAnswerTable = { message_id: bigint; waited_ms: bigint }

export type ChatTables = {
  chat: ChatTable
  chat_message: ChatMessageTable
  chat_answer: ChatAnswerTable
}
