import type { Floor } from './floor.ts'
import type { Strike } from './round.ts'
import type { Tally } from './tally.ts'
import { pause } from '../testing/wait.ts'

/** Given to the server for these rounds: a price is stale after this. */
export const FRESHNESS_MS = 1_000
const TOO_LARGE_BYTES = 2_000_000
const NEST_DEPTH = 5_000

/** No price arrives any more: nothing is filled at the last one, nothing fires. */
export const silenceFeed: Strike = async ({ source, watched, traders, idOf }, tally) => {
  source.mode = 'silent'
  await pause(FRESHNESS_MS + 300)
  const [trader] = traders
  const note = await trader?.submit({ instrumentId: idOf('EURUSD'), side: 'buy' })
  if (note?.reason !== 'stalePrice')
    tally.wrong.push(`an order at a stale price was ${note?.told} (${note?.reason})`)
  if (!(await watched.isWaiting())) tally.wrong.push('an order fired while there were no prices')
  watched.jump('always')
  source.mode = 'moving'
  source.tellAll()
  return performance.now()
}

/** Prices that are none, between sound ones: nothing fires, nothing breaks. */
export const maddenFeed: Strike = async (floor, tally) => {
  const { source, watched, random } = floor
  for (const frame of madFrames(floor)) {
    source.tell(frame)
    source.tellAll()
    await pause(random.int(0, 20))
  }
  await pause(300)
  await expectCalm(floor, tally)
  // Too large for any listener: the connection ends and is made anew.
  source.tell('x'.repeat(TOO_LARGE_BYTES))
  await pause(700)
  await expectCalm(floor, tally)
  watched.jump('always')
  return performance.now()
}

async function expectCalm({ watched, server }: Floor, tally: Tally): Promise<void> {
  if (!server.isRunning()) tally.wrong.push('the server ended of a mad price')
  else if (!(await watched.isWaiting())) tally.wrong.push('an order fired at a mad price')
}

/** Each would trigger a watched order, fill at nonsense or break a reader, were it believed. */
function madFrames({ source }: Floor): (string | Uint8Array)[] {
  const sound = { symbol: 'GBPUSD', bid: source.bid('GBPUSD') / 1e5, ask: source.ask('GBPUSD') / 1e5 }
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
      [0, sound.ask],
      [-sound.bid, sound.ask],
      [-2, -1],
      ['0x1', '0x2'],
      ['1e-3', '1e-3'],
    ] as const),
    ...([
      [sound.ask * 1.01, sound.bid * 0.99],
      [1e300, 1e300],
      [1e-300, 1e-300],
      [99_999_999, 99_999_999],
    ] as const),
    ...([
      [sound.bid / 2, sound.ask / 2],
      [sound.bid * 2, sound.ask * 2],
      [sound.bid / 2, sound.ask * 2],
    ] as const),
  ]
  const priced = pairs.map(([bid, ask]) => JSON.stringify({ ...sound, bid, ask }))
  const shaken = ['EURUSD', 'USDCHF', 'NOSUCH', '__proto__', '', 'x'.repeat(500)].map((symbol) =>
    JSON.stringify({ ...sound, symbol, bid: 1e-5, ask: 2e5 }),
  )
  const low = { bid: sound.bid - 0.002, ask: sound.ask - 0.002 }
  const timed = [1, -1, Date.now() + 3_600_000, 1e300, 'now', {}].map((time) =>
    JSON.stringify({ ...sound, ...low, time }),
  )
  const nested = `${'['.repeat(NEST_DEPTH)}${']'.repeat(NEST_DEPTH)}`
  const garbage = ['', '\n\n', '{', 'null', '[]', '"GBPUSD"', '{"symbol":"GBPUSD"', nested, '\u0000\uffff']
  return [...priced, ...shaken, ...timed, ...garbage, Uint8Array.of(0, 255, 1, 254), new Uint8Array(0)]
}
