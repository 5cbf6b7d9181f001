import { latinDigits } from '@fairlot/core/decimal'

/**
 * Numbers as users type them, in the digits and separators of any of our languages. Every number field reads through
 * here; what it passes on is a plain decimal ("-1234.5"), or text that no parser of decimals accepts.
 */

/** The sign that separates decimals in a language. */
export type DecimalPoint = '.' | ','

/** Only ever separates decimals. */
const ARABIC_POINT = '\u066b'
/** The Arabic separator, spaces and apostrophes only ever group digits. */
const GROUPING = /[\u066c\s'\u2019]/gu

/** Signs of other keyboards, and the invisible marks of direction that come along when a figure is pasted. */
const latin = (text: string): string =>
  latinDigits(text.trim())
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u2212\uff0d]/u, '-')
    .replaceAll('\uff0e', '.')
    .replaceAll('\uff0c', ',')
    .replace(/^\+(?=\S)/u, '')

/** "1234.5" of its digits; null where the whole part is neither plain nor grouped by threes. */
function plain(sign: string, whole: string, groupedBy: string, fraction?: string): string | null {
  const groups = groupedBy === '' ? [whole] : whole.split(groupedBy)
  const [first = '', ...others] = groups
  const isGrouped =
    others.length === 0 || (/^\d{1,3}$/.test(first) && others.every((group) => /^\d{3}$/.test(group)))
  // ".5" and "5." are numbers, a lone sign is none.
  const [digits, rest] = [groups.join(''), fraction ?? '']
  if (!isGrouped || !/^\d*$/.test(digits) || !/^\d*$/.test(rest) || digits + rest === '') return null
  return `${sign}${digits || '0'}${rest === '' ? '' : `.${rest}`}`
}

/** What a field holds for a figure that may be "1234" or "1.234". */
const AMBIGUOUS = /^(-?)([1-9]\d{0,2}),(\d{3})$/

/** A lone separator before three digits could also group them. */
const couldBeGrouped = (whole: string, fraction: string): boolean =>
  /^[1-9]\d{0,2}$/.test(whole) && /^\d{3}$/.test(fraction)

function readSigns(sign: string, digits: string, point: DecimalPoint): string | null {
  const separators = [...new Set(digits.match(/[.,_]/g))]
  const at = Math.max(...['.', ',', '_'].map((each) => digits.lastIndexOf(each)))
  const last = digits[at]
  if (last === undefined) return plain(sign, digits, '')
  const [whole, fraction] = [digits.slice(0, at), digits.slice(at + 1)]
  const isLone = digits.indexOf(last) === at
  if (last === '_' || !isLone) return separators.length === 1 ? plain(sign, digits, last) : null
  const [groupedBy = '', ...surplus] = separators.filter((each) => each !== last)
  if (surplus.length > 0) return null
  if (groupedBy === '' && last !== point && couldBeGrouped(whole, fraction))
    return `${sign}${whole},${fraction}`
  return plain(sign, whole, groupedBy, fraction)
}

/**
 * Reads a number as typed, where `point` separates decimals in the user's language. The result is a plain decimal; or
 * "1,234" where it cannot be known whether thousands or decimals were meant (see `readingsOf`); or, where it is no
 * number, the text as typed. Only a plain decimal is accepted by `parseDecimal`. `near`: for a price, that of the
 * market; of two readings the one within ten times of it was meant, if only one is.
 */
export function readTyped(text: string, point: DecimalPoint, near: number | null = null): string {
  const read = readAlone(text, point)
  const readings = readingsOf(read)
  if (!readings || near === null || near <= 0) return read
  const [fitting, ...others] = [readings.thousands, readings.decimals].filter(
    (reading) => Number(reading) >= near / NEARNESS && Number(reading) <= near * NEARNESS,
  )
  return fitting !== undefined && others.length === 0 ? fitting : read
}

/** A price that was meant is within this many times of the market's. */
const NEARNESS = 10

/** A currency as figures are pasted with it: "$", "US$", "$US", "R$", "USD", and the letters that some are written with. */
const CURRENCY_SIGN = String.raw`(?:[A-Z]{0,3}\p{Sc}[A-Z]{0,3}|[A-Z]{3,4}|kr\.?|zł|Kč|Ft|Rp|RM|TL|円|元|圓|원|บาท|د\.إ\.?)`

/** One before or after an amount. Nothing else is left out: "67k" is no number. */
const CURRENCY = new RegExp(
  String.raw`^(-?)${CURRENCY_SIGN}\s*(?=[\d.,-])|(?<=[\d.,])\s*${CURRENCY_SIGN}$`,
  'gu',
)

function readAlone(text: string, point: DecimalPoint): string {
  const typed = text.trim()
  const amount = latin(typed).replace(CURRENCY, '$1').replace(GROUPING, '_')
  const [, sign = '', digits = ''] = /^(-?)([\d.,_\u066b]+)$/u.exec(amount) ?? []
  if (digits === '') return typed
  const arabicAt = digits.indexOf(ARABIC_POINT)
  if (arabicAt < 0) return readSigns(sign, digits, point) ?? typed
  const whole = digits.slice(0, arabicAt)
  const [groupedBy = ''] = whole.match(/[.,_]/) ?? []
  return plain(sign, whole, groupedBy, digits.slice(arabicAt + 1)) ?? typed
}

/** The two numbers that "1,234" may be, as plain decimals; null for any other content of a field. */
export function readingsOf(value: string): { thousands: string; decimals: string } | null {
  const [, sign, whole, rest] = AMBIGUOUS.exec(value) ?? []
  return whole === undefined
    ? null
    : { thousands: `${sign}${whole}${rest}`, decimals: `${sign}${whole}.${rest}` }
}

/** A plain decimal as it is written in a field, with the language's own point; other text unchanged. */
export function writtenNumber(value: string, point: DecimalPoint): string {
  if (point === '.') return value
  if (readingsOf(value)) return value.replace(',', '.')
  return /^-?\d+\.\d+$/.test(value) ? value.replace('.', ',') : value
}
