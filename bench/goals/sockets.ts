import { readFileSync } from 'node:fs'
import { freePort } from '../../testing/free-port.ts'
import { GENEROUS_LIMITS } from '../../testing/generous-limits.ts'
import { createServerProcess, type ServerProcess } from '../../testing/server-process.ts'
import { withCleanup, type Later } from '../with-cleanup.ts'
import { openMovingPrices } from '../phone/moving-prices.ts'
import { Missing, type Extent, type Line } from '../measurement.ts'
import { openReaders, type Readers } from '../sockets/open-readers.ts'

const SOCKETS = 10_000
const SECONDS = 10
const ROUNDS_PER_SECOND = 5
/** Unit of processor time in /proc. */
const TICKS_PER_SECOND = 100

/** P7 and P8: prices from one process to thousands of sockets, and their size on the wire. */
export const measureSockets = ({ part }: Extent): Promise<Line[]> =>
  withCleanup((later) => measure(later, Math.ceil(SOCKETS / part)))

async function measure(later: Later, sockets: number): Promise<Line[]> {
  const prices = later(await openMovingPrices())
  const env = { ...GENEROUS_LIMITS, FEED: prices.url, MARKET_HOURS: 'always', LOG_LEVEL: 'error' }
  const server = later(await createServerProcess({ env }))
  server.start()
  await server.started()
  const plain = later(await openReaders(server.url, 1, true))
  const size = await plain.count(SECONDS)
  const ours = await loaded(server, sockets)
  const bytes = ours.seen.bytes / ours.seen.frames
  const raw = await rawWriter(Math.round(bytes), sockets)
  const what = `${sockets.toLocaleString('en')} sockets, 55 prices 5 times a second`
  const note =
    'every price of every instrument moves in each round. The readers are a process of their own on this machine; lateness is counted from the first reader of a round.'
  return [
    {
      goal: 'P7',
      what: `${what}: processor, cores`,
      measured: ours.cores.toFixed(2),
      note,
      yardstick: `${ours.seen.rounds} rounds in ${SECONDS} s`,
      ratio: ours.cores,
      target: { atMost: 1 },
    },
    {
      goal: 'P7',
      what: '... how late 99 of 100 readers are at most, ms',
      measured: `${ours.seen.spreadP99Ms.toFixed(0)} ms`,
      ratio: ours.seen.spreadP99Ms,
      yardstick: `raw TCP writer: ${raw.seen.spreadP99Ms.toFixed(0)} ms`,
      target: { atMost: 20 },
    },
    {
      goal: 'P7',
      what: '... processor, against a raw TCP writer of the same bytes',
      measured: ours.cores.toFixed(2),
      yardstick: `raw TCP writer: ${raw.cores.toFixed(2)}`,
      ratio: ours.cores / raw.cores,
      target: { atMost: 1.3 },
    },
    {
      goal: 'P8',
      what: 'bytes of a frame of 55 prices on the wire',
      measured: `${bytes.toFixed(0)}`,
      yardstick: `as plain JSON: ${(size.bytes / size.frames).toFixed(0)}`,
      ratio: bytes / (size.bytes / size.frames),
      target: { atMost: 0.25 },
    },
  ]
}

type Load = { readonly cores: number; readonly seen: Awaited<ReturnType<Readers['count']>> }

/** The load of so many readers on a process that sends to them. */
const loaded = ({ url, pid }: ServerProcess, sockets: number): Promise<Load> =>
  withCleanup(async (later) => {
    const readers = later(await openReaders(url, sockets))
    await readers.count(1)
    const before = processorSeconds(pid())
    const begin = performance.now()
    const seen = await readers.count(SECONDS)
    const cores = ((processorSeconds(pid()) - before) * 1_000) / (performance.now() - begin)
    return { cores, seen }
  })

const rawWriter = (bytes: number, sockets: number): Promise<Load> =>
  withCleanup(async (later) => {
    const port = String(await freePort())
    const writer = await createServerProcess({
      program: 'bench/sockets/raw-writer.ts',
      env: { PORT: port },
      args: [port, String(bytes), String(ROUNDS_PER_SECOND)],
    })
    later(writer)
    writer.start()
    await writer.started()
    return loaded(writer, sockets)
  })

/** User and system time of a process so far. */
function processorSeconds(pid: number): number {
  try {
    const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(after[11]) + Number(after[12])) / TICKS_PER_SECOND
  } catch {
    throw new Missing(`/proc/${pid}/stat cannot be read here`)
  }
}
