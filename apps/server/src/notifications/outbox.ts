import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { OutboxTable } from '../database/people-schema.ts'
import type { Tables } from '../database/schema.ts'

/** A mail or a text message in plain text. */
export type Message = {
  readonly channel: 'email' | 'sms'
  readonly recipient: string
  /** Empty for a text message. */
  readonly subject: string
  readonly body: string
  /** Of no use any more after so long, ms. */
  readonly usefulForMs: number
  /** Which of our messages it is. */
  readonly name?: string
  /** The body with its secrets masked, for operators; left out: nobody reads it there. */
  readonly shown?: string
  /** The message that it sends again. */
  readonly againOf?: string
}

/** Hands a message over; throws when it was not taken. */
export type Sender = (message: Pick<Message, 'recipient' | 'subject' | 'body'>) => Promise<void>

/** One for each channel; null: its messages stay in the outbox for the operators. */
export type Senders = Readonly<Record<Message['channel'], Sender | null>>

/** What is to be sent stands here first, so that neither a crash nor a mail server that is away loses it. */
export type Outbox = {
  /** Is sent after the transaction's commit, at the next `wake`. Answers its id. */
  add(message: Message, within?: Transaction<Tables>): Promise<string>
  /** Looks for messages that wait. */
  wake(): void
  stop(): Promise<void>
}

/** Waits before the second and each further try, ms; after the last one a message counts as failed. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000]
const POLL_MS = 5_000
const AT_ONCE = 20
const DAY_MS = 86_400_000
/** A message with a secret is kept so long, and any other as long as somebody may ask what they were told, ms. */
const KEEP_SECRET_MS = 7 * DAY_MS
const KEEP_MS = 365 * DAY_MS
const TIDY_MS = DAY_MS / 24

export type OutboxOptions = {
  queries: Queries
  senders: Senders
  now: () => number
  onError: (error: unknown, doing: string) => void
  retryAfterMs?: readonly number[]
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { queries, now, onError } = options
  const time = () => BigInt(Math.floor(now()))
  // Each channel has a worker of its own: a gateway that is silent holds up no mail.
  const workers = (['email', 'sms'] as const).map((channel) => createWorker(options, channel))

  const wake = (): void => {
    for (const worker of workers) worker.wake()
  }

  const tidyUp = () =>
    queries
      .deleteFrom('outbox')
      .where('created_at', '<', time() - BigInt(KEEP_SECRET_MS))
      .where(({ eb, or }) => or([eb('has_secret', '=', 1n), eb('created_at', '<', time() - BigInt(KEEP_MS))]))
      .execute()

  const polling = setInterval(wake, POLL_MS)
  const tidying = setInterval(() => {
    tidyUp().catch((error: unknown) => onError(error, 'tidying the outbox'))
  }, TIDY_MS)
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
      clearInterval(tidying)
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

const rowOf = (message: Message, at: bigint): OutboxTable => ({
  ...{ id: randomUUID(), channel: message.channel, recipient: message.recipient },
  ...{ subject: message.subject, body: message.body, created_at: at, next_try_at: at },
  ...{ expires_at: at + BigInt(message.usefulForMs), state: 'waiting', tries: 0n, error: null },
  ...{ name: message.name ?? '', shown: message.shown ?? '', sent_at: null },
  has_secret: message.shown === message.body ? 0n : 1n,
  again_of: message.againOf ?? null,
})

/** Sends what is due in one channel, one message after the other, the oldest first. */
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
        .catch((error: unknown) => onError(error, 'looking into the outbox'))
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

/** Tries to send a message, and writes down what came of it. */
async function send(options: OutboxOptions, channel: Message['channel'], row: OutboxTable): Promise<void> {
  const { queries, senders, now, onError, retryAfterMs = RETRY_AFTER_MS } = options
  const at = BigInt(Math.floor(now()))
  const settle = async (change: Partial<OutboxTable>) => {
    await queries.updateTable('outbox').set(change).where('id', '=', row.id).execute()
  }
  const sender = senders[channel]
  if (!sender) return settle({ state: 'kept' })
  if (row.expires_at <= at) return settle({ state: 'failed', ...FORGOTTEN })
  try {
    await sender(row)
  } catch (error) {
    onError(error, channel === 'sms' ? 'sending a text message' : 'sending a mail')
    const retryMs = retryAfterMs[Number(row.tries)]
    return settle({
      tries: row.tries + 1n,
      error: error instanceof Error ? error.message : String(error),
      ...(retryMs === undefined ? { state: 'failed', ...FORGOTTEN } : { next_try_at: at + BigInt(retryMs) }),
    })
  }
  return settle({ state: 'sent', ...FORGOTTEN, sent_at: at, tries: row.tries + 1n })
}

/** A code in it needs no second place to be read at, and any other text stands beside it as it went out. */
const FORGOTTEN = { body: '' } as const
