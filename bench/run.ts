// `npm run bench`: the speed goals as ratios, each with its yardstick from the same run.
//   -- P1 P5   only these     -- --long   the slow ones as well     -- --json   for programs
//   -- --part=100   a hundredth of the sizes: tries the benchmarks, the figures say little
import { measureCopying } from './goals/copying.ts'
import { measureEngine } from './goals/engine.ts'
import { measureFirstVisit } from './goals/first-visit.ts'
import { measureHomeList } from './goals/home-list.ts'
import { measureHttp } from './goals/http.ts'
import { measureRanking } from './goals/ranking.ts'
import { measureRollover } from './goals/rollover.ts'
import { measureIdleMemory } from './goals/idle-memory.ts'
import { measureRestart } from './goals/restart.ts'
import { measureSizes } from './goals/sizes.ts'
import { measureSockets } from './goals/sockets.ts'
import { measureStopOuts } from './goals/stop-outs.ts'
import { measureTicks } from './goals/ticks.ts'
import { linesOrWhy, type Extent, type Line } from './measurement.ts'
import { tableOf } from './table.ts'

type Bench = {
  readonly goals: readonly string[]
  readonly what: string
  run(extent: Extent): Promise<readonly Line[]>
}

const BENCHES: readonly Bench[] = [
  { goals: ['P1', 'P2'], what: 'durable acknowledgements', run: measureEngine },
  { goals: ['P3'], what: 'orders by HTTP', run: measureHttp },
  { goals: ['P4'], what: 'restart', run: measureRestart },
  { goals: ['P5'], what: 'ticks over many positions', run: measureTicks },
  { goals: ['P6'], what: 'prices that close thousands of positions', run: measureStopOuts },
  { goals: ['P7', 'P8'], what: 'prices to thousands of sockets', run: measureSockets },
  { goals: ['P9'], what: 'JavaScript a route needs', run: measureSizes },
  { goals: ['P10'], what: 'first visit on a phone', run: measureFirstVisit },
  { goals: ['P11'], what: 'the home list while prices move', run: measureHomeList },
  { goals: ['P12'], what: 'idle memory', run: measureIdleMemory },
  { goals: ['P13'], what: 'a rollover over many positions', run: measureRollover },
  { goals: ['P14'], what: 'a provider with many copies', run: measureCopying },
  { goals: ['P15'], what: 'the ranking of many strategies', run: measureRanking },
]

const options = process.argv.slice(2)
const extent: Extent = {
  isLong: options.includes('--long'),
  part: Number(options.find((option) => option.startsWith('--part='))?.slice('--part='.length) ?? 1),
}
const isJson = options.includes('--json')
const wanted = options.filter((option) => /^P\d+$/i.test(option)).map((option) => option.toUpperCase())
const isWanted = ({ goals }: Bench): boolean =>
  wanted.length === 0 || goals.some((goal) => wanted.includes(goal))

async function measure({ goals, what, run }: Bench): Promise<readonly Line[]> {
  if (!isJson) console.error(`measuring ${goals.join(', ')} ...`)
  return linesOrWhy({ goal: goals.join(', '), what }, () => run(extent))
}

const lines: Line[] = []
for (const bench of BENCHES.filter(isWanted)) lines.push(...(await measure(bench)))
console.log(isJson ? JSON.stringify(lines, null, 2) : tableOf(lines))
