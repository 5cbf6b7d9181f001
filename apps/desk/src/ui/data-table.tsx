import { Button } from '@fairlot/ui/controls/button.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { isVerbatim, translateOf } from '@fairlot/ui/figures/verbatim.ts'
import { useMediaQuery } from '@fairlot/ui/hooks/use-media-query.ts'
import { useRowKeys } from '@fairlot/ui/hooks/use-row-keys.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { Inbox, SearchX } from 'lucide-react'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import { LoadFailed } from './load-failed.tsx'

/** One column of a DataTable. */
export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Figures are aligned to the end. */
  align?: 'start' | 'end'
  /** Its position on a phone's card: first line, end of the first line, second line (the default), or hidden. */
  onPhone?: 'title' | 'figure' | 'note' | 'hidden'
  /** Shown before the value on a phone's card, where the figure alone would be unclear. */
  phoneLabel?: string
}

/** What the table and the cards receive. */
type TableBody<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** The row that is open. */
  selected?: string | number | null
  /** The row that Tab reaches; -1 for the first. */
  at: number
  onOpen: ((index: number) => void) | null
}

type DataTableProps<Row> = {
  /** Names the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string | number
  /** The key of the open row. While a row is open, moving the cursor opens the next. */
  selected?: string | number | null
  /** Opens a row; without it rows cannot be opened. */
  onOpen?: (row: Row) => void
  empty: { title: string; text?: ReactNode; action?: ReactNode }
  /** The search, if any: an empty result then offers to clear it. */
  search?: { value: string; onSearch: (text: string) => void }
  /** Why the rows could not be loaded. */
  problem?: string | null
  onRetry?: () => void
  /** Loads more rows; null when all are shown. */
  more?: { onMore: () => void; isLoading: boolean } | null
}

/**
 * Rows of one kind: a table with a cursor (arrows, j and k, Home, End, Enter), or cards of two lines on a phone. Also shows the
 * loading, empty, not found and failed states.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, search, problem = null, more = null } = props
  if (!rows && problem !== null) return <LoadFailed problem={problem} onRetry={props.onRetry} />
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
    title={`No results for “${asName(value.trim())}”`}
    text="Try a shorter or a different search."
    action={
      <Button tone="outline" onClick={() => onSearch('')}>
        Clear the search
      </Button>
    }
  />
)

const Loading = ({ label }: { label: string }) => (
  <div role="status" aria-label={`${label}: loading`} className="flex flex-col gap-3 py-3">
    {[0, 1, 2, 3, 4, 5].map((row) => (
      <Skeleton key={row} shape="h-8 w-full" />
    ))}
  </div>
)

const endClass = (align: 'start' | 'end' | undefined) => (align === 'end' ? 'text-end' : 'text-start')

/** Rows as a table. */
function TableGrid<Row>({ label, columns, rows, keyOf, selected, at, onOpen }: TableBody<Row>) {
  return (
    <table role={onOpen ? 'grid' : 'table'} aria-label={label} className="w-full border-collapse text-note">
      <thead>
        <tr className="border-b border-line text-tiny text-second">
          {columns.map(({ key, title, align }) => (
            <th
              key={key}
              scope="col"
              className={classNames('sticky top-0 z-10 bg-page px-2.5 py-2 font-medium', endClass(align))}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const isSelected = selected === keyOf(row)
          return (
            <tr
              key={keyOf(row)}
              {...(onOpen && {
                'data-row': '',
                'aria-selected': isSelected,
                tabIndex: index === Math.max(at, 0) ? 0 : -1,
                onClick: () => onOpen(index),
              })}
              className={classNames(
                'h-11 border-b border-line -outline-offset-2',
                onOpen && 'cursor-pointer hover:bg-raised',
                isSelected && 'bg-surface font-bold hover:bg-surface',
              )}
            >
              {columns.map(({ key, cell, align }) => {
                const value = cell(row)
                return (
                  <td
                    key={key}
                    translate={translateOf(value)}
                    className={classNames('max-w-56 px-2.5 py-1.5 break-words', endClass(align))}
                  >
                    {withNames(value)}
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const columnsAt = <Row,>(columns: readonly Column<Row>[], position: Column<Row>['onPhone']): Column<Row>[] =>
  columns.filter(({ onPhone = 'note' }) => onPhone === position)

/** Rows as cards of two lines. */
function TableCards<Row>({ label, columns, rows, keyOf, selected, at, onOpen }: TableBody<Row>) {
  return (
    <ul aria-label={label} className="flex flex-col gap-2">
      {rows.map((row, index) => (
        <li key={keyOf(row)}>
          {onOpen ? (
            <button
              type="button"
              data-row=""
              aria-current={selected === keyOf(row) ? 'true' : undefined}
              tabIndex={index === Math.max(at, 0) ? 0 : -1}
              onClick={() => onOpen(index)}
              className={cardClass}
            >
              <Lines columns={columns} row={row} />
            </button>
          ) : (
            <div className={cardClass}>
              <Lines columns={columns} row={row} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

const cardClass = classNames('block w-full rounded-card bg-surface px-3.5 py-2.5 text-start')

const Lines = <Row,>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) => (
  <>
    <span className="flex items-baseline justify-between gap-3">
      <span className="min-w-0 font-bold break-words">
        {columnsAt(columns, 'title').map(({ key, cell }) => (
          <Fragment key={key}>
            <Cell value={cell(row)} />{' '}
          </Fragment>
        ))}
      </span>
      <span className="shrink-0 font-bold">
        {columnsAt(columns, 'figure').map(({ key, cell }) => (
          <Cell key={key} value={cell(row)} />
        ))}
      </span>
    </span>
    <span className="block text-note break-words text-second">
      {columnsAt(columns, 'note').map(({ key, phoneLabel, cell }) => (
        <span key={key} className="not-first:before:content-['_·_'] empty:hidden">
          {phoneLabel && `${phoneLabel} `}
          <Cell value={cell(row)} />
        </span>
      ))}
    </span>
  </>
)

/** A value, which the browser's translator leaves alone if it is read digit by digit; of a sentence, only the names in it. */
const Cell = ({ value }: { value: ReactNode }) =>
  isVerbatim(value) ? <span translate="no">{withNames(value)}</span> : withNames(value)
