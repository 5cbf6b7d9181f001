import { type DeskActRow, listActs, actsFile } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useMediaQuery } from '@fairlot/ui/use-media-query.ts'
import { useCallback, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { moment } from '../../i18n/moments.ts'
import { usePaged } from '../../live/use-paged.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { ActDetail } from './act-detail.tsx'
import { ActFilters } from './act-filters.tsx'
import { actName, outcomeText } from '../../i18n/act-words.ts'
import { ChainEnds } from './chain-ends.tsx'
import { useActFilter } from './use-act-filter.ts'

const columnsAt = (now: number): readonly Column<DeskActRow>[] => [
  {
    key: 'at',
    title: 'When',
    cell: ({ at }) => <span className="whitespace-nowrap">{moment(at, now)}</span>,
  },
  {
    key: 'who',
    title: 'Who',
    cell: ({ operator, role, second }) => `${operator} (${role})${second === null ? '' : ` and ${second}`}`,
  },
  { key: 'act', title: 'Act', cell: ({ act }) => actName(act), onPhone: 'title' },
  { key: 'about', title: 'On', cell: ({ about }) => about },
  {
    key: 'reason',
    title: 'Reason',
    cell: ({ reason }) => <span className="line-clamp-1">{reason}</span>,
    onPhone: 'hidden',
  },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (
      <span className={outcome === 'done' ? undefined : 'text-down'}>{outcomeText(outcome)}</span>
    ),
    onPhone: 'figure',
  },
]

/** What operators did and tried: searched, narrowed, saved as a file. The act that is open is in the address. */
export function ActsScreen() {
  const { '*': path = '' } = useParams()
  const navigate = useNavigate()
  const now = useNow()
  const isWide = useMediaQuery('(min-width: 48rem)')
  const [isNarrowing, setIsNarrowing] = useState(false)
  const filter = useActFilter()
  const { table, first } = usePaged(listActs, filter.asked, { rowsOf: ({ acts }) => acts })
  const openId = /^\d+$/.test(path) ? Number(path) : null
  return (
    <SplitView
      onClose={useCallback(() => void navigate('/acts'), [navigate])}
      detail={
        openId === null ? null : { name: `Act ${openId}`, body: <ActDetail key={openId} id={openId} /> }
      }
    >
      <Page
        title="Acts"
        filter={filter.chips}
        search={{ label: 'Find an act', value: filter.search, onSearch: filter.onSearch }}
        file={<CsvButton file={actsFile} input={filter.asked} />}
        actions={
          <Button
            tone="outline"
            size="small"
            aria-expanded={isNarrowing}
            onClick={() => setIsNarrowing(!isNarrowing)}
          >
            Narrow
          </Button>
        }
        foot={isWide && <ChainEnds />}
      >
        {isNarrowing && <ActFilters values={filter.values} onChange={filter.onChange} />}
        <p role="status" className="pb-1 text-tiny text-second">
          {first && `${first.total.toLocaleString('en')} ${first.total === 1 ? 'act' : 'acts'}`}
        </p>
        <DataTable
          search={{ value: filter.search, onSearch: filter.onSearch }}
          {...table}
          label="Acts"
          columns={columnsAt(now)}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => void navigate(`/acts/${id}`)}
          empty={{ title: 'No act fits', text: 'Look for less, or at a longer time.' }}
        />
        {!isWide && (
          <div className="pt-4">
            <ChainEnds />
          </div>
        )}
      </Page>
    </SplitView>
  )
}
