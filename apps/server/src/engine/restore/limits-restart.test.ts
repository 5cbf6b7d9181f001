import { DEPLOYMENT, money, type Operator } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { accountIdOf, marketOrder, orderIdOf, testSeed } from '../../../../../testing/test-world.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { createHarness, type Harness } from '../../testing/engine-harness.ts'
import { verify } from '../../verify/verify.ts'
import { describeState } from '../state-hash.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const ONE: Operator = { type: 'operator', id: 1, role: 'dealing', reason: 'a storm', second: null }

const stateOf = ({ engine }: Harness) => engine.state()
const sendAnyCommand = ({ engine }: Harness) =>
  engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })

describe.each(everyDatabase)('decisions of one operator alone, $kind', (databases) => {
  it('end by themselves at their time across restarts, and verify', async () => {
    const database = await databases.open()
    let harness = await createHarness(database, {})
    const restart = async (awayMs: number) => {
      await harness.engine.caughtUp()
      const before = describeState(harness.engine.core())
      await harness.engine.stop()
      harness = await createHarness(database, { startAt: harness.clock.at + awayMs })
      return before
    }
    const accountId = await harness.openAccount()
    await harness.tick(108_469)
    await harness.engine.execute({ type: 'haltInstrument', instrumentId: 1, reason: 'a storm', by: ONE })
    await harness.engine.execute({ type: 'setTradingMode', mode: 'halted', by: ONE })
    await harness.engine.execute({ type: 'setAccountStatus', accountId, status: 'frozen', by: ONE })

    expect(await restart(0)).toBe(describeState(harness.engine.core()))
    harness.clock.at += 30 * MINUTE_MS - 1
    await sendAnyCommand(harness)
    expect(stateOf(harness)).toMatchObject({ mode: 'halted' })
    expect(stateOf(harness).halts.get(1)).toBe('a storm')

    // The halts end while the server is down: the first command after the start sees them ended.
    await restart(2 * MINUTE_MS)
    await sendAnyCommand(harness)
    expect(stateOf(harness)).toMatchObject({ mode: 'normal' })
    expect(stateOf(harness).halts.size).toBe(0)
    expect(stateOf(harness).accounts.get(accountId)?.status).toBe('frozen')
    const again = { type: 'haltInstrument', instrumentId: 1, reason: 'again', by: ONE } as const
    expect(await harness.engine.execute(again)).toMatchObject({ rejected: 'secondOperatorNeeded' })

    expect(await restart(72 * HOUR_MS)).toBe(describeState(harness.engine.core()))
    await sendAnyCommand(harness)
    expect(stateOf(harness).accounts.get(accountId)).toMatchObject({ status: 'active', statusReason: '' })
    await harness.engine.caughtUp()
    await harness.engine.stop()
    expect((await verify(database)).difference).toBeNull()
  })

  it('add up over 24 hours of the engine’s clock across restarts, as approvals are kept', async () => {
    const database = await databases.open()
    let harness = await createHarness(database, {})
    const restart = async (awayMs = 0) => {
      await harness.engine.caughtUp()
      const before = describeState(harness.engine.core())
      await harness.engine.stop()
      harness = await createHarness(database, { startAt: harness.clock.at + awayMs })
      expect(describeState(harness.engine.core())).toBe(before)
    }
    const by = (id: number): Operator => ({ ...ONE, id, role: id < 3 ? 'administrator' : 'finance' })
    const operators = [1, 2, 3, 4].map((id) => ({
      operatorId: id,
      role: by(id).role,
      isActive: true,
      hasJoined: true,
    }))
    await harness.engine.execute({ type: 'adoptOperators', by: DEPLOYMENT, operators })
    const accountId = accountIdOf(await harness.engine.execute({ type: 'openAccount', ledger: 'real' }))
    const usd = (whole: number) => money(BigInt(Math.round(whole * 1_000_000)))
    const credit = async (caseId: number, amount: number) => {
      await harness.engine.execute({ type: 'openDeposit', accountId, amount: usd(amount) })
      const end = { type: 'endDeposit', caseId, outcome: 'finished', amount: usd(amount), by: by(3) } as const
      return harness.engine.execute(end)
    }
    const limit = Number(stateOf(harness).settings.fourEyesLimit) / 1_000_000
    expect(await credit(1, limit - 100)).toHaveProperty('entry')
    await restart()
    expect(await credit(2, 100.000001)).toMatchObject({ rejected: 'secondOperatorNeeded' })
    expect(await credit(3, 100)).toHaveProperty('entry')
    await restart(24 * HOUR_MS - 1)
    expect(await credit(4, 1)).toMatchObject({ rejected: 'secondOperatorNeeded' })
    await restart(1)
    expect(await credit(5, 1)).toHaveProperty('entry')

    const withdrawal = { type: 'requestWithdrawal', accountId, amount: usd(5), fee: usd(0) } as const
    await harness.engine.execute(withdrawal)
    await harness.engine.execute({ type: 'approveWithdrawal', caseId: 6, by: by(3) })
    const off = { type: 'setOperator', operatorId: 4, role: 'finance', isActive: false, by: by(1) } as const
    await harness.engine.execute(off)
    await restart()
    const pay = (id: number) =>
      harness.engine.execute({ type: 'endWithdrawal', caseId: 6, outcome: 'paid', by: by(id) })
    expect(await pay(3)).toMatchObject({ rejected: 'sameOperator' })
    expect(await pay(4)).toMatchObject({ rejected: 'operatorNotEntitled' })
    expect(await pay(2)).toHaveProperty('entry')
    await harness.engine.caughtUp()
    await harness.engine.stop()
  })

  it('verify by the rules of each entry after a change from the first rules to the second', async () => {
    const database = await databases.open()
    const harness = await createHarness(database, { seed: { ...testSeed(), rules: 1 } })
    const accountId = await harness.openAccount()
    await harness.tick(108_469)
    const close = { type: 'closeAll', accountId } as const
    expect(orderIdOf(await harness.engine.execute(marketOrder(accountId)))).toBe(1)
    await harness.engine.execute({ type: 'setTradingMode', mode: 'cancelOnly', by: ONE })
    await harness.engine.execute({ type: 'setAccountStatus', accountId, status: 'frozen', by: ONE })
    await harness.engine.execute({ type: 'haltInstrument', instrumentId: 2, reason: 'old', by: ONE })
    expect(await harness.engine.execute(close)).toMatchObject({ rejected: 'accountFrozen' })

    await harness.engine.execute({ type: 'setRules', rules: 2, by: DEPLOYMENT })
    expect(stateOf(harness)).toMatchObject({ rulesVersion: 2, mode: 'reduceOnly' })
    await harness.tick(108_470)
    expect(await harness.engine.execute(close)).toMatchObject({
      entry: { events: [{ type: 'positionClosed' }] },
    })
    await harness.engine.caughtUp()
    await harness.engine.stop()
    expect((await verify(database)).difference).toBeNull()
  })
})
