import {
  createClient,
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
import { lots } from '@fairlot/core'
import type { RunningServer } from './running-server.ts'

/** Somebody with a demo account, who speaks the contract. */
export type Trader = {
  readonly token: string
  readonly user: User
  readonly client: Client<AbortSignal>
  /** Opens or places an order; a refusal is an exception. */
  order(ticket?: Partial<OrderTicket>): Promise<OrderView>
}

/** The contract's own client, as the web app uses it. */
const clientOf = (
  { url }: Pick<RunningServer, 'url'>,
  token: string | null = null,
  language = 'en',
): Client<AbortSignal> =>
  createClient<AbortSignal>({
    fetch: (address, options) => fetch(address, options),
    baseUrl: url,
    language: () => language,
    token: () => token,
    now: Date.now,
  })

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

export async function newTrader(server: Pick<RunningServer, 'url'>): Promise<Trader> {
  const visitor = clientOf(server)
  const { demoId } = valueOf(await visitor.call(createDemoAccount, null))
  const { token, user } = valueOf(await visitor.call(logIn, { demoId }))
  const client = clientOf(server, token)
  const order: Trader['order'] = async (ticket = {}) =>
    valueOf(await client.call(submitOrder, { ...MARKET_BUY, ...ticket }))
  return { token, user, client, order }
}

export const decimal = (text: string): Decimal => text as Decimal
