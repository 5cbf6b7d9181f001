import { noun } from '../codec.ts'
import { choice, flag, id, listOf, maybeBlank, text, withDefault } from '../field.ts'
import { line } from '../typed-field.ts'

/** Characters of a name to search by. */
const NAME_LENGTH_MOST = 300

export const companySearch = noun({ name: ['name', withDefault(line(NAME_LENGTH_MOST), '')] })

export const companyChoice = noun({ companyId: ['id', maybeBlank(id)] })

const company = noun({
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

export const companyStatus = noun({
  /** Whether the reader is to go to `lossUrl`. */
  mustLeave: ['status', flag(1, 0)],
  standing: ['type', choice({ open: 0, closed: 1, unknown: 2 }, { otherwise: 'unknown' })],
  /** Empty unless the reader must leave. */
  lossUrl: ['loss_url', text],
})
