import { noun } from '../codec.ts'
import { flag, id, listOf, text } from '../field.ts'

/** A country or territory. */
const country = noun({
  id: ['id', id],
  /** ISO 3166-1 alpha-2. */
  code: ['code', text],
  /** Digits that a phone number there begins with, without the plus. */
  callingCode: ['global_code', text],
  /** In the caller's language. */
  name: ['name', text],
  /** Whoever is from here is not served. */
  isBlocked: ['blocked', flag(1, 0)],
})

export const countries = listOf(country)
