import type { DepositChannel, WireAccount, WithdrawalCurrency } from '@fairlot/contract/desk'
import { isBankAccount, isBic } from '../../funds/bank-account.ts'
import { isCoinAddress } from '../../funds/coin-address.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'

type Form<Row> = Omit<Row, 'id' | 'version' | 'changedAt' | 'isOn'>
export type ChannelForm = Form<DepositChannel>
export type WireForm = Form<WireAccount>
export type CurrencyForm = Form<WithdrawalCurrency> & Pick<WithdrawalCurrency, 'isOn'>

const CODE = /^[A-Z0-9]{2,10}$/
const NETWORK = /^[A-Za-z0-9 ._-]{2,30}$/
const LENGTH_MOST = 200
/** A share in units of 1e-6: all of it. */
const WHOLE = 1_000_000n

const wrong = (field: string): Refusal => refuse('paymentFieldInvalid', { field })

/** Texts without spaces around them. */
export const withoutMargins = <T extends object>(form: T): T =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  ) as T

/** Why an address cannot be offered for deposits; null when it can. */
export function refusalOfChannel(form: ChannelForm): Refusal | null {
  if (!CODE.test(form.currencyCode)) return wrong('currencyCode')
  if (!NETWORK.test(form.protocolCode)) return wrong('protocolCode')
  const limit = wrongLimit(form)
  if (limit) return wrong(limit)
  return isCoinAddress(form.protocolCode, form.address)
    ? null
    : refuse('receivingAddressInvalid', { field: 'address' })
}

/** Why a bank account cannot be offered for deposits; null when it can. */
export function refusalOfWire(form: WireForm): Refusal | null {
  if (!CODE.test(form.currencyCode)) return wrong('currencyCode')
  const texts = (['bankName', 'bankAddress', 'payeeName', 'bankRemark'] as const).find(
    (name) => form[name].length > LENGTH_MOST || (name !== 'bankRemark' && form[name] === ''),
  )
  if (texts) return wrong(texts)
  if (!isBic(form.bankSwift)) return wrong('bankSwift')
  const limit = wrongLimit(form)
  if (limit) return wrong(limit)
  return isBankAccount(form.payeeAccount)
    ? null
    : refuse('receivingAddressInvalid', { field: 'payeeAccount' })
}

/** Why withdrawals cannot be paid out like this; null when they can. */
export function refusalOfCurrency(form: CurrencyForm): Refusal | null {
  if (!CODE.test(form.code)) return wrong('code')
  if (form.protocol !== '' && !NETWORK.test(form.protocol)) return wrong('protocol')
  if (form.kind === 'coin' && form.protocol === '') return wrong('protocol')
  if (form.fee < 0n || (form.feeType === 'rate' && form.fee >= WHOLE)) return wrong('fee')
  if (!(Number(form.usdPrice) > 0)) return wrong('usdPrice')
  if (form.minimum < 0n) return wrong('minimum')
  if (isBelowNothing(form.personDayLimit)) return wrong('personDayLimit')
  return form.maximum !== null && form.maximum < form.minimum ? wrong('maximum') : null
}

const wrongLimit = (form: Pick<ChannelForm, 'dayLimit' | 'personDayLimit'>) =>
  (['dayLimit', 'personDayLimit'] as const).find((name) => isBelowNothing(form[name]))

const isBelowNothing = (limit: bigint | null): boolean => limit !== null && limit <= 0n
