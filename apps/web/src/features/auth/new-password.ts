import { PASSWORD_LENGTH } from '@fairlot/contract'
import type { Problems } from '@fairlot/ui/use-form.ts'

export type NewPassword = { password: string; repeated: string }

type Sentences = (
  key: 'enterPassword' | 'passwordsDiffer' | 'passwordTooShort',
  values?: { least: number },
) => string

/** What is wrong with a new password before the server has looked at it. */
export function weakPassword({ password, repeated }: NewPassword, t: Sentences): Problems<NewPassword> {
  if (password === '') return { password: t('enterPassword') }
  if (Array.from(password).length < PASSWORD_LENGTH.least)
    return { password: t('passwordTooShort', { least: PASSWORD_LENGTH.least }) }
  return password === repeated ? {} : { repeated: t('passwordsDiffer') }
}

/** Which field a refusal of a new password is about. */
export const PASSWORD_REFUSALS = {
  passwordTooShort: 'password',
  passwordTooLong: 'password',
  passwordCommon: 'password',
  passwordsDiffer: 'repeated',
} as const
