import { Segmented } from '@fairlot/ui/controls/segmented.tsx'

export type LedgerChoice = 'real' | 'demo'

const OPTIONS = [
  { value: 'real', label: 'Real money' },
  { value: 'demo', label: 'Demo' },
] as const

type LedgerFieldProps = { value: LedgerChoice; onChange: (value: LedgerChoice) => void }

/** Real or demo money; the two are never added up. */
export const LedgerField = ({ value, onChange }: LedgerFieldProps) => (
  <div className="w-52">
    <Segmented label="Ledger" options={OPTIONS} value={value} onChange={onChange} track="surface" />
  </div>
)
