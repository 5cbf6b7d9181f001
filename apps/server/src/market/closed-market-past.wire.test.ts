import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { makePlace, startServer, type RunningServer } from '../testing/running-server.ts'
import { createSteppedPace } from '../testing/stepped-pace.ts'

const WEDNESDAY = Date.parse('2026-06-17T12:00:00Z')
const WEEKEND = new Set(['Fri', 'Sat'])

let place: Awaited<ReturnType<typeof makePlace>>
let server: RunningServer

beforeAll(async () => {
  place = await makePlace('sqlite')
  server = await startServer(place, {
    pace: createSteppedPace(WEDNESDAY),
    env: { FEED: 'simulated:1', MARKET_HOURS: 'real' },
  })
})
afterAll(async () => {
  await server.stop()
  await place.remove()
  expect(server.failures).toEqual([])
})

const barsOf = async (code: string, period: string) => {
  const get = async (path: string) => (await call(server, `/v1/api/forex/${path}`)).body?.data
  const [{ Id } = { Id: 0 }] = (await get(`trade_list?searchCurrency=${code}`)) as { Id: number }[]
  return (await get(`kline?forex_id=${Id}&period=${period}&limit=1000`)) as { Time: number }[]
}

const NEW_YORK = new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', weekday: 'short' })

test('the past of a simulated market with real hours has five days a week, and seven where it never closes', async () => {
  const euro = await barsOf('EURUSD', '1day')
  expect(euro.length).toBeGreaterThan(200)
  // A trading day begins at 17:00: those that begin on Friday and Saturday have no open moment.
  expect(euro.filter(({ Time }) => WEEKEND.has(NEW_YORK.format(Time)))).toEqual([])
  const bitcoin = await barsOf('BTCUSD', '1day')
  const gaps = bitcoin.map(({ Time }, index) => Time - (bitcoin[index - 1]?.Time ?? Time - 86_400_000))
  expect(new Set(gaps)).toEqual(new Set([86_400_000]))
})
