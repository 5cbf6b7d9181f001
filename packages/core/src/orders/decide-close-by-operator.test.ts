import { describe, expect, it } from 'vitest'
import { demoHarness, effects, type Harness } from '../../scenarios/harness.ts'
import { DEALER, TWO } from '../../scenarios/market.ts'
import type { CloseByOperator, SetAccountStatus } from '../model/command.ts'
import { isRejection } from '../model/rejection.ts'

const closeByOperator = (harness: Harness, orderId: number, accountId = 1, by = TWO) =>
  harness.operate<CloseByOperator>({
    type: 'closeByOperator',
    accountId,
    orderId,
    ground: 'authorityOrder',
    by,
  })

const closedBy = (done: ReturnType<typeof closeByOperator>) => {
  const [event] = isRejection(done) ? [] : done.entry.events
  if (event?.type !== 'positionClosed') throw new Error('nothing was closed')
  return event
}

/** A position, id 1; a pending order, id 2. */
function heldHarness() {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.00000', '1.00000')
  harness.buy('EURUSD', { lots: '0.02' })
  harness.buy('EURUSD', { lots: '0.01', target: '0.97000' })
  return harness
}

describe('a close by an operator', () => {
  it("is at the same price as the owner's would be", () => {
    const [theirs, own] = [heldHarness(), heldHarness()]
    for (const harness of [theirs, own]) harness.tick('EURUSD', '1.00100', '1.00110')
    const byOperator = closedBy(closeByOperator(theirs, 1))
    const byOwner = closedBy(own.close(1))
    expect(byOperator).toMatchObject({ reason: 'operator', receipt: { trigger: 'operator' } })
    expect(byOperator).toEqual({
      ...byOwner,
      reason: 'operator',
      receipt: { ...byOwner.receipt, trigger: 'operator', ground: 'authorityOrder' },
    })
  })

  it('records operator, role and reason', () => {
    const done = closeByOperator(heldHarness(), 1)
    expect(done).toMatchObject({
      entry: { author: { type: 'operator', role: DEALER.role, reason: DEALER.reason } },
    })
  })

  it('is possible on a frozen account', () => {
    const harness = heldHarness()
    harness.operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 1, status: 'frozen' })
    expect(effects(closeByOperator(harness, 1))).toContain('1 positionClosed')
  })

  it('needs two operators', () => {
    const harness = heldHarness()
    expect(effects(closeByOperator(harness, 1, 1, DEALER))).toEqual(['refused secondOperatorNeeded'])
    expect(harness.state.orders.has(1)).toBe(true)
  })

  it('requires one of the published grounds', () => {
    const harness = heldHarness()
    const without = { type: 'closeByOperator', accountId: 1, orderId: 1, by: TWO } as const
    expect(effects(harness.operate<CloseByOperator>(without))).toEqual(['refused groundNeeded'])
    const made = { ...without, ground: 'because' as never }
    expect(effects(harness.operate<CloseByOperator>(made))).toEqual(['refused groundNeeded'])
  })

  it('by the first rules needed one operator and no ground', () => {
    const harness = heldHarness()
    harness.state.rulesVersion = 1
    const done = harness.operate<CloseByOperator>({ type: 'closeByOperator', accountId: 1, orderId: 1 })
    expect(closedBy(done).receipt).not.toHaveProperty('ground')
  })

  it('needs an open market and a fresh price', () => {
    const harness = heldHarness()
    harness.halt('EURUSD', 'news')
    expect(effects(closeByOperator(harness, 1))).toEqual(['refused marketHalted'])
  })

  it('rejects anything but a position of that account', () => {
    const harness = heldHarness()
    harness.openAccount('demo')
    expect(effects(closeByOperator(harness, 2))).toEqual(['refused orderNotHolding'])
    expect(effects(closeByOperator(harness, 3))).toEqual(['refused orderNotFound'])
    expect(effects(closeByOperator(harness, 1, 2))).toEqual(['refused orderNotFound'])
    expect(effects(closeByOperator(harness, 1, 99))).toEqual(['refused accountNotFound'])
    expect(effects(closeByOperator(harness, 1))).toEqual(['1 positionClosed'])
    expect(effects(closeByOperator(harness, 1))).toEqual(['refused orderNotFound'])
  })

  it('is not confirmed by the same operator twice', () => {
    const twice = { ...DEALER, second: { id: DEALER.id, role: DEALER.role } }
    expect(effects(closeByOperator(heldHarness(), 1, 1, twice))).toEqual(['refused sameOperator'])
  })
})
