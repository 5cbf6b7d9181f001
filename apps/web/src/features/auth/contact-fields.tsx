import { useTranslations } from 'use-intl'
import type { Contact } from '@fairlot/contract'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { latinDigits } from '@fairlot/core/decimal'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import type { Problems } from '@fairlot/ui/forms/use-form.ts'
import { CountryField } from './country-field.tsx'

/** Both addresses are kept while the user switches between them. */
export type ContactValues = {
  contact: Contact
  email: string
  phone: string
  /** Null until one is chosen: the preselected country applies. */
  countryId: number | null
}

/** The address or number of the chosen kind, trimmed. */
export const accountOf = ({ contact, email, phone }: ContactValues): string =>
  (contact === 'email' ? email : phone).trim()

/** The field of the chosen kind of contact. */
export const accountField = ({ contact }: ContactValues): 'email' | 'phone' =>
  contact === 'email' ? 'email' : 'phone'

type Translate = (key: 'enterEmail' | 'enterPhone') => string

/** The problem of an empty account field; none when it is filled in. */
export const accountProblems = (values: ContactValues, t: Translate): Problems<ContactValues> =>
  accountOf(values) === ''
    ? { [accountField(values)]: t(values.contact === 'email' ? 'enterEmail' : 'enterPhone') }
    : {}

/** The field at which each rejection of account or country is shown. */
export const CONTACT_ERROR_FIELDS = {
  emailInvalid: 'email',
  phoneInvalid: 'phone',
  areaInvalid: 'countryId',
  areaBlocked: 'countryId',
} as const

type ContactFieldsProps = {
  /** The kinds offered; with more than one the user chooses. */
  contacts: readonly Contact[]
  values: ContactValues
  problems: Problems<ContactValues>
  onChange: (change: Partial<ContactValues>) => void
  /** Shows the country with an e-mail address too. */
  needsCountry?: boolean
  /** The browser may offer passkeys in the field. */
  offersPasskeys?: boolean
}

/** The account's e-mail address, or its phone number with the country. */
export function ContactFields({
  contacts,
  values,
  problems,
  onChange,
  needsCountry = false,
  offersPasskeys = false,
}: ContactFieldsProps) {
  const t = useTranslations('auth')
  const isMobile = values.contact === 'mobile'
  const passkeys = offersPasskeys ? ' webauthn' : ''
  return (
    <>
      {contacts.length > 1 && (
        <Segmented
          label={t('contact')}
          value={values.contact}
          onChange={(contact) => onChange({ contact })}
          options={contacts.map((contact) => ({ value: contact, label: t(contact) }))}
        />
      )}
      {(isMobile || needsCountry) && (
        <CountryField
          label={t(needsCountry ? 'home' : 'area')}
          {...(needsCountry && isMobile && { hint: t('homeMobileHint') })}
          countryId={values.countryId}
          hasCallingCode={isMobile}
          problem={problems.countryId}
          onChange={(countryId) => onChange({ countryId })}
        />
      )}
      {isMobile ? (
        <TextField
          key="phone"
          label={t('phone')}
          name="username"
          type="tel"
          inputMode="tel"
          autoComplete={`username tel-national${passkeys}`}
          dir="ltr"
          value={values.phone}
          problem={problems.phone}
          onChange={(phone) => onChange({ phone: latinDigits(phone) })}
        />
      ) : (
        <TextField
          key="email"
          label={t('emailAddress')}
          name="username"
          type="email"
          inputMode="email"
          autoComplete={`username${passkeys}`}
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          value={values.email}
          problem={problems.email}
          onChange={(email) => onChange({ email })}
        />
      )}
    </>
  )
}
