/**
 * The parts of the protocol for servers only. They use the table of error codes, which the first page must not load.
 */
import { encode, INVALID, type Codec, type Expected, type Problem } from './codec.ts'
import { NO_DETAILS, type RefusalDetails } from './envelope.ts'
import { codeOf, firstOf, type RefusalReason } from './error-code.ts'
import { envelope, refusalData } from './protocol.wire.ts'

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly reason: RefusalReason
      readonly field: string
      readonly expected?: Expected
    }

/** Reads a value from the wire. An invalid value gives the reason with the highest precedence and its wire field. */
export function decode<T>(codec: Codec<T>, value: unknown): Decoded<T> {
  const problems: Problem[] = []
  const read = codec.read(value, problems)
  if (read !== INVALID) return { ok: true, value: read }
  const { reason, path, expected } = firstOf(problems)
  return { ok: false, reason, field: path.join('.'), ...(expected !== undefined && { expected }) }
}

/** The envelope of a refusal, as JSON. `message` is the sentence in the caller's language. */
export const refusalEnvelope = (
  reason: RefusalReason,
  message: string,
  details: RefusalDetails = {},
): unknown =>
  encode(envelope, {
    code: codeOf(reason),
    message,
    data: encode(refusalData, { ...NO_DETAILS, ...details, reason }),
  })
