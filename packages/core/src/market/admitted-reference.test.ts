import { describe, expect, it } from 'vitest'
import { demoHarness, effects, onlyEvent, type Harness } from '../../scenarios/harness.ts'
import { DEALER, instrumentOf, priceOf, TWO } from '../../scenarios/market.ts'
import type { Operator } from '../model/author.ts'
import type { AdmitReference } from '../model/command.ts'

const EURUSD = instrumentOf('EURUSD').id
const OFFER = { bid: priceOf('EURUSD', '2.00000'), ask: priceOf('EURUSD', '2.00010') }

/** One position, id 1, at 1.00000. */
function heldHarness(): Harness {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.00000', '1.00000')
  harness.buy('EURUSD', { lots: '0.01', takeProfit: '1.50000' })
  return harness
}

const admit = (harness: Harness, by: Operator = TWO, instrumentId = EURUSD) =>
  harness.operate<AdmitReference>({
    type: 'admitReference',
    instrumentId,
    ...OFFER,
    source: 'recorded',
    market: null,
    by,
  })

/** A tick as the guard passes it on, accepted near an admitted reference or confirmed by the market. */
function tick(harness: Harness, bid: string, { seq, isAdmitted }: { seq: number; isAdmitted: boolean }) {
  const at = harness.now()
  const quote = { instrumentId: EURUSD, time: at, receivedAt: at, seq, source: 'recorded' }
  const prices = { bid: priceOf('EURUSD', bid), ask: priceOf('EURUSD', bid) }
  return harness.send({
    type: 'tick',
    at,
    quote: { ...quote, ...prices, ...(isAdmitted && { admitted: true as const }) },
  })
}

describe('a held price', () => {
  it('is admitted by two operators, the second of compliance or an administrator', () => {
    const harness = heldHarness()
    const refused = ['refused secondOperatorNeeded']
    expect(effects(admit(harness, DEALER))).toEqual(refused)
    for (const role of ['dealing', 'finance', 'support'] as const)
      expect(effects(admit(harness, { ...DEALER, second: { id: 2, role } }))).toEqual(refused)
    const twice = { ...DEALER, second: { id: DEALER.id, role: 'administrator' as const } }
    expect(effects(admit(harness, twice))).toEqual(['refused sameOperator'])
    expect(effects(admit(harness, TWO, 999))).toEqual(['refused unknownInstrument'])
    for (const role of ['compliance', 'administrator'] as const)
      expect(effects(admit(harness, { ...DEALER, second: { id: 2, role } }))).toEqual(['referenceAdmitted'])
  })

  it('is in the journal with both operators, and fills and triggers nothing itself', () => {
    const harness = heldHarness()
    expect(onlyEvent(admit(harness), 'referenceAdmitted')).toMatchObject({
      instrumentId: EURUSD,
      ...OFFER,
      source: 'recorded',
    })
    expect(harness.journal.at(-1)?.author).toEqual(TWO)
    expect(harness.state.quotes.get(EURUSD)).toMatchObject({ bid: priceOf('EURUSD', '1.00000') })
    expect(harness.state.orders.has(1)).toBe(true)
  })

  it('is named in receipts until a tick of the market confirms or replaces it, which is in the journal', () => {
    const harness = heldHarness()
    admit(harness)
    const filled = onlyEvent(tick(harness, '2.00000', { seq: 2, isAdmitted: true }), 'positionClosed')
    expect(filled.receipt.tick).toMatchObject({ admitted: true })
    const opened = onlyEvent(harness.sell('EURUSD', { lots: '0.01' }), 'positionOpened')
    expect(opened.receipt.tick).toMatchObject({ admitted: true })
    expect(harness.state.admitted.has(EURUSD)).toBe(true)
    expect(effects(tick(harness, '1.00000', { seq: 3, isAdmitted: false }))).toEqual(['referenceSettled'])
    expect(harness.state.admitted.size).toBe(0)
    const closed = onlyEvent(harness.close(2), 'positionClosed')
    expect(closed.receipt.tick).not.toHaveProperty('admitted')
    expect(effects(tick(harness, '1.00000', { seq: 4, isAdmitted: false }))).toEqual([])
  })
})
