import type { Harness } from './harness.ts'
import type { Strike } from './round.ts'
import type { Tally } from './tally.ts'
import { pause } from '../testing/wait.ts'

/** Setting of the server in these rounds: a price is stale after this. */
export const FRESHNESS_MS = 1_000
const TOO_LARGE_BYTES = 2_000_000
const NEST_DEPTH = 5_000

/** No price arrives: nothing is filled at the last one, and nothing fires. */
export const silenceFeed: Strike = async ({ source, watched, traders, idOf }, tally) => {
  source.mode = 'silent'
  await pause(FRESHNESS_MS + 300)
  const [trader] = traders
  const note = await trader?.submit({ instrumentId: idOf('EURUSD'), side: 'buy' })
  if (note?.reason !== 'stalePrice')
    tally.wrong.push(`an order at a stale price was ${note?.reading} (${note?.reason})`)
  if (!(await watched.isWaiting())) tally.wrong.push('an order fired while there were no prices')
  watched.jump('always')
  source.mode = 'moving'
  source.publishAll()
  return performance.now()
}

/** Invalid prices between valid ones: nothing fires, nothing breaks. */
export const corruptFeed: Strike = async (harness, tally) => {
  const { source, watched, random } = harness
  for (const frame of corruptFrames(harness)) {
    source.publish(frame)
    source.publishAll()
    await pause(random.int(0, 20))
  }
  await pause(300)
  await expectCalm(harness, tally)
  // Too large for any listener: the connection is closed and reopened.
  source.publish('x'.repeat(TOO_LARGE_BYTES))
  await pause(700)
  await expectCalm(harness, tally)
  watched.jump('always')
  return performance.now()
}

async function expectCalm({ watched, server }: Harness, tally: Tally): Promise<void> {
  if (!server.isRunning()) tally.wrong.push('a wrong price ended the server')
  else if (!(await watched.isWaiting())) tally.wrong.push('an order fired at a corrupt price')
}

/** Each would trigger a watched order, fill at a wrong price or break a parser, if it were accepted. */
function corruptFrames({ source }: Harness): (string | Uint8Array)[] {
  const valid = { symbol: 'GBPUSD', bid: source.bid('GBPUSD') / 1e5, ask: source.ask('GBPUSD') / 1e5 }
  const pairs: readonly (readonly [unknown, unknown])[] = [
    ...([
      ['NaN', 'NaN'],
      ['Infinity', 'Infinity'],
      [null, null],
      ['', ''],
      [[], {}],
      [true, false],
    ] as const),
    ...([
      [0, 0],
      [0, valid.ask],
      [-valid.bid, valid.ask],
      [-2, -1],
      ['0x1', '0x2'],
      ['1e-3', '1e-3'],
    ] as const),
    ...([
      [valid.ask * 1.01, valid.bid * 0.99],
      [1e300, 1e300],
      [1e-300, 1e-300],
      [99_999_999, 99_999_999],
    ] as const),
    ...([
      [valid.bid / 2, valid.ask / 2],
      [valid.bid * 2, valid.ask * 2],
      [valid.bid / 2, valid.ask * 2],
    ] as const),
  ]
  const priced = pairs.map(([bid, ask]) => JSON.stringify({ ...valid, bid, ask }))
  const shaken = ['EURUSD', 'USDCHF', 'NOSUCH', '__proto__', '', 'x'.repeat(500)].map((symbol) =>
    JSON.stringify({ ...valid, symbol, bid: 1e-5, ask: 2e5 }),
  )
  const low = { bid: valid.bid - 0.002, ask: valid.ask - 0.002 }
  const timed = [1, -1, Date.now() + 3_600_000, 1e300, 'now', {}].map((time) =>
    JSON.stringify({ ...valid, ...low, time }),
  )
  const nested = `${'['.repeat(NEST_DEPTH)}${']'.repeat(NEST_DEPTH)}`
  const garbage = ['', '\n\n', '{', 'null', '[]', '"GBPUSD"', '{"symbol":"GBPUSD"', nested, '\u0000\uffff']
  return [...priced, ...shaken, ...timed, ...garbage, Uint8Array.of(0, 255, 1, 254), new Uint8Array(0)]
}
