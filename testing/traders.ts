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

/** Somebody with a demo account, who speaks the contract. */
export type Trader = {
  readonly token: string
  readonly user: User
  readonly client: Client<AbortSignal>
  /** Opens or places an order; a refusal is an exception. */
  order(ticket?: Partial<OrderTicket>): Promise<OrderView>
}

/** A market buy of 0.1 lots of the first instrument at 30. */
export const MARKET_BUY: OrderTicket = {
  side: 'buy',
  lots: lots(1_000),
  instrumentId: 1,
  entry: 'market',
  targetPrice: null,
  stopLoss: null,
  takeProfit: null,
  leverage: 30,
  expiresAt: null,
}

export async function newTrader({ url }: { readonly url: string }): Promise<Trader> {
  const visitor = clientOf(url)
  const { demoId } = valueOf(await visitor.call(createDemoAccount, null))
  const { token, user } = valueOf(await visitor.call(logIn, { demoId }))
  const client = clientOf(url, token)
  const order: Trader['order'] = async (ticket = {}) =>
    valueOf(await client.call(submitOrder, { ...MARKET_BUY, ...ticket }))
  return { token, user, client, order }
}

const MOST_DECIMALS = 10

/** A price as tickets carry it. */
export function decimal(text: string): Decimal {
  const value = readDecimal(text, MOST_DECIMALS)
  if (value === null) throw new Error(`${text} is no price`)
  return value
}
