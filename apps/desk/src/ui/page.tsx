import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { Chip } from '@fairlot/ui/chip.tsx'
import { SearchField, type SearchFieldProps } from '@fairlot/ui/search-field.tsx'

export type PageFilter<Key extends string> = {
  options: readonly { readonly key: Key; readonly label: string; readonly count?: number | undefined }[]
  selected: Key
  onSelect: (key: Key) => void
}

export type PageProps<Key extends string> = {
  title: string
  /** Chips beside the title. */
  filter?: PageFilter<Key>
  search?: SearchFieldProps
  /** The list as a file: its button stands at the same place everywhere. */
  file?: ReactNode
  /** Buttons at the end of the head, such as that of a new row. */
  actions?: ReactNode
  children: ReactNode
  /** Stands still below what scrolls. */
  foot?: ReactNode
}

/** A screen of lists: title, filter, search and buttons above, what scrolls, and perhaps figures below. */
export function Page<Key extends string>(props: PageProps<Key>) {
  const { title, filter, search, file, actions, children, foot } = props
  return (
    <div className="flex h-full min-w-0 flex-col gap-3 px-4 pt-4 tablet:px-5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-figure font-bold">{title}</h1>
        {filter && <Filters name={title} {...filter} />}
        <div className="ms-auto flex min-w-0 items-center gap-2 tablet:order-1">
          {file}
          {actions}
        </div>
        {search && (
          // On a phone a row of its own: beside the buttons it would be too narrow for what it says.
          <div className="grid w-full tablet:ms-auto tablet:w-auto">
            <SearchField {...search} />
          </div>
        )}
      </header>
      {/* To the edges, so that what bleeds to them scrolls nothing sideways. */}
      <div className="-mx-4 min-h-0 flex-1 overflow-y-auto px-4 pb-4 tablet:-mx-5 tablet:px-5">
        {children}
      </div>
      {foot && <footer className="pb-4">{foot}</footer>}
    </div>
  )
}

function Filters<Key extends string>({
  name,
  options,
  selected,
  onSelect,
}: PageFilter<Key> & { name: string }) {
  const row = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (row.current) showSelected(row.current)
  }, [selected, options.length])
  return (
    <div
      ref={row}
      role="group"
      aria-label={`${name}: filter`}
      className="no-scrollbar order-last flex w-full min-w-0 gap-1.5 overflow-x-auto tablet:order-none tablet:w-auto tablet:flex-1"
    >
      {options.map(({ key, label, count }) => (
        <Chip key={key} isSelected={key === selected} onSelect={() => onSelect(key)}>
          {count === undefined ? label : `${label} ${count}`}
        </Chip>
      ))}
    </div>
  )
}

/** Brings the chip that is chosen to the middle of its row, as far as the row goes: on a phone it may stand out of sight. */
function showSelected(row: HTMLElement): void {
  const chip = row.querySelector('[aria-pressed="true"]')
  if (!chip) return
  const middleOf = ({ left, width }: DOMRect) => left + width / 2
  row.scrollBy({ left: middleOf(chip.getBoundingClientRect()) - middleOf(row.getBoundingClientRect()) })
}
