import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  parseDecimal,
  ratio,
  type FeeType,
  type Instrument,
  type TradingSettings,
  type TripleSwapDay,
} from '../src/index.ts'
import { act } from './perform-row.ts'
import { demoHarness, snapshotOf, START, type Harness } from './harness.ts'
import { INSTRUMENTS, usd } from './market.ts'
import { readStory, type Column, type Row, type Story } from './story.ts'
import { money, shown, report } from './describe.ts'

const FOLDER = new URL('./stories/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))
const FIGURES: readonly Column[] = ['balance', 'open profit', 'equity', 'margin', 'reserved', 'free', 'level']

it('finds the stories', () => {
  expect(FILES.length).toBeGreaterThan(10)
})

it.each(FILES)('%s', (name) => {
  const story = readStory(readFileSync(new URL(name, FOLDER), 'utf8'))
  const harness = demoHarness({ settings: settingsOf(story), instruments: instrumentsOf(story) })
  for (const row of story.rows) {
    expect(live(harness, row), `${name}, line ${row.line}: ${row['what happens']}`).toEqual(expected(row))
  }
  expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
})

/** What the row leads to, in the columns that it fills in; the answer always counts. */
function live(harness: Harness, row: Row): Record<string, string> {
  harness.wait(timeOf(harness, row.time ?? '') - harness.now())
  const answer = report(act(harness, row['what happens'] ?? ''))
  return { answer, ...Object.fromEntries(filled(row).map((column) => [column, shown(harness, column)])) }
}

const expected = (row: Row): Record<string, string> => ({
  answer: row.answer ?? '',
  ...Object.fromEntries(filled(row).map((column) => [column, amountOf(row[column] ?? '')])),
})

const filled = (row: Row): readonly Column[] => FIGURES.filter((column) => row[column])

/** Levels stay as they are written; amounts may have fewer or more zeros at their end. */
function amountOf(cell: string): string {
  const units = parseDecimal(cell.replaceAll(',', ''), 6)
  return units === null ? cell : money(units)
}

const SWAP = /^swap of ([A-Z0-9]+)$/
const SWAP_TERMS = /^(-?[\d.]+) % bought, (-?[\d.]+) % sold, triple on (mon|tue|wed|thu|fri)$/

/** "swap of EURUSD": "-3.6 % bought, 1.8 % sold, triple on wed". */
const instrumentsOf = ({ settings }: Story): readonly Instrument[] =>
  INSTRUMENTS.map((instrument) => {
    const text = settings.get(`swap of ${instrument.code}`)
    if (text === undefined) return instrument
    const [, buy = '', sell = '', day] = SWAP_TERMS.exec(text) ?? []
    if (!day) throw new Error(`nobody understands the swap "${text}"`)
    const yearly = (percent: string) => ratio(Number(parseDecimal(percent, 6)))
    return {
      ...instrument,
      swapRate: { buy: yearly(buy), sell: yearly(sell) },
      tripleSwapDay: day as TripleSwapDay,
    }
  })

/** "12:30:01.535", on the day of the row before, or "2014-05-04 21:00:00". */
function timeOf(harness: Harness, cell: string): number {
  const day = new Date(harness.now()).toISOString().slice(0, 10)
  const time = Date.parse(cell.includes(' ') ? `${cell.replace(' ', 'T')}Z` : `${day}T${cell}Z`)
  if (Number.isNaN(time)) throw new Error(`"${cell}" is no time`)
  if (time < START || time < harness.now()) throw new Error(`${cell} lies before the row above it`)
  return time
}

function settingsOf({ settings }: Story): Partial<TradingSettings> {
  const known = new Set(['fee', 'demo balance', 'account currency', 'stop out'])
  for (const name of settings.keys())
    if (!known.has(name) && !SWAP.test(name)) throw new Error(`no setting is called "${name}"`)
  const [fee, balance, currency, level] = [
    settings.get('fee'),
    settings.get('demo balance'),
    settings.get('account currency'),
    settings.get('stop out'),
  ]
  if (fee !== undefined && fee !== 'fixed' && fee !== 'rate') throw new Error(`no fee is "${fee}"`)
  return {
    ...(fee === undefined ? {} : { feeType: fee satisfies FeeType }),
    ...(balance === undefined ? {} : { demoBalance: usd(balance.replaceAll(',', '')) }),
    ...(currency === undefined ? {} : { accountCurrency: currency }),
    ...(level === undefined ? {} : { stopOutLevel: Number.parseInt(level) }),
  }
}
