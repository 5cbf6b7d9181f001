import type { FastifyInstance } from 'fastify'

/** A number that a double may not represent exactly, or one with an exponent; or text that looks like one. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE]/

/**
 * Parses JSON bodies without losing digits: a number that a double would change is passed on as its text, and then checked
 * like text: one with too many digits is refused in either form.
 */
export function registerBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    void parse(request, body, (error, value) => {
      if (error !== null || !MAY_LOSE_DIGITS.test(body)) return done(error, value)
      try {
        done(null, JSON.parse(body, keepDigits))
      } catch {
        // Nested too deeply to walk through: no endpoint accepts that.
        done(Object.assign(new Error('the body could not be read'), { statusCode: 400 }))
      }
    })
  })
}

/** The text that a value was parsed from; missing in TypeScript's types. */
type ReviverContext = { readonly source?: string }

const keepDigits = (_key: string, value: unknown, { source }: ReviverContext = {}): unknown =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? source : value
