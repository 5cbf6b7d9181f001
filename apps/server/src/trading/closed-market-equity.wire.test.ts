import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newTrader, type Trader } from '../../../../testing/traders.ts'
import { call } from '../testing/calls.ts'
import { makePlace, startServer, type RunningServer } from '../testing/running-server.ts'
import { createSteppedPace } from '../testing/stepped-pace.ts'

const FRIDAY = Date.parse('2024-05-03T20:54:00Z')
const SATURDAY = Date.parse('2024-05-04T12:00:00Z')
const SECOND = 1_000

/** Three ticks of the closed pair, each within the band of the one before. */
const FALL = [1.08, 1.061, 1.042].map((bid, index) => [SATURDAY + index * 2 * SECOND, bid, bid + 0.00006])
const EURUSD = [[FRIDAY, 1.1, 1.10006], [FRIDAY + SECOND, 1.1, 1.10006], ...FALL]
/** Its own price does not move. */
const BTCUSD = [0, SECOND]
  .map((ms) => FRIDAY + ms)
  .concat([-1, 1, 3, 5, 7].map((seconds) => SATURDAY + seconds * SECOND))
  .map((at) => [at, 65_000, 65_020])

const folder = mkdtempSync(join(tmpdir(), 'fairlot-closed-'))
const pace = createSteppedPace(FRIDAY)
let place: Awaited<ReturnType<typeof makePlace>>
let server: RunningServer
let trader: Trader

beforeAll(async () => {
  const rows = (ticks: readonly (readonly number[])[]) => ['ts_ms,bid,ask', ...ticks].join('\n')
  writeFileSync(join(folder, 'EURUSD.csv'), rows(EURUSD))
  writeFileSync(join(folder, 'BTCUSD.csv'), rows(BTCUSD))
  place = await makePlace('sqlite')
  server = await startServer(place, {
    pace,
    env: { FEED: `replay:${folder}?loop=off`, MARKET_HOURS: 'real', SETTING_FRESHNESS_MS: '5000' },
  })
  await pace.to(FRIDAY + SECOND)
  trader = await newTrader(server)
})
afterAll(async () => {
  await server.stop()
  await place.remove()
  rmSync(folder, { recursive: true })
  expect(server.failures).toEqual([])
})

const request = async (path: string, body?: object) => {
  const headers = { authorization: trader.token, lang: 'en' }
  const answer = await call(server, `/v1/api/${path}`, { headers, ...(body && { body }) })
  return answer.body?.data as Record<string, unknown>
}
const idOf = (code: string) => server.deployment.market.registry.byCode.get(code)?.instrument.id
const open = async (code: string, cont: number, multiple: number) =>
  (await request('forex/submit', { type: 1, status: 1, forex_id: idOf(code), cont, multiple }))['Id']

test('nobody is stopped out, and no alert fires, by ticks of a closed market', async () => {
  const euro = await open('EURUSD', 24, 30)
  const bitcoin = await open('BTCUSD', 0.1, 2)
  const alert = { kind: 'price', forex_id: idOf('EURUSD'), side: 'bid', direction: 'below', price: '1.07' }
  const { id } = await request('forex/set_alert', alert)
  await pace.to(SATURDAY - SECOND)
  const before = await request('main/account/figures')
  await pace.to(SATURDAY + 8 * SECOND)

  expect(await request('main/account/figures')).toEqual({ ...before, computed_at: SATURDAY + 8 * SECOND })
  const { data } = await request('forex/my_deal?status=1')
  expect((data as { Id: number }[]).map(({ Id }) => Id)).toEqual([bitcoin, euro])
  expect(await request('forex/alerts')).toMatchObject({ data: [{ id, state: 'waiting' }] })
  // What the ranking and the risk page value positions by.
  expect(server.deployment.engine.state().quotes.get(idOf('EURUSD') ?? 0)).toMatchObject({ bid: 110_000 })
})
