/** Writes the databases of testing/fixtures: a small life in which everything has happened, over real HTTP. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { lots, price as ticks } from '@fairlot/core'
import { expect, test, vi } from 'vitest'
import { call } from './calls.ts'
import { newMember } from './accounts.ts'
import { openPriceSource, quote } from './price-source.ts'
import { DATABASES, makePlace, startServer } from './running-server.ts'
import { newTrader } from './traders.ts'
import { realPace } from '../feeds/pace.ts'
import { readInstruments } from '../market/catalogue.ts'

type Row = Record<string, unknown> & { Id: number }

const FOLDER = join(import.meta.dirname, 'fixtures')
const START = Date.UTC(2026, 0, 5, 15)
const MINUTE = 60_000
const HOUR = 3_600_000

const known: Record<string, unknown> = {}

test.each(DATABASES)('%s', { timeout: 120_000 }, async (kind) => {
  mkdirSync(FOLDER, { recursive: true })
  const place = await makePlace(kind)
  const source = await openPriceSource()
  const clock = { at: START }
  const pace = { now: () => clock.at, wait: realPace.wait }
  const env = { FEED: source.url, MARKET_HOURS: 'real' }
  let server = await startServer(place, {
    env,
    pace,
    prepare: async ({ queries }) => {
      for (const listed of await readInstruments(queries)) {
        const { categoryId: _, ...seed } = listed
        const instrument = { ...seed.instrument, swapRate: { buy: -2_500_000, sell: 1_500_000 } }
        await queries
          .updateTable('instrument')
          .set({ terms: JSON.stringify({ ...seed, instrument }) })
          .where('id', '=', BigInt(instrument.id))
          .execute()
      }
      const kept = {
        demo_balance: '50000',
        stop_out_level: '40',
        warning_level: '90',
        fee_type: 'rate',
        freshness_ms: '60000',
      }
      await queries
        .insertInto('setting')
        .values(Object.entries(kept).map(([name, value]) => ({ name, value })))
        .execute()
    },
  })
  const engine = () => server.deployment.engine
  const idOf = (code: string) => {
    const found = [...engine().state().instruments.values()].find((known) => known.code === code)
    if (!found) throw new Error(code)
    return found.id
  }
  const price = async (code: string, bid: number, spread = 0.00006) => {
    const digits = code.endsWith('JPY') ? 3 : 5
    const at = (value: number) => Number(value.toFixed(digits))
    await quote(source, engine(), code, [at(bid), at(bid + spread)])
  }
  /** A jump that the guard holds back until it is said once more. */
  const jump = async (code: string, bid: number, spread = 0.00006) => {
    clock.at += 1_000
    const digits = code.endsWith('JPY') ? 3 : 5
    const at = (value: number) => Number(value.toFixed(digits))
    await source.say(JSON.stringify({ symbol: code, bid: at(bid), ask: at(bid + spread) }))
    clock.at += 1_000
    await price(code, bid + 0.0001, spread)
  }
  const asked = (token: string) => async (path: string, body?: object, key?: string) => {
    const { body: answer } = await call(server, `/v1/api/${path}`, {
      headers: { authorization: token, lang: 'en', ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body && { body }),
    })
    if (answer?.code !== 1) throw new Error(`${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`)
    return answer.data as Row
  }
  const all = async () => {
    await price('EURUSD', 1.1)
    await price('GBPUSD', 1.3, 0.00009)
    await price('USDJPY', 150, 0.01)
    await price('EURGBP', 0.846, 0.0001)
    await price('AUDUSD', 0.66, 0.0001)
  }
  await all()

  const member = await newMember(server)
  const names = ['anna', 'ben', 'carl', 'dora', 'emil'] as const
  const tokens = {} as Record<(typeof names)[number], string>
  for (const name of names) tokens[name] = (await newTrader(server)).token
  const anna = asked(tokens.anna)
  const ben = asked(tokens.ben)
  const carl = asked(tokens.carl)
  const dora = asked(tokens.dora)
  const emil = asked(tokens.emil)
  const eur = idOf('EURUSD')
  const gbp = idOf('GBPUSD')
  const jpy = idOf('USDJPY')
  const cross = idOf('EURGBP')
  const buy = { type: 1, cont: 0.1, forex_id: eur, status: 1, multiple: 30 }

  // Anna: parts, stops, pending orders of both kinds, one cancelled, one that ends by itself.
  const first = await anna(
    'forex/submit',
    { ...buy, stop_loss_price: 1.05, target_profit_price: 1.2 },
    'anna 1',
  )
  await anna('forex/submit', { ...buy, stop_loss_price: 1.05, target_profit_price: 1.2 }, 'anna 1')
  await anna('forex/close', { id: first.Id, cont: 0.04 }, 'anna part')
  await anna('forex/set_stop_price', { id: first.Id, stop_loss_price: 1.06, target_profit_price: 1.21 })
  await anna('forex/set_stop_price', { id: first.Id, stop_loss_price: 1.04 })
  const waiting = { ...buy, status: 0 }
  const gone = await anna('forex/submit', { ...waiting, target_price: 1.03 })
  await anna('forex/cancel_trade', { id: gone.Id }, 'anna cancel')
  const expiring = await anna('forex/submit', {
    ...waiting,
    target_price: 1.02,
    expire_time: clock.at + 10 * MINUTE,
  })
  await anna('forex/submit', { ...waiting, target_price: 1.095, stop_loss_price: 1.01 })
  await anna('forex/submit', { ...waiting, target_price: 1.105, target_profit_price: 1.15 })
  await anna('forex/submit', { ...waiting, type: 2, forex_id: gbp, target_price: 1.45, cont: 0.03 })
  // Ben: reversal, a trailing stop that moves, one that fires, a take profit, a stop loss.
  const turned = await ben('forex/submit', { ...buy, cont: 0.5 })
  await ben('forex/reverse', { id: turned.Id }, 'ben reverse')
  const trailed = await ben('forex/submit', { ...buy, cont: 0.2 })
  await ben('forex/set_trailing', { id: trailed.Id, distance: 0.002 }, 'ben trail')
  await ben('forex/submit', { ...buy, forex_id: jpy, cont: 0.05, target_profit_price: 151 })
  await ben('forex/submit', { ...buy, forex_id: cross, cont: 0.05, stop_loss_price: 0.84 })
  clock.at += MINUTE
  await price('EURUSD', 1.104)
  await price('EURUSD', 1.1055)
  await price('EURUSD', 1.1034)
  await price('EURUSD', 1.0949)
  await price('USDJPY', 151.01, 0.01)
  await price('EURGBP', 0.8391, 0.0001)
  // Dora: closes all, and begins anew with living orders.
  await price('GBPUSD', 1.301, 0.00009)
  for (const forex_id of [eur, gbp, jpy]) await dora('forex/submit', { ...buy, forex_id, cont: 0.3 })
  await dora('forex/close_all', {}, 'dora all')
  await dora('forex/submit', { ...buy, type: 2, cont: 0.3 })
  await dora('forex/submit', { ...waiting, target_price: 1.04 })
  await dora('main/user/resetForexDemoAccount', {}, 'dora reset')
  await dora('forex/submit', { ...buy, forex_id: jpy, cont: 0.02 })
  // Operators halt and let go, allow cancelling only, and leave one halted.
  await engine().execute({ type: 'haltInstrument', instrumentId: gbp, reason: 'The exchange is down.' })
  await engine().execute({ type: 'haltInstrument', instrumentId: gbp, reason: null })
  await engine().execute({
    type: 'haltInstrument',
    instrumentId: idOf('AUDUSD'),
    reason: 'Prices are being checked.',
  })
  await engine().execute({ type: 'setTradingMode', mode: 'cancelOnly' })
  await engine().execute({ type: 'setTradingMode', mode: 'normal' })
  // Carl loses more than he has.
  await carl('forex/submit', { ...buy, cont: 12 })
  await carl('forex/submit', { ...buy, cont: 1 })
  await carl('forex/submit', { ...waiting, forex_id: gbp, target_price: 1.2, cont: 0.01 })
  await jump('EURUSD', 1.045)
  // Some act at the same moment: several entries in a row of the journal.
  await price('EURUSD', 1.05)
  await Promise.all(
    [anna, ben, dora, emil].map((one, index) =>
      one('forex/submit', { ...buy, type: 1 + (index % 2) }, `together ${index}`),
    ),
  )
  // Emil holds over three nights, the last of them three at once.
  await emil('forex/submit', { ...buy, forex_id: jpy, type: 2, cont: 0.7 })
  await emil('forex/submit', { ...buy, forex_id: gbp, cont: 0.2, multiple: 10 })
  await emil('forex/submit', { ...buy, forex_id: cross, type: 2, cont: 0.2 })
  for (const day of [5, 6, 7]) {
    clock.at = Date.UTC(2026, 0, day, 22, 10)
    await price('EURUSD', 1.05 + day / 10_000)
    await price('GBPUSD', 1.3 + day / 10_000, 0.00009)
    await price('USDJPY', 151 + day / 100, 0.01)
    await price('EURGBP', 0.84 + day / 10_000, 0.0001)
    const night = Date.UTC(2026, 0, day, 22)
    await vi.waitUntil(() => engine().state().lastRollover === night, { timeout: 10_000 })
  }
  await vi.waitUntil(() => !engine().state().orders.has(expiring.Id), { timeout: 10_000 })
  await engine().caughtUp()
  expect(server.failures).toEqual([])
  await server.stop()

  // A second run of the server.
  clock.at = Date.UTC(2026, 0, 8, 10)
  server = await startServer(place, { env, pace })
  await price('EURUSD', 1.0511)
  await price('GBPUSD', 1.3011, 0.00009)
  await price('USDJPY', 151.11, 0.01)
  await price('EURGBP', 0.8411, 0.0001)
  const later = await anna('forex/submit', { ...buy, forex_id: gbp, stop_loss_price: 1.2 }, 'anna later')
  await anna('forex/submit', { ...waiting, target_price: 1.02, expire_time: clock.at + 90 * HOUR })
  await ben('forex/set_trailing', {
    id: (await ben('forex/submit', { ...buy, cont: 0.2 }))['Id'],
    distance: 0.003,
  })
  clock.at += MINUTE
  await price('EURUSD', 1.053)
  await engine().caughtUp()

  const snapshot = join(FOLDER, 'first-journal.sqlite')
  rmSync(snapshot, { force: true })
  if (kind === 'sqlite') {
    // The last rows are committed, and the process dies before the tables hold them.
    let left = 6
    engine().onCommitted(() => {
      left -= 1
      if (left !== 0) return
      const file = new DatabaseSync(join(place.dataDir, 'fairlot.sqlite'))
      file.exec(`vacuum into '${snapshot}'`)
      file.close()
    })
  }
  // One after the other without rest: the tables stand back while orders wait for their commit.
  const doraId =
    [...engine().state().accounts.values()].find((account) =>
      [...account.orders.values()].some((order) => order.instrumentId === jpy && order.lots === lots(200)),
    )?.id ?? 0
  expect(doraId).toBeGreaterThan(0)
  const command = (count: number) => ({
    type: 'placeOrder' as const,
    accountId: doraId,
    instrumentId: eur,
    side: 'buy' as const,
    lots: lots(100 * (count + 1)),
    leverage: 30,
    targetPrice: count % 2 ? ticks(100_000 + count) : null,
    takeProfit: null,
    stopLoss: null,
    expiresAt: null,
    request: { accountId: doraId, call: 'submit', id: `last ${count}`, digest: '' },
  })
  const answers: Promise<unknown>[] = []
  for (let count = 0; count < 6; count += 1) {
    answers.push(engine().execute(command(count)))
    // The next one arrives while this one is being committed.
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(answers)
  await engine().caughtUp()
  expect(server.failures).toEqual([])

  const shown: Record<string, unknown> = {}
  for (const name of names) {
    const ask = asked(tokens[name])
    const list = async (status: number) => {
      const page = (await ask(`forex/my_deal?status=${status}`)) as unknown as { total: number; data: Row[] }
      return { total: page.total, ids: page.data.map(({ Id }) => Id) }
    }
    const { balance } = (await ask('main/account/figures')) as unknown as { balance: unknown }
    shown[name] = {
      token: tokens[name],
      pending: await list(0),
      holding: await list(1),
      history: await list(3),
      balance,
    }
  }
  known[kind] = {
    endedAt: clock.at,
    member: member.email,
    request: { trader: 'anna', key: 'anna later', orderId: later.Id },
    traders: shown,
  }
  await server.stop()
  if (kind === 'sqlite') {
    writeFileSync(`${snapshot}.gz`, gzipSync(readFileSync(snapshot), { level: 9 }))
    rmSync(snapshot)
  } else {
    const dump = execFileSync('pg_dump', [
      place.databaseUrl ?? '',
      '--no-owner',
      '--no-privileges',
      '--no-toast-compression',
      '--no-comments',
      '--inserts',
      '--rows-per-insert=1000',
    ]).toString()
    const kept = dump
      .split('\n')
      .filter((line) => !/^(\\|--|SET |$)/.test(line))
      .join('\n')
    writeFileSync(join(FOLDER, 'first-journal.postgres.sql.gz'), gzipSync(kept, { level: 9 }))
  }
  source.close()
  await place.remove()
  writeFileSync(join(FOLDER, 'first-journal.json'), JSON.stringify(known, null, 2))
})
