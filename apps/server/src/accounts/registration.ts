import {
  type CodePurpose,
  getCaptcha,
  getConsentDocuments,
  listCountries,
  type LoggedIn,
  register,
  type Registration,
  sendEmailCode,
  sendSmsCode,
} from '@fairlot/contract'
import type { Api, Call } from '../platform/http/api.ts'
import { createLimit } from '../platform/rate-limits.ts'
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts'
import { isPossibleAnswer } from './captcha.ts'
import { emailIdentity, type Identity, phoneIdentity, wrongAccount } from './identity.ts'
import { type AuthServices, openAccount } from './auth-services.ts'
import { refuseWhenBusy } from '../platform/security/password-hash.ts'
import { codeSlot, createDailyLimit, isPossibleCode, RESET_CODES_A_DAY } from './verification-codes.ts'
import { withAttemptLimits } from '../platform/security/attempt-limits.ts'
import { noteActivity } from '../platform/database/user-activity.ts'
import { knownPlace, saveOrigin } from '../platform/security/known-logins.ts'
import { addUser, findInviter, type NewRegisteredUser } from './users.ts'
import { checkPassword } from '../platform/security/password-rule.ts'

const HOUR_S = 3_600
/** The id of no user. */
const NO_USER = 0

/** Countries, legal documents, captchas, verification codes, and the registration itself. */
export function registerRegistration(api: Api, parts: AuthServices): void {
  const { countries, limits } = parts
  const captchas = createLimit(() => limits.captchasPerAddress, HOUR_S)
  const sendCode = createCodeSender(parts)

  api.visitor(listCountries, ({ language }) => countries.list(language))

  api.visitor(getConsentDocuments, ({ language }) => parts.consent.documents(language))

  api.visitor(getCaptcha, async ({ network }) =>
    (await captchas(network)) ? parts.captchas.create() : refuse('tooManyRequests'),
  )

  api.visitor(sendEmailCode, ({ input, ...call }) => {
    const identity = emailIdentity(input.to)
    return identity ? sendCode(identity, input.purpose, call) : wrongAccount('email', 'to')
  })

  api.visitor(sendSmsCode, ({ input, ...call }) => {
    const area = countries.byId(input.countryId)
    if (area === null) return refuse('areaInvalid', { field: 'area_id' })
    if (countries.isBlocked(area))
      return refuse('areaBlocked', { field: 'area_id', area: countries.nameOf(area, call.language) })
    const identity = phoneIdentity(input.to, area)
    return identity ? sendCode(identity, input.purpose, call) : wrongAccount('mobile', 'to')
  })

  api.visitor(register, refuseWhenBusy(createRegistrar(parts)))
}

/**
 * Sends codes. The work and the response are the same whether an account exists or not; only the message differs, and only
 * the owner of the address reads that.
 */
function createCodeSender({ queries, codes, users, messageWriter, limits, now }: AuthServices) {
  const perTarget = createLimit(() => limits.codesPerTarget, HOUR_S)
  const perAddress = createLimit(() => limits.codesPerAddress, HOUR_S)
  const resets = createDailyLimit(queries, now, {
    name: 'reset',
    limit: () => Math.min(RESET_CODES_A_DAY, limits.codesPerTarget),
    hasPauses: true,
  })
  const resetsOfNetwork = createDailyLimit(queries, now, {
    name: 'resets of a network',
    limit: () => limits.codesPerAddress,
    hasPauses: false,
  })

  /** Whether one more code to reset a password may be sent. Requests from elsewhere do not count against a known place of the owner. */
  const mayReset = async (target: string, place: string | null, network: string): Promise<boolean> => {
    const key = codeSlot(target, place).target
    if (place !== null) return (await resets.isFresh(key)) || resets.take(key)
    if (!(await perAddress(network)) || !(await perTarget(`reset ${target}`))) return false
    if (await resets.isFresh(key)) return true
    // Looked at first, so that a network without codes left cannot use up those of an account.
    if (!(await resetsOfNetwork.hasLeft(network))) return false
    return (await resets.take(key)) && resetsOfNetwork.take(network)
  }

  return async (
    identity: Identity,
    purpose: CodePurpose,
    { language, ...origin }: Pick<Call<unknown>, 'address' | 'device' | 'network' | 'language'>,
  ): Promise<Refusal | null> => {
    const { target, contact } = identity
    const { network } = origin
    if (purpose === 'register' && !((await perAddress(network)) && (await perTarget(`register ${target}`))))
      return refuse('tooManyRequests')
    const known = await users.byIdentity(identity)
    const isKnown = known !== null
    const place = purpose === 'reset' ? await knownPlace(queries, known?.userId ?? NO_USER, origin) : null
    if (purpose === 'reset' && !(await mayReset(target, place, network))) return refuse('tooManyRequests')
    const recipient = identity.contact === 'email' ? identity.email : target
    const to = { channel: contact === 'email' ? 'email' : 'sms', recipient, language } as const
    await queries.transaction().execute(async (within) => {
      const key = purpose === 'reset' ? codeSlot(target, place) : { purpose, target }
      const code = await codes.issue(key, within)
      if (code === null) return
      if (purpose === 'register' && isKnown) return messageWriter.write('accountExists', to, {}, within)
      if (purpose === 'reset' && !isKnown) return messageWriter.write('noAccount', to, {}, within)
      return messageWriter.write(purpose === 'register' ? 'registerCode' : 'resetCode', to, { code }, within)
    })
    messageWriter.send()
    return null
  }
}

type Applicant = {
  readonly identity: Identity
  readonly area: string
  readonly invitedBy: number | null
  /** The version of the legal documents that they agree to. */
  readonly consentVersion: string
}

/** Registers users and opens their real accounts. */
const createRegistrar = (parts: AuthServices) => {
  const { addressLimit, captchas, codes, users, hasher, engine, sessions, findUser, registration } = parts

  const check = async (call: Call<Registration>): Promise<Applicant | Refusal> => {
    const { input } = call
    const applicant = applicantOf(parts, call)
    if (isRefusal(applicant)) return applicant
    if (input.password !== input.repeatedPassword) return refuse('passwordsDiffer', { field: 're_password' })
    const weak = await checkPassword(input.password, applicant.identity.target)
    if (weak) return weak
    if (!input.hasConsented) return refuse('consentMissing', { field: 'consent' })
    const consentVersion = await parts.consent.version()
    if ((input.consentVersion ?? consentVersion) !== consentVersion)
      return refuse('consentOutdated', { field: 'consent_version' })
    if (input.inviteCode === null) return { ...applicant, consentVersion, invitedBy: null }
    const invitedBy = await findInviter(parts, input.inviteCode)
    return isRefusal(invitedBy) ? invitedBy : { ...applicant, consentVersion, invitedBy }
  }

  const isCaptcha = registration.check === 'captcha'
  const wrongCode = refuse(isCaptcha ? 'captchaWrong' : 'codeWrong', { field: 'sms_code' })

  const checkCode = async (input: Registration, target: string): Promise<Refusal | null> => {
    const isRight = isCaptcha
      ? await captchas.isRight(input.captchaId ?? '', input.code)
      : await codes.isRight({ purpose: 'register', target }, input.code)
    return isRight ? null : wrongCode
  }

  return async (call: Call<Registration>): Promise<LoggedIn | Refusal> => {
    const applicant = await check(call)
    if (isRefusal(applicant)) return applicant
    // What can be no code is a slip, and no attempt.
    if (!(isCaptcha ? isPossibleAnswer : isPossibleCode)(call.input.code)) return wrongCode
    const refusedCode = await withAttemptLimits([[addressLimit, `registering ${call.network}`]], () =>
      checkCode(call.input, applicant.identity.target),
    )
    if (refusedCode) return refusedCode
    // Only reached with a captcha: an existing account is never sent a code.
    if (await users.byIdentity(applicant.identity)) return refuse('accountTaken', { field: 'account' })
    const passwordHash = await hasher.hash(call.input.password)
    const userId = await openAccount(engine, 'real')
    if (isRefusal(userId)) return userId
    const { identity, area, invitedBy } = applicant
    const added = {
      userId,
      identity,
      area,
      invitedBy,
      passwordHash,
      language: call.language,
    }
    const refused = await saveUser(parts, call, added, applicant.consentVersion)
    if (refused) return refused
    await saveOrigin(userId, call, parts.now(), parts.queries)
    const user = await findUser(userId)
    const { address, device } = call
    return user ? { token: await sessions.start(userId, { address, device }), user } : refuse('internal')
  }
}

/** The applicant, if the registration mode and the served countries admit them. */
function applicantOf(
  { countries, registration }: AuthServices,
  { input: { contact, countryId, account }, language, translate }: Call<Registration>,
): Pick<Applicant, 'identity' | 'area'> | Refusal {
  if (registration.mode !== 'emailOrMobile' && registration.mode !== contact)
    return refuse('registrationModeRefused', {
      field: 'type',
      offered: translate(`contact.${registration.mode}`),
    })
  const area = countries.byId(countryId)
  if (area === null) return refuse('areaInvalid', { field: 'area_id' })
  const identity = contact === 'email' ? emailIdentity(account) : phoneIdentity(account, area)
  const from = identity?.contact === 'mobile' ? (identity.country ?? area) : area
  const blocked = [area, from].find((code) => countries.isBlocked(code))
  if (blocked)
    return refuse('areaBlocked', {
      field: blocked === area ? 'area_id' : 'account',
      area: countries.nameOf(blocked, language),
    })
  return identity ? { identity, area } : wrongAccount(contact)
}

/** Rolls the transaction of a registration back. */
class RegistrationAborted extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.rejected)
    this.refusal = refusal
  }
}

/** Writes user, consent and the used code in one transaction; if it fails, the account that was just opened has no owner and no effect. */
async function saveUser(
  parts: AuthServices,
  { input, language, address, device }: Call<Registration>,
  user: NewRegisteredUser,
  version: string,
): Promise<Refusal | null> {
  const { queries, codes, users, registration, now } = parts
  const key = { purpose: 'register', target: user.identity.target } as const
  try {
    await queries.transaction().execute(async (within) => {
      if (registration.check === 'code' && !(await codes.use(key, input.code, within)))
        throw new RegistrationAborted(refuse('codeWrong', { field: 'sms_code' }))
      await addUser(parts, { id: user.userId, demoHash: null }, within)
      if (!(await users.add(user, within)))
        throw new RegistrationAborted(refuse('accountTaken', { field: 'account' }))
      const at = BigInt(Math.floor(now()))
      const consent = { user_id: BigInt(user.userId), version, language, address, at }
      await within.insertInto('consent').values(consent).execute()
      const registered = { userId: user.userId, kind: 'registered' } as const
      await noteActivity(within, { ...registered, at: now(), address, device })
    })
    return null
  } catch (error) {
    if (error instanceof RegistrationAborted) return error.refusal
    throw error
  }
}
