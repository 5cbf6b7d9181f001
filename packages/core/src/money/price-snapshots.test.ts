import { describe, expect, it } from 'vitest'
import { effects, figures } from '../../scenarios/harness.ts'
import { instrumentOf, coreOf, usd } from '../../scenarios/market.ts'
import { evolve } from '../engine/evolve.ts'
import { transact } from '../engine/transact.ts'
import { at, rolloverHarness, goTo, waiting, quoteOf, reported } from '../../scenarios/rollover-harness.ts'

describe('a rollover without a price', () => {
  /** Two positions; then a restart, after which only the euro has a price. */
  function restarted() {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.tick('USDJPY', '100.000', '100.000')
    harness.buy('EURUSD')
    harness.buy('USDJPY')
    harness.state.quotes.delete(instrumentOf('USDJPY').id)
    harness.core.dirtyAccounts.add(1)
    return harness
  }

  it('is booked for the positions with a price, and stays open for the others', () => {
    const harness = restarted()
    expect(reported(goTo(harness, '2014-05-05T21:00'))).toEqual([[1, '2014-05-05T21:00', 1, -10]])
    expect(waiting(harness)).toEqual([at('2014-05-05T21:00')])
    // Other commands are processed.
    harness.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(harness.buy('EURUSD', { accountId: 1 }))).toEqual(['refused stalePrice'])
  })

  it('is booked with the first price, before that price triggers anything', () => {
    const harness = restarted()
    harness.setStops(2, 'USDJPY', {})
    goTo(harness, '2014-05-05T21:00')
    goTo(harness, '2014-05-06T21:30')
    expect(effects(harness.tick('USDJPY', '110.000', '110.000'))).toEqual([])
    harness.clock()
    const swaps = harness.journal.flatMap(({ events }) =>
      events.filter((event) => event.type === 'swapBooked'),
    )
    // 100,000 dollars, whatever the price.
    expect(reported(swaps)).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [1, '2014-05-06T21:00', 1, -10],
      [2, '2014-05-05T21:00', 1, -10],
      [2, '2014-05-06T21:00', 1, -10],
    ])
  })

  it('uses the price of a tick that is decided again after a failed commit', () => {
    const harness = restarted()
    goTo(harness, '2014-05-05T21:00')
    // The tick is known to the market, and not to the journal.
    const recovered = coreOf({
      settings: harness.state.settings,
      instruments: [...harness.state.instruments.values()],
    })
    for (const entry of harness.journal) evolve(recovered, entry)
    for (const quote of harness.state.quotes.values()) recovered.state.quotes.set(quote.instrumentId, quote)
    const quote = quoteOf('USDJPY', harness.now())
    recovered.state.quotes.set(quote.instrumentId, quote)
    expect(effects(transact(recovered, { type: 'tick', at: harness.now(), quote }))).toEqual(['pricesMarked'])
    expect(effects(transact(recovered, { type: 'clock', at: harness.now() }))).toEqual([
      '2 swapBooked',
      'rolledOver',
    ])
  })

  it('does not delay other accounts, then or in later rollovers', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.tick('USDJPY', '100.000', '100.000')
    harness.openAccount()
    harness.buy('EURUSD')
    harness.buy('USDJPY', { accountId: 2 })
    harness.state.quotes.delete(instrumentOf('USDJPY').id)
    harness.core.dirtyAccounts.add(2)
    const booked = [1, 2, 3].flatMap((day) => reported(goTo(harness, `2014-05-0${4 + day}T21:00`)))
    expect(booked).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [1, '2014-05-06T21:00', 1, -10],
      [1, '2014-05-07T21:00', 3, -30],
    ])
    const rollovers = [5, 6, 7].map((day) => at(`2014-05-0${day}T21:00`))
    expect(waiting(harness)).toEqual(rollovers)
    // Other accounts are never late: a close finds every rollover booked.
    harness.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
    expect(effects(harness.reset({ accountId: 2 }))).toContain('2 positionClosed')
    // It waits until the next round finds that nothing is left to wait for.
    expect(goTo(harness, '2014-05-08T21:00')).toEqual([])
    expect(waiting(harness)).toEqual([])
  })

  it('does not concern positions opened at 17:00 while it waits', () => {
    const harness = restarted()
    harness.openAccount()
    harness.wait(at('2014-05-05T21:00') - harness.now())
    harness.tick('EURUSD', '1.00000', '1.00000')
    expect(effects(harness.buy('EURUSD', { accountId: 2 }))).toEqual(['3 positionOpened'])
    expect(waiting(harness)).toEqual([at('2014-05-05T21:00')])
    expect(reported(goTo(harness, '2014-05-06T21:00'))).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [1, '2014-05-06T21:00', 1, -10],
      [3, '2014-05-06T21:00', 1, -10],
    ])
  })

  it('does not keep earlier ones open', () => {
    const harness = rolloverHarness('2014-05-09T22:00')
    harness.buy('EURUSD')
    harness.state.quotes.delete(instrumentOf('EURUSD').id)
    harness.core.dirtyAccounts.add(1)
    goTo(harness, '2014-05-13T12:00')
    // Saturday's and Sunday's have no swaps; Monday's waits.
    expect(waiting(harness)).toEqual([at('2014-05-12T21:00')])
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.clock()
    expect(waiting(harness)).toEqual([])
    expect(figures(harness).balance).toBe(usd('99980'))
  })
})
