import type { TableBody } from './table-column.ts'
import { classNames } from '@fairlot/ui/class-names.ts'

const endClass = (align: 'start' | 'end' | undefined) => (align === 'end' ? 'text-end' : 'text-start')

/** Rows as a table. */
export function TableGrid<Row>({ label, columns, rows, keyOf, selected, at, onOpen }: TableBody<Row>) {
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
              {columns.map(({ key, cell, align }) => (
                <td key={key} className={classNames('max-w-56 px-2.5 py-1.5 break-words', endClass(align))}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
