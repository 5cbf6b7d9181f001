import * as z from 'zod/mini'
import { firstOf, isReason, type RefusalReason } from './error-code.ts'
import { MISFIT, quickNoun, quickReadOf, quickThrough, withQuickRead } from './quick-read.ts'

// Compiling schemas with eval would make a page under our content security policy log an error at its start.
z.config({ jitless: true })

/** One schema that checks what comes from the wire and converts it both ways. `T` is the clean value inside. */
export type Codec<T = unknown> = z.core.$ZodType<T>

/** The clean value a codec stands for. */
export type Inside<C extends Codec> = z.output<C>

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: RefusalReason; readonly field: string }

/** Reads a value from the wire. What does not fit gives the first reason by precedence and the wire field it is about. */
export function decode<T>(codec: Codec<T>, value: unknown): Decoded<T> {
  // Prices come five times a second: only what does not fit goes the slow way, which has the reasons.
  const quick = quickReadOf(codec)?.(value) ?? MISFIT
  if (quick !== MISFIT) return { ok: true, value: quick as T }
  const result = z.safeDecode(codec, value)
  if (result.success) return { ok: true, value: result.data }
  const problems = result.error.issues.map((issue) => ({
    reason: isReason(issue.message) ? issue.message : ('notUnderstood' as const),
    field: issue.path.join('.'),
  }))
  return { ok: false, ...firstOf(problems) }
}

/** Writes a clean value as JSON for the wire. Throws when the value is not what the codec stands for: our own bug. */
export const encode = <T>(codec: Codec<T>, value: T): unknown => z.encode(codec, value)

/** The wire side of a codec as a JSON schema, for the API page. */
export const toJsonSchema = (codec: Codec): Record<string, unknown> =>
  z.toJSONSchema(codec, { io: 'input', unrepresentable: 'any' })

/** A codec seen through two functions that cannot fail. */
export const reshape = <A, B>(
  codec: Codec<A>,
  through: { readonly decode: (value: A) => B; readonly encode: (value: B) => A },
): Codec<B> => withQuickRead(z.codec(codec, z.custom<B>(), through), quickThrough(codec, through.decode))

/** A codec seen through a reading that may fail: null refuses with the given reason. */
export const narrow = <A, B>(
  codec: Codec<A>,
  through: {
    readonly decode: (value: A) => B | null
    readonly encode: (value: B) => A
    readonly reason: RefusalReason
  },
): Codec<B> =>
  withQuickRead(
    z.codec(codec, z.custom<B>(), {
      decode: (value, context) => {
        const read = through.decode(value)
        if (read !== null) return read
        context.issues.push({ code: 'custom', input: value, message: through.reason })
        return z.NEVER
      },
      encode: through.encode,
    }),
    quickThrough(codec, (value) => through.decode(value) ?? MISFIT),
  )

type Fields = Readonly<Record<string, readonly [wireName: string, codec: Codec]>>
// `& {}` makes editors show the fields instead of the table they come from.
type Clean<F extends Fields> = { readonly [Name in keyof F]: Inside<F[Name][1]> } & {}

/** A noun as one table: clean name, name on the wire, codec. What else comes over the wire is dropped. */
export function noun<const F extends Fields>(fields: F): Codec<Clean<F>> {
  const entries = Object.entries(fields)
  const wire = z.object(Object.fromEntries(entries.map(([, [wireName, codec]]) => [wireName, codec])))
  const codec = z.codec(wire, z.custom<Clean<F>>(), {
    decode: (raw) => {
      const clean: Record<string, unknown> = {}
      for (const [name, [wireName]] of entries) clean[name] = raw[wireName]
      return clean as Clean<F>
    },
    encode: (clean) => {
      const raw: Record<string, unknown> = {}
      for (const [name, [wireName]] of entries) raw[wireName] = clean[name]
      return raw
    },
  })
  return withQuickRead(codec, quickNoun(fields))
}

type Variants = Readonly<Record<string, Codec>>

/** One of several nouns. `read` names the one for a raw value, null for none; `write` the one for a clean value. */
export const oneOf = <V extends Variants>(
  variants: V,
  choose: {
    readonly read: (raw: unknown) => (keyof V & string) | null
    readonly write: (value: Inside<V[keyof V]>) => keyof V & string
  },
): Codec<Inside<V[keyof V]>> =>
  withQuickRead(
    z.codec(z.unknown(), z.custom<Inside<V[keyof V]>>(), {
      decode: (raw, context) => {
        const name = choose.read(raw)
        const read = name === null ? null : decode(variants[name] as Codec<Inside<V[keyof V]>>, raw)
        if (read?.ok) return read.value
        context.issues.push({ code: 'custom', input: raw, message: read?.reason ?? 'notUnderstood' })
        return z.NEVER
      },
      encode: (value) => encode(variants[choose.write(value)] as Codec, value),
    }),
    (raw) => {
      const codec = variants[choose.read(raw) ?? '']
      return (codec && quickReadOf(codec)?.(raw)) ?? MISFIT
    },
  )
