/** Codecs of single values. On the way in numbers may come as JSON numbers or, from forms and queries, as text. */
import * as z from 'zod/mini'
import type { Lots, Money, Ratio } from '@fairlot/core'
import { narrow, reshape, type Codec } from './codec.ts'
import { fromUnits, readDecimal, toUnits, writeDecimal, type Decimal, type DecimalLimits } from './decimal.ts'
import type { RefusalReason } from './error-code.ts'

const MONEY_DECIMALS = 6
const LOTS_DECIMALS = 4
const RATIO_DECIMALS = 6

const AMOUNT: DecimalLimits = { wholeDigits: 12, fractionDigits: 6 }
const PRICE: DecimalLimits = { wholeDigits: 12, fractionDigits: 10 }
const PERCENT: DecimalLimits = { wholeDigits: 30, fractionDigits: 10 }

const numeric = (reason: RefusalReason): Codec<number | string> =>
  z.union([z.number(), z.string()], { error: reason })

const decimalOf = (limits: DecimalLimits, reason: RefusalReason): Codec<Decimal> =>
  narrow(numeric(reason), { decode: (value) => readDecimal(value, limits), encode: writeDecimal, reason })

const unitsOf = (decimals: number, reason: RefusalReason): Codec<bigint> =>
  narrow(decimalOf(AMOUNT, reason), {
    decode: (value) => toUnits(value, decimals),
    encode: (units) => fromUnits(units, decimals),
    reason,
  })

/** Any plain decimal of at most 12 digits before and 10 after the point. */
export const decimal = decimalOf(PRICE, 'notUnderstood')

/** A price. Whether it has more digits than the instrument allows shows when it is turned into ticks. */
export const price = decimalOf(PRICE, 'priceMalformed')

/** A percentage. Of almost nothing it may be huge, so it has room for more digits than a price. */
export const percent = decimalOf(PERCENT, 'notUnderstood')

/** An amount in the account currency, in units of 1e-6. */
export const money = unitsOf(MONEY_DECIMALS, 'notUnderstood') as Codec<Money>

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

export const text: Codec<string> = z.string()
export const integer: Codec<number> = z.int()

export const listOf = <T>(codec: Codec<T>): Codec<readonly T[]> => z.array(codec)

/** Null on both sides. */
export const orNull = <T>(codec: Codec<T>): Codec<T | null> => z.nullable(codec)

/** Left out on the wire, null inside. */
export const maybe = <T>(codec: Codec<T>): Codec<T | null> =>
  reshape(z.optional(codec), { decode: (value) => value ?? null, encode: (value) => value ?? undefined })

/** The value, or the empty text of a form that nobody filled in. What fits neither is refused as the codec refuses it. */
const orBlank = <T>(codec: Codec<T>, reason?: RefusalReason): Codec<T | ''> =>
  z.union([z.literal(''), codec], {
    error: (issue) => reason ?? reasonsOf(issue).at(-1) ?? 'notUnderstood',
  })

/** Of each of the forms that did not fit. */
const reasonsOf = (issue: z.core.$ZodRawIssue): readonly (string | undefined)[] =>
  issue.code === 'invalid_union' ? issue.errors.map(([first]) => first?.message) : []

/** Left out or empty on the wire, null inside. */
export const maybeBlank = <T>(codec: Codec<T>, reason?: RefusalReason): Codec<T | null> =>
  reshape(z.optional(orBlank(codec, reason)), {
    decode: (value): T | null => (value === undefined || value === '' ? null : value),
    encode: (value): T | undefined => value ?? undefined,
  })

/** May be left out or empty on the wire; then it is what the fallback says. */
export const withDefault = <T>(codec: Codec<T>, fallback: T): Codec<T> =>
  reshape(z.optional(orBlank(codec)), {
    decode: (value): T => (value === undefined || value === '' ? fallback : value),
    encode: (value): T | undefined => value,
  })

/** A price where zero, or nothing at all, means that there is none. */
export const priceOrNone: Codec<Decimal | null> = reshape(z.optional(orBlank(price)), {
  decode: (value) => (value === undefined || value === '' || value === '0' ? null : value),
  encode: (value): Decimal => value ?? ('0' as Decimal),
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
export const nothing: Codec<null> = reshape(z.unknown(), { decode: () => null, encode: (): unknown => null })

/** One value or a list of them; a list of one is written as the value itself. */
export const oneOrMore = <T>(codec: Codec<T>): Codec<readonly T[]> =>
  z.codec(z.unknown(), z.array(codec), {
    decode: (raw): unknown[] => (Array.isArray(raw) ? raw : [raw]),
    encode: (list): unknown => (list.length === 1 ? list[0] : list),
  })
