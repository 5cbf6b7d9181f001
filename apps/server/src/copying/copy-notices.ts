/**
 * Notifies copiers of what happened to their copies: started, ended, stopped by their stop loss, and money that a provider
 * moved. All changes of a minute are combined into one notice. What is still to be sent is the difference between the
 * table of copies and the table of what was sent, so that a crash loses nothing.
 */
import { TRADING_KINDS, type Event, type Posting } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { Committed, Engine } from '../engine/engine.ts'
import type { CopyDigest } from '../engine/projection/notice-facts.ts'
import type { Notices } from '../notices/notices.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Tables } from '../platform/database/schema.ts'
import { DAY_MS, dayOf } from './strategy-figures.ts'
import { chunks } from './strategy-records.ts'

/** A user gets one notice about copies in this time, ms. */
const EVERY_MS = 60_000
/** How often waiting news are looked at, ms. */
const LOOK_MS = 1_000
/** Copiers are notified of a provider's flow above this part of the balance before it: a tenth. */
const LARGE_FLOW = 10n
/** Flows that are looked at together. */
const FLOWS_AT_ONCE = 1_000

type Options = {
  readonly engine: Engine
  readonly queries: Queries
  readonly notices: Notices
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

/** Starts with the notices that were not sent before the last stop. */
export async function startCopyNotices({ engine, queries, notices, now, onError }: Options): Promise<{
  stop(): Promise<void>
}> {
  /** Users who may have news. */
  const waiting = new Set<number>()
  const sentAt = new Map<number, number>()
  let hasFlows = true
  const ownerOf = (copyId: number) => engine.state().accounts.get(copyId)?.ownerId
  const noteEvent = (event: Event) => {
    if (event.type !== 'copyStarted' && event.type !== 'copyEnded') return
    const userId = ownerOf(event.accountId)
    if (userId !== undefined) waiting.add(userId)
  }
  const stopListening = engine.onCommitted(({ entry, postings }: Committed) => {
    for (const event of entry.events) noteEvent(event)
    hasFlows ||= postings.some(isFlow)
  })
  await engine.caughtUp()
  for (const userId of await usersWithNews(queries)) waiting.add(userId)

  let inProgress: Promise<void> | null = null
  const publish = async () => {
    await engine.caughtUp()
    if (hasFlows) {
      hasFlows = false
      try {
        for (const userId of await noteFlows(queries)) waiting.add(userId)
      } catch (error) {
        hasFlows = true
        throw error
      }
    }
    const at = now()
    for (const userId of waiting) {
      if (at - (sentAt.get(userId) ?? -Infinity) < EVERY_MS) continue
      const fact = await queries.transaction().execute((within) => writeNews(within, notices, userId))
      waiting.delete(userId)
      if (!fact) continue
      sentAt.set(userId, at)
      notices.publish(userId, fact)
    }
    for (const [userId, lastAt] of sentAt) if (at - lastAt > EVERY_MS) sentAt.delete(userId)
  }
  const timer = setInterval(() => {
    if (waiting.size === 0 && !hasFlows) return
    inProgress ??= publish()
      .catch((error: unknown) => onError(error, 'notifying copiers'))
      .finally(() => (inProgress = null))
  }, LOOK_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      stopListening()
      await inProgress
    },
  }
}

/** Money that came to an account or left it, other than by trading. */
const isFlow = ({ kind }: Pick<Posting, 'kind'>): boolean => !TRADING_KINDS.has(kind)

/** Copies with changes that their owner has not been notified of. */
const copiesWithNews = (queries: Queries) =>
  queries
    .selectFrom('copy')
    .leftJoin('copy_news', 'copy_news.copy_id', 'copy.account_id')
    .where((where) =>
      where.or([
        where('copy_news.copy_id', 'is', null),
        where('copy_news.has_moved', '=', 1n),
        where.and([where('copy.ended_at', 'is not', null), where('copy_news.notified', '!=', 'ended')]),
      ]),
    )

async function usersWithNews(queries: Queries): Promise<number[]> {
  const rows = await copiesWithNews(queries).select('copy.owner_id').distinct().execute()
  return rows.map(({ owner_id }) => Number(owner_id))
}

/** Writes one notice of all changes that a user has not been notified of; null if there are none. */
async function writeNews(
  within: Transaction<Tables>,
  notices: Notices,
  userId: number,
): Promise<CopyDigest | null> {
  const rows = await copiesWithNews(within)
    .leftJoin('strategy_text', 'strategy_text.strategy_id', 'copy.strategy_id')
    .select(['copy.account_id', 'copy.strategy_id', 'copy.ended_at', 'copy.end_reason', 'strategy_text.name'])
    .select(['copy_news.notified', 'copy_news.has_moved'])
    .where('copy.owner_id', '=', BigInt(userId))
    .orderBy('copy.account_id')
    .execute()
  if (rows.length === 0) return null
  type Row = (typeof rows)[number]
  const listed = (isNews: (row: Row) => boolean): string =>
    [...new Set(rows.filter(isNews).map((row) => row.name ?? `#${row.strategy_id}`))].join(', ')
  const hasEnded = ({ ended_at }: Row) => ended_at !== null
  const isStopped = ({ end_reason }: Row) => end_reason === 'stopLoss'
  const fact: CopyDigest = {
    kind: 'copiesChanged',
    started: listed(({ notified }) => notified === null || notified === 'nothing'),
    ended: listed((row) => hasEnded(row) && !isStopped(row)),
    stopped: listed((row) => hasEnded(row) && isStopped(row)),
    moved: listed(({ has_moved }) => has_moved === 1n),
  }
  await notices.write(within, userId, fact)
  for (const row of rows)
    await within
      .insertInto('copy_news')
      .values({ copy_id: row.account_id, notified: hasEnded(row) ? 'ended' : 'started', has_moved: 0n })
      .onConflict((conflict) =>
        conflict.column('copy_id').doUpdateSet(({ ref }) => ({
          notified: ref('excluded.notified'),
          has_moved: ref('excluded.has_moved'),
        })),
      )
      .execute()
  return fact
}

/** Marks the copies of providers whose balance has changed much since the last look. Returns their owners. */
async function noteFlows(queries: Queries): Promise<ReadonlySet<number>> {
  const users = new Set<number>()
  for (;;) {
    const isMore = await queries.transaction().execute(async (within) => {
      const seen = await within.selectFrom('flow_news').select('transfer_id').executeTakeFirst()
      const after = seen?.transfer_id ?? 0n
      const { last } = await within
        .selectFrom('transfer')
        .select(({ fn }) => fn.max('id').as('last'))
        .executeTakeFirstOrThrow()
      const flows = await flowsOf(within).where('id', '>', after).limit(FLOWS_AT_ONCE).execute()
      for (const flow of flows)
        if (await isLarge(within, flow))
          for (const userId of await markCopies(within, flow)) users.add(userId)
      const isFull = flows.length === FLOWS_AT_ONCE
      const transfer_id = (isFull ? flows.at(-1)?.id : (last as bigint | null)) ?? after
      await within
        .insertInto('flow_news')
        .values({ id: 1n, transfer_id })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ transfer_id }))
        .execute()
      return isFull
    })
    if (!isMore) return users
  }
}

/** Results, fees and swaps, and the protection against a negative balance. */
const NO_FLOWS = [...TRADING_KINDS, 'protection'] as const

/** Flows of accounts that publish or have published a strategy. */
const flowsOf = (within: Queries) =>
  within
    .selectFrom('transfer')
    .select(['id', 'at', 'account_id', 'debit', 'amount', 'debit_balance', 'credit_balance'])
    .where('kind', 'not in', NO_FLOWS)
    .where('account_id', 'in', (from) => from.selectFrom('strategy').select('strategy.account_id'))
    .orderBy('id')

type Flow = Awaited<ReturnType<ReturnType<typeof flowsOf>['execute']>>[number]

/** The balance before a flow, and what it added. */
function changeBy({ account_id, debit, amount, debit_balance, credit_balance }: Flow) {
  const isOut = debit === `available:${account_id}`
  return isOut
    ? { before: debit_balance + amount, added: -amount }
    : { before: credit_balance - amount, added: amount }
}

const isTenth = (sum: bigint, before: bigint): boolean => (sum < 0n ? -sum : sum) * LARGE_FLOW > before

/**
 * True for a flow above a tenth of the balance, and for the first with which the sum of its day (UTC) is above it, from the
 * publication on.
 */
async function isLarge(within: Queries, flow: Flow): Promise<boolean> {
  const own = changeBy(flow)
  if (isTenth(own.added, own.before)) return true
  const earlier = await flowsOf(within)
    .where('account_id', '=', flow.account_id)
    .where('at', '>=', BigInt(dayOf(Number(flow.at)) * DAY_MS))
    .where('at', '>', ({ selectFrom }) =>
      selectFrom('strategy')
        .select(({ fn }) => fn.max('published_at').as('published_at'))
        .where('strategy.account_id', '=', flow.account_id)
        .where('published_at', '<', flow.at),
    )
    .where('id', '<', flow.id)
    .execute()
  const [first] = earlier
  if (!first) return false
  const { before } = changeBy(first)
  const sum = earlier.reduce((total, each) => total + changeBy(each).added, 0n)
  return isTenth(sum + own.added, before) && !isTenth(sum, before)
}

/** Marks the copies that ran at the time of a flow. Returns their owners. */
async function markCopies(within: Queries, { account_id, at }: Flow): Promise<number[]> {
  const copies = await within
    .selectFrom('copy')
    .select(['account_id', 'owner_id'])
    .where('provider_id', '=', account_id)
    .where('started_at', '<', at)
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>', at)]))
    .execute()
  for (const part of chunks(copies))
    await within
      .insertInto('copy_news')
      .values(part.map((copy) => ({ copy_id: copy.account_id, notified: 'nothing', has_moved: 1n })))
      .onConflict((conflict) => conflict.column('copy_id').doUpdateSet({ has_moved: 1n }))
      .execute()
  return copies.map(({ owner_id }) => Number(owner_id))
}
