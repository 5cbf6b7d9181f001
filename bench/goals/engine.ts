import { findBrokenLink } from '../../apps/server/src/engine/journal/journal.ts'
import { ledgerFaults } from '../../testing/ledger-faults.ts'
import { withCleanup, type Later } from '../with-cleanup.ts'
import { startBenchEngine, trade, type BenchEngine } from '../engine-load.ts'
import { preparePgbench } from '../postgres/pgbench.ts'
import { attempt, inTurns, median, perSecond, ratioOf, type Extent, type Line } from '../measurement.ts'

const ROUNDS = 3
const PGBENCH_SECONDS = 3
const WARM_SECONDS = 1
const BURSTS = 3
const BURST_SECONDS = 1
const SUSTAINED_SECONDS = 6
const LONG_SECONDS = 60

/** P1: how fast orders are answered from the journal. P2: the same until all tables have caught up. */
export const measureEngine = ({ isLong }: Extent): Promise<Line[]> =>
  withCleanup((later) => measure(later, isLong ? LONG_SECONDS : SUSTAINED_SECONDS))

async function measure(later: Later, seconds: number): Promise<Line[]> {
  const pgbench = later(await preparePgbench())
  const few: Cost = { drains: [], answering: [], inAll: [] }
  const many: Cost = { drains: [], answering: [], inAll: [] }
  const burst = (inFlight: number, cost: Cost) => () =>
    withEngine((bench) => measureBurst(bench, inFlight, cost))
  const sustained = attempt(() => withEngine((bench) => measureSustained(bench, seconds)))
  const rounds = await inTurns(ROUNDS, {
    pgbench: () => pgbench.run(PGBENCH_SECONDS),
    burst32: burst(32, few),
    burst1024: burst(1_024, many),
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
  return [
    {
      ...line('P1', `durable answers inside the server, 32 in flight; ${spent(few)}`, rounds.burst32, 18),
      note: `bursts of ${BURST_SECONDS} s; the tables lag behind, and had caught up ${median(few.drains).toFixed(1)} s after a burst. Half of the answers open a position, half close one. Processor time is that of the engine's process per order, without and with the tables.`,
    },
    line('P1', `... 1,024 in flight; ${spent(many)}`, rounds.burst1024, 25),
    sustainedLine(line, { seconds, figures: rounds.sustained, failure: sustained.failure() }),
  ]
}

/** Its checks read whole tables: where the database is too slow for them, only this line is missing. */
function sustainedLine(
  line: (goal: string, what: string, figures: readonly number[], atLeast: number) => Line,
  given: { readonly seconds: number; readonly figures: readonly number[]; readonly failure: string | null },
): Line {
  const what = `... with all tables caught up, ${given.seconds} s`
  if (given.failure !== null) return { goal: 'P2', what, because: given.failure }
  return {
    ...line('P2', what, given.figures, 8),
    note: 'the time until the tables have caught up counts too; ledger and chain are checked afterwards.',
  }
}

const withEngine = (measureIt: (bench: BenchEngine) => Promise<number>): Promise<number> =>
  withCleanup(async (later) => {
    const bench = later(await startBenchEngine())
    await trade(bench, { inFlight: 32, seconds: WARM_SECONDS })
    await bench.engine.caughtUp()
    return measureIt(bench)
  })

/**
 * The cost of bursts: seconds until the tables had caught up, and processor time per order in µs without and with the
 * tables.
 */
type Cost = { readonly drains: number[]; readonly answering: number[]; readonly inAll: number[] }

const spent = ({ answering, inAll }: Cost): string =>
  `${median(answering).toFixed(0)} µs of processor time (${median(inAll).toFixed(0)} with the tables)`

/** The median of a few bursts, because the first warms up and any may coincide with a checkpoint of the database. */
async function measureBurst(bench: BenchEngine, inFlight: number, cost: Cost): Promise<number> {
  const rates: number[] = []
  while (rates.length < BURSTS) {
    const start = performance.now()
    const idle = process.cpuUsage()
    const answers = await trade(bench, { inFlight, seconds: BURST_SECONDS })
    const end = performance.now()
    cost.answering.push(processorTime(idle) / answers)
    await bench.engine.caughtUp()
    cost.drains.push((performance.now() - end) / 1_000)
    cost.inAll.push(processorTime(idle) / answers)
    rates.push((answers * 1_000) / (end - start))
  }
  return median(rates)
}

/** Processor time of this process since a moment, µs. */
function processorTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return user + system
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
