import { type PersonRow, searchPeople, peopleFile } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { useCallback } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { day } from '../../i18n/moments.ts'
import { usePaged } from '../../live/use-paged.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { FOUND_WORDS, STATUS_TONES, STATUS_WORDS } from './person-words.ts'

const columnsAt = (now: number, isSearched: boolean): readonly Column<PersonRow>[] => [
  { key: 'uid', title: 'Number', cell: ({ uid }) => uid, onPhone: 'title' },
  { key: 'contact', title: 'Contact', cell: ({ contact }) => contact ?? 'demo account' },
  {
    key: 'status',
    title: 'State',
    cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Badge>,
    onPhone: 'figure',
  },
  ...(isSearched
    ? [{ key: 'by', title: 'Found by', cell: ({ foundBy }: PersonRow) => FOUND_WORDS[foundBy] }]
    : []),
  {
    key: 'since',
    title: 'Registered',
    cell: ({ registeredAt }) => day(registeredAt, now),
    align: 'end',
    onPhone: 'hidden',
  },
]

/** People, the newest first, or those that one search finds. What is looked for is in the address. */
export function PeopleList() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const now = useNow()
  const query = params.get('find') ?? ''
  const { table, first } = usePaged(searchPeople, { query }, { rowsOf: ({ people }) => people })
  const search = useCallback(
    (text: string) => setParams(text.trim() === '' ? {} : { find: text.trim() }, { replace: true }),
    [setParams],
  )
  return (
    <Page
      title="People"
      search={{ label: 'Find a person', value: query, onSearch: search }}
      file={<CsvButton file={peopleFile} input={{ query }} />}
      actions={
        first && (
          <span className="hidden shrink-0 text-note text-second tablet:inline">
            {first.total.toLocaleString('en')} {query === '' ? 'in all' : 'found'}
          </span>
        )
      }
    >
      <DataTable
        {...table}
        label="People"
        columns={columnsAt(now, query !== '')}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate(`/people/${id}`)}
        empty={
          query === ''
            ? { title: 'Nobody yet' }
            : {
                title: 'Nobody is found by this',
                action: (
                  <Button tone="outline" onClick={() => search('')}>
                    Clear the search
                  </Button>
                ),
                text: 'Try the public number, the beginning of an e-mail address or phone number, or the number of an order, a transfer or a case.',
              }
        }
      />
    </Page>
  )
}
