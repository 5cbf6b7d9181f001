import type { DepositChannel, WireAccount, WithdrawalCurrency } from '@fairlot/contract/desk'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { money } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { DetailHead } from '../../ui/split-view.tsx'
import { useNow } from '../../ui/use-now.ts'
import { OnBadge } from './payment-columns.tsx'
import { feeText } from './payment-text.ts'

const limit = (amount: bigint | null): string => (amount === null ? 'none' : money(amount))

/** An address that deposits are sent to. */
export function ChannelFacts({ row }: { row: DepositChannel }) {
  const now = useNow()
  return (
    <>
      <DetailHead
        kind={`Address ${row.id}`}
        title={row.currencyCode}
        unit={row.protocolCode}
        badge={<OnBadge isOn={row.isOn} />}
      />
      <code dir="ltr" className="rounded-field bg-page p-3 text-note break-all">
        {row.address}
      </code>
      <FactList
        facts={[
          { label: 'Limit a day, from everybody', value: limit(row.dayLimit) },
          { label: 'Limit a day, from one person', value: limit(row.personDayLimit) },
          { label: 'Changed', value: moment(row.changedAt, now) },
        ]}
      />
    </>
  )
}

/** A bank account that deposits are wired to. */
export function WireFacts({ row }: { row: WireAccount }) {
  const now = useNow()
  return (
    <>
      <DetailHead
        kind={`Bank account ${row.id}`}
        title={row.bankName}
        unit={row.currencyCode}
        badge={<OnBadge isOn={row.isOn} />}
      />
      <FactList
        facts={[
          { label: 'Payee', value: row.payeeName },
          { label: 'Account', value: row.payeeAccount },
          { label: 'BIC', value: row.bankSwift },
          { label: 'Bank address', value: row.bankAddress },
          { label: 'Remark', value: row.bankRemark || 'none' },
          { label: 'Limit a day, from everybody', value: limit(row.dayLimit) },
          { label: 'Limit a day, from one person', value: limit(row.personDayLimit) },
          { label: 'Changed', value: moment(row.changedAt, now) },
        ]}
      />
    </>
  )
}

/** What withdrawals can be paid in. */
export function CurrencyFacts({ row }: { row: WithdrawalCurrency }) {
  const now = useNow()
  return (
    <>
      <DetailHead
        kind={`Currency ${row.id}`}
        title={row.code}
        unit={row.protocol}
        badge={<OnBadge isOn={row.isOn} />}
      />
      <FactList
        facts={[
          { label: 'Paid to', value: row.kind === 'coin' ? 'a coin address' : 'a bank account' },
          { label: 'Fee', value: feeText(row) },
          { label: 'Paid out for 1', value: String(row.usdPrice) },
          { label: 'At least', value: money(row.minimum) },
          { label: 'At most', value: limit(row.maximum) },
          { label: 'At most a day, by one person', value: limit(row.personDayLimit) },
          { label: 'Changed', value: moment(row.changedAt, now) },
        ]}
      />
    </>
  )
}
