import { type DeskOperator, listOperators, operatorsFile } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useCallback, useState } from 'react'
import { day } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { InvitationDialog } from './invitation-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { OperatorActs, OperatorDetail } from './operator-detail.tsx'
import { ROLE_NAMES, STATUS_NAMES } from './operator-words.ts'

const columnsAt = (now: number): readonly Column<DeskOperator>[] => [
  { key: 'name', title: 'Name', cell: ({ name }) => name, onPhone: 'title' },
  { key: 'role', title: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
  { key: 'status', title: 'State', cell: ({ status }) => STATUS_NAMES[status], onPhone: 'figure' },
  {
    key: 'factor',
    title: 'Second factor',
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'on' : 'not yet'),
    onPhone: 'hidden',
  },
  {
    key: 'seen',
    title: 'Last seen',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'never' : day(lastSeenAt, now)),
    align: 'end',
  },
]

/** Everybody of the desk: invites, changes roles, switches off. */
export function OperatorsScreen({ filter }: { filter: PageFilter<string> }) {
  const { data, problem, retry } = useDeskQuery(listOperators, null)
  const mayChange = useMay('changeOperators')
  const now = useNow()
  const [openId, setOpenId] = useState<number | null>(null)
  const [isInviting, setIsInviting] = useState(false)
  const [invitation, setInvitation] = useState<string | null>(null)
  const open = data?.operators.find(({ id }) => id === openId)
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={
        open
          ? {
              name: open.name,
              body: <OperatorDetail operator={open} />,
              acts: mayChange && <OperatorActs key={open.id} operator={open} onInvitation={setInvitation} />,
            }
          : null
      }
    >
      <Page
        title="Settings"
        filter={filter}
        file={<CsvButton file={operatorsFile} input={null} />}
        actions={
          mayChange && (
            <Button size="small" onClick={() => setIsInviting(true)}>
              Invite
            </Button>
          )
        }
      >
        <DataTable
          label="Operators"
          columns={columnsAt(now)}
          rows={data?.operators}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => setOpenId(id)}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'Nobody yet' }}
        />
      </Page>
      {isInviting && <InviteDialog onInvitation={setInvitation} onClose={() => setIsInviting(false)} />}
      {invitation !== null && (
        <InvitationDialog invitation={invitation} onClose={() => setInvitation(null)} />
      )}
    </SplitView>
  )
}
