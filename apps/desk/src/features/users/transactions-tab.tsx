import { type LedgerRecord, PAGE_ROWS, type User } from '@fairlot/contract'
import { listUserMovements, USER_STATEMENT_PATH } from '@fairlot/contract/desk'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { useState } from 'react'
import { exactMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import type { TabProps } from './user-props.ts'

const columnsAt = (now: number): readonly Column<LedgerRecord>[] => [
  { key: 'id', title: 'Transfer', cell: ({ id }) => id, onPhone: 'hidden' },
  { key: 'memo', title: 'Purpose', cell: ({ memo }) => memo, onPhone: 'title' },
  {
    key: 'amount',
    title: 'Amount',
    cell: ({ amount }) => <SignedMoney units={amount} />,
    align: 'end',
    onPhone: 'figure',
  },
  { key: 'balance', title: 'Balance after', cell: ({ balance }) => exactMoney(balance), align: 'end' },
  { key: 'at', title: 'When', cell: ({ createdAt }) => moment(createdAt, now), align: 'end' },
]

/** All ledger rows of the account, newest first. */
export function TransactionsTab({ profile }: TabProps) {
  const now = useNow()
  const { table } = usePaged(
    listUserMovements,
    { id: profile.user.id },
    { rowsOf: ({ records }) => records, pageRows: PAGE_ROWS },
  )
  return (
    <>
      {useMay('exportStatement') && <StatementButtons user={profile.user} />}
      <DataTable
        {...table}
        label="Transactions"
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        empty={{ title: 'No transactions yet' }}
      />
    </>
  )
}

const MONTHS = 12
const MONTH_NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

type Month = { from: string; to: string; label: string }

/** This month and the months before it, as days in UTC. */
function monthsBefore(now: number): Month[] {
  const today = new Date(now)
  return Array.from({ length: MONTHS }, (_, back) => {
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - back]
    const from = Date.UTC(year, month, 1)
    return { from: dayOf(from), to: dayOf(Date.UTC(year, month + 1, 0)), label: MONTH_NAME.format(from) }
  })
}

/** Downloads a user's statement of a month; each download is recorded in the audit log. */
function StatementButtons({ user: { id, uid } }: { user: Pick<User, 'id' | 'uid'> }) {
  const [months] = useState(() => monthsBefore(Date.now()))
  const [from, setFrom] = useState(months[0]?.from ?? '')
  const month = months.find((each) => each.from === from)
  if (!month) return null
  const fileOf = (format: 'pdf' | 'csv') => ({
    path: `${USER_STATEMENT_PATH}?id=${id}&from=${month.from}&to=${month.to}&format=${format}`,
    fileName: `statement-${uid}-${month.from}-${month.to}.${format}`,
    label: format.toUpperCase(),
  })
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-52">
        <SelectField
          label="Statement for"
          value={from}
          options={months.map((each) => ({ value: each.from, label: each.label }))}
          onChange={setFrom}
        />
      </div>
      <FileButton {...fileOf('pdf')} />
      <FileButton {...fileOf('csv')} />
    </div>
  )
}
