import type { LedgerChoice } from '../../ui/ledger-choice.tsx'
import type { PageFilter } from '../../ui/page.tsx'

/** What each page of Risk is given. */
export type RiskPageProps = {
  filter: PageFilter<string>
  ledger: LedgerChoice
  onLedger: (ledger: LedgerChoice) => void
}
