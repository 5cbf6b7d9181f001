import { describe, expect, it } from 'vitest'
import { effects, figures } from '../../scenarios/floor.ts'
import { instrumentOf, coreOf, usd } from '../../scenarios/market.ts'
import { evolve } from '../evolve.ts'
import { transact } from '../transact.ts'
import { at, nightFloor, goTo, waiting, quoteOf, told } from '../../scenarios/night-floor.ts'

describe('a night that lacks a price', () => {
  /** Two positions; then a restart that knows the journal, and of the prices only the euro's. */
  function restarted() {
    const floor = nightFloor('2014-05-05T12:00')
    floor.tick('USDJPY', '100.000', '100.000')
    floor.buy('EURUSD')
    floor.buy('USDJPY')
    floor.state.quotes.delete(instrumentOf('USDJPY').id)
    floor.core.touched.add(1)
    return floor
  }

  it('is booked for the positions that have one, and stays open for the others', () => {
    const floor = restarted()
    expect(told(goTo(floor, '2014-05-05T21:00'))).toEqual([[1, '2014-05-05T21:00', 1, -10]])
    expect(waiting(floor)).toEqual([at('2014-05-05T21:00')])
    // Other business goes on.
    floor.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(floor.buy('EURUSD', { accountId: 1 }))).toEqual(['refused stalePrice'])
  })

  it('is booked with the first price, before that price fires anything', () => {
    const floor = restarted()
    floor.setStops(2, 'USDJPY', {})
    goTo(floor, '2014-05-05T21:00')
    goTo(floor, '2014-05-06T21:30')
    expect(effects(floor.tick('USDJPY', '110.000', '110.000'))).toEqual([])
    floor.clock()
    const swaps = floor.journal.flatMap(({ events }) => events.filter((event) => event.type === 'swapBooked'))
    // 100,000 dollars, whatever the price.
    expect(told(swaps)).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [1, '2014-05-06T21:00', 1, -10],
      [2, '2014-05-05T21:00', 1, -10],
      [2, '2014-05-06T21:00', 1, -10],
    ])
  })

  it('takes it from a tick that is decided again, after a commit that came to nothing', () => {
    const floor = restarted()
    goTo(floor, '2014-05-05T21:00')
    // The tick is known to the market, and not to the journal.
    const recovered = coreOf({
      settings: floor.state.settings,
      instruments: [...floor.state.instruments.values()],
    })
    for (const entry of floor.journal) evolve(recovered, entry)
    for (const quote of floor.state.quotes.values()) recovered.state.quotes.set(quote.instrumentId, quote)
    const quote = quoteOf('USDJPY', floor.now())
    recovered.state.quotes.set(quote.instrumentId, quote)
    expect(effects(transact(recovered, { type: 'tick', at: floor.now(), quote }))).toEqual(['pricesMarked'])
    expect(effects(transact(recovered, { type: 'clock', at: floor.now() }))).toEqual([
      '2 swapBooked',
      'rolledOver',
    ])
  })

  it('holds nobody else back, neither then nor in the nights after it', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.tick('USDJPY', '100.000', '100.000')
    floor.openAccount()
    floor.buy('EURUSD')
    floor.buy('USDJPY', { accountId: 2 })
    floor.state.quotes.delete(instrumentOf('USDJPY').id)
    floor.core.touched.add(2)
    const booked = [1, 2, 3].flatMap((day) => told(goTo(floor, `2014-05-0${4 + day}T21:00`)))
    expect(booked).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [1, '2014-05-06T21:00', 1, -10],
      [1, '2014-05-07T21:00', 3, -30],
    ])
    const nights = [5, 6, 7].map((day) => at(`2014-05-0${day}T21:00`))
    expect(waiting(floor)).toEqual(nights)
    // What waits is never late for whoever has a price: a close finds every night booked.
    floor.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
    expect(effects(floor.reset({ accountId: 2 }))).toContain('2 positionClosed')
    // It goes on waiting while nobody looks again; the next round finds that nothing is left to wait for.
    expect(goTo(floor, '2014-05-08T21:00')).toEqual([])
    expect(waiting(floor)).toEqual([])
  })

  it('concerns nobody who opens at 17:00 while it waits', () => {
    const floor = restarted()
    floor.openAccount()
    floor.wait(at('2014-05-05T21:00') - floor.now())
    floor.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(floor.buy('EURUSD', { accountId: 2 }))).toEqual(['3 positionOpened'])
    expect(waiting(floor)).toEqual([at('2014-05-05T21:00')])
    expect(told(goTo(floor, '2014-05-06T21:00'))).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [1, '2014-05-06T21:00', 1, -10],
      [3, '2014-05-06T21:00', 1, -10],
    ])
  })

  it('does not keep those before it open', () => {
    const floor = nightFloor('2014-05-09T22:00')
    floor.buy('EURUSD')
    floor.state.quotes.delete(instrumentOf('EURUSD').id)
    floor.core.touched.add(1)
    goTo(floor, '2014-05-13T12:00')
    // Saturday's and Sunday's count for nobody; Monday's waits.
    expect(waiting(floor)).toEqual([at('2014-05-12T21:00')])
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.clock()
    expect(waiting(floor)).toEqual([])
    expect(figures(floor).balance).toBe(usd('99980'))
  })
})
