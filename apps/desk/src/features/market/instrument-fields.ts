import type { InstrumentTerms } from '@fairlot/contract/desk'
import { deskNameOf, type NamedCategory } from './category-names.ts'
import type { TermsSection } from './terms-form.tsx'

const TRIPLE_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'daily'].map((day) => ({ value: day, label: day }))
const MARGIN_MODES = [
  { value: 'leveraged', label: 'of the notional' },
  { value: 'fixed', label: 'fixed a lot' },
]

type Section = TermsSection<keyof InstrumentTerms>

/** In fixed margin mode the contract size is money: what each lot holds back, whatever the price and the leverage. */
const FIXED_MARGIN = {
  name: 'contractSize',
  reading: 'whole',
  label: 'Margin per lot',
  hint: 'Whole units of the account currency; times the leverage it is the exposure.',
} as const

const moneyToCosts = ({ marginMode }: Known): readonly Section[] => [
  {
    title: 'Its money',
    fields: [
      { name: 'baseCurrency', reading: 'text' },
      { name: 'quoteCurrency', reading: 'text' },
      { name: 'priceDecimals', reading: 'whole' },
    ],
  },
  {
    title: 'Margin and size',
    fields: [
      { name: 'marginMode', reading: 'text', options: MARGIN_MODES },
      marginMode === 'fixed' ? FIXED_MARGIN : { name: 'contractSize', reading: 'whole' },
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
export type Choices = {
  readonly categories: readonly NamedCategory[]
  readonly sessions: readonly string[]
}
type Known = Choices & {
  readonly isNew: boolean
  /** As the terms say, or as the form says so far. */
  readonly marginMode: string
}

/** A category as somebody chooses it: by its name, and by its code where that is another. */
function categoryLabel(category: NamedCategory): string {
  const [{ code }, name] = [category, deskNameOf(category)]
  return name === code ? name : `${name} (${code})`
}

/** What lives on an instrument fixes what it is; a code is for ever. */
const identity = ({ isNew, categories }: Known): Section => ({
  title: 'What it is',
  fields: [
    { name: 'code', reading: 'text', isFixed: !isNew, hint: 'For ever the same.' },
    { name: 'showCode', reading: 'text' },
    { name: 'name', reading: 'optionalText', hint: 'Nothing for a currency pair.' },
    {
      ...{ name: 'category', reading: 'text', hint: 'Made under Categories.' },
      options: [
        ...(isNew ? [{ value: '', label: 'choose one' }] : []),
        ...categories.map((each) => ({ value: each.code, label: categoryLabel(each) })),
      ],
    },
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
  ...moneyToCosts(known),
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
