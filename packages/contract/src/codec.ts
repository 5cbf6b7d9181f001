import type { RefusalReason } from './error-code.ts'

/** What a reading answers for a value that does not fit. */
export const MISFIT: unique symbol = Symbol('does not fit')

/** Why something in a value does not fit, and where it is: names and places on the wire, the outermost first. */
export type Problem = { readonly reason: RefusalReason; readonly path: readonly (string | number)[] }

type JsonSchema = Readonly<Record<string, unknown>>

/** Checks what comes from the wire and converts it both ways. `T` is the clean value inside. */
export type Codec<T = unknown> = {
  /** The clean value, or MISFIT; what does not fit is added to the problems. */
  read(raw: unknown, problems: Problem[]): T | typeof MISFIT
  /** The value as JSON for the wire. Throws when it is not what the codec stands for: our own bug. */
  write(value: T): unknown
  /** The wire side as a JSON schema, for the API page. */
  schema(): JsonSchema
  /** May be left out of what holds it. */
  readonly isOptional?: boolean | undefined
}

/** The clean value a codec stands for. */
export type Inside<C extends Codec> = C extends Codec<infer T> ? T : never

export type Accepted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false }

/** Reads a value from the wire, for whoever has no use for the reasons why it does not fit: see `decode`. */
export function accept<T>(codec: Pick<Codec<T>, 'read'>, value: unknown): Accepted<T> {
  const read = codec.read(value, [])
  return read === MISFIT ? { ok: false } : { ok: true, value: read }
}

/** Writes a clean value as JSON for the wire. Throws when the value is not what the codec stands for: our own bug. */
export const encode = <T>(codec: Codec<T>, value: T): unknown => codec.write(value)

/** The wire side of a codec as a JSON schema, for the API page. */
export const toJsonSchema = (codec: Codec): JsonSchema => ({ $schema: DRAFT, ...codec.schema() })

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** Notes why a value does not fit; `path` leads to what is wrong inside it. */
export function misfit(
  problems: Problem[],
  reason: RefusalReason,
  path: Problem['path'] = [],
): typeof MISFIT {
  problems.push({ reason, path })
  return MISFIT
}

/** Reads a part of a value: what does not fit in it is found below `place`. */
export function readPart<T>(
  codec: Codec<T>,
  raw: unknown,
  place: string | number,
  problems: Problem[],
): T | typeof MISFIT {
  const before = problems.length
  const value = codec.read(raw, problems)
  if (value !== MISFIT) return value
  for (const { reason, path } of problems.splice(before)) problems.push({ reason, path: [place, ...path] })
  return MISFIT
}

/** A value that is the same on both sides. */
export const plain = <T>(
  fits: (value: unknown) => value is T,
  schema: JsonSchema,
  reason: RefusalReason = 'notUnderstood',
): Codec<T> => ({
  read: (raw, problems) => (fits(raw) ? raw : misfit(problems, reason)),
  write: (value) => {
    if (!fits(value)) throw new TypeError(`${reason}: ${String(value)}`)
    return value
  },
  schema: () => schema,
})

/** A codec seen through two functions that cannot fail. */
export const reshape = <A, B>(
  codec: Codec<A>,
  through: { readonly decode: (value: A) => B; readonly encode: (value: B) => A },
): Codec<B> => ({
  read: (raw, problems) => {
    const value = codec.read(raw, problems)
    return value === MISFIT ? MISFIT : through.decode(value)
  },
  write: (value) => codec.write(through.encode(value)),
  schema: () => codec.schema(),
  isOptional: codec.isOptional,
})

/** A codec seen through a reading that may fail: null refuses with the given reason. */
export const narrow = <A, B>(
  codec: Codec<A>,
  through: {
    readonly decode: (value: A) => B | null
    readonly encode: (value: B) => A
    readonly reason: RefusalReason
  },
): Codec<B> => ({
  ...reshape<A, B>(codec, { ...through, decode: (value) => through.decode(value) as B }),
  read: (raw, problems) => {
    const value = codec.read(raw, problems)
    if (value === MISFIT) return MISFIT
    return through.decode(value) ?? misfit(problems, through.reason)
  },
})

type Fields = Readonly<Record<string, readonly [wireName: string, codec: Codec]>>
// `& {}` makes editors show the fields instead of the table they come from.
type Clean<F extends Fields> = { readonly [Name in keyof F]: Inside<F[Name][1]> } & {}

/** A noun as one table: clean name, name on the wire, codec. What else comes over the wire is dropped. */
export function noun<const F extends Fields>(fields: F): Codec<Clean<F>> {
  const entries = Object.entries(fields)
  return {
    read: (raw, problems) => {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
        return misfit(problems, 'notUnderstood')
      const values = raw as Readonly<Record<string, unknown>>
      const clean: Record<string, unknown> = {}
      let isWhole = true
      for (const [name, [wireName, codec]] of entries) {
        const value = readPart(codec, values[wireName], wireName, problems)
        if (value === MISFIT) isWhole = false
        else clean[name] = value
      }
      return isWhole ? (clean as Clean<F>) : MISFIT
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

/** One of several nouns. `read` names the one for a raw value, null for none; `write` the one for a clean value. */
export const oneOf = <V extends Variants>(
  variants: V,
  choose: {
    readonly read: (raw: unknown) => (keyof V & string) | null
    readonly write: (value: Inside<V[keyof V]>) => keyof V & string
  },
): Codec<Inside<V[keyof V]>> => ({
  read: (raw, problems) => {
    const variant = variants[choose.read(raw) ?? ''] as Codec<Inside<V[keyof V]>> | undefined
    const found: Problem[] = []
    const value = variant ? variant.read(raw, found) : misfit(found, 'notUnderstood')
    // Of the message as a whole: where in it something does not fit is nobody's business.
    if (value === MISFIT) for (const { reason } of found) misfit(problems, reason)
    return value
  },
  write: (value) => (variants[choose.write(value)] as Codec).write(value),
  schema: () => ({}),
})
