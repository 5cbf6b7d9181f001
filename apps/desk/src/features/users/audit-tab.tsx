import { type AuditEntryRow, listAuditEntries } from '@fairlot/contract/desk'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useNavigate } from 'react-router'
import { actionName, outcomeText } from '../../i18n/audit-text.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { usePaged } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import type { TabProps } from './user-props.ts'
import { operatorName } from '../../ui/operator-names.ts'

const columnsAt = (now: number): readonly Column<AuditEntryRow>[] => [
  { key: 'at', title: 'When', cell: ({ at }) => moment(at, now) },
  {
    key: 'who',
    title: 'Who',
    cell: ({ operator, role, second }) =>
      `${operatorName({ name: operator, role })}${second === null ? '' : ` and ${asName(second)}`}`,
  },
  { key: 'act', title: 'Action', cell: ({ act }) => actionName(act), onPhone: 'title' },
  { key: 'reason', title: 'Reason', cell: ({ reason }) => reason },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (
      <span className={outcome === 'done' ? undefined : 'text-down'}>{outcomeText(outcome)}</span>
    ),
    onPhone: 'figure',
  },
]

const EVERYTHING = { operatorId: null, act: null, subject: null, outcome: null } as const
const ANY_TIME = { since: null, until: null, search: null } as const

/** All audit entries about a user. */
export const criteriaFor = (accountId: number) => ({ ...EVERYTHING, ...ANY_TIME, accountId })

/** The audit entries about a user, with rejected attempts. */
export function AuditTab({ profile }: TabProps) {
  const now = useNow()
  const navigate = useNavigate()
  const { table } = usePaged(listAuditEntries, criteriaFor(profile.user.id), {
    rowsOf: ({ acts }) => acts,
    topics: ['people'],
  })
  return (
    <DataTable
      {...table}
      label="Audit log"
      columns={columnsAt(now)}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate(`/acts/${id}`)}
      empty={{ title: 'No audit entries yet' }}
    />
  )
}
