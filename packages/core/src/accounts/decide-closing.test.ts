import { expect, it } from 'vitest'
import { demoFloor, effects, remembered, type Floor } from '../../scenarios/floor.ts'
import type { EndDeposit, SetAccountStatus } from '../command.ts'
import { money } from '../money/number.ts'

const close = (floor: Floor, accountId = 1, left = 0n) =>
  floor.send({ type: 'closeAccount', at: floor.now(), accountId, leftMax: money(left) })

it('an account with something open is refused, first for what moves with the market', () => {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.00000', '1.00000')
  floor.buy('EURUSD', { lots: '0.02' })
  floor.buy('EURUSD', { lots: '0.01', target: '0.97000' })
  expect(close(floor)).toMatchObject({ rejected: 'positionsOpen', details: { count: 1 } })
  floor.closeAll()
  expect(close(floor)).toMatchObject({ rejected: 'ordersPending', details: { count: 1 } })
  floor.cancel(2)
  // Demo money is nobody's.
  expect(effects(close(floor))).toEqual(['accountClosed'])
})

it('an account that is closed does nothing any more, across a restart too', () => {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.00000', '1.00000')
  close(floor)
  const status: Omit<SetAccountStatus, 'at' | 'by'> = {
    type: 'setAccountStatus',
    accountId: 1,
    status: 'active',
  }
  expect([
    effects(floor.buy('EURUSD')),
    effects(floor.reset()),
    effects(close(floor)),
    effects(floor.operate<SetAccountStatus>(status)),
  ]).toEqual(Array.from({ length: 4 }, () => ['refused accountClosed']))
  expect(remembered(floor.replayed())).toEqual(remembered(floor.core))
})

it('real money leaves first, and what is under way comes to its end', () => {
  const floor = demoFloor()
  floor.openAccount('real')
  const asked = { at: floor.now(), accountId: 2 }
  floor.send({ type: 'openDeposit', ...asked, amount: money(5_000_000n) })
  expect(close(floor, 2)).toMatchObject({ rejected: 'casesOpen', details: { count: 1 } })
  floor.operate<EndDeposit>({ type: 'endDeposit', caseId: 1, outcome: 'finished', amount: money(5_000_000n) })
  expect(close(floor, 2, 4_999_999n)).toMatchObject({ rejected: 'balanceLeft' })
  expect(effects(close(floor, 2, 5_000_000n))).toEqual(['accountClosed'])
})
