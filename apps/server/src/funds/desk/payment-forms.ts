import { coinNetworkName, coinNetworkOf } from '@fairlot/contract'
import type { DepositChannel, WireAccount, WithdrawalCurrency } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { readDecimal } from '@fairlot/core/decimal'
import type {
  DepositChannelTable,
  WireAccountTable,
  WithdrawalCurrencyTable,
} from '../../platform/database/content-schema.ts'
import { plainAddress } from '../../platform/database/plain-address.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { isBankAccount, isBic, isCoinAddress, plainAccount, writtenBic } from '../account-numbers.ts'
import {
  comingLimits,
  type CurrencyLimit,
  type DayLimits,
  type LimitColumns,
  limitsAt,
  ofCurrency,
} from '../day-limits.ts'
import { rateNow } from '../deposit-channels.ts'
import { readCoin } from '../payment-links.ts'

type Form<Row> = Omit<Row, 'id' | 'version' | 'changedAt' | 'isOn' | 'rateNow' | 'comingLimits'>
export type ChannelForm = Form<DepositChannel>
export type WireForm = Form<WireAccount>
export type CurrencyForm = Form<WithdrawalCurrency> & Pick<WithdrawalCurrency, 'isOn'>

const CODE = /^[A-Z0-9]{2,10}$/
const NETWORK = /^[A-Za-z0-9 ._-]{2,30}$/
const LENGTH_MAX = 200
/** 100 % in units of 1e-6. */
const FULL_SHARE = 1_000_000n

/** `rule` is what its sentence says of the field. */
const invalid = (
  field: string,
  rule: 'code' | 'network' | 'fee' | 'aboveZero' | 'notNegative' | 'maximum',
): Refusal => refuse('paymentFieldInvalid', { field, rule })

/** Trims every text of a form. */
export const trimmed = <T extends object>(form: T): T =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  ) as T

/** The name under which a network is stored: the one of the list, however it was written; others as they are. */
export const storedNetwork = (written: string): string => coinNetworkOf(written) ?? written

/** Refuses a network that is not on the list, unless the operator has confirmed that it is meant. */
export const refusalOfNetwork = (
  network: string,
  field: 'protocolCode' | 'protocol',
  isConfirmed: boolean,
): Refusal | null =>
  isConfirmed || coinNetworkOf(network) !== null ? null : refuse('networkUnlisted', { field })

/** A deposit address as it is stored: its network by the name of the list, its address and tag without a link around. */
export function readChannel(form: ChannelForm): ChannelForm | Refusal {
  const { protocolCode: network, address, tag } = form
  const coin = readCoin({ network, address, tag, fields: { address: 'address', tag: 'tag' } })
  return isRefusal(coin) ? coin : { ...form, protocolCode: storedNetwork(network), ...coin }
}

/** A bank account as it is stored: its bank code in capitals, without spaces. */
export const readWire = (form: WireForm): WireForm => ({ ...form, bankSwift: writtenBic(form.bankSwift) })

/** The refusal of an invalid deposit address; null if it is valid. */
export function refusalOfChannel(form: ChannelForm): Refusal | null {
  if (!CODE.test(form.currencyCode)) return invalid('currencyCode', 'code')
  if (!NETWORK.test(form.protocolCode)) return invalid('protocolCode', 'network')
  const limit = invalidLimit(form)
  if (limit) return invalid(limit, 'aboveZero')
  if (form.address === '') return refuse('methodFieldMissing', { field: 'address' })
  return isCoinAddress(form.protocolCode, form.address)
    ? null
    : refuse('coinAddressInvalid', { name: coinNetworkName(form.protocolCode), field: 'address' })
}

type Receiving =
  | {
      readonly kind: 'channel'
      readonly form: Pick<ChannelForm, 'currencyCode' | 'protocolCode' | 'address' | 'tag'>
    }
  | { readonly kind: 'wire'; readonly form: Pick<WireForm, 'currencyCode' | 'payeeAccount'> }

/** A key that is equal for the same address or account of a currency, however it is written. */
export function receivingKeyOf({ kind, form }: Receiving): string {
  if (kind === 'wire') return `${form.currencyCode} ${plainAccount(form.payeeAccount)}`
  const { currencyCode, protocolCode, address, tag } = form
  // Rows from before the list may have another name of the network.
  const stored = storedNetwork(protocolCode)
  const network = stored.replaceAll(/[\s._-]/g, '').toUpperCase()
  return `${currencyCode} ${network} ${plainAddress(address)} ${tag}`
}

/** The refusal of an invalid bank account for deposits; null if it is valid. */
export function refusalOfWire(form: WireForm): Refusal | null {
  if (!CODE.test(form.currencyCode)) return invalid('currencyCode', 'code')
  for (const field of ['bankName', 'bankAddress', 'payeeName', 'payeeAccount', 'bankRemark'] as const) {
    if (form[field].length > LENGTH_MAX) return refuse('textTooLong', { field, most: LENGTH_MAX })
    if (form[field] === '' && field !== 'bankRemark') return refuse('methodFieldMissing', { field })
  }
  if (!isBic(form.bankSwift)) return refuse('bicInvalid', { field: 'bankSwift' })
  const limit = invalidLimit(form)
  if (limit) return invalid(limit, 'aboveZero')
  return isBankAccount(form.payeeAccount) ? null : refuse('bankAccountInvalid', { field: 'payeeAccount' })
}

/** The refusal of an invalid payout currency; null if it is valid. */
export function refusalOfCurrency(form: CurrencyForm): Refusal | null {
  if (!CODE.test(form.code)) return invalid('code', 'code')
  if (form.protocol !== '' && !NETWORK.test(form.protocol)) return invalid('protocol', 'network')
  if (form.kind === 'coin' && form.protocol === '') return invalid('protocol', 'network')
  if (form.fee < 0n || (form.feeType === 'rate' && form.fee >= FULL_SHARE)) return invalid('fee', 'fee')
  if (!(Number(form.usdPrice) > 0)) return invalid('usdPrice', 'aboveZero')
  if (form.minimum < 0n) return invalid('minimum', 'notNegative')
  if (isZeroOrLess(form.personDayLimit)) return invalid('personDayLimit', 'aboveZero')
  return form.maximum !== null && form.maximum < form.minimum ? invalid('maximum', 'maximum') : null
}

const invalidLimit = (form: Pick<ChannelForm, 'dayLimit' | 'personDayLimit'>) =>
  (['dayLimit', 'personDayLimit'] as const).find((name) => isZeroOrLess(form[name]))

const isZeroOrLess = (limit: bigint | null): boolean => limit !== null && limit <= 0n

const PRICE_DECIMALS = 10

type Versioned = Pick<DepositChannelTable, 'id' | 'version' | 'changed_at' | 'is_on'>
type Own<Row> = Omit<Row, keyof Versioned | keyof LimitColumns>

const versionFields = (row: Versioned) => ({
  id: Number(row.id),
  version: Number(row.version),
  changedAt: Number(row.changed_at),
  isOn: row.is_on === 1n,
})
const orNone = (amount: bigint | null) => (amount === null ? null : money(amount))

/** The limits in force, and those announced. */
function shownLimits(row: LimitColumns, now: number) {
  const shown = ({ dayLimit, personDayLimit }: DayLimits) => ({
    dayLimit: orNone(dayLimit),
    personDayLimit: orNone(personDayLimit),
  })
  const coming = comingLimits(row, now)
  return {
    ...shown(limitsAt(row, now)),
    comingLimits: coming && { ...shown(coming), from: coming.from },
  }
}

type Market = Parameters<typeof rateNow>[0]

/** Rows as the desk shows them at a moment (epoch ms of real time). */
export const shownChannel = (market: Market, row: DepositChannelTable, now: number): DepositChannel => ({
  ...versionFields(row),
  currencyCode: row.currency_code,
  protocolCode: row.protocol_code,
  address: row.address,
  tag: row.tag,
  fixedRate: row.fixed_rate,
  rateNow: rateNow(market, row),
  ...shownLimits(row, now),
})

export const shownWire = (market: Market, row: WireAccountTable, now: number): WireAccount => ({
  ...versionFields(row),
  currencyCode: row.currency_code,
  bankName: row.bank_name,
  bankAddress: row.bank_address,
  bankSwift: row.bank_swift,
  payeeName: row.payee_name,
  payeeAccount: row.payee_account,
  bankRemark: row.bank_remark,
  fixedRate: row.fixed_rate,
  rateNow: rateNow(market, row),
  ...shownLimits(row, now),
})

export function shownCurrency(row: WithdrawalCurrencyTable, now: number): WithdrawalCurrency {
  const { personDayLimit, comingLimits: coming } = shownLimits(ofCurrency(row), now)
  return {
    ...versionFields(row),
    code: row.code,
    protocol: row.protocol,
    kind: row.kind as WithdrawalCurrency['kind'],
    feeType: row.fee_type as WithdrawalCurrency['feeType'],
    fee: money(row.fee),
    usdPrice: readDecimal(row.usd_price, PRICE_DECIMALS) ?? (0 as WithdrawalCurrency['usdPrice']),
    minimum: money(row.minimum),
    maximum: orNone(row.maximum),
    personDayLimit,
    comingLimits: coming && { personDayLimit: coming.personDayLimit, from: coming.from },
  }
}

export const channelRow = (form: ChannelForm): Own<DepositChannelTable> => ({
  currency_code: form.currencyCode,
  protocol_code: form.protocolCode,
  address: form.address,
  tag: form.tag,
  fixed_rate: form.fixedRate,
})

export const wireRow = (form: WireForm): Own<WireAccountTable> => ({
  currency_code: form.currencyCode,
  bank_name: form.bankName,
  bank_address: form.bankAddress,
  bank_swift: form.bankSwift,
  payee_name: form.payeeName,
  payee_account: form.payeeAccount,
  bank_remark: form.bankRemark,
  fixed_rate: form.fixedRate,
})

export const currencyRow = (
  form: CurrencyForm,
): Omit<WithdrawalCurrencyTable, 'id' | 'version' | 'changed_at' | keyof CurrencyLimit> => ({
  code: form.code,
  protocol: form.protocol,
  kind: form.kind,
  fee_type: form.feeType,
  fee: form.fee,
  usd_price: String(form.usdPrice),
  minimum: form.minimum,
  maximum: form.maximum,
  is_on: form.isOn ? 1n : 0n,
})
