import { object, transform } from '../protocol/codec.ts'
import { choice, id, integer, listOf, omittableOrBlank, text, withDefault } from '../protocol/field.ts'
import { userLine } from '../protocol/user-text.ts'

/** Length of a search text, in characters. */
const NAME_LENGTH_MAX = 300

export const companySearch = object({ name: ['name', withDefault(userLine(NAME_LENGTH_MAX), '')] })

export const companyChoice = object({ companyId: ['id', omittableOrBlank(id)] })

const company = object({
  id: ['id', id],
  name: ['name', text],
  subject: ['subject', text],
  /** The address of a picture, or empty. */
  logo: ['logo', text],
  url: ['url', text],
  registeredAddress: ['registered_address', text],
  location: ['location', text],
  email: ['email', text],
})

export const companies = listOf(company)

const otherThanZero = transform(integer, {
  decode: (status) => status !== 0,
  encode: (mustLeave): number => (mustLeave ? 1 : 0),
})

export const companyStatus = object({
  /** Whether the reader is sent to `redirectUrl`: by any status other than 0. */
  mustLeave: ['status', otherThanZero],
  standing: ['type', choice({ open: 0, closed: 1, unknown: 2 }, { otherwise: 'unknown' })],
  /** Empty unless the reader is sent away. */
  redirectUrl: ['loss_url', text],
})
