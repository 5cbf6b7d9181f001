import { saveWireAccount, type WireAccount } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { amountField, readAmount } from './payment-text.ts'

const FIELDS = [
  { name: 'currencyCode', label: 'Currency' },
  { name: 'bankName', label: 'Bank' },
  { name: 'bankAddress', label: 'Bank address' },
  { name: 'bankSwift', label: 'BIC' },
  { name: 'payeeName', label: 'Payee' },
  { name: 'payeeAccount', label: 'Account or IBAN' },
  { name: 'bankRemark', label: 'Remark for the user' },
] as const
type Texts = Record<(typeof FIELDS)[number]['name'], string>

const EMPTY: Texts = {
  ...{ currencyCode: '', bankName: '', bankAddress: '', bankSwift: '', payeeName: '' },
  ...{ payeeAccount: '', bankRemark: '' },
}

/** Asks for a bank account, or for another one in its place. */
export function WireDialog({ row: opened, onClose }: { row: WireAccount | null; onClose: () => void }) {
  const [row] = useState(opened)
  const [change, setChange] = useState<Partial<Texts>>({})
  const [limit, setLimit] = useState(amountField(row?.dayLimit ?? null))
  const { currencyCode, bankName, bankAddress, bankSwift, payeeName, payeeAccount, bankRemark } = {
    ...(row ?? EMPTY),
    ...change,
  }
  const texts: Texts = { currencyCode, bankName, bankAddress, bankSwift, payeeName, payeeAccount, bankRemark }
  const dayLimit = limit.trim() === '' ? null : readAmount(limit)
  return (
    <ReasonDialog
      title={row ? 'Change the bank account' : 'Add a bank account'}
      endpoint={saveWireAccount}
      inputOf={(reason) => ({ id: row?.id ?? null, version: row?.version ?? 0, ...texts, dayLimit, reason })}
      changes={
        row
          ? FIELDS.filter(({ name }) => row[name] !== texts[name]).map(({ name, label }) => ({
              ...{ label, before: row[name], after: texts[name] },
            }))
          : []
      }
      check={() => (limit.trim() !== '' && dayLimit === null ? 'The limit is no amount.' : null)}
      needsSecond="always"
      sendLabel="Ask"
      done="Asked."
      topics={['waiting']}
      onClose={onClose}
    >
      {FIELDS.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          value={texts[name]}
          onChange={(text) => setChange({ ...change, [name]: text })}
        />
      ))}
      <TextField
        label="Limit a day"
        dir="ltr"
        inputMode="decimal"
        value={limit}
        onChange={setLimit}
        hint="Empty for none."
      />
    </ReasonDialog>
  )
}
