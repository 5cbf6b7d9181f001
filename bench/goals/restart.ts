import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { startServerOn } from '../../testing/server-process.ts'
import { writeCrowd, type Crowd, type OpenPrices } from '../postgres/crowd.ts'
import { benchDatabase } from '../postgres/pgbench.ts'
import { median, type Extent, type Line } from '../measurement.ts'
import { firstPrice, npmStart } from '../npm-start.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ACCOUNTS = 200_000
const POSITIONS = 1_000_000
const REQUESTS = 1_000_000
const INSTRUMENTS = 10
const ROUNDS = 3

/** P4: the time a restarted server needs until it watches every position, and until the first price. */
export async function measureRestart({ part }: Extent): Promise<Line[]> {
  const empty = await restartsAt(null)
  const crowded = await restartsAt({
    accounts: ACCOUNTS / part,
    positions: POSITIONS / part,
    requests: REQUESTS / part,
  })
  const warm = await warmStarts()
  return [
    {
      goal: 'P4',
      what: 'restart with 1,000,000 open positions, until all are watched and prices move',
      measured: inSeconds(median(crowded)),
      yardstick: `the same without a position: ${inSeconds(median(empty))}`,
      ratio: median(crowded),
      target: { atMost: 10 },
      note: 'the ratio is the figure itself, in seconds. 200,000 accounts and 1,000,000 accepted requests on PostgreSQL; every position has two stops.',
    },
    {
      goal: 'P4',
      what: 'later `npm start` on an empty database, until the first price',
      measured: inSeconds(median(warm.later)),
      yardstick: `the first one: ${inSeconds(warm.first)}`,
      ratio: median(warm.later),
      target: { atMost: 1 },
      note: 'the ratio is the figure itself, in seconds. Embedded database, one instance after the other.',
    },
  ]
}

const inSeconds = (seconds: number): string => `${seconds.toFixed(2)} s`

/** Seconds from the command to the line that says it is ready, for each restart. */
async function restartsAt(crowd: Omit<Crowd, 'openPrices'> | null): Promise<number[]> {
  const place = await benchDatabase()
  const start = () => startServerOn({ databaseUrl: place.url, dataDir: '' }, { FEED: 'simulated:1' })
  try {
    const first = await start()
    // A server stopped before its first price leaves none at which positions can have been opened.
    await firstPrice(first.url, () => true)
    await first.stop()
    if (crowd) await writeCrowd(place.url, { ...crowd, openPrices: await openPricesOf(place.url) })
    const seconds: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const begin = performance.now()
      const server = await start()
      seconds.push((performance.now() - begin) / 1_000)
      await server.kill()
    }
    return seconds
  } finally {
    await place.drop()
  }
}

/** The first instruments of the seed, at the last prices that the server saved. */
async function openPricesOf(url: string): Promise<OpenPrices> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string; price: string }>(
    'select instrument_id as id, (bid + ask) / 2 as price from quote where bid > 0 order by instrument_id limit $1',
    [INSTRUMENTS],
  )
  await client.end()
  return rows.map(({ id, price }) => ({ instrumentId: Number(id), price: Number(price) }))
}

async function warmStarts(): Promise<{ first: number; later: number[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-bench-'))
  const startAndStop = async () => {
    const started = await npmStart(ROOT, { dataDir })
    await started.stop()
    return started.firstPriceMs / 1_000
  }
  try {
    const first = await startAndStop()
    const later: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) later.push(await startAndStop())
    return { first, later }
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}
