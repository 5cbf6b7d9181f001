import { endSingleOperatorMode } from '../testing/engine-setup.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unpackFirstJournal } from '../testing/old-database.ts'
import { openPriceSource, quote, type PriceSource } from '../../../../testing/price-source.ts'
import { MARKET_BUY, newTrader } from '../../../../testing/traders.ts'
import { DATABASES, makePlace, startServer, type RunningServer } from '../testing/running-server.ts'
import { changeInstrument, setTerms } from '../testing/engine-setup.ts'
import { entryOf, TEST_OPERATOR } from '../../../../testing/test-world.ts'
import { money } from '@fairlot/core'
import { realPace, type Pace } from '../market/feeds/clock.ts'

const EURUSD = 1

/** Real time, so many ms later: as if the server had been down meanwhile. */
const later = (ms: number): Pace => ({
  now: () => realPace.now() + ms,
  wall: () => realPace.wall() + ms,
  wait: realPace.wait,
})

/** One row for the seed, one for the operators. */
const FIRST_ROWS = 2

describe.each(DATABASES)('terms at the start, %s', (kind) => {
  let place: Awaited<ReturnType<typeof makePlace>>
  let source: PriceSource
  let server: RunningServer | null = null

  const start = async (env: Record<string, string> = {}, pace?: Pace) => {
    await server?.stop()
    server = null
    server = await startServer(place, { env: { FEED: source.url, ...env }, ...(pace && { pace }) })
    return server.deployment
  }
  /** The changes of terms in the tables, the newest last. */
  const changes = async () => {
    if (!server) throw new Error('no server runs')
    const { engine, database } = server.deployment
    await engine.caughtUp()
    return database.queries.selectFrom('terms_change').selectAll().orderBy('change_id').execute()
  }
  const journalRows = async () => {
    const rows = await server?.deployment.database.queries.selectFrom('journal').select('seq').execute()
    return rows?.length ?? 0
  }

  beforeEach(async () => {
    place = await makePlace(kind)
    source = await openPriceSource()
  })
  afterEach(async () => {
    await server?.stop()
    expect(server?.failures ?? []).toEqual([])
    server = null
    source.close()
    await place.remove()
  })

  test('the first start journals the seed as one entry by the deployment', async () => {
    const { engine } = await start({ SETTING_DEMO_BALANCE: '2500' })
    const seeded = await changes()
    expect(await journalRows()).toBe(FIRST_ROWS)
    // Settings, 12 sessions, 55 instruments and 55 price sources.
    expect(Map.groupBy(seeded, (row) => row.kind).get('instrument')).toHaveLength(55)
    expect(seeded).toHaveLength(1 + 12 + 55 + 55)
    expect(new Set(seeded.map(({ author }) => author))).toEqual(new Set(['{"type":"deployment"}']))
    const { settings, termsVersion, sources } = engine.state()
    expect(settings).toMatchObject({ demoBalance: 2_500_000_000n, feeType: 'rate', maxLivingOrders: 500 })
    expect(termsVersion).toBe(seeded.length)
    expect(sources.get(EURUSD)).toEqual({ kind: 'live', hours: 'always', freshnessMs: null })
  })

  test('a later start with the same terms writes nothing', async () => {
    await start()
    await start()
    await start()
    expect(await journalRows()).toBe(FIRST_ROWS)
  })

  test('a setting that differs becomes one change by the deployment, which stays when the setting is no longer given', async () => {
    await start()
    const seeded = (await changes()).length
    await start({ SETTING_FEE_TYPE: 'fixed' })
    const written = await changes()
    expect(written).toHaveLength(seeded + 1)
    expect(written.at(-1)).toMatchObject({ kind: 'settings', author: '{"type":"deployment"}' })
    const { engine } = await start()
    expect(engine.state().settings).toMatchObject({ feeType: 'fixed', stopOutLevel: 50 })
    expect(await changes()).toHaveLength(seeded + 1)
  })

  test('other market hours change every source', async () => {
    await start()
    const seeded = (await changes()).length
    const { engine } = await start({ MARKET_HOURS: 'real' })
    expect(await changes()).toHaveLength(seeded + 55)
    expect(engine.state().sources.get(EURUSD)).toMatchObject({ kind: 'live', hours: 'session' })
  })

  test.each([
    ['an account currency that no pair leads to', {}, 'SEK', /no pair turns the money of EURUSD into SEK\.$/],
    [
      'another account currency than that of the journal',
      { SETTING_ACCOUNT_CURRENCY: 'EUR' },
      'USD',
      /^The account currency of this deployment is EUR and never changes/,
    ],
  ])(
    'rejects %s with a readable error',
    async (_what, first: Record<string, string>, requested, sentence) => {
      if (Object.keys(first).length > 0) await start(first)
      await expect(start({ SETTING_ACCOUNT_CURRENCY: requested })).rejects.toThrow(sentence)
      // The rejected start has written nothing.
      const { engine } = await start(first)
      expect(engine.state().settings.accountCurrency).toBe(first['SETTING_ACCOUNT_CURRENCY'] ?? 'USD')
      expect(await journalRows()).toBe(FIRST_ROWS)
    },
  )

  test('an announced change takes effect by itself, even when it was due while the server was down', async () => {
    const now = Date.now()
    const first = await start({ SETTING_TERMS_NOTICE_HOURS: '0' })
    const before = first.engine.state().instruments.get(EURUSD)
    await changeInstrument(first.engine, EURUSD, { leverages: [10] }, { effectiveAt: now + 60_000 })
    expect(first.engine.state().instruments.get(EURUSD)).toEqual(before)
    expect(first.engine.state().announced.size).toBe(1)

    const second = await start({}, later(30_000))
    expect(second.engine.state().announced.size).toBe(1)
    expect(second.market.registry.byId.get(EURUSD)?.instrument).toEqual(before)

    const third = await start({}, later(90_000))
    await newTrader({ url: server?.url ?? '' })
    expect(third.market.registry.byId.get(EURUSD)?.instrument.leverages).toEqual([10])
    expect(Number((await changes()).at(-1)?.in_effect_at)).toBeGreaterThanOrEqual(now + 90_000)
  })

  test('settings that took effect while the server was down are not reverted by the settings of the start', async () => {
    const now = Date.now()
    const first = await start({ SETTING_TERMS_NOTICE_HOURS: '0' })
    const { settings } = first.engine.state()
    const change = { kind: 'settings' as const, settings: { ...settings, stopOutLevel: 60 } }
    expect(await setTerms(first.engine, change, now + 60_000)).toHaveProperty('entry')
    const second = await start({ SETTING_MAX_LIVING_ORDERS: '7' }, later(90_000))
    expect(second.engine.state().settings).toMatchObject({ stopOutLevel: 60, maxLivingOrders: 7 })
  })

  test('a start that changes a setting withdraws what was announced for the settings, and says so', async () => {
    const now = Date.now()
    const first = await start({ SETTING_TERMS_NOTICE_HOURS: '0' })
    const change = {
      kind: 'settings' as const,
      settings: { ...first.engine.state().settings, stopOutLevel: 60 },
    }
    expect(await setTerms(first.engine, change, now + 60_000)).toHaveProperty('entry')
    const second = await start({ SETTING_MAX_LIVING_ORDERS: '7' }, later(30_000))
    expect(second.notices.join()).toMatch(/The announced change \d+ of the settings is withdrawn/)
    const third = await start({}, later(90_000))
    expect(third.engine.state().settings).toMatchObject({ stopOutLevel: 50, maxLivingOrders: 7 })
  })

  test('once a real account holds money, a setting that needs two operators is announced once, with the full notice', async () => {
    const now = Date.now()
    const first = await start({})
    const { accountId } = entryOf(await first.engine.execute({ type: 'openAccount', ledger: 'real' }))
      .events[0] as {
      accountId: number
    }
    const opened = await first.engine.execute({ type: 'openDeposit', accountId, amount: money(5_000_000n) })
    const { caseId } = entryOf(opened).events[0] as { caseId: number }
    await endSingleOperatorMode({ deployment: first })
    const by = { ...TEST_OPERATOR, second: { id: 900_000, role: 'compliance' as const } }
    const credit = { type: 'endDeposit', caseId, outcome: 'finished', amount: money(5_000_000n), by } as const
    entryOf(await first.engine.execute(credit))
    const given = {
      SETTING_STOP_OUT_LEVEL: '60',
      SETTING_FOUR_EYES_LIMIT: '5',
      SETTING_FRESHNESS_MS: '999',
      SETTING_TERMS_NOTICE_HOURS: '0.5',
    }
    const before = (await changes()).length
    const second = await start(given)
    expect(second.engine.state().settings).toMatchObject({ stopOutLevel: 50, freshnessMs: 60_000 })
    expect(second.notices.join()).toMatch(
      /freshnessMs is out of its bounds.*noticeMs is out of its bounds.*stopOutLevel is announced/,
    )
    const [announced] = second.engine.state().announced.values()
    expect(announced?.change).toMatchObject({ settings: { stopOutLevel: 60, fourEyesLimit: 5_000_000n } })
    expect(announced?.effectiveAt).toBeGreaterThanOrEqual(now + 24 * 3_600_000)
    await start(given, later(3_600_000))
    expect(await changes()).toHaveLength(before + 1)
    const last = await start(given, later(25 * 3_600_000))
    expect(last.engine.state().settings).toMatchObject({ stopOutLevel: 60, fourEyesLimit: 5_000_000n })
  })

  test('an instrument added in the journal has a price source after a restart', async () => {
    const { engine } = await start()
    const { instruments, listings } = engine.state()
    const [euro, listing] = [instruments.get(EURUSD), listings.get(EURUSD)]
    if (!euro || !listing) throw new Error('EURUSD is seeded')
    const instrument = { ...euro, id: 56, code: 'EURDEM', quoteCurrency: 'USD', baseCurrency: 'DEM' }
    const change = { kind: 'instrument' as const, instrument, listing: { ...listing, showCode: 'DEM/USD' } }
    expect(await setTerms(engine, change)).toHaveProperty('entry')
    const restarted = await start()
    expect(restarted.market.registry.byCode.get('EURDEM')?.showCode).toBe('DEM/USD')
    expect(restarted.engine.state().sources.get(56)?.kind).toBe('live')
  })

  test('open positions survive a change of settings', async () => {
    const { engine } = await start()
    await quote(source, engine, 'EURUSD', [1.1, 1.10006])
    const trader = await newTrader({ url: server?.url ?? '' })
    const { id } = await trader.order(MARKET_BUY)
    const { engine: again } = await start({ SETTING_STOP_OUT_LEVEL: '60' })
    expect(again.state().orders.get(id)?.status).toBe('holding')
    expect(again.state().settings.stopOutLevel).toBe(60)
  })
})

describe.each(DATABASES)('a database written before terms were journaled, %s', (kind) => {
  const DAY_MS = 86_400_000

  test('adopts the terms in its tables once, before it handles what became due while it was down', async () => {
    const { place, shown, remove } = await unpackFirstJournal(kind)
    const source = await openPriceSource()
    const start = () =>
      startServer(place, {
        env: { FEED: source.url, MARKET_HOURS: 'real' },
        pace: { now: () => shown.endedAt + DAY_MS, wall: () => shown.endedAt + DAY_MS, wait: realPace.wait },
      })
    const server = await start()
    const { engine, database } = server.deployment
    const { settings, instruments, termsVersion } = engine.state()
    expect(settings).toMatchObject({ demoBalance: 50_000_000_000n, stopOutLevel: 40, maxLivingOrders: 500 })
    expect(instruments.get(EURUSD)?.swapRate).toEqual({ buy: -2_500_000, sell: 1_500_000 })
    const lastRollover = () => engine.read((state) => state.lastRollover)
    await expect.poll(lastRollover, { timeout: 5_000 }).toBeGreaterThan(shown.endedAt)
    const rolloverCount = () => engine.read((state) => state.rollovers.size)
    await expect.poll(rolloverCount, { timeout: 5_000 }).toBe(0)
    await engine.caughtUp()
    const { queries } = database
    const changes = await queries.selectFrom('terms_change').selectAll().execute()
    expect(changes).toHaveLength(termsVersion)
    expect(new Set(changes.map(({ author }) => author))).toEqual(new Set(['{"type":"deployment"}']))
    // The rollover that passed meanwhile is charged at the rates in the tables.
    const rollovers = () => queries.selectFrom('night').selectAll().execute()
    await expect.poll(rollovers, { timeout: 5_000 }).toHaveLength(1)
    expect((await rollovers())[0]?.rates).toContain('-2500000')
    await server.stop()
    const again = await start()
    expect(again.deployment.engine.state().termsVersion).toBe(termsVersion)
    await again.stop()
    expect([...server.failures, ...again.failures]).toEqual([])
    source.close()
    await remove()
  })
})
