import type { DepositChannel, WireAccount, WithdrawalCurrency } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { money } from '../../i18n/figures.ts'
import type { Column } from '../../ui/table-column.ts'
import { feeText } from './payment-text.ts'

/** Whether users are offered it. */
export const OnBadge = ({ isOn }: { isOn: boolean }) => (
  <Badge tone={isOn ? 'up' : 'down'}>{isOn ? 'On' : 'Off'}</Badge>
)

const limitOf = ({ dayLimit }: { dayLimit: bigint | null }) => (dayLimit === null ? 'none' : money(dayLimit))
const stateOf = ({ isOn }: { isOn: boolean }) => <OnBadge isOn={isOn} />

export const CHANNEL_COLUMNS: readonly Column<DepositChannel>[] = [
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode, onPhone: 'title' },
  { key: 'network', title: 'Network', cell: ({ protocolCode }) => protocolCode },
  {
    key: 'address',
    title: 'Address',
    cell: ({ address }) => <span dir="ltr">{address}</span>,
    onPhone: 'hidden',
  },
  { key: 'limit', title: 'Limit a day', cell: limitOf, align: 'end', onPhone: 'hidden' },
  { key: 'state', title: 'State', cell: stateOf, align: 'end', onPhone: 'figure' },
]

export const WIRE_COLUMNS: readonly Column<WireAccount>[] = [
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode, onPhone: 'title' },
  { key: 'bank', title: 'Bank', cell: ({ bankName }) => bankName },
  {
    key: 'account',
    title: 'Account',
    cell: ({ payeeAccount }) => <span dir="ltr">{payeeAccount}</span>,
    onPhone: 'hidden',
  },
  { key: 'limit', title: 'Limit a day', cell: limitOf, align: 'end', onPhone: 'hidden' },
  { key: 'state', title: 'State', cell: stateOf, align: 'end', onPhone: 'figure' },
]

export const CURRENCY_COLUMNS: readonly Column<WithdrawalCurrency>[] = [
  { key: 'code', title: 'Currency', cell: ({ code }) => code, onPhone: 'title' },
  { key: 'protocol', title: 'Network', cell: ({ protocol, kind }) => (kind === 'bank' ? 'bank' : protocol) },
  { key: 'fee', title: 'Fee', cell: feeText, align: 'end' },
  {
    key: 'price',
    title: 'Paid out for 1',
    cell: ({ usdPrice }) => String(usdPrice),
    align: 'end',
    onPhone: 'hidden',
  },
  { key: 'state', title: 'State', cell: stateOf, align: 'end', onPhone: 'figure' },
]
