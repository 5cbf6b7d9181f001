import { queryOptions, useQuery } from '@tanstack/react-query'
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

/** The chosen country, or the preselected one, which is the second of the list. */
export const countryOf = (countries: readonly Country[], id: number | null): Country | null =>
  countries.find((country) => country.id === id) ?? countries[1] ?? countries[0] ?? null

export type RegistrationMode = NonNullable<PublicSettings['registrationMode']>

/** The kinds of contact that registration accepts, as configured. */
export const useRegistrationMode = () =>
  useQuery({
    queryKey: ['registrationMode'],
    queryFn: async ({ signal }) => {
      const setting = await request(getSetting, { key: 'registrationMode' }, { signal, isSilent: true })
      return setting.registrationMode ?? 'emailOrMobile'
    },
  })

/** The kinds of contact that a mode offers, the preselected one first. */
export const contactsOf = (mode: RegistrationMode): readonly Contact[] =>
  mode === 'emailOrMobile' ? ['email', 'mobile'] : [mode]

/** The kinds of contact an account may log in with, whatever the mode was when it was opened; the current mode's first. */
export const loginContacts = (mode: RegistrationMode | undefined): readonly Contact[] =>
  mode === 'mobile' ? ['mobile', 'email'] : ['email', 'mobile']

/** The documents a user agrees to on registration. */
export const useConsentDocuments = () =>
  useQuery({
    queryKey: CONSENT_KEY,
    queryFn: ({ signal }) => request(getConsentDocuments, null, { signal, isSilent: true }),
  })

/** Loads the documents again after they have changed. */
export const refreshConsent = (): Promise<void> => queryClient.invalidateQueries({ queryKey: CONSENT_KEY })

export const captchaQuery = queryOptions({
  queryKey: ['captcha'],
  queryFn: ({ signal }) => request(getCaptcha, null, { signal, isSilent: true }),
  // A reconnect must not replace the picture: the user may have typed its digits.
  staleTime: 'static',
  gcTime: 0,
})

/** A captcha picture; each is valid for one attempt. */
export const useCaptcha = (isEnabled: boolean) => useQuery({ ...captchaQuery, enabled: isEnabled })

type CodeTarget = { readonly contact: Contact; readonly to: string; readonly countryId: number | null }

/** Sends a code. Rejects when the server does, without showing a message. */
export const sendCode = ({ contact, to, countryId }: CodeTarget, purpose: CodePurpose): Promise<null> =>
  contact === 'email'
    ? request(sendEmailCode, { to, purpose }, { isSilent: true })
    : request(sendSmsCode, { to, countryId, purpose }, { isSilent: true })

/** Sets a new password. Rejects when the server does, without showing a message. */
export const setForgottenPassword = (reset: PasswordReset): Promise<null> =>
  request(resetPassword, reset, { isSilent: true, isWaitedFor: true, showsConfirmation: true })
