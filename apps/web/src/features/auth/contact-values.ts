import type { Contact } from '@fairlot/contract'
import type { Problems } from '@fairlot/ui/use-form.ts'

/** Both accounts are kept while one looks at the other. */
export type ContactValues = {
  contact: Contact
  email: string
  phone: string
  /** Null until one is chosen: the preselected one counts. */
  countryId: number | null
}

/** The address or the number that counts. */
export const accountOf = ({ contact, email, phone }: ContactValues): string =>
  (contact === 'email' ? email : phone).trim()

/** The field of the account that counts. */
export const accountField = ({ contact }: ContactValues): 'email' | 'phone' =>
  contact === 'email' ? 'email' : 'phone'

type Sentences = (key: 'enterEmail' | 'enterPhone') => string

/** An account that is missing. */
export const missingAccount = (values: ContactValues, t: Sentences): Problems<ContactValues> =>
  accountOf(values) === ''
    ? { [accountField(values)]: t(values.contact === 'email' ? 'enterEmail' : 'enterPhone') }
    : {}

/** Which field a refusal of the account or the country is about. */
export const CONTACT_REFUSALS = {
  emailInvalid: 'email',
  phoneInvalid: 'phone',
  areaInvalid: 'countryId',
  areaBlocked: 'countryId',
} as const
