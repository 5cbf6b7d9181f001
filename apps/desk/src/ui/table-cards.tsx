import { Fragment } from 'react'
import type { Column, TableBody } from './table-column.ts'
import { classNames } from '@fairlot/ui/class-names.ts'

const placed = <Row,>(columns: readonly Column<Row>[], place: Column<Row>['onPhone']): Column<Row>[] =>
  columns.filter(({ onPhone = 'note' }) => onPhone === place)

/** Rows as cards of two lines. */
export function TableCards<Row>({ label, columns, rows, keyOf, selected, at, onOpen }: TableBody<Row>) {
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
        {placed(columns, 'title').map(({ key, cell }) => (
          <Fragment key={key}>{cell(row)} </Fragment>
        ))}
      </span>
      <span className="shrink-0 font-bold">
        {placed(columns, 'figure').map(({ key, cell }) => (
          <Fragment key={key}>{cell(row)}</Fragment>
        ))}
      </span>
    </span>
    <span className="block text-note break-words text-second">
      {placed(columns, 'note').map(({ key, phoneLabel, cell }) => (
        <span key={key} className="not-first:before:content-['_·_'] empty:hidden">
          {phoneLabel && `${phoneLabel} `}
          {cell(row)}
        </span>
      ))}
    </span>
  </>
)
