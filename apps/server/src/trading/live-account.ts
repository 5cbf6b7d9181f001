import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  accountChannel,
  closedChannel,
  encode,
  fromTicks,
  percentOf,
  serverMessage,
  topicOf,
  type ServerMessage,
} from '@fairlot/contract'
import { closingPrice, figuresOf, floatingProfit, type Order, type State } from '@fairlot/core'
import { isUnavailable, type Committed, type Engine } from '../engine/engine.ts'
import type { SocketClient } from '../plugins/socket-client.ts'
import type { SocketHub } from '../plugins/socket-hub.ts'

/** Figures go out at most this often; between two pushes the client works them out from the prices it has. */
const PUBLISH_MS = 500
/** Accounts whose figures are worked out in one turn of the loop. */
const SLICE_SIZE = 100

type WithoutSeq<M> = M extends { seq: number } ? Omit<M, 'seq'> : never
type PrivateMessage = WithoutSeq<ServerMessage>

const ACCOUNT_TOPIC = topicOf(accountChannel)
const CLOSED_TOPIC = topicOf(closedChannel)

/** Pushes figures and ended positions to their owners. Answers how to stop. */
export function publishAccounts(hub: SocketHub, engine: Engine): () => void {
  const listeners = createListeners()
  let isStopped = false
  let isPublishing = false

  hub.greet(accountChannel, (client) => {
    if (client.user) void greet(client, client.user.id)
    return []
  })
  hub.greet(closedChannel, () => [])

  /** The present state, as soon as it is sure to last. */
  const greet = async (client: SocketClient, userId: number) => {
    const message = await engine.read((state) => messageOf(state, userId))
    if (isUnavailable(message) || !message || !isReading(client, userId)) return
    hub.send(client, numbered(bodyOf(message), listeners.of(userId).seq))
  }

  /** What is pushed in one turn of the loop is read at one moment. */
  const publishSlice = async (slice: readonly Reader[]) => {
    const bodies = await engine.read((state) => slice.map(([userId]) => bodyOrNull(state, userId)))
    if (isUnavailable(bodies)) return
    for (const [index, [userId, readers]] of slice.entries()) {
      const body = bodies[index] ?? null
      const frame = body === null ? null : listeners.of(userId).numberIfNew(body)
      if (frame === null) continue
      for (const client of readers) if (isReading(client, userId)) hub.send(client, frame)
    }
  }

  const publishFigures = async () => {
    const readers = [...hub.readersByUser(ACCOUNT_TOPIC)]
    for (let first = 0; first < readers.length && !isStopped; first += SLICE_SIZE) {
      await publishSlice(readers.slice(first, first + SLICE_SIZE))
      await nextTurn()
    }
    const present = new Set(readers.map(([userId]) => userId))
    listeners.keepOnly((userId) => present.has(userId) || hub.readersOf(CLOSED_TOPIC, userId).length > 0)
  }

  /** A round that takes longer than its time is followed by none too many. */
  const publishRound = async () => {
    if (isPublishing) return
    isPublishing = true
    await publishFigures().finally(() => (isPublishing = false))
  }

  const publishClosed = ({ entry }: Committed) => {
    const closed = entry.events.filter((event) => event.type === 'positionClosed')
    for (const [userId, events] of Map.groupBy(closed, ({ accountId }) => accountId)) {
      const readers = hub.readersOf(CLOSED_TOPIC, userId)
      if (readers.length === 0) continue
      const orderIds = events.map(({ orderId }) => orderId)
      const frame = listeners.of(userId).number(bodyOf({ type: 'closed', orderIds }))
      for (const client of readers) hub.send(client, frame)
    }
  }

  const stopListening = engine.onCommitted(publishClosed)
  const timer = setInterval(() => void publishRound(), PUBLISH_MS)
  return () => {
    isStopped = true
    clearInterval(timer)
    stopListening()
  }
}

type Reader = readonly [userId: number, readers: readonly SocketClient[]]

/** A socket may have been closed, or be somebody else's, since the figures were worked out. */
const isReading = ({ user, topics }: SocketClient, userId: number): boolean =>
  user?.id === userId && topics.has(ACCOUNT_TOPIC)

/** A message as the text of a frame, but for its number, which comes last. */
const bodyOf = (message: PrivateMessage): string => {
  const { seq: _seq, ...body } = encode(serverMessage, { ...message, seq: 0 }) as { seq: number }
  return JSON.stringify(body)
}

const numbered = (body: string, seq: number): string => `${body.slice(0, -1)},"seq":${seq}}`

/** What is remembered of a user as long as one of their sockets listens. */
type Listener = {
  /** Number of the last private message. */
  seq: number
  /** A message as the next frame. */
  number(body: string): string
  /** The same for figures; null when they are those of the last time. */
  numberIfNew(body: string): string | null
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
    number: (body) => {
      listener.seq += 1
      return numbered(body, listener.seq)
    },
    numberIfNew: (body) => {
      if (body === lastFigures) return null
      lastFigures = body
      return listener.number(body)
    },
  }
  return listener
}

const bodyOrNull = (state: State, userId: number): string | null => {
  const message = messageOf(state, userId)
  return message && bodyOf(message)
}

function messageOf(state: State, userId: number): Extract<PrivateMessage, { type: 'account' }> | null {
  const account = state.accounts.get(userId)
  if (!account) return null
  const { level, margin, profit } = figuresOf(state, account)
  const holding = [...account.orders.values()].filter(({ status }) => status === 'holding')
  return {
    type: 'account',
    userId,
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
