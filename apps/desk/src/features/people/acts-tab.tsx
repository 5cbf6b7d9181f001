import { type DeskActRow, listActs } from '@fairlot/contract/desk'
import { useNavigate } from 'react-router'
import { moment } from '../../i18n/moments.ts'
import { usePaged } from '../../live/use-paged.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import type { TabProps } from './person-props.ts'

/** `restrictPerson` as `Restrict person`. */
const actName = (act: string): string => {
  const words = act.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const columnsAt = (now: number): readonly Column<DeskActRow>[] => [
  { key: 'at', title: 'When', cell: ({ at }) => moment(at, now) },
  {
    key: 'who',
    title: 'Who',
    cell: ({ operator, role, second }) => `${operator} (${role})${second === null ? '' : ` and ${second}`}`,
  },
  { key: 'act', title: 'Act', cell: ({ act }) => actName(act), onPhone: 'title' },
  { key: 'reason', title: 'Reason', cell: ({ reason }) => reason },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (
      <span className={outcome === 'done' ? undefined : 'text-down'}>
        {outcome === 'done' ? 'done' : `refused: ${actName(outcome).toLowerCase()}`}
      </span>
    ),
    onPhone: 'figure',
  },
]

const EVERYTHING = { operatorId: null, act: null, subject: null, outcome: null } as const
const EVER = { since: null, until: null, search: null } as const

/** What the list of acts is asked for somebody. */
export const actsOf = (accountId: number) => ({ ...EVERYTHING, ...EVER, accountId })

/** What operators did about somebody, and what was refused. */
export function ActsTab({ person }: TabProps) {
  const now = useNow()
  const navigate = useNavigate()
  const { table } = usePaged(listActs, actsOf(person.user.id), {
    rowsOf: ({ acts }) => acts,
    topics: ['people'],
  })
  return (
    <DataTable
      {...table}
      label="Acts"
      columns={columnsAt(now)}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate(`/acts/${id}`)}
      empty={{ title: 'No operator has done anything here yet' }}
    />
  )
}
