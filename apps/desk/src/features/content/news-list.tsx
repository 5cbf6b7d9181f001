import { LANGUAGE_CODES } from '@fairlot/contract'
import { CONTENT_STATUSES, listContent, type ContentRow, contentFile } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { Chip, ChipRow } from '@fairlot/ui/chip.tsx'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { day, moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { usePaged } from '../../live/use-paged.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { CATEGORY_NAMES, KIND_NAMES, STATUS_NAMES } from './content-words.ts'
import { StatusBadge } from './status-badge.tsx'

const columnsAt = (now: number): readonly Column<ContentRow>[] => [
  { key: 'title', title: 'Title', cell: ({ title }) => title, onPhone: 'title' },
  { key: 'status', title: 'State', cell: ({ status }) => <StatusBadge status={status} />, onPhone: 'figure' },
  {
    key: 'kind',
    title: 'Kind',
    cell: ({ kind, isPinned }) => KIND_NAMES[kind] + (isPinned ? ', pinned' : ''),
  },
  { key: 'category', title: 'Category', cell: ({ category }) => CATEGORY_NAMES[category], onPhone: 'hidden' },
  {
    key: 'languages',
    title: 'Languages',
    cell: ({ languages }) => `${languages.length} of ${LANGUAGE_CODES.length}`,
  },
  {
    key: 'publish',
    title: 'Shown from',
    cell: ({ publishAt }) => (publishAt === null ? '—' : moment(publishAt, now)),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'changed',
    title: 'Changed',
    cell: ({ changedAt, changedBy }) => `${day(changedAt, now)}, ${changedBy || 'with the software'}`,
    align: 'end',
    onPhone: 'hidden',
  },
]

type Status = ContentRow['status'] | null

/** All that was written for readers, the latest change first. */
export function NewsList({ filter }: { filter: PageFilter<string> }) {
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<Status>(null)
  const asked = { kind: null, status, search }
  const { table } = usePaged(listContent, asked, { rowsOf: ({ items }) => items })
  const navigate = useNavigate()
  const mayEdit = useMay('editContent')
  const now = useNow()
  return (
    <Page
      title="Content"
      filter={filter}
      search={{ label: 'Find a title', value: search, onSearch: setSearch }}
      file={<CsvButton file={contentFile} input={asked} />}
      actions={
        mayEdit && (
          <Button size="small" onClick={() => void navigate('/content/news/new')}>
            Write
          </Button>
        )
      }
    >
      <ChipRow label="State">
        {[null, ...CONTENT_STATUSES].map((each) => (
          <Chip key={each} isSelected={each === status} onSelect={() => setStatus(each)}>
            {each === null ? 'All' : STATUS_NAMES[each]}
          </Chip>
        ))}
      </ChipRow>
      <DataTable
        search={{ value: search, onSearch: setSearch }}
        {...table}
        label="News and announcements"
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate(`/content/news/${id}`)}
        empty={{ title: status !== null || search !== '' ? 'Nothing fits' : 'Nothing is written yet' }}
      />
    </Page>
  )
}
