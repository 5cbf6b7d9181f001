import type { LedgerChoice } from '../../ui/ledger-field.tsx'
import type { PageFilter } from '../../ui/page.tsx'

export type RiskPageProps = {
  filter: PageFilter<string>
  ledger: LedgerChoice
  onLedger: (ledger: LedgerChoice) => void
}
