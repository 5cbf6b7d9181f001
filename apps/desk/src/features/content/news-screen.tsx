import { LANGUAGE_CODES } from '@fairlot/contract'
import { CONTENT_STATUSES, contentFile, type ContentRow, listContent } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Chip, ChipRow } from '@fairlot/ui/controls/chip.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { lazy, Suspense, useState } from 'react'
import { Route, Routes, useNavigate } from 'react-router'
import { day, moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { CATEGORY_NAMES, KIND_NAMES, STATUS_NAMES, StatusBadge } from './content-labels.tsx'

// The editor is larger than the rest of the desk, so it is loaded only to edit.
const NewsEditor = lazy(async () => ({ default: (await import('./news-editor.tsx')).NewsEditor }))

/** News and announcements: the list and the editor. */
export const NewsScreen = ({ filter }: SectionPageProps) => (
  <Suspense fallback={<Skeleton shape="m-5 h-64" />}>
    <Routes>
      <Route index element={<NewsList filter={filter} />} />
      <Route path=":item" element={<NewsEditor filter={filter} />} />
    </Routes>
  </Suspense>
)

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
    title: 'Published from',
    cell: ({ publishAt }) => (publishAt === null ? '—' : moment(publishAt, now)),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'changed',
    title: 'Changed',
    cell: ({ changedAt, changedBy }) =>
      `${asName(day(changedAt, now))}, ${asName(changedBy) || 'default text'}`,
    align: 'end',
    onPhone: 'hidden',
  },
]

type Status = ContentRow['status'] | null

/** All news and announcements, latest change first. */
function NewsList({ filter }: SectionPageProps) {
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<Status>(null)
  const criteria = { kind: null, status, search }
  const { table } = usePaged(listContent, criteria, { rowsOf: ({ items }) => items })
  const navigate = useNavigate()
  const mayEdit = useMay('editContent')
  const now = useNow()
  return (
    <Page
      title="Content"
      filter={filter}
      search={{ label: 'Find a title', value: search, onSearch: setSearch }}
      file={<CsvButton file={contentFile} input={criteria} />}
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
        empty={{ title: status !== null || search !== '' ? 'No matches' : 'No news yet' }}
      />
    </Page>
  )
}
