import { formatDecimal, MONEY_DECIMALS, rateText } from '@fairlot/core'
import type {
  DepositChannelTable,
  WireAccountTable,
  WithdrawalCurrencyTable,
} from '../platform/database/content-schema.ts'
import type { DeskActTable } from '../platform/database/desk-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { firstDifference } from './figure.ts'

/** Values by name, as audit entries state them. */
type Values = Readonly<Record<string, unknown>>

const KINDS = {
  depositChannel: 'deposit address',
  wireAccount: 'bank account for deposits',
  withdrawalCurrency: 'payout currency',
} as const
type Kind = keyof typeof KINDS

const isKind = (kind: string): kind is Kind => Object.hasOwn(KINDS, kind)

/**
 * Where deposits go and what payouts cost: each row is as the audit log says, since the owner of the
 * database could otherwise receive every deposit. Rows are numbered in the order of the entries that added them, and never deleted.
 */
export function createPaymentSetupRows(queries: Queries) {
  const stated: Readonly<Record<Kind, Map<number, Values>>> = {
    depositChannel: new Map(),
    wireAccount: new Map(),
    withdrawalCurrency: new Map(),
  }

  const faultsOf = function* (kind: Kind, rows: ReadonlyMap<number, Values>): Generator<string> {
    for (const [id, row] of rows) {
      const name = `${KINDS[kind]} ${id}`
      const expected = stated[kind].get(id)
      if (!expected) yield `${name}: no audit entry says that it was set up`
      for (const [field, value] of Object.entries(expected ?? {})) {
        const difference = firstDifference(row[field], value, `${name}: ${field}`)
        if (difference !== null) yield `${difference}, as the audit log says`
      }
    }
    for (const id of stated[kind].keys())
      if (!rows.has(id)) yield `${KINDS[kind]} ${id} is in the audit log and not in the tables`
  }

  return {
    observe: ({ act, outcome, subject, after }: DeskActTable) => {
      const [kind = '', number = ''] = subject.split(':')
      if (act !== 'editPaymentSetup' || outcome !== 'done' || after === null || !isKind(kind)) return
      const values = JSON.parse(after) as Values
      if (Object.hasOwn(values, 'asked') || Object.hasOwn(values, 'approval')) return
      const id = number === 'new' ? stated[kind].size + 1 : Number(number)
      stated[kind].set(id, { ...keptBy(values, stated[kind].get(id)), ...readable(values) })
    },
    finish: async function* (): AsyncGenerator<string> {
      const channels = await queries.selectFrom('deposit_channel').selectAll().execute()
      yield* faultsOf('depositChannel', byId(channels, channelValues))
      const accounts = await queries.selectFrom('wire_account').selectAll().execute()
      yield* faultsOf('wireAccount', byId(accounts, accountValues))
      const currencies = await queries.selectFrom('withdrawal_currency').selectAll().execute()
      yield* faultsOf('withdrawalCurrency', byId(currencies, currencyValues))
    },
  }
}

/** Switching one off changes nothing else; any other entry states every value. */
const keptBy = (values: Values, before: Values = {}): Values =>
  Object.keys(values).length === 1 ? before : {}

/** The first versions wrote amounts of payout currencies in another form, which is not compared. */
function readable(values: Values): Values {
  if (Object.hasOwn(values, 'state')) return { limitsFrom: 'none', ...values }
  const { isOn, code, protocol, kind } = values
  const state = { state: isOn === false ? 'off' : 'on' }
  return code === undefined ? state : { code, protocol, kind, ...state }
}

const byId = <Row extends { readonly id: bigint }>(
  rows: readonly Row[],
  valuesOf: (row: Row) => Values,
): ReadonlyMap<number, Values> => new Map(rows.map((row) => [Number(row.id), valuesOf(row)]))

const stateOf = ({ is_on }: { readonly is_on: bigint }) => (is_on === 1n ? 'on' : 'off')
const amountOf = (amount: bigint): string => formatDecimal(amount, MONEY_DECIMALS)
const limitOf = (limit: bigint | null): string => (limit === null ? 'none' : amountOf(limit))

type Valued = Omit<DepositChannelTable, 'currency_code' | 'protocol_code' | 'address' | 'tag'>

const valuation = (row: Valued): Values => ({
  fixedRate: row.fixed_rate === null ? 'that of the market' : rateText(row.fixed_rate),
  dayLimit: limitOf(row.day_limit),
  personDayLimit: limitOf(row.person_day_limit),
  dayLimitUntil: limitOf(row.day_limit_before),
  ...announced(row),
  state: stateOf(row),
})

type Announced = Pick<WithdrawalCurrencyTable, 'limits_from' | 'user_day_limit_before'>

/** Lower limits that take effect later, and what is in force until then. */
const announced = ({ limits_from: from, user_day_limit_before: before }: Announced): Values => ({
  limitsFrom: from === null ? 'none' : new Date(Number(from)).toISOString(),
  userDayLimitUntil: limitOf(before),
})

const channelValues = (row: DepositChannelTable): Values => ({
  currencyCode: row.currency_code,
  protocolCode: row.protocol_code,
  address: row.address,
  tag: row.tag,
  ...valuation(row),
})

const accountValues = (row: WireAccountTable): Values => ({
  currencyCode: row.currency_code,
  bankName: row.bank_name,
  bankAddress: row.bank_address,
  bankSwift: row.bank_swift,
  payeeName: row.payee_name,
  payeeAccount: row.payee_account,
  bankRemark: row.bank_remark,
  ...valuation(row),
})

const currencyValues = (row: WithdrawalCurrencyTable): Values => ({
  code: row.code,
  protocol: row.protocol,
  kind: row.kind,
  feeType: row.fee_type,
  fee: amountOf(row.fee),
  usdPrice: row.usd_price,
  minimum: amountOf(row.minimum),
  maximum: limitOf(row.maximum),
  personDayLimit: limitOf(row.person_day_limit),
  ...announced(row),
  state: stateOf(row),
})
