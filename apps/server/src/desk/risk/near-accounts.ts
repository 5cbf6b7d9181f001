import type { NearAccount } from '@fairlot/contract/desk'
import {
  figuresOf,
  floatingProfit,
  fromTicks,
  fromUnits,
  isHolding,
  LOTS_DECIMALS,
  money,
  NO_MONEY,
  percentOf,
  stopOutPrice,
  type Account,
  type LedgerKind,
  type Position,
  type State,
} from '@fairlot/core'
import type { Engine } from '../../engine/engine.ts'
import { isUnavailable, type Unavailable } from '../../engine/pending-command.ts'
import { pricingOf, type BookRound } from './book-rounds.ts'

/** Accounts that are worked out at once: where an account would be stopped out is found by trial. */
const AT_ONCE = 5

/** The accounts nearest to their stop-out, at the prices of a round; who has closed everything meanwhile is left out. */
export async function nearAccounts(
  engine: Pick<Engine, 'read'>,
  round: BookRound,
  ledger: LedgerKind,
): Promise<NearAccount[] | Unavailable> {
  const ids = round.ledgers[ledger].nearest.map(({ accountId }) => accountId)
  const found: NearAccount[] = []
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE)
    const seen = await engine.read((state) => some.flatMap((id) => nearAccountOf(state, round, id) ?? []))
    if (isUnavailable(seen)) return seen
    found.push(...seen)
  }
  return found
}

function nearAccountOf(state: State, round: BookRound, id: number): NearAccount | null {
  const account = state.accounts.get(id)
  if (!account) return null
  const { equity, margin, profit, level } = figuresOf(pricingOf(state, round), account)
  if (!level) return null
  const atStopOut = (BigInt(state.settings.stopOutLevel) * margin) / 100n
  return {
    ...{ accountId: id, level: percentOf(level), equity, margin, clientsProfit: profit },
    distance: money(equity - atStopOut),
    positions: [...account.exposures.values()].reduce((sum, { count }) => sum + count, 0),
    largest: largestOf(state, round, account),
  }
}

function largestOf(state: State, round: BookRound, account: Account): NearAccount['largest'] {
  let largest: Position | null = null
  for (const order of account.orders.values())
    if (isHolding(order) && order.margin > (largest?.margin ?? -1n)) largest = order
  const instrument = largest && state.instruments.get(largest.instrumentId)
  if (!largest || !instrument) return null
  const pricing = pricingOf(state, round)
  const out = stopOutPrice(pricing, account, largest)
  return {
    ...{ orderId: largest.id, code: instrument.code, side: largest.side },
    lots: fromUnits(largest.lots, LOTS_DECIMALS),
    profit: floatingProfit(pricing, largest) ?? NO_MONEY,
    stopOutPrice: out === null ? null : fromTicks(out, instrument.priceDecimals),
  }
}
