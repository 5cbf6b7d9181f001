import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { OutboxTable } from '../database/user-schema.ts'
import type { Tables } from '../database/schema.ts'

/** A mail or a text message in plain text, or a push: its recipient is then a device, its body JSON. */
export type Message = {
  readonly channel: 'email' | 'sms' | 'push'
  readonly recipient: string
  /** Empty for a text message; the id of the notice for a push. */
  readonly subject: string
  readonly body: string
  /** The message expires after this time, ms. */
  readonly usefulForMs: number
  /** The kind of message. */
  readonly name?: string
  /** The body with secrets masked, for operators; without it operators cannot read the message. */
  readonly shown?: string
  /** The id of the message that this one resends. */
  readonly againOf?: string
  /** The code of the language that the text is in; empty or missing where it is not known. */
  readonly language?: string
}

/** A message that no retry would deliver. */
export class Undeliverable extends Error {}

/** Sends a message; throws when it was not accepted, with Undeliverable when it never will be. */
export type Sender = (message: Pick<Message, 'recipient' | 'subject' | 'body' | 'language'>) => Promise<void>

/** A sender for each channel; without one its messages stay in the outbox for operators. */
export type Senders = Readonly<Partial<Record<Message['channel'], Sender | null>>>

/** Messages are stored here before they are sent, so that neither a crash nor an unavailable mail server loses them. */
export type Outbox = {
  /** Stores a message, which is sent at the next `wake` after the commit. Returns its id. */
  add(message: Message, within?: Transaction<Tables>): Promise<string>
  /** Sends waiting messages. */
  wake(): void
  stop(): Promise<void>
}

/** Delays before each retry, ms; after the last one the message has failed. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000]
const POLL_MS = 5_000
const AT_ONCE = 20
const DAY_MS = 86_400_000
/** Messages with a secret are deleted after a week, others after a year, in which users may ask about them. */
const KEEP_SECRET_MS = 7 * DAY_MS
const KEEP_MS = 365 * DAY_MS
const CLEAN_UP_MS = DAY_MS / 24

export type OutboxOptions = {
  queries: Queries
  senders: Senders
  now: () => number
  onError: (error: unknown, doing: string) => void
  /** Called before a message counts as failed for good; perhaps again after a crash. */
  onUndelivered?: (message: Pick<OutboxTable, 'id' | 'channel' | 'subject'>) => Promise<void>
  retryAfterMs?: readonly number[]
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { queries, now, onError } = options
  const time = () => BigInt(Math.floor(now()))
  // A worker for each channel, so that a slow gateway does not delay mails.
  const workers = (['email', 'sms', 'push'] as const).map((channel) => createWorker(options, channel))

  const wake = (): void => {
    for (const worker of workers) worker.wake()
  }

  const cleanUp = () =>
    queries
      .deleteFrom('outbox')
      .where('created_at', '<', time() - BigInt(KEEP_SECRET_MS))
      .where(({ eb, or }) => or([eb('has_secret', '=', 1n), eb('created_at', '<', time() - BigInt(KEEP_MS))]))
      .execute()

  const polling = setInterval(wake, POLL_MS)
  const cleaning = setInterval(() => {
    cleanUp().catch((error: unknown) => onError(error, 'deleting old messages'))
  }, CLEAN_UP_MS)
  wake()

  return {
    add: async (message, within) => {
      const row = rowOf(message, time())
      await (within ?? queries).insertInto('outbox').values(row).execute()
      return row.id
    },
    wake,
    stop: async () => {
      clearInterval(polling)
      clearInterval(cleaning)
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

const rowOf = (message: Message, at: bigint): OutboxTable => ({
  id: randomUUID(),
  channel: message.channel,
  recipient: message.recipient,
  subject: message.subject,
  body: message.body,
  created_at: at,
  next_try_at: at,
  expires_at: at + BigInt(message.usefulForMs),
  state: 'waiting',
  tries: 0n,
  error: null,
  name: message.name ?? '',
  shown: message.shown ?? '',
  sent_at: null,
  has_secret: message.shown === message.body ? 0n : 1n,
  again_of: message.againOf ?? null,
  language: message.language ?? '',
})

/** Sends due messages of one channel, one after the other, the oldest first. */
function createWorker(options: OutboxOptions, channel: Message['channel']): Pick<Outbox, 'wake' | 'stop'> {
  const { queries, now, onError } = options
  let working: Promise<void> | null = null
  let isStopped = false
  let isAgain = false

  const work = async (): Promise<void> => {
    do {
      isAgain = false
      const due = await queries
        .selectFrom('outbox')
        .selectAll()
        .where('channel', '=', channel)
        .where('state', '=', 'waiting')
        .where('next_try_at', '<=', BigInt(Math.floor(now())))
        .orderBy('created_at')
        .limit(AT_ONCE)
        .execute()
      for (const row of due) if (!isStopped) await send(options, channel, row)
      if (due.length === AT_ONCE) isAgain = true
    } while (isAgain && !isStopped)
  }

  return {
    wake: () => {
      isAgain = true
      if (isStopped) return
      working ??= work()
        .catch((error: unknown) => onError(error, 'reading the outbox'))
        .finally(() => {
          working = null
        })
    },
    stop: async () => {
      isStopped = true
      await working
    },
  }
}

/** Tries to send a message, and stores the result. */
async function send(options: OutboxOptions, channel: Message['channel'], row: OutboxTable): Promise<void> {
  const { queries, senders, now, onError, retryAfterMs = RETRY_AFTER_MS } = options
  const at = BigInt(Math.floor(now()))
  const settle = async (change: Partial<OutboxTable>) => {
    await queries.updateTable('outbox').set(change).where('id', '=', row.id).execute()
  }
  const sender = senders[channel]
  if (!sender) return settle({ state: 'kept' })
  const giveUp = async (change: Partial<OutboxTable> = {}) => {
    await options.onUndelivered?.(row)
    await settle({ ...change, state: 'failed', ...WITHOUT_BODY })
  }
  if (row.expires_at <= at) return giveUp()
  try {
    await sender(row)
  } catch (error) {
    const isFinal = error instanceof Undeliverable
    if (!isFinal) onError(error, DOING[channel])
    const retryMs = isFinal ? undefined : retryAfterMs[Number(row.tries)]
    const failure = { tries: row.tries + 1n, error: error instanceof Error ? error.message : String(error) }
    return retryMs === undefined ? giveUp(failure) : settle({ ...failure, next_try_at: at + BigInt(retryMs) })
  }
  return settle({ state: 'sent', ...WITHOUT_BODY, sent_at: at, tries: row.tries + 1n })
}

const DOING = {
  email: 'sending a mail',
  sms: 'sending a text message',
  push: 'sending a push',
} as const satisfies Record<Message['channel'], string>

/** The body may contain a code, so it is deleted; `shown` keeps any other text. */
const WITHOUT_BODY = { body: '' } as const
