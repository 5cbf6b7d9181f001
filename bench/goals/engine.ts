import { findBrokenLink } from '../../apps/server/src/engine/journal.ts'
import { ledgerFaults } from '../../apps/server/src/testing/ledger-faults.ts'
import { cleanly, type Later } from '../cleanly.ts'
import { startBenchEngine, trade, type BenchEngine } from '../engine-load.ts'
import { preparePgbench } from '../postgres/pgbench.ts'
import { attempt, inTurns, median, perSecond, ratioOf, type Extent, type Line } from '../reading.ts'

const ROUNDS = 3
const PGBENCH_SECONDS = 3
const WARM_SECONDS = 1
const BURSTS = 3
const BURST_SECONDS = 1
const SUSTAINED_SECONDS = 6
const LONG_SECONDS = 60

/** P1: how fast orders are answered from the journal. P2: the same while all tables are followed up. */
export const measureEngine = ({ isLong }: Extent): Promise<Line[]> =>
  cleanly((later) => measure(later, isLong ? LONG_SECONDS : SUSTAINED_SECONDS))

async function measure(later: Later, seconds: number): Promise<Line[]> {
  const pgbench = later(await preparePgbench())
  const drains: number[] = []
  const costs: number[] = []
  const burst = (inFlight: number) => () =>
    withEngine((bench) => measureBurst(bench, inFlight, { drains, costs }))
  const sustained = attempt(() => withEngine((bench) => measureSustained(bench, seconds)))
  const rounds = await inTurns(ROUNDS, {
    pgbench: () => pgbench.run(PGBENCH_SECONDS),
    burst32: burst(32),
    burst1024: burst(1_024),
    sustained: sustained.measure,
  })
  const yardstick = `pgbench TPC-B, 32 clients: ${perSecond(median(rounds.pgbench))}`
  const line = (goal: string, what: string, figures: readonly number[], atLeast: number): Line => ({
    goal,
    what,
    measured: perSecond(median(figures)),
    yardstick,
    ratio: ratioOf(figures, rounds.pgbench),
    target: { atLeast },
  })
  const what = `... with all tables followed, ${seconds} s`
  return [
    {
      ...line('P1', 'durable answers inside the server, 32 in flight', rounds.burst32, 15),
      note: `bursts of ${BURST_SECONDS} s; the tables follow behind, and had caught up ${median(drains).toFixed(1)} s after a burst. Half of the answers open a position, half close one. ${median(costs).toFixed(0)} µs of processor time an answer: all of this process, the traders too, while it bursts.`,
    },
    line('P1', '... 1,024 in flight', rounds.burst1024, 15),
    sustained.failure() === null
      ? {
          ...line('P2', what, rounds.sustained, 8),
          note: 'the time until the tables have caught up counts too; ledger and chain are checked afterwards.',
        }
      : { goal: 'P2', what, because: sustained.failure() ?? '' },
  ]
}

const withEngine = (measureIt: (bench: BenchEngine) => Promise<number>): Promise<number> =>
  cleanly(async (later) => {
    const bench = later(await startBenchEngine())
    await trade(bench, { inFlight: 32, seconds: WARM_SECONDS })
    await bench.engine.caughtUp()
    return measureIt(bench)
  })

/** The median of a few bursts: the first is still warming up, and any may meet a checkpoint of the database. */
async function measureBurst(
  bench: BenchEngine,
  inFlight: number,
  { drains, costs }: { readonly drains: number[]; readonly costs: number[] },
): Promise<number> {
  const rates: number[] = []
  while (rates.length < BURSTS) {
    const start = performance.now()
    const before = process.cpuUsage()
    const answers = await trade(bench, { inFlight, seconds: BURST_SECONDS })
    const { user, system } = process.cpuUsage(before)
    const end = performance.now()
    costs.push((user + system) / answers)
    await bench.engine.caughtUp()
    drains.push((performance.now() - end) / 1_000)
    rates.push((answers * 1_000) / (end - start))
  }
  return median(rates)
}

async function measureSustained(bench: BenchEngine, seconds: number): Promise<number> {
  const start = performance.now()
  const answers = await trade(bench, { inFlight: 32, seconds })
  await bench.engine.caughtUp()
  const rate = (answers * 1_000) / (performance.now() - start)
  const faults = await ledgerFaults(bench.database.queries)
  const broken = await findBrokenLink(bench.database.queries)
  if (faults.length > 0 || broken !== null)
    throw new Error(`the tables are wrong: ${faults[0] ?? `row ${broken}`}`)
  return rate
}
