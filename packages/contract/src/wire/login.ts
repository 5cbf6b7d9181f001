import { MISFIT, misfit, noun, type Codec } from '../codec.ts'
import { flag, id, listOf, maybe, maybeBlank, text, time, whole, withDefault } from '../field.ts'
import { contact } from './sign-up.ts'
import { user } from './user.ts'

/** A secret that opens a demo account. */
export const demoKey = noun({ demoId: ['demo_id', text] })

type DemoKey = { readonly demoId: string }

type Credentials = {
  readonly contact: 'email' | 'mobile'
  /** The address, or the number's digits. */
  readonly account: string
  readonly password: string
  /** Where the same digits exist in several countries. */
  readonly countryId?: number | null
  /** Of the second factor, or a recovery code, where it is on. */
  readonly authCode?: string | null
}

const fields = noun({
  demoId: ['demo_id', maybeBlank(text)],
  contact: ['login_type', withDefault(contact, 'email')],
  account: ['account', maybe(text)],
  password: ['password', maybe(text)],
  countryId: ['area_id', maybeBlank(id, 'areaInvalid')],
  authCode: ['auth_code', maybeBlank(text)],
})

const EMPTY = { demoId: null, contact: 'email', account: null, password: null } as const
const NO_EXTRAS = { countryId: null, authCode: null }

/** Either the secret of a demo account, or an account with its password. */
export const loginRequest: Codec<DemoKey | Credentials> = {
  ...fields,
  read: (raw, problems) => {
    const read = fields.read(raw, problems)
    if (read === MISFIT) return MISFIT
    const { demoId, account, password, ...extras } = read
    if (demoId !== null) return { demoId }
    if (account !== null && password !== null) return { account, password, ...extras }
    return misfit(problems, 'notUnderstood', [account === null ? 'account' : 'password'])
  },
  write: (request) => fields.write({ ...EMPTY, ...NO_EXTRAS, ...request }),
}

export const loggedIn = noun({ token: ['token', text], user: ['user', user] })

/** A session is named by text that opens nothing. */
const session = noun({
  id: ['id', text],
  startedAt: ['start_time', time],
  seenAt: ['seen_time', time],
  /** What the browser called itself. */
  device: ['device', text],
  address: ['address', text],
  isCurrent: ['is_current', flag(1, 0)],
})

export const sessions = listOf(session)
export const sessionId = noun({ id: ['id', text] })

export const passwordChange = noun({
  /** How the user is reached; nothing is decided by it. */
  contact: ['type', withDefault(contact, 'email')],
  oldPassword: ['old_password', text],
  newPassword: ['new_password', text],
  authCode: ['auth_code', maybeBlank(text)],
})

export const freshToken = noun({ token: ['token', text] })

export const secondFactor = noun({
  isOn: ['is_on', flag(1, 0)],
  recoveryCodesLeft: ['recovery_codes_left', whole()],
})

export const passwordProof = noun({ password: ['password', text] })

/** For an authenticator app: the secret in base32, and the same as an otpauth: address for a QR code. */
export const secondFactorSecret = noun({ secret: ['secret', text], address: ['uri', text] })

export const authCode = noun({ authCode: ['auth_code', text] })

/** Each opens the account once in place of the app. Shown this one time. */
export const recoveryCodes = noun({ recoveryCodes: ['recovery_codes', listOf(text)] })

export const secondFactorRemoval = noun({
  password: ['password', text],
  authCode: ['auth_code', text],
})
