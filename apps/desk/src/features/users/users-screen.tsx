import { usersFile, type UserSearchRow, searchUsers } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useCallback } from 'react'
import { Route, Routes, useNavigate, useSearchParams } from 'react-router'
import { day } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { usePaged } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page } from '../../ui/page.tsx'
import { FOUND_LABELS, STATUS_LABELS, STATUS_TONES } from './user-labels.ts'
import { UserPage } from './user-page.tsx'

/** Everything under Users: the list, and one user's page by id and tab. */
export const UsersScreen = () => (
  <Routes>
    <Route index element={<UserList />} />
    <Route path=":id/*" element={<UserPage />} />
  </Routes>
)

const columnsAt = (now: number, isSearched: boolean): readonly Column<UserSearchRow>[] => [
  { key: 'uid', title: 'Number', cell: ({ uid }) => asName(uid), onPhone: 'title' },
  {
    key: 'contact',
    title: 'Contact',
    cell: ({ contact }) => (contact === null ? 'demo account' : asName(contact)),
  },
  {
    key: 'status',
    title: 'State',
    cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>,
    onPhone: 'figure',
  },
  ...(isSearched
    ? [{ key: 'by', title: 'Found by', cell: ({ foundBy }: UserSearchRow) => FOUND_LABELS[foundBy] }]
    : []),
  {
    key: 'since',
    title: 'Registered',
    cell: ({ registeredAt }) => day(registeredAt, now),
    align: 'end',
    onPhone: 'hidden',
  },
]

/** Users, newest first, or those that a search finds. The search is in the address. */
function UserList() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const now = useNow()
  const query = params.get('find') ?? ''
  const { table, first } = usePaged(searchUsers, { query }, { rowsOf: ({ people }) => people })
  const search = useCallback(
    (text: string) => setParams(text === '' ? {} : { find: text }, { replace: true }),
    [setParams],
  )
  return (
    <Page
      title="Users"
      search={{ label: 'Find a user', value: query, onSearch: search }}
      file={<CsvButton file={usersFile} input={{ query }} />}
      actions={
        first && (
          <span className="hidden shrink-0 text-note text-second tablet:inline">
            {withNames(`${asName(first.total.toLocaleString('en'))} ${query === '' ? 'in total' : 'found'}`)}
          </span>
        )
      }
    >
      <DataTable
        {...table}
        label="Users"
        columns={columnsAt(now, query !== '')}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate(`/people/${id}`)}
        empty={
          query === ''
            ? { title: 'No users yet' }
            : {
                title: 'No user matches',
                action: (
                  <Button tone="outline" onClick={() => search('')}>
                    Clear the search
                  </Button>
                ),
                text: 'Try the user number, the beginning of an e-mail address or phone number, or the number of an order, a transfer or a case.',
              }
        }
      />
    </Page>
  )
}
