import { describe, expect, it } from 'vitest'
import { demoFloor, effects, remembered, type Floor } from '../../scenarios/floor.ts'
import { DEALER } from '../../scenarios/market.ts'
import type { SetAccountStatus } from '../command.ts'
import type { OpenStatus } from '../terms/terms.ts'

const set = (floor: Floor, status: OpenStatus) =>
  effects(
    floor.operate<SetAccountStatus>({
      type: 'setAccountStatus',
      accountId: 1,
      status,
      by: { ...DEALER, reason: 'papers are missing' },
    }),
  )

/** A position, id 1, with a stop at 0.95; a pending order, id 2. */
function heldFloor() {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.00000', '1.00000')
  floor.buy('EURUSD', { lots: '0.02', stopLoss: '0.95000' })
  floor.buy('EURUSD', { lots: '0.01', target: '0.97000' })
  return floor
}

describe('an account that may only close', () => {
  it('opens nothing, and everything else works', () => {
    const floor = heldFloor()
    expect(set(floor, 'closeOnly')).toEqual(['accountStatusSet'])
    expect(effects(floor.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused accountCloseOnly'])
    expect(effects(floor.reverse(1))).toEqual(['refused accountCloseOnly'])
    expect(effects(floor.setStops(1, 'EURUSD', { stopLoss: '0.96000' }))).toEqual(['1 stopsSet'])
    expect(effects(floor.close(1, { lots: '0.01' }))).toEqual(['1 positionReduced'])
    expect(effects(floor.closeAll())).toEqual(['1 positionClosed'])
  })

  it('has its pending orders withdrawn, before any of them can open', () => {
    const floor = heldFloor()
    set(floor, 'closeOnly')
    expect(effects(floor.tick('EURUSD', '0.97000', '0.97000'))).toEqual(['2 orderCancelled'])
    expect(floor.state.orders.has(1)).toBe(true)
  })
})

describe('a frozen account', () => {
  it('does nothing of its own, and is told why', () => {
    const floor = heldFloor()
    set(floor, 'frozen')
    const refused = ['refused accountFrozen']
    expect([
      effects(floor.buy('EURUSD')),
      effects(floor.close(1)),
      effects(floor.closeAll()),
      effects(floor.reverse(1)),
      effects(floor.setStops(1, 'EURUSD')),
      effects(floor.trail(1, 'EURUSD', '0.01000')),
      effects(floor.cancel(2)),
      effects(floor.reset()),
    ]).toEqual(Array.from({ length: 8 }, () => refused))
    expect(floor.close(1)).toMatchObject({ details: { reason: 'papers are missing' } })
  })

  it('keeps its stop loss', () => {
    const floor = heldFloor()
    set(floor, 'frozen')
    expect(effects(floor.tick('EURUSD', '0.94000', '0.94000'))).toContain('1 positionClosed')
  })

  it('may ask for its money', () => {
    const floor = demoFloor()
    floor.openAccount('real')
    floor.operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 2, status: 'frozen' })
    const asked = { at: floor.now(), accountId: 2 }
    const zero = 0n as never
    expect(effects(floor.send({ type: 'requestWithdrawal', ...asked, amount: zero, fee: zero }))).toEqual([
      'refused amountInvalid',
    ])
    expect(effects(floor.send({ type: 'openDeposit', ...asked, amount: zero }))).toEqual([
      'refused accountFrozen',
    ])
  })

  it('is free again when the operator says so, across a restart too', () => {
    const floor = heldFloor()
    set(floor, 'frozen')
    expect(remembered(floor.replayed())).toEqual(remembered(floor.core))
    // The order that waited was withdrawn for good.
    expect(set(floor, 'active')).toEqual(['2 orderCancelled', 'accountStatusSet'])
    expect(floor.state.accounts.get(1)).toMatchObject({ status: 'active', statusReason: '' })
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
  })
})

it('nobody’s status is set who is not there', () => {
  const floor = demoFloor()
  const command = { type: 'setAccountStatus', accountId: 9, status: 'frozen' } as const
  expect(effects(floor.operate<SetAccountStatus>(command))).toEqual(['refused accountNotFound'])
})

it('the journal names who caused each entry', () => {
  const floor = heldFloor()
  set(floor, 'closeOnly')
  floor.tick('EURUSD', '0.96000', '0.96000')
  floor.wait(3_600_000)
  floor.clock()
  expect(floor.journal.map(({ author, events }) => [author.type, events[0]?.type])).toEqual([
    ['user', 'accountOpened'],
    ['user', 'positionOpened'],
    ['user', 'orderPlaced'],
    ['operator', 'accountStatusSet'],
    ['market', 'orderCancelled'],
    ['clock', 'pricesMarked'],
  ])
})
