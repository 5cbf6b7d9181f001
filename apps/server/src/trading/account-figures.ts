import { accountChannel, type AccountFigures, type AccountUpdate, encode, topicOf } from '@fairlot/contract'
import {
  type Account,
  closingPrice,
  figuresOf,
  floatingProfit,
  fromTicks,
  isBeyondStopOutPrice,
  isPosition,
  type Order,
  percentOf,
  type Position,
  type Price,
  type State,
  stopOutPrice,
  stopOutPriceOnceOpen,
} from '@fairlot/core'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Engine, isUnavailable } from '../engine/engine.ts'
import type { SocketHub } from '../platform/sockets/socket-hub.ts'
import type { PrivateSequencer } from './private-sequencer.ts'

/** An account's figures as `getFigures` returns them. `computedAt` is epoch ms. */
export function figuresView(state: State, account: Account, computedAt: number): AccountFigures {
  const { level, ...figures } = figuresOf(state, account)
  return { ...figures, level: level && percentOf(level), stopOuts: stopOutsOf(state, account), computedAt }
}

/** For each position, newest first, the price at which the account would be stopped out. */
function stopOutsOf(state: State, account: Account): AccountFigures['stopOuts'] {
  // All positions on one side of an instrument have the same stop-out price.
  const known = new Map<string, Price | null>()
  const priceOf = (order: Order): Price | null => {
    const key = `${order.instrumentId} ${order.side}`
    const found = known.has(key) ? known.get(key) : stopOutPrice(state, account, order)
    known.set(key, found ?? null)
    return found ?? null
  }
  const positions = [...account.orders.values()].filter(isPosition).toSorted((a, b) => b.id - a.id)
  return positions.flatMap((order) => {
    const price = priceOf(order)
    const instrument = state.instruments.get(order.instrumentId)
    if (price === null || !instrument) return []
    return { orderId: order.id, price: fromTicks(price, instrument.priceDecimals) }
  })
}

/**
 * True when, at current prices, the account would be stopped out before this order's stop loss is reached. A pending
 * order counts as if it had just opened at its target price.
 */
export function isBeyondStopOut(state: State, accountId: number, orderId: number): boolean {
  const account = state.accounts.get(accountId)
  const order = account?.orders.get(orderId)
  if (!account || !order || order.stopLoss === null) return false
  if (isPosition(order)) return isBeyondStopOutPrice(order, stopOutPrice(state, account, order))
  if (order.targetPrice === null) return false
  const opened: Position = { ...order, status: 'holding', openPrice: order.targetPrice }
  return isBeyondStopOutPrice(order, stopOutPriceOnceOpen(state, account, opened))
}

/** Figures are sent at most this often; in between, clients compute them from the prices they have. */
const PUBLISH_MS = 500
/** Accounts whose figures are computed in one turn of the event loop. */
const SLICE_SIZE = 100

const TOPIC = topicOf(accountChannel)

export type LiveFigures = Omit<AccountUpdate, 'seq'>

/** Current figures of users' accounts and positions; empty while the engine is unavailable. */
export async function liveFigures(
  { read }: Pick<Engine, 'read'>,
  userIds: readonly number[],
  now: () => number,
): Promise<readonly LiveFigures[]> {
  const figures = await read((state) =>
    userIds.flatMap((userId) => {
      const account = state.accounts.get(userId)
      return account ? figuresMessage(state, account, now()) : []
    }),
  )
  return isUnavailable(figures) ? [] : figures
}

function figuresMessage(state: State, account: Account, computedAt: number): LiveFigures {
  const { level, margin, profit, balance, reserved } = figuresOf(state, account)
  const positions = [...account.orders.values()].filter(isPosition)
  return {
    type: 'account',
    userId: account.id,
    level: level && percentOf(level),
    margin,
    profit,
    balance,
    reserved,
    orders: positions.flatMap((order) => orderProfit(state, order) ?? []),
    computedAt,
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

type Publishing = {
  readonly hub: SocketHub
  readonly engine: Pick<Engine, 'read'>
  readonly sequencer: Pick<PrivateSequencer, 'last'>
  /** Epoch ms. */
  readonly now: () => number
}

/** Sends every subscriber their figures when they have changed. Returns a function that stops it. */
export function publishFigures(parts: Publishing, onError: (error: unknown) => void): () => void {
  let sent = new Map<number, string>()
  let isPublishing = false
  const publish = async () => {
    if (isPublishing) return
    isPublishing = true
    try {
      sent = await publishChanged(parts, sent)
    } catch (error) {
      onError(error)
    } finally {
      isPublishing = false
    }
  }
  const timer = setInterval(() => void publish(), PUBLISH_MS)
  return () => clearInterval(timer)
}

/** Returns the figures that each subscriber has now. */
async function publishChanged(
  { hub, engine, sequencer, now }: Publishing,
  sent: ReadonlyMap<number, string>,
): Promise<Map<number, string>> {
  const current = new Map<number, string>()
  const subscribers = [...hub.readersByUser(TOPIC)].map(([userId]) => userId)
  for (let first = 0; first < subscribers.length; first += SLICE_SIZE) {
    for (const figures of await liveFigures(engine, subscribers.slice(first, first + SLICE_SIZE), now)) {
      const { userId } = figures
      const content = contentOf(figures)
      current.set(userId, content)
      if (sent.get(userId) === content) continue
      const frame = frameOf(content, figures.computedAt, sequencer.last(userId))
      for (const client of hub.readersOf(TOPIC, userId)) hub.send(client, frame)
    }
    await nextTurn()
  }
  return current
}

/** The frame without its time and number: encoded once, to be compared and sent. */
function contentOf(figures: LiveFigures): string {
  const {
    ComputedAt: _at,
    seq: _seq,
    ...content
  } = encode(accountChannel.message, { ...figures, seq: 0 }) as Record<string, unknown>
  return JSON.stringify(content)
}

const frameOf = (content: string, computedAt: number, seq: number): string =>
  `${content.slice(0, -1)},"ComputedAt":${computedAt},"seq":${seq}}`

/** The figures of one account as a frame. */
export const figuresFrame = (figures: LiveFigures, seq: number): string =>
  frameOf(contentOf(figures), figures.computedAt, seq)
