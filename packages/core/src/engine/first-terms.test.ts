import { describe, expect, it } from 'vitest'
import { DEPLOYMENT } from '../model/author.ts'
import type { Instrument } from '../model/instrument.ts'
import { lots, money, price, ratio } from '../model/number.ts'
import { isRejection } from '../model/rejection.ts'
import { RULES } from '../model/rules.ts'
import type { Seed } from '../model/terms.ts'
import { createCore, type Core } from '../state/running-core.ts'
import { transact } from './transact.ts'

const EURUSD: Instrument = {
  id: 1,
  code: 'EURUSD',
  quoteCurrency: 'USD',
  baseCurrency: 'EUR',
  priceDecimals: 5,
  contractSize: 100_000,
  marginMode: 'leveraged',
  leverages: [30],
  lotStep: lots(100),
  lotMin: lots(100),
  lotMax: lots(1_000_000),
  feeRate: ratio(1_000),
  minStopDistance: price(6),
  allowsNegativePrice: false,
  suspectBand: ratio(20_000),
  maxSpread: ratio(10_000),
  session: 'forex',
  swapRate: { buy: ratio(0), sell: ratio(0) },
  tripleSwapDay: 'wed',
  isEnabled: true,
}
const USDJPY: Instrument = {
  ...EURUSD,
  id: 2,
  code: 'USDJPY',
  quoteCurrency: 'JPY',
  baseCurrency: 'USD',
  priceDecimals: 3,
}
const SEED: Seed = {
  settings: {
    accountCurrency: 'USD',
    feeType: 'rate',
    demoBalance: money(100_000_000_000n),
    freshnessMs: 5_000,
    warningLevel: 100,
    stopOutLevel: 50,
    maxLivingOrders: 500,
    noticeMs: 86_400_000,
    fourEyesLimit: money(10_000_000_000n),
  },
  sessions: [{ name: 'forex', zone: 'America/New_York', windows: 'Sun 17:05-Fri 16:55', holidays: [] }],
  instruments: [EURUSD, USDJPY],
  sources: new Map([[1, { kind: 'simulated', hours: 'always', freshnessMs: null }]]),
}
const AT = Date.UTC(2026, 0, 5, 12)

const adopt = (core: Core, change: Partial<Seed> = {}) =>
  transact(core, { type: 'adoptTerms', seed: { ...SEED, ...change }, by: DEPLOYMENT, at: AT })

describe('the first terms of a journal', () => {
  it('are one entry by the deployment, and in force at once', () => {
    const core = createCore()
    const { state } = core
    const outcome = adopt(core)
    if (isRejection(outcome)) throw new Error(outcome.rejected)
    expect(outcome.entry).toMatchObject({ at: AT, author: { type: 'deployment' } })
    expect(outcome.entry.events).toHaveLength(1 + 1 + 2 + 1 + 1)
    const terms = outcome.entry.events.slice(0, -1)
    expect(terms.every((event) => event.type === 'termsSet' && event.effectiveAt === AT)).toBe(true)
    expect(outcome.entry.events.at(-1)).toEqual({ type: 'rulesSet', rules: RULES })
    expect([...state.instruments.keys()]).toEqual([1, 2])
    expect(state.settings.stopOutLevel).toBe(50)
    expect(state.sources.get(1)?.hours).toBe('always')
    expect(core.isOpen(EURUSD, Date.UTC(2026, 0, 3, 12))).toBe(true)
    expect(core.isOpen(USDJPY, Date.UTC(2026, 0, 3, 12))).toBe(false)
  })

  it('come once', () => {
    const core = createCore()
    const { state } = core
    adopt(core)
    expect(adopt(core)).toMatchObject({ rejected: 'termsFixed' })
    expect(state.termsVersion).toBe(5)
  })

  it('come before every moment that passed without them', () => {
    const core = createCore()
    const { state } = core
    Object.assign(state, { lastPriceSnapshot: AT - 90_000_000, lastRollover: AT - 90_000_000 })
    expect(transact(core, { type: 'clock', at: AT })).toMatchObject({
      entry: { events: [] },
      hasMore: false,
    })
    expect(adopt(core)).toMatchObject({ hasMore: false })
    expect(transact(core, { type: 'clock', at: AT })).toMatchObject({ hasMore: true })
  })

  it.each<[string, Partial<Seed>, object]>([
    [
      'an account currency that no pair leads to',
      { settings: { ...SEED.settings, accountCurrency: 'SEK' } },
      { field: 'accountCurrency', instrument: 'EURUSD' },
    ],
    ['an instrument whose session is not there', { sessions: [] }, { field: 'session' }],
    ['an impossible size', { instruments: [{ ...EURUSD, lotMin: lots(50) }] }, { field: 'lotMin' }],
  ])('are refused with %s, and nothing changes', (_what, change, details) => {
    const core = createCore()
    const { state } = core
    expect(adopt(core, change)).toMatchObject({ rejected: 'termsInvalid', details })
    expect([state.termsVersion, state.instruments.size, state.calendar.size]).toEqual([0, 0, 0])
  })
})
