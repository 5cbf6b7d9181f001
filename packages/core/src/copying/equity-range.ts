/**
 * The lowest and highest equity of providers between full hours (trading-rules §13), so that a fall of minutes is in
 * the maximum drawdown. A fill moves no money in or out, so the range goes on over it; a flow of money scales it.
 */
import { isPriced, openProfit } from '../margin/account-figures.ts'
import { instrumentsBehind } from '../margin/stop-out-price-band.ts'
import type { EquityRangeNoted } from '../model/event.ts'
import { accountBehind, TRADING_KINDS, type Posting } from '../model/ledger.ts'
import { larger, money, smaller, type Money } from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import { hasEquityRanges } from '../model/rules.ts'
import type { Core } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'

const HOUR_MS = 3_600_000

type RangeCore = Pick<Core, 'state' | 'providerEquities'>

/** Watches an account that has changed, if it publishes a strategy. */
export function watchEquity({ state, providerEquities }: RangeCore, account: Account): void {
  providerEquities.watch(account.id, account.strategy ? instrumentsBehind(state, account) : [])
}

/** At published prices; null while one is missing. */
const equityOf = (state: State, account: Account): Money | null =>
  isPriced(state, account) ? money(account.available.balance + openProfit(state, account)) : null

/** Takes in the equities that a new price of an instrument has changed. */
export function noteEquities({ state, providerEquities }: RangeCore, instrumentId: number): void {
  if (!hasEquityRanges(state)) return
  for (const accountId of providerEquities.dependingOn(instrumentId)) {
    const account = state.accounts.get(accountId)
    const equity = account ? equityOf(state, account) : null
    if (equity === null) continue
    const { ranges } = providerEquities
    const range = ranges.get(accountId)
    if (!range) ranges.set(accountId, { lowest: equity, highest: equity, emptied: null })
    else if (range.emptied === null && (equity < range.lowest || equity > range.highest))
      ranges.set(accountId, {
        ...range,
        lowest: smaller(range.lowest, equity),
        highest: larger(range.highest, equity),
      })
  }
}

/** Keeps ranges in proportion to the equity over what came or went besides trading. */
export function noteFlows(
  { state, providerEquities: { ranges } }: RangeCore,
  postings: readonly Posting[],
): void {
  if (ranges.size === 0) return
  const flows = new Map<number, bigint>()
  for (const { debit, credit, amount, kind } of postings) {
    if (TRADING_KINDS.has(kind)) continue
    for (const [id, signed] of [
      [accountBehind(credit), amount],
      [accountBehind(debit), -amount],
    ] as const)
      if (id !== null && ranges.has(id)) flows.set(id, (flows.get(id) ?? 0n) + signed)
  }
  for (const [accountId, flow] of flows) scaleRange(state, ranges, accountId, flow)
}

function scaleRange(
  state: State,
  ranges: RangeCore['providerEquities']['ranges'],
  accountId: number,
  flow: bigint,
): void {
  const account = state.accounts.get(accountId)
  const range = ranges.get(accountId)
  if (!account || !range) return
  const after = equityOf(state, account)
  const before = range.emptied ?? (after === null ? 0n : after - flow)
  // Of an unknown equity nothing can be said, and one that results have used up is a total loss anyway.
  if (after === null || before <= 0n) ranges.delete(accountId)
  else if (after <= 0n) ranges.set(accountId, { ...range, emptied: money(before) })
  else {
    const scaled = (equity: Money) => money(divideRounded(equity * after, before))
    ranges.set(accountId, { lowest: scaled(range.lowest), highest: scaled(range.highest), emptied: null })
  }
}

/** Whether the hour that ends at a moment (epoch ms) is wholly after the announced start. */
const areRangesInForce = (state: Pick<State, 'rulesVersion' | 'equityRangesFrom'>, moment: number) =>
  hasEquityRanges(state) && moment - HOUR_MS >= state.equityRangesFrom

/** One event for each account whose equity has been lower or higher than it is at a full hour, by id. */
export function* equityRanges(
  { state, providerEquities }: RangeCore,
  moment: number,
): Generator<EquityRangeNoted> {
  if (!areRangesInForce(state, moment)) return
  for (const [accountId, range] of [...providerEquities.ranges].toSorted(([a], [b]) => a - b)) {
    const account = state.accounts.get(accountId)
    const equity = range.emptied ?? (account ? equityOf(state, account) : null)
    if (equity === null || equity <= 0n) continue
    const [lowest, highest] = [smaller(range.lowest, equity), larger(range.highest, equity)]
    if (lowest < highest) yield { type: 'equityRangeNoted', accountId, moment, lowest, highest, equity }
  }
}
