import { describe, expect, it } from 'vitest'
import { demoFloor, effects, type Floor } from '../../scenarios/floor.ts'
import { DEALER } from '../../scenarios/market.ts'
import type { CloseByOperator, SetAccountStatus } from '../command.ts'
import { isRejection } from '../rejection.ts'

const closeByOperator = (floor: Floor, orderId: number, accountId = 1, by = DEALER) =>
  floor.operate<CloseByOperator>({ type: 'closeByOperator', accountId, orderId, by })

const closedBy = (done: ReturnType<typeof closeByOperator>) => {
  const [event] = isRejection(done) ? [] : done.entry.events
  if (event?.type !== 'positionClosed') throw new Error('nothing was closed')
  return event
}

/** A position, id 1; a pending order, id 2. */
function heldFloor() {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.00000', '1.00000')
  floor.buy('EURUSD', { lots: '0.02' })
  floor.buy('EURUSD', { lots: '0.01', target: '0.97000' })
  return floor
}

describe('a close by an operator', () => {
  it('is at the price that the owner would have had at that moment', () => {
    const [theirs, own] = [heldFloor(), heldFloor()]
    for (const floor of [theirs, own]) floor.tick('EURUSD', '1.00100', '1.00110')
    const byOperator = closedBy(closeByOperator(theirs, 1))
    const byOwner = closedBy(own.close(1))
    expect(byOperator).toMatchObject({ reason: 'operator', receipt: { trigger: 'operator' } })
    expect(byOperator).toEqual({
      ...byOwner,
      reason: 'operator',
      receipt: { ...byOwner.receipt, trigger: 'operator' },
    })
  })

  it('has the name, the role and the reason of the operator under it', () => {
    const done = closeByOperator(heldFloor(), 1)
    expect(done).toMatchObject({
      entry: { author: { type: 'operator', role: DEALER.role, reason: DEALER.reason } },
    })
  })

  it('is possible on a frozen account, whose owner may not close', () => {
    const floor = heldFloor()
    floor.operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 1, status: 'frozen' })
    expect(effects(floor.close(1))).toEqual(['refused accountFrozen'])
    expect(effects(closeByOperator(floor, 1))).toContain('1 positionClosed')
  })

  it('waits for the market like everybody: not halted, and with a fresh price', () => {
    const floor = heldFloor()
    floor.halt('EURUSD', 'news')
    expect(effects(closeByOperator(floor, 1))).toEqual(['refused marketHalted'])
  })

  it('is of a position of that account, and of nothing else', () => {
    const floor = heldFloor()
    floor.openAccount('demo')
    expect(effects(closeByOperator(floor, 2))).toEqual(['refused orderNotHolding'])
    expect(effects(closeByOperator(floor, 3))).toEqual(['refused orderNotFound'])
    expect(effects(closeByOperator(floor, 1, 2))).toEqual(['refused orderNotFound'])
    expect(effects(closeByOperator(floor, 1, 99))).toEqual(['refused accountNotFound'])
    expect(effects(closeByOperator(floor, 1))).toEqual(['1 positionClosed'])
    expect(effects(closeByOperator(floor, 1))).toEqual(['refused orderNotFound'])
  })

  it('is not confirmed by the same operator twice', () => {
    const twice = { ...DEALER, second: { id: DEALER.id, role: DEALER.role } }
    expect(effects(closeByOperator(heldFloor(), 1, 1, twice))).toEqual(['refused sameOperator'])
  })
})
