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
import { frameOf } from '../plugins/socket-client.ts'
import type { SocketHub } from '../plugins/socket-hub.ts'

/** Figures go out at most this often; between two pushes the client works them out from the prices it has. */
const PUBLISH_MS = 500

type WithoutSeq<M> = M extends { seq: number } ? Omit<M, 'seq'> : never
type PrivateMessage = WithoutSeq<ServerMessage>

const ACCOUNT_TOPIC = topicOf(accountChannel)
const CLOSED_TOPIC = topicOf(closedChannel)

/** Pushes figures and ended positions to their owners. Answers how to stop. */
export function publishAccounts(hub: SocketHub, engine: Engine): () => void {
  const listeners = createListeners()

  hub.greet(accountChannel, ({ user }) => {
    const account = user && engine.state().accounts.get(user.id)
    if (!account) return []
    return [frameOf({ ...accountMessage(engine.state(), account), seq: listeners.of(account.id).seq })]
  })
  hub.greet(closedChannel, () => [])

  const publishFigures = () => {
    const present = new Set<number>()
    for (const [userId, readers] of hub.readersByUser(ACCOUNT_TOPIC)) {
      const account = engine.state().accounts.get(userId)
      if (!account) continue
      present.add(userId)
      const message = accountMessage(engine.state(), account)
      const frame = listeners.of(userId).numberIfNew(message)
      if (frame !== null) for (const client of readers) hub.send(client, frame)
    }
    listeners.keepOnly((userId) => present.has(userId) || hub.readersOf(CLOSED_TOPIC, userId).length > 0)
  }

  const publishClosed = ({ entry }: Committed) => {
    const closed = entry.events.filter((event) => event.type === 'positionClosed')
    for (const [userId, events] of Map.groupBy(closed, ({ accountId }) => accountId)) {
      const readers = hub.readersOf(CLOSED_TOPIC, userId)
      if (readers.length === 0) continue
      const orderIds = events.map(({ orderId }) => orderId)
      const frame = listeners.of(userId).number({ type: 'closed', orderIds })
      for (const client of readers) hub.send(client, frame)
    }
  }

  const stopListening = engine.onCommitted(publishClosed)
  const timer = setInterval(publishFigures, PUBLISH_MS)
  return () => {
    clearInterval(timer)
    stopListening()
  }
}

/** What is remembered of a user as long as one of their sockets listens. */
type Listener = {
  /** Number of the last private message. */
  seq: number
  /** A message as the next frame. */
  number(message: PrivateMessage): string
  /** The same for figures; null when they are those of the last time. */
  numberIfNew(message: PrivateMessage): string | null
}

function createListeners() {
  const listeners = new Map<number, Listener>()
  return {
    of: (userId: number): Listener => {
      const listener = listeners.get(userId) ?? createListener()
      listeners.set(userId, listener)
      return listener
    },
    keepOnly: (isListening: (userId: number) => boolean) => {
      for (const userId of listeners.keys()) if (!isListening(userId)) listeners.delete(userId)
    },
  }
}

/**
 * Private messages of a user are numbered one by one, so that a client knows when it has missed one. The count starts at
 * the time: after a pause, or a restart, it has jumped.
 */
function createListener(): Listener {
  let lastFigures = ''
  const listener: Listener = {
    seq: Math.floor(performance.timeOrigin + performance.now()),
    number: (message) => {
      listener.seq += 1
      return frameOf({ ...message, seq: listener.seq })
    },
    numberIfNew: (message) => {
      const figures = frameOf({ ...message, seq: 0 })
      if (figures === lastFigures) return null
      lastFigures = figures
      return listener.number(message)
    },
  }
  return listener
}

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
