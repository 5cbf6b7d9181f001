import {
  requestHalt,
  decideApproval,
  haltTrading,
  listDeskInstruments,
  resumeTrading,
  setTradingMode,
} from '@fairlot/contract/desk'
import { closeOrder, getBasicInfo, listInstruments, valueOf } from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../../testing/traders.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { loggedInDeskPage, topicsIn } from '../../testing/desk-page.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'
import { openSocket } from '../../testing/sockets.ts'
const EURUSD = 1
const SECOND_MS = 1_000
const AGREED = { isApproved: true, reason: 'I have seen it' }

describe.each(DATABASES)('halts by operators, %s', (kind) => {
  const server = serverOn(kind)
  let dealing: AtDesk
  beforeAll(async () => {
    dealing = await atDesk(server(), 'dealing')
    await server().price('EURUSD', [1.1, 1.10006])
  })

  const ONE = { scope: 'instrument', instrumentId: EURUSD, category: null } as const
  const ALL = { scope: 'all', instrumentId: null, category: null } as const
  const halted = async () => {
    const { instruments } = await dealing.request(listDeskInstruments, { search: '' })
    return instruments.filter(({ haltReason }) => haltReason !== null)
  }
  const reasonOf = async (trader: Awaited<ReturnType<typeof newTrader>>) =>
    valueOf(await trader.client.call(listInstruments, { search: null })).find(({ id }) => id === EURUSD)
      ?.haltReason

  test('push a halt with its reason to every open app within a second', async () => {
    const trader = await newTrader(server())
    const reader = await openSocket(server())
    reader.send({ type: 'sub', params: ['MARKET_STATE'] })
    await reader.next('MARKET_STATE')
    const startedAt = performance.now()
    const published = reader.next('MARKET_STATE', ({ halts }) => (halts as unknown[]).length > 0)
    await dealing.request(haltTrading, { ...ONE, reason: 'the source is in doubt' })
    expect(await published).toMatchObject({ halts: [{ ForexId: EURUSD, reason: 'the source is in doubt' }] })
    expect(performance.now() - startedAt).toBeLessThan(SECOND_MS)
    expect(await reasonOf(trader)).toBe('the source is in doubt')
    await expect(trader.order({})).rejects.toThrow(/halted: the source is in doubt/)
    expect(await dealing.request(resumeTrading, { ...ONE, reason: 'it is right again' })).toEqual({
      codes: ['EURUSD'],
    })
    expect(await reasonOf(trader)).toBeNull()
    reader.socket.close()
  })

  test('halt a category or all instruments at once, with an audit entry for every journal entry', async () => {
    const { queries } = server().deployment.database
    /** The codes named by the audit entries with a reason, of what was done. */
    const named = async (reason: string) => {
      const rows = await queries
        .selectFrom('desk_act')
        .select('after')
        .where('reason', '=', reason)
        .where('outcome', '=', 'done')
        .execute()
      return rows.flatMap(({ after }) =>
        Object.values(JSON.parse(after ?? '{}') as Record<string, string[]>).flat(),
      )
    }
    const energies = { scope: 'category', instrumentId: null, category: 'Energies' } as const
    const { codes } = await dealing.request(haltTrading, { ...energies, reason: 'the venue is down' })
    expect(codes.toSorted()).toEqual(['BRENT', 'NATGAS', 'WTI'])
    expect((await halted()).map(({ terms }) => terms.category)).toEqual(['Energies', 'Energies', 'Energies'])
    // One operator alone cannot halt the same instrument again within 4 hours.
    const everything = await dealing.request(haltTrading, { ...ALL, reason: 'all prices are in doubt' })
    expect(everything.codes).toHaveLength(54)
    expect(everything.codes).not.toContain('EURUSD')
    expect(new Set((await halted()).map(({ haltReason }) => haltReason))).toEqual(
      new Set(['all prices are in doubt']),
    )
    expect((await dealing.request(resumeTrading, { ...ALL, reason: 'all is well' })).codes).toHaveLength(54)
    expect(await halted()).toEqual([])
    expect((await named('the venue is down')).toSorted()).toEqual(['BRENT', 'NATGAS', 'WTI'])
    expect(await named('all prices are in doubt')).toHaveLength(54)
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })

  test('are refused without a reason, for an unknown instrument, or when there is nothing to resume', async () => {
    expect(await dealing.refusalOf(haltTrading, { ...ONE, reason: ' ' })).toBe('reasonMissing')
    expect(await dealing.refusalOf(haltTrading, { ...ONE, instrumentId: 999, reason: 'why' })).toBe(
      'unknownInstrument',
    )
    expect(await dealing.refusalOf(resumeTrading, { ...ALL, reason: 'why' })).toBe('nothingChanged')
    expect(await halted()).toEqual([])
  })

  test('need two operators again within 4 hours, and then last until they are lifted', async () => {
    expect(await dealing.refusalOf(haltTrading, { ...ONE, reason: 'again' })).toBe('secondOperatorNeeded')
    const { approvalId: id } = await dealing.request(requestHalt, { instrumentId: EURUSD, reason: 'again' })
    expect(await dealing.refusalOf(decideApproval, { id, ...AGREED })).toBe('sameOperator')
    const administrator = await atDesk(server(), 'administrator')
    expect(await administrator.refusalOf(decideApproval, { id, ...AGREED })).toBeNull()
    const [row] = await halted()
    expect(row).toMatchObject({ id: EURUSD, haltReason: 'again', haltEndsAt: null })
    await dealing.request(resumeTrading, { ...ONE, reason: 'it is right again' })
  })

  test('in reduce-only mode open no positions, but close them', async () => {
    const trader = await newTrader(server())
    await server().price('EURUSD', [1.1, 1.10006])
    const order = await trader.order({})
    const shown = async () => await dealing.request(listDeskInstruments, { search: '' })
    // The old name of the mode still works.
    for (const mode of ['cancelOnly', 'reduceOnly'] as const) {
      expect(await dealing.refusalOf(setTradingMode, { mode, reason: 'a storm' })).toBeNull()
      expect(await shown()).toMatchObject({ mode: 'reduceOnly', modeReason: 'a storm', modeEndsAt: null })
      expect(valueOf(await trader.client.call(getBasicInfo, null))).toMatchObject({
        tradingMode: 'reduceOnly',
        tradingReason: 'a storm',
      })
    }
    await expect(trader.order({})).rejects.toThrow(/No new positions can be opened at the moment: a storm/)
    expect(await trader.client.call(closeOrder, { orderId: order.id, lots: null })).toMatchObject({
      ok: true,
    })
    expect(await dealing.refusalOf(setTradingMode, { mode: 'normal', reason: 'a test' })).toBeNull()
    expect(await shown()).toMatchObject({ mode: 'normal', modeReason: '' })
    await trader.order({})
  })

  test('and trading modes are announced to the pages of the desk once they are done', async () => {
    const administrator = await atDesk(server(), 'administrator')
    const expectAnnounced = async (action: () => Promise<unknown>, topics: readonly string[]) => {
      const page = await loggedInDeskPage(server().url, administrator.token)
      await action()
      await expect.poll(() => new Set(topicsIn(page.messages)), { timeout: 5_000 }).toEqual(new Set(topics))
      page.socket.close()
    }
    const done = ['acts', 'waiting', 'market']
    const setMode = (mode: 'normal' | 'reduceOnly' | 'halted') =>
      dealing.refusalOf(setTradingMode, { mode, reason: 'a storm' })
    // Changes are announced together, a moment later: those of the test before come no later than these.
    const earlier = await loggedInDeskPage(server().url, administrator.token)
    expect(await setMode('halted')).toBe('secondOperatorNeeded')
    await expect
      .poll(() => topicsIn(earlier.messages), { timeout: 5_000 })
      .toEqual(expect.arrayContaining(['acts', 'waiting']))
    earlier.socket.close()
    await expectAnnounced(() => setMode('reduceOnly'), done)
    await expectAnnounced(() => setMode('normal'), done)
    await expectAnnounced(
      async () => expect(await setMode('halted')).toBe('secondOperatorNeeded'),
      ['acts', 'waiting'],
    )
    const { approvalId: id } = await dealing.request(requestHalt, { instrumentId: EURUSD, reason: 'a spike' })
    await expectAnnounced(() => administrator.request(decideApproval, { id, ...AGREED }), done)
    await expectAnnounced(() => dealing.request(resumeTrading, { ...ONE, reason: 'it is over' }), done)
  })
})

// No instrument has been halted here.
describe.each(DATABASES)('a halt by operators, %s', (kind) => {
  const server = serverOn(kind)

  test('of the whole market lasts half an hour by one operator, by two until it is lifted', async () => {
    const dealing = await atDesk(server(), 'dealing')
    const trader = await newTrader(server())
    await server().price('EURUSD', [1.1, 1.10006])
    const order = await trader.order({})
    const setMode = (mode: 'halted' | 'normal', reason: string) =>
      dealing.refusalOf(setTradingMode, { mode, reason })
    expect(await setMode('halted', 'the venue is down')).toBeNull()
    const { modeEndsAt } = await dealing.request(listDeskInstruments, { search: '' })
    const left = (modeEndsAt ?? 0) - server().deployment.market.now()
    expect(left).toBeGreaterThan(29 * 60_000)
    expect(left).toBeLessThanOrEqual(30 * 60_000)
    expect(await trader.client.call(closeOrder, { orderId: order.id, lots: null })).toMatchObject({
      reason: 'marketHalted',
    })
    expect(await setMode('normal', 'it is up')).toBeNull()
    const ofOne = { scope: 'instrument', instrumentId: EURUSD, category: null, reason: 'this one' } as const
    expect(await dealing.refusalOf(haltTrading, ofOne)).toBe('secondOperatorNeeded')
    expect(await setMode('halted', 'once more')).toBe('secondOperatorNeeded')
    const { approvalId: id } = await dealing.request(requestHalt, { instrumentId: null, reason: 'once more' })
    const administrator = await atDesk(server(), 'administrator')
    expect(await administrator.refusalOf(decideApproval, { id, ...AGREED })).toBeNull()
    expect(await dealing.request(listDeskInstruments, { search: '' })).toMatchObject({
      mode: 'halted',
      modeReason: 'once more',
      modeEndsAt: null,
    })
    expect(await setMode('normal', 'it is up')).toBeNull()
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })
})
