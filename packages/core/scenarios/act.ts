/** Lets a row of a story happen on a trading floor. */
import type { Outcome, Rejection } from '../src/index.ts'
import type { Floor, Wish } from './floor.ts'

const CODE = '([A-Z0-9]+)'
const PRICE = '(-?[\\d.]+)'

type Act = {
  readonly form: RegExp
  readonly take: (floor: Floor, words: readonly string[]) => Outcome | Rejection | null
}

const ACTS: readonly Act[] = [
  {
    form: new RegExp(`^${CODE} ${PRICE} / ${PRICE}$`),
    take: (floor, [code = '', bid = '', ask = '']) => floor.tick(code, bid, ask),
  },
  {
    form: /^(buy|sell) ([\d.]+) ([A-Z0-9]+) x(\d+)( .+)?$/,
    take: (floor, [side, lots = '', code = '', leverage = '', rest = '']) =>
      floor[side === 'buy' ? 'buy' : 'sell'](code, {
        lots,
        leverage: Number(leverage),
        ...wishOf(floor, rest),
      }),
  },
  { form: /^close #(\d+)$/, take: (floor, [id]) => floor.close(Number(id)) },
  {
    form: /^close ([\d.]+) of #(\d+)$/,
    take: (floor, [lots = '', id]) => floor.close(Number(id), { lots }),
  },
  { form: /^close all$/, take: (floor) => floor.closeAll() },
  { form: /^reverse #(\d+)$/, take: (floor, [id]) => floor.reverse(Number(id)) },
  {
    form: new RegExp(`^trail #(\\d+) ${CODE} by ${PRICE}$`),
    take: (floor, [id, code = '', distance = '']) => floor.trail(Number(id), code, distance),
  },
  { form: /^cancel #(\d+)$/, take: (floor, [id]) => floor.cancel(Number(id)) },
  {
    form: new RegExp(`^stops of #(\\d+) ${CODE}( .+)?$`),
    take: (floor, [id, code = '', rest = '']) => floor.setStops(Number(id), code, wishOf(floor, rest)),
  },
  { form: /^reset the demo$/, take: (floor) => floor.reset() },
  { form: /^the clock ticks$/, take: (floor) => floor.clock() },
  { form: new RegExp(`^${CODE} closes$`), take: (floor, [code = '']) => (floor.closeMarket(code), null) },
  { form: new RegExp(`^${CODE} opens$`), take: (floor, [code = '']) => (floor.openMarket(code), null) },
]

/** Null when the row only changed the opening hours. */
export function act(floor: Floor, sentence: string): Outcome | Rejection | null {
  for (const { form, take } of ACTS) {
    const match = form.exec(sentence)
    if (match) return take(floor, match.slice(1))
  }
  throw new Error(`nobody understands "${sentence}"`)
}

/** " at 1.38 profit 1.39 loss 1.37 for 60 s", each part optional. */
function wishOf(floor: Floor, text: string): Wish {
  const parts = text.trim() === '' ? [] : text.trim().split(/ (?=at |profit |loss |for )/)
  const wish: Wish = {}
  for (const part of parts) {
    const [name, value = ''] = part.split(' ')
    if (name === 'at') wish.target = value
    else if (name === 'profit') wish.takeProfit = value
    else if (name === 'loss') wish.stopLoss = value
    else if (name === 'for') wish.expiresAt = floor.now() + Number(value) * 1_000
    else throw new Error(`nobody understands "${part}"`)
  }
  return wish
}
