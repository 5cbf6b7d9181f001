import type { Country, Contact } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import type { Problems } from '@fairlot/ui/use-form.ts'
import type { Consents } from './consent-fields.tsx'
import { missingAccount } from './contact-values.ts'
import type { ContactValues } from './contact-values.ts'
import { weakPassword } from './new-password.ts'
import type { NewPassword } from './new-password.ts'
import { countryOf } from './queries.ts'
import { readSentCode } from './sent-code.ts'

export type RegisterValues = ContactValues & NewPassword & Consents & { code: string; inviteCode: string }

/** An empty form, but for the link's invitation and the account that a code was sent to before a reload. */
export function firstValues(contacts: readonly Contact[], inviteCode: string, now: number): RegisterValues {
  const sent = readSentCode('register', now)
  const isOffered = sent !== null && contacts.includes(sent.contact)
  const { contact, email, phone, countryId } = isOffered
    ? sent
    : { contact: contacts[0] ?? 'email', email: '', phone: '', countryId: null }
  return {
    ...{ contact, email, phone, countryId, inviteCode },
    ...{ code: '', password: '', repeated: '', terms: false, riskDisclosure: false },
  }
}

/** What is missing or wrong before anything is sent. */
export function useRegisterCheck(areas: readonly Country[], isCaptcha: boolean) {
  const t = useTranslations('auth')
  return (values: RegisterValues): Problems<RegisterValues> => {
    const area = countryOf(areas, values.countryId)
    return {
      ...(area?.isBlocked && { countryId: t('areaBlocked', { area: area.name }) }),
      ...missingAccount(values, t),
      ...(values.code.trim() === '' && { code: t(isCaptcha ? 'enterCaptcha' : 'enterCode') }),
      ...weakPassword(values, t),
      ...(!values.terms && { terms: t('agreeFirst') }),
      ...(!values.riskDisclosure && { riskDisclosure: t('agreeFirst') }),
    }
  }
}
