import {
  admitPrice,
  changeTerms,
  getTradingTerms,
  haltTrading,
  listDeskCategories,
  listDeskInstruments,
  listDeskSessions,
  listFeeds,
  listHeldPrices,
  listWaiting,
  previewTerms,
  setTradingMode,
  type DeskCategory,
  type HeldPrice,
  type InstrumentRow,
  type InstrumentTerms,
  type TradingTerms,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { logOut } from '../../live/session.ts'
import { logInAgain, openDesk, PHONE, savedName, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, file, pushChanged, reject } from '../../testing/fake-server.ts'
import { instrumentSections } from './instrument-fields.ts'
import { termsOf } from './terms-form.tsx'

withFakeServer()

const LINES = {
  code: 'EURUSD',
  showCode: 'EUR/USD',
  name: '',
  category: 'Forex',
  logo: '',
  sort: '55',
  isEnabled: 'yes',
  baseCurrency: 'EUR',
  quoteCurrency: 'USD',
  priceDecimals: '5',
  contractSize: '100000',
  marginMode: 'leveraged',
  leverages: '1, 30',
  lotMin: '0.01',
  lotStep: '0.01',
  lotMax: '100',
  feeRate: '0.001',
  swapBuy: '0',
  swapSell: '0',
  tripleSwapDay: 'wed',
  minStopDistance: '0.00006',
  suspectBand: '0.02',
  maxSpread: '0.01',
  markUp: '0',
  freshnessMs: '',
  allowsNegativePrice: 'no',
  session: 'forex',
  pricePip: '0.0001',
  typicalSpread: '0.00006',
  referencePrice: '1.085',
  yearlyVolatility: '0.07',
}

const FOREX: DeskCategory = {
  id: 1,
  version: 1,
  code: 'Forex',
  names: [{ language: 'en', name: 'Currencies' }],
  instruments: 1,
}

function euro(changes: Partial<InstrumentRow> = {}): InstrumentRow {
  const sections = instrumentSections({
    isNew: false,
    marginMode: 'leveraged',
    categories: [],
    sessions: [],
  })
  const read = termsOf<InstrumentTerms>(sections, LINES)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return {
    id: 1,
    terms: read.terms,
    formKey: 'k1',
    isOpen: true,
    haltReason: null,
    haltEndsAt: null,
    source: 'simulated',
    announced: 0,
    positions: 2,
    pendingOrders: 1,
    ...changes,
  }
}

async function openMarket(path = 'instruments', row = euro(), options: Parameters<typeof openDesk>[1] = {}) {
  answer(listDeskInstruments, ({ search }) => ({
    mode: 'normal' as const,
    modeReason: '',
    modeEndsAt: null,
    instruments: search === 'nobody' ? [] : [row],
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

  test('shows at its field what cannot be read, and sends nothing', async () => {
    await openForm()
    await field('Fee').fill('cheap')
    await press('Review')
    await expect.element(field('Fee')).toHaveAccessibleDescription(/plain number/)
    expect(inputsOf(previewTerms)).toEqual([])
  })

  test('shows at its field what the server rejects', async () => {
    await openForm()
    reject(previewTerms, 'termsInvalid', 'It is below the minimum.', 'lotMax')
    await press('Review')
    await expect.element(field('Maximum lots')).toHaveAccessibleDescription('It is below the minimum.')
  })

  test('shows the changes before they are sent, and that they need a second operator', async () => {
    await openForm()
    await field('Fee').fill('0.002')
    answer(previewTerms, ({ effect }) => ({
      changes: [{ field: 'feeRate', before: '0.001', after: '0.002' }],
      isWorse: true,
      needsSecond: effect === 'now',
      effectiveAt: 0,
      earliestAt: 0,
      withdraws: [
        {
          changeId: 12,
          effectiveAt: Date.UTC(2026, 4, 6, 9, 30),
          changes: [{ field: 'leverages', before: '100', after: '50' }],
        },
      ],
      positions: 2,
      pendingOrders: 1,
    }))
    await press('Review')
    await expect.element(page.getByRole('insertion').first()).toHaveTextContent('0.002')
    await expect
      .element(
        page.getByRole('heading', { name: /^Withdraws change 12, announced for 6 May.*, 09:30 UTC:$/ }),
      )
      .toBeVisible()
    await expect.element(page.getByRole('deletion').last()).toHaveTextContent('100')
    await expect.element(page.getByRole('insertion').last()).toHaveTextContent('50')
    await page.getByRole('radio', { name: 'At once' }).click({ force: true })
    await expect.element(page.getByText(/needs a second operator/).first()).toBeVisible()
    answer(changeTerms, { approvalId: 4 })
    await field('Reason').fill('higher costs')
    await press('Request approval')
    await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
    expect(inputsOf(changeTerms)).toMatchObject([
      { kind: 'instrument', instrumentId: 1, formKey: 'k1', effect: 'now', instrument: { feeRate: 2_000 } },
    ])
  })

  test('is not offered to roles that may not change terms, but a halt can be requested', async () => {
    await openMarket('instruments', euro(), { as: self({ role: 'support' }) })
    await page.getByRole('row', { name: /EUR\/USD/ }).click()
    await expect.element(page.getByRole('button', { name: 'Request a halt' })).toBeVisible()
    expect(page.getByRole('button', { name: 'Change terms' }).query()).toBe(null)
  })
})

describe('the form of the trading settings', () => {
  const TERMS: TradingTerms = {
    accountCurrency: 'USD',
    feeType: 'rate',
    demoBalance: money(100_000_000_000n),
    freshnessMs: 5_000,
    warningLevel: 100,
    stopOutLevel: 50,
    maxLivingOrders: 500,
    noticeMs: 86_400_000,
    fourEyesLimit: money(10_000_000_000n),
    fourEyesOperatorLimit: money(100_000_000_000n),
    isDemoCopyOn: true,
    isRealCopyOn: false,
    copyLegalBasis: '',
    copyMinAmount: money(100_000_000n),
    providerMinEquity: money(500_000_000n),
    maxCopiesPerUser: 20,
    maxCopiesPerProvider: 2_000,
  }

  test('is filled in again after a log-out for inactivity, over what is stored then', async () => {
    answer(getTradingTerms, { terms: TERMS, formKey: 'k1' })
    await openDesk('/market/terms')
    await field('Minimum amount of a copy').fill('250.5')
    await logOut('idle')
    answer(getTradingTerms, { terms: { ...TERMS, maxLivingOrders: 400 }, formKey: 'k2' })
    await logInAgain()
    await expect.element(field('Minimum amount of a copy')).toHaveValue('250.5')
    await press('Review')
    await expect.poll(() => inputsOf(previewTerms).at(-1)?.settings?.maxLivingOrders).toBe(400)
  })

  test('switches copying with real money on, with its legal basis', async () => {
    answer(getTradingTerms, { terms: TERMS, formKey: 'k1' })
    await openDesk('/market/terms')
    await field('Copying with real money').selectOptions('yes')
    reject(previewTerms, 'termsInvalid', 'It must be filled in.', 'copyLegalBasis')
    await press('Review')
    const basis = field('Legal basis of copying with real money')
    await expect.element(basis).toHaveAccessibleDescription('It must be filled in.')
    await basis.fill('Licence 12 of 2026')
    await field('Minimum amount of a copy').fill('250.5')
    answer(previewTerms, {
      changes: [{ field: 'copyMinAmount', before: '100', after: '1250.5' }],
      isWorse: true,
      needsSecond: false,
      effectiveAt: 0,
      earliestAt: 0,
      withdraws: [],
      positions: 2,
      pendingOrders: 1,
    })
    await press('Review')
    await expect.element(page.getByRole('insertion')).toHaveTextContent('1,250.50')
    expect(inputsOf(previewTerms).at(-1)?.settings).toEqual({
      ...TERMS,
      isRealCopyOn: true,
      copyLegalBasis: 'Licence 12 of 2026',
      copyMinAmount: 250_500_000n,
    })
  })
})

test('instruments are searched by the server and exported as listed, and the open form stays open', async () => {
  await openMarket()
  await page.getByRole('row', { name: /EUR\/USD Currencies/ }).click()
  await press('Change terms')
  await page.getByLabelText('Find an instrument').fill('nobody')
  await expect.element(page.getByText('No results for “nobody”')).toBeVisible()
  expect(inputsOf(listDeskInstruments).at(-1)).toEqual({ search: 'nobody' })
  file('/desk/api/market/instruments.csv?search=nobody', 'id')
  expect(await savedName(() => press('Export'))).toBe('instruments.csv')
  await expect.element(page.getByRole('heading', { name: 'Change EUR/USD' })).toBeVisible()
  await expect.element(field('Fee')).toHaveValue('0.001')
})

test('in fixed margin mode the contract size is labelled as the margin per lot', async () => {
  await openMarket()
  await page.getByRole('row', { name: /EUR\/USD/ }).click()
  await press('Change terms')
  await expect.element(field('Contract size')).toHaveValue('100000')
  await field('Margin mode').selectOptions('fixed')
  await expect.element(field('Margin per lot')).toHaveValue('')
  await field('Margin per lot').fill('1000.5')
  await press('Review')
  await expect.element(field('Margin per lot')).toHaveAccessibleDescription(/whole number/)
  await field('Margin per lot').fill('0')
  reject(previewTerms, 'termsInvalid', 'It must be above zero.', 'contractSize')
  await press('Review')
  await expect.element(field('Margin per lot')).toHaveAccessibleDescription('It must be above zero.')
  await field('Margin per lot').fill('1000')
  await press('Review')
  await expect
    .poll(() => inputsOf(previewTerms).at(-1)?.instrument)
    .toMatchObject({
      marginMode: 'fixed',
      contractSize: 1_000,
    })
  await field('Margin mode').selectOptions('leveraged')
  await expect.element(field('Contract size')).toHaveValue('100000')
})

test('a form keeps the terms with which it was opened while another operator changes them', async () => {
  await openMarket()
  await page.getByRole('row', { name: /EUR\/USD/ }).click()
  await press('Change terms')
  await expect.element(field('Contract size')).toHaveValue('100000')
  const changed = { ...euro().terms, showCode: 'Euro', contractSize: 50_000 }
  answer(listDeskInstruments, {
    mode: 'normal',
    modeReason: '',
    modeEndsAt: null,
    instruments: [euro({ formKey: 'k2', terms: changed })],
  })
  pushChanged('market')
  await expect.element(page.getByRole('gridcell', { name: 'Euro' })).toBeVisible()
  await field('Margin mode').selectOptions('fixed')
  await field('Margin mode').selectOptions('leveraged')
  await expect.element(field('Contract size')).toHaveValue('100000')
  reject(previewTerms, 'formOutdated', 'Somebody else changed it.')
  await press('Review')
  await expect.element(page.getByText('Somebody else changed it.')).toBeVisible()
  expect(inputsOf(previewTerms).at(-1)).toMatchObject({
    formKey: 'k1',
    instrument: { showCode: 'EUR/USD', contractSize: 100_000 },
  })
})

test('a new instrument gets its first contract size back in its first margin mode', async () => {
  await openMarket()
  await press('New')
  await field('Margin mode').selectOptions('fixed')
  await expect.element(field('Margin per lot')).toHaveValue('')
  await field('Margin mode').selectOptions('leveraged')
  await expect.element(field('Contract size')).toHaveValue('100000')
})

describe('halts', () => {
  test('halt everything with one button and a reason', async () => {
    await openMarket('halts', euro(), { size: PHONE })
    await press('Halt everything')
    await press('Halt everything')
    await expect.element(field('Reason')).toHaveAccessibleDescription(/Enter a reason/)
    answer(haltTrading, { codes: ['EURUSD'] })
    await field('Reason').fill('prices are in doubt')
    await press('Halt everything')
    await expect.element(page.getByText('Halted.').first()).toBeVisible()
    expect(inputsOf(haltTrading)).toEqual([
      { scope: 'all', instrumentId: null, category: null, reason: 'prices are in doubt' },
    ])
  })

  test('of the whole market name their length, and refresh the waiting list', async () => {
    await openMarket('halts')
    await expect.poll(() => inputsOf(listWaiting)).not.toEqual([])
    const before = inputsOf(listWaiting).length
    await press('Halt trading')
    await expect
      .element(
        page.getByText(/^No orders are accepted, filled or triggered on any instrument for 30 minutes\./),
      )
      .toBeVisible()
    answer(setTradingMode, null)
    await field('Reason').fill('the venue is down')
    await press('Halt trading')
    await expect.element(page.getByText('Trading halted.').first()).toBeVisible()
    await expect.poll(() => inputsOf(listWaiting).length).toBeGreaterThan(before)
  })

  test('show their reason, and are not resumed by roles that may not', async () => {
    await openMarket('halts', euro({ haltReason: 'the venue is down' }), { as: self({ role: 'finance' }) })
    await expect.element(page.getByText('the venue is down')).toBeVisible()
    expect(page.getByRole('button', { name: 'Resume' }).query()).toBe(null)
  })
})

test('admitting a held price is requested by dealing, with a reason', async () => {
  const held: HeldPrice = {
    instrumentId: 1,
    code: 'EURUSD',
    number: 7,
    source: 'ws',
    reason: 'suspect',
    isFresh: true,
    bid: dec('1.2'),
    ask: dec('1.2001'),
    at: Date.now(),
    lastMid: dec('1.1'),
    offByPercent: dec('9.1'),
  }
  answer(listFeeds, { sources: [], instruments: [], unknownCount: 0 })
  answer(listHeldPrices, { prices: [held] })
  await openMarket('feeds', euro(), { as: self({ role: 'dealing' }) })
  await page.getByRole('radio', { name: 'Held' }).click({ force: true })
  await press('Admit')
  answer(admitPrice, { approvalId: 4 })
  await field('Reason').fill('the bank confirms it')
  await press('Request')
  await expect.element(page.getByText(/It waits for a second operator/).first()).toBeVisible()
  expect(inputsOf(admitPrice)).toEqual([{ instrumentId: 1, number: 7, reason: 'the bank confirms it' }])
})

test('a source that replaces the preferred one is named', async () => {
  const row = {
    instrumentId: 1,
    code: 'EURUSD',
    source: 'ws:two',
    kind: 'live' as const,
    isOpen: true,
    ageMs: 100,
    perMinute: 60,
    bid: dec('1.1'),
    ask: dec('1.10006'),
    spread: dec('0.00006'),
    freshnessMs: 5_000,
    held: 0,
    refused: [],
  }
  const other = { ...row, instrumentId: 2, code: 'GBPUSD', sourceOrder: ['ws:two'] }
  const instruments = [{ ...row, sourceOrder: ['ws:one', 'ws:two'] }, other]
  answer(listFeeds, { sources: [], instruments, unknownCount: 0 })
  await openMarket('feeds', euro(), { as: self({ role: 'dealing' }) })
  await expect.element(page.getByText('replaces ws:one')).toBeVisible()
  await expect.element(page.getByText('replaces ws:two')).not.toBeInTheDocument()
})

const dec = (text: string) => Number(text) as HeldPrice['bid']
