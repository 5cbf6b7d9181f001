/** Performs a row of a story on a test harness. */
import type { Outcome, Rejection } from '../src/index.ts'
import type { Harness, Wish } from './harness.ts'

const CODE = '([A-Z0-9]+)'
const PRICE = '(-?[\\d.]+)'

type Act = {
  readonly form: RegExp
  readonly take: (harness: Harness, words: readonly string[]) => Outcome | Rejection | null
}

const ACTS: readonly Act[] = [
  {
    form: new RegExp(`^${CODE} ${PRICE} / ${PRICE}$`),
    take: (harness, [code = '', bid = '', ask = '']) => harness.tick(code, bid, ask),
  },
  {
    form: /^(buy|sell) ([\d.]+) ([A-Z0-9]+) x(\d+)( .+)?$/,
    take: (harness, [side, lots = '', code = '', leverage = '', rest = '']) =>
      harness[side === 'buy' ? 'buy' : 'sell'](code, {
        lots,
        leverage: Number(leverage),
        ...wishOf(harness, rest),
      }),
  },
  { form: /^close #(\d+)$/, take: (harness, [id]) => harness.close(Number(id)) },
  {
    form: /^close ([\d.]+) of #(\d+)$/,
    take: (harness, [lots = '', id]) => harness.close(Number(id), { lots }),
  },
  { form: /^close all$/, take: (harness) => harness.closeAll() },
  { form: /^reverse #(\d+)$/, take: (harness, [id]) => harness.reverse(Number(id)) },
  {
    form: new RegExp(`^trail #(\\d+) ${CODE} by ${PRICE}$`),
    take: (harness, [id, code = '', distance = '']) => harness.trail(Number(id), code, distance),
  },
  { form: /^cancel #(\d+)$/, take: (harness, [id]) => harness.cancel(Number(id)) },
  {
    form: new RegExp(`^stops of #(\\d+) ${CODE}( .+)?$`),
    take: (harness, [id, code = '', rest = '']) => harness.setStops(Number(id), code, wishOf(harness, rest)),
  },
  { form: /^reset the demo$/, take: (harness) => harness.reset() },
  { form: /^the clock ticks$/, take: (harness) => harness.clock() },
  { form: new RegExp(`^${CODE} closes$`), take: (harness, [code = '']) => (harness.closeMarket(code), null) },
  { form: new RegExp(`^${CODE} opens$`), take: (harness, [code = '']) => (harness.openMarket(code), null) },
]

/** Null when the row only changed the opening hours. */
export function act(harness: Harness, sentence: string): Outcome | Rejection | null {
  for (const { form, take } of ACTS) {
    const match = form.exec(sentence)
    if (match) return take(harness, match.slice(1))
  }
  throw new Error(`nobody understands "${sentence}"`)
}

/** " at 1.38 profit 1.39 loss 1.37 for 60 s", each part optional. */
function wishOf(harness: Harness, text: string): Wish {
  const parts = text.trim() === '' ? [] : text.trim().split(/ (?=at |profit |loss |for )/)
  const wish: Wish = {}
  for (const part of parts) {
    const [name, value = ''] = part.split(' ')
    if (name === 'at') wish.target = value
    else if (name === 'profit') wish.takeProfit = value
    else if (name === 'loss') wish.stopLoss = value
    else if (name === 'for') wish.expiresAt = harness.now() + Number(value) * 1_000
    else throw new Error(`nobody understands "${part}"`)
  }
  return wish
}
