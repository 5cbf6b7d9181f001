import {
  getCaptcha,
  getConsentDocuments,
  listCountries,
  register,
  sendEmailCode,
  sendSmsCode,
  type CodePurpose,
} from '@fairlot/contract'
import type { Api, Call } from '../http/api.ts'
import { createLimit, networkOf } from '../http/rate-limits.ts'
import { refuse, type Refusal } from '../http/refusal.ts'
import { emailIdentity, phoneIdentity, type Identity } from './identity.ts'
import { inTurn, type AuthServices } from './auth-services.ts'
import { createRegistrar } from './registration.ts'

const HOUR_S = 3_600

/** Countries, documents, captchas, codes, and the registration itself. */
export function registerRegistration(api: Api, parts: AuthServices): void {
  const { countries, limits } = parts
  const captchas = createLimit(() => limits.captchasPerAddress, HOUR_S)
  const sendCode = createCodeSender(parts)

  api.visitor(listCountries, ({ language }) => countries.list(language))

  api.visitor(getConsentDocuments, ({ language }) => parts.consent.documents(language))

  api.visitor(getCaptcha, async ({ address }) =>
    (await captchas(networkOf(address))) ? parts.captchas.create() : refuse('tooManyRequests'),
  )

  api.visitor(sendEmailCode, ({ input, ...call }) => {
    const identity = emailIdentity(input.to)
    return identity ? sendCode(identity, input.purpose, call) : refuse('emailInvalid')
  })

  api.visitor(sendSmsCode, ({ input, ...call }) => {
    const area = countries.byId(input.countryId)
    if (area === null) return refuse('areaInvalid')
    if (countries.isBlocked(area))
      return refuse('areaBlocked', { area: countries.nameOf(area, call.language) })
    const identity = phoneIdentity(input.to, area)
    return identity ? sendCode(identity, input.purpose, call) : refuse('phoneInvalid')
  })

  api.visitor(register, inTurn(createRegistrar(parts)))
}

/**
 * The work and the answer are the same whether an account exists or not; only the words of the message differ, which the
 * owner of the address alone reads.
 */
function createCodeSender({ queries, codes, members, notifier, limits }: AuthServices) {
  const perTarget = createLimit(() => limits.codesPerTarget, HOUR_S)
  const perAddress = createLimit(() => limits.codesPerAddress, HOUR_S)
  return async (
    identity: Identity,
    purpose: CodePurpose,
    { address, language }: Pick<Call<unknown>, 'address' | 'language'>,
  ): Promise<Refusal | null> => {
    const { target, contact } = identity
    const isWithin = (await perAddress(networkOf(address))) && (await perTarget(`${purpose} ${target}`))
    if (!isWithin) return refuse('tooManyRequests')
    const isKnown = (await members.byIdentity(identity)) !== null
    const recipient = identity.contact === 'email' ? identity.email : target
    const to = { channel: contact === 'email' ? 'email' : 'sms', recipient, language } as const
    await queries.transaction().execute(async (within) => {
      const code = await codes.issue({ purpose, target }, within)
      if (code === null) return
      if (purpose === 'register' && isKnown) return notifier.write('accountExists', to, {}, within)
      if (purpose === 'reset' && !isKnown) return notifier.write('noAccount', to, {}, within)
      return notifier.write(purpose === 'register' ? 'registerCode' : 'resetCode', to, { code }, within)
    })
    notifier.send()
    return null
  }
}
