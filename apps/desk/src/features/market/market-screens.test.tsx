import {
  admitPrice,
  changeTerms,
  haltTrading,
  listDeskCategories,
  listDeskInstruments,
  listDeskSessions,
  listFeeds,
  listHeldPrices,
  previewTerms,
  type DeskCategory,
  type HeldPrice,
  type InstrumentRow,
  type InstrumentTerms,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, savedName, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, file, refuse } from '../../testing/fake-server.ts'
import { instrumentSections } from './instrument-fields.ts'
import { termsOf } from './terms-form.tsx'

withFakeServer()

const LINES = {
  ...{ code: 'EURUSD', showCode: 'EUR/USD', name: '', category: 'Forex', logo: '', sort: '55' },
  ...{ isEnabled: 'yes', baseCurrency: 'EUR', quoteCurrency: 'USD', priceDecimals: '5' },
  ...{ contractSize: '100000', marginMode: 'leveraged', leverages: '1, 30', lotMin: '0.01' },
  ...{ lotStep: '0.01', lotMax: '100', feeRate: '0.001', swapBuy: '0', swapSell: '0' },
  ...{
    tripleSwapDay: 'wed',
    minStopDistance: '0.00006',
    suspectBand: '0.02',
    maxSpread: '0.01',
    markUp: '0',
  },
  ...{ freshnessMs: '', allowsNegativePrice: 'no', session: 'forex', pricePip: '0.0001' },
  ...{ typicalSpread: '0.00006', referencePrice: '1.085', yearlyVolatility: '0.07' },
}

const FOREX: DeskCategory = {
  ...{ id: 1, version: 1, code: 'Forex', names: [{ language: 'en', name: 'Currencies' }], instruments: 1 },
}

function euro(changes: Partial<InstrumentRow> = {}): InstrumentRow {
  const sections = instrumentSections({
    ...{ isNew: false, marginMode: 'leveraged', categories: [], sessions: [] },
  })
  const read = termsOf<InstrumentTerms>(sections, LINES)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return {
    ...{ id: 1, terms: read.terms, formKey: 'k1', isOpen: true, haltReason: null, source: 'simulated' },
    ...{ announced: 0, positions: 2, pendingOrders: 1 },
    ...changes,
  }
}

async function openMarket(path = 'instruments', row = euro(), options: Parameters<typeof openDesk>[1] = {}) {
  answer(listDeskInstruments, ({ search }) => ({
    ...{ mode: 'normal' as const, instruments: search === 'nobody' ? [] : [row] },
  }))
  answer(listDeskCategories, { categories: [FOREX] })
  answer(listDeskSessions, { sessions: [] })
  await openDesk(`/market/${path}`, options)
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
const field = (name: string) => page.getByLabelText(name, { exact: true })

describe('the form of an instrument', () => {
  async function openForm() {
    await openMarket()
    await page.getByRole('row', { name: /EUR\/USD/ }).click()
    await press('Change terms')
  }

  test('says at the field what cannot be read, and sends nothing', async () => {
    await openForm()
    await field('Fee').fill('cheap')
    await press('Review')
    await expect.element(field('Fee')).toHaveAccessibleDescription(/plain number/)
    expect(asked(previewTerms)).toEqual([])
  })

  test('says at the field what the server refuses', async () => {
    await openForm()
    refuse(previewTerms, 'termsInvalid', 'It lies below the least size.', 'lotMax')
    await press('Review')
    await expect.element(field('Most lots')).toHaveAccessibleDescription('It lies below the least size.')
  })

  test('shows what would change before it is sent, and that it waits for a second person', async () => {
    await openForm()
    await field('Fee').fill('0.002')
    answer(previewTerms, ({ effect }) => ({
      ...{ changes: [{ field: 'feeRate', before: '0.001', after: '0.002' }], isWorse: true },
      ...{ needsSecond: effect === 'now', effectiveAt: 0, earliestAt: 0, positions: 2, pendingOrders: 1 },
    }))
    await press('Review')
    await expect.element(page.getByRole('insertion')).toHaveTextContent('0.002')
    await page.getByRole('radio', { name: 'At once' }).click({ force: true })
    await expect.element(page.getByText(/needs a second person/).first()).toBeVisible()
    answer(changeTerms, { approvalId: 4 })
    await field('Reason').fill('dearer prices')
    await press('Ask a second person')
    await expect.element(page.getByText(/waits for a second person/).first()).toBeVisible()
    expect(asked(changeTerms)).toMatchObject([
      { kind: 'instrument', instrumentId: 1, formKey: 'k1', effect: 'now', instrument: { feeRate: 2_000 } },
    ])
  })

  test('is not offered to whoever may not change terms; a halt may be asked for', async () => {
    await openMarket('instruments', euro(), { as: self({ role: 'support' }) })
    await page.getByRole('row', { name: /EUR\/USD/ }).click()
    await expect.element(page.getByRole('button', { name: 'Ask to halt' })).toBeVisible()
    expect(page.getByRole('button', { name: 'Change terms' }).query()).toBe(null)
  })
})

test('instruments are found by the server, are saved as they are shown, and what is open stays', async () => {
  await openMarket()
  await page.getByRole('row', { name: /EUR\/USD Currencies/ }).click()
  await press('Change terms')
  await page.getByLabelText('Find an instrument').fill('nobody')
  await expect.element(page.getByText('Nothing was found for “nobody”')).toBeVisible()
  expect(asked(listDeskInstruments).at(-1)).toEqual({ search: 'nobody' })
  file('/desk/api/market/instruments.csv?search=nobody', 'id')
  expect(await savedName(() => press('Export'))).toBe('instruments.csv')
  await expect.element(page.getByRole('heading', { name: 'Change EUR/USD' })).toBeVisible()
  await expect.element(field('Fee')).toHaveValue('0.001')
})

test('a fixed margin is a figure of money for each lot, and is named so', async () => {
  await openMarket()
  await page.getByRole('row', { name: /EUR\/USD/ }).click()
  await press('Change terms')
  await expect.element(field('Units per lot')).toHaveValue('100000')
  await field('Margin').selectOptions('fixed')
  await expect.element(field('Margin per lot')).toHaveValue('')
  await field('Margin per lot').fill('1000.5')
  await press('Review')
  await expect.element(field('Margin per lot')).toHaveAccessibleDescription(/whole number/)
  await field('Margin per lot').fill('0')
  refuse(previewTerms, 'termsInvalid', 'It has to be above zero.', 'contractSize')
  await press('Review')
  await expect.element(field('Margin per lot')).toHaveAccessibleDescription('It has to be above zero.')
  await field('Margin per lot').fill('1000')
  await press('Review')
  await expect
    .poll(() => asked(previewTerms).at(-1)?.instrument)
    .toMatchObject({
      ...{ marginMode: 'fixed', contractSize: 1_000 },
    })
  await field('Margin').selectOptions('leveraged')
  await expect.element(field('Units per lot')).toHaveValue('100000')
})

describe('halts', () => {
  test('everything by one key, with a reason', async () => {
    await openMarket('halts', euro(), { size: PHONE })
    await press('Halt everything')
    await press('Halt everything')
    await expect.element(field('Reason')).toHaveAccessibleDescription(/Say why/)
    answer(haltTrading, { codes: ['EURUSD'] })
    await field('Reason').fill('prices are in doubt')
    await press('Halt everything')
    await expect.element(page.getByText('Halted.').first()).toBeVisible()
    expect(asked(haltTrading)).toEqual([
      { scope: 'all', instrumentId: null, category: null, reason: 'prices are in doubt' },
    ])
  })

  test('say their reason, and whoever may not end one is not offered it', async () => {
    await openMarket('halts', euro({ haltReason: 'the venue is down' }), { as: self({ role: 'finance' }) })
    await expect.element(page.getByText('the venue is down')).toBeVisible()
    expect(page.getByRole('button', { name: 'Let it trade' }).query()).toBe(null)
  })
})

test('a held price is admitted with a reason, by dealing only', async () => {
  const held: HeldPrice = {
    ...{ instrumentId: 1, code: 'EURUSD', number: 7, source: 'ws', reason: 'suspect', isFresh: true },
    ...{ bid: dec('1.2'), ask: dec('1.2001'), at: Date.now(), lastMid: dec('1.1'), offByPercent: dec('9.1') },
  }
  answer(listFeeds, { sources: [], instruments: [], unknownCount: 0 })
  answer(listHeldPrices, { prices: [held] })
  await openMarket('feeds', euro(), { as: self({ role: 'dealing' }) })
  await page.getByRole('radio', { name: 'Held' }).click({ force: true })
  await press('Admit')
  answer(admitPrice, { became: 'accepted' })
  await field('Reason').fill('the bank confirms it')
  await press('Admit')
  await expect.element(page.getByText('The price is admitted.').first()).toBeVisible()
  expect(asked(admitPrice)).toEqual([{ instrumentId: 1, number: 7, reason: 'the bank confirms it' }])
})

test('a source that stands in for the preferred one is shown as such', async () => {
  const row = {
    ...{ instrumentId: 1, code: 'EURUSD', source: 'ws:two', kind: 'live' as const, isOpen: true, ageMs: 100 },
    ...{ perMinute: 60, bid: dec('1.1'), ask: dec('1.10006'), spread: dec('0.00006'), freshnessMs: 5_000 },
    ...{ held: 0, refused: [] },
  }
  const other = { ...row, instrumentId: 2, code: 'GBPUSD', sourceOrder: ['ws:two'] }
  const instruments = [{ ...row, sourceOrder: ['ws:one', 'ws:two'] }, other]
  answer(listFeeds, { sources: [], instruments, unknownCount: 0 })
  await openMarket('feeds', euro(), { as: self({ role: 'dealing' }) })
  await expect.element(page.getByText('stands in for ws:one')).toBeVisible()
  await expect.element(page.getByText('stands in for ws:two')).not.toBeInTheDocument()
})

const dec = (text: string) => Number(text) as HeldPrice['bid']
