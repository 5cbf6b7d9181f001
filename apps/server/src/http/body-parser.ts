import type { FastifyInstance } from 'fastify'

/** A number that a binary double may not hold to its last digit, or one written with an exponent; or text that looks like one. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE]/

/**
 * Reads JSON bodies so that no digit is lost: a number whose text a double would change comes as that text, and is then
 * judged like text (wire-notes: a JSON number with too many digits is refused like its text).
 */
export function registerBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    void parse(request, body, (error, value) => {
      if (error !== null || !MAY_LOSE_DIGITS.test(body)) return done(error, value)
      try {
        done(null, JSON.parse(body, keepDigits))
      } catch {
        // Nested deeper than can be walked through: nothing that any call takes.
        done(Object.assign(new Error('the body could not be read'), { statusCode: 400 }))
      }
    })
  })
}

/** The text that a value was read from. The language has it; its types do not yet. */
type ReviverContext = { readonly source?: string }

const keepDigits = (_key: string, value: unknown, { source }: ReviverContext = {}): unknown =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? source : value
