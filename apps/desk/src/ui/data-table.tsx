import { CircleAlert, Inbox, SearchX } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import type { Column } from './table-column.ts'
import { TableCards } from './table-cards.tsx'
import { TableGrid } from './table-grid.tsx'
import { useMediaQuery } from '@fairlot/ui/use-media-query.ts'
import { useRowKeys } from '@fairlot/ui/use-row-keys.ts'

type DataTableProps<Row> = {
  /** Names the table to those who cannot see it. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined until they are known. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string | number
  /** The row that is open. While one is, moving the cursor opens the next. */
  selected?: string | number | null
  /** Opens a row. Without it rows are only read. */
  onOpen?: (row: Row) => void
  empty: { title: string; text?: ReactNode; action?: ReactNode }
  /** What was searched for, if anything: where nothing is found, that is said, with a way back to all. */
  search?: { value: string; onSearch: (text: string) => void }
  /** Why there are no rows, in words. */
  problem?: string | null
  onRetry?: () => void
  /** More rows are there to be asked for; null when these are all. */
  more?: { onMore: () => void; isLoading: boolean } | null
}

/**
 * Rows of one kind: a table with a cursor (arrows, j and k, Home, End, Enter), on a phone cards of two lines. Says what is
 * loading, that there is nothing, and why it could not be had.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, search, problem = null, more = null } = props
  if (!rows && problem !== null) return <Refused problem={problem} onRetry={props.onRetry} />
  if (!rows) return <Loading label={props.label} />
  if (rows.length === 0 && search && search.value.trim() !== '') return <NotFound {...search} />
  if (rows.length === 0) return <EmptyState icon={Inbox} {...props.empty} />
  return (
    <div className="flex flex-col gap-3">
      <Rows {...props} rows={rows} />
      {more && (
        <div className="flex justify-center">
          <Button tone="outline" size="small" isBusy={more.isLoading} onClick={more.onMore}>
            More
          </Button>
        </div>
      )}
    </div>
  )
}

function Rows<Row>({ onOpen, ...props }: DataTableProps<Row> & { rows: readonly Row[] }) {
  const { rows, keyOf, selected = null } = props
  const list = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState<string | number | null>(selected)
  const indexOf = (key: string | number | null) => rows.findIndex((row) => keyOf(row) === key)
  const at = Math.max(indexOf(cursor), indexOf(cursor) < 0 ? indexOf(selected) : -1)
  const open = (index: number) => {
    const row = rows[index]
    if (!row) return
    setCursor(keyOf(row))
    onOpen?.(row)
  }
  const move = (index: number) => {
    const row = rows[index]
    if (!row) return
    setCursor(keyOf(row))
    if (selected !== null) onOpen?.(row)
  }
  useRowKeys(list, onOpen ? { count: rows.length, at, onMove: move, onOpen: open } : null)
  const isWide = useMediaQuery('(min-width: 48rem)')
  const body = { ...props, rows, at, onOpen: onOpen ? open : null }
  return <div ref={list}>{isWide ? <TableGrid {...body} /> : <TableCards {...body} />}</div>
}

type NotFoundProps = { value: string; onSearch: (text: string) => void }

const NotFound = ({ value, onSearch }: NotFoundProps) => (
  <EmptyState
    icon={SearchX}
    title={`Nothing was found for “${value.trim()}”`}
    text="Look for less, or for another part of it."
    action={
      <Button tone="outline" onClick={() => onSearch('')}>
        Clear the search
      </Button>
    }
  />
)

const Refused = ({ problem, onRetry }: { problem: string; onRetry?: (() => void) | undefined }) => (
  <div role="alert">
    <EmptyState
      icon={CircleAlert}
      title="This could not be loaded"
      text={problem}
      action={
        onRetry && (
          <Button tone="outline" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    />
  </div>
)

const Loading = ({ label }: { label: string }) => (
  <div role="status" aria-label={`${label}: loading`} className="flex flex-col gap-3 py-3">
    {[0, 1, 2, 3, 4, 5].map((row) => (
      <Skeleton key={row} shape="h-8 w-full" />
    ))}
  </div>
)
