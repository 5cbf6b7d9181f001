import { decode, encode, type Codec, type Inside } from './codec.ts'
import { codeOf, isReason, SUCCESS, type RefusalReason } from './error-code.ts'
import { envelope, refusalData } from './wire/envelope.ts'

/** Figures that go with a refusal. What does not apply is left out. */
export type RefusalDetails = Partial<Omit<Inside<typeof refusalData>, 'reason'>>

/** A refusal as a client sees it. `unknown`: a reason this client has no word for. */
export type Refusal = {
  readonly ok: false
  readonly code: number
  readonly reason: RefusalReason | 'unknown'
  /** A sentence in the caller's language. */
  readonly message: string
  readonly details: RefusalDetails
}

export type Answer<T> = { readonly ok: true; readonly value: T; readonly message: string } | Refusal

const NO_DETAILS = { field: null, needed: null, fee: null, free: null }

/** The envelope of an answered call, as JSON. */
export const successEnvelope = <T>(response: Codec<T>, value: T, message: string): unknown =>
  encode(envelope, { code: SUCCESS, message, data: encode(response, value) })

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

/** Reads an envelope; null when it is none, or its data is not what the call answers. */
export function readEnvelope<T>(response: Codec<T>, body: unknown): Answer<T> | null {
  const outer = decode(envelope, body)
  if (!outer.ok) return null
  const { code, message, data } = outer.value
  if (code !== SUCCESS) return { ok: false, code, message, ...readRefusal(code, data) }
  const inner = decode(response, data)
  return inner.ok ? { ok: true, value: inner.value, message } : null
}

function readRefusal(code: number, data: unknown): Pick<Refusal, 'reason' | 'details'> {
  const read = decode(refusalData, data)
  const { reason, ...details } = read.ok ? read.value : { ...NO_DETAILS, reason: null }
  if (code === codeOf('sessionGone')) return { reason: 'sessionGone', details }
  return { reason: reason !== null && isReason(reason) ? reason : 'unknown', details }
}
