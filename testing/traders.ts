import {
  createDemoAccount,
  logIn,
  submitOrder,
  valueOf,
  type Client,
  type Decimal,
  type OrderTicket,
  type OrderView,
  type User,
} from '@fairlot/contract'
import { lots, readDecimal } from '@fairlot/core'
import { clientOf } from './client.ts'

/** A user with a demo account and a client. */
export type Trader = {
  readonly token: string
  /** The secret of the demo account. */
  readonly demoId: string
  readonly user: User
  readonly client: Client<AbortSignal>
  /** Places an order; a rejection is thrown. */
  order(ticket?: Partial<OrderTicket>): Promise<OrderView>
}

/** A market buy of 0.1 lots of the first instrument at leverage 30. */
export const MARKET_BUY: OrderTicket = {
  side: 'buy',
  lots: lots(1_000),
  instrumentId: 1,
  orderType: 'market',
  targetPrice: null,
  stopLoss: null,
  takeProfit: null,
  leverage: 30,
  expiresAt: null,
  kind: null,
}

export async function newTrader({ url }: { readonly url: string }): Promise<Trader> {
  const visitor = clientOf(url)
  const { demoId } = valueOf(await visitor.call(createDemoAccount, null))
  const { token, user } = valueOf(await visitor.call(logIn, { demoId }))
  const client = clientOf(url, token)
  const order: Trader['order'] = async (ticket = {}) =>
    valueOf(await client.call(submitOrder, { ...MARKET_BUY, ...ticket }))
  return { token, demoId, user, client, order }
}

const MOST_DECIMALS = 10

/** Parses a price for an order ticket. */
export function decimal(text: string): Decimal {
  const value = readDecimal(text, MOST_DECIMALS)
  if (value === null) throw new Error(`${text} is no price`)
  return value
}
