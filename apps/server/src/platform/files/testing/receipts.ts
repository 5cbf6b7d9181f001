import sharp, { type Sharp } from 'sharp'
import { createRandom, type Random } from '../../../../../../testing/random.ts'

/** Made-up receipts of transfers: of five apps, each in light and dark. */
export const LAYOUTS = ['list', 'centred', 'card', 'table', 'slip'] as const
export type Layout = (typeof LAYOUTS)[number]
export type Theme = 'light' | 'dark'
export type ReceiptKind = { readonly layout: Layout; readonly theme: Theme }

/** Letters of 5 columns and 7 rows, each column in two hexadecimal digits, the lowest bit on top: no font is needed. */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '3e5149453e',
  '1': '00427f4000',
  '2': '4261514946',
  '3': '2141454b31',
  '4': '1814127f10',
  '5': '2745454539',
  '6': '3c4a494930',
  '7': '0171090503',
  '8': '3649494936',
  '9': '064949291e',
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
  '.': '0060600000',
  ',': '0050300000',
  ':': '0036360000',
  '-': '0808080808',
  '/': '2010080402',
}

type Text = {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly text: string
  readonly end?: boolean
}

const WIDTH = 1_080
const HEIGHT = 2_340
const STATUS_BAR = 90
/** Columns of a letter with the space after it. */
const ADVANCE = 6

const widthOf = ({ text, size }: Pick<Text, 'text' | 'size'>): number => text.length * ADVANCE * (size / 7)

function drawn({ x, y, size, text, end = false }: Text): string {
  const dot = size / 7
  const left = end ? x - widthOf({ text, size }) : x
  let path = ''
  for (const [index, letter] of Array.from(text.toUpperCase()).entries())
    for (let column = 0; column < 5; column += 1) {
      const bits = parseInt((GLYPHS[letter] ?? '0000000000').slice(column * 2, column * 2 + 2), 16)
      for (let row = 0; row < 7; row += 1)
        if ((bits >> row) & 1)
          path += `M${(left + (index * ADVANCE + column) * dot).toFixed(1)} ${(y + row * dot).toFixed(1)}h${dot.toFixed(1)}v${dot.toFixed(1)}h-${dot.toFixed(1)}z`
    }
  return path
}

const NAMES = [
  'Ada Lovett',
  'Siti Aminah',
  'Jonas Weber',
  'Maria Souza',
  'Chen Li',
  'Olga Petrova',
  'Ali Demir',
  'Nguyen An',
]
const BANKS = ['Quay Bank', 'Harbour Bank', 'First Coast', 'Union North']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** What differs between two receipts of one app. The payee is the broker, as in all of them. */
function valuesOf(random: Random) {
  const digits = (count: number) => Array.from({ length: count }, () => random.int(0, 9)).join('')
  const two = (most: number) => String(random.int(0, most)).padStart(2, '0')
  return {
    amount: `${random.int(1, 9)},${digits(3)}.${random.pick(['00', '00', '50', digits(2)])}`,
    date: `${random.int(1, 28)} ${random.pick(MONTHS)} 2026`,
    time: `${two(23)}:${two(59)}:${two(59)}`,
    number: digits(14),
    payer: random.pick(NAMES),
    account: `**** ${digits(4)}`,
    clock: `${two(23)}:${two(59)}`,
    bank: random.pick(BANKS),
  }
}
type Values = ReturnType<typeof valuesOf>

const PAYEE = 'Fairlot clients'

const LABELS: Readonly<
  Record<Layout, readonly (readonly [label: string, value: (values: Values) => string])[]>
> = {
  list: [
    ['Amount', (v) => `USD ${v.amount}`],
    ['Date', (v) => v.date],
    ['Time', (v) => v.time],
    ['Reference', (v) => v.number],
    ['From', (v) => v.payer],
    ['Account', (v) => v.account],
    ['To', () => PAYEE],
    ['Bank', (v) => v.bank],
    ['Fee', () => '0.00'],
    ['Status', () => 'Completed'],
  ],
  centred: [
    ['Paid to', () => PAYEE],
    ['Receiving bank', () => 'Quay Bank'],
    ['When', (v) => `${v.date} ${v.time}`],
    ['Transaction id', (v) => v.number],
    ['Paid with', (v) => `Savings ${v.account}`],
    ['Note', () => 'Deposit'],
  ],
  card: [
    ['Recipient', () => PAYEE],
    ['Recipient account', () => 'DE89 3704 0044 0532'],
    ['Amount', (v) => `EUR ${v.amount}`],
    ['Transfer fee', () => 'EUR 0.00'],
    ['Execution', (v) => `${v.date} ${v.time.slice(0, 5)}`],
    ['Order number', (v) => v.number],
    ['Type', () => 'Instant transfer'],
  ],
  table: [
    ['Txn', (v) => v.number],
    ['Date', (v) => `${v.date} ${v.time}`],
    ['Sender', (v) => v.payer],
    ['Sender acc', (v) => v.account],
    ['Beneficiary', () => PAYEE],
    ['Bene bank', (v) => v.bank],
    ['Currency', () => 'USD'],
    ['Amount', (v) => v.amount],
    ['Charges', () => 'None'],
    ['Channel', () => 'Mobile'],
    ['Result', () => 'Success'],
  ],
  slip: [
    ['From', (v) => v.payer],
    ['', (v) => v.account],
    ['To', () => PAYEE],
    ['', () => '012-345678-9'],
    ['Amount', (v) => v.amount],
    ['Fee', () => '0.00'],
    ['Ref', (v) => v.number],
  ],
}

/** A payment; `again` is another one of the same payer and amount on the same day, of which only time and number differ. */
export type Payment = { readonly seed: number; readonly again?: number }

function paidIn({ seed, again }: Payment): Values {
  const values = valuesOf(createRandom(seed))
  if (again === undefined) return values
  const { time, number } = valuesOf(createRandom(seed, again))
  return { ...values, time, number }
}

/** A screenshot of the receipt of a payment. The status bar of another `shot` has another time. */
export function receipt({ layout, theme }: ReceiptKind, paid: Payment, shot = 0): Sharp {
  const values = paidIn(paid)
  const { clock } = valuesOf(createRandom(paid.seed, 1_000 + shot))
  const isDark = theme === 'dark'
  const [paper, ink, faint, raised] = isDark
    ? ['#101418', '#f2f4f6', '#9aa4ad', '#1b2127']
    : ['#f4f6f8', '#14181c', '#66707a', '#ffffff']
  const texts: (Text & { readonly isFaint?: boolean })[] = [
    { x: 60, y: 36, size: 30, text: clock },
    { x: 1_020, y: 36, size: 30, text: 'LTE 87', end: true },
  ]
  const step = { list: 150, centred: 170, card: 185, table: 96, slip: 165 }[layout]
  const size = { list: 34, centred: 31, card: 36, table: 27, slip: 40 }[layout]
  const top = { list: 520, centred: 900, card: 700, table: 460, slip: 640 }[layout]
  const title = {
    list: 'Transfer successful',
    centred: 'Payment sent',
    card: 'Transfer details',
    table: 'Transaction receipt',
    slip: 'E-Slip',
  }[layout]
  texts.push({ x: 90, y: 170, size: 44, text: title })
  if (layout === 'centred')
    texts.push({ x: 260, y: 560, size: 78, text: `$${values.amount}`.replace('$', '') })
  if (layout === 'slip')
    texts.push({ x: 90, y: 420, size: 30, text: `${values.date} - ${values.time}`, isFaint: true })
  for (const [index, [label, value]] of LABELS[layout].entries()) {
    const y = top + index * step
    const isStacked = layout === 'card' || layout === 'centred'
    texts.push({ x: 90, y, size: size * (isStacked ? 0.75 : 1), text: label, isFaint: true })
    texts.push(
      isStacked
        ? { x: 90, y: y + 50, size, text: value(values) }
        : { x: 990, y, size, text: value(values), end: true },
    )
  }
  texts.push({ x: 90, y: 2_230, size: 26, text: 'Keep this receipt for your records', isFaint: true })
  const paths = texts
    .filter(({ text }) => text !== '')
    .map((text) => `<path fill="${text.isFaint ? faint : ink}" d="${drawn(text)}"/>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="${paper}"/><rect x="48" y="${top - 60}" width="984" height="${LABELS[layout].length * step + 60}" rx="28" fill="${raised}"/><circle cx="540" cy="340" r="56" fill="#2a9d5c"/>${paths.join('')}</svg>`
  return sharp(Buffer.from(svg))
}

/** What happens to a receipt before it is sent again, by name. */
export const REPEATS: Readonly<Record<string, (kind: ReceiptKind, paid: Payment) => Promise<Buffer>>> = {
  'saved again as a poor JPEG': async (kind, paid) => receipt(kind, paid).jpeg({ quality: 45 }).toBuffer(),
  'without its status bar': async (kind, paid) =>
    receipt(kind, paid)
      .extract({ left: 0, top: STATUS_BAR, width: WIDTH, height: HEIGHT - STATUS_BAR })
      .png()
      .toBuffer(),
  'cut on all sides': async (kind, paid) =>
    receipt(kind, paid)
      .extract({ left: 40, top: 130, width: WIDTH - 80, height: HEIGHT - 310 })
      .jpeg({ quality: 80 })
      .toBuffer(),
  'at 70 percent': async (kind, paid) => receipt(kind, paid).resize(756).jpeg({ quality: 75 }).toBuffer(),
  'at 55 percent, as a chat sends it': async (kind, paid) =>
    receipt(kind, paid).resize(594).jpeg({ quality: 60 }).toBuffer(),
  'taken again later': async (kind, paid) => receipt(kind, paid, 1).png().toBuffer(),
  'enlarged, without its status bar': async (kind, paid) =>
    sharp(
      await receipt(kind, paid)
        .extract({ left: 0, top: STATUS_BAR, width: WIDTH, height: HEIGHT - STATUS_BAR })
        .png()
        .toBuffer(),
    )
      .resize(1_290)
      .jpeg({ quality: 70 })
      .toBuffer(),
}

export const KINDS: readonly ReceiptKind[] = LAYOUTS.flatMap((layout) =>
  (['light', 'dark'] as const).map((theme) => ({ layout, theme })),
)
