import { MISFIT, type Codec, type Problem } from './codec.ts'
import { firstOf, type RefusalReason } from './error-code.ts'

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: RefusalReason; readonly field: string }

/** Reads a value from the wire. What does not fit gives the first reason by precedence and the wire field it is about. */
export function decode<T>(codec: Codec<T>, value: unknown): Decoded<T> {
  const problems: Problem[] = []
  const read = codec.read(value, problems)
  if (read !== MISFIT) return { ok: true, value: read }
  const { reason, path } = firstOf(problems)
  return { ok: false, reason, field: path.join('.') }
}
