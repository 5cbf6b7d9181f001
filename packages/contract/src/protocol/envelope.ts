import { accept, type Codec, encode, type Infer } from './codec.ts'
import { SESSION_GONE, SUCCESS } from './envelope-code.ts'
import type { RefusalReason } from './error-code.ts'
import { envelope, refusalData } from './protocol.wire.ts'

/** Figures of a refusal. Those that do not apply are omitted. */
export type RefusalDetails = Partial<Omit<Infer<typeof refusalData>, 'reason'>>

/**
 * A refusal as seen by a client. `unknown`: the server gives no reason. A server newer than its client may give one
 * missing in the types.
 */
export type Refusal = {
  readonly ok: false
  readonly code: number
  readonly reason: RefusalReason | 'unknown'
  /** A sentence in the caller's language. */
  readonly message: string
  readonly details: RefusalDetails
}

export type Answer<T> = { readonly ok: true; readonly value: T; readonly message: string } | Refusal

/** A refusal without figures. */
export const NO_DETAILS = { field: null, needed: null, fee: null, free: null }

/** The envelope of an answered call, as JSON. */
export const successEnvelope = <T>(response: Codec<T>, value: T, message: string): unknown =>
  encode(envelope, { code: SUCCESS, message, data: encode(response, value) })

/** Reads an envelope; null if it is invalid or its data does not match the call. */
export function readEnvelope<T>(response: Codec<T>, body: unknown): Answer<T> | null {
  const outer = accept(envelope, body)
  if (!outer.ok) return null
  const { code, message, data } = outer.value
  if (code !== SUCCESS) return { ok: false, code, message, ...readRefusal(code, data) }
  const inner = accept(response, data)
  return inner.ok ? { ok: true, value: inner.value, message } : null
}

function readRefusal(code: number, data: unknown): Pick<Refusal, 'reason' | 'details'> {
  const read = accept(refusalData, data)
  const { reason, ...details } = read.ok ? read.value : { ...NO_DETAILS, reason: null }
  if (code === SESSION_GONE) return { reason: 'sessionGone', details }
  return { reason: (reason ?? 'unknown') as Refusal['reason'], details }
}
