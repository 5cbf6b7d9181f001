import { DEPLOYMENT, ratio, RULES } from '@fairlot/core'
import { expect, it } from 'vitest'
import { START_OF_TEST, testSeed } from '../../../../testing/test-world.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { verify } from '../verify/verify.ts'
import { announcedMethod, methodFrom } from './method-change.ts'
import { DAY_MS, METHOD_VERSION } from './strategy-figures.ts'

const NOTICE_MS = testSeed().settings.noticeMs
const BEFORE = { ...testSeed(), rules: 4 }

onEveryDatabase('a new method of the ranking', (databases) => {
  it('is announced where somebody publishes, and known after a restart', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await createHarness(database, { seed: BEFORE })
    const accountId = await openAccount()
    await tick(108_000)
    await engine.execute({ type: 'publishStrategy', accountId, feeShare: ratio(0) })
    expect(announcedMethod(engine, START_OF_TEST)).toEqual([])
    await engine.execute({ type: 'setRules', rules: RULES, by: DEPLOYMENT })
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
    await engine.stop()

    const restarted = await createHarness(database, { startAt: START_OF_TEST + 1 })
    const from = START_OF_TEST + NOTICE_MS
    expect(methodFrom(restarted.engine, from - 1)).toBe(from)
    expect(methodFrom(restarted.engine, from)).toBeNull()
    const announced = {
      kind: 'ranking',
      fields: [{ field: 'rankingMethod', before: String(METHOD_VERSION - 1), after: String(METHOD_VERSION) }],
      announcedAt: START_OF_TEST,
      effectiveAt: from,
    }
    expect(announcedMethod(restarted.engine, from - 1)).toMatchObject([{ ...announced, isInForce: false }])
    expect(announcedMethod(restarted.engine, from)).toMatchObject([{ ...announced, isInForce: true }])
    expect(announcedMethod(restarted.engine, from + DAY_MS)).toEqual([])
  })

  it('holds at once where nobody publishes', async () => {
    const { engine, openAccount } = await createHarness(await databases.open(), { seed: BEFORE })
    await openAccount()
    await engine.execute({ type: 'setRules', rules: RULES, by: DEPLOYMENT })
    expect(methodFrom(engine, START_OF_TEST)).toBeNull()
    expect(announcedMethod(engine, START_OF_TEST)).toEqual([])
  })
})
