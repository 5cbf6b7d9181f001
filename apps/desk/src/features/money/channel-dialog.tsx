import { saveDepositChannel, type DepositChannel } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { LIMIT_LABELS, LimitField, useLimit } from './limit-fields.tsx'

const LABELS = { currencyCode: 'Currency', protocolCode: 'Network', ...LIMIT_LABELS }

/** Asks for an address, or for another one in its place. */
export function ChannelDialog({ row: opened, onClose }: { row: DepositChannel | null; onClose: () => void }) {
  const [row] = useState(opened)
  const [currencyCode, setCurrencyCode] = useState(row?.currencyCode ?? '')
  const [protocolCode, setProtocolCode] = useState(row?.protocolCode ?? '')
  const [address, setAddress] = useState(row?.address ?? '')
  const [all, person] = [useLimit(row?.dayLimit ?? null), useLimit(row?.personDayLimit ?? null)]
  const limits = { dayLimit: all.value, personDayLimit: person.value }
  return (
    <ReasonDialog
      title={row ? 'Change the address' : 'Add an address'}
      text="Compare every character with its owner by another way than the one that it came by."
      endpoint={saveDepositChannel}
      inputOf={(reason) => ({
        ...{ id: row?.id ?? null, version: row?.version ?? 0, reason, ...limits },
        ...{ currencyCode, protocolCode, address },
      })}
      changes={
        row && row.address !== address.trim()
          ? [{ label: 'Address', before: row.address, after: address }]
          : []
      }
      check={() => (all.isWrong || person.isWrong ? 'A limit is no amount.' : null)}
      labels={LABELS}
      needsSecond="always"
      sendLabel="Ask"
      done="Asked."
      topics={['waiting']}
      onClose={onClose}
    >
      <TextField
        label={LABELS.currencyCode}
        dir="ltr"
        value={currencyCode}
        onChange={setCurrencyCode}
        hint="Such as USDT."
      />
      <TextField
        label={LABELS.protocolCode}
        dir="ltr"
        value={protocolCode}
        onChange={setProtocolCode}
        hint="Such as TRC20, ERC20, BTC."
      />
      <TextField label="Address" dir="ltr" spellCheck={false} value={address} onChange={setAddress} />
      <LimitField label={LIMIT_LABELS.dayLimit} limit={all} />
      <LimitField label={LIMIT_LABELS.personDayLimit} limit={person} />
    </ReasonDialog>
  )
}
