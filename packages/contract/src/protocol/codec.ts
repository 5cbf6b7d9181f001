import type { RefusalReason } from './error-code.ts'

/** Returned by `read` for an invalid value. */
export const INVALID: unique symbol = Symbol('does not fit')

/**
 * What would have been valid, as the sentence of the reason says it: `most` characters of `textTooLong`; of
 * `notUnderstood` the kind of value, with its bounds or choices.
 */
export type Expected =
  | { readonly most: number }
  | { readonly expected: 'text' | 'number' | 'list' }
  | { readonly expected: 'whole'; readonly least: string }
  | { readonly expected: 'range'; readonly least: string; readonly most: string }
  | { readonly expected: 'choice'; readonly choices: string }

/** Why a part of a value is invalid. */
type Fault = { readonly reason: RefusalReason; readonly expected?: Expected | undefined }

/** The same, with its path of wire names and indexes, the outermost first. */
export type Problem = Fault & { readonly path: readonly (string | number)[] }

type JsonSchema = Readonly<Record<string, unknown>>

/** Validates values from the wire and converts them both ways. `T` is the decoded value. */
export type Codec<T = unknown> = {
  /** The decoded value, or INVALID; the reasons are added to `problems`. */
  read(raw: unknown, problems: Problem[]): T | typeof INVALID
  /** The value as JSON for the wire. Throws for a value outside the codec's type: our own bug. */
  write(value: T): unknown
  /** The wire form as a JSON schema, for the API page. */
  schema(): JsonSchema
  /** May be omitted from its object. */
  readonly isOptional?: boolean | undefined
}

/** The decoded type of a codec. */
export type Infer<C extends Codec> = C extends Codec<infer T> ? T : never

export type Accepted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false }

/** Reads a value from the wire without the reasons why it is invalid; `decode` returns them. */
export function accept<T>(codec: Pick<Codec<T>, 'read'>, value: unknown): Accepted<T> {
  const read = codec.read(value, [])
  return read === INVALID ? { ok: false } : { ok: true, value: read }
}

/** Encodes a value as JSON for the wire. Throws for a value outside the codec's type: our own bug. */
export const encode = <T>(codec: Codec<T>, value: T): unknown => codec.write(value)

/** The wire form of a codec as a JSON schema, for the API page. */
export const toJsonSchema = (codec: Codec): JsonSchema => ({ $schema: DRAFT, ...codec.schema() })

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** Adds the reason why a value is invalid; `path` is the path of the invalid part. */
export function invalid(
  problems: Problem[],
  reason: RefusalReason,
  path: Problem['path'] = [],
  expected?: Expected,
): typeof INVALID {
  problems.push({ reason, path, expected })
  return INVALID
}

/** Reads a part of a value; problems are reported below `place`. */
export function readPart<T>(
  codec: Codec<T>,
  raw: unknown,
  place: string | number,
  problems: Problem[],
): T | typeof INVALID {
  const before = problems.length
  const value = codec.read(raw, problems)
  if (value !== INVALID) return value
  for (const { path, ...fault } of problems.splice(before))
    problems.push({ ...fault, path: [place, ...path] })
  return INVALID
}

/** A value that is the same on the wire. */
export const plain = <T>(
  fits: (value: unknown) => value is T,
  schema: JsonSchema,
  reason: RefusalReason = 'notUnderstood',
  expected?: Expected,
): Codec<T> => ({
  read: (raw, problems) => (fits(raw) ? raw : invalid(problems, reason, [], expected)),
  write: (value) => {
    if (!fits(value)) throw new TypeError(`${reason}: ${String(value)}`)
    return value
  },
  schema: () => schema,
})

/** A codec mapped by two functions that cannot fail. */
export const transform = <A, B>(
  codec: Codec<A>,
  through: { readonly decode: (value: A) => B; readonly encode: (value: B) => A },
): Codec<B> => ({
  read: (raw, problems) => {
    const value = codec.read(raw, problems)
    return value === INVALID ? INVALID : through.decode(value)
  },
  write: (value) => codec.write(through.encode(value)),
  schema: () => codec.schema(),
  isOptional: codec.isOptional,
})

/** A codec mapped by a function that may fail: null refuses with the given reason. */
export const refine = <A, B>(
  codec: Codec<A>,
  through: {
    readonly decode: (value: A) => B | null
    readonly encode: (value: B) => A
    readonly reason: RefusalReason
    readonly expected?: Expected | undefined
  },
): Codec<B> => ({
  ...transform<A, B>(codec, { ...through, decode: (value) => through.decode(value) as B }),
  read: (raw, problems) => {
    const value = codec.read(raw, problems)
    if (value === INVALID) return INVALID
    return through.decode(value) ?? invalid(problems, through.reason, [], through.expected)
  },
})

type Fields = Readonly<Record<string, readonly [wireName: string, codec: Codec]>>
// `& {}` makes editors show the fields instead of the table's type.
type Clean<F extends Fields> = { readonly [Name in keyof F]: Infer<F[Name][1]> } & {}

/** An object as a table of decoded name, wire name and codec. Other fields on the wire are dropped. */
export function object<const F extends Fields>(fields: F): Codec<Clean<F>> {
  const entries = Object.entries(fields)
  return {
    read: (raw, problems) => {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
        return invalid(problems, 'notUnderstood')
      const values = raw as Readonly<Record<string, unknown>>
      const clean: Record<string, unknown> = {}
      let isWhole = true
      for (const [name, [wireName, codec]] of entries) {
        const value = readPart(codec, values[wireName], wireName, problems)
        if (value === INVALID) isWhole = false
        else clean[name] = value
      }
      return isWhole ? (clean as Clean<F>) : INVALID
    },
    write: (clean) => {
      const raw: Record<string, unknown> = {}
      for (const [name, [wireName, codec]] of entries) raw[wireName] = codec.write(clean[name])
      return raw
    },
    schema: () => {
      const required = entries.flatMap(([, [wireName, codec]]) => (codec.isOptional ? [] : [wireName]))
      return {
        type: 'object',
        properties: Object.fromEntries(entries.map(([, [wireName, codec]]) => [wireName, codec.schema()])),
        ...(required.length > 0 && { required }),
      }
    },
  }
}

type Variants = Readonly<Record<string, Codec>>

/** One of several codecs. `read` selects one for a raw value, null for none; `write` the one for a decoded value. */
export const oneOf = <V extends Variants>(
  variants: V,
  choose: {
    readonly read: (raw: unknown) => (keyof V & string) | null
    readonly write: (value: Infer<V[keyof V]>) => keyof V & string
  },
): Codec<Infer<V[keyof V]>> => ({
  read: (raw, problems) => {
    const variant = variants[choose.read(raw) ?? ''] as Codec<Infer<V[keyof V]>> | undefined
    const found: Problem[] = []
    const value = variant ? variant.read(raw, found) : invalid(found, 'notUnderstood')
    // The problem is of the whole message; the path inside is omitted.
    if (value === INVALID) for (const { reason } of found) invalid(problems, reason)
    return value
  },
  write: (value) => (variants[choose.write(value)] as Codec).write(value),
  schema: () => ({}),
})
