import {
  getCaptcha,
  getConsentDocuments,
  getSetting,
  listCountries,
  resetPassword,
  sendEmailCode,
  sendSmsCode,
} from '@fairlot/contract'
import type { Country, CodePurpose, Contact, PasswordReset, PublicSettings } from '@fairlot/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../live/requests/query-client.ts'
import { request } from '../../live/requests/request.ts'

const CONSENT_KEY = ['consent']

/** Every country in the reader's language. */
export const useCountries = () =>
  useQuery({
    queryKey: ['areas'],
    queryFn: ({ signal }) => request(listCountries, null, { signal, isSilent: true }),
    staleTime: Infinity,
  })

/** The chosen country, or the one to begin with: the second of the list. */
export const countryOf = (areas: readonly Country[], id: number | null): Country | null =>
  areas.find((area) => area.id === id) ?? areas[1] ?? areas[0] ?? null

export type RegistrationMode = NonNullable<PublicSettings['registrationMode']>

/** How one may register. */
export const useRegistrationMode = () =>
  useQuery({
    queryKey: ['registrationMode'],
    queryFn: async ({ signal }) => {
      const answer = await request(getSetting, { key: 'registrationMode' }, { signal, isSilent: true })
      return answer.registrationMode ?? 'emailOrMobile'
    },
  })

/** The kinds of contact that a mode offers, the first to begin with. */
export const contactsOf = (mode: RegistrationMode): readonly Contact[] =>
  mode === 'emailOrMobile' ? ['email', 'mobile'] : [mode]

/** The kinds of contact that an account may have, whatever the mode was when it was opened; that of the mode first. */
export const contactsToFind = (mode: RegistrationMode | undefined): readonly Contact[] =>
  mode === 'mobile' ? ['mobile', 'email'] : ['email', 'mobile']

/** What whoever registers agrees to. */
export const useConsentDocuments = () =>
  useQuery({
    queryKey: CONSENT_KEY,
    queryFn: ({ signal }) => request(getConsentDocuments, null, { signal, isSilent: true }),
  })

/** Asks for the documents again: their wording has changed. */
export const refreshConsent = (): Promise<void> => queryClient.invalidateQueries({ queryKey: CONSENT_KEY })

export const captchaQuery = queryOptions({
  queryKey: ['captcha'],
  queryFn: ({ signal }) => request(getCaptcha, null, { signal, isSilent: true }),
  // Not even a reconnect changes the picture: digits may have been typed for it.
  staleTime: 'static',
  gcTime: 0,
})

/** A picture to be read; each is good for one answer. */
export const useCaptcha = (isAsked: boolean) => useQuery({ ...captchaQuery, enabled: isAsked })

export type CodeTarget = { readonly contact: Contact; readonly to: string; readonly countryId: number | null }

/** Sends a code. Rejects when refused, without showing it. */
export const sendCode = ({ contact, to, countryId }: CodeTarget, purpose: CodePurpose): Promise<null> =>
  contact === 'email'
    ? request(sendEmailCode, { to, purpose }, { isSilent: true })
    : request(sendSmsCode, { to, countryId, purpose }, { isSilent: true })

/** Sets a new password. Rejects when refused, without showing it. */
export const setForgottenPassword = (reset: PasswordReset): Promise<null> =>
  request(resetPassword, reset, { isSilent: true, isWaitedFor: true, isTold: true })
