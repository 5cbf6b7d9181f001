import { encode, submitOrder } from '@fairlot/contract'
import { lots } from '@fairlot/core'
import autocannon from 'autocannon'
import { GENEROUS_LIMITS } from '../testing/generous-limits.ts'
import { createServerProcess } from '../testing/server-process.ts'
import { MARKET_BUY, newTrader } from '../testing/traders.ts'
import { benchDatabase } from './postgres/pgbench.ts'

const CONNECTIONS = 32
/** Buy 0.01 lots at the market. */
const ORDER = JSON.stringify(encode(submitOrder.request, { ...MARKET_BUY, lots: lots(100) }))

/** A server in its own process on a new PostgreSQL database, with one logged-in trader per connection. */
export type HttpBench = {
  /** Accepted orders per second. Throws when an order was rejected. */
  order(seconds: number): Promise<number>
  stop(): Promise<void>
}

export async function startHttpBench(batchSize?: number): Promise<HttpBench> {
  const place = await benchDatabase()
  const server = await createServerProcess({
    program: 'bench/server.ts',
    args: batchSize === undefined ? [] : [String(batchSize)],
    env: {
      ...GENEROUS_LIMITS,
      DATABASE_URL: place.url,
      FEED: 'simulated:1',
      LOG_LEVEL: 'error',
      SETTING_DEMO_BALANCE: '1000000000',
      SETTING_MAX_LIVING_ORDERS: '10000',
    },
  })
  const stop = async () => {
    await server.stop()
    await place.drop()
  }
  try {
    server.start()
    await server.started()
    const { url } = server
    const traders = await Promise.all(Array.from({ length: CONNECTIONS }, () => newTrader({ url })))
    const tokens = traders.map((trader) => trader.token)
    return { order: (seconds) => orderFor(url, tokens, seconds), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function orderFor(url: string, tokens: readonly string[], seconds: number): Promise<number> {
  let connection = 0
  let firstRejection = ''
  const result = await autocannon({
    url: `${url}${submitOrder.path}`,
    connections: CONNECTIONS,
    duration: seconds,
    method: 'POST',
    body: ORDER,
    setupClient: (client) => {
      const authorization = tokens[connection % tokens.length] ?? ''
      connection += 1
      client.setHeaders({ authorization, 'content-type': 'application/json', lang: 'en' })
    },
    verifyBody: (body) => {
      const isAccepted = body.startsWith('{"code":1,')
      if (!isAccepted) firstRejection ||= body
      return isAccepted
    },
  })
  const failed = result.non2xx + result.errors + result.mismatches
  if (failed > 0)
    throw new Error(`${failed} orders were not accepted, the first with: ${firstRejection || 'no answer'}`)
  return result['2xx'] / result.duration
}
