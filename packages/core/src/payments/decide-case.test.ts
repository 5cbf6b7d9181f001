import { describe, expect, it } from 'vitest'
import { effects, figures, createHarness, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import { DEALER, usd } from '../../scenarios/market.ts'
import type {
  RequestAdjustment,
  CancelWithdrawal,
  EndAdjustment,
  EndDeposit,
  EndWithdrawal,
  OpenDeposit,
  RequestWithdrawal,
} from '../model/command.ts'
import { balanceOf, frozenOf, brokerAccountOf } from '../model/ledger.ts'
import { money } from '../model/number.ts'

const SECOND = { id: 2, role: 'finance' } as const
const TWO = { ...DEALER, second: SECOND }

/** One real account, id 1, and commands for it. */
function realHarness(ledger: 'real' | 'demo' = 'real') {
  const harness = createHarness({ settings: { stopOutLevel: 50 } })
  harness.openAccount(ledger)
  harness.tick('EURUSD', '1.00000', '1.00000')
  const requested = { at: harness.now(), accountId: 1 }
  return {
    ...harness,
    deposit: (amount: string) =>
      effects(harness.send({ type: 'openDeposit', ...requested, amount: usd(amount) } satisfies OpenDeposit)),
    finish: (caseId: number, amount: string, by = DEALER, outcome: EndDeposit['outcome'] = 'finished') =>
      effects(harness.operate<EndDeposit>({ type: 'endDeposit', caseId, outcome, amount: usd(amount), by })),
    withdraw: (amount: string, fee = '0') =>
      effects(
        harness.send({
          type: 'requestWithdrawal',
          ...requested,
          at: harness.now(),
          amount: usd(amount),
          fee: usd(fee),
        } satisfies RequestWithdrawal),
      ),
    cancel: (caseId: number, accountId = 1) =>
      effects(
        harness.send({
          type: 'cancelWithdrawal',
          at: harness.now(),
          accountId,
          caseId,
        } satisfies CancelWithdrawal),
      ),
    pay: (caseId: number, by = DEALER) =>
      effects(harness.operate<EndWithdrawal>({ type: 'endWithdrawal', caseId, outcome: 'paid', by })),
    reject: (caseId: number) =>
      effects(harness.operate<EndWithdrawal>({ type: 'endWithdrawal', caseId, outcome: 'rejected' })),
    ask: (amount: string, by = DEALER) =>
      effects(
        harness.operate<RequestAdjustment>({ type: 'askAdjustment', accountId: 1, amount: usd(amount), by }),
      ),
    approve: (caseId: number, by = DEALER) =>
      effects(harness.operate<EndAdjustment>({ type: 'endAdjustment', caseId, outcome: 'approved', by })),
    money: () => ({
      available: figures(harness).balance,
      frozen: balanceOf(harness.state.ledger, frozenOf(1)).balance,
    }),
  }
}

/** The same with 1,000 on the account. */
function fundedHarness() {
  const harness = realHarness()
  harness.deposit('1000')
  harness.finish(1, '1000')
  return harness
}

const brokerAccount = (
  { state }: Pick<Harness, 'state'>,
  name: 'deposits' | 'withdrawals' | 'fees' | 'adjustments',
) => balanceOf(state.ledger, brokerAccountOf('real', name)).balance

describe('a deposit', () => {
  it('is credited once, with the confirmed amount', () => {
    const harness = realHarness()
    expect(harness.deposit('500')).toEqual(['depositOpened'])
    expect(harness.money().available).toBe(0n)
    expect(harness.finish(1, '499.5')).toEqual(['depositEnded'])
    expect(harness.finish(1, '499.5')).toEqual(['refused caseEnded'])
    expect(harness.money().available).toBe(usd('499.5'))
    expect(brokerAccount(harness, 'deposits')).toBe(usd('-499.5'))
  })

  it.each(['rejected', 'invalid'] as const)('that is %s moves nothing and is final', (outcome) => {
    const harness = realHarness()
    harness.deposit('500')
    expect(harness.finish(1, '500', DEALER, outcome)).toEqual(['depositEnded'])
    expect(harness.finish(1, '500')).toEqual(['refused caseEnded'])
    expect(harness.money().available).toBe(0n)
  })

  it('above the limit needs two different operators', () => {
    const harness = realHarness()
    harness.deposit('10000.01')
    expect(harness.finish(1, '10000.01')).toEqual(['refused secondOperatorNeeded'])
    const twice = { ...DEALER, second: { id: DEALER.id, role: 'finance' as const } }
    expect(harness.finish(1, '10000.01', twice)).toEqual(['refused sameOperator'])
    expect(harness.finish(1, '10000.01', TWO)).toEqual(['depositEnded'])
  })

  it('of zero, a negative amount, or more than 1e12 is rejected', () => {
    const harness = realHarness()
    expect([harness.deposit('0'), harness.deposit('-1')].flat()).toEqual(
      Array(2).fill('refused amountInvalid'),
    )
    const tooMuch = money(usd('999999999999.999999') + 2n)
    const command = { type: 'openDeposit', at: harness.now(), accountId: 1, amount: tooMuch } as const
    expect(effects(harness.send(command))).toEqual(['refused amountInvalid'])
  })

  it('is rejected on a demo account', () => {
    const harness = realHarness('demo')
    expect([harness.deposit('1'), harness.withdraw('1'), harness.ask('1')]).toEqual([
      ['refused realOnly'],
      ['refused realOnly'],
      ['refused realOnly'],
    ])
  })

  it('reports a closed demo account as closed for users and operators', () => {
    const harness = realHarness('demo')
    harness.send({ type: 'closeAccount', at: harness.now(), accountId: 1, leftMax: usd('0') })
    expect([harness.deposit('1'), harness.ask('1')]).toEqual([
      ['refused accountClosed'],
      ['refused accountClosed'],
    ])
  })
})

describe('a withdrawal', () => {
  it('freezes its money at once; when paid it is debited, and its fee goes to the broker', () => {
    const harness = fundedHarness()
    expect(harness.withdraw('400', '3')).toEqual(['withdrawalHeld'])
    expect(harness.money()).toEqual({ available: usd('600'), frozen: usd('400') })
    expect(harness.pay(2)).toEqual(['withdrawalEnded'])
    expect(harness.money()).toEqual({ available: usd('600'), frozen: 0n })
    expect([brokerAccount(harness, 'withdrawals'), brokerAccount(harness, 'fees')]).toEqual([
      usd('397'),
      usd('3'),
    ])
  })

  it.each(['reject', 'cancel'] as const)('is released in full after a %s, and ends only once', (end) => {
    const harness = fundedHarness()
    harness.withdraw('400', '3')
    expect(harness[end](2)).toEqual(['withdrawalEnded'])
    expect(harness.money()).toEqual({ available: usd('1000'), frozen: 0n })
    expect([harness.pay(2), harness.cancel(2), harness.reject(2)].flat()).toEqual(
      Array.from({ length: 3 }, () => 'refused caseEnded'),
    )
  })

  it('cannot exceed the withdrawable amount, also together with another one', () => {
    const harness = fundedHarness()
    expect(harness.withdraw('1000.000001')).toEqual(['refused notEnoughMoney'])
    harness.withdraw('600')
    expect(harness.withdraw('400.000001')).toEqual(['refused notEnoughMoney'])
    expect(harness.withdraw('400')).toEqual(['withdrawalHeld'])
  })

  it('cannot use margin or floating profit', () => {
    const harness = fundedHarness()
    harness.buy('EURUSD', { lots: '0.01', leverage: 10 })
    // 100 of margin, 0.1 of fee
    expect(harness.withdraw('900')).toEqual(['refused notEnoughMoney'])
    harness.tick('EURUSD', '1.50000', '1.50000')
    expect(harness.withdraw('999.900001')).toEqual(['refused notEnoughMoney'])
    expect(harness.withdraw('999.9')).toEqual(['withdrawalHeld'])
  })

  it('is rejected while a position has no price', () => {
    const harness = fundedHarness()
    harness.buy('EURUSD', { lots: '0.01' })
    harness.state.quotes.clear()
    expect(harness.withdraw('1')).toEqual(['refused stalePrice'])
  })

  it('of another user is reported as not found', () => {
    const harness = fundedHarness()
    harness.withdraw('400')
    harness.openAccount('real')
    expect(harness.cancel(2, 2)).toEqual(['refused caseNotFound'])
    expect(harness.pay(3)).toEqual(['refused caseNotFound'])
  })

  it('with a fee as large as its amount is rejected', () => {
    expect(fundedHarness().withdraw('5', '5')).toEqual(['refused amountInvalid'])
  })

  it('stays frozen while losses use up the rest, which alone is protected', () => {
    const harness = fundedHarness()
    harness.buy('EURUSD', { lots: '0.01', leverage: 30 })
    harness.withdraw('900')
    harness.tick('EURUSD', '0.50000', '0.50000')
    expect(harness.state.orders.size).toBe(0)
    expect(harness.money()).toEqual({ available: 0n, frozen: usd('900') })
    harness.cancel(2)
    expect(harness.money()).toEqual({ available: usd('900'), frozen: 0n })
  })
})

describe('an adjustment', () => {
  it('credits or debits money when it is approved', () => {
    const harness = fundedHarness()
    expect([harness.ask('25'), harness.approve(2)]).toEqual([['adjustmentAsked'], ['adjustmentEnded']])
    expect([harness.ask('-75'), harness.approve(3)]).toEqual([['adjustmentAsked'], ['adjustmentEnded']])
    expect(harness.money().available).toBe(usd('950'))
    expect(brokerAccount(harness, 'adjustments')).toBe(usd('50'))
    expect(harness.approve(3)).toEqual(['refused caseEnded'])
  })

  it('above the limit must be approved by another operator', () => {
    const harness = fundedHarness()
    harness.ask('10001')
    expect(harness.approve(2)).toEqual(['refused sameOperator'])
    expect(harness.approve(2, { ...DEALER, id: 2 })).toEqual(['adjustmentEnded'])
  })

  it('cannot exceed the withdrawable amount', () => {
    const harness = fundedHarness()
    harness.ask('-1000.01')
    expect(harness.approve(2)).toEqual(['refused notEnoughMoney'])
  })
})

it('cases are restored from the journal', () => {
  const harness = fundedHarness()
  harness.withdraw('100', '1')
  harness.withdraw('50')
  harness.cancel(3)
  harness.ask('7')
  harness.deposit('1')
  expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  expect([...harness.state.cases.values()].map(({ id, kind }) => [id, kind])).toEqual([
    [2, 'withdrawal'],
    [4, 'adjustment'],
    [5, 'deposit'],
  ])
})
