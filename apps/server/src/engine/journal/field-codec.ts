/** Codecs that write values to the journal and read them back, field by field, with an explicit type for each. */

/** `write` returns JSON text. `read` takes the output of JSON.parse and throws when it has another type. */
export type Codec<Value> = {
  readonly write: (value: Value) => string
  readonly read: (raw: unknown) => Value
}

/** A field that may be left out. */
export type OptionalCodec<Value> = Codec<Value> & { readonly isOptional: true }

/** A codec for each field of a type, in the order in which they are written. */
export type Fields<Value> = {
  readonly [Name in keyof Value]-?: {} extends Pick<Value, Name>
    ? OptionalCodec<Exclude<Value[Name], undefined>>
    : Codec<Value[Name]>
}

class JournalUnreadable extends Error {
  constructor(expected: string, raw: unknown) {
    super(`the journal has ${JSON.stringify(raw)} where ${expected} is expected`)
  }
}

/** A plain number: ids, times, ticks, lots and ratios. */
export const number = <Value extends number>(): Codec<Value> => NUMBER as Codec<unknown> as Codec<Value>

const NUMBER: Codec<number> = {
  write: (value) => {
    if (!Number.isFinite(value)) throw new RangeError(`${value} is no number for the journal`)
    return `${value}`
  },
  read: (raw) => {
    if (typeof raw !== 'number') throw new JournalUnreadable('a number', raw)
    return raw
  },
}

/** Money as decimal text: JSON numbers are not exact enough. */
export const bigint = <Value extends bigint>(): Codec<Value> => BIGINT as Codec<unknown> as Codec<Value>

const BIGINT: Codec<bigint> = {
  write: (value) => `"${value}"`,
  read: (raw) => {
    if (typeof raw !== 'string') throw new JournalUnreadable('an amount', raw)
    return BigInt(raw)
  },
}

/** Any text. */
export const text: Codec<string> = {
  write: (value) => JSON.stringify(value),
  read: (raw) => {
    if (typeof raw !== 'string') throw new JournalUnreadable('a text', raw)
    return raw
  },
}

/** One of our own enum values, none of which needs JSON escaping. */
export const literal = <Value extends string>(): Codec<Value> => LITERAL as Codec<unknown> as Codec<Value>

const LITERAL: Codec<string> = { write: (value) => `"${value}"`, read: text.read }

export const flag: Codec<boolean> = {
  write: (value) => (value ? 'true' : 'false'),
  read: (raw) => {
    if (typeof raw !== 'boolean') throw new JournalUnreadable('true or false', raw)
    return raw
  },
}

export const orNull = <Value>({ write, read }: Codec<Value>): Codec<Value | null> => ({
  write: (value) => (value === null ? 'null' : write(value)),
  read: (raw) => (raw === null ? null : read(raw)),
})

export const optional = <Value>(codec: Codec<Value>): OptionalCodec<Value> => ({ ...codec, isOptional: true })

export const list = <Value>({ write, read }: Codec<Value>): Codec<readonly Value[]> => ({
  write: (values) => {
    let written = ''
    for (const value of values) written += written === '' ? write(value) : `,${write(value)}`
    return `[${written}]`
  },
  read: (raw) => {
    if (!Array.isArray(raw)) throw new JournalUnreadable('a list', raw)
    return raw.map(read)
  },
})

/** Encodes each object only once and caches its text. */
export function writtenOnce<Value extends object>({ write, read }: Codec<Value>): Codec<Value> {
  const texts = new WeakMap<Value, string>()
  return {
    write: (value) => {
      const known = texts.get(value)
      if (known !== undefined) return known
      const written = write(value)
      texts.set(value, written)
      return written
    },
    read,
  }
}

type Column = { name: string; label: string; codec: Codec<unknown>; isOptional: boolean }
type Raw = Record<string, unknown>

/** An object with known fields, the first of which must not be optional. Unknown fields are not written, and throw when read. */
export function record<Value extends object>(fields: Fields<Value>): Codec<Value> {
  const columns = Object.entries<Codec<unknown>>(fields as never).map(([name, codec], index): Column => ({
    name,
    label: `${index === 0 ? '{' : ','}"${name}":`,
    codec,
    isOptional: 'isOptional' in codec,
  }))
  return {
    write: (value) => writeFields(columns, value as Raw),
    read: (raw) => readFields(columns, raw) as Value,
  }
}

function writeFields(columns: readonly Column[], value: Raw): string {
  let written = ''
  for (const { name, label, codec, isOptional } of columns) {
    const field = value[name]
    if (isOptional && field === undefined) continue
    written += label + codec.write(field)
  }
  return `${written}}`
}

function readFields(columns: readonly Column[], raw: unknown): Raw {
  if (typeof raw !== 'object' || raw === null) throw new JournalUnreadable('an object', raw)
  const found = raw as Raw
  const value: Raw = {}
  let count = 0
  for (const { name, codec, isOptional } of columns) {
    const field = found[name]
    if (isOptional && field === undefined) continue
    value[name] = codec.read(field)
    count += 1
  }
  for (const _ in found) count -= 1
  if (count !== 0) throw new JournalUnreadable(`an object of ${columns.map(({ name }) => name).join()}`, raw)
  return value
}

/** One of several kinds of objects, distinguished by a tag field. */
export function union<Tag extends string, Value extends { readonly [Name in Tag]: string }>(
  tag: Tag,
  kinds: { readonly [Kind in Value[Tag]]: Codec<Extract<Value, { readonly [Name in Tag]: Kind }>> },
): Codec<Value> {
  const codecs = new Map(Object.entries<Codec<Value>>(kinds as never))
  const codecOf = (value: unknown): Codec<Value> => {
    const codec = codecs.get((value as Raw)[tag] as string)
    if (!codec) throw new JournalUnreadable(`an object with a known ${tag}`, value)
    return codec
  }
  return {
    write: (value) => codecOf(value).write(value),
    read: (raw) => codecOf(typeof raw === 'object' && raw !== null ? raw : {}).read(raw),
  }
}
