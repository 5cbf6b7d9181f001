import { figuresOf } from '../margin/account-figures.ts'
import { AWAITED, type WatchedRange } from '../margin/margin-watch.ts'
import type { Core } from '../core.ts'
import type { Account, State } from '../state.ts'

/**
 * Every account that holds a margin is watched on every price it depends on. One at or below the stop-out level, as far as
 * its prices are known, is looked at on every tick; for all others the prices of now lie within their safe ranges.
 * Accounts that have just changed are not watched yet, and in the middle of a tick it has not looked at all it concerns.
 */
export function* watchFaults({ state, underway, marginWatch, touched }: Core): Generator<string> {
  if (underway) return
  const watched = new Map<number, WatchedRange[]>()
  for (const range of marginWatch.all()) {
    const ranges = watched.get(range.accountId)
    if (ranges) ranges.push(range)
    else watched.set(range.accountId, [range])
  }
  for (const id of new Set([...watched.keys(), ...state.accounts.keys()])) {
    const account = state.accounts.get(id)
    if (touched.has(id)) continue
    const faults = faultsOf(state, account, watched.get(id) ?? [])
    for (const fault of faults) yield `account ${id}: ${fault}`
  }
}

function* faultsOf(
  state: State,
  account: Account | undefined,
  ranges: readonly WatchedRange[],
): Generator<string> {
  const asked = account && account.margin > 0n ? pricesBehind(state, account) : new Set<number>()
  const missing = [...asked].filter((id) => !state.quotes.has(id))
  for (const { instrumentId } of ranges)
    if (!asked.has(instrumentId))
      yield `is watched on instrument ${instrumentId}, which it does not depend on`
  // While prices are missing it is enough to wait for them.
  for (const id of missing.length > 0 ? missing : asked) {
    const found = ranges.find(({ instrumentId }) => instrumentId === id)
    if (!found) yield `is not watched on instrument ${id}`
    else if (account) yield* rangeFaults(state, account, found)
  }
}

function* rangeFaults(
  state: State,
  account: Account,
  { instrumentId, range }: WatchedRange,
): Generator<string> {
  const quote = state.quotes.get(instrumentId)
  if (!range || range.bidFloor === AWAITED.bidFloor) return
  const name = `the safe range ${range.bidFloor} to ${range.askCeiling} on instrument ${instrumentId}`
  if (!quote) yield `${name} has no price to lie around`
  else if (quote.bid < range.bidFloor || quote.ask > range.askCeiling)
    yield `${name} does not hold ${quote.bid} / ${quote.ask}`
  const { equity, margin } = figuresOf(state, account)
  if (equity * 100n <= BigInt(state.settings.stopOutLevel) * margin)
    yield `${name} is not safe: equity is ${equity}, margin ${margin}`
}

function pricesBehind(state: State, account: Account): Set<number> {
  const found = new Set<number>()
  for (const { instrumentId, status } of account.orders.values()) {
    if (status !== 'holding') continue
    found.add(instrumentId)
    for (const leg of state.conversionPaths.get(instrumentId) ?? []) found.add(leg.instrument.id)
  }
  return found
}
