import { type ComponentType, lazy, useState } from 'react'
import { Navigate, Route, Routes, useNavigate } from 'react-router'
import type { LedgerChoice } from '../../ui/ledger-field.tsx'
import type { PageFilter } from '../../ui/page.tsx'
import type { RiskPageProps } from './risk-page-props.ts'

const ExposureScreen = lazy(async () => ({
  default: (await import('./exposure-screen.tsx')).ExposureScreen,
}))
const NearStopOutScreen = lazy(async () => ({
  default: (await import('./near-stop-out-screen.tsx')).NearStopOutScreen,
}))
const LinkedScreen = lazy(async () => ({ default: (await import('./linked-screen.tsx')).LinkedScreen }))
const PriceMoveScreen = lazy(async () => ({
  default: (await import('./price-move-screen.tsx')).PriceMoveScreen,
}))

type RiskPage = {
  readonly path: string
  readonly title: string
  readonly Screen: ComponentType<RiskPageProps>
}

const PAGES: readonly RiskPage[] = [
  { path: 'exposure', title: 'Exposure', Screen: ExposureScreen },
  { path: 'accounts', title: 'Near stop-out', Screen: NearStopOutScreen },
  { path: 'linked', title: 'Linked accounts', Screen: LinkedScreen },
  { path: 'move', title: 'What if', Screen: PriceMoveScreen },
]

/** Everything under Risk. */
export function RiskScreen() {
  const navigate = useNavigate()
  const [ledger, setLedger] = useState<LedgerChoice>('real')
  const filterAt = (selected: string): PageFilter<string> => ({
    options: PAGES.map(({ path, title }) => ({ key: path, label: title })),
    selected,
    onSelect: (path) => void navigate(`/risk/${path}`),
  })
  return (
    <Routes>
      <Route index element={<Navigate to="exposure" replace />} />
      {PAGES.map(({ path, Screen }) => (
        <Route
          key={path}
          path={path}
          element={<Screen filter={filterAt(path)} ledger={ledger} onLedger={setLedger} />}
        />
      ))}
      <Route path="*" element={<Navigate to="/risk/exposure" replace />} />
    </Routes>
  )
}
