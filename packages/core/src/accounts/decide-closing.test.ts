import { expect, it } from 'vitest'
import { demoHarness, effects, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import type { EndDeposit, SetAccountStatus } from '../model/command.ts'
import { money } from '../model/number.ts'

const close = (harness: Harness, accountId = 1, left = 0n) =>
  harness.send({ type: 'closeAccount', at: harness.now(), accountId, leftMax: money(left) })

it('rejects closing an account with open positions, orders or cases', () => {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.00000', '1.00000')
  harness.buy('EURUSD', { lots: '0.02' })
  harness.buy('EURUSD', { lots: '0.01', target: '0.97000' })
  expect(close(harness)).toMatchObject({ rejected: 'positionsOpen', details: { count: 1 } })
  harness.closeAll()
  expect(close(harness)).toMatchObject({ rejected: 'ordersPending', details: { count: 1 } })
  harness.cancel(2)
  // Demo money need not be withdrawn.
  expect(effects(close(harness))).toEqual(['accountClosed'])
})

it('a closed account accepts no command, also after a restart', () => {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.00000', '1.00000')
  close(harness)
  const status: Omit<SetAccountStatus, 'at' | 'by'> = {
    type: 'setAccountStatus',
    accountId: 1,
    status: 'active',
  }
  expect([
    effects(harness.buy('EURUSD')),
    effects(harness.reset()),
    effects(close(harness)),
    effects(harness.operate<SetAccountStatus>(status)),
  ]).toEqual(Array.from({ length: 4 }, () => ['refused accountClosed']))
  expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
})

it('requires that real money is withdrawn and open cases are decided first', () => {
  const harness = demoHarness()
  harness.openAccount('real')
  const requested = { at: harness.now(), accountId: 2 }
  harness.send({ type: 'openDeposit', ...requested, amount: money(5_000_000n) })
  expect(close(harness, 2)).toMatchObject({ rejected: 'casesOpen', details: { count: 1 } })
  harness.operate<EndDeposit>({
    type: 'endDeposit',
    caseId: 1,
    outcome: 'finished',
    amount: money(5_000_000n),
  })
  expect(close(harness, 2, 4_999_999n)).toMatchObject({ rejected: 'balanceLeft' })
  expect(effects(close(harness, 2, 5_000_000n))).toEqual(['accountClosed'])
})
