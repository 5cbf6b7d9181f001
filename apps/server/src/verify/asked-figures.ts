/** What users ask for of orders: decided again at the prices that the receipt names, it is the same. */
import {
  decide,
  isRejection,
  money,
  NO_MONEY,
  type Account,
  type Entry,
  type Event,
  type PositionOpened,
  type OrderPlaced,
  type Receipt,
  type SingleCommand,
  type State,
} from '@fairlot/core'
import type { Figure } from './figure.ts'

/** More than any order costs. What was free then rests on prices that the journal does not name. */
const BOUNDLESS = money(10n ** 17n)

/** A size, a leverage, a stop or a part that the terms of its moment did not allow is refused here. */
export function askedFigures(state: State, event: Event, { author, at }: Entry): Figure[] {
  if (author.type !== 'user' || !('receipt' in event)) return []
  const account = state.accounts.get(event.accountId)
  if (!account) return []
  const priced = pricedBy(state, event.receipt)
  switch (event.type) {
    case 'orderPlaced':
    case 'positionOpened':
      return again(withMeans(priced, account), placing(event, at), event)
    case 'positionReduced':
      return again(priced, closing(event, at, event.lots), event)
    case 'positionClosed':
      return event.reason === 'user' ? again(priced, closing(event, at, null), event) : []
    default:
      return []
  }
}

function again(state: State, command: SingleCommand, event: Event): Figure[] {
  const decided = decide(state, command)
  if (isRejection(decided)) return [['decision', `refused: ${decided.rejected}`, 'accepted']]
  return [['', event, decided[0]]]
}

const pricedBy = (state: State, { tick, conversion }: Receipt): State => ({
  ...state,
  quotes: new Map([...(tick ? [tick] : []), ...conversion].map((one) => [one.instrumentId, one])),
})

function withMeans(state: State, account: Account): State {
  const rich = {
    ...{ ...account, exposures: new Map(), margin: NO_MONEY, reserved: NO_MONEY },
    available: { ...account.available, balance: BOUNDLESS },
  }
  return { ...state, accounts: new Map([[account.id, rich]]) }
}

const placing = (event: OrderPlaced | PositionOpened, at: number): SingleCommand => {
  const { accountId, instrumentId, side, lots, leverage, takeProfit, stopLoss, expiresAt } = event
  const { targetPrice } = event
  const size = { instrumentId, side, lots, leverage }
  return { type: 'placeOrder', at, accountId, ...size, targetPrice, takeProfit, stopLoss, expiresAt }
}

type Closed = Extract<Event, { type: 'positionClosed' | 'positionReduced' }>

const closing = ({ accountId, orderId }: Closed, at: number, lots: PartSize): SingleCommand => ({
  ...{ type: 'closePosition', at, accountId, orderId },
  lots,
})

type PartSize = Extract<Event, { type: 'positionReduced' }>['lots'] | null
