import type { Area, Contact } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import type { Problems } from '../../ui/use-form.ts'
import type { Consents } from './consent-fields.tsx'
import { missingAccount } from './contact-values.ts'
import type { ContactValues } from './contact-values.ts'
import { weakPassword } from './new-password.ts'
import type { NewPassword } from './new-password.ts'
import { areaOf } from './queries.ts'
import { readSentCode } from './sent-code.ts'

export type RegisterValues = ContactValues & NewPassword & Consents & { code: string; inviteCode: string }

/** An empty form, but for the link's invitation and the account that a code was sent to before a reload. */
export function firstValues(contacts: readonly Contact[], inviteCode: string, now: number): RegisterValues {
  const sent = readSentCode('register', now)
  const isOffered = sent !== null && contacts.includes(sent.contact)
  const { contact, email, phone, areaId } = isOffered
    ? sent
    : { contact: contacts[0] ?? 'email', email: '', phone: '', areaId: null }
  return {
    ...{ contact, email, phone, areaId, inviteCode },
    ...{ code: '', password: '', repeated: '', terms: false, riskDisclosure: false },
  }
}

/** What is missing or wrong before anything is sent. */
export function useRegisterCheck(areas: readonly Area[], isCaptcha: boolean) {
  const t = useTranslations('session')
  return (values: RegisterValues): Problems<RegisterValues> => {
    const area = areaOf(areas, values.areaId)
    return {
      ...(area?.isBlocked && { areaId: t('areaBlocked', { area: area.name }) }),
      ...missingAccount(values, t),
      ...(values.code.trim() === '' && { code: t(isCaptcha ? 'enterCaptcha' : 'enterCode') }),
      ...weakPassword(values, t),
      ...(!values.terms && { terms: t('agreeFirst') }),
      ...(!values.riskDisclosure && { riskDisclosure: t('agreeFirst') }),
    }
  }
}
