import { setTimeout as pause } from 'node:timers/promises'
import type { Queries } from '../../database/open.ts'
import type { CountedRows } from './counted-rows.ts'
import { countTransfers } from './money-days.ts'
import { countReceipts } from './receipt-days.ts'

/** Tables that only grow, in the order of their numbers. */
const SOURCES = { transfer: countTransfers, receipt: countReceipts } as const
type Source = keyof typeof SOURCES

/** How often new rows are counted, and how long everybody else has a turn between two portions, ms. */
const EVERY_MS = 15_000
const REST_MS = 5
/** Whoever asks for a report waits so long for the latest rows, ms. */
const PATIENCE_MS = 3_000

/**
 * Sums by day beside the tables that they come from: counted on in portions, each with its progress in one transaction, so that no row counts
 * twice or never, whatever ends the process.
 */
export type DayBook = {
  /** Counts what is new, or waits a little while for it. Answers up to which moment of the market all is counted, epoch ms. */
  counted(): Promise<number>
  stop(): Promise<void>
}

export type DayBookOptions = {
  readonly queries: Queries
  /** The market's clock, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

export function createDayBook({ queries, now, onError }: DayBookOptions): DayBook {
  const stopping = new AbortController()
  const { signal } = stopping
  const upTo = new Map<Source, number>()
  let underway: Promise<void> | null = null

  const countAll = async () => {
    for (const source of Object.keys(SOURCES) as Source[]) {
      for (let isAll = false; !isAll && !signal.aborted;) {
        const began = now()
        const portion = await countPortion(queries, source)
        isAll = portion.isAll
        upTo.set(source, isAll ? began : Number(portion.last?.at ?? 0n))
        if (!isAll) await pause(REST_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  const count = () => (underway ??= countAll().finally(() => (underway = null)))
  const countQuietly = () => count().catch((error: unknown) => onError(error, 'counting for reports'))
  const timer = setInterval(() => void countQuietly(), EVERY_MS)

  return {
    counted: async () => {
      await Promise.race([
        count(),
        pause(PATIENCE_MS, undefined, { ref: false, signal }).catch(() => undefined),
      ])
      return Math.min(...(Object.keys(SOURCES) as Source[]).map((source) => upTo.get(source) ?? 0))
    },
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      await underway?.catch(() => undefined)
    },
  }
}

const countPortion = (queries: Queries, source: Source): Promise<CountedRows> =>
  queries.transaction().execute(async (within) => {
    const known = await within
      .selectFrom('report_progress')
      .select('last_id')
      .where('source', '=', source)
      .executeTakeFirst()
    const portion = await SOURCES[source](within, known?.last_id ?? 0n)
    if (portion.last) {
      const progress = { last_id: portion.last.id, up_to: portion.last.at }
      await within
        .insertInto('report_progress')
        .values({ source, ...progress })
        .onConflict((conflict) => conflict.column('source').doUpdateSet(progress))
        .execute()
    }
    return portion
  })
