import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { demoHarness } from '../../scenarios/harness.ts'
import { DEALER, instrumentOf } from '../../scenarios/market.ts'
import type { SetTerms } from '../model/command.ts'
import { isRejection } from '../model/rejection.ts'
import { lots, money, price, ratio } from '../model/number.ts'
import type { Instrument } from '../model/instrument.ts'
import type { Listing, TermsChange, TradingSettings } from '../model/terms.ts'

const LISTING: Listing = {
  showCode: 'EUR/USD',
  name: null,
  category: 'Forex',
  logo: '',
  sort: 1,
  pricePip: 10,
  typicalSpread: 6,
  referencePrice: 108_500,
  yearlyVolatility: 70_000,
}
const CONFIRMED = { ...DEALER, second: { id: 2, role: 'administrator' as const } }

/** The wrong field and why; null where the change is accepted. */
function problemOf(change: (settings: TradingSettings) => TermsChange): string | null {
  const harness = demoHarness({ settings: { stopOutLevel: 50 } })
  const before = harness.state.termsVersion
  const outcome = harness.operate<SetTerms>({
    type: 'setTerms',
    effectiveAt: null,
    by: CONFIRMED,
    change: change(harness.state.settings),
  })
  if (!isRejection(outcome)) return null
  expect(outcome.rejected).toBe('termsInvalid')
  expect(harness.state.termsVersion).toBe(before)
  return `${String(outcome.details['field'])} ${String(outcome.details['why'])}`
}

const instrument =
  (terms: Partial<Instrument>, listing: Partial<Listing> = {}) =>
  (): TermsChange => ({
    kind: 'instrument',
    instrument: { ...instrumentOf('EURUSD'), ...terms },
    listing: { ...LISTING, ...listing },
  })
const settings = (changed: Partial<TradingSettings>) => (before: TradingSettings) =>
  ({ kind: 'settings', settings: { ...before, ...changed } }) satisfies TermsChange
const hours =
  (windows: string, holidays: string[] = [], name = 'rare', zone = 'UTC') =>
  (): TermsChange => ({
    kind: 'calendar',
    session: { name, zone, windows, holidays: holidays.map((date) => ({ date, closesAt: null })) },
  })

const FIXED = { marginMode: 'fixed' as const, contractSize: 1_000 }
const NEW = { id: 77, code: 'NEW', baseCurrency: 'NEW' }

test.each<[string, (settings: TradingSettings) => TermsChange, string]>([
  ['a leverage of zero', instrument({ leverages: [0, 5] }), 'leverages belowOne'],
  ['a leverage twice', instrument({ leverages: [5, 5] }), 'leverages notAscending'],
  ['lots in steps of zero', instrument({ lotStep: lots(0) }), 'lotStep belowOne'],
  ['least lots between two steps', instrument({ lotMin: lots(150) }), 'lotMin offStep'],
  ['most lots below the least', instrument({ lotMax: lots(0) }), 'lotMax belowMinimum'],
  ['most lots between two steps', instrument({ lotMax: lots(150) }), 'lotMax offStep'],
  ['a fixed margin of nothing', instrument({ ...FIXED, contractSize: 0 }), 'contractSize belowOne'],
  ['a fixed margin below zero', instrument({ ...FIXED, contractSize: -100 }), 'contractSize belowOne'],
  [
    'a fixed margin of a part of a unit',
    instrument({ ...FIXED, contractSize: 1.5 }),
    'contractSize belowOne',
  ],
  [
    'an absurd fixed margin',
    instrument({ ...FIXED, contractSize: 1_000_000_001 }),
    'contractSize outOfRange',
  ],
  [
    'a fixed margin where prices may be negative',
    instrument({ ...FIXED, allowsNegativePrice: true }),
    'allowsNegativePrice negativeNotPossible',
  ],
  ['a fee of more than the margin', instrument({ feeRate: ratio(1_000_001) }), 'feeRate aboveWhole'],
  ['a band of more than the price', instrument({ suspectBand: ratio(1_000_001) }), 'suspectBand aboveWhole'],
  ['no freshness', instrument({ freshnessMs: 0 }), 'freshnessMs outOfRange'],
  [
    'a spread that is never let in',
    instrument({}, { typicalSpread: 1_086 }),
    'typicalSpread widerThanAllowed',
  ],
  ['a pip of nothing', instrument({}, { pricePip: 0 }), 'pricePip belowOne'],
  ['no category', instrument({}, { category: ' ' }), 'category missing'],
  ['a code that is taken', instrument({ ...NEW, code: 'GBPUSD' }), 'code taken'],
  ['a code with blanks', instrument({ ...NEW, code: 'A B' }), 'code unreadable'],
  ['a currency no pair leads to', instrument({ ...NEW, quoteCurrency: 'SEK' }), 'quoteCurrency noPair'],
  ['no currency at all', instrument({ ...NEW, quoteCurrency: 'euro' }), 'quoteCurrency notACurrency'],
  ['hours nobody keeps', instrument({ session: 'moon' }), 'session unknownSession'],
  ['a warning after the stop-out', settings({ warningLevel: 40 }), 'warningLevel belowStopOut'],
  ['a stop-out at nothing', settings({ stopOutLevel: 0, warningLevel: 0 }), 'stopOutLevel belowOne'],
  ['a demo without money', settings({ demoBalance: money(0n) }), 'demoBalance belowOne'],
  ['a notice of years', settings({ noticeMs: 1e12 }), 'noticeMs outOfRange'],
  ['a session that ends before it begins', hours('Mon 16:00-Mon 09:30'), 'windows endsBeforeItBegins'],
  ['windows that overlap', hours('Mon 09:00-Mon 12:00; Mon 11:00-Mon 16:00'), 'windows overlaps'],
  ['one that runs into the first', hours('Mon 09:00-Mon 12:00; Fri 09:00-Mon 10:00'), 'windows overlaps'],
  ['no windows', hours(''), 'windows unreadable'],
  ['a zone nobody lives in', hours('Mon 09:00-Mon 12:00', [], 'rare', 'Moon/Base'), 'zone unreadable'],
  ['a day that does not exist', hours('Mon 09:00-Mon 12:00', ['2026-02-30']), 'holidays unreadable'],
  ['a holiday twice', hours('always', ['2026-01-01', '2026-01-01']), 'holidays twice'],
  ['the name of all hours', hours('Mon 09:00-Mon 12:00', [], 'always'), 'name unreadable'],
])('%s is refused by its field, and why', (_what, change, problem) => {
  expect(problemOf(change)).toBe(problem)
})

describe('whatever is requested', () => {
  const whole = fc.integer({ min: -10, max: 2_000_000 })
  const requested = fc.record({
    priceDecimals: fc.integer({ min: -1, max: 12 }),
    leverages: fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 3 }),
    lotMin: whole,
    lotStep: whole,
    lotMax: whole,
    feeRate: whole,
    minStopDistance: whole,
    suspectBand: whole,
    maxSpread: whole,
    contractSize: whole,
  })
  it('is either rejected with a field of the form, or can be traded', () => {
    fc.assert(
      fc.property(requested, (terms) => {
        const change = {
          ...terms,
          ...NEW,
          minStopDistance: price(terms.minStopDistance),
        } as unknown as Partial<Instrument>
        const problem = problemOf(instrument(change))
        if (problem === null) {
          expect(terms.lotMin % terms.lotStep).toBe(0)
          expect(terms.lotMax).toBeGreaterThanOrEqual(terms.lotMin)
          expect(Math.min(1, ...terms.leverages)).toBe(1)
        } else expect([...Object.keys(terms), 'typicalSpread']).toContain(problem.split(' ')[0])
      }),
      { numRuns: 300 },
    )
  })
})

it('an implausible value may stay when something else changes', () => {
  const harness = demoHarness({ settings: { stopOutLevel: 120, warningLevel: 100 } })
  const change = { ...harness.state.settings, freshnessMs: 3_000 }
  const effectiveAt = harness.now() + harness.state.settings.noticeMs
  const command = { type: 'setTerms', effectiveAt, by: DEALER } as const
  harness.operate<SetTerms>({ ...command, change: { kind: 'settings', settings: change } })
  expect([...harness.state.announced.values()]).toMatchObject([
    { change: { settings: { freshnessMs: 3_000, stopOutLevel: 120 } } },
  ])
})
