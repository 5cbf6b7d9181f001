import { type LedgerRecord, PAGE_ROWS } from '@fairlot/contract'
import { listPersonMovements } from '@fairlot/contract/desk'
import { useMay } from '../../live/session.ts'
import { exactMoney, signedMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { usePaged } from '../../live/use-paged.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import type { TabProps } from './person-props.ts'
import { StatementButtons } from './statement-buttons.tsx'

const columnsAt = (now: number): readonly Column<LedgerRecord>[] => [
  { key: 'id', title: 'Transfer', cell: ({ id }) => id, onPhone: 'hidden' },
  { key: 'memo', title: 'What for', cell: ({ memo }) => memo, onPhone: 'title' },
  {
    key: 'amount',
    title: 'Amount',
    cell: ({ amount }) => (
      <span className={amount < 0n ? 'text-down' : 'text-up'}>{signedMoney(amount)}</span>
    ),
    align: 'end',
    onPhone: 'figure',
  },
  { key: 'balance', title: 'Balance after', cell: ({ balance }) => exactMoney(balance), align: 'end' },
  { key: 'at', title: 'When', cell: ({ createdAt }) => moment(createdAt, now), align: 'end' },
]

/** Every row of the ledger that touches the account, the newest first. */
export function MovementsTab({ person }: TabProps) {
  const now = useNow()
  const { table } = usePaged(
    listPersonMovements,
    { id: person.user.id },
    { rowsOf: ({ records }) => records, pageRows: PAGE_ROWS },
  )
  return (
    <>
      {useMay('exportStatement') && <StatementButtons user={person.user} />}
      <DataTable
        {...table}
        label="Movements"
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        empty={{ title: 'Nothing has moved yet' }}
      />
    </>
  )
}
