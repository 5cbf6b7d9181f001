import type { ChainHead } from '@fairlot/contract/desk'
import { readHead } from '../../engine/journal/journal.ts'
import type { MessageWriter } from '../../notices/message-writer.ts'
import { readAddresses, storedSettings } from '../../platform/config/app-settings.ts'
import { NOTHING_BEFORE } from '../../platform/database/audit-hash.ts'
import type { DeskActTable } from '../../platform/database/desk-schema.ts'
import type { Queries } from '../../platform/database/open.ts'

/** How often to check for a new day, ms. */
const CHECK_MS = 600_000

type Options = {
  readonly queries: Queries
  readonly messageWriter: MessageWriter
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

/** Mails the latest hashes once a day (UTC) to the configured addresses: rewriting the database cannot change those mails. */
export function startChainMail(options: Options): { sendDue(): Promise<void>; stop(): Promise<void> } {
  const { onError } = options
  let sending: Promise<void> = Promise.resolve()
  const check = () => {
    sending = sendDue(options).catch((error: unknown) => onError(error, 'mailing the last hashes'))
    return sending
  }
  const timer = setInterval(() => void check(), CHECK_MS)
  void check()
  return {
    sendDue: check,
    stop: async () => {
      clearInterval(timer)
      await sending
    },
  }
}

async function sendDue({ queries, messageWriter, now }: Options): Promise<void> {
  const name = 'journal_hash_recipients'
  // Read each time, as the setting may change while the server runs.
  const addresses = readAddresses((await storedSettings(queries))[name] ?? '')
  if (addresses === null || addresses.length === 0) return
  const at = Math.floor(now())
  const day = new Date(at).toISOString().slice(0, 10)
  const sent = await queries.selectFrom('mailed_hash').select('day').where('day', '=', day).executeTakeFirst()
  if (sent) return
  const { journal, acts } = await readChainHeads(queries)
  const values = {
    row: String(journal.number),
    hash: journal.hash,
    act: String(acts.number),
    actHash: acts.hash,
  }
  await queries.transaction().execute(async (within) => {
    // Of two concurrent checks only the one that writes the row sends the mails.
    const { numInsertedOrUpdatedRows: written } = await within
      .insertInto('mailed_hash')
      .values({
        day,
        at: BigInt(at),
        journal_seq: BigInt(journal.number),
        journal_hash: journal.hash,
        act_id: BigInt(acts.number),
        act_hash: acts.hash,
        recipients: addresses.join(', '),
      })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .executeTakeFirstOrThrow()
    if (written === 0n) return
    for (const recipient of addresses)
      await messageWriter.write(
        'chainEnds',
        { channel: 'email', recipient, language: 'en' },
        { ...values, day },
        within,
      )
  })
  messageWriter.send()
}

/** When and to whom the hashes were mailed last; null for never. */
export async function lastMailed(queries: Queries) {
  const row = await queries
    .selectFrom('mailed_hash')
    .selectAll()
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { day, at, journal_seq: seq, act_id: actId, recipients } = row
  return { day, at: Number(at), journalRow: Number(seq), actId: Number(actId), recipients }
}

/** The last rows of journal and audit log: each hash covers all rows before it. */
export async function readChainHeads(queries: Queries): Promise<{ journal: ChainHead; acts: ChainHead }> {
  const { seq, hash, at } = await readHead(queries)
  const last = await lastEntry(queries)
  return {
    journal: { number: seq, hash, at: seq === 0 ? null : at },
    acts: {
      number: Number(last?.id ?? 0),
      hash: last?.hash ?? NOTHING_BEFORE,
      at: last ? Number(last.at) : null,
    },
  }
}

export const lastEntry = (queries: Queries): Promise<DeskActTable | undefined> =>
  queries.selectFrom('desk_act').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
