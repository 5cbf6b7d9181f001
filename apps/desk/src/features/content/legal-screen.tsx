import { Route, Routes } from 'react-router'
import type { PageFilter } from '../../ui/page.tsx'
import { LegalEditor } from './legal-editor.tsx'
import { LegalList } from './legal-list.tsx'

/** Legal texts: their versions, and a new one to be written. */
export const LegalScreen = ({ filter }: { filter: PageFilter<string> }) => (
  <Routes>
    <Route index element={<LegalList filter={filter} />} />
    <Route path="new/:document" element={<LegalEditor filter={filter} />} />
  </Routes>
)
