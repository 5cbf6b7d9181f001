import { type DeskChange, fieldLabel } from '@fairlot/contract/desk'
import { parseDecimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS } from '@fairlot/core/number'
import { translateOf } from '@fairlot/ui/figures/verbatim.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import type { ReactNode } from 'react'
import { exactMoney } from '../i18n/figures.ts'

/** One value that an action changes. */
export type Change = { label: string; before: ReactNode; after: ReactNode }

/** Values before and after a change. */
export const ChangeList = ({ changes }: { changes: readonly Change[] }) => (
  <dl className="divide-y divide-dashed divide-line rounded-card bg-page px-3.5 text-note">
    {changes.map(({ label, before, after }) => (
      <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
        <dt className="text-second">{withNames(label)}</dt>
        <dd className="ms-auto min-w-0 text-end wrap-anywhere">
          <del translate={translateOf(before)} className="text-second">
            {withNames(before)}
          </del>{' '}
          <span aria-hidden>→</span>{' '}
          <ins translate={translateOf(after)} className="font-bold no-underline">
            {withNames(after)}
          </ins>
        </dd>
      </div>
    ))}
  </dl>
)

const HOUR_MS = 3_600_000
/** Amounts of the account currency, which audit entries keep as plain text. */
const AMOUNTS: readonly string[] = [
  'amount',
  'credited',
  'told',
  'dayLimit',
  'personDayLimit',
  'minimum',
  'maximum',
  'fee',
  'demoBalance',
  'fourEyesLimit',
  'fourEyesOperatorLimit',
  'copyMinAmount',
  'providerMinEquity',
]
/** Fields whose values name something, or are read sign by sign. */
const NAMES: readonly string[] = [
  'accountCurrency',
  'address',
  'bankAddress',
  'bankName',
  'bankSwift',
  'baseCurrency',
  'code',
  'currencyCode',
  'logo',
  'name',
  'number',
  'passkey',
  'passkeyAdded',
  'passkeyRemoved',
  'payeeAccount',
  'payeeName',
  'protocol',
  'protocolCode',
  'quoteCurrency',
  'reference',
  'session',
  'showCode',
  'source',
  'sourceName',
  'sourceOrder',
  'tag',
  'value',
  'zone',
]
const FLAGS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' }

/** The value of a field as it is shown. Times are in UTC. */
function fieldValue(field: string, value: string | null): string {
  if (value === null || value === '') return 'none'
  if (field.endsWith('noticeMs')) return `${Number(value) / HOUR_MS} h`
  if (field.toLowerCase().endsWith('freshnessms')) return `${value} ms`
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return `${value.slice(0, 16).replace('T', ' ')} UTC`
  if (AMOUNTS.includes(lastOf(field)) && /^-?\d+(\.\d{1,6})?$/.test(value))
    return exactMoney(parseDecimal(value, MONEY_DECIMALS) ?? 0n)
  return FLAGS[value] ?? namedField(field, value)
}

const lastOf = (field: string): string => field.split('.').at(-1) ?? ''

/** The value of a field, marked as a name if it is one. */
export const namedField = (field: string, value: string): string =>
  NAMES.includes(lastOf(field)) ? asName(value) : value

/** Changed fields by their labels, with values as they are shown. */
export const shownChanges = (changes: readonly DeskChange[]): Change[] =>
  changes.map(({ field, before, after }) => ({
    label: fieldLabel(field),
    before: fieldValue(field, before),
    after: fieldValue(field, after),
  }))
