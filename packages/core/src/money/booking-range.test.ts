import { describe, expect, it } from 'vitest'
import { demoHarness, effects, figures, type Harness } from '../../scenarios/harness.ts'
import { INSTRUMENTS, usd } from '../../scenarios/market.ts'
import type { DemoReset } from '../model/event.ts'
import { balanceOf, createLedger, type LedgerAccountId } from '../model/ledger.ts'
import { takeDeferredOrders } from '../engine/transaction.ts'
import { canBook, isBookable, MAX_AMOUNT } from './booking-range.ts'
import { money, ratio } from '../model/number.ts'

/** One lot of euros, bought at 1.00000; at 10,000,001 and above its profit is more than 1e12. */
function euroHarness(
  wish: Parameters<Harness['buy']>[1] = {},
  options: Parameters<typeof demoHarness>[0] = {},
): Harness {
  const harness = demoHarness(options)
  harness.tick('EURUSD', '1.00000', '1.00000')
  harness.buy('EURUSD', wish)
  return harness
}

const [MOST, MORE] = ['10000001.00000', '10000001.00001'] as const
const sky = (harness: Harness, price: string = MORE) => harness.tick('EURUSD', price, price)

describe('an amount of more than 1e12', () => {
  it('is not booked; one of exactly that much is', () => {
    expect([MAX_AMOUNT, -MAX_AMOUNT].map(isBookable)).toEqual([true, true])
    expect([MAX_AMOUNT + 1n, -MAX_AMOUNT - 1n].map(isBookable)).toEqual([false, false])
  })

  it('rejects an order with such a margin or fee, before the free margin is checked', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.00000', '1.00000')
    const wish = { lots: '2', leverage: 1 }
    expect(harness.buy('EURUSD', { ...wish, target: '5000000' })).toMatchObject({
      rejected: 'notEnoughPrepayment',
    })
    expect(harness.buy('EURUSD', { ...wish, target: '5000000.00001' })).toMatchObject({
      rejected: 'amountOutOfRange',
    })
  })

  it('rejects a close; a part with a smaller profit can be closed', () => {
    const harness = euroHarness()
    sky(harness)
    expect(harness.close(1)).toEqual({ rejected: 'amountOutOfRange', details: {} })
    expect(harness.closeAll()).toMatchObject({ rejected: 'amountOutOfRange' })
    expect(effects(harness.close(1, { lots: '0.5' }))).toEqual(['1 positionReduced'])
  })

  it('closes when the profit is exactly that much', () => {
    const harness = euroHarness()
    sky(harness, MOST)
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
    expect(figures(harness).balance).toBe(MAX_AMOUNT + usd('99990'))
  })

  it('makes a take profit wait, reports it, and books it once it is in range', () => {
    const harness = euroHarness({ takeProfit: '1.10000' })
    expect(effects(sky(harness))).toEqual([])
    expect(harness.state.orders.get(1)?.status).toBe('holding')
    expect(takeDeferredOrders(harness.core)).toEqual([1])
    expect(takeDeferredOrders(harness.core)).toEqual([])
    sky(harness)
    expect(effects(harness.tick('EURUSD', '1.20000', '1.20000'))).toEqual(['1 positionClosed'])
    expect(takeDeferredOrders(harness.core)).toEqual([])
  })

  it('makes a stop-out wait for that position, and closes the others', () => {
    const harness = demoHarness({ settings: { stopOutLevel: 50 } })
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.sell('EURUSD', { lots: '1' })
    harness.sell('EURUSD', { lots: '0.1' })
    expect(effects(sky(harness))).toEqual(['2 positionClosed'])
    expect(takeDeferredOrders(harness.core)).toEqual([1])
    expect(effects(harness.tick('EURUSD', '2.00000', '2.00000'))).toEqual(['1 positionClosed'])
  })

  it('makes the swap of that position wait, and no other', () => {
    const instruments = INSTRUMENTS.map((one) =>
      one.code === 'EURUSD'
        ? { ...one, swapRate: { buy: ratio(360_000_000), sell: ratio(0) }, tripleSwapDay: 'daily' as const }
        : one,
    )
    const harness = euroHarness({}, { instruments })
    harness.buy('EURUSD', { lots: '0.1' })
    // 1 % a rollover of 100,000 x 1,000,000,001 is more than 1e12.
    sky(harness, '1000000001.00000')
    harness.wait(Date.parse('2014-05-02T21:00Z') - harness.now())
    expect(effects(harness.clock())).toEqual(['2 swapBooked'])
    expect(takeDeferredOrders(harness.core)).toEqual([1])
    expect([...harness.state.rollovers.keys()]).toEqual([Date.parse('2014-05-02T21:00Z')])
    // The rollover's price does not change; other commands are processed.
    harness.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })
})

describe('a balance', () => {
  it('stays within the range of its column: nothing above is booked', () => {
    const ledger = createLedger()
    const brokerAccount: LedgerAccountId = 'house:demo:trading'
    const move = (amount: bigint): DemoReset => ({
      type: 'demoReset',
      accountId: 1,
      transfers: [
        { debit: brokerAccount, credit: 'available:1', amount: money(amount), kind: 'result', orderId: null },
      ],
    })
    balanceOf(ledger, brokerAccount).balance = money(-8n * MAX_AMOUNT)
    expect(canBook({ ledger }, [move(MAX_AMOUNT)])).toBe(true)
    expect(canBook({ ledger }, [move(MAX_AMOUNT), move(1n)])).toBe(false)
    expect(balanceOf(ledger, brokerAccount).balance).toBe(-8n * MAX_AMOUNT)
  })
})
