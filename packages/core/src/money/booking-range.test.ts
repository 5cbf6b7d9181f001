import { describe, expect, it } from 'vitest'
import { demoFloor, effects, figures, type Floor } from '../../scenarios/floor.ts'
import { INSTRUMENTS, usd } from '../../scenarios/market.ts'
import type { DemoReset } from '../event.ts'
import { balanceOf, createLedger, type LedgerAccountId } from './ledger.ts'
import { takeWithheld } from '../slice.ts'
import { canBook, isBookable, MAX_AMOUNT } from './booking-range.ts'
import { money, ratio } from './number.ts'

/** One lot of euros, bought at 1.00000; at 10,000,001 and above its profit is more than 1e12. */
function euroFloor(
  wish: Parameters<Floor['buy']>[1] = {},
  options: Parameters<typeof demoFloor>[0] = {},
): Floor {
  const floor = demoFloor(options)
  floor.tick('EURUSD', '1.00000', '1.00000')
  floor.buy('EURUSD', wish)
  return floor
}

const [MOST, MORE] = ['10000001.00000', '10000001.00001'] as const
const sky = (floor: Floor, price: string = MORE) => floor.tick('EURUSD', price, price)

describe('an amount of more than 1e12', () => {
  it('is not booked; one of exactly that much is', () => {
    expect([MAX_AMOUNT, -MAX_AMOUNT].map(isBookable)).toEqual([true, true])
    expect([MAX_AMOUNT + 1n, -MAX_AMOUNT - 1n].map(isBookable)).toEqual([false, false])
  })

  it('refuses an order whose margin or fee it would be, before anybody asks what is free', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.00000', '1.00000')
    const wish = { lots: '2', leverage: 1 }
    expect(floor.buy('EURUSD', { ...wish, target: '5000000' })).toMatchObject({
      rejected: 'notEnoughPrepayment',
    })
    expect(floor.buy('EURUSD', { ...wish, target: '5000000.00001' })).toMatchObject({
      rejected: 'amountOutOfRange',
    })
  })

  it('refuses a close; a part whose profit fits can be closed', () => {
    const floor = euroFloor()
    sky(floor)
    expect(floor.close(1)).toEqual({ rejected: 'amountOutOfRange', details: {} })
    expect(floor.closeAll()).toMatchObject({ rejected: 'amountOutOfRange' })
    expect(effects(floor.close(1, { lots: '0.5' }))).toEqual(['1 positionReduced'])
  })

  it('closes when the profit is exactly that much', () => {
    const floor = euroFloor()
    sky(floor, MOST)
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
    expect(figures(floor).balance).toBe(MAX_AMOUNT + usd('99990'))
  })

  it('lets a take profit wait, tells of it, and books it once it fits', () => {
    const floor = euroFloor({ takeProfit: '1.10000' })
    expect(effects(sky(floor))).toEqual([])
    expect(floor.state.orders.get(1)?.status).toBe('holding')
    expect(takeWithheld(floor.core)).toEqual([1])
    expect(takeWithheld(floor.core)).toEqual([])
    sky(floor)
    expect(effects(floor.tick('EURUSD', '1.20000', '1.20000'))).toEqual(['1 positionClosed'])
    expect(takeWithheld(floor.core)).toEqual([])
  })

  it('lets a stop-out wait for the position whose loss does not fit, and closes the others', () => {
    const floor = demoFloor({ settings: { stopOutLevel: 50 } })
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.sell('EURUSD', { lots: '1' })
    floor.sell('EURUSD', { lots: '0.1' })
    expect(effects(sky(floor))).toEqual(['2 positionClosed'])
    expect(takeWithheld(floor.core)).toEqual([1])
    expect(effects(floor.tick('EURUSD', '2.00000', '2.00000'))).toEqual(['1 positionClosed'])
  })

  it('lets the night of its position wait for an operator, and nobody else’s', () => {
    const instruments = INSTRUMENTS.map((one) =>
      one.code === 'EURUSD'
        ? { ...one, swapRate: { buy: ratio(360_000_000), sell: ratio(0) }, tripleSwapDay: 'daily' as const }
        : one,
    )
    const floor = euroFloor({}, { instruments })
    floor.buy('EURUSD', { lots: '0.1' })
    // 1 % a night of 100,000 x 1,000,000,001 is more than 1e12.
    sky(floor, '1000000001.00000')
    floor.wait(Date.parse('2014-05-02T21:00Z') - floor.now())
    expect(effects(floor.clock())).toEqual(['2 swapBooked'])
    expect(takeWithheld(floor.core)).toEqual([1])
    expect([...floor.state.nights.keys()]).toEqual([Date.parse('2014-05-02T21:00Z')])
    // Its price is that of the night for ever; business goes on.
    floor.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
  })
})

describe('a balance', () => {
  it('stays within what a column holds: what would lift it further is not booked', () => {
    const ledger = createLedger()
    const house: LedgerAccountId = 'house:demo:trading'
    const move = (amount: bigint): DemoReset => ({
      type: 'demoReset',
      accountId: 1,
      transfers: [
        { debit: house, credit: 'available:1', amount: money(amount), kind: 'result', orderId: null },
      ],
    })
    balanceOf(ledger, house).balance = money(-8n * MAX_AMOUNT)
    expect(canBook({ ledger }, [move(MAX_AMOUNT)])).toBe(true)
    expect(canBook({ ledger }, [move(MAX_AMOUNT), move(1n)])).toBe(false)
    expect(balanceOf(ledger, house).balance).toBe(-8n * MAX_AMOUNT)
  })
})
