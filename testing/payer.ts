import {
  bindReceivingMethod,
  listCountries,
  register,
  sendEmailCode,
  valueOf,
  type Client,
} from '@fairlot/contract'
import { clientOf } from './client.ts'
import { TRON_ADDRESS } from './payments.ts'

const PASSWORD = 'four grey herons'
/** Time-out of calls. */
const CALL_OPTIONS = { withinMs: 30_000 }

/** A user with a real account and a payout address in currency 1. */
export type Payer = {
  readonly accountId: number
  readonly token: string
  readonly methodId: number
  readonly client: Client<AbortSignal>
}

/** Opens a real account; `codeSentTo` returns the code sent to an address. */
export async function newRealUser(
  url: string,
  email: string,
  codeSentTo: (email: string) => Promise<string>,
): Promise<Pick<Payer, 'accountId' | 'token'>> {
  const visitor = clientOf(url, null, CALL_OPTIONS)
  valueOf(await visitor.call(sendEmailCode, { to: email, purpose: 'register' }))
  const countryId = valueOf(await visitor.call(listCountries, null))[1]?.id ?? null
  const { token, user } = valueOf(
    await visitor.call(register, {
      contact: 'email',
      countryId,
      account: email,
      code: await codeSentTo(email),
      password: PASSWORD,
      repeatedPassword: PASSWORD,
      inviteCode: null,
      captchaId: null,
      hasConsented: true,
      consentVersion: null,
    }),
  )
  return { accountId: user.id, token }
}

/** The same, with a payout address. */
export async function newPayer(...[url, email, codeSentTo]: Parameters<typeof newRealUser>): Promise<Payer> {
  const { accountId, token } = await newRealUser(url, email, codeSentTo)
  const client = clientOf(url, token, CALL_OPTIONS)
  const none = {
    remark: '',
    bankName: '',
    bankAddress: '',
    bic: '',
    payeeName: '',
    payeeAccount: '',
    routeNumber: '',
  }
  const method = valueOf(
    await client.call(bindReceivingMethod, {
      ...none,
      payeeAddress: '',
      postCode: '',
      iban: '',
      accountType: null,
      authCode: null,
      currencyId: 1,
      kind: 'coin',
      address: TRON_ADDRESS,
      tag: '',
      hasNoTag: false,
      password: PASSWORD,
    }),
  )
  return { accountId, token, methodId: method.id, client }
}
