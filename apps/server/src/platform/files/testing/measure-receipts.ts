import type { Queries } from '../../database/open.ts'
import { isRefusal } from '../../refusal.ts'
import { createPictures } from '../pictures.ts'
import { tieFile } from '../stored-files.ts'
import { KINDS, receipt, REPEATS, type Payment } from './receipts.ts'

export type Figures = {
  readonly receipts: number
  /** Pairs of different receipts of one layout. */
  readonly pairs: number
  /** How often a receipt was taken for another one, of any layout. */
  readonly falseAlarms: number
  /** Receipts that were sent again in some other form, and how many of them are found. */
  readonly repeats: number
  readonly found: number
  /** By what was done to them, how many were not found. */
  readonly missed: Readonly<Record<string, number>>
}

/** Payments of one kind have seeds of their own, so that no two receipts show the same payment. */
const SEEDS = 1_000

/**
 * Measures how well receipts are told apart: `perKind` receipts of each of the five layouts, in light and in dark, are stored
 * as pictures of deposits, and each is searched for among all of them, by the code that the server runs.
 */
export async function measureReceipts(queries: Queries, perKind: number, kinds = KINDS): Promise<Figures> {
  const pictures = createPictures({ queries, store: NO_BYTES, now: () => 0 })
  const keep = async (bytes: Buffer): Promise<string> => {
    const kept = await pictures.keep(USER, bytes)
    if (isRefusal(kept)) throw new Error(kept.rejected)
    return kept.url.slice(kept.url.lastIndexOf('/') + 1)
  }
  const casesLike = async (key: string) =>
    ((await pictures.like([key])).get(key) ?? []).map(({ caseKey }) => caseKey)
  const deposit = async (bytes: Buffer, caseKey: string): Promise<string> => {
    const key = await keep(bytes)
    await queries.transaction().execute((within) => tieFile(within, key, caseKey))
    return key
  }

  const figures = {
    receipts: 0,
    pairs: 0,
    falseAlarms: 0,
    repeats: 0,
    found: 0,
    missed: {} as Record<string, number>,
  }
  const stored: { kind: (typeof KINDS)[number]; paid: Payment; key: string; caseKey: string }[] = []
  for (const [at, kind] of kinds.entries())
    for (let seed = at * SEEDS + 1; seed <= at * SEEDS + perKind; seed += 1) {
      const paid: Payment = { seed }
      const caseKey = `deposit:${seed}`
      const key = await deposit(await receipt(kind, paid).png().toBuffer(), caseKey)
      // Another payment of the same payer and amount on the same day.
      await deposit(await receipt(kind, { seed, again: 1 }).png().toBuffer(), `deposit:${seed}-again`)
      stored.push({ kind, paid, key, caseKey })
    }
  for (const { kind, paid, key, caseKey } of stored) {
    figures.receipts += 1
    figures.pairs += 2 * perKind - 1
    figures.falseAlarms += (await casesLike(key)).length
    for (const [what, repeat] of Object.entries(REPEATS)) {
      figures.repeats += 1
      const like = await casesLike(await keep(await repeat(kind, paid)))
      if (like.includes(caseKey)) figures.found += 1
      else figures.missed[what] = (figures.missed[what] ?? 0) + 1
    }
  }
  return figures
}

const USER = 7

/** The bytes are not needed again. */
const NO_BYTES = {
  put: () => Promise.resolve(),
  get: () => Promise.resolve(null),
  remove: () => Promise.resolve(),
}
