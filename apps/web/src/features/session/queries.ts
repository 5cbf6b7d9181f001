import {
  getCaptcha,
  getConsentDocuments,
  getSetting,
  listAreas,
  resetPassword,
  sendEmailCode,
  sendSmsCode,
} from '@fairlot/contract'
import type { Area, CodePurpose, Contact, PasswordReset, PublicSettings } from '@fairlot/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../live/query-client.ts'
import { request } from '../../live/request.ts'

const CONSENT_KEY = ['consent']

/** Every country in the reader's language. */
export const useAreas = () =>
  useQuery({
    queryKey: ['areas'],
    queryFn: ({ signal }) => request(listAreas, null, { signal, isSilent: true }),
    staleTime: Infinity,
  })

/** The chosen country, or the one to begin with: the second of the list. */
export const areaOf = (areas: readonly Area[], id: number | null): Area | null =>
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

export type CodeTarget = { readonly contact: Contact; readonly to: string; readonly areaId: number | null }

/** Sends a code. Rejects when refused, without showing it. */
export const sendCode = ({ contact, to, areaId }: CodeTarget, purpose: CodePurpose): Promise<null> =>
  contact === 'email'
    ? request(sendEmailCode, { to, purpose }, { isSilent: true })
    : request(sendSmsCode, { to, areaId, purpose }, { isSilent: true })

/** Sets a new password. Rejects when refused, without showing it. */
export const setForgottenPassword = (reset: PasswordReset): Promise<null> =>
  request(resetPassword, reset, { isSilent: true, isWaitedFor: true })
