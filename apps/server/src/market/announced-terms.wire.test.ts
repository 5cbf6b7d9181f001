import { listTermsChanges, valueOf } from '@fairlot/contract'
import { ratio } from '@fairlot/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../testing/traders.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/socket-reader.ts'
import { changeInstrument, setTerms } from '../testing/terms.ts'
import { TEST_OPERATOR } from '../../../../testing/test-world.ts'

const EURUSD = 1
const DAY_MS = 86_400_000

describe.each(DATABASES)('changes of terms that are announced, %s', (kind) => {
  const server = serverOn(kind)
  let list = () => Promise.resolve<unknown>([])
  const engine = () => server().deployment.engine
  const tomorrow = () => server().deployment.market.now() + DAY_MS + 60_000

  beforeEach(async () => {
    const { client } = await newTrader(server())
    list = async () => {
      await engine().caughtUp()
      return valueOf(await client.call(listTermsChanges, null))
    }
    for (const changeId of engine().state().announced.keys())
      await engine().execute({ type: 'withdrawTerms', changeId, by: TEST_OPERATOR })
  })

  test('are listed with what will be otherwise, from when and why, until they hold or are taken back', async () => {
    expect(await list()).toEqual([])
    const effectiveAt = tomorrow()
    await changeInstrument(
      engine(),
      EURUSD,
      { feeRate: ratio(2_000), suspectBand: ratio(30_000) },
      { effectiveAt },
    )
    expect(await list()).toMatchObject([
      {
        ...{ kind: 'instrument', instrumentIds: [EURUSD], effectiveAt, isUrgent: false },
        ...{ fields: [{ field: 'feeRate', before: '0.001', after: '0.002' }], reason: TEST_OPERATOR.reason },
      },
    ])
    const [changeId = 0] = engine().state().announced.keys()
    await engine().execute({ type: 'withdrawTerms', changeId, by: TEST_OPERATOR })
    expect(await list()).toEqual([])
  })

  test('in less than the usual notice say that they are urgent', async () => {
    const effectiveAt = server().deployment.market.now() + 60_000
    await changeInstrument(engine(), EURUSD, { feeRate: ratio(2_000) }, { effectiveAt })
    expect(await list()).toMatchObject([{ isUrgent: true }])
  })

  test('of hours concern those that keep them, of settings everybody; of prices that are let in nobody', async () => {
    const { settings } = engine().state()
    const session = { name: 'forex', zone: 'UTC', windows: 'Mon 09:00-Mon 10:00', holidays: [] }
    await setTerms(engine(), { kind: 'calendar', session }, tomorrow())
    await setTerms(engine(), { kind: 'settings', settings: { ...settings, stopOutLevel: 60 } }, tomorrow())
    await changeInstrument(engine(), EURUSD, { suspectBand: ratio(30_000) }, { effectiveAt: tomorrow() })
    expect(await list()).toMatchObject([
      { kind: 'calendar', instrumentIds: expect.arrayContaining([EURUSD]) as number[] },
      { kind: 'settings', instrumentIds: [], fields: [{ field: 'stopOutLevel', before: '50', after: '60' }] },
    ])
  })

  test('are told to every open page when they are announced and when they are taken back', async () => {
    const reader = await openSocket(server())
    reader.send({ type: 'sub', params: ['MARKET_STATE'] })
    await reader.next('MARKET_STATE')
    const told = () => reader.next('MARKET_STATE', ({ terms }) => (terms as number[]).includes(EURUSD))
    const announced = told()
    await changeInstrument(engine(), EURUSD, { feeRate: ratio(2_000) }, { effectiveAt: tomorrow() })
    await announced
    const [changeId = 0] = engine().state().announced.keys()
    const before = reader.messages.length
    await engine().execute({ type: 'withdrawTerms', changeId, by: TEST_OPERATOR })
    await expect.poll(() => reader.messages.length).toBeGreaterThan(before)
    reader.socket.close()
  })
})
