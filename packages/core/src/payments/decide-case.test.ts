import { describe, expect, it } from 'vitest'
import { effects, figures, openFloor, remembered, type Floor } from '../../scenarios/floor.ts'
import { DEALER, usd } from '../../scenarios/market.ts'
import type {
  AskAdjustment,
  CancelWithdrawal,
  EndAdjustment,
  EndDeposit,
  EndWithdrawal,
  OpenDeposit,
  RequestWithdrawal,
} from '../command.ts'
import { balanceOf, frozenOf, houseOf } from '../money/ledger.ts'
import { money } from '../money/number.ts'

const SECOND = { id: 2, role: 'finance' } as const
const TWO = { ...DEALER, second: SECOND }

/** A floor with one real account, id 1, and what may be asked for it. */
function realFloor(ledger: 'real' | 'demo' = 'real') {
  const floor = openFloor({ settings: { stopOutLevel: 50 } })
  floor.openAccount(ledger)
  floor.tick('EURUSD', '1.00000', '1.00000')
  const asked = { at: floor.now(), accountId: 1 }
  return {
    ...floor,
    deposit: (amount: string) =>
      effects(floor.send({ type: 'openDeposit', ...asked, amount: usd(amount) } satisfies OpenDeposit)),
    finish: (caseId: number, amount: string, by = DEALER, outcome: EndDeposit['outcome'] = 'finished') =>
      effects(floor.operate<EndDeposit>({ type: 'endDeposit', caseId, outcome, amount: usd(amount), by })),
    withdraw: (amount: string, fee = '0') =>
      effects(
        floor.send({
          type: 'requestWithdrawal',
          ...asked,
          at: floor.now(),
          amount: usd(amount),
          fee: usd(fee),
        } satisfies RequestWithdrawal),
      ),
    cancel: (caseId: number, accountId = 1) =>
      effects(
        floor.send({
          type: 'cancelWithdrawal',
          at: floor.now(),
          accountId,
          caseId,
        } satisfies CancelWithdrawal),
      ),
    pay: (caseId: number, by = DEALER) =>
      effects(floor.operate<EndWithdrawal>({ type: 'endWithdrawal', caseId, outcome: 'paid', by })),
    reject: (caseId: number) =>
      effects(floor.operate<EndWithdrawal>({ type: 'endWithdrawal', caseId, outcome: 'rejected' })),
    ask: (amount: string, by = DEALER) =>
      effects(floor.operate<AskAdjustment>({ type: 'askAdjustment', accountId: 1, amount: usd(amount), by })),
    approve: (caseId: number, by = DEALER) =>
      effects(floor.operate<EndAdjustment>({ type: 'endAdjustment', caseId, outcome: 'approved', by })),
    money: () => ({
      available: figures(floor).balance,
      frozen: balanceOf(floor.state.ledger, frozenOf(1)).balance,
    }),
  }
}

/** The same with 1,000 on the account. */
function fundedFloor() {
  const floor = realFloor()
  floor.deposit('1000')
  floor.finish(1, '1000')
  return floor
}

const house = ({ state }: Pick<Floor, 'state'>, name: 'deposits' | 'withdrawals' | 'fees' | 'adjustments') =>
  balanceOf(state.ledger, houseOf('real', name)).balance

describe('a deposit', () => {
  it('is credited once, at the amount that is confirmed', () => {
    const floor = realFloor()
    expect(floor.deposit('500')).toEqual(['depositOpened'])
    expect(floor.money().available).toBe(0n)
    expect(floor.finish(1, '499.5')).toEqual(['depositEnded'])
    expect(floor.finish(1, '499.5')).toEqual(['refused caseEnded'])
    expect(floor.money().available).toBe(usd('499.5'))
    expect(house(floor, 'deposits')).toBe(usd('-499.5'))
  })

  it.each(['rejected', 'invalid'] as const)('that is %s moves nothing, and stays so', (outcome) => {
    const floor = realFloor()
    floor.deposit('500')
    expect(floor.finish(1, '500', DEALER, outcome)).toEqual(['depositEnded'])
    expect(floor.finish(1, '500')).toEqual(['refused caseEnded'])
    expect(floor.money().available).toBe(0n)
  })

  it('above the limit needs two different people', () => {
    const floor = realFloor()
    floor.deposit('10000.01')
    expect(floor.finish(1, '10000.01')).toEqual(['refused secondOperatorNeeded'])
    const twice = { ...DEALER, second: { id: DEALER.id, role: 'finance' as const } }
    expect(floor.finish(1, '10000.01', twice)).toEqual(['refused sameOperator'])
    expect(floor.finish(1, '10000.01', TWO)).toEqual(['depositEnded'])
  })

  it('of nothing, of less, or of more than 1e12 is none', () => {
    const floor = realFloor()
    expect([floor.deposit('0'), floor.deposit('-1')].flat()).toEqual(Array(2).fill('refused amountInvalid'))
    const tooMuch = money(usd('999999999999.999999') + 2n)
    const command = { type: 'openDeposit', at: floor.now(), accountId: 1, amount: tooMuch } as const
    expect(effects(floor.send(command))).toEqual(['refused amountInvalid'])
  })

  it('is nothing for a demo account', () => {
    const floor = realFloor('demo')
    expect([floor.deposit('1'), floor.withdraw('1'), floor.ask('1')]).toEqual([
      ['refused realOnly'],
      ['refused realOnly'],
      ['refused realOnly'],
    ])
  })
})

describe('a withdrawal', () => {
  it('freezes its money at once; paid, it leaves and its fee stays with the house', () => {
    const floor = fundedFloor()
    expect(floor.withdraw('400', '3')).toEqual(['withdrawalHeld'])
    expect(floor.money()).toEqual({ available: usd('600'), frozen: usd('400') })
    expect(floor.pay(2)).toEqual(['withdrawalEnded'])
    expect(floor.money()).toEqual({ available: usd('600'), frozen: 0n })
    expect([house(floor, 'withdrawals'), house(floor, 'fees')]).toEqual([usd('397'), usd('3')])
  })

  it.each(['reject', 'cancel'] as const)('comes back whole after a %s, and ends only once', (end) => {
    const floor = fundedFloor()
    floor.withdraw('400', '3')
    expect(floor[end](2)).toEqual(['withdrawalEnded'])
    expect(floor.money()).toEqual({ available: usd('1000'), frozen: 0n })
    expect([floor.pay(2), floor.cancel(2), floor.reject(2)].flat()).toEqual(
      Array.from({ length: 3 }, () => 'refused caseEnded'),
    )
  })

  it('takes no more than is there, and two never take the same money', () => {
    const floor = fundedFloor()
    expect(floor.withdraw('1000.000001')).toEqual(['refused notEnoughMoney'])
    floor.withdraw('600')
    expect(floor.withdraw('400.000001')).toEqual(['refused notEnoughMoney'])
    expect(floor.withdraw('400')).toEqual(['withdrawalHeld'])
  })

  it('takes no money that positions need, and no floating profit', () => {
    const floor = fundedFloor()
    floor.buy('EURUSD', { lots: '0.01', leverage: 10 })
    // 100 of margin, 0.1 of fee
    expect(floor.withdraw('900')).toEqual(['refused notEnoughMoney'])
    floor.tick('EURUSD', '1.50000', '1.50000')
    expect(floor.withdraw('999.900001')).toEqual(['refused notEnoughMoney'])
    expect(floor.withdraw('999.9')).toEqual(['withdrawalHeld'])
  })

  it('waits while a position has no price: nobody knows what the account is worth', () => {
    const floor = fundedFloor()
    floor.buy('EURUSD', { lots: '0.01' })
    floor.state.quotes.clear()
    expect(floor.withdraw('1')).toEqual(['refused stalePrice'])
  })

  it('of somebody else does not exist', () => {
    const floor = fundedFloor()
    floor.withdraw('400')
    floor.openAccount('real')
    expect(floor.cancel(2, 2)).toEqual(['refused caseNotFound'])
    expect(floor.pay(3)).toEqual(['refused caseNotFound'])
  })

  it('whose fee is as large as itself is none', () => {
    expect(fundedFloor().withdraw('5', '5')).toEqual(['refused amountInvalid'])
  })

  it('stays held while losses eat what is left: protection makes good the rest alone', () => {
    const floor = fundedFloor()
    floor.buy('EURUSD', { lots: '0.01', leverage: 30 })
    floor.withdraw('900')
    floor.tick('EURUSD', '0.50000', '0.50000')
    expect(floor.state.orders.size).toBe(0)
    expect(floor.money()).toEqual({ available: 0n, frozen: usd('900') })
    floor.cancel(2)
    expect(floor.money()).toEqual({ available: usd('900'), frozen: 0n })
  })
})

describe('an adjustment', () => {
  it('moves money when it is approved, either way', () => {
    const floor = fundedFloor()
    expect([floor.ask('25'), floor.approve(2)]).toEqual([['adjustmentAsked'], ['adjustmentEnded']])
    expect([floor.ask('-75'), floor.approve(3)]).toEqual([['adjustmentAsked'], ['adjustmentEnded']])
    expect(floor.money().available).toBe(usd('950'))
    expect(house(floor, 'adjustments')).toBe(usd('50'))
    expect(floor.approve(3)).toEqual(['refused caseEnded'])
  })

  it('above the limit is approved by another person than the one who asked', () => {
    const floor = fundedFloor()
    floor.ask('10001')
    expect(floor.approve(2)).toEqual(['refused sameOperator'])
    expect(floor.approve(2, { ...DEALER, id: 2 })).toEqual(['adjustmentEnded'])
  })

  it('takes no more than is there', () => {
    const floor = fundedFloor()
    floor.ask('-1000.01')
    expect(floor.approve(2)).toEqual(['refused notEnoughMoney'])
  })
})

it('cases come back from the journal as they stand', () => {
  const floor = fundedFloor()
  floor.withdraw('100', '1')
  floor.withdraw('50')
  floor.cancel(3)
  floor.ask('7')
  floor.deposit('1')
  expect(remembered(floor.replayed())).toEqual(remembered(floor.core))
  expect([...floor.state.cases.values()].map(({ id, kind }) => [id, kind])).toEqual([
    [2, 'withdrawal'],
    [4, 'adjustment'],
    [5, 'deposit'],
  ])
})
