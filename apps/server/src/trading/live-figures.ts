import { fromTicks, percentOf, type AccountUpdate } from '@fairlot/contract'
import { closingPrice, figuresOf, floatingProfit, type Account, type Order, type State } from '@fairlot/core'
import { isUnavailable, type Engine } from '../engine/engine.ts'

export type LiveFigures = Omit<AccountUpdate, 'seq'>

/** The figures of users' accounts and positions now; of none while nothing is sure to last. */
export async function liveFigures(
  { read }: Pick<Engine, 'read'>,
  userIds: readonly number[],
): Promise<readonly LiveFigures[]> {
  const seen = await read((state) =>
    userIds.flatMap((userId) => {
      const account = state.accounts.get(userId)
      return account ? figuresMessage(state, account) : []
    }),
  )
  return isUnavailable(seen) ? [] : seen
}

function figuresMessage(state: State, account: Account): LiveFigures {
  const { level, margin, profit, balance, reserved } = figuresOf(state, account)
  const holding = [...account.orders.values()].filter(({ status }) => status === 'holding')
  return {
    type: 'account',
    userId: account.id,
    level: level && percentOf(level),
    ...{ margin, profit, balance, reserved },
    orders: holding.flatMap((order) => orderProfit(state, order) ?? []),
  }
}

function orderProfit(state: State, order: Order): LiveFigures['orders'][number] | null {
  const profit = floatingProfit(state, order)
  const quote = state.quotes.get(order.instrumentId)
  const instrument = state.instruments.get(order.instrumentId)
  if (profit === null || !quote || !instrument) return null
  return {
    id: order.id,
    currentPrice: fromTicks(closingPrice(order.side, quote), instrument.priceDecimals),
    profit,
  }
}
