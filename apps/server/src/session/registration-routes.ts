import {
  getCaptcha,
  getConsentDocuments,
  listAreas,
  register,
  sendEmailCode,
  sendSmsCode,
  type CodePurpose,
} from '@fairlot/contract'
import type { Api, Call } from '../plugins/api.ts'
import { createLimit, networkOf } from '../plugins/limits.ts'
import { refuse, type Refusal } from '../plugins/refusal.ts'
import { emailIdentity, phoneIdentity, type Identity } from './identity.ts'
import { inTurn, type SessionParts } from './parts.ts'
import { CONSENT_VERSION, createRegistrar } from './registrar.ts'

const HOUR_S = 3_600

/** Areas, documents, captchas, codes, and the registration itself. */
export function registerRegistration(api: Api, parts: SessionParts): void {
  const { areaList, limits } = parts
  const captchas = createLimit(limits.captchasPerAddress, HOUR_S)
  const sendCode = createCodeSender(parts)

  api.visitor(listAreas, ({ language }) => areaList.list(language))

  api.visitor(getConsentDocuments, ({ say }) => ({
    version: CONSENT_VERSION,
    terms: say('consent.terms'),
    riskDisclosure: say('consent.riskDisclosure'),
  }))

  api.visitor(getCaptcha, async ({ address }) =>
    (await captchas(networkOf(address))) ? parts.captchas.create() : refuse('tooManyRequests'),
  )

  api.visitor(sendEmailCode, ({ input, ...call }) => {
    const identity = emailIdentity(input.to)
    return identity ? sendCode(identity, input.purpose, call) : refuse('emailInvalid')
  })

  api.visitor(sendSmsCode, ({ input, ...call }) => {
    const area = areaList.byId(input.areaId)
    if (area === null) return refuse('areaInvalid')
    if (areaList.isBlocked(area)) return refuse('areaBlocked', { area: areaList.nameOf(area, call.language) })
    const identity = phoneIdentity(input.to, area)
    return identity ? sendCode(identity, input.purpose, call) : refuse('phoneInvalid')
  })

  api.visitor(register, inTurn(createRegistrar(parts)))
}

/**
 * The work and the answer are the same whether an account exists or not; only the words of the message differ, which the
 * owner of the address alone reads.
 */
function createCodeSender({ queries, codes, members, post, limits }: SessionParts) {
  const perTarget = createLimit(limits.codesPerTarget, HOUR_S)
  const perAddress = createLimit(limits.codesPerAddress, HOUR_S)
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
      if (purpose === 'register' && isKnown) return post.write('accountExists', to, {}, within)
      if (purpose === 'reset' && !isKnown) return post.write('noAccount', to, {}, within)
      return post.write(purpose === 'register' ? 'registerCode' : 'resetCode', to, { code }, within)
    })
    post.send()
    return null
  }
}
