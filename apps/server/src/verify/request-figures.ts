/** What users ask for of orders, and operators in their stead: decided again at the prices that the receipt names, it is the same. */
import {
  decide,
  isRejection,
  money,
  NO_MONEY,
  type Account,
  type DecisionContext,
  type Entry,
  type Event,
  type PositionOpened,
  type Operator,
  type OrderPlaced,
  type Receipt,
  type SingleCommand,
  type State,
} from '@fairlot/core'
import type { Figure } from './figure.ts'

/** More than any order costs. What was free then rests on prices that the journal does not name. */
const BOUNDLESS = money(10n ** 17n)

/** A size, a leverage, a stop or a part that the terms of its moment did not allow is refused here. */
export function requestFigures(
  { state, isOpen }: DecisionContext,
  event: Event,
  { author, at }: Entry,
): Figure[] {
  if (!('receipt' in event)) return []
  if (author.type === 'operator') return operatorFigures({ state, isOpen }, event, author, at)
  if (author.type !== 'user') return []
  const account = state.accounts.get(event.accountId)
  if (!account) return []
  const priced = pricedBy(state, event.receipt)
  const again = (view: State, command: SingleCommand) => decidedAgain({ state: view, isOpen }, command, event)
  switch (event.type) {
    case 'orderPlaced':
    case 'positionOpened':
      return again(withMeans(priced, account), placing(event, at))
    case 'positionReduced':
      return again(priced, closing(event, at, event.lots))
    case 'positionClosed':
      return event.reason === 'user' ? again(priced, closing(event, at, null)) : []
    default:
      return []
  }
}

/** An operator may close a position, and nothing else of an order. */
function operatorFigures(
  { state, isOpen }: DecisionContext,
  event: Extract<Event, { receipt: Receipt }>,
  by: Operator,
  at: number,
): Figure[] {
  if (event.type !== 'positionClosed') return []
  const { accountId, orderId } = event
  const view = { state: pricedBy(state, event.receipt), isOpen }
  return decidedAgain(view, { type: 'closeByOperator', at, by, accountId, orderId }, event)
}

function decidedAgain(context: DecisionContext, command: SingleCommand, event: Event): Figure[] {
  const decided = decide(context, command)
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
