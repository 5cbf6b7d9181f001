/** Codecs of single values. Numbers are read from JSON numbers or, in forms and queries, from text. */
import { fromUnits, parseDecimal, readDecimal, type Decimal } from '@fairlot/core/decimal'
import {
  LOTS_DECIMALS,
  MONEY_DECIMALS,
  RATE_DECIMALS,
  RATIO_DECIMALS,
  SENT_DECIMALS,
} from '@fairlot/core/number'
import type { Lots, Money, Ratio } from '@fairlot/core'
import {
  invalid,
  INVALID,
  refine,
  plain,
  readPart,
  transform,
  type Codec,
  type Expected,
  type Problem,
} from './codec.ts'
import type { RefusalReason } from './error-code.ts'

/** Maximum decimals of a price or percentage. */
const MOST_DECIMALS = 10
const PERCENT_DIGITS = 30

const isText = (value: unknown): value is string => typeof value === 'string'

const NUMBER: Expected = { expected: 'number' }

const numeric = (reason: RefusalReason, expected: Expected = NUMBER): Codec<number | string> =>
  plain(
    (value): value is number | string => isText(value) || Number.isFinite(value),
    { type: ['number', 'string'] },
    reason,
    expected,
  )

const decimalOf = (reason: RefusalReason, wholeDigits?: number): Codec<Decimal> =>
  refine(numeric(reason), {
    decode: (value) => readDecimal(value, MOST_DECIMALS, wholeDigits),
    encode: (value) => value,
    reason,
    expected: NUMBER,
  })

const unitsOf = (decimals: number, reason: RefusalReason): Codec<bigint> =>
  refine(numeric(reason), {
    decode: (value) => parseDecimal(value, decimals),
    encode: (units) => fromUnits(units, decimals),
    reason,
    expected: NUMBER,
  })

/** Any plain decimal of at most 12 digits before and 10 after the point. */
export const decimal = decimalOf('notUnderstood')

/** A price. The instrument's digits are checked on conversion to ticks. */
export const price = decimalOf('priceMalformed')

/** A percentage. Relative to a tiny amount it may be huge, so it may have more digits than a price. */
export const percent = decimalOf('notUnderstood', PERCENT_DIGITS)

/** An amount in the account currency, in units of 1e-6. */
export const money = unitsOf(MONEY_DECIMALS, 'notUnderstood') as Codec<Money>

/** A requested amount, in units of 1e-6. Its limit is checked where it is decided. */
export const amount = unitsOf(MONEY_DECIMALS, 'amountMalformed') as Codec<Money>

/** An amount in a currency of its own, in units of 1e-8. */
export const sentAmount = unitsOf(SENT_DECIMALS, 'amountMalformed')

/** The value of one unit of a currency in the account currency, in units of 1e-10. */
export const conversionRate = unitsOf(RATE_DECIMALS, 'rateMalformed')

/** A size in units of 1e-4 lot, never negative. */
export const lots: Codec<Lots> = refine(unitsOf(LOTS_DECIMALS, 'lotsInvalid'), {
  decode: (units) => (units < 0n ? null : (Number(units) as Lots)),
  encode: BigInt,
  reason: 'lotsInvalid',
})

/** A rate in units of 1e-6. */
export const ratio: Codec<Ratio> = transform(unitsOf(RATIO_DECIMALS, 'notUnderstood'), {
  decode: (units) => Number(units) as Ratio,
  encode: BigInt,
})

/** A share or rate: percent with up to four decimals on the wire, a ratio in units of 1e-6 inside. */
export const percentage: Codec<Ratio> = transform(unitsOf(RATIO_DECIMALS - 2, 'notUnderstood'), {
  decode: (units) => Number(units) as Ratio,
  encode: BigInt,
})

/** A safe integer of at least `least`; as text only in plain digits. */
export const int = (least = 0, reason: RefusalReason = 'notUnderstood', most?: number): Codec<number> => {
  const expected: Expected =
    most === undefined
      ? { expected: 'whole', least: String(least) }
      : { expected: 'range', least: String(least), most: String(most) }
  return refine(numeric(reason, expected), {
    decode: (value) => {
      if (typeof value === 'string' && !/^\d{1,16}$/.test(value)) return null
      const read = Number(value)
      return Number.isSafeInteger(read) && read >= least && read <= (most ?? read) ? read : null
    },
    encode: (value) => value,
    reason,
    expected,
  })
}

/** The id of a row. */
export const id = int(1, 'idInvalid')

/** The maximum time of a date, epoch ms. */
const LAST_MOMENT = 8.64e15

/** A time, epoch ms. */
export const time = int(0, 'timeInvalid', LAST_MOMENT)

export const text: Codec<string> = plain(isText, { type: 'string' }, 'notUnderstood', { expected: 'text' })

/** A day in UTC: `YYYY-MM-DD` on the wire, decoded to its first moment (epoch ms). */
export const day: Codec<number> = refine(text, {
  decode: (value) => {
    const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : NaN
    return Number.isNaN(at) || dayText(at) !== value ? null : at
  },
  encode: (at) => dayText(at),
  reason: 'dayInvalid',
})

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const integer: Codec<number> = plain((value): value is number => Number.isSafeInteger(value), {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})

/** Any value, unchanged. */
export const anything: Codec = { read: (raw) => raw, write: (value) => value, schema: () => ({}) }

export const listOf = <T>(codec: Codec<T>): Codec<readonly T[]> => ({
  read: (raw, problems) => {
    if (!Array.isArray(raw)) return invalid(problems, 'notUnderstood', [], { expected: 'list' })
    // Not by map, which skips holes.
    const values = Array.from(raw, (each: unknown, index) => readPart(codec, each, index, problems))
    return values.includes(INVALID) ? INVALID : (values as T[])
  },
  write: (values) => values.map((value) => codec.write(value)),
  schema: () => ({ type: 'array', items: codec.schema() }),
})

/** A codec that also accepts one empty value. */
const unless = <T, E extends null | undefined | ''>(codec: Codec<T>, empty: E): Codec<T | E> => ({
  ...codec,
  read: (raw, problems) => (raw === empty ? empty : codec.read(raw, problems)),
  write: (value) => (value === empty ? empty : codec.write(value as T)),
})

/** Null on the wire, and null decoded. */
export const nullable = <T>(codec: Codec<T>): Codec<T | null> => ({
  ...unless(codec, null),
  schema: () => {
    const schema = codec.schema()
    const isPlain = Object.keys(schema).join() === 'type'
    return isPlain ? { type: [schema['type'], 'null'].flat() } : { anyOf: [schema, { type: 'null' }] }
  },
})

const optional = <T>(codec: Codec<T>): Codec<T | undefined> => ({
  ...unless(codec, undefined),
  isOptional: true,
})

/** Omitted from its object on the wire, null decoded. */
export const omittable = <T>(codec: Codec<T>): Codec<T | null> =>
  transform(optional(codec), { decode: (value) => value ?? null, encode: (value) => value ?? undefined })

/** The value, or an empty text from a form. Other values are refused with the codec's reason. */
const orBlank = <T>(codec: Codec<T>, reason?: RefusalReason): Codec<T | ''> => ({
  ...unless(codec, ''),
  read: (raw, problems) => {
    if (raw === '') return raw
    const found: Problem[] = []
    const value = codec.read(raw, found)
    if (value !== INVALID) return value
    const first = found[0]
    return reason === undefined && first !== undefined
      ? invalid(problems, first.reason, [], first.expected)
      : invalid(problems, reason ?? 'notUnderstood')
  },
  schema: () => ({ anyOf: [{ type: 'string', const: '' }, codec.schema()] }),
})

/** Omitted or an empty text on the wire, null decoded. */
export const omittableOrBlank = <T>(codec: Codec<T>, reason?: RefusalReason): Codec<T | null> =>
  transform(optional(orBlank(codec, reason)), {
    decode: (value): T | null => (value === undefined || value === '' ? null : value),
    encode: (value): T | undefined => value ?? undefined,
  })

/** May be omitted or empty on the wire; then it is the fallback. */
export const withDefault = <T>(codec: Codec<T>, fallback: T): Codec<T> =>
  transform(optional(orBlank(codec)), {
    decode: (value): T => (value === undefined || value === '' ? fallback : value),
    encode: (value): T | undefined => value,
  })

const ZERO = fromUnits(0, 0)

/** A price, or zero for none; omitted or empty means none, too. Decoded null. */
export const priceOrZero: Codec<Decimal | null> = transform(optional(orBlank(price)), {
  decode: (value) => (value === undefined || value === '' || value === ZERO ? null : value),
  encode: (value): Decimal => value ?? ZERO,
})

/** A change of a price: 0 clears it (null); omitted or empty, it stays as it is (undefined). */
export const priceChange: Codec<Decimal | null | undefined> = transform(optional(orBlank(price)), {
  decode: (value) => (value === '' ? undefined : value === ZERO ? null : value),
  encode: (value): Decimal | undefined => (value === null ? ZERO : value),
})

type Choices = Readonly<Record<string, number | string>>

/**
 * Our name for a value on the wire. With `otherwise` every value missing in the table has that meaning; without it
 * such a value is refused.
 */
export const choice = <const C extends Choices>(
  choices: C,
  options: { readonly reason?: RefusalReason; readonly otherwise?: keyof C & string } = {},
): Codec<keyof C & string> => {
  const reason = options.reason ?? 'notUnderstood'
  const words = new Map(Object.entries(choices).map(([enumeration, value]) => [String(value), enumeration]))
  const expected: Expected = { expected: 'choice', choices: [...words.keys()].join(', ') }
  return refine(numeric(reason, expected), {
    decode: (value) => words.get(String(value)) ?? options.otherwise ?? null,
    encode: (enumeration): number | string => choices[enumeration] ?? '',
    reason,
    expected,
  })
}

/** True for one value on the wire; false is encoded as another. */
export const flag = (yes: number, no: number): Codec<boolean> =>
  transform(choice({ yes, no }, { otherwise: 'no' }), {
    decode: (enumeration) => enumeration === 'yes',
    encode: (value): 'yes' | 'no' => (value ? 'yes' : 'no'),
  })

/** A request without parameters, or an answer without data. */
export const nothing: Codec<null> = transform(anything, { decode: () => null, encode: (): unknown => null })

/** One value or a list of them; a list of one is written as the value itself. */
export const oneOrMore = <T>(codec: Codec<T>): Codec<readonly T[]> => {
  const list = listOf(codec)
  return {
    read: (raw, problems) => list.read(Array.isArray(raw) ? raw : [raw], problems),
    write: (values) => (values.length === 1 ? codec.write(values[0] as T) : list.write(values)),
    schema: () => ({}),
  }
}

/** Epoch ms as text: YYYY-MM-DD HH:MM:SS in UTC. */
export const utcText = (epochMs: number): string =>
  new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')
