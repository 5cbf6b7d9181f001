import { withCleanup, type Later } from '../with-cleanup.ts'
import { startHttpBench } from '../http-load.ts'
import { preparePgbench } from '../postgres/pgbench.ts'
import { inTurns, median, perSecond, ratioOf, type Line } from '../measurement.ts'

const ROUNDS = 3
const SECONDS = 3
const WARM_SECONDS = 2

/** P3: orders over HTTP with all checks, from the request to the answer that the order is in the journal. */
export const measureHttp = (): Promise<Line[]> => withCleanup(measure)

async function measure(later: Later): Promise<Line[]> {
  const pgbench = later(await preparePgbench())
  const grouped = later(await startHttpBench())
  const single = later(await startHttpBench(1))
  for (const bench of [grouped, single]) await bench.order(WARM_SECONDS)
  const rounds = await inTurns(ROUNDS, {
    pgbench: () => pgbench.run(SECONDS),
    grouped: () => grouped.order(SECONDS),
    single: () => single.order(SECONDS),
  })
  const what = 'order by HTTP until it is in the journal, 32 connections'
  const measured = perSecond(median(rounds.grouped))
  return [
    {
      goal: 'P3',
      what,
      measured,
      yardstick: `pgbench TPC-B, 32 clients: ${perSecond(median(rounds.pgbench))}`,
      ratio: ratioOf(rounds.grouped, rounds.pgbench),
      target: { atLeast: 4 },
      note: 'server, load and database share this machine; the tables lag behind.',
    },
    {
      goal: 'P3',
      what: '... the same',
      measured,
      yardstick: `one commit per order, same route: ${perSecond(median(rounds.single))}`,
      ratio: ratioOf(rounds.grouped, rounds.single),
      target: { atLeast: 5 },
    },
  ]
}
