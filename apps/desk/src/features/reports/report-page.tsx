import { Segmented } from '@fairlot/ui/segmented.tsx'
import type { ReactNode } from 'react'
import { moment } from '../../i18n/moments.ts'
import { LedgerField } from '../../ui/ledger-choice.tsx'
import { Page } from '../../ui/page.tsx'
import { useNow } from '../../ui/use-now.ts'
import { REPORT_DAYS, type ReportProps } from './report-props.ts'

type ReportPageProps = ReportProps & {
  /** The list of the report, as a file. */
  file: ReactNode
  /** Real money alone where false. */
  hasLedgers?: boolean
  /** Up to which moment everything is counted; undefined until it is known. */
  upTo: number | undefined
  children: ReactNode
}

/** A report: its period and its ledger above, how far it has been counted below. */
export function ReportPage(props: ReportPageProps) {
  const { filter, file, days, onDays, ledger, onLedger, hasLedgers = true, upTo, children } = props
  const now = useNow()
  return (
    <Page title="Reports" filter={filter} file={file}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <div className="w-56">
            <Segmented label="Period" options={REPORT_DAYS} value={days} onChange={onDays} trough="surface" />
          </div>
          {hasLedgers && <LedgerField value={ledger} onChange={onLedger} />}
          <p className="ms-auto text-tiny text-second">
            Days of UTC{upTo !== undefined && `, counted up to ${moment(upTo, now)}`}
          </p>
        </div>
        {children}
      </div>
    </Page>
  )
}
