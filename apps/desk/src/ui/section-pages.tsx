import { type DeskAct, mayDo } from '@fairlot/contract/desk'
import type { ComponentType } from 'react'
import { Navigate, Route, Routes, useNavigate } from 'react-router'
import { useSelf } from '../live/session.ts'
import type { PageFilter } from './page.tsx'

/** One of several pages of a section; each gets the chips of all for its `Page`. */
export type SectionPage = {
  readonly path: string
  readonly title: string
  readonly act: DeskAct
  readonly Screen: ComponentType<{ filter: PageFilter<string> }>
}

/** A section of the rail that has several pages: those that the role may see, the first one to begin with. */
export function SectionPages({ section, pages }: { section: string; pages: readonly SectionPage[] }) {
  const { role } = useSelf()
  const navigate = useNavigate()
  const seen = pages.filter(({ act }) => mayDo(role, act))
  const filterAt = (selected: string): PageFilter<string> => ({
    options: seen.map(({ path, title }) => ({ key: path, label: title })),
    selected,
    onSelect: (path) => void navigate(`/${section}/${path}`),
  })
  return (
    <Routes>
      {seen.map(({ path, Screen }) => (
        <Route key={path} path={`${path}/*`} element={<Screen filter={filterAt(path)} />} />
      ))}
      <Route path="*" element={<Navigate to={seen[0] ? `/${section}/${seen[0].path}` : '/'} replace />} />
    </Routes>
  )
}
