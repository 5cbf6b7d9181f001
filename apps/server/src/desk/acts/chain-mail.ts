import type { Queries } from '../../database/open.ts'
import type { Notifier } from '../../notifications/notifier.ts'
import { readAddresses } from '../../settings/addresses.ts'
import { storedSettings } from '../../settings/app-settings.ts'
import { readChainEnds } from './chain-ends.ts'

/** Whether it is a new day is looked at so often, ms. */
const LOOK_MS = 600_000

type Options = {
  readonly queries: Queries
  readonly notifier: Notifier
  /** Settings that were given at start, which win over the stored. */
  readonly fixed: Readonly<Record<string, string>>
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

/** Mails the last hashes once a day (UTC) to addresses of the operators' choice: whoever rewrites the books later cannot rewrite those. */
export function startChainMail(options: Options): { sendDue(): Promise<void>; stop(): Promise<void> } {
  const { onError } = options
  let sending: Promise<void> = Promise.resolve()
  const look = () => {
    sending = sendDue(options).catch((error: unknown) => onError(error, 'mailing the last hashes'))
    return sending
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  void look()
  return {
    sendDue: look,
    stop: async () => {
      clearInterval(timer)
      await sending
    },
  }
}

async function sendDue({ queries, notifier, fixed, now }: Options): Promise<void> {
  const name = 'journal_hash_recipients'
  // Read anew each time: who is to have it may change while the server runs.
  const addresses = readAddresses(fixed[name] ?? (await storedSettings(queries))[name] ?? '')
  if (addresses === null || addresses.length === 0) return
  const at = Math.floor(now())
  const day = new Date(at).toISOString().slice(0, 10)
  const sent = await queries.selectFrom('mailed_hash').select('day').where('day', '=', day).executeTakeFirst()
  if (sent) return
  const { journal, acts } = await readChainEnds(queries)
  const words = {
    row: String(journal.number),
    hash: journal.hash,
    act: String(acts.number),
    actHash: acts.hash,
  }
  await queries.transaction().execute(async (within) => {
    await within
      .insertInto('mailed_hash')
      .values({
        ...{ day, at: BigInt(at), journal_seq: BigInt(journal.number), journal_hash: journal.hash },
        ...{ act_id: BigInt(acts.number), act_hash: acts.hash, recipients: addresses.join(', ') },
      })
      .execute()
    for (const recipient of addresses)
      await notifier.write(
        'chainEnds',
        { channel: 'email', recipient, language: 'en' },
        { ...words, day },
        within,
      )
  })
  notifier.send()
}

/** When the hashes were mailed last, and to whom; null for never. */
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
