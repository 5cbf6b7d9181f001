import type { InstrumentTerms } from '@fairlot/contract/desk'
import type { TermsSection } from './terms-form.tsx'

const TRIPLE_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'daily'].map((day) => ({ value: day, label: day }))
const MARGIN_MODES = [
  { value: 'leveraged', label: 'of the notional' },
  { value: 'fixed', label: 'fixed a lot' },
]

type Section = TermsSection<keyof InstrumentTerms>

const MONEY_TO_COSTS: readonly Section[] = [
  {
    title: 'Its money',
    fields: [
      { name: 'baseCurrency', reading: 'text' },
      { name: 'quoteCurrency', reading: 'text' },
      { name: 'priceDecimals', reading: 'whole' },
      { name: 'contractSize', reading: 'whole' },
    ],
  },
  {
    title: 'Margin and size',
    fields: [
      { name: 'marginMode', reading: 'text', options: MARGIN_MODES },
      { name: 'leverages', reading: 'wholes', hint: 'Rising. None: not tradable.' },
      { name: 'lotMin', reading: 'lots' },
      { name: 'lotStep', reading: 'lots' },
      { name: 'lotMax', reading: 'lots' },
      { name: 'minStopDistance', reading: 'price', hint: 'In its price.' },
    ],
  },
  {
    title: 'What it costs',
    fields: [
      {
        name: 'feeRate',
        reading: 'ratio',
        hint: '0.001 is 0.1 % of the margin; with fixed fees, money a lot.',
      },
      {
        name: 'markUp',
        reading: 'ratio',
        hint: '0.0001 is 0.01 % of the price, off the bid and onto the ask, for everybody.',
      },
      { name: 'swapBuy', reading: 'ratio', hint: '% a year; above 0 is paid to the trader.' },
      { name: 'swapSell', reading: 'ratio', hint: '% a year.' },
      { name: 'tripleSwapDay', reading: 'text', options: TRIPLE_DAYS },
    ],
  },
]

const SIMULATED: Section = {
  title: 'Figures of the simulated market',
  fields: [
    { name: 'typicalSpread', reading: 'price' },
    { name: 'referencePrice', reading: 'price', hint: 'The first price is measured by it.' },
    { name: 'yearlyVolatility', reading: 'ratio', hint: '0.07 is 7 %.' },
  ],
}

/** What the form of an instrument offers to choose from. */
type Known = {
  readonly isNew: boolean
  readonly categories: readonly string[]
  readonly sessions: readonly string[]
}

/** What lives on an instrument fixes what it is; a code is for ever. */
const identity = ({ isNew, categories }: Known): Section => ({
  title: 'What it is',
  fields: [
    { name: 'code', reading: 'text', isFixed: !isNew, hint: 'For ever the same.' },
    { name: 'showCode', reading: 'text' },
    { name: 'name', reading: 'optionalText', hint: 'Nothing for a currency pair.' },
    { name: 'category', reading: 'text', suggestions: categories },
    { name: 'isEnabled', reading: 'flag', hint: 'Off: no opening; pending orders end.' },
    { name: 'sort', reading: 'whole', hint: 'The highest is first.' },
    { name: 'logo', reading: 'text', isPicture: true, hint: 'A square picture; nothing: drawn by the app.' },
  ],
})

const hoursAndPrices = ({ sessions }: Known): Section => ({
  title: 'When and by which prices',
  fields: [
    {
      ...{ name: 'session', reading: 'text' },
      options: sessions.map((session) => ({ value: session, label: session })),
    },
    {
      ...{ name: 'sourceOrder', reading: 'texts' },
      hint: 'Names from Feeds, the first preferred; the next stands in. Nothing: as FEED says.',
    },
    { name: 'freshnessMs', reading: 'optionalWhole', hint: 'ms; nothing: as the setting says.' },
    { name: 'suspectBand', reading: 'ratio', hint: '0.02 is 2 %.' },
    { name: 'maxSpread', reading: 'ratio', hint: '0.01 is 1 % of the mid.' },
    { name: 'allowsNegativePrice', reading: 'flag' },
    { name: 'pricePip', reading: 'price' },
  ],
})

/** The form of an instrument. */
export const instrumentSections = (known: Known): readonly Section[] => [
  identity(known),
  ...MONEY_TO_COSTS,
  hoursAndPrices(known),
  SIMULATED,
]

/** What the form of a new instrument begins with. */
export const NEW_LINES = {
  ...{ code: '', showCode: '', name: '', category: '', logo: '', sort: '0', isEnabled: 'yes' },
  ...{ baseCurrency: '', quoteCurrency: '', priceDecimals: '5', contractSize: '100000' },
  ...{
    marginMode: 'leveraged',
    leverages: '1, 2, 5, 10, 20',
    lotMin: '0.01',
    lotStep: '0.01',
    lotMax: '100',
  },
  ...{ feeRate: '0.001', swapBuy: '0', swapSell: '0', tripleSwapDay: 'wed', minStopDistance: '0.0001' },
  ...{
    suspectBand: '0.02',
    maxSpread: '0.01',
    markUp: '0',
    sourceOrder: '',
    freshnessMs: '',
    allowsNegativePrice: 'no',
    session: 'forex',
  },
  ...{ pricePip: '0.0001', typicalSpread: '0.0001', referencePrice: '', yearlyVolatility: '0.1' },
} as const satisfies Record<keyof InstrumentTerms, string>
