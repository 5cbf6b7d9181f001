import {
  getMoveScenario,
  getExposure,
  getBrokerSummary,
  listNearAccounts,
  type MoveEffect,
} from '@fairlot/contract/desk'
import { lots, money, readDecimal, type Decimal, type LedgerKind } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf, entryOf, marketOrder, TEST_OPERATOR } from '../../../../testing/test-world.ts'
import { atDesk, type AtDesk } from '../testing/desk.ts'
import { endSingleOperatorMode } from '../testing/engine-setup.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const usd = (text: string) => money(BigInt(Math.round(Number(text) * 1e6)))
const percent = (text: string): Decimal => readDecimal(text, 2) ?? (0 as Decimal)
const CHF = 3

describe.each(DATABASES)('risk, %s', (kind) => {
  const server = serverOn(kind)
  let dealer: AtDesk
  const ids: number[] = []

  const open = async (ledger: LedgerKind, deposit: string | null) => {
    const { engine } = server().deployment
    const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger }))
    if (deposit === null) return accountId
    const opened = entryOf(await engine.execute({ type: 'openDeposit', accountId, amount: usd(deposit) }))
    const found = opened.events.find((event) => event.type === 'depositOpened')
    const credit = {
      type: 'endDeposit',
      outcome: 'finished',
      amount: usd(deposit),
      by: TEST_OPERATOR,
    } as const
    entryOf(await engine.execute({ ...credit, caseId: found?.caseId ?? 0 }))
    return accountId
  }
  const place = async (given: Parameters<typeof marketOrder>[1] & { accountId: number }) =>
    entryOf(await server().deployment.engine.execute(marketOrder(given.accountId, given)))

  beforeAll(async () => {
    dealer = await atDesk(server(), 'dealing')
    await endSingleOperatorMode(server())
    await server().price('EURUSD', [1, 1])
    await server().price('USDCHF', [0.8, 0.8])
    const [big, small] = [await open('real', '1000'), await open('real', '500')]
    const demo = await open('demo', null)
    ids.push(big, small, demo)
    // Margin 500 of 1,000, and 100 of 500; fees of 0.5 and 0.1.
    await place({ accountId: big, lots: lots(1_000), leverage: 20 })
    await place({ accountId: small, lots: lots(200), leverage: 20, side: 'sell', instrumentId: CHF })
    await place({ accountId: demo, lots: lots(70_000), leverage: 30 })
    await server().price('EURUSD', [0.9999, 1.0001])
    await server().price('USDCHF', [0.7992, 0.8])
  })

  test('shows exposure by instrument and in total, separately for demo accounts', async () => {
    const { instruments, totals, currency } = await dealer.request(getExposure, { ledger: 'real' })
    expect(currency).toBe('USD')
    expect(instruments).toMatchObject([
      { code: 'EURUSD', longLots: 0.1, shortLots: 0, netLots: 0.1, netValue: usd('10000'), accounts: 1 },
      { code: 'USDCHF', longLots: 0, shortLots: 0.02, netLots: -0.02, netValue: usd('-2000'), positions: 1 },
    ])
    // A tenth of a pip on 10,000; the franc's ask is where it was sold.
    expect(instruments.map(({ usersProfit }) => usersProfit)).toEqual([usd('-1'), 0n])
    expect(totals).toMatchObject({
      accounts: 2,
      accountsWithPositions: 2,
      positions: 2,
      accountsInMarginCall: 0,
      accountsAtStopOut: 0,
      netValue: usd('8000'),
      grossValue: usd('12000'),
      usersProfit: usd('-1'),
      balance: usd('1499.4'),
      equity: usd('1498.4'),
      margin: usd('600'),
    })
    const demo = await dealer.request(getExposure, { ledger: 'demo' })
    expect(demo.instruments).toMatchObject([{ code: 'EURUSD', netLots: 7, netValue: usd('700000') }])
    expect(demo.totals).toMatchObject({ accounts: 1, accountsWithPositions: 1 })
  })

  test('lists the accounts nearest to their stop-out, with the price of it', async () => {
    const { accounts, stopOutLevel } = await dealer.request(listNearAccounts, { ledger: 'real' })
    expect(stopOutLevel).toBe(50)
    expect(accounts).toMatchObject([
      {
        accountId: ids[0],
        level: 199.7,
        equity: usd('998.5'),
        margin: usd('500'),
        // 748.5 may be lost: 0.07485 on 10,000, below the bid.
        distance: usd('748.5'),
        largest: { code: 'EURUSD', side: 'buy', lots: 0.1, stopOutPrice: 0.92505 },
      },
      { accountId: ids[1], level: 499.9, largest: { code: 'USDCHF', side: 'sell' } },
    ])
  })

  const scenario = (
    given: { percent?: Decimal; instrumentId?: number | null; category?: string | null } = {},
  ): Promise<MoveEffect> =>
    dealer.request(getMoveScenario, {
      ledger: 'real',
      percent: percent('-8'),
      instrumentId: null,
      category: null,
      ...given,
    })

  test('calculates the effect of a move of one instrument', async () => {
    // Eight percent of the mid is 0.08: 800 of the 998.5, and the stop-out closes at once.
    expect(await scenario({ instrumentId: 1 })).toMatchObject({
      instruments: 1,
      accounts: 2,
      lookedAt: 2,
      stoppedOut: 1,
      closedByStopOut: 1,
      usersChange: usd('-800'),
      covered: 0n,
      marginCalls: 0,
      hits: [
        { accountId: ids[0], change: usd('-800'), levelBefore: 199.7, levelAfter: null, isStoppedOut: true },
      ],
    })
    expect(await scenario({ instrumentId: 1, percent: percent('-12') })).toMatchObject({
      // A loss of 1,200 with an equity of 998.5: the broker bears the rest.
      usersChange: usd('-998.5'),
      covered: usd('201.5'),
      coveredAccounts: 1,
    })
    expect(await scenario({ instrumentId: 1, percent: percent('-5.5') })).toMatchObject({
      stoppedOut: 0,
      marginCalls: 1,
      usersChange: usd('-550'),
    })
  })

  test('calculates moves of a category, of all instruments, and of those that nobody holds', async () => {
    const all = await scenario()
    expect(all.instruments).toBe(2)
    expect(await scenario({ category: 'Forex' })).toMatchObject({ ...all, at: expect.any(Number) as number })
    expect(await scenario({ category: 'Metals' })).toMatchObject({
      instruments: 0,
      usersChange: 0n,
      hits: [],
    })
  })

  test('rejects an invalid move', async () => {
    const given = { ledger: 'real', instrumentId: null, category: null } as const
    expect(await dealer.refusalOf(getMoveScenario, { ...given, percent: percent('400') })).toBe('moveInvalid')
    expect(await dealer.refusalOf(getMoveScenario, { ...given, percent: percent('-91') })).toBe('moveInvalid')
    expect(
      await dealer.refusalOf(getMoveScenario, { ...given, percent: percent('1'), instrumentId: 999 }),
    ).toBe('unknownInstrument')
  })

  test('summarizes the position of the broker', async () => {
    await server().deployment.engine.caughtUp()
    const summary = await dealer.request(getBrokerSummary, null)
    expect(summary).toMatchObject({
      ledger: 'real',
      netValue: usd('8000'),
      largest: { code: 'EURUSD', netValue: usd('10000') },
      underHundred: 0,
      nearest: { accountId: ids[0], level: 199.7 },
      // Two fees; open profit does not count.
      houseToday: usd('0.6'),
      positions: (await dealer.request(getExposure, { ledger: 'real' })).totals.positions,
      demoPositions: (await dealer.request(getExposure, { ledger: 'demo' })).totals.positions,
    })
    expect(summary.houseDays).toHaveLength(14)
  })

  test('exports every list as a file', async () => {
    const csv = async (path: string) =>
      (await fetch(`${server().url}${path}`, { headers: { authorization: dealer.token } })).text()
    const exposure = await csv('/desk/api/risk/exposure.csv?ledger=real')
    expect(exposure.split('\r\n')[0]).toContain('instrumentId,code,category')
    expect(exposure).toContain('1,EURUSD,Forex,1,1,0.1,0,0.1,10000.000000')
    expect(await csv('/desk/api/risk/accounts.csv')).toContain(`${ids[0]},199.7,998.500000,500.000000`)
    expect(await csv('/desk/api/risk/move.csv?percent=-8')).toContain(`${ids[0]},-800.000000,199.7`)
    expect(await csv('/desk/api/reports/house.csv?days=1')).toContain(',0.600000,0.000000,0.000000')
  })
})
