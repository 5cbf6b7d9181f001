import type * as z from 'zod/mini'

type Codec<T = unknown> = z.core.$ZodType<T>

/** What a quick reading answers for a value that does not fit. */
export const MISFIT: unique symbol = Symbol('does not fit')

/** Reads what a codec reads, or answers `MISFIT`. It says neither why nor where, and costs a tenth of the codec. */
type QuickRead = (raw: unknown) => unknown

const quickReads = new WeakMap<Codec, QuickRead>()

/** The quick reading of a codec; undefined for one that has none. */
export const quickReadOf = (codec: Codec): QuickRead | undefined => quickReads.get(codec)

/** The codec with a quick reading, which must take and give exactly what the codec does; undefined for none. */
export function withQuickRead<C extends Codec>(codec: C, read: QuickRead | undefined): C {
  if (read) quickReads.set(codec, read)
  return codec
}

/** The quick reading of a codec that is seen through a function. */
export function quickThrough<A>(codec: Codec<A>, through: (value: A) => unknown): QuickRead | undefined {
  const read = quickReadOf(codec)
  if (!read) return undefined
  return (raw) => {
    const value = read(raw)
    return value === MISFIT ? MISFIT : through(value as A)
  }
}

/** The quick reading of a codec beside which one empty value is taken as it is. */
export function quickUnless(empty: null | undefined | '', codec: Codec): QuickRead | undefined {
  const read = quickReadOf(codec)
  return read && ((raw) => (raw === empty ? empty : read(raw)))
}

/** A list is read quickly where its members are. */
export function quickListOf(codec: Codec): QuickRead | undefined {
  const read = quickReadOf(codec)
  if (!read) return undefined
  return (raw) => {
    if (!Array.isArray(raw)) return MISFIT
    // Not by map, which would leave a hole unread.
    const values = Array.from(raw, read)
    return values.includes(MISFIT) ? MISFIT : values
  }
}

type Fields = Readonly<Record<string, readonly [wireName: string, codec: Codec]>>

/** A noun is read quickly where each of its fields is. */
export function quickNoun(fields: Fields): QuickRead | undefined {
  const readers: (readonly [name: string, wireName: string, read: QuickRead])[] = []
  for (const [name, [wireName, codec]] of Object.entries(fields)) {
    const read = quickReadOf(codec)
    if (!read) return undefined
    readers.push([name, wireName, read])
  }
  return (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return MISFIT
    const values = raw as Readonly<Record<string, unknown>>
    const clean: Record<string, unknown> = {}
    for (const [name, wireName, read] of readers) {
      const value = read(values[wireName])
      if (value === MISFIT) return MISFIT
      clean[name] = value
    }
    return clean
  }
}
