import { listDeskSessions, type SessionRow, sessionsFile } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useCallback, useState } from 'react'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { DetailHead, SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { dayText } from './day-text.ts'
import { HolidayList } from './holiday-list.tsx'
import { HoursForm } from './hours-form.tsx'
import type { MarketPageProps } from './market-page.ts'
import { WeekView } from './week-view.tsx'

const nextHoliday = ({ terms }: SessionRow, now: number): string =>
  terms.holidays
    .map(({ date }) => date)
    .toSorted()
    .find((date) => date >= dayText(now)) ?? 'none known'

const columnsAt = (now: number): readonly Column<SessionRow>[] => [
  { key: 'name', title: 'Hours', cell: ({ terms }) => terms.name, onPhone: 'title' },
  { key: 'zone', title: 'Zone', cell: ({ terms }) => terms.zone },
  { key: 'holiday', title: 'Next holiday', cell: (row) => nextHoliday(row, now) },
  {
    key: 'instruments',
    title: 'Instruments',
    cell: ({ instruments }) => instruments.length,
    align: 'end',
    onPhone: 'figure',
  },
]

type Opened = { readonly name: string | null; readonly isEditing: boolean }

/** Weekly hours and holidays, and who keeps them. */
export function HoursScreen({ filter }: MarketPageProps) {
  const { data, problem, retry } = useDeskQuery(listDeskSessions, null)
  const mayChange = useMay('changeTerms')
  const now = useNow()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])
  const row = data?.sessions.find(({ terms }) => terms.name === opened?.name) ?? null
  const showRow = () => setOpened(row && { name: row.terms.name, isEditing: false })
  return (
    <SplitView
      onClose={close}
      detail={
        opened?.isEditing
          ? {
              name: row ? `Change ${row.terms.name}` : 'New hours',
              body: <HoursForm key={opened.name ?? ''} row={row} onClose={showRow} />,
            }
          : row && {
              name: row.terms.name,
              body: <HoursDetail row={row} />,
              acts: mayChange && (
                <Button onClick={() => setOpened({ name: row.terms.name, isEditing: true })}>
                  Change hours
                </Button>
              ),
            }
      }
    >
      <Page
        title="Market"
        filter={filter}
        file={<CsvButton file={sessionsFile} input={null} />}
        actions={
          mayChange && (
            <Button size="small" onClick={() => setOpened({ name: null, isEditing: true })}>
              New
            </Button>
          )
        }
      >
        <DataTable
          label="Hours"
          columns={columnsAt(now)}
          rows={data?.sessions}
          keyOf={({ terms }) => terms.name}
          selected={opened?.name ?? null}
          onOpen={({ terms }) => setOpened({ name: terms.name, isEditing: false })}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No hours yet' }}
        />
      </Page>
    </SplitView>
  )
}

const HoursDetail = ({ row: { terms, instruments } }: { row: SessionRow }) => (
  <>
    <DetailHead kind="Hours" title={terms.name} unit={terms.zone} />
    <WeekView zone={terms.zone} windows={terms.windows} />
    <section>
      <h3 className="text-note font-bold">Kept by</h3>
      <p className="text-note text-second">{instruments.join(', ') || 'nobody'}</p>
    </section>
    <HolidayList holidays={terms.holidays} />
  </>
)
