import { INVALID, invalid, object, type Codec } from '../protocol/codec.ts'
import {
  flag,
  id,
  listOf,
  omittable,
  omittableOrBlank,
  text,
  time,
  int,
  withDefault,
} from '../protocol/field.ts'
import { contact } from './sign-up.wire.ts'
import { filled } from '../protocol/user-text.ts'
import { factorCode, user } from './user.wire.ts'

/** The secret of a demo account. */
export const demoKey = object({ demoId: ['demo_id', text] })

type DemoKey = { readonly demoId: string }

type Credentials = {
  readonly contact: 'email' | 'mobile'
  /** The address, or the number's digits. */
  readonly account: string
  readonly password: string
  /** Where the same digits exist in several countries. */
  readonly countryId?: number | null
  /** The code of the second factor or a recovery code, where the factor is on. */
  readonly authCode?: string | null
}

const fields = object({
  demoId: ['demo_id', omittableOrBlank(text)],
  contact: ['login_type', withDefault(contact, 'email')],
  account: ['account', omittable(filled(text))],
  password: ['password', omittable(text)],
  countryId: ['area_id', omittableOrBlank(id, 'areaInvalid')],
  authCode: ['auth_code', omittableOrBlank(factorCode)],
})

const EMPTY = { demoId: null, contact: 'email', account: null, password: null } as const
const NO_EXTRAS = { countryId: null, authCode: null }

/** Either the secret of a demo account, or an account with its password. */
export const loginRequest: Codec<DemoKey | Credentials> = {
  ...fields,
  read: (raw, problems) => {
    const read = fields.read(raw, problems)
    if (read === INVALID) return INVALID
    const { demoId, account, password, ...extras } = read
    if (demoId !== null) return { demoId }
    if (password === '') return invalid(problems, 'fieldMissing', ['password'])
    if (account !== null && password !== null) return { account, password, ...extras }
    const path = [account === null ? 'account' : 'password']
    return invalid(problems, 'notUnderstood', path, { expected: 'text' })
  },
  write: (request) => fields.write({ ...EMPTY, ...NO_EXTRAS, ...request }),
}

export const loggedIn = object({ token: ['token', text], user: ['user', user] })

/** The id of a session is not its token: it cannot be used to log in. */
const session = object({
  id: ['id', text],
  startedAt: ['start_time', time],
  seenAt: ['seen_time', time],
  /** From the browser's User-Agent header. */
  device: ['device', text],
  address: ['address', text],
  isCurrent: ['is_current', flag(1, 0)],
})

export const sessions = listOf(session)
export const sessionId = object({ id: ['id', text] })

export const passwordChange = object({
  /** The user's contact; no permission depends on it. */
  contact: ['type', withDefault(contact, 'email')],
  oldPassword: ['old_password', text],
  newPassword: ['new_password', text],
  authCode: ['auth_code', omittableOrBlank(factorCode)],
})

export const freshToken = object({ token: ['token', text] })

/** It is on with an authenticator app or a passkey. */
export const secondFactor = object({
  isOn: ['is_on', flag(1, 0)],
  hasApp: ['has_app', flag(1, 0)],
  passkeys: ['passkeys', int()],
  recoveryCodesLeft: ['recovery_codes_left', int()],
})

/** The second factor is needed where a passkey has switched it on. */
export const passwordProof = object({
  password: ['password', text],
  authCode: ['auth_code', omittableOrBlank(factorCode)],
})

/** For an authenticator app: the secret in base32, and an otpauth: address for a QR code. */
export const secondFactorSecret = object({ secret: ['secret', text], address: ['uri', text] })

export const authCode = object({ authCode: ['auth_code', factorCode] })

/** Each replaces the app's code once. Shown only now. */
export const recoveryCodes = object({ recoveryCodes: ['recovery_codes', listOf(text)] })

export const secondFactorRemoval = object({
  password: ['password', text],
  authCode: ['auth_code', factorCode],
})
