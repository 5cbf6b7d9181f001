import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { FeedInstrument } from './feed.ts'
import type { Pace } from './clock.ts'

type Row = [
  code: string,
  category: string,
  base: string,
  quote: string,
  decimals: number,
  ...figures: number[],
]

// Columns after the decimals: typical spread, reference price, yearly volatility.
const ROWS: readonly Row[] = [
  ['EURUSD', 'Forex', 'EUR', 'USD', 5, 0.00006, 1.085, 0.07],
  ['GBPUSD', 'Forex', 'GBP', 'USD', 5, 0.00009, 1.265, 0.07],
  ['USDJPY', 'Forex', 'USD', 'JPY', 3, 0.008, 151.2, 0.08],
  ['EURGBP', 'Forex', 'EUR', 'GBP', 5, 0.00009, 0.8577, 0.07],
  ['EURJPY', 'Forex', 'EUR', 'JPY', 3, 0.012, 164.05, 0.08],
  ['GBPJPY', 'Forex', 'GBP', 'JPY', 3, 0.019, 191.27, 0.08],
  ['NZDUSD', 'Forex', 'NZD', 'USD', 5, 0.00012, 0.601, 0.09],
  ['EURNZD', 'Forex', 'EUR', 'NZD', 5, 0.00028, 1.8053, 0.09],
  ['USDHKD', 'Forex', 'USD', 'HKD', 5, 0.0003, 7.8, 0.01],
  ['XAUUSD', 'Metals', 'XAU', 'USD', 2, 0.25, 2330, 0.15],
  ['NATGAS', 'Energies', 'NATGAS', 'USD', 3, 0.004, 2.61, 0.55],
  ['US500', 'Indices', 'US500', 'USD', 1, 1, 5210, 0.16],
  ['NAS100', 'Indices', 'NAS100', 'USD', 1, 1, 18150, 0.16],
  ['JPN225', 'Indices', 'JPN225', 'JPY', 0, 8, 38900, 0.2],
  ['BTCUSD', 'Crypto', 'BTC', 'USD', 2, 20, 67500, 0.55],
  ['AAPL', 'Shares', 'AAPL', 'USD', 2, 0.04, 189.5, 0.3],
]

/** Instruments of every category, with the figures that the product lists for them. */
export const INSTRUMENTS: readonly FeedInstrument[] = ROWS.map(
  ([code, category, baseCurrency, quoteCurrency, priceDecimals, ...figures]) => {
    const [typicalSpread = 0, referencePrice = 0, yearlyVolatility = 0] = figures
    const dayRollover = category === 'Crypto' ? 'utcMidnight' : 'newYorkClose'
    const terms = { code, category, baseCurrency, quoteCurrency, priceDecimals, dayRollover } as const
    return { ...terms, typicalSpread, referencePrice, yearlyVolatility }
  },
)

export function instrument(code: string): FeedInstrument {
  const found = INSTRUMENTS.find((candidate) => candidate.code === code)
  if (!found) throw new RangeError(`no test instrument ${code}`)
  return found
}

export type ManualPace = Pace & {
  advance(ms: number): void
  /** Sets the machine's clock forward or back. */
  step(ms: number): void
}

/** A clock that advances only while it is awaited, without real waiting. */
export function createManualPace(start: number): ManualPace {
  let now = start
  let off = 0
  return {
    now: () => now,
    wall: () => now + off,
    step: (ms) => void (off += ms),
    advance: (ms) => void (now += ms),
    async wait(ms, signal) {
      if (!signal.aborted) now += ms
      await nextTurn()
    },
  }
}

/** A folder that holds the given files until the test is over; names ending in `.gz` are packed. */
export async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fairlot-feeds-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text)
  }
  return folder
}
