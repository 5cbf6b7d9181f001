import type { LoggedIn, Registration } from '@fairlot/contract'
import type { Call } from '../http/api.ts'
import { networkOf } from '../http/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { counted } from './attempt-limits.ts'
import { identityOf, type Identity } from './identity.ts'
import { noteActivity } from '../database/user-activity.ts'
import { rememberOrigin } from './login.ts'
import type { NewMember } from './members.ts'
import { openAccount, type AuthServices } from './auth-services.ts'
import { refusalOfPassword } from './password-rule.ts'
import { addUser, findInviter } from './users.ts'

type Applicant = {
  readonly identity: Identity
  readonly area: string
  readonly invitedBy: number | null
  /** Of the wording that they agree to. */
  readonly consentVersion: string
}

/** Opens real accounts. */
export const createRegistrar = (parts: AuthServices) => {
  const { addressAttempts, captchas, codes, members, hasher, engine, sessions, findUser, registration } =
    parts

  const check = async (call: Call<Registration>): Promise<Applicant | Refusal> => {
    const { input } = call
    const applicant = applicantOf(parts, call)
    if (isRefusal(applicant)) return applicant
    if (input.password !== input.repeatedPassword) return refuse('passwordsDiffer')
    const weak = await refusalOfPassword(input.password, applicant.identity.target)
    if (weak) return weak
    if (!input.hasConsented) return refuse('consentMissing')
    const consentVersion = await parts.consent.version()
    if ((input.consentVersion ?? consentVersion) !== consentVersion) return refuse('consentOutdated')
    if (input.inviteCode === null) return { ...applicant, consentVersion, invitedBy: null }
    const invitedBy = await findInviter(parts.queries, input.inviteCode)
    return invitedBy === null ? refuse('inviteCodeUnknown') : { ...applicant, consentVersion, invitedBy }
  }

  const isShown = async (input: Registration, target: string): Promise<Refusal | null> => {
    if (registration.check === 'captcha')
      return captchas.isRight(input.captchaId ?? '', input.code) ? null : refuse('captchaWrong')
    const isRight = await codes.isRight({ purpose: 'register', target }, input.code.trim())
    return isRight ? null : refuse('codeWrong')
  }

  return async (call: Call<Registration>): Promise<LoggedIn | Refusal> => {
    const applicant = await check(call)
    if (isRefusal(applicant)) return applicant
    const network = `registering ${networkOf(call.address)}`
    const unshown = await counted([[addressAttempts, network]], () =>
      isShown(call.input, applicant.identity.target),
    )
    if (unshown) return unshown
    // With a code nobody gets here for an account that exists: it is never sent one.
    if (await members.byIdentity(applicant.identity)) return refuse('accountTaken')
    const passwordHash = await hasher.hash(call.input.password)
    const userId = await openAccount(engine, 'real')
    if (isRefusal(userId)) return userId
    const { identity, area, invitedBy } = applicant
    const member = { ...{ userId, identity, area, invitedBy, passwordHash }, language: call.language }
    const refused = await write(parts, call, member, applicant.consentVersion)
    if (refused) return refused
    await rememberOrigin(userId, call, parts.now(), parts.queries)
    const user = await findUser(userId)
    const { address, device } = call
    return user ? { token: await sessions.start(userId, { address, device }), user } : refuse('internal')
  }
}

/** Who wants to register, as far as the mode and the countries served allow. */
function applicantOf(
  { countries, registration }: AuthServices,
  { input: { contact, countryId, account }, language, translate }: Call<Registration>,
): Pick<Applicant, 'identity' | 'area'> | Refusal {
  if (registration.mode !== 'emailOrMobile' && registration.mode !== contact)
    return refuse('registrationModeRefused', { offered: translate(`contact.${registration.mode}`) })
  const area = countries.byId(countryId)
  if (area === null) return refuse('areaInvalid', { field: 'area_id' })
  const identity = identityOf(contact, account, area)
  const from = identity?.contact === 'mobile' ? (identity.country ?? area) : area
  const blocked = [area, from].find((code) => countries.isBlocked(code))
  if (blocked) return refuse('areaBlocked', { area: countries.nameOf(blocked, language) })
  return identity ? { identity, area } : refuse(contact === 'email' ? 'emailInvalid' : 'phoneInvalid')
}

/** Why a registration that was on its way is taken back. */
class TakenBack extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.rejected)
    this.refusal = refusal
  }
}

/** Person, consent and used code in one commit; without it the account just opened has no owner and no effect. */
async function write(
  parts: AuthServices,
  { input, language, address, device }: Call<Registration>,
  member: NewMember,
  version: string,
): Promise<Refusal | null> {
  const { queries, codes, members, registration, now } = parts
  const key = { purpose: 'register', target: member.identity.target } as const
  try {
    await queries.transaction().execute(async (within) => {
      if (registration.check === 'code' && !(await codes.use(key, input.code.trim(), within)))
        throw new TakenBack(refuse('codeWrong'))
      await addUser(parts, { id: member.userId, demoHash: null }, within)
      if (!(await members.add(member, within))) throw new TakenBack(refuse('accountTaken'))
      const at = BigInt(Math.floor(now()))
      const consent = { user_id: BigInt(member.userId), version, language, address, at }
      await within.insertInto('consent').values(consent).execute()
      const registered = { userId: member.userId, kind: 'registered' } as const
      await noteActivity(within, { ...registered, at: now(), address, device })
    })
    return null
  } catch (error) {
    if (error instanceof TakenBack) return error.refusal
    throw error
  }
}
