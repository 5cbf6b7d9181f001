import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import type { ReactNode } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { type LedgerChoice, LedgerField } from '../../ui/ledger-field.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'

/** The periods of reports. */
const REPORT_DAYS = [
  { value: '7', label: '7 d' },
  { value: '30', label: '30 d' },
  { value: '90', label: '90 d' },
  { value: '365', label: '1 y' },
] as const
export type ReportDays = (typeof REPORT_DAYS)[number]['value']

/** The props of every report; period and ledger stay the same from report to report. */
export type ReportProps = {
  filter: PageFilter<string>
  days: ReportDays
  onDays: (days: ReportDays) => void
  ledger: LedgerChoice
  onLedger: (ledger: LedgerChoice) => void
}

type ReportPageProps = ReportProps & {
  /** The export button. */
  file: ReactNode
  /** False for reports on real money only. */
  hasLedgers?: boolean
  /** The time up to which everything is counted; undefined while loading. */
  upTo: number | undefined
  children: ReactNode
}

/** The frame of a report: period, ledger, and the time up to which it is counted. */
export function ReportPage(props: ReportPageProps) {
  const { filter, file, days, onDays, ledger, onLedger, hasLedgers = true, upTo, children } = props
  const now = useNow()
  return (
    <Page title="Reports" filter={filter} file={file}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <div className="w-56">
            <Segmented label="Period" options={REPORT_DAYS} value={days} onChange={onDays} track="surface" />
          </div>
          {hasLedgers && <LedgerField value={ledger} onChange={onLedger} />}
          <p className="ms-auto text-tiny text-second">
            UTC days{upTo !== undefined && `, counted up to ${moment(upTo, now)}`}
          </p>
        </div>
        {children}
      </div>
    </Page>
  )
}
