/** Strategies and copies as the tables have them. */
import {
  carriedAt,
  carriedLossKey,
  findCopyWork,
  isMonthEnd,
  linkCopy,
  lossesHandedOn,
  money,
  OPENINGS_WINDOW_MS,
  ratio,
  type CarriedLoss,
  type Core,
  type Copy,
  type CopyEndReason,
  type State,
} from '@fairlot/core'
import type { CopyTable } from '../../platform/database/copying-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import { decodeEvent } from '../journal/entry-codec.ts'
import { tickFrom } from '../projection/row-mapping.ts'

/** Published strategies, and copies that have not ended; their orders are loaded afterwards. */
export async function loadCopying(queries: Queries, { state }: Pick<Core, 'state'>): Promise<void> {
  await loadStrategies(queries, state)
  const copies = await queries.selectFrom('copy').selectAll().orderBy('account_id').execute()
  const takenOver = loadCarriedLosses(state, copies)
  for (const row of copies) {
    const account = state.accounts.get(Number(row.account_id))
    if (!account) throw new Error(`copy ${row.account_id} has no account`)
    if (row.ended_at === null) linkCopy(state, account, copyFrom(row, takenOver))
  }
}

async function loadStrategies(queries: Queries, state: State): Promise<void> {
  const rows = await queries.selectFrom('strategy').selectAll().orderBy('id').execute()
  for (const row of rows) {
    const [id, accountId] = [Number(row.id), Number(row.account_id)]
    const account = state.accounts.get(accountId)
    if (!account) throw new Error(`strategy ${id} has no account`)
    state.lastStrategyId = id
    if (row.ended_at !== null) {
      account.strategyEndedAt = Number(row.ended_at)
      continue
    }
    const publishedAt = Number(row.published_at)
    const recentOpenings = await recentOpeningsOf(queries, accountId, publishedAt)
    account.strategy = { id, feeShare: ratio(Number(row.fee_share)), publishedAt, recentOpenings }
    state.strategies.set(id, accountId)
    if (account.status === 'frozen')
      state.frozenProviders.set(accountId, await frozenSince(queries, accountId))
  }
}

/** Since when an account is frozen by the rules before version 6, which note no beginning; later ones are in the facts. */
async function frozenSince(queries: Queries, accountId: number): Promise<number> {
  const last = await queries
    .selectFrom('operator_act')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('account_id', '=', BigInt(accountId))
    .where('event', '=', 'accountStatusSet')
    .executeTakeFirst()
  return Number(last?.at ?? 0n)
}

/** When the provider placed the orders of the minute before the last of them. */
async function recentOpeningsOf(queries: Queries, accountId: number, since: number): Promise<number[]> {
  const rows = await queries
    .selectFrom('trade_order')
    .select('created_at')
    .where('account_id', '=', BigInt(accountId))
    .where('parent_id', 'is', null)
    .where('created_at', '>=', BigInt(since))
    .orderBy('id', 'desc')
    .limit(MAX_OPENINGS)
    .execute()
  const moments = rows.map((row) => Number(row.created_at)).toReversed()
  const last = moments.at(-1) ?? 0
  return moments.filter((moment) => moment > last - OPENINGS_WINDOW_MS)
}

/** More orders than a provider with copies may place in a minute. */
const MAX_OPENINGS = 60_000

/** The losses that each copy took over from earlier ones, by its account. */
type TakenOver = Map<bigint, readonly CarriedLoss[]>

const copyFrom = (row: CopyTable, takenOver: TakenOver): Copy => ({
  strategyId: Number(row.strategy_id),
  providerId: Number(row.provider_id),
  multiplier: ratio(Number(row.multiplier)),
  exposureLimit: Number(row.exposure_limit),
  stopLoss: Number(row.stop_loss),
  excluded: row.excluded === '' ? [] : row.excluded.split(',').map(Number),
  feeShare: ratio(Number(row.fee_share)),
  startedAt: Number(row.started_at),
  status: row.status as Copy['status'],
  endReason: row.end_reason as CopyEndReason | null,
  base: money(row.base),
  mark: money(row.mark),
  takenOver: takenOver.get(row.account_id) ?? [],
  feeChargedAt: Number(row.fee_charged_at),
  orders: new Map(),
})

/**
 * Losses of ended copies that no later copy has taken over, in the order in which copies ended and started; answers what
 * each copy took over, by its account.
 */
function loadCarriedLosses({ carriedLosses }: State, copies: readonly CopyTable[]): TakenOver {
  const takenOver: TakenOver = new Map()
  const changes = copies.flatMap((row) => {
    const key = carriedLossKey(Number(row.owner_id), Number(row.provider_id))
    const started = {
      at: Number(row.started_at),
      apply: (at: number) => {
        takenOver.set(row.account_id, carriedAt(carriedLosses.get(key) ?? [], at))
        carriedLosses.delete(key)
      },
    }
    const ended = {
      at: Number(row.ended_at),
      apply: (at: number) => {
        const losses = lossesHandedOn(takenOver.get(row.account_id) ?? [], money(row.loss), at)
        if (losses.length > 0) carriedLosses.set(key, losses)
      },
    }
    return (row.ended_at === null ? [started] : [started, ended]).map((change) => ({
      ...change,
      id: row.account_id,
    }))
  })
  const inOrder = changes.toSorted((a, b) => a.at - b.at || Number(a.id - b.id))
  for (const { at, apply } of inOrder) apply(at)
  return takenOver
}

/** Months' ends whose fees are not all charged, with their prices; and what else is due. */
export async function loadMonthEnds(queries: Queries, core: Core): Promise<void> {
  const fact = await queries
    .selectFrom('engine_fact')
    .select('value')
    .where('name', '=', 'monthFeesCharged')
    .executeTakeFirst()
  const charged = fact ? decodeEvent(fact.value) : null
  const after = charged?.type === 'monthFeesCharged' ? charged.moment : 0
  const rollovers = await queries
    .selectFrom('price_moment')
    .select('moment')
    .where('moment', '>', BigInt(after))
    .orderBy('moment')
    .execute()
  for (const { moment } of rollovers)
    if (isMonthEnd(Number(moment)) && (await hadCopies(queries, moment)))
      await loadMonthEnd(queries, core.state, moment)
  findCopyWork(core)
}

async function hadCopies(queries: Queries, moment: bigint): Promise<boolean> {
  const copy = await queries
    .selectFrom('copy')
    .select('account_id')
    .where('started_at', '<=', moment)
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '>', moment)]))
    .limit(1)
    .executeTakeFirst()
  return copy !== undefined
}

async function loadMonthEnd(queries: Queries, { monthEnds }: State, moment: bigint): Promise<void> {
  const rows = await queries
    .selectFrom('price_mark')
    .selectAll()
    .where('moment', '=', moment)
    .orderBy('instrument_id')
    .execute()
  const prices = rows.map(tickFrom)
  monthEnds.set(Number(moment), new Map(prices.map((tick) => [tick.instrumentId, tick])))
}
