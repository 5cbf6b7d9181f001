import { describe, expect, it } from 'vitest'
import { demoHarness, effects, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import { DEALER, TWO } from '../../scenarios/market.ts'
import type { SetAccountStatus } from '../model/command.ts'
import type { OpenStatus } from '../model/terms.ts'
import { FREEZE_AGAIN_MS, FREEZE_ALONE_MS } from './decide-account.ts'

const set = (harness: Harness, status: OpenStatus) =>
  effects(
    harness.operate<SetAccountStatus>({
      type: 'setAccountStatus',
      accountId: 1,
      status,
      by: { ...DEALER, reason: 'papers are missing' },
    }),
  )

/** A position, id 1, with a stop at 0.95; a pending order, id 2. */
function heldHarness() {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.00000', '1.00000')
  harness.buy('EURUSD', { lots: '0.02', stopLoss: '0.95000' })
  harness.buy('EURUSD', { lots: '0.01', target: '0.97000' })
  return harness
}

describe('an account that may only close', () => {
  it('opens nothing, and everything else works', () => {
    const harness = heldHarness()
    expect(set(harness, 'closeOnly')).toEqual(['accountStatusSet'])
    expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused accountCloseOnly'])
    expect(effects(harness.reverse(1))).toEqual(['refused accountCloseOnly'])
    expect(effects(harness.setStops(1, 'EURUSD', { stopLoss: '0.96000' }))).toEqual(['1 stopsSet'])
    expect(effects(harness.close(1, { lots: '0.01' }))).toEqual(['1 positionReduced'])
    expect(effects(harness.closeAll())).toEqual(['1 positionClosed'])
  })

  it('has its pending orders cancelled before any of them can open', () => {
    const harness = heldHarness()
    set(harness, 'closeOnly')
    expect(effects(harness.tick('EURUSD', '0.97000', '0.97000'))).toEqual(['2 orderCancelled'])
    expect(harness.state.orders.has(1)).toBe(true)
  })
})

describe('a frozen account', () => {
  it('cannot open orders or reset, and gets the reason', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    const refused = ['refused accountFrozen']
    expect([
      effects(harness.buy('EURUSD')).slice(-1),
      effects(harness.reverse(1)),
      effects(harness.reset()),
    ]).toEqual(Array.from({ length: 3 }, () => refused))
    expect(harness.buy('EURUSD')).toMatchObject({ details: { reason: 'papers are missing' } })
  })

  it('can close positions and parts of them', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    expect(effects(harness.close(1, { lots: '0.01' }))).toEqual(['2 orderCancelled', '1 positionReduced'])
    expect(effects(harness.closeAll())).toEqual(['1 positionClosed'])
  })

  it('adds stops and moves them nearer, and does not take them away or move them further', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    harness.clock()
    const stops = (stopLoss?: string, takeProfit?: string) =>
      effects(harness.setStops(1, 'EURUSD', { stopLoss, takeProfit }))
    const [done, refused] = [['1 stopsSet'], ['refused stopsOnlyTightened']]
    // It began with a stop loss at 0.95 and without a take profit; it is a buy at 1.00.
    expect(stops('0.94999')).toEqual(refused)
    expect(stops()).toEqual(refused)
    expect(stops('0.96000')).toEqual(done)
    expect(stops('0.95999')).toEqual(refused)
    expect(stops('0.96000', '1.05000')).toEqual(done)
    expect(stops('0.96000')).toEqual(refused)
    expect(stops('0.96000', '1.05001')).toEqual(refused)
    expect(stops('0.97000', '1.04000')).toEqual(done)
    expect(harness.setStops(1, 'EURUSD')).toMatchObject({ details: { reason: 'papers are missing' } })
  })

  it('can start trailing or trail nearer, but not end trailing', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    harness.clock()
    const trail = (distance: string | null) => effects(harness.trail(1, 'EURUSD', distance))
    expect(trail('0.02000')).toEqual(['1 stopsSet'])
    expect(trail('0.02001')).toEqual(['refused stopsOnlyTightened'])
    expect(trail(null)).toEqual(['refused stopsOnlyTightened'])
    expect(trail('0.01000')).toEqual(['1 stopsSet'])
    // Moved nearer by hand, it continues trailing.
    expect(effects(harness.setStops(1, 'EURUSD', { stopLoss: '0.99500' }))).toEqual(['1 stopsSet'])
    expect(harness.state.orders.get(1)).toMatchObject({ trailingDistance: 1_000 })
  })

  it('by the first rules could send no commands', () => {
    const harness = heldHarness()
    harness.state.rulesVersion = 1
    set(harness, 'frozen')
    const refused = ['refused accountFrozen']
    expect([
      effects(harness.close(1)).slice(-1),
      effects(harness.setStops(1, 'EURUSD')),
      effects(harness.closeAll()),
    ]).toEqual(Array.from({ length: 3 }, () => refused))
  })

  it('keeps its stop loss', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    expect(effects(harness.tick('EURUSD', '0.94000', '0.94000'))).toContain('1 positionClosed')
  })

  it('may cancel orders', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    expect(effects(harness.cancel(2))).not.toContain('refused accountFrozen')
    expect(harness.state.orders.has(2)).toBe(false)
  })

  it('may request and cancel a withdrawal, and changes no payout method', () => {
    const harness = demoHarness()
    harness.openAccount('real')
    harness.operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 2, status: 'frozen' })
    const requested = { at: harness.now(), accountId: 2 }
    const zero = 0n as never
    expect(
      effects(harness.send({ type: 'requestWithdrawal', ...requested, amount: zero, fee: zero })),
    ).toEqual(['refused amountInvalid'])
    expect(effects(harness.send({ type: 'cancelWithdrawal', ...requested, caseId: 9 }))).toEqual([
      'refused caseNotFound',
    ])
    expect(effects(harness.send({ type: 'removePayoutMethod', ...requested, methodId: 9 }))).toEqual([
      'refused accountFrozen',
    ])
    expect(effects(harness.send({ type: 'openDeposit', ...requested, amount: zero }))).toEqual([
      'refused accountFrozen',
    ])
  })

  it('is active again once the operator lifts the freeze, also after a restart', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
    // The cancelled pending order does not return.
    expect(set(harness, 'active')).toEqual(['2 orderCancelled', 'accountStatusSet'])
    expect(harness.state.accounts.get(1)).toMatchObject({ status: 'active', statusReason: '' })
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })
})

it('rejects the status of an unknown account', () => {
  const harness = demoHarness()
  const command = { type: 'setAccountStatus', accountId: 9, status: 'frozen' } as const
  expect(effects(harness.operate<SetAccountStatus>(command))).toEqual(['refused accountNotFound'])
})

it('the journal names the author of each entry', () => {
  const harness = heldHarness()
  set(harness, 'closeOnly')
  harness.tick('EURUSD', '0.96000', '0.96000')
  harness.wait(3_600_000)
  harness.clock()
  expect(harness.journal.map(({ author, events }) => [author.type, events[0]?.type])).toEqual([
    ['user', 'accountOpened'],
    ['user', 'positionOpened'],
    ['user', 'orderPlaced'],
    ['operator', 'accountStatusSet'],
    ['market', 'orderCancelled'],
    ['clock', 'pricesMarked'],
  ])
})

describe('a freeze by one operator', () => {
  const account = (harness: Harness) => harness.state.accounts.get(1)
  const confirm = (harness: Harness) =>
    effects(
      harness.operate<SetAccountStatus>({
        type: 'setAccountStatus',
        accountId: 1,
        status: 'frozen',
        by: TWO,
      }),
    )

  it('lapses after 72 hours, to the millisecond, by the clock, and is journaled', () => {
    expect(FREEZE_ALONE_MS).toBe(259_200_000)
    const harness = heldHarness()
    set(harness, 'frozen')
    harness.wait(FREEZE_ALONE_MS - 1)
    harness.clock()
    expect(account(harness)?.status).toBe('frozen')
    harness.wait(1)
    expect(effects(harness.clock())).toContain('accountStatusSet')
    expect(account(harness)).toMatchObject({ status: 'active', statusReason: '' })
    expect(harness.journal.findLast(({ events }) => events[0]?.type === 'accountStatusSet')?.author).toEqual({
      type: 'clock',
    })
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it('has lapsed for the first command after its end', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    harness.wait(FREEZE_ALONE_MS)
    harness.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(harness.buy('EURUSD', { lots: '0.01' })).at(-1)).toMatch(/positionOpened/)
  })

  it('restores the restriction before it', () => {
    const harness = heldHarness()
    set(harness, 'closeOnly')
    set(harness, 'frozen')
    harness.wait(FREEZE_ALONE_MS)
    harness.clock()
    expect(account(harness)).toMatchObject({ status: 'closeOnly', statusReason: 'papers are missing' })
  })

  it('is not extended by another freeze', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    harness.wait(FREEZE_ALONE_MS - 1)
    set(harness, 'frozen')
    harness.wait(1)
    harness.clock()
    expect(account(harness)?.status).toBe('active')
  })

  it('lasts until it is lifted once a second operator confirms it', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    confirm(harness)
    // One operator may change the reason, but it does not lapse.
    set(harness, 'frozen')
    harness.wait(10 * FREEZE_ALONE_MS)
    harness.clock()
    expect(account(harness)?.status).toBe('frozen')
  })

  it('cannot be repeated by one operator within 30 days of its end', () => {
    expect(FREEZE_AGAIN_MS).toBe(2_592_000_000)
    const lifted = heldHarness()
    set(lifted, 'frozen')
    set(lifted, 'active')
    const lapsed = heldHarness()
    set(lapsed, 'frozen')
    lapsed.wait(FREEZE_ALONE_MS)
    lapsed.clock()
    const restricted = heldHarness()
    set(restricted, 'frozen')
    set(restricted, 'closeOnly')
    for (const harness of [lifted, lapsed, restricted]) {
      const from = harness.now() + FREEZE_AGAIN_MS
      harness.wait(FREEZE_AGAIN_MS - 1)
      harness.clock()
      // Restricting the account to closing is always possible, and does not matter.
      set(harness, 'closeOnly')
      const again = { type: 'setAccountStatus', accountId: 1, status: 'frozen' } as const
      expect(harness.operate<SetAccountStatus>(again)).toEqual({
        rejected: 'secondOperatorNeeded',
        details: { from },
      })
      expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
      harness.wait(1)
      expect(set(harness, 'frozen').at(-1)).toBe('accountStatusSet')
    }
  })

  it('can be repeated by two operators at any time', () => {
    const harness = heldHarness()
    set(harness, 'frozen')
    set(harness, 'active')
    expect(confirm(harness)).toEqual(['accountStatusSet'])
    set(harness, 'active')
    expect(set(harness, 'frozen')).toEqual(['refused secondOperatorNeeded'])
  })

  it('by the rules before version 6 could be repeated for ever', () => {
    const harness = heldHarness()
    harness.state.rulesVersion = 5
    for (const _round of [1, 2]) {
      set(harness, 'frozen')
      harness.wait(FREEZE_ALONE_MS)
      harness.clock()
    }
    expect(set(harness, 'frozen')).toEqual(['accountStatusSet'])
    expect(harness.state.recentFreezes.size).toBe(0)
  })

  it('by the first rules had no end', () => {
    const harness = heldHarness()
    harness.state.rulesVersion = 1
    set(harness, 'frozen')
    harness.wait(10 * FREEZE_ALONE_MS)
    harness.clock()
    expect(account(harness)?.status).toBe('frozen')
  })
})
