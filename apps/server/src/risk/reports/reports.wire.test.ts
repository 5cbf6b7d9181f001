import { getBasicInfo } from '@fairlot/contract'
import {
  getActiveTraders,
  getFills,
  getBrokerResult,
  getLosingShare,
  getMoneyFlow,
} from '@fairlot/contract/desk'
import { lots, money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import {
  accountIdOf,
  entryOf,
  marketOrder,
  orderIdOf,
  TEST_OPERATOR,
} from '../../../../../testing/test-world.ts'
import { atDesk } from '../../testing/desk.ts'
import { endSingleOperatorMode } from '../../testing/engine-setup.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const usd = (text: string) => money(BigInt(Math.round(Number(text) * 1e6)))
const LOSERS = 8
const WINNERS = 3
const TODAY = { ledger: 'real', days: 1 } as const

describe.each(DATABASES)('reports of a running server, %s', (kind) => {
  const server = serverOn(kind)
  const warning = async () => {
    const info = await clientOf(server().url).call(getBasicInfo, null)
    return info.ok ? info.value.riskWarning : null
  }

  /** A real account with 1,000 of its own. */
  const open = async () => {
    const { engine } = server().deployment
    await endSingleOperatorMode(server())
    const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))
    const amount = usd('1000')
    const opened = entryOf(await engine.execute({ type: 'openDeposit', accountId, amount }))
    const found = opened.events.find((event) => event.type === 'depositOpened')
    const credit = { type: 'endDeposit', outcome: 'finished', amount, by: TEST_OPERATOR } as const
    entryOf(await engine.execute({ ...credit, caseId: found?.caseId ?? 0 }))
    return accountId
  }
  const buy = async (accountId: number) => {
    const answer = await server().deployment.engine.execute(marketOrder(accountId, { lots: lots(100) }))
    return { accountId, orderId: orderIdOf(answer) }
  }
  const close = async (position: { accountId: number; orderId: number }) =>
    entryOf(await server().deployment.engine.execute({ type: 'closePosition', ...position }))

  test('users are shown the share of losing accounts once there are enough accounts', async () => {
    const finance = await atDesk(server(), 'finance')
    await server().price('EURUSD', [1, 1.0001])
    const winners = await Promise.all((await Promise.all(Array.from({ length: WINNERS }, open))).map(buy))
    await server().price('EURUSD', [1.01, 1.0101])
    await Promise.all(winners.map(close))
    await server().deployment.engine.caughtUp()
    const few = await finance.request(getLosingShare, null)
    expect(few).toMatchObject({ accounts: WINNERS, losing: 0, share: 0, shownFrom: 10 })
    expect(few.told).toMatch(/^Trading with leverage/)

    const losers = await Promise.all((await Promise.all(Array.from({ length: LOSERS }, open))).map(buy))
    await Promise.all(losers.map(close))
    await server().deployment.engine.caughtUp()
    const enough = await finance.request(getLosingShare, null)
    expect(enough).toMatchObject({ accounts: 11, losing: 8, share: 72.73 })
    expect(enough.told).toMatch(/^73% of real accounts lost money here/)
    // The first request for it, so the figure is current.
    expect(await warning()).toBe(enough.told)
  })

  test('show the result, money flow, active traders and fills of today', async () => {
    const finance = await atDesk(server(), 'finance')
    const broker = await finance.request(getBrokerResult, TODAY)
    // Each has won 0.0099 on 1,000, or lost 0.0001; the fee is a thousandth of the margin.
    expect(broker.days).toHaveLength(1)
    expect(broker.sum).toMatchObject({ clientResults: usd('-28.9'), swaps: 0n, protection: 0n })
    expect(await finance.request(getMoneyFlow, { days: 7 })).toMatchObject({
      sum: { deposits: 11, deposited: usd('11000'), withdrawals: 0 },
    })
    expect((await finance.request(getActiveTraders, TODAY)).days).toMatchObject([{ traders: 11, orders: 11 }])
    expect(await finance.request(getFills, TODAY)).toMatchObject({
      sum: { fills: 22, worse: 0 },
      instruments: [{ code: 'EURUSD', fills: 22, spread: 0.0001, slippage: 0 }],
    })
    expect(await finance.request(getFills, { ...TODAY, ledger: 'demo' })).toMatchObject({ instruments: [] })
  })

  test('reject a period of no day or of more than a year', async () => {
    const finance = await atDesk(server(), 'finance')
    expect(await finance.refusalOf(getBrokerResult, { ...TODAY, days: 0 })).toBe('periodInvalid')
    expect(await finance.refusalOf(getBrokerResult, { ...TODAY, days: 367 })).toBe('periodInvalid')
  })
})
