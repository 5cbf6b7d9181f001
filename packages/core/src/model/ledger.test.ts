import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usd } from '../../scenarios/market.ts'
import {
  availableOf,
  balanceOf,
  createLedger,
  frozenOf,
  brokerAccountOf,
  post,
  transferBetween,
  type Transfer,
} from './ledger.ts'
import { money, NO_MONEY } from './number.ts'

const user = availableOf(7)
const fees = brokerAccountOf('demo', 'fees')
const transfer = (amount: bigint): Transfer => ({
  debit: user,
  credit: fees,
  amount: money(amount),
  kind: 'fee',
  orderId: 3,
})

describe('accounts', () => {
  it("are named after their owner, the broker's by kind of money", () => {
    expect([user, frozenOf(7), fees, brokerAccountOf('real', 'fees')]).toEqual([
      'available:7',
      'frozen:7',
      'house:demo:fees',
      'house:real:fees',
    ])
  })

  it('start at zero and stay the same object', () => {
    const ledger = createLedger()
    expect(balanceOf(ledger, user)).toEqual({ id: user, balance: 0n, entryCount: 0 })
    expect(balanceOf(ledger, user)).toBe(balanceOf(ledger, user))
  })
})

describe('posting', () => {
  it('debits and credits, and returns both balances', () => {
    const ledger = createLedger()
    post(ledger, transfer(5n), 100)
    expect(post(ledger, transfer(2n), 200)).toEqual({
      ...transfer(2n),
      at: 200,
      debitBalance: -7n,
      debitEntry: 2,
      creditBalance: 7n,
      creditEntry: 2,
    })
  })

  it.each([0n, -1n])('rejects the amount %d', (amount) => {
    const ledger = createLedger()
    expect(() => post(ledger, transfer(amount), 0)).toThrow('a transfer moves more than nothing')
    expect(ledger.balances.size).toBe(0)
  })

  it('keeps the sum of all accounts at zero and every running balance correct', () => {
    const names = fc.constantFrom(user, fees, frozenOf(7), brokerAccountOf('demo', 'trading'))
    const moves = fc.array(fc.tuple(names, names, fc.bigInt({ min: 1n, max: 10n ** 24n })))
    fc.assert(
      fc.property(moves, (list) => {
        const ledger = createLedger()
        for (const [debit, credit, amount] of list) {
          if (debit === credit) continue
          const before = balanceOf(ledger, debit).balance
          const row = post(ledger, { ...transfer(amount), debit, credit }, 0)
          expect(row.debitBalance).toBe(before - amount)
        }
        const all = [...ledger.balances.values()]
        expect(all.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n)
      }),
    )
  })
})

describe('a signed amount', () => {
  const reason = { kind: 'result', orderId: 3 } as const

  it('above zero comes from the broker', () => {
    expect(transferBetween(user, fees, usd('1.5'), reason)).toEqual([
      { debit: fees, credit: user, amount: usd('1.5'), ...reason },
    ])
  })

  it('below zero goes to the broker', () => {
    expect(transferBetween(user, fees, usd('-1.5'), reason)).toEqual([
      { debit: user, credit: fees, amount: usd('1.5'), ...reason },
    ])
  })

  it('of zero moves nothing', () => {
    expect(transferBetween(user, fees, NO_MONEY, reason)).toEqual([])
  })
})
