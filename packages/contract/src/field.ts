/** Codecs of single values. On the way in numbers may come as JSON numbers or, from forms and queries, as text. */
import { fromUnits, parseDecimal, readDecimal, type Decimal } from '@fairlot/core/decimal'
import { LOTS_DECIMALS, MONEY_DECIMALS, RATIO_DECIMALS } from '@fairlot/core/number'
import type { Lots, Money, Ratio } from '@fairlot/core'
import { misfit, MISFIT, narrow, plain, readPart, reshape, type Codec, type Problem } from './codec.ts'
import type { RefusalReason } from './error-code.ts'

/** Of any price or percentage. */
const MOST_DECIMALS = 10
const PERCENT_DIGITS = 30

const isText = (value: unknown): value is string => typeof value === 'string'

const numeric = (reason: RefusalReason): Codec<number | string> =>
  plain(
    (value): value is number | string => isText(value) || Number.isFinite(value),
    { type: ['number', 'string'] },
    reason,
  )

const decimalOf = (reason: RefusalReason, wholeDigits?: number): Codec<Decimal> =>
  narrow(numeric(reason), {
    decode: (value) => readDecimal(value, MOST_DECIMALS, wholeDigits),
    encode: (value) => value,
    reason,
  })

const unitsOf = (decimals: number, reason: RefusalReason): Codec<bigint> =>
  narrow(numeric(reason), {
    decode: (value) => parseDecimal(value, decimals),
    encode: (units) => fromUnits(units, decimals),
    reason,
  })

/** Any plain decimal of at most 12 digits before and 10 after the point. */
export const decimal = decimalOf('notUnderstood')

/** A price. Whether it has more digits than the instrument allows shows when it is turned into ticks. */
export const price = decimalOf('priceMalformed')

/** A percentage. Of almost nothing it may be huge, so it has room for more digits than a price. */
export const percent = decimalOf('notUnderstood', PERCENT_DIGITS)

/** An amount in the account currency, in units of 1e-6. */
export const money = unitsOf(MONEY_DECIMALS, 'notUnderstood') as Codec<Money>

/** An amount that somebody asks to move, in units of 1e-6. Whether there may be so much shows where it is decided. */
export const amount = unitsOf(MONEY_DECIMALS, 'amountMalformed') as Codec<Money>

/** A size in units of 1e-4 lot, never below zero. */
export const lots: Codec<Lots> = narrow(unitsOf(LOTS_DECIMALS, 'lotsInvalid'), {
  decode: (units) => (units < 0n ? null : (Number(units) as Lots)),
  encode: BigInt,
  reason: 'lotsInvalid',
})

/** A rate in units of 1e-6. */
export const ratio: Codec<Ratio> = reshape(unitsOf(RATIO_DECIMALS, 'notUnderstood'), {
  decode: (units) => Number(units) as Ratio,
  encode: BigInt,
})

/** A safe integer from `least` up; as text only in plain digits. */
export const whole = (least = 0, reason: RefusalReason = 'notUnderstood', most?: number): Codec<number> =>
  narrow(numeric(reason), {
    decode: (value) => {
      if (typeof value === 'string' && !/^\d{1,16}$/.test(value)) return null
      const read = Number(value)
      return Number.isSafeInteger(read) && read >= least && read <= (most ?? read) ? read : null
    },
    encode: (value) => value,
    reason,
  })

/** The number of a row. */
export const id = whole(1, 'idInvalid')

/** The last moment that a date can name, epoch ms. */
const LAST_MOMENT = 8.64e15

/** A moment, epoch ms. */
export const time = whole(0, 'timeInvalid', LAST_MOMENT)

export const text: Codec<string> = plain(isText, { type: 'string' })

/** A day of UTC: `YYYY-MM-DD` on the wire, its first moment (epoch ms) inside. */
export const day: Codec<number> = narrow(text, {
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

/** Whatever it is, as it is. */
export const anything: Codec = { read: (raw) => raw, write: (value) => value, schema: () => ({}) }

export const listOf = <T>(codec: Codec<T>): Codec<readonly T[]> => ({
  read: (raw, problems) => {
    if (!Array.isArray(raw)) return misfit(problems, 'notUnderstood')
    // Not by map, which would leave a hole unread.
    const values = Array.from(raw, (each: unknown, index) => readPart(codec, each, index, problems))
    return values.includes(MISFIT) ? MISFIT : (values as T[])
  },
  write: (values) => values.map((value) => codec.write(value)),
  schema: () => ({ type: 'array', items: codec.schema() }),
})

/** A codec beside which one empty value is taken as it is. */
const unless = <T, E extends null | undefined | ''>(codec: Codec<T>, empty: E): Codec<T | E> => ({
  ...codec,
  read: (raw, problems) => (raw === empty ? empty : codec.read(raw, problems)),
  write: (value) => (value === empty ? empty : codec.write(value as T)),
})

/** Null on both sides. */
export const orNull = <T>(codec: Codec<T>): Codec<T | null> => ({
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

/** Left out on the wire, null inside. */
export const maybe = <T>(codec: Codec<T>): Codec<T | null> =>
  reshape(optional(codec), { decode: (value) => value ?? null, encode: (value) => value ?? undefined })

/** The value, or the empty text of a form that nobody filled in. What fits neither is refused as the codec refuses it. */
const orBlank = <T>(codec: Codec<T>, reason?: RefusalReason): Codec<T | ''> => ({
  ...unless(codec, ''),
  read: (raw, problems) => {
    if (raw === '') return raw
    const found: Problem[] = []
    const value = codec.read(raw, found)
    return value === MISFIT ? misfit(problems, reason ?? found[0]?.reason ?? 'notUnderstood') : value
  },
  schema: () => ({ anyOf: [{ type: 'string', const: '' }, codec.schema()] }),
})

/** Left out or empty on the wire, null inside. */
export const maybeBlank = <T>(codec: Codec<T>, reason?: RefusalReason): Codec<T | null> =>
  reshape(optional(orBlank(codec, reason)), {
    decode: (value): T | null => (value === undefined || value === '' ? null : value),
    encode: (value): T | undefined => value ?? undefined,
  })

/** May be left out or empty on the wire; then it is what the fallback says. */
export const withDefault = <T>(codec: Codec<T>, fallback: T): Codec<T> =>
  reshape(optional(orBlank(codec)), {
    decode: (value): T => (value === undefined || value === '' ? fallback : value),
    encode: (value): T | undefined => value,
  })

const NONE = fromUnits(0, 0)

/** A price where zero, or nothing at all, means that there is none. */
export const priceOrNone: Codec<Decimal | null> = reshape(optional(orBlank(price)), {
  decode: (value) => (value === undefined || value === '' || value === NONE ? null : value),
  encode: (value): Decimal => value ?? NONE,
})

type Choices = Readonly<Record<string, number | string>>

/**
 * Our word for a value of the wire. With `otherwise` every value that is not in the table has that meaning; without it
 * such a value is refused.
 */
export const choice = <const C extends Choices>(
  choices: C,
  options: { readonly reason?: RefusalReason; readonly otherwise?: keyof C & string } = {},
): Codec<keyof C & string> => {
  const reason = options.reason ?? 'notUnderstood'
  const words = new Map(Object.entries(choices).map(([word, value]) => [String(value), word]))
  return narrow(numeric(reason), {
    decode: (value) => words.get(String(value)) ?? options.otherwise ?? null,
    encode: (word): number | string => choices[word] ?? '',
    reason,
  })
}

/** True for one value of the wire, written as another when false. */
export const flag = (yes: number, no: number): Codec<boolean> =>
  reshape(choice({ yes, no }, { otherwise: 'no' }), {
    decode: (word) => word === 'yes',
    encode: (value): 'yes' | 'no' => (value ? 'yes' : 'no'),
  })

/** A request without parameters, or an answer without data. */
export const nothing: Codec<null> = reshape(anything, { decode: () => null, encode: (): unknown => null })

/** One value or a list of them; a list of one is written as the value itself. */
export const oneOrMore = <T>(codec: Codec<T>): Codec<readonly T[]> => {
  const list = listOf(codec)
  return {
    read: (raw, problems) => list.read(Array.isArray(raw) ? raw : [raw], problems),
    write: (values) => (values.length === 1 ? codec.write(values[0] as T) : list.write(values)),
    schema: () => ({}),
  }
}
