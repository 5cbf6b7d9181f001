import {
  listDeskInstruments,
  listDeskSessions,
  type InstrumentRow,
  instrumentsFile,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { useCallback, useState } from 'react'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { nameOfCategory, useCategories } from './category-names.ts'
import { InstrumentActs, InstrumentDetail } from './instrument-detail.tsx'
import { InstrumentForm } from './instrument-form.tsx'
import type { Choices } from './instrument-fields.ts'
import { SourceBadge } from './source-badge.tsx'
import type { MarketPageProps } from './market-page.ts'
import { lineOf } from './terms-text.ts'

const columnsFor = (categories: Choices['categories']): readonly Column<InstrumentRow>[] => [
  { key: 'code', title: 'Instrument', cell: ({ terms }) => terms.showCode, onPhone: 'title' },
  {
    key: 'category',
    title: 'Category',
    cell: ({ terms: { category } }) => nameOfCategory(categories, category),
  },
  { key: 'state', title: 'State', cell: (row) => <State row={row} />, onPhone: 'figure' },
  { key: 'source', title: 'Prices', cell: ({ source }) => <SourceBadge kind={source} /> },
  {
    key: 'fee',
    title: 'Fee',
    cell: ({ terms }) => lineOf('ratio', terms.feeRate),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'leverage',
    title: 'Leverage',
    cell: ({ terms }) => (terms.leverages.length > 0 ? `to ${terms.leverages.at(-1)}` : 'none'),
    align: 'end',
  },
  {
    key: 'lots',
    title: 'Lots',
    cell: ({ terms }) => `${lineOf('lots', terms.lotMin)}–${lineOf('lots', terms.lotMax)}`,
    align: 'end',
    onPhone: 'hidden',
  },
  { key: 'hours', title: 'Hours', cell: ({ terms }) => terms.session, onPhone: 'hidden' },
  {
    key: 'orders',
    title: 'Positions · pending',
    cell: ({ positions, pendingOrders }) => `${positions} · ${pendingOrders}`,
    align: 'end',
    onPhone: 'hidden',
  },
]

function State({ row: { terms, haltReason, isOpen, announced } }: { row: InstrumentRow }) {
  if (!terms.isEnabled) return <Badge>off</Badge>
  if (haltReason !== null) return <Badge tone="down">halted</Badge>
  if (announced > 0) return <Badge tone="brass">change announced</Badge>
  return <Badge tone={isOpen ? 'up' : 'plain'}>{isOpen ? 'open' : 'closed'}</Badge>
}

/** What is open: an instrument, its form, or the form of a new one. */
type Opened = { readonly row: InstrumentRow | null; readonly isEditing: boolean }

/** Every instrument with its terms in force; opens, changes and makes them. */
export function InstrumentsScreen({ filter }: MarketPageProps) {
  const [search, setSearch] = useState('')
  const { data, problem, retry } = useDeskQuery(listDeskInstruments, { search })
  const { data: hours } = useDeskQuery(listDeskSessions, null)
  const mayChange = useMay('changeTerms')
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])
  // As it is now; what is open stays open while something else is searched for.
  const row = data?.instruments.find(({ id }) => id === opened?.row?.id) ?? opened?.row ?? null
  const choices = {
    categories: useCategories(),
    sessions: ['always', ...(hours?.sessions.map(({ terms }) => terms.name) ?? [])],
  }
  const showRow = () => setOpened(row && { row, isEditing: false })
  return (
    <SplitView
      onClose={close}
      detail={
        opened?.isEditing
          ? {
              name: row ? `Change ${row.terms.showCode}` : 'New instrument',
              body: <InstrumentForm key={row?.id ?? 0} row={row} choices={choices} onClose={showRow} />,
            }
          : row && {
              name: row.terms.showCode,
              body: <InstrumentDetail row={row} choices={choices} />,
              acts: (
                <InstrumentActs
                  key={row.id}
                  row={row}
                  onEdit={mayChange ? () => setOpened({ row, isEditing: true }) : null}
                />
              ),
            }
      }
    >
      <Page
        title="Market"
        filter={filter}
        search={{ label: 'Find an instrument', value: search, onSearch: setSearch }}
        file={<CsvButton file={instrumentsFile} input={{ search }} />}
        actions={
          mayChange && (
            <Button size="small" onClick={() => setOpened({ row: null, isEditing: true })}>
              New
            </Button>
          )
        }
      >
        <DataTable
          search={{ value: search, onSearch: setSearch }}
          label="Instruments"
          columns={columnsFor(choices.categories)}
          rows={data?.instruments}
          keyOf={({ id }) => id}
          selected={opened?.row?.id ?? null}
          onOpen={(each) => setOpened({ row: each, isEditing: false })}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No instrument is here' }}
        />
      </Page>
    </SplitView>
  )
}
