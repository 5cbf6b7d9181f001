import type { Contact } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { TextField } from '@fairlot/ui/field.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import type { Problems } from '@fairlot/ui/use-form.ts'
import { CountryField } from './country-field.tsx'
import type { ContactValues } from './contact-values.ts'

type ContactFieldsProps = {
  /** Of more than one the reader chooses. */
  contacts: readonly Contact[]
  values: ContactValues
  problems: Problems<ContactValues>
  onChange: (change: Partial<ContactValues>) => void
  /** The country counts with an e-mail address too. */
  asksHome?: boolean
}

/** An account: its e-mail address, or its number with the country. */
export function ContactFields({
  contacts,
  values,
  problems,
  onChange,
  asksHome = false,
}: ContactFieldsProps) {
  const t = useTranslations('auth')
  const isMobile = values.contact === 'mobile'
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
      {(isMobile || asksHome) && (
        <CountryField
          label={t(asksHome ? 'home' : 'area')}
          {...(asksHome && isMobile && { hint: t('homeMobileHint') })}
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
          autoComplete="username tel-national"
          dir="ltr"
          value={values.phone}
          problem={problems.phone}
          onChange={(phone) => onChange({ phone })}
        />
      ) : (
        <TextField
          key="email"
          label={t('emailAddress')}
          name="username"
          type="email"
          inputMode="email"
          autoComplete="username"
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
