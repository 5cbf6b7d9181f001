import { listTermsVersions, valueOf, type TermsVersion } from '@fairlot/contract'
import { ratio } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import { newTrader } from '../../../../testing/traders.ts'
import { TEST_OPERATOR } from '../../../../testing/test-world.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { changeInstrument, setTerms } from '../testing/engine-setup.ts'

const EURUSD = 1
const DAY_MS = 86_400_000

describe.each(DATABASES)('terms by version, %s', (kind) => {
  const server = serverOn(kind)
  const engine = () => server().deployment.engine
  const list = async (query: { instrumentId?: number | null; version?: number; page?: number } = {}) => {
    const { instrumentId = EURUSD, version = null, page = 1 } = query
    return valueOf(await clientOf(server().url).call(listTermsVersions, { instrumentId, version, page }))
  }
  const valueIn = (versions: readonly TermsVersion[], of: TermsVersion['kind'], field: string) =>
    versions.find((one) => one.kind === of)?.values.find((one) => one.field === field)?.value

  test('are public: the instrument, its hours, its source and the settings', async () => {
    const { versions, total } = await list()
    expect(versions.map((one) => one.kind).toSorted()).toEqual([
      'calendar',
      'instrument',
      'settings',
      'source',
    ])
    expect(total).toBe(4)
    expect(versions.every(({ status, author }) => status === 'inForce' && author === 'deployment')).toBe(true)
    expect(valueIn(versions, 'instrument', 'feeRate')).toBe('0.001')
    expect(valueIn(versions, 'settings', 'stopOutLevel')).toBe('50')
    expect(valueIn(versions, 'calendar', 'zone')).toBe('America/New_York')
    expect(valueIn(versions, 'source', 'sourceKind')).toBe('live')
  })

  test('named in a receipt are those of the decision, despite later changes', async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    const trader = await newTrader(server())
    const before = (await trader.order()).receipts[0]?.terms ?? 0
    await changeInstrument(engine(), EURUSD, { feeRate: ratio(2_000) })
    const after = (await trader.order()).receipts[0]?.terms ?? 0
    const [old, now] = [await list({ version: before }), await list({ version: after })]
    expect(valueIn(old.versions, 'instrument', 'feeRate')).toBe('0.001')
    expect(valueIn(now.versions, 'instrument', 'feeRate')).toBe('0.002')
    expect(now.versions.find((one) => one.kind === 'instrument')?.changed).toEqual(['feeRate'])
    expect(old.versions).toHaveLength(4)
  })

  test('include announced and withdrawn ones, with time, author and reason', async () => {
    const effectiveAt = server().deployment.market.now() + DAY_MS + 60_000
    await changeInstrument(engine(), EURUSD, { feeRate: ratio(3_000) }, { effectiveAt, by: TEST_OPERATOR })
    const [changeId = 0] = engine().state().announced.keys()
    const [announced] = (await list()).versions
    expect(announced).toMatchObject({
      id: changeId,
      version: null,
      status: 'announced',
      author: 'operator',
      reason: TEST_OPERATOR.reason,
      effectiveAt,
      inForceAt: null,
      changed: ['feeRate'],
      isUrgent: false,
    })
    await engine().execute({ type: 'withdrawTerms', changeId, by: TEST_OPERATOR })
    const [withdrawn] = (await list()).versions
    expect(withdrawn).toMatchObject({ id: changeId, status: 'withdrawn', version: null })
    expect(withdrawn?.withdrawnAt).not.toBeNull()
  })

  test('are marked urgent if two operators shortened the notice', async () => {
    const effectiveAt = server().deployment.market.now() + 60_000
    await changeInstrument(engine(), EURUSD, { isEnabled: false }, { effectiveAt })
    expect((await list()).versions[0]).toMatchObject({ isUrgent: true, changed: ['isEnabled'] })
  })

  test('are those of the settings without an instrument, page by page', async () => {
    const { settings } = engine().state()
    for (let level = 51; level < 76; level += 1)
      await setTerms(engine(), { kind: 'settings', settings: { ...settings, warningLevel: 100 + level } })
    const [first, second] = [await list({ instrumentId: null }), await list({ instrumentId: null, page: 2 })]
    expect([first.total, first.versions.length, second.versions.length]).toEqual([26, 20, 6])
    expect(first.versions.every((one) => one.kind === 'settings')).toBe(true)
    expect(second.versions.at(-1)?.version).toBe(1)
  })

  test('are refused for an unknown instrument', async () => {
    const query = { instrumentId: 999, version: null, page: 1 }
    expect(await clientOf(server().url).call(listTermsVersions, query)).toMatchObject({
      reason: 'unknownInstrument',
    })
  })
})
