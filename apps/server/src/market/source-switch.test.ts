import { expect, onTestFinished, test } from 'vitest'
import { realPace } from './feeds/clock.ts'
import { CLAIM_MS } from './feeds/feed-router.ts'
import { openPriceSource } from '../../../../testing/price-source.ts'
import { makePlace, startServer } from '../testing/running-server.ts'
import { changeInstrument } from '../testing/engine-setup.ts'
import { verify } from '../verify/verify.ts'

const EURUSD = 1

test('journals hours and kind of a source before its first price at every takeover', async () => {
  const place = await makePlace('sqlite')
  onTestFinished(place.remove)
  const source = await openPriceSource()
  onTestFinished(() => source.close())
  let ahead = 0
  const server = await startServer(place, {
    env: { FEED: `${source.url},simulated:1`, MARKET_HOURS: '' },
    pace: { now: () => realPace.now() + ahead, wall: () => realPace.wall() + ahead, wait: realPace.wait },
  })
  const { engine, market } = server.deployment
  // One that trades around the clock, also on the day of this run.
  const { id, priceDecimals } = market.registry.byCode.get('BTCUSD')?.instrument ?? {
    id: 0,
    priceDecimals: 0,
  }
  /** The terms in force at each of its published prices. */
  const seen: string[] = []
  engine.onQuote(({ instrumentId, source: name }) => {
    if (instrumentId !== id) return
    const { kind, hours } = engine.state().sources.get(id) ?? {}
    const line = `${name.split(':')[0]}: ${kind}, ${hours}`
    if (seen.at(-1) !== line) seen.push(line)
  })
  expect(engine.state().sources.get(id)).toMatchObject({ kind: 'live', hours: 'session' })
  // The live source has sent nothing in its time.
  ahead = CLAIM_MS
  await expect.poll(() => market.quoteOf(id)?.source, { timeout: 15_000 }).toBe('simulated')
  expect(market.sourceOf(id)).toBe('simulated')
  const { bid = 0, ask = 0 } = market.quoteOf(id) ?? {}
  await source.send(
    JSON.stringify({ symbol: 'BTCUSD', bid: bid / 10 ** priceDecimals, ask: ask / 10 ** priceDecimals }),
  )
  await expect.poll(() => market.sourceOf(id)).toBe('live')
  await expect.poll(() => market.quoteOf(id)?.source).toContain('ws')
  await expect.poll(() => seen).toEqual(['simulated: simulated, always', 'ws: live, session'])
  await engine.caughtUp()
  const changes = await server.deployment.database.queries
    .selectFrom('terms_change')
    .selectAll()
    .where('kind', '=', 'source')
    .where('subject', '=', String(id))
    .execute()
  expect(changes.map(({ author }) => author)).toEqual(Array(3).fill('{"type":"deployment"}'))
  await server.stop()
  expect(server.failures).toEqual([])
})

test('journals each takeover between ordered sources, and the guard checks the first price', async () => {
  const place = await makePlace('sqlite')
  onTestFinished(place.remove)
  const [one, two] = [await openPriceSource(), await openPriceSource()]
  onTestFinished(() => [one, two].forEach((source) => source.close()))
  let ahead = 0
  const server = await startServer(place, {
    env: { FEED: `${one.url},${two.url}`, MARKET_HOURS: 'always' },
    pace: { now: () => realPace.now() + ahead, wall: () => realPace.wall() + ahead, wait: realPace.wait },
  })
  const { engine, database, market } = server.deployment
  const [nameOfOne, nameOfTwo] = [one, two].map(({ url }) => url.replace('ws://', 'ws:'))
  const send = (source: typeof one, bid: number) =>
    source.send(JSON.stringify({ symbol: 'EURUSD', bid, ask: bid + 0.00006 }))
  const source = () => engine.state().sources.get(EURUSD)
  await changeInstrument(engine, EURUSD, { sourceOrder: [nameOfTwo ?? '', nameOfOne ?? ''] })
  await send(two, 1.1)
  await expect.poll(source).toMatchObject({ kind: 'live', name: nameOfTwo })
  ahead = 60_000
  // Far beyond ten bands, so it is held, as after any takeover.
  await send(one, 1.4)
  await expect.poll(source).toMatchObject({ kind: 'live', name: nameOfOne })
  await expect.poll(() => market.intake.refusals(EURUSD).suspect).toBe(1)
  expect(market.quoteOf(EURUSD)?.source).toBe(nameOfTwo)
  await send(one, 1.11)
  await expect.poll(() => market.quoteOf(EURUSD)).toMatchObject({ bid: 111_000, source: nameOfOne })
  ahead = 120_000
  await send(two, 1.112)
  await expect.poll(() => market.quoteOf(EURUSD)).toMatchObject({ bid: 111_200, source: nameOfTwo })
  await engine.caughtUp()
  expect((await verify(database)).difference).toBeNull()
  await server.stop()
  expect(server.failures).toEqual([])
})
