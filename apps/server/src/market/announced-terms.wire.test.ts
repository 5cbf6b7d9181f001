import { listTermsChanges, valueOf, type TermsChange } from '@fairlot/contract'
import { lots, ratio } from '@fairlot/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../testing/traders.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/sockets.ts'
import { changeInstrument, setTerms } from '../testing/engine-setup.ts'
import { TEST_OPERATOR } from '../../../../testing/test-world.ts'

const EURUSD = 1
const DAY_MS = 86_400_000

describe.each(DATABASES)('announced changes of terms, %s', (kind) => {
  const server = serverOn(kind)
  let list = () => Promise.resolve<unknown>([])
  /** The last change before a test. */
  let known = 0
  const engine = () => server().deployment.engine
  const tomorrow = () => server().deployment.market.now() + DAY_MS + 60_000

  beforeEach(async () => {
    const { client } = await newTrader(server())
    list = async () => {
      await engine().caughtUp()
      const listed = valueOf(await client.call(listTermsChanges, null))
      return listed.filter(({ id }) => id > known)
    }
    for (const changeId of engine().state().announced.keys())
      await engine().execute({ type: 'withdrawTerms', changeId, by: TEST_OPERATOR })
    known = engine().state().lastChangeId
  })

  test('are listed with changed fields, effective time and reason, until they take effect or are withdrawn', async () => {
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
        kind: 'instrument',
        instrumentIds: [EURUSD],
        effectiveAt,
        isUrgent: false,
        fields: [
          { field: 'feeRate', before: '0.001', after: '0.002' },
          { field: 'suspectBand', before: '0.02', after: '0.03' },
        ],
        reason: TEST_OPERATOR.reason,
        isInForce: false,
      },
    ])
    const [changeId = 0] = engine().state().announced.keys()
    await engine().execute({ type: 'withdrawTerms', changeId, by: TEST_OPERATOR })
    expect(await list()).toMatchObject([
      { id: changeId, effectiveAt, isInForce: false, withdrawnAt: expect.any(Number) as number },
    ])
  })

  test('are marked urgent when given less than the usual notice', async () => {
    const effectiveAt = server().deployment.market.now() + 60_000
    await changeInstrument(engine(), EURUSD, { isEnabled: false }, { effectiveAt })
    expect(await list()).toMatchObject([{ isUrgent: true }])
  })

  test('name the instruments of changed hours, none for settings, and leave out changes of lists', async () => {
    const { settings } = engine().state()
    const session = { name: 'forex', zone: 'UTC', windows: 'Mon 09:00-Mon 10:00', holidays: [] }
    await setTerms(engine(), { kind: 'calendar', session }, tomorrow())
    await setTerms(engine(), { kind: 'settings', settings: { ...settings, stopOutLevel: 60 } }, tomorrow())
    await changeInstrument(engine(), EURUSD, {}, { effectiveAt: tomorrow(), listing: { logo: '', sort: 7 } })
    expect(await list()).toMatchObject([
      { kind: 'calendar', instrumentIds: expect.arrayContaining([EURUSD]) as number[] },
      { kind: 'settings', instrumentIds: [], fields: [{ field: 'stopOutLevel', before: '50', after: '60' }] },
    ])
  })

  test('are listed for a day after they took effect at once, with their time', async () => {
    const before = server().deployment.market.now()
    await changeInstrument(engine(), EURUSD, { lotMax: lots(2_000_000) })
    const listed = (await list()) as TermsChange[]
    const [change] = listed.filter(({ isInForce }) => isInForce)
    expect(change).toMatchObject({
      instrumentIds: [EURUSD],
      fields: [{ field: 'lotMax', before: '100', after: '200' }],
      isUrgent: false,
    })
    expect(change?.effectiveAt).toBeGreaterThanOrEqual(before)
  })

  test('are pushed to every open page when announced and when withdrawn', async () => {
    const reader = await openSocket(server())
    reader.send({ type: 'sub', params: ['MARKET_STATE'] })
    await reader.next('MARKET_STATE')
    const announced = reader.next('MARKET_STATE', ({ terms }) => (terms as number[]).includes(EURUSD))
    await changeInstrument(engine(), EURUSD, { feeRate: ratio(2_000) }, { effectiveAt: tomorrow() })
    await announced
    const [changeId = 0] = engine().state().announced.keys()
    const before = reader.messages.length
    await engine().execute({ type: 'withdrawTerms', changeId, by: TEST_OPERATOR })
    await expect.poll(() => reader.messages.length).toBeGreaterThan(before)
    reader.socket.close()
  })
})
