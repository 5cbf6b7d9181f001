import { instrumentName } from '@fairlot/contract'
import { marketStatus } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { seedCalendar, seedInstruments, type InstrumentSeed } from './seed.ts'

const instruments = seedInstruments()
const calendar = seedCalendar()

function seedOf(code: string): InstrumentSeed {
  const found = instruments.find((seed) => seed.instrument.code === code)
  if (!found) throw new Error(`no ${code}`)
  return found
}

describe('the seeded instruments', () => {
  it('are 55, with ids from 1, sorted in file order', () => {
    expect(instruments.map((seed) => seed.instrument.id)).toEqual(Array.from({ length: 55 }, (_, i) => i + 1))
    expect(instruments.map((seed) => seed.sort)).toEqual(Array.from({ length: 55 }, (_, i) => 55 - i))
    expect(new Set(instruments.map((seed) => seed.instrument.code)).size).toBe(55)
  })

  it('have the terms of their row in the units of the core', () => {
    const expected = {
      id: 11,
      code: 'USDJPY',
      quoteCurrency: 'JPY',
      baseCurrency: 'USD',
      priceDecimals: 3,
      contractSize: 100_000,
      marginMode: 'leveraged',
      leverages: [1, 2, 5, 10, 20, 30],
      lotStep: 100,
      lotMin: 100,
      lotMax: 1_000_000,
      feeRate: 1_000,
      minStopDistance: 8,
      allowsNegativePrice: false,
      suspectBand: 20_000,
      maxSpread: 10_000,
      session: 'forex',
      swapRate: { buy: 0, sell: 0 },
      tripleSwapDay: 'wed',
      isEnabled: true,
    }
    expect(seedOf('USDJPY')).toEqual({
      instrument: expected,
      showCode: 'USD/JPY',
      name: null,
      category: 'Forex',
      pricePip: 10,
      typicalSpread: 8,
      referencePrice: 151_200,
      yearlyVolatility: 80_000,
      sort: 45,
    })
  })

  it('have a name unless they are currency pairs', () => {
    const unnamed = instruments.filter((seed) => seed.name === null)
    expect(unnamed.every((seed) => seed.category === 'Forex')).toBe(true)
    expect(unnamed).toHaveLength(28)
  })

  it('have local names, which know them by the same English name; shares keep that of their company', () => {
    for (const { name, category, instrument } of instruments) {
      if (name === null) continue
      expect(instrumentName({ ...instrument, name: null }, 'en')).toBe(category === 'Shares' ? '' : name)
      expect(instrumentName({ ...instrument, name }, 'en')).toBe(name)
    }
    expect(seedOf('GER40').name).toBe('DAX index')
  })

  it.each([
    ['EURUSD', 20_000, 10_000],
    ['XAUUSD', 50_000, 10_000],
    ['US500', 50_000, 10_000],
    ['WTI', 100_000, 10_000],
    ['AAPL', 100_000, 50_000],
    ['BTCUSD', 150_000, 50_000],
  ])('%s has a suspect band of %d and a maximum spread of %d millionths', (code, suspectBand, maxSpread) => {
    expect(seedOf(code).instrument).toMatchObject({ suspectBand, maxSpread })
  })

  it('have valid terms: ascending leverages, sizes in whole lot steps, a positive price and spread', () => {
    for (const { instrument, referencePrice, typicalSpread } of instruments) {
      expect(instrument.leverages).toEqual([...instrument.leverages].sort((a, b) => a - b))
      expect(instrument.leverages.every((leverage) => Number.isInteger(leverage) && leverage > 0)).toBe(true)
      expect(instrument.lotMin % instrument.lotStep).toBe(0)
      expect(instrument.lotMax).toBeGreaterThan(instrument.lotMin)
      expect(referencePrice).toBeGreaterThan(0)
      expect(typicalSpread).toBeGreaterThan(0)
      expect(instrument.minStopDistance).toBe(typicalSpread)
    }
  })

  it('have a session of the calendar', () => {
    for (const { instrument } of instruments) expect([...calendar.keys()]).toContain(instrument.session)
  })
})

describe('the seeded calendar', () => {
  const isOpen = (session: string, at: string): boolean =>
    marketStatus(calendar, session, Date.parse(at)).isOpen

  it('closes everything but crypto at noon UTC on Christmas Day 2025', () => {
    const open = [...calendar.keys()].filter((session) => isOpen(session, '2025-12-25T12:00:00Z'))
    expect(open).toEqual(['crypto'])
  })

  it('closes everything but crypto on a Saturday at noon UTC', () => {
    const open = [...calendar.keys()].filter((session) => isOpen(session, '2026-03-07T12:00:00Z'))
    expect(open).toEqual(['crypto'])
  })

  it('closes shares early on the day after Thanksgiving', () => {
    expect(isOpen('us-share', '2025-11-28T17:59:59Z')).toBe(true)
    expect(isOpen('us-share', '2025-11-28T18:00:00Z')).toBe(false)
  })
})
