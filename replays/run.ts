// `npm run replays`: plays the two most volatile nights of the pound through the engine, with a thousand random accounts.
//   -- --data <folder>   recorded hourly bars     -- --seed N   other accounts
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatDecimal, MONEY_DECIMALS } from '@fairlot/core'
import { playNight, type Night, type Played } from './night.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DEFAULT_DATA = '../shared/data/ejtrader-mt5-h1'
const NIGHTS: readonly Night[] = [
  { name: 'the vote to leave', from: Date.UTC(2016, 5, 23, 12), to: Date.UTC(2016, 5, 24, 20) },
  { name: "the pound's flash crash", from: Date.UTC(2016, 9, 6, 12), to: Date.UTC(2016, 9, 7, 20) },
]

const GOOD = 0
const WRONG = 1
const CANNOT_RUN = 2

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, seed: { type: 'string' } } })
  const folder = resolve(ROOT, values.data ?? DEFAULT_DATA)
  const seed = Number(values.seed ?? 1)
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed must be a non-negative integer.')
  const played: { night: Night; result: Played }[] = []
  for (const night of NIGHTS) {
    const result = await playNight(night, folder, seed)
    if (result === null)
      throw new Error(
        `There are no recorded bars of ${new Date(night.from).toISOString().slice(0, 10)} in ${values.data ?? DEFAULT_DATA}; name their folder with --data.`,
      )
    played.push({ night, result })
  }
  console.log(`Seed ${seed}\n\n${table(played)}`)
  const faults = played.flatMap(({ night, result }) =>
    result.faults.map((fault) => `${night.name}: ${fault}`),
  )
  for (const fault of faults) console.error(fault)
  return faults.length === 0 ? GOOD : WRONG
}

type Row = readonly [name: string, cell: (played: Played) => string | number]

const byReason = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([reason, count]) => `${reason} ${count}`).join(', ') || 'none'

const ROWS: readonly Row[] = [
  ['ticks accepted', ({ tally }) => tally.taken],
  ['ticks refused', ({ tally }) => byReason(tally.refusedTicks)],
  ['positions opened', ({ tally }) => tally.opened],
  ['pending orders placed', ({ tally }) => tally.placed],
  ['commands refused', ({ tally }) => byReason(tally.refusedCommands)],
  ['closed at stop loss', ({ tally }) => tally.stopLosses],
  ['closed at take profit', ({ tally }) => tally.takeProfits],
  ['accounts stopped out', ({ tally }) => tally.stoppedOutAccounts.size],
  ['positions stopped out', ({ tally }) => tally.stoppedOutPositions],
  ['shortfalls covered', ({ tally }) => tally.shortfalls],
  ['covered in total, USD', ({ tally }) => formatDecimal(tally.shortfallSum, MONEY_DECIMALS)],
  ['rollovers charged', ({ tally }) => tally.nights.size],
  ['swaps booked', ({ tally }) => tally.swaps],
  ['checked', ({ verdict }) => verdict],
  ['verify', ({ faults }) => (faults.length === 0 ? 'no difference' : (faults[0] ?? ''))],
]

function table(played: readonly { night: Night; result: Played }[]): string {
  const lines = [
    ['', ...played.map(({ night }) => `${night.name}, ${new Date(night.from).toISOString().slice(0, 10)}`)],
    ['---', ...played.map(() => '---')],
    ...ROWS.map(([name, cell]) => [name, ...played.map(({ result }) => String(cell(result)))]),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = CANNOT_RUN
}
