import { randomUUID } from 'node:crypto'
import type { Random } from '../testing/random.ts'
import { SMALLEST_LOTS, type Trader } from './client.ts'
import type { Note } from './answer-log.ts'
import type { Code, MovingPrices } from './moving-prices.ts'

const LIVING_MOST = 6
const CODES = ['EURUSD', 'USDCHF'] as const
const SIDES = ['buy', 'sell'] as const
const ON_HOLDING = ['close', 'close', 'part', 'reverse', 'stops', 'trail', 'race', 'twin'] as const
/** Ticks between a trailing stop and the price. */
const TRAILS = [12, 45] as const
/** Close all leaves little to do. */
const ALL_ONE_IN = 40

/** Traders who do whatever may be done, as fast as they are answered. */
export type Load = {
  /** Ends once each has heard of its last change; one that hears nothing definite stops by itself. */
  stop(): Promise<void>
}

type Desk = {
  readonly trader: Trader
  readonly source: MovingPrices
  readonly random: Random
  readonly idOf: (code: Code) => number
  /** What the trader believes to have; it may be over, and then the server says so. */
  readonly living: Map<number, { readonly code: Code; readonly isPending: boolean }>
}

export type LoadOptions = Omit<Desk, 'trader' | 'living'> & { readonly traders: readonly Trader[] }

export function startLoad({ traders, ...rest }: LoadOptions): Load {
  let isStopped = false
  const run = async (trader: Trader) => {
    const desk: Desk = { trader, ...rest, living: new Map() }
    await rememberLiving(desk)
    while (!isStopped) {
      const notes = await act(desk)
      if (notes.some(({ told }) => told === 'unknown')) return
    }
  }
  const runs = Promise.all(traders.map(run))
  // Awaited by `stop`; a trader that cannot even look fails there.
  runs.catch(() => undefined)
  return {
    stop: async () => {
      isStopped = true
      await runs
    },
  }
}

async function rememberLiving({ trader, living, idOf }: Desk): Promise<void> {
  for (const list of ['pending', 'holding'] as const) {
    const page = await trader.orders(list).catch(() => null)
    for (const { id, instrument } of page?.orders ?? []) {
      const code = CODES.find((each) => idOf(each) === instrument.id)
      if (code) living.set(id, { code, isPending: list === 'pending' })
    }
  }
}

async function act(desk: Desk): Promise<Note[]> {
  const { random, living } = desk
  const [id, order] = [...living][random.int(0, Math.max(0, living.size - 1))] ?? []
  const isFull = living.size >= LIVING_MOST
  if (id === undefined || order === undefined || (!isFull && random.oneIn(2))) return place(desk)
  if (order.isPending) return [ended(desk, id, await desk.trader.cancel(id))]
  return random.oneIn(ALL_ONE_IN) ? [await closeAll(desk)] : actOn(desk, id, order.code)
}

async function actOn(desk: Desk, id: number, code: Code): Promise<Note[]> {
  const { random, trader } = desk
  const what = random.pick(ON_HOLDING)
  switch (what) {
    case 'stops':
      return [await moveStops(desk, id, code)]
    case 'trail':
      return [await trader.trail(id, random.int(...TRAILS))]
    case 'part':
      return [await trader.closePart(id)]
    case 'reverse':
      return [reversed(desk, { id, code }, await trader.reverse(id))]
    case 'close':
      return [ended(desk, id, await trader.close(id))]
    default:
      return closeTwice(desk, id, what === 'twin')
  }
}

async function place({ trader, source, random, idOf, living }: Desk): Promise<Note[]> {
  const code = random.pick(CODES)
  const side = random.pick(SIDES)
  const isPending = random.oneIn(3)
  const target = isPending ? source.bid(code) + random.int(-60, 60) : null
  const stops = !isPending && random.oneIn(2) ? stopsAt(source, random, code, side) : {}
  // Large enough to be closed in parts, mostly.
  const lots = SMALLEST_LOTS * random.int(1, 4)
  const note = await trader.submit({ instrumentId: idOf(code), side, lots, target, ...stops })
  if (note.orderId !== null) living.set(note.orderId, { code, isPending })
  return [note]
}

/** Near enough to be reached now and then, so that the market takes part in the races. */
function stopsAt(source: MovingPrices, random: Random, code: Code, side: 'buy' | 'sell') {
  const away = () => random.int(12, 45)
  return side === 'buy'
    ? { takeProfit: source.bid(code) + away(), stopLoss: source.bid(code) - away() }
    : { takeProfit: source.ask(code) - away(), stopLoss: source.ask(code) + away() }
}

/** The side is not remembered: one time in two they are on the wrong side, and then refused. */
const moveStops = ({ trader, source, random }: Desk, id: number, code: Code): Promise<Note> =>
  trader.setStops(id, stopsAt(source, random, code, random.pick(SIDES)))

/** The same close twice at once, under one name or under two. */
async function closeTwice(desk: Desk, id: number, isTwin: boolean): Promise<Note[]> {
  const name = isTwin ? `twin-${randomUUID()}` : undefined
  const notes = await Promise.all([desk.trader.close(id, name), desk.trader.close(id, name)])
  for (const note of notes) ended(desk, id, note)
  return notes
}

function ended({ living }: Desk, id: number, note: Note): Note {
  if (note.told !== 'unknown') living.delete(id)
  return note
}

function reversed(desk: Desk, { id, code }: { id: number; code: Code }, note: Note): Note {
  if (note.orderId !== null) desk.living.set(note.orderId, { code, isPending: false })
  return ended(desk, id, note)
}

async function closeAll({ trader, living }: Desk): Promise<Note> {
  const note = await trader.closeAll()
  for (const [id, { isPending }] of living) if (!isPending) living.delete(id)
  return note
}
