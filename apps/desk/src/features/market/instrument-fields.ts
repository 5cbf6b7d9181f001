import type { InstrumentTerms } from '@fairlot/contract/desk'
import { deskNameOf, type NamedCategory } from './category-names.ts'
import type { TermsSection } from './terms-form.tsx'

const TRIPLE_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'daily'].map((day) => ({ value: day, label: day }))
const MARGIN_MODES = [
  { value: 'leveraged', label: 'share of the notional value' },
  { value: 'fixed', label: 'fixed per lot' },
]

type Section = TermsSection<keyof InstrumentTerms>

/** In fixed margin mode the contract size is the margin per lot, independent of price and leverage. */
const FIXED_MARGIN = {
  name: 'contractSize',
  format: 'integer',
  label: 'Margin per lot',
  hint: 'In whole units of the account currency. Multiplied by the leverage it gives the exposure.',
} as const

const marginAndCosts = ({ marginMode }: FormContext): readonly Section[] => [
  {
    title: 'Currencies',
    fields: [
      { name: 'baseCurrency', format: 'text' },
      { name: 'quoteCurrency', format: 'text' },
      { name: 'priceDecimals', format: 'integer' },
    ],
  },
  {
    title: 'Margin and size',
    fields: [
      { name: 'marginMode', format: 'text', options: MARGIN_MODES },
      marginMode === 'fixed' ? FIXED_MARGIN : { name: 'contractSize', format: 'integer' },
      { name: 'leverages', format: 'integers', hint: 'In ascending order. Empty: not tradable.' },
      { name: 'lotMin', format: 'lots' },
      { name: 'lotStep', format: 'lots' },
      { name: 'lotMax', format: 'lots' },
      { name: 'minStopDistance', format: 'price', hint: 'In units of price.' },
    ],
  },
  {
    title: 'Costs',
    fields: [
      {
        name: 'feeRate',
        format: 'ratio',
        hint: '0.001 is 0.1 % of the margin; with fixed fees, the amount per lot.',
      },
      {
        name: 'markUp',
        format: 'ratio',
        hint: '0.0001 is 0.01 % of the price, taken off the bid and added to the ask for everyone.',
      },
      { name: 'swapBuy', format: 'ratio', hint: '% per year; a positive rate is paid to the user.' },
      { name: 'swapSell', format: 'ratio', hint: '% per year.' },
      { name: 'tripleSwapDay', format: 'text', options: TRIPLE_DAYS },
    ],
  },
]

const SIMULATED: Section = {
  title: 'Simulated market',
  fields: [
    { name: 'typicalSpread', format: 'price' },
    { name: 'referencePrice', format: 'price', hint: 'The first price is compared with it.' },
    { name: 'yearlyVolatility', format: 'ratio', hint: '0.07 is 7 %.' },
  ],
}

/** The choices in the form of an instrument. */
export type Choices = {
  readonly categories: readonly NamedCategory[]
  readonly sessions: readonly string[]
}
type FormContext = Choices & {
  readonly isNew: boolean
  /** As in the terms, or as chosen in the form. */
  readonly marginMode: string
}

/** The label of a category: its name, with its code where they differ. */
function categoryLabel(category: NamedCategory): string {
  const [{ code }, name] = [category, deskNameOf(category)]
  return name === code ? name : `${name} (${code})`
}

/** The identity of an instrument; its code cannot be changed. */
const identity = ({ isNew, categories }: FormContext): Section => ({
  title: 'Identity',
  fields: [
    { name: 'code', format: 'text', isFixed: !isNew, hint: 'It cannot be changed later.' },
    { name: 'showCode', format: 'text' },
    {
      name: 'name',
      format: 'optionalText',
      hint: 'Empty for a currency pair. A name of your own is shown as it is in every language.',
    },
    {
      name: 'category',
      format: 'text',
      hint: 'Managed under Categories.',
      options: [
        ...(isNew ? [{ value: '', label: 'choose one' }] : []),
        ...categories.map((each) => ({ value: each.code, label: categoryLabel(each) })),
      ],
    },
    { name: 'isEnabled', format: 'flag', hint: 'Off: no new orders; pending orders are cancelled.' },
    { name: 'sort', format: 'integer', hint: 'The highest number is listed first.' },
    {
      name: 'logo',
      format: 'text',
      isPicture: true,
      hint: 'A square picture. Empty: the app shows symbols.',
    },
  ],
})

const hoursAndPrices = ({ sessions }: FormContext): Section => ({
  title: 'Hours and prices',
  fields: [
    {
      name: 'session',
      format: 'text',
      options: sessions.map((session) => ({ value: session, label: session })),
    },
    {
      name: 'sourceOrder',
      format: 'texts',
      hint: 'Names from Feeds, the preferred source first; the next one replaces it when it fails. Empty: as set by FEED.',
    },
    { name: 'freshnessMs', format: 'optionalInteger', hint: 'ms. Empty: the general setting.' },
    { name: 'suspectBand', format: 'ratio', hint: '0.02 is 2 %.' },
    { name: 'maxSpread', format: 'ratio', hint: '0.01 is 1 % of the mid.' },
    { name: 'allowsNegativePrice', format: 'flag' },
    { name: 'pricePip', format: 'price' },
  ],
})

/** The form of an instrument. */
export const instrumentSections = (context: FormContext): readonly Section[] => [
  identity(context),
  ...marginAndCosts(context),
  hoursAndPrices(context),
  SIMULATED,
]

/** The initial values of a new instrument. */
export const NEW_FIELD_TEXTS = {
  code: '',
  showCode: '',
  name: '',
  category: '',
  logo: '',
  sort: '0',
  isEnabled: 'yes',
  baseCurrency: '',
  quoteCurrency: '',
  priceDecimals: '5',
  contractSize: '100000',
  marginMode: 'leveraged',
  leverages: '1, 2, 5, 10, 20',
  lotMin: '0.01',
  lotStep: '0.01',
  lotMax: '100',
  feeRate: '0.001',
  swapBuy: '0',
  swapSell: '0',
  tripleSwapDay: 'wed',
  minStopDistance: '0.0001',
  suspectBand: '0.02',
  maxSpread: '0.01',
  markUp: '0',
  sourceOrder: '',
  freshnessMs: '',
  allowsNegativePrice: 'no',
  session: 'forex',
  pricePip: '0.0001',
  typicalSpread: '0.0001',
  referencePrice: '',
  yearlyVolatility: '0.1',
} as const satisfies Record<keyof InstrumentTerms, string>
