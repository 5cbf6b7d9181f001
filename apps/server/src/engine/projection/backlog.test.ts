import { expect, it } from 'vitest'
import { openSimulation } from '../../testing/journal-simulation.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import type { Queries } from '../../platform/database/open.ts'
import { Backlog, type ReadAgain, type Segment } from './backlog.ts'
import { isPacked, packBatch, unpackBatch, weightOf, type CommittedBatch } from './committed-batch.ts'
import { decodeWritten, encodeEntry, eventTexts, listed } from '../journal/entry-codec.ts'
import { readWritten } from '../journal/journal.ts'
import { readProjectionPosition } from './segment-writer.ts'

const STEPS = 60
const SEGMENT_SIZE = 10

/** Journal rows of random commands, for tables that hold none of them yet. */
async function someBatches(queries: Queries, simulation: Awaited<ReturnType<typeof openSimulation>>) {
  const batches: CommittedBatch[] = []
  simulation.onCommit((batch) => batches.push(batch))
  const reached = await readProjectionPosition(queries)
  for (let step = 1; step <= STEPS; step += 1) await simulation.step()
  return { batches, reached }
}

async function takeAll(backlog: Backlog, readAgain: ReadAgain): Promise<Segment[]> {
  const segments: Segment[] = []
  for (;;) {
    const segment = await backlog.take(readAgain)
    if (!segment) return segments
    segments.push(segment)
    backlog.drop(segment.to)
  }
}

/** Rows that are only inserted, so that their segment does not matter. */
const listRows = (segments: readonly Segment[]) => ({
  transfers: segments.flatMap(({ rows }) => rows.transfers),
  proofs: segments.flatMap(({ rows }) => rows.proofs),
  orders: segments.flatMap(({ rows }) => rows.newOrders),
  actions: segments.flatMap(({ rows }) => rows.actions),
  terms: segments.flatMap(({ rows }) => rows.terms.changes),
})

onEveryDatabase('the backlog', ({ open }) => {
  it('makes the same rows from batches read again as from batches kept in memory', async () => {
    const { queries, ...database } = await open()
    const simulation = await openSimulation({ queries, ...database }, 3)
    await simulation.caughtUp()
    const { batches, reached } = await someBatches(queries, simulation)
    const readAgain: ReadAgain = (first, last) => readWritten(queries, first, last)
    const all = async (maxUnpacked: number) => {
      const backlog = new Backlog(reached, SEGMENT_SIZE, maxUnpacked)
      for (const batch of batches) backlog.push(batch)
      const segments = await takeAll(backlog, readAgain)
      expect(backlog.eventCount).toBe(0)
      return segments
    }
    const never = () => Promise.reject(new Error('nothing has to be read again'))
    const kept = new Backlog(reached, SEGMENT_SIZE)
    for (const batch of batches) kept.push(batch)
    const expected = await takeAll(kept, never)
    expect(await all(0)).toEqual(expected)
    expect(listRows(await all(30))).toEqual(listRows(expected))
    expect(expected.length).toBeGreaterThan(5)
  })
})

it('unpacks a packed batch to what it was', async () => {
  const change = {
    entry: {
      at: 9,
      author: { type: 'market' as const },
      request: null,
      events: [
        {
          type: 'demoReset' as const,
          accountId: 7,
          transfers: [
            {
              debit: 'house:demo:demoIssue' as const,
              credit: 'available:7' as const,
              amount: 5n as never,
              kind: 'demoReset' as const,
              orderId: null,
            },
          ],
        },
      ],
    },
    trailed: Array.from({ length: 25 }, (_, index) => ({ orderId: index, stopLoss: -index as never })),
  }
  const [transfer] = change.entry.events[0]?.transfers ?? []
  if (!transfer) throw new Error('no transfer')
  const largest = 9_223_372_036_854_775_807n as never
  const posting = { ...transfer, at: 3, debitBalance: -largest as never, debitEntry: 4 }
  const entries = [encodeEntry(change.entry)]
  const text = listed(entries)
  const written = {
    ...change,
    postings: [{ ...posting, creditBalance: largest, creditEntry: 6 }],
    texts: eventTexts(text, entries)[0] ?? [],
  }
  const batch: CommittedBatch = { seq: 5, changes: [written] }
  const packed = packBatch(batch)
  expect(isPacked(packed)).toBe(true)
  expect([weightOf(batch), weightOf(packed)]).toEqual([3, 3])
  expect(unpackBatch(packed, decodeWritten(text))).toEqual(batch)
})

it('keeps only packed batches above the limit, and waits when they cannot be read again', async () => {
  const event = { type: 'rolledOver' as const, rollover: 1 }
  const entry = { at: 1, author: { type: 'clock' as const }, request: null, events: [event] }
  const change = { entry, postings: [], trailed: [], texts: ['{}'] }
  const backlog = new Backlog(
    { seq: 0, numbers: { transferId: 0, receiptId: 0, actionId: 0, termsVersion: 0 } },
    SEGMENT_SIZE,
    1,
  )
  for (const seq of [1, 2, 3]) backlog.push({ seq, changes: [change] })
  expect(backlog.eventCount).toBe(3)
  const nothing: ReadAgain = () => Promise.resolve(null)
  expect(await backlog.take(nothing)).toMatchObject({ from: 0, to: 1 })
  backlog.drop(1)
  expect(await backlog.take(nothing)).toBeUndefined()
  expect(backlog.eventCount).toBe(2)
  const requested: number[] = []
  const again: ReadAgain = (first, last) => {
    requested.push(first, last)
    return Promise.resolve(
      new Map([2, 3].map((seq) => [seq, [{ version: 2 as const, entry, texts: ['{}'] }]])),
    )
  }
  expect(await backlog.take(again)).toMatchObject({ from: 1, to: 3 })
  expect(requested).toEqual([2, 3])
})

it('throws when a journal row is missing', async () => {
  const event = { type: 'rolledOver' as const, rollover: 1 }
  const entry = { at: 1, author: { type: 'clock' as const }, request: null, events: [event] }
  const reached = { seq: 0, numbers: { transferId: 0, receiptId: 0, actionId: 0, termsVersion: 0 } }
  const backlog = new Backlog(reached, SEGMENT_SIZE, 0)
  backlog.push({ seq: 1, changes: [{ entry, postings: [], trailed: [], texts: ['{}'] }] })
  await expect(backlog.take(() => Promise.resolve(new Map()))).rejects.toThrow('journal row 1 is missing')
})
