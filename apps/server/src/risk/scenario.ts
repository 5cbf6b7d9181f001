import type { HitAccount, MoveEffect } from '@fairlot/contract/desk'
import {
  afterMove,
  money,
  movePrices,
  NO_MONEY,
  percentOf,
  type Account,
  type AfterMove,
  type DecisionContext,
  type LedgerKind,
  type PriceMove,
  type TradingSettings,
} from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import type { Unavailable } from '../engine/queue.ts'
import { isAtLevel, walkAccounts } from './book-snapshots.ts'

/** A move of prices: `part` in 1e-4 of the mid. */
export type Scenario = {
  readonly ledger: LedgerKind
  readonly part: number
  readonly instrumentIds: readonly number[]
}

/** A scenario that takes longer ends with the accounts visited so far. */
const WITHIN_MS = 10_000
/** Accounts listed by number. */
const HITS = 20

type Sums = { -readonly [Name in keyof MoveEffect]: MoveEffect[Name] }

/** The effect that a move of the current prices would have on every account of a ledger. Changes nothing. */
export async function runScenario(
  engine: Pick<Engine, 'read' | 'state' | 'core'>,
  { ledger, part, instrumentIds }: Scenario,
  at: number,
): Promise<MoveEffect | Unavailable> {
  const move = movePrices(engine.state(), instrumentIds, part, at)
  const sums = newSums(at, move)
  const end = performance.now() + WITHIN_MS
  const isOver = () => performance.now() > end
  const hits: HitAccount[] = []
  const failed = await walkAccounts(engine, {
    visit: (account, state) => {
      if (account.ledger !== ledger || account.orders.size === 0) return
      sums.accounts += 1
      if (isOver()) return
      sums.lookedAt += 1
      const effect = afterMove(contextOf(engine), account, move)
      addEffect(sums, effect, state.settings)
      addHit(hits, hitOf(account, effect))
    },
  })
  return failed ?? { ...sums, hits: worstOf(hits) }
}

const contextOf = ({ core }: Pick<Engine, 'core'>): DecisionContext => core()

const newSums = (at: number, { moved }: PriceMove): Sums => ({
  at,
  instruments: moved.size,
  accounts: 0,
  lookedAt: 0,
  usersChange: NO_MONEY,
  stoppedOut: 0,
  marginCalls: 0,
  coveredAccounts: 0,
  covered: NO_MONEY,
  closedByStopOut: 0,
  closedByStopLoss: 0,
  closedByTakeProfit: 0,
  opened: 0,
  hits: [],
})

function addEffect(
  sums: Sums,
  effect: AfterMove,
  { warningLevel }: Pick<TradingSettings, 'warningLevel'>,
): void {
  const { before, after, events, covered } = effect
  sums.usersChange = money(sums.usersChange + after.equity - before.equity)
  sums.covered = money(sums.covered + covered)
  if (covered > 0n) sums.coveredAccounts += 1
  for (const event of events) {
    if (event.type === 'positionOpened') sums.opened += 1
    if (event.type !== 'positionClosed') continue
    if (event.reason === 'stopOut') sums.closedByStopOut += 1
    if (event.reason === 'stopLoss') sums.closedByStopLoss += 1
    if (event.reason === 'takeProfit') sums.closedByTakeProfit += 1
  }
  if (isStoppedOutIn(effect)) sums.stoppedOut += 1
  else if (
    isAtLevel(warningLevel, after.equity, after.margin) &&
    !isAtLevel(warningLevel, before.equity, before.margin)
  )
    sums.marginCalls += 1
}

const isStoppedOutIn = ({ events }: AfterMove): boolean =>
  events.some((event) => event.type === 'positionClosed' && event.reason === 'stopOut')

function hitOf({ id }: Account, effect: AfterMove): HitAccount {
  const { before, after, covered } = effect
  return {
    accountId: id,
    change: money(after.equity - before.equity),
    covered,
    levelBefore: before.level && percentOf(before.level),
    levelAfter: after.level && percentOf(after.level),
    isStoppedOut: isStoppedOutIn(effect),
  }
}

/** Only losing accounts are listed; more are collected than shown, so that sorting is rare. */
function addHit(hits: HitAccount[], hit: HitAccount): void {
  if (hit.change >= 0n) return
  hits.push(hit)
  if (hits.length >= 10 * HITS) hits.splice(0, hits.length, ...worstOf(hits))
}

const worstOf = (hits: readonly HitAccount[]): HitAccount[] =>
  hits
    .toSorted((a, b) => (a.change < b.change ? -1 : a.change > b.change ? 1 : a.accountId - b.accountId))
    .slice(0, HITS)
