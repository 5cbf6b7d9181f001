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
/** A call that is not answered in this time counts as lost. */
const PATIENCE = { withinMs: 30_000 }

/** Somebody with a real account and an address for withdrawals in currency 1. */
export type Payer = {
  readonly accountId: number
  readonly token: string
  readonly methodId: number
  readonly client: Client<AbortSignal>
}

/** Opens a real account; `codeSentTo` knows what was sent to an address. */
export async function newPayer(
  url: string,
  email: string,
  codeSentTo: (email: string) => Promise<string>,
): Promise<Payer> {
  const visitor = clientOf(url, null, PATIENCE)
  valueOf(await visitor.call(sendEmailCode, { to: email, purpose: 'register' }))
  const countryId = valueOf(await visitor.call(listCountries, null))[1]?.id ?? null
  const { token, user } = valueOf(
    await visitor.call(register, {
      ...{ contact: 'email', countryId, account: email, code: await codeSentTo(email) },
      ...{ password: PASSWORD, repeatedPassword: PASSWORD, inviteCode: null, captchaId: null },
      ...{ hasConsented: true, consentVersion: null },
    }),
  )
  const client = clientOf(url, token, PATIENCE)
  const none = { bankName: '', bankAddress: '', bic: '', payeeName: '', payeeAccount: '', routeNumber: '' }
  const method = valueOf(
    await client.call(bindReceivingMethod, {
      ...{ ...none, payeeAddress: '', postCode: '', iban: '', accountType: null, authCode: null },
      ...{ currencyId: 1, kind: 'coin', address: TRON_ADDRESS, password: PASSWORD },
    }),
  )
  return { accountId: user.id, token, methodId: method.id, client }
}
