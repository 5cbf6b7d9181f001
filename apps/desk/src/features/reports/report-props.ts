import type { LedgerChoice } from '../../ui/ledger-choice.tsx'
import type { PageFilter } from '../../ui/page.tsx'

/** The periods that reports are asked for. */
export const REPORT_DAYS = [
  { value: '7', label: '7 d' },
  { value: '30', label: '30 d' },
  { value: '90', label: '90 d' },
  { value: '365', label: '1 y' },
] as const
export type ReportDays = (typeof REPORT_DAYS)[number]['value']

/** What every report is given: its period and its ledger stay while one walks through them. */
export type ReportProps = {
  filter: PageFilter<string>
  days: ReportDays
  onDays: (days: ReportDays) => void
  ledger: LedgerChoice
  onLedger: (ledger: LedgerChoice) => void
}
