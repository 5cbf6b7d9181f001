import { describe, expect, it } from 'vitest'
import { effects, createHarness, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import { usd } from '../../scenarios/market.ts'
import { DEPLOYMENT, type Operator, type OperatorRole } from '../model/author.ts'
import type { EndDeposit, OperatorCommand } from '../model/command.ts'
import { availableOf, balanceOf, frozenOf, brokerAccountOf } from '../model/ledger.ts'

/** Four joined operators: two supervising ones and two others. */
const STAFF = [
  { operatorId: 1, role: 'administrator' },
  { operatorId: 2, role: 'compliance' },
  { operatorId: 3, role: 'finance' },
  { operatorId: 4, role: 'finance' },
] as const

const operator = (id: number, second: number | null = null): Operator => ({
  type: 'operator',
  id,
  role: roleOf(id),
  reason: 'a test',
  second: second === null ? null : { id: second, role: roleOf(second) },
})

const roleOf = (id: number): OperatorRole =>
  STAFF.find(({ operatorId }) => operatorId === id)?.role ?? 'finance'

type WithoutTime<C> = C extends unknown ? Omit<C, 'at'> : never

/** A venue with the two-operator rules and one real account, id 1, with 100,000. */
function openVenue(staff: readonly { operatorId: number; role: OperatorRole }[] = STAFF) {
  const harness = createHarness({ settings: { stopOutLevel: 50 } })
  harness.openAccount('real')
  harness.tick('EURUSD', '1.00000', '1.00000')
  const send = (command: WithoutTime<OperatorCommand>) =>
    effects(harness.send({ ...command, at: harness.now() } as OperatorCommand))
  send({
    type: 'adoptOperators',
    by: DEPLOYMENT,
    operators: staff.map((each) => ({ ...each, isActive: true, hasJoined: true })),
  })
  const venue = {
    ...harness,
    act: send,
    report: (amount: string, accountId = 1) =>
      effects(harness.send({ type: 'openDeposit', at: harness.now(), accountId, amount: usd(amount) })),
    finish: (caseId: number, amount: string, by: Operator) =>
      send({ type: 'endDeposit', caseId, outcome: 'finished', amount: usd(amount), by }),
    /** Always to the same destination. */
    withdraw: (amount: string, accountId = 1) =>
      effects(
        harness.send({
          type: 'requestWithdrawal',
          at: harness.now(),
          accountId,
          amount: usd(amount),
          fee: usd('0'),
          payout: { methodId: 1, destination: 7, currencyId: 1, price: 10n ** 10n, received: 10n ** 8n },
        }),
      ),
    cancel: (caseId: number) =>
      effects(harness.send({ type: 'cancelWithdrawal', at: harness.now(), accountId: 1, caseId })),
    approve: (caseId: number, id: number) => send({ type: 'approveWithdrawal', caseId, by: operator(id) }),
    start: (caseId: number, id: number) => send({ type: 'startPayment', caseId, by: operator(id) }),
    pay: (caseId: number, id: number) =>
      send({ type: 'endWithdrawal', caseId, outcome: 'paid', by: operator(id) }),
    reject: (caseId: number, id: number, second: number | null = null) =>
      send({ type: 'endWithdrawal', caseId, outcome: 'rejected', by: operator(id, second) }),
    setOperator: (operatorId: number, role: OperatorRole, isActive: boolean, by: Operator) =>
      send({ type: 'setOperator', operatorId, role, isActive, by }),
  }
  if (staff.length > 1) {
    venue.report('100000')
    venue.finish(1, '100000', operator(3, 4))
    harness.wait(25 * 3_600_000)
    harness.tick('EURUSD', '1.00000', '1.00000')
  }
  return venue
}

const money = ({ state }: Pick<Harness, 'state'>) => ({
  available: balanceOf(state.ledger, availableOf(1)).balance,
  frozen: balanceOf(state.ledger, frozenOf(1)).balance,
})

describe('the sums of 24 hours', () => {
  it('let one operator credit up to the limit, also in several credits', () => {
    const venue = openVenue()
    for (const caseId of [2, 3]) venue.report(caseId === 2 ? '4000' : '6000')
    expect(venue.finish(2, '4000', operator(3))).toEqual(['depositEnded'])
    // Exactly the limit is within it.
    expect(venue.finish(3, '6000', operator(3))).toEqual(['depositEnded'])
    venue.report('0.000001')
    expect(venue.finish(4, '0.000001', operator(3))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.finish(4, '0.000001', operator(4))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.finish(4, '0.000001', operator(3, 4))).toEqual(['depositEnded'])
  })

  it("cover 24 hours on the engine's clock", () => {
    const venue = openVenue()
    venue.report('10000')
    venue.report('1')
    venue.finish(2, '10000', operator(3))
    venue.wait(24 * 3_600_000 - 1)
    expect(venue.finish(3, '1', operator(3))).toEqual(['refused secondOperatorNeeded'])
    venue.wait(1)
    expect(venue.finish(3, '1', operator(3))).toEqual(['depositEnded'])
  })

  it("count an operator's decisions for all accounts", () => {
    const venue = openVenue()
    for (let account = 2; account <= 12; account += 1) {
      venue.openAccount('real')
      venue.report('10000', account)
    }
    const answers = Array.from({ length: 11 }, (_, index) => venue.finish(index + 2, '10000', operator(3)))
    expect(answers.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => ['depositEnded']))
    expect(answers[10]).toEqual(['refused secondOperatorNeeded'])
    expect(venue.finish(12, '10000', operator(4))).toEqual(['depositEnded'])
  })

  it('count an approved payout', () => {
    const venue = openVenue()
    venue.withdraw('9000')
    venue.approve(2, 3)
    venue.report('1000.01')
    expect(venue.finish(3, '1000.01', operator(4))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.finish(3, '1000', operator(4))).toEqual(['depositEnded'])
  })

  it('count a payout for its payer as for its approver', () => {
    const venue = openVenue()
    venue.withdraw('90000')
    venue.approve(2, 3)
    expect(venue.pay(2, 4)).toEqual(['withdrawalPaying', 'withdrawalEnded'])
    for (const [account, amount] of [
      [2, '10000'],
      [3, '1'],
      [4, '10000'],
      [5, '1'],
    ] as const) {
      venue.openAccount('real')
      venue.report(amount, account)
    }
    for (const [id, last, beyond] of [
      [4, 3, 4],
      [3, 5, 6],
    ] as const) {
      expect(venue.finish(last, '10000', operator(id))).toEqual(['depositEnded'])
      expect(venue.finish(beyond, '1', operator(id))).toEqual(['refused secondOperatorNeeded'])
    }
    expect(venue.finish(4, '1', operator(1))).toEqual(['depositEnded'])
  })

  it('subtract nothing: a payout that was rejected after its approval still counts', () => {
    const venue = openVenue()
    venue.withdraw('9000')
    venue.approve(2, 3)
    expect(venue.reject(2, 3, 4)).toEqual(['withdrawalEnded'])
    venue.report('1000.01')
    expect(venue.finish(3, '1000.01', operator(4))).toEqual(['refused secondOperatorNeeded'])
  })

  it('count an adjustment by its size, also one that debits', () => {
    const venue = openVenue()
    venue.act({ type: 'askAdjustment', accountId: 1, amount: usd('-9000'), by: operator(3) })
    expect(venue.act({ type: 'endAdjustment', caseId: 2, outcome: 'approved', by: operator(4) })).toEqual([
      'adjustmentEnded',
    ])
    venue.report('1000.01')
    expect(venue.finish(3, '1000.01', operator(1))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.finish(3, '1000', operator(1))).toEqual(['depositEnded'])
  })

  it('count a credit by two operators for both', () => {
    const venue = openVenue()
    venue.openAccount('real')
    venue.openAccount('real')
    venue.report('100000', 2)
    venue.report('1', 3)
    expect(venue.finish(2, '100000', operator(3, 4))).toEqual(['depositEnded'])
    for (const id of [3, 4])
      expect(venue.finish(3, '1', operator(id))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.finish(3, '1', operator(1))).toEqual(['depositEnded'])
  })

  it('are the same after a rebuild from the journal', () => {
    const venue = openVenue()
    venue.report('9000')
    venue.finish(2, '9000', operator(3))
    const again = venue.replayed()
    expect(again.state.recentCreditsAndPayouts).toEqual(venue.state.recentCreditsAndPayouts)
    expect([...again.state.operators]).toEqual([...venue.state.operators])
    expect(snapshotOf(again)).toEqual(snapshotOf(venue.core))
  })
})

describe('a withdrawal by the two-operator rules', () => {
  it('is approved by one operator and paid by another, whatever the amount', () => {
    const venue = openVenue()
    venue.withdraw('1')
    expect(venue.pay(2, 3)).toEqual(['refused withdrawalNotApproved'])
    expect(venue.approve(2, 3)).toEqual(['withdrawalApproved'])
    expect(venue.approve(2, 4)).toEqual(['refused withdrawalApproved'])
    expect(venue.pay(2, 3)).toEqual(['refused sameOperator'])
    expect(venue.start(2, 3)).toEqual(['refused sameOperator'])
    expect(venue.pay(2, 4)).toEqual(['withdrawalPaying', 'withdrawalEnded'])
    expect(venue.pay(2, 4)).toEqual(['refused caseEnded'])
    expect(money(venue)).toEqual({ available: usd('99999'), frozen: 0n })
  })

  it('needs two also where its amount is split over accounts that send it to one destination', () => {
    const venue = openVenue()
    venue.openAccount('real')
    venue.report('100', 2)
    venue.finish(2, '100', operator(3, 4))
    for (const [caseId, accountId] of [
      [3, 1],
      [4, 2],
    ] as const) {
      expect(venue.withdraw('50', accountId)).toEqual(['withdrawalHeld'])
      expect(venue.approve(caseId, 3)).toEqual(['withdrawalApproved'])
      expect(venue.pay(caseId, 3)).toEqual(['refused sameOperator'])
      expect(venue.start(caseId, 3)).toEqual(['refused sameOperator'])
      expect(venue.pay(caseId, 4)).toEqual(['withdrawalPaying', 'withdrawalEnded'])
    }
  })

  it('is rejected by one operator before its approval, and by two after it', () => {
    const venue = openVenue()
    venue.withdraw('50')
    expect(venue.reject(2, 3)).toEqual(['withdrawalEnded'])
    venue.withdraw('50')
    venue.approve(3, 3)
    expect(venue.reject(3, 4)).toEqual(['refused secondOperatorNeeded'])
    expect(venue.start(3, 4)).toEqual(['withdrawalPaying'])
    expect(venue.start(3, 1)).toEqual(['refused caseEnded'])
    expect(venue.reject(3, 4)).toEqual(['refused secondOperatorNeeded'])
    expect(venue.reject(3, 4, 1)).toEqual(['withdrawalEnded'])
  })

  it('can be cancelled by its owner until it is approved', () => {
    const venue = openVenue()
    venue.withdraw('50')
    venue.approve(2, 3)
    expect(venue.cancel(2)).toEqual(['refused withdrawalApproved'])
  })

  it('needs a new approval once its approver is disabled or has another role, unless it is being paid', () => {
    const venue = openVenue()
    venue.withdraw('50')
    venue.withdraw('60')
    venue.approve(2, 3)
    venue.approve(3, 3)
    venue.start(3, 4)
    expect(venue.setOperator(3, 'finance', false, operator(1))).toEqual([
      'operatorSet',
      'withdrawalApprovalVoided',
    ])
    expect(venue.pay(2, 4)).toEqual(['refused withdrawalNotApproved'])
    expect(venue.pay(3, 4)).toEqual(['withdrawalEnded'])
    expect(venue.approve(2, 3)).toEqual(['refused operatorNotEntitled'])
    expect(venue.cancel(2)).toEqual(['withdrawalEnded'])
  })

  it('counts positions without a fresh price as having lost their margin', () => {
    const venue = openVenue()
    venue.buy('EURUSD', { lots: '1', leverage: 10 })
    venue.tick('EURUSD', '1.20000', '1.20000')
    // 10,000 of margin, 10 of fee; a profit of 20,000 cannot be withdrawn, but covers the margin.
    expect(venue.withdraw('99990.01')).toEqual(['refused notEnoughMoney'])
    venue.wait(6_000)
    expect(venue.withdraw('79990.01')).toEqual(['refused notEnoughMoney'])
    expect(venue.withdraw('79990')).toEqual(['withdrawalHeld'])
  })

  /** As in the test above, at a price that is fresh, on a market in which nobody can close. */
  it.each<[string, (venue: ReturnType<typeof openVenue>) => unknown]>([
    ['of a halted instrument', (venue) => venue.halt('EURUSD', 'a storm', operator(1, 2))],
    ['of a halted market', (venue) => venue.mode('halted', operator(1, 2))],
    ['of a closed market', (venue) => venue.closeMarket('EURUSD')],
  ])('counts a position %s as having lost its margin, however fresh its price', (_market, stop) => {
    const venue = openVenue()
    venue.buy('EURUSD', { lots: '1', leverage: 10 })
    venue.tick('EURUSD', '1.20000', '1.20000')
    stop(venue)
    venue.tick('EURUSD', '1.20000', '1.20000')
    expect(venue.withdraw('79990.01')).toEqual(['refused notEnoughMoney'])
    expect(venue.withdraw('79990')).toEqual(['withdrawalHeld'])
  })

  it('counts a position that has lost more than its margin with that loss', () => {
    const venue = openVenue()
    venue.buy('EURUSD', { lots: '1', leverage: 10 })
    venue.tick('EURUSD', '0.80000', '0.80000')
    venue.wait(6_000)
    // 10,000 of margin and 20,000 lost, of 99,990.
    expect(venue.withdraw('69990.01')).toEqual(['refused notEnoughMoney'])
    expect(venue.withdraw('69990')).toEqual(['withdrawalHeld'])
  })

  it('counts fresh positions with their profit beside a stale one', () => {
    const venue = openVenue()
    venue.tick('GBPUSD', '1.00000', '1.00000')
    venue.buy('EURUSD', { lots: '1', leverage: 10 })
    venue.buy('GBPUSD', { lots: '1', leverage: 10 })
    venue.wait(6_000)
    venue.tick('GBPUSD', '1.30000', '1.30000')
    // Margins of 20,000; the stale position lost 10,000, the fresh one gained 30,000.
    expect(venue.withdraw('99980.01')).toEqual(['refused notEnoughMoney'])
    expect(venue.withdraw('99980')).toEqual(['withdrawalHeld'])
  })

  it('leaves as much for an adjustment that takes money', () => {
    const venue = openVenue()
    venue.buy('EURUSD', { lots: '1', leverage: 10 })
    venue.tick('EURUSD', '1.20000', '1.20000')
    venue.wait(6_000)
    const [ask, approve] = ['askAdjustment', 'endAdjustment'] as const
    venue.act({ type: ask, accountId: 1, amount: usd('-79990.01'), by: operator(3) })
    venue.act({ type: ask, accountId: 1, amount: usd('-79990'), by: operator(3) })
    const approved = [2, 3].map((caseId) =>
      venue.act({ type: approve, caseId, outcome: 'approved', by: operator(4) }),
    )
    expect(approved).toEqual([['refused notEnoughMoney'], ['adjustmentEnded']])
  })

  it('that is cancelled repays the protection paid while it was open', () => {
    const venue = openVenue()
    venue.buy('EURUSD', { lots: '1', leverage: 10 })
    venue.withdraw('80000')
    venue.withdraw('5000')
    venue.tick('EURUSD', '0.50000', '0.50000')
    const lifted = -balanceOf(venue.state.ledger, brokerAccountOf('real', 'protection')).balance
    expect(lifted).toBe(usd('35010'))
    // Held after the protection was paid, with money that came later: nothing is owed from it.
    venue.report('100')
    venue.finish(4, '100', operator(3, 4))
    venue.withdraw('100')
    expect(venue.cancel(5)).toEqual(['withdrawalEnded'])
    expect(money(venue)).toEqual({ available: usd('100'), frozen: usd('85000') })
    venue.withdraw('100')
    expect(venue.cancel(3)).toEqual(['withdrawalEnded'])
    expect(money(venue)).toEqual({ available: 0n, frozen: usd('80100') })
    venue.cancel(2)
    expect(money(venue)).toEqual({ available: usd('49990'), frozen: usd('100') })
    expect(balanceOf(venue.state.ledger, brokerAccountOf('real', 'protection')).balance).toBe(0n)
  })
})

describe('an adjustment by the two-operator rules', () => {
  it('cannot be approved by its requester, for a requester who was disabled since, or on a closed account', () => {
    const venue = openVenue()
    const ask = () => venue.act({ type: 'askAdjustment', accountId: 1, amount: usd('1'), by: operator(3) })
    const approve = (caseId: number, id: number) =>
      venue.act({ type: 'endAdjustment', caseId, outcome: 'approved', by: operator(id) })
    ask()
    expect(approve(2, 3)).toEqual(['refused sameOperator'])
    expect(approve(2, 4)).toEqual(['adjustmentEnded'])
    ask()
    expect(venue.setOperator(3, 'finance', false, operator(1))).toEqual(['operatorSet', 'adjustmentEnded'])
    expect(approve(3, 4)).toEqual(['refused caseEnded'])
    venue.openAccount('real')
    venue.send({ type: 'closeAccount', at: venue.now(), accountId: 2, leftMax: usd('0') })
    expect(venue.act({ type: 'askAdjustment', accountId: 2, amount: usd('1'), by: operator(4) })).toEqual([
      'refused accountClosed',
    ])
  })

  it('is void for good once its requester is disabled or has another role', () => {
    const venue = openVenue()
    const ask = (id: number) =>
      venue.act({ type: 'askAdjustment', accountId: 1, amount: usd('1'), by: operator(id) })
    const approve = (caseId: number) =>
      venue.act({ type: 'endAdjustment', caseId, outcome: 'approved', by: operator(1) })
    const before = money(venue)
    ask(3)
    ask(4)
    venue.setOperator(3, 'finance', false, operator(1))
    expect(venue.setOperator(3, 'finance', true, operator(1, 2))).toEqual(['operatorSet'])
    expect(approve(2)).toEqual(['refused caseEnded'])
    expect(venue.setOperator(4, 'support', true, operator(1, 2))).toEqual(['operatorSet', 'adjustmentEnded'])
    venue.setOperator(4, 'finance', true, operator(1, 2))
    expect(approve(3)).toEqual(['refused caseEnded'])
    expect(money(venue)).toEqual(before)
  })

  it('of an older journal that kept it open is void when its requester returns', () => {
    const venue = openVenue()
    venue.act({ type: 'askAdjustment', accountId: 1, amount: usd('1'), by: operator(3) })
    const standing = venue.state.operators.get(3)
    if (standing) venue.state.operators.set(3, { ...standing, isActive: false })
    expect(venue.setOperator(3, 'finance', true, operator(1, 2))).toEqual(['operatorSet', 'adjustmentEnded'])
  })
})

describe('operators', () => {
  it('act in their recorded role, and only while they are enabled', () => {
    const venue = openVenue()
    venue.withdraw('50')
    const posing: Operator = { ...operator(3), role: 'administrator' }
    expect(venue.act({ type: 'approveWithdrawal', caseId: 2, by: posing })).toEqual([
      'refused operatorNotEntitled',
    ])
    expect(venue.approve(2, 99)).toEqual(['refused operatorNotEntitled'])
  })

  it('are two different ones, and both still in their role', () => {
    const venue = openVenue()
    venue.report('20000')
    expect(venue.finish(2, '20000', operator(3, 3))).toEqual(['refused sameOperator'])
    venue.setOperator(4, 'finance', false, operator(1))
    expect(venue.finish(2, '20000', operator(3, 4))).toEqual(['refused operatorNotEntitled'])
    venue.setOperator(4, 'support', true, operator(1, 2))
    expect(venue.finish(2, '20000', operator(3, 4))).toEqual(['refused operatorNotEntitled'])
    expect(venue.finish(2, '20000', operator(3, 99))).toEqual(['refused operatorNotEntitled'])
    expect(venue.finish(2, '20000', operator(3, 1))).toEqual(['depositEnded'])
  })

  it('change by two operators, the second supervising and never the one concerned', () => {
    const venue = openVenue()
    expect(venue.setOperator(5, 'finance', true, operator(1))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.setOperator(5, 'finance', true, operator(1, 3))).toEqual(['refused operatorNotEntitled'])
    expect(venue.setOperator(2, 'administrator', true, operator(1, 2))).toEqual(['refused sameOperator'])
    expect(venue.setOperator(5, 'finance', true, operator(1, 2))).toEqual(['operatorSet'])
    // Invited but not joined: they do not count yet.
    expect(venue.act({ type: 'askAdjustment', accountId: 1, amount: usd('1'), by: operator(5) })).toEqual([
      'refused operatorNotEntitled',
    ])
    expect(venue.act({ type: 'joinOperator', by: operator(5) })).toEqual(['operatorJoined'])
    expect(venue.act({ type: 'joinOperator', by: operator(6) })).toEqual(['refused operatorNotEntitled'])
  })

  it('can be disabled by one operator, who does not change the role with it', () => {
    const venue = openVenue()
    expect(venue.setOperator(3, 'support', false, operator(1))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.setOperator(3, 'finance', false, operator(1))).toEqual(['operatorSet'])
  })
})

describe('single-operator mode', () => {
  const ALONE = [{ operatorId: 1, role: 'administrator' }] as const

  it('allows inviting, but no money movement until a second supervising operator has joined', () => {
    const venue = openVenue(ALONE)
    venue.report('5')
    expect(venue.finish(1, '5', operator(1))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.state.mayPayAlone).toBe(false)
    // A second operator in a role that confirms no operators does not end it.
    expect(venue.setOperator(3, 'finance', true, operator(1))).toEqual(['operatorSet'])
    expect(venue.act({ type: 'joinOperator', by: operator(3) })).toEqual(['operatorJoined'])
    expect(venue.finish(1, '5', operator(3))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.setOperator(2, 'compliance', true, operator(1))).toEqual(['operatorSet'])
    expect(venue.finish(1, '5', operator(1))).toEqual(['refused secondOperatorNeeded'])
    expect(venue.act({ type: 'joinOperator', by: operator(2) })).toEqual([
      'operatorJoined',
      'singleOperatorEnded',
    ])
    expect(venue.finish(1, '5', operator(1))).toEqual(['depositEnded'])
  })

  it('does not return when the second one is disabled', () => {
    const venue = openVenue(ALONE)
    venue.setOperator(2, 'compliance', true, operator(1))
    venue.act({ type: 'joinOperator', by: operator(2) })
    venue.setOperator(2, 'compliance', false, operator(1))
    expect(venue.setOperator(3, 'finance', true, operator(1))).toEqual(['refused secondOperatorNeeded'])
  })

  it('with existing real balances allows one operator to pay withdrawals', () => {
    const harness = createHarness()
    harness.openAccount('real')
    harness.send({ type: 'openDeposit', at: harness.now(), accountId: 1, amount: usd('100') })
    const by = { ...operator(1) }
    harness.operate<EndDeposit>({
      type: 'endDeposit',
      caseId: 1,
      outcome: 'finished',
      amount: usd('100'),
      by,
    })
    const send = (command: WithoutTime<OperatorCommand>) =>
      effects(harness.send({ ...command, at: harness.now() } as OperatorCommand))
    const operators = [{ operatorId: 1, role: 'administrator', isActive: true, hasJoined: true }] as const
    expect(send({ type: 'adoptOperators', by: DEPLOYMENT, operators })).toEqual([
      'operatorsAdopted',
      'operatorSet',
      'operatorJoined',
    ])
    for (let count = 0; count < 2; count += 1)
      harness.send({
        type: 'requestWithdrawal',
        at: harness.now(),
        accountId: 1,
        amount: usd('50'),
        fee: usd('1'),
      })
    expect(send({ type: 'approveWithdrawal', caseId: 2, by })).toEqual(['withdrawalApproved'])
    expect(send({ type: 'endWithdrawal', caseId: 2, outcome: 'paid', by })).toEqual([
      'withdrawalPaying',
      'withdrawalEnded',
    ])
    // With a second operator it ends.
    send({ type: 'approveWithdrawal', caseId: 3, by })
    send({ type: 'setOperator', operatorId: 2, role: 'compliance', isActive: true, by })
    expect(send({ type: 'joinOperator', by: operator(2) })).toContain('singleOperatorEnded')
    expect(send({ type: 'endWithdrawal', caseId: 3, outcome: 'paid', by })).toEqual(['refused sameOperator'])
  })
})

describe('a recovery', () => {
  const HOUR_MS = 3_600_000
  const wish = {
    type: 'announceRecovery',
    operatorId: 2,
    name: 'Bo',
    role: 'finance',
    reason: 'a lost phone',
    digest: 'of two keys',
    by: DEPLOYMENT,
  } as const
  const use = (operatorId: number) => ({ type: 'useRecovery', operatorId, by: DEPLOYMENT }) as const

  it('is open from 72 to 144 hours, once, and keeps the role', () => {
    const venue = openVenue()
    const announcedAt = venue.now()
    expect(venue.act(wish)).toEqual(['recoveryAnnounced'])
    expect(venue.state.recovery).toMatchObject({
      role: 'compliance',
      effectiveAt: announcedAt + 72 * HOUR_MS,
    })
    venue.wait(72 * HOUR_MS - 1)
    expect(venue.act(use(2))).toEqual(['refused recoveryNotOpen'])
    venue.wait(1)
    expect(venue.act(use(3))).toEqual(['refused recoveryNotOpen'])
    expect(venue.act(use(2))).toEqual(['recoveryUsed'])
    expect(venue.act(use(2))).toEqual(['refused recoveryNotOpen'])
    venue.act(wish)
    venue.wait(144 * HOUR_MS)
    expect(venue.act(use(2))).toEqual(['refused recoveryNotOpen'])
  })

  it('can be called off by any operator until it takes effect', () => {
    const venue = openVenue()
    const callOff = (id: number) => venue.act({ type: 'callOffRecovery', by: operator(id) })
    expect(callOff(3)).toEqual(['refused recoveryNotOpen'])
    venue.act(wish)
    expect(callOff(99)).toEqual(['refused operatorNotEntitled'])
    expect(callOff(3)).toEqual(['recoveryCalledOff'])
    venue.wait(72 * HOUR_MS)
    expect(venue.act(use(2))).toEqual(['refused recoveryNotOpen'])
    venue.act(wish)
    venue.wait(72 * HOUR_MS)
    expect(callOff(3)).toEqual(['refused recoveryNotOpen'])
    expect(venue.act(use(2))).toEqual(['recoveryUsed'])
  })

  it('enables a disabled operator, or adds a new one in the announced role', () => {
    const venue = openVenue()
    venue.setOperator(2, 'compliance', false, operator(1))
    venue.act(wish)
    venue.wait(72 * HOUR_MS)
    expect(venue.act(use(2))).toEqual(['recoveryUsed', 'operatorSet'])
    venue.act({ ...wish, operatorId: null, name: 'Cy', role: 'administrator' })
    venue.wait(72 * HOUR_MS)
    expect(venue.act(use(4))).toEqual(['refused recoveryNotOpen'])
    expect(venue.act(use(5))).toEqual(['recoveryUsed', 'operatorSet', 'operatorJoined'])
    expect(venue.state.operators.get(5)).toEqual({ role: 'administrator', isActive: true, hasJoined: true })
  })

  it('ends single-operator mode like any second operator', () => {
    const venue = openVenue([{ operatorId: 1, role: 'administrator' }])
    venue.act({ ...wish, operatorId: null, name: 'Cy', role: 'compliance' })
    venue.wait(72 * HOUR_MS)
    expect(venue.act(use(2))).toEqual([
      'recoveryUsed',
      'operatorSet',
      'operatorJoined',
      'singleOperatorEnded',
    ])
  })

  it('is rejected without recorded operators, and for an unknown one', () => {
    const harness = createHarness()
    expect(effects(harness.send({ ...wish, at: harness.now() }))).toEqual(['refused operatorNotEntitled'])
    expect(openVenue().act({ ...wish, operatorId: 77 })).toEqual(['refused operatorNotEntitled'])
  })

  it('is the same after a rebuild from the journal', () => {
    const venue = openVenue()
    venue.act(wish)
    expect(venue.replayed().state.recovery).toEqual(venue.state.recovery)
  })
})
