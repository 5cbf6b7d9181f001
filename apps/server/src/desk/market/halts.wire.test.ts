import { haltTrading, listDeskInstruments, resumeTrading, setTradingMode } from '@fairlot/contract/desk'
import { listInstruments, valueOf } from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../../testing/traders.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'
import { openSocket } from '../../testing/socket-reader.ts'

const EURUSD = 1
const SECOND_MS = 1_000

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
    const { instruments } = await dealing.ask(listDeskInstruments, { search: '' })
    return instruments.filter(({ haltReason }) => haltReason !== null)
  }
  const reasonOf = async (trader: Awaited<ReturnType<typeof newTrader>>) =>
    valueOf(await trader.client.call(listInstruments, { search: null })).find(({ id }) => id === EURUSD)
      ?.haltReason

  test('one is halted with a reason that every open phone is told within a second', async () => {
    const trader = await newTrader(server())
    const reader = await openSocket(server())
    reader.send({ type: 'sub', params: ['MARKET_STATE'] })
    await reader.next('MARKET_STATE')
    const startedAt = performance.now()
    const told = reader.next('MARKET_STATE', ({ halts }) => (halts as unknown[]).length > 0)
    await dealing.ask(haltTrading, { ...ONE, reason: 'the source is in doubt' })
    expect(await told).toMatchObject({ halts: [{ ForexId: EURUSD, reason: 'the source is in doubt' }] })
    expect(performance.now() - startedAt).toBeLessThan(SECOND_MS)
    expect(await reasonOf(trader)).toBe('the source is in doubt')
    await expect(trader.order({})).rejects.toThrow(/halted: the source is in doubt/)
    expect(await dealing.ask(resumeTrading, { ...ONE, reason: 'it is right again' })).toEqual({
      codes: ['EURUSD'],
    })
    expect(await reasonOf(trader)).toBeNull()
    reader.socket.close()
  })

  test('a category, or everything, by one key, and every entry has its act', async () => {
    const { queries } = server().deployment.database
    /** What the acts of one reason name. */
    const named = async (reason: string) => {
      const rows = await queries.selectFrom('desk_act').select('after').where('reason', '=', reason).execute()
      return rows.flatMap(({ after }) =>
        Object.values(JSON.parse(after ?? '{}') as Record<string, string[]>).flat(),
      )
    }
    const energies = { scope: 'category', instrumentId: null, category: 'Energies' } as const
    const { codes } = await dealing.ask(haltTrading, { ...energies, reason: 'the venue is down' })
    expect(codes.toSorted()).toEqual(['BRENT', 'NATGAS', 'WTI'])
    expect((await halted()).map(({ terms }) => terms.category)).toEqual(['Energies', 'Energies', 'Energies'])
    const everything = await dealing.ask(haltTrading, { ...ALL, reason: 'all prices are in doubt' })
    expect(everything.codes).toHaveLength(55)
    expect(new Set((await halted()).map(({ haltReason }) => haltReason))).toEqual(
      new Set(['all prices are in doubt']),
    )
    expect((await dealing.ask(resumeTrading, { ...ALL, reason: 'all is well' })).codes).toHaveLength(55)
    expect(await halted()).toEqual([])
    expect((await named('the venue is down')).toSorted()).toEqual(['BRENT', 'NATGAS', 'WTI'])
    expect(await named('all prices are in doubt')).toHaveLength(55)
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })

  test('nothing happens without a reason, to nothing that is there, or where nothing is halted', async () => {
    expect(await dealing.refusalOf(haltTrading, { ...ONE, reason: ' ' })).toBe('reasonMissing')
    expect(await dealing.refusalOf(haltTrading, { ...ONE, instrumentId: 999, reason: 'why' })).toBe(
      'unknownInstrument',
    )
    expect(await dealing.refusalOf(resumeTrading, { ...ALL, reason: 'why' })).toBe('nothingChanged')
    expect(await halted()).toEqual([])
  })

  test('a pause lets orders be cancelled only, until trading is opened again', async () => {
    const trader = await newTrader(server())
    const mode = async () => (await dealing.ask(listDeskInstruments, { search: '' })).mode
    expect(await dealing.refusalOf(setTradingMode, { mode: 'cancelOnly', reason: 'a test' })).toBeNull()
    expect(await mode()).toBe('cancelOnly')
    await expect(trader.order({})).rejects.toThrow(/Trading is paused/)
    expect(await dealing.refusalOf(setTradingMode, { mode: 'normal', reason: 'a test' })).toBeNull()
    expect(await mode()).toBe('normal')
    await trader.order({})
  })
})
