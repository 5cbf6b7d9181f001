import { randomUUID } from 'node:crypto'
import type { Random } from '../testing/random.ts'
import { SMALLEST_LOTS, type Trader } from './client.ts'
import type { Note } from './answer-log.ts'
import type { Code, MovingPrices } from './moving-prices.ts'

const MAX_ACTIVE = 6
const CODES = ['EURUSD', 'USDCHF'] as const
const SIDES = ['buy', 'sell'] as const
const ON_POSITION = ['close', 'close', 'part', 'reverse', 'stops', 'trail', 'race', 'duplicate'] as const
/** Ticks between a trailing stop and the price. */
const TRAILS = [12, 45] as const
/** Close all is rare because it leaves little to do. */
const ALL_ONE_IN = 40

/** Traders who send every kind of request, each as soon as the last is answered. */
export type Load = {
  /** Ends once each trader has its last answer; a trader without a definite answer stops by itself. */
  stop(): Promise<void>
}

type Desk = {
  readonly trader: Trader
  readonly source: MovingPrices
  readonly random: Random
  readonly idOf: (code: Code) => number
  /** Orders that the trader believes to be active; the server rejects requests for others. */
  readonly active: Map<number, { readonly code: Code; readonly isPending: boolean }>
}

export type LoadOptions = Omit<Desk, 'trader' | 'active'> & { readonly traders: readonly Trader[] }

export function startLoad({ traders, ...rest }: LoadOptions): Load {
  let isStopped = false
  const run = async (trader: Trader) => {
    const desk: Desk = { trader, ...rest, active: new Map() }
    await listActive(desk)
    while (!isStopped) {
      const notes = await action(desk)
      if (notes.some(({ reading }) => reading === 'unknown')) return
    }
  }
  const runs = Promise.all(traders.map(run))
  // Awaited by `stop`, where errors are thrown.
  runs.catch(() => undefined)
  return {
    stop: async () => {
      isStopped = true
      await runs
    },
  }
}

async function listActive({ trader, active, idOf }: Desk): Promise<void> {
  for (const list of ['pending', 'holding'] as const) {
    const page = await trader.orders(list).catch(() => null)
    for (const { id, instrument } of page?.orders ?? []) {
      const code = CODES.find((each) => idOf(each) === instrument.id)
      if (code) active.set(id, { code, isPending: list === 'pending' })
    }
  }
}

async function action(desk: Desk): Promise<Note[]> {
  const { random, active } = desk
  const [id, order] = [...active][random.int(0, Math.max(0, active.size - 1))] ?? []
  const isFull = active.size >= MAX_ACTIVE
  if (id === undefined || order === undefined || (!isFull && random.oneIn(2))) return place(desk)
  if (order.isPending) return [ended(desk, id, await desk.trader.cancel(id))]
  return random.oneIn(ALL_ONE_IN) ? [await closeAll(desk)] : changePosition(desk, id, order.code)
}

async function changePosition(desk: Desk, id: number, code: Code): Promise<Note[]> {
  const { random, trader } = desk
  const what = random.pick(ON_POSITION)
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
      return closeTwice(desk, id, what === 'duplicate')
  }
}

async function place({ trader, source, random, idOf, active }: Desk): Promise<Note[]> {
  const code = random.pick(CODES)
  const side = random.pick(SIDES)
  const isPending = random.oneIn(3)
  const target = isPending ? source.bid(code) + random.int(-60, 60) : null
  const stops = !isPending && random.oneIn(2) ? stopsAt(source, random, code, side) : {}
  // Mostly large enough to be closed in parts.
  const lots = SMALLEST_LOTS * random.int(1, 4)
  const note = await trader.submit({ instrumentId: idOf(code), side, lots, target, ...stops })
  if (note.orderId !== null) active.set(note.orderId, { code, isPending })
  return [note]
}

/** Near enough to be reached sometimes, so that the market takes part in the races. */
function stopsAt(source: MovingPrices, random: Random, code: Code, side: 'buy' | 'sell') {
  const away = () => random.int(12, 45)
  return side === 'buy'
    ? { takeProfit: source.bid(code) + away(), stopLoss: source.bid(code) - away() }
    : { takeProfit: source.ask(code) - away(), stopLoss: source.ask(code) + away() }
}

/** The side is random: half of the stops are on the wrong side and rejected. */
const moveStops = ({ trader, source, random }: Desk, id: number, code: Code): Promise<Note> =>
  trader.setStops(id, stopsAt(source, random, code, random.pick(SIDES)))

/** The same close twice at once, with the same request id or with two. */
async function closeTwice(desk: Desk, id: number, isDuplicate: boolean): Promise<Note[]> {
  const name = isDuplicate ? `duplicate-${randomUUID()}` : undefined
  const notes = await Promise.all([desk.trader.close(id, name), desk.trader.close(id, name)])
  for (const note of notes) ended(desk, id, note)
  return notes
}

function ended({ active }: Desk, id: number, note: Note): Note {
  if (note.reading !== 'unknown') active.delete(id)
  return note
}

function reversed(desk: Desk, { id, code }: { id: number; code: Code }, note: Note): Note {
  if (note.orderId !== null) desk.active.set(note.orderId, { code, isPending: false })
  return ended(desk, id, note)
}

async function closeAll({ trader, active }: Desk): Promise<Note> {
  const note = await trader.closeAll()
  for (const [id, { isPending }] of active) if (!isPending) active.delete(id)
  return note
}
