import { readDecimal } from '@fairlot/core/decimal'
import { money } from '@fairlot/core'
import type { DepositChannel, WireAccount, WithdrawalCurrency } from '@fairlot/contract/desk'
import type {
  DepositChannelTable,
  WireAccountTable,
  WithdrawalCurrencyTable,
} from '../../database/content-schema.ts'
import type { ChannelForm, CurrencyForm, WireForm } from './payment-forms.ts'

const PRICE_DECIMALS = 10

type Numbered = Pick<DepositChannelTable, 'id' | 'version' | 'changed_at' | 'is_on'>
type Own<Row> = Omit<Row, keyof Numbered>

const numbered = (row: Numbered) => ({
  ...{ id: Number(row.id), version: Number(row.version) },
  ...{ changedAt: Number(row.changed_at), isOn: row.is_on === 1n },
})
const orNone = (amount: bigint | null) => (amount === null ? null : money(amount))

const limitsOf = (row: Pick<DepositChannelTable, 'day_limit' | 'person_day_limit'>) => ({
  ...{ dayLimit: orNone(row.day_limit), personDayLimit: orNone(row.person_day_limit) },
})

export const shownChannel = (row: DepositChannelTable): DepositChannel => ({
  ...numbered(row),
  ...{ currencyCode: row.currency_code, protocolCode: row.protocol_code, address: row.address },
  ...limitsOf(row),
})

export const shownWire = (row: WireAccountTable): WireAccount => ({
  ...numbered(row),
  ...{ currencyCode: row.currency_code, bankName: row.bank_name, bankAddress: row.bank_address },
  ...{ bankSwift: row.bank_swift, payeeName: row.payee_name, payeeAccount: row.payee_account },
  ...{ bankRemark: row.bank_remark, ...limitsOf(row) },
})

export const shownCurrency = (row: WithdrawalCurrencyTable): WithdrawalCurrency => ({
  ...numbered(row),
  ...{ code: row.code, protocol: row.protocol },
  kind: row.kind as WithdrawalCurrency['kind'],
  feeType: row.fee_type as WithdrawalCurrency['feeType'],
  fee: money(row.fee),
  usdPrice: readDecimal(row.usd_price, PRICE_DECIMALS) ?? (0 as WithdrawalCurrency['usdPrice']),
  ...{ minimum: money(row.minimum), maximum: orNone(row.maximum) },
  personDayLimit: orNone(row.person_day_limit),
})

export const channelRow = (form: ChannelForm): Own<DepositChannelTable> => ({
  ...{ currency_code: form.currencyCode, protocol_code: form.protocolCode, address: form.address },
  ...{ day_limit: form.dayLimit, person_day_limit: form.personDayLimit },
})

export const wireRow = (form: WireForm): Own<WireAccountTable> => ({
  ...{ currency_code: form.currencyCode, bank_name: form.bankName, bank_address: form.bankAddress },
  ...{ bank_swift: form.bankSwift, payee_name: form.payeeName, payee_account: form.payeeAccount },
  ...{ bank_remark: form.bankRemark, day_limit: form.dayLimit },
  person_day_limit: form.personDayLimit,
})

export const currencyRow = (
  form: CurrencyForm,
): Omit<WithdrawalCurrencyTable, 'id' | 'version' | 'changed_at'> => ({
  ...{ code: form.code, protocol: form.protocol, kind: form.kind, fee_type: form.feeType },
  ...{ fee: form.fee, usd_price: String(form.usdPrice) },
  ...{ minimum: form.minimum, maximum: form.maximum, is_on: form.isOn ? 1n : 0n },
  person_day_limit: form.personDayLimit,
})
