import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import type { PageFilter } from '../../ui/page.tsx'
import { NewsList } from './news-list.tsx'

// The editor weighs more than all the rest of the desk: whoever only reads does not load it.
const NewsEditor = lazy(async () => ({ default: (await import('./news-editor.tsx')).NewsEditor }))

/** News and announcements: the list, and one of them to be written. */
export const NewsScreen = ({ filter }: { filter: PageFilter<string> }) => (
  <Suspense fallback={<Skeleton shape="m-5 h-64" />}>
    <Routes>
      <Route index element={<NewsList filter={filter} />} />
      <Route path=":item" element={<NewsEditor filter={filter} />} />
    </Routes>
  </Suspense>
)
