import { encode } from './codec.ts'
import { NO_DETAILS, type RefusalDetails } from './envelope.ts'
import { codeOf, type RefusalReason } from './error-code.ts'
import { envelope, refusalData } from './wire/envelope.ts'

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
