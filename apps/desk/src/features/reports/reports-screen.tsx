import { type ComponentType, lazy, useState } from 'react'
import { Navigate, Route, Routes, useNavigate } from 'react-router'
import type { LedgerChoice } from '../../ui/ledger-field.tsx'
import type { PageFilter } from '../../ui/page.tsx'
import type { ReportDays, ReportProps } from './report-page.tsx'

const BrokerReport = lazy(async () => ({ default: (await import('./broker-report.tsx')).BrokerReport }))
const MoneyReport = lazy(async () => ({ default: (await import('./money-report.tsx')).MoneyReport }))
const TradersReport = lazy(async () => ({ default: (await import('./traders-report.tsx')).TradersReport }))
const FillsReport = lazy(async () => ({ default: (await import('./fills-report.tsx')).FillsReport }))
const LosingReport = lazy(async () => ({ default: (await import('./losing-report.tsx')).LosingReport }))

type Report = { readonly path: string; readonly title: string; readonly Screen: ComponentType<ReportProps> }

const REPORTS: readonly Report[] = [
  { path: 'house', title: 'Broker', Screen: BrokerReport },
  { path: 'money', title: 'Payments', Screen: MoneyReport },
  { path: 'traders', title: 'Traders', Screen: TradersReport },
  { path: 'fills', title: 'Fills', Screen: FillsReport },
  { path: 'losing', title: 'Losing accounts', Screen: LosingReport },
]

/** Everything under Reports. */
export function ReportsScreen() {
  const navigate = useNavigate()
  const [ledger, onLedger] = useState<LedgerChoice>('real')
  const [days, onDays] = useState<ReportDays>('30')
  const filterAt = (selected: string): PageFilter<string> => ({
    options: REPORTS.map(({ path, title }) => ({ key: path, label: title })),
    selected,
    onSelect: (path) => void navigate(`/reports/${path}`),
  })
  return (
    <Routes>
      <Route index element={<Navigate to="house" replace />} />
      {REPORTS.map(({ path, Screen }) => (
        <Route
          key={path}
          path={path}
          element={
            <Screen filter={filterAt(path)} days={days} onDays={onDays} ledger={ledger} onLedger={onLedger} />
          }
        />
      ))}
      <Route path="*" element={<Navigate to="/reports/house" replace />} />
    </Routes>
  )
}
