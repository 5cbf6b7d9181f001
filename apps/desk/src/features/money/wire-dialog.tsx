import { FIELD_LABELS, saveWireAccount, type WireAccount } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { LimitField, useLimit } from './limit-fields.tsx'

const FIELDS = [
  ...(['currencyCode', 'bankName', 'bankAddress', 'bankSwift'] as const),
  ...(['payeeName', 'payeeAccount', 'bankRemark'] as const),
] as const

type Texts = Record<(typeof FIELDS)[number], string>

const EMPTY: Texts = {
  ...{ currencyCode: '', bankName: '', bankAddress: '', bankSwift: '', payeeName: '' },
  ...{ payeeAccount: '', bankRemark: '' },
}

/** Asks for a bank account, or for another one in its place. */
export function WireDialog({ row: opened, onClose }: { row: WireAccount | null; onClose: () => void }) {
  const [row] = useState(opened)
  const [change, setChange] = useState<Partial<Texts>>({})
  const [all, person] = [useLimit(row?.dayLimit ?? null), useLimit(row?.personDayLimit ?? null)]
  const { currencyCode, bankName, bankAddress, bankSwift, payeeName, payeeAccount, bankRemark } = {
    ...(row ?? EMPTY),
    ...change,
  }
  const texts: Texts = { currencyCode, bankName, bankAddress, bankSwift, payeeName, payeeAccount, bankRemark }
  const limits = { dayLimit: all.value, personDayLimit: person.value }
  return (
    <ReasonDialog
      title={row ? 'Change the bank account' : 'Add a bank account'}
      endpoint={saveWireAccount}
      inputOf={(reason) => ({ id: row?.id ?? null, version: row?.version ?? 0, ...texts, ...limits, reason })}
      changes={
        row
          ? FIELDS.filter((name) => row[name] !== texts[name]).map((name) => ({
              ...{ label: FIELD_LABELS[name], before: row[name], after: texts[name] },
            }))
          : []
      }
      check={() => (all.isWrong || person.isWrong ? 'A limit is no amount.' : null)}
      labels={FIELD_LABELS}
      needsSecond="always"
      sendLabel="Ask"
      done="Asked."
      topics={['waiting']}
      onClose={onClose}
    >
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={FIELD_LABELS[name]}
          value={texts[name]}
          onChange={(text) => setChange({ ...change, [name]: text })}
        />
      ))}
      <LimitField label={FIELD_LABELS.dayLimit} limit={all} />
      <LimitField label={FIELD_LABELS.personDayLimit} limit={person} />
    </ReasonDialog>
  )
}
