import {
  bindReceivingMethod,
  tellCoinDeposit,
  valueOf,
  type Client,
  type DepositView,
  type ReceivingMethod,
} from '@fairlot/contract'
import { isRejection, money, type Money } from '@fairlot/core'
import { clientOf } from '../../../../testing/client.ts'
import { isNotDone, isUnavailable } from '../engine/engine.ts'
import { newMember, PASSWORD, type Member } from './accounts.ts'
import type { RunningServer } from './running-server.ts'

/** Addresses of the kinds that are checked, with the right check digits. */
export const TRON_ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
export const BITCOIN_ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
export const IBAN = 'DE89370400440532013000'

/** Whole units as money. */
export const units = (whole: number): Money => money(BigInt(Math.round(whole * 1_000_000)))

const PLACED = { is_on: 1n, version: 1n, changed_at: 0n } as const

/**
 * Sets up where deposits go and what withdrawals are paid in: address 1 (at most 5,000 a day) and account 1; of currencies 1 is USDT
 * for a fixed 12, 2 is BTC for one per cent at 0.00001, 3 is EUR by bank for one per cent at 0.9.
 */
export async function setUpPayments({ deployment }: Pick<RunningServer, 'deployment'>): Promise<void> {
  const { queries } = deployment.database
  await queries
    .insertInto('deposit_channel')
    .values({
      ...{ id: 1n, currency_code: 'USDT', protocol_code: 'TRC20', address: TRON_ADDRESS },
      ...{ day_limit: units(5_000), person_day_limit: null, ...PLACED },
    })
    .execute()
  await queries
    .insertInto('wire_account')
    .values({
      ...{
        id: 1n,
        currency_code: 'EUR',
        bank_name: 'A bank',
        bank_address: 'A street',
        bank_swift: 'DEUTDEFF',
      },
      ...{
        payee_name: 'A house',
        payee_account: IBAN,
        bank_remark: 'your number',
        day_limit: null,
        person_day_limit: null,
        ...PLACED,
      },
    })
    .execute()
  const limits = { minimum: units(10), maximum: units(100_000), person_day_limit: null }
  await queries
    .insertInto('withdrawal_currency')
    .values([
      {
        ...{ id: 1n, code: 'USDT', protocol: 'TRC20', kind: 'coin', fee_type: 'fixed', fee: units(12) },
        ...{ usd_price: '1', ...limits, ...PLACED },
      },
      {
        ...{ id: 2n, code: 'BTC', protocol: 'bitcoin', kind: 'coin', fee_type: 'rate', fee: 10_000n },
        ...{ usd_price: '0.00001', ...limits, ...PLACED },
      },
      {
        ...{ id: 3n, code: 'EUR', protocol: '', kind: 'bank', fee_type: 'rate', fee: 10_000n },
        ...{ usd_price: '0.9', ...limits, ...PLACED },
      },
    ])
    .execute()
}

/** Somebody with a real account and the calls that the contract has. */
export type Payer = Member & { readonly client: Client<AbortSignal> }

/** Somebody whose identity was seen. */
export async function newPayer(server: RunningServer): Promise<Payer> {
  const member = await newMember(server)
  const { queries } = server.deployment.database
  await queries
    .insertInto('verified_person')
    .values({ user_id: BigInt(member.user.id), at: 0n, operator_id: 1n, reason: 'seen' })
    .execute()
  return { ...member, client: clientOf(server.url, member.token) }
}

/** Has somebody tell of a deposit, without a picture; answers its number. */
export async function openedDeposit(
  { deployment: { engine } }: RunningServer,
  accountId: number,
  amount: Money,
): Promise<number> {
  const answer = await engine.execute({ type: 'openDeposit', accountId, amount })
  if (isRejection(answer) || isUnavailable(answer) || isNotDone(answer)) throw new Error('not opened')
  const [opened] = answer.entry.events
  if (opened?.type !== 'depositOpened') throw new Error('no deposit')
  return opened.caseId
}

const NO_DETAILS = {
  ...{
    address: '',
    bankName: '',
    bankAddress: '',
    bic: '',
    payeeName: '',
    payeeAccount: '',
    routeNumber: '',
  },
  ...{ payeeAddress: '', postCode: '', iban: '', accountType: null, authCode: null },
}

/** A form that binds an address of USDT; `given` may change anything of it. */
export const methodForm = (given: object = {}) => ({
  ...NO_DETAILS,
  ...{ currencyId: 1, kind: 'coin' as const, address: TRON_ADDRESS, password: PASSWORD },
  ...given,
})

export const bankForm = (given: object = {}) => ({
  ...NO_DETAILS,
  ...{ currencyId: 3, kind: 'bank' as const, bankName: 'Another bank', bic: 'DEUTDEFF', payeeName: 'Ada' },
  ...{ iban: IBAN, accountType: 'checking' as const, password: PASSWORD },
  ...given,
})

/** Binds an address of USDT and lets it be as old as need be, as days would. */
export async function oldMethod({ deployment }: RunningServer, payer: Payer): Promise<ReceivingMethod> {
  const method = valueOf(await payer.client.call(bindReceivingMethod, methodForm()))
  await deployment.database.queries
    .updateTable('receiving_method')
    .set({ bound_at: 0n })
    .where('id', '=', BigInt(method.id))
    .execute()
  return method
}

/** Tells of coins that were sent, with a picture. */
export const tellOf = async (
  payer: Payer,
  whole: number,
  proof: string,
  reference = '',
): Promise<DepositView> =>
  valueOf(
    await payer.client.call(tellCoinDeposit, {
      ...{ amount: units(whole), proof, address: TRON_ADDRESS, channelId: 1, reference },
    }),
  )
