import { type DeskPermission, mayDo } from '@fairlot/contract/desk'
import { Chip } from '@fairlot/ui/controls/chip.tsx'
import { translateOf } from '@fairlot/ui/figures/verbatim.ts'
import { SearchField, type SearchFieldProps } from '@fairlot/ui/forms/search-field.tsx'
import { type ComponentType, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Navigate, Route, Routes, useNavigate } from 'react-router'
import { useSelf } from '../live/session.ts'

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
  /** The export button, in the same place on every page. */
  file?: ReactNode
  /** Buttons at the end of the header, such as "New". */
  actions?: ReactNode
  children: ReactNode
  /** Stays below the scrolling part. */
  footer?: ReactNode
}

/** A screen with a list: title, filter, search and buttons above, the scrolling content, and optional figures below. */
export function Page<Key extends string>(props: PageProps<Key>) {
  const { title, filter, search, file, actions, children, footer } = props
  return (
    <div className="flex h-full min-w-0 flex-col gap-3 px-4 pt-4 tablet:px-5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 translate={translateOf(title)} className="text-figure font-bold">
          {title}
        </h1>
        {filter && <Filters name={title} {...filter} />}
        <div className="ms-auto flex min-w-0 items-center gap-2 tablet:order-1">
          {file}
          {actions}
        </div>
        {search && (
          // On a phone it has its own row: beside the buttons it would be too narrow.
          <div className="grid w-full tablet:ms-auto tablet:w-auto">
            <SearchField {...search} />
          </div>
        )}
      </header>
      {/* Reaches the edges, so that full-width content does not scroll sideways. */}
      <div className="-mx-4 min-h-0 flex-1 overflow-y-auto px-4 pb-4 tablet:-mx-5 tablet:px-5">
        {children}
      </div>
      {footer && <footer className="pb-4">{footer}</footer>}
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

/** Scrolls the selected chip towards the middle of its row, where it may not be visible on a phone. */
function showSelected(row: HTMLElement): void {
  const chip = row.querySelector('[aria-pressed="true"]')
  if (!chip) return
  const middleOf = ({ left, width }: DOMRect) => left + width / 2
  row.scrollBy({ left: middleOf(chip.getBoundingClientRect()) - middleOf(row.getBoundingClientRect()) })
}

/** The props of a section's page: the chips that lead to the pages of the section, for its `Page`. */
export type SectionPageProps = { filter: PageFilter<string> }

/** One of several pages of a section. */
export type SectionPage = {
  readonly path: string
  readonly title: string
  readonly permission: DeskPermission
  readonly Screen: ComponentType<SectionPageProps>
}

/** A section with several pages: shows those that the role may see, the first by default. */
export function SectionPages({ section, pages }: { section: string; pages: readonly SectionPage[] }) {
  const { role } = useSelf()
  const navigate = useNavigate()
  const allowed = pages.filter(({ permission }) => mayDo(role, permission))
  const filterAt = (selected: string): PageFilter<string> => ({
    options: allowed.map(({ path, title }) => ({ key: path, label: title })),
    selected,
    onSelect: (path) => void navigate(`/${section}/${path}`),
  })
  return (
    <Routes>
      {allowed.map(({ path, Screen }) => (
        <Route key={path} path={`${path}/*`} element={<Screen filter={filterAt(path)} />} />
      ))}
      <Route
        path="*"
        element={<Navigate to={allowed[0] ? `/${section}/${allowed[0].path}` : '/'} replace />}
      />
    </Routes>
  )
}
