import {
  accountChannel,
  closedChannel,
  fromTicks,
  percentOf,
  topicOf,
  type ServerMessage,
} from '@fairlot/contract'
import { closingPrice, figuresOf, floatingProfit, type Account, type Order, type State } from '@fairlot/core'
import type { Committed, Engine } from '../engine/engine.ts'
import type { SocketHub } from '../plugins/socket-hub.ts'

/** Figures go out at most this often; between two pushes the client works them out from the prices it has. */
const PUBLISH_MS = 500

type WithoutSeq<M> = M extends { seq: number } ? Omit<M, 'seq'> : never
type PrivateMessage = WithoutSeq<ServerMessage>

/** Pushes figures and ended positions to their owners. Answers how to stop. */
export function publishAccounts(hub: SocketHub, engine: Engine): () => void {
  const sequences = new Map<number, number>()
  const lastSent = new Map<number, string>()
  const accountTopic = topicOf(accountChannel)
  const closedTopic = topicOf(closedChannel)

  /** Private messages of a user are numbered, so that a client knows when it has missed one. */
  const numbered = (userId: number, message: PrivateMessage): ServerMessage => {
    const seq = (sequences.get(userId) ?? 0) + 1
    sequences.set(userId, seq)
    return { ...message, seq }
  }

  hub.greet(accountChannel, ({ user }) => {
    const account = user && engine.state().accounts.get(user.id)
    return account
      ? [{ ...accountMessage(engine.state(), account), seq: sequences.get(account.id) ?? 0 }]
      : []
  })

  const publishFigures = () => {
    for (const userId of hub.usersOn(accountTopic)) {
      const account = engine.state().accounts.get(userId)
      if (!account) continue
      const message = accountMessage(engine.state(), account)
      const digest = digestOf(message)
      if (lastSent.get(userId) === digest) continue
      lastSent.set(userId, digest)
      const ready = numbered(userId, message)
      for (const client of hub.readersOf(accountTopic, userId)) hub.send(client, ready)
    }
  }

  const publishClosed = ({ entry }: Committed) => {
    const closed = entry.events.filter((event) => event.type === 'positionClosed')
    const byUser = Map.groupBy(closed, ({ accountId }) => accountId)
    for (const [userId, events] of byUser) {
      const readers = hub.readersOf(closedTopic, userId)
      if (readers.length === 0) continue
      const orderIds = events.map(({ orderId }) => orderId)
      const ready = numbered(userId, { type: 'closed', orderIds })
      for (const client of readers) hub.send(client, ready)
    }
  }

  const stopListening = engine.onCommitted(publishClosed)
  const timer = setInterval(publishFigures, PUBLISH_MS)
  return () => {
    clearInterval(timer)
    stopListening()
  }
}

const digestOf = (message: PrivateMessage): string =>
  JSON.stringify(message, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

function accountMessage(state: State, account: Account): Extract<PrivateMessage, { type: 'account' }> {
  const { level, margin, profit } = figuresOf(state, account)
  const holding = [...account.orders.values()].filter(({ status }) => status === 'holding')
  return {
    type: 'account',
    userId: account.id,
    level: level && percentOf(level),
    margin,
    profit,
    orders: holding.flatMap((order) => orderProfit(state, order) ?? []),
  }
}

function orderProfit(state: State, order: Order) {
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
