import { setImmediate as nextTurn } from 'node:timers/promises'
import { accountChannel, encode, topicOf, type AccountUpdate } from '@fairlot/contract'
import {
  closingPrice,
  figuresOf,
  floatingProfit,
  fromTicks,
  percentOf,
  type Account,
  type Order,
  type State,
} from '@fairlot/core'
import { isUnavailable, type Engine } from '../engine/engine.ts'
import type { SocketHub } from '../websocket/socket-hub.ts'
import type { PrivateSequencer } from './private-sequencer.ts'

/** Figures go out at most this often; between two pushes the client works them out from the prices it has. */
const PUBLISH_MS = 500
/** Accounts whose figures are worked out in one turn of the loop. */
const SLICE_SIZE = 100

const TOPIC = topicOf(accountChannel)

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

type Publishing = {
  readonly hub: SocketHub
  readonly engine: Pick<Engine, 'read'>
  readonly turns: Pick<PrivateSequencer, 'last'>
}

/** Tells everybody who listens their figures, unless these are the ones they know. Answers how to stop. */
export function publishFigures(parts: Publishing, onError: (error: unknown) => void): () => void {
  let known = new Map<number, string>()
  let isUnderWay = false
  const publish = async () => {
    if (isUnderWay) return
    isUnderWay = true
    try {
      known = await tellFigures(parts, known)
    } catch (error) {
      onError(error)
    } finally {
      isUnderWay = false
    }
  }
  const timer = setInterval(() => void publish(), PUBLISH_MS)
  return () => clearInterval(timer)
}

/** Answers what everybody knows then. */
async function tellFigures(
  { hub, engine, turns }: Publishing,
  known: ReadonlyMap<number, string>,
): Promise<Map<number, string>> {
  const told = new Map<number, string>()
  const heard = [...hub.readersByUser(TOPIC)].map(([userId]) => userId)
  for (let first = 0; first < heard.length; first += SLICE_SIZE) {
    for (const figures of await liveFigures(engine, heard.slice(first, first + SLICE_SIZE))) {
      const { userId } = figures
      const text = unnumbered(figures)
      told.set(userId, text)
      if (known.get(userId) === text) continue
      const frame = numbered(text, turns.last(userId))
      for (const client of hub.readersOf(TOPIC, userId)) hub.send(client, frame)
    }
    await nextTurn()
  }
  return told
}

/** The frame but for its number: encoded once, to be compared and to be sent. */
const unnumbered = (figures: LiveFigures): string =>
  JSON.stringify({ ...(encode(accountChannel.message, { ...figures, seq: 0 }) as object), seq: undefined })

const numbered = (text: string, seq: number): string => `${text.slice(0, -1)},"seq":${seq}}`

/** The figures of one account as a frame. */
export const figuresFrame = (figures: LiveFigures, seq: number): string => numbered(unnumbered(figures), seq)
