import { FIELD_LABELS, saveDepositChannel, type DepositChannel } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { LimitField, useLimit } from './limit-fields.tsx'

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
          ? [{ label: FIELD_LABELS.address, before: row.address, after: address }]
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
      <TextField
        label={FIELD_LABELS.currencyCode}
        dir="ltr"
        value={currencyCode}
        onChange={setCurrencyCode}
        hint="Such as USDT."
      />
      <TextField
        label={FIELD_LABELS.protocolCode}
        dir="ltr"
        value={protocolCode}
        onChange={setProtocolCode}
        hint="Such as TRC20, ERC20, BTC."
      />
      <TextField
        label={FIELD_LABELS.address}
        dir="ltr"
        spellCheck={false}
        value={address}
        onChange={setAddress}
      />
      <LimitField label={FIELD_LABELS.dayLimit} limit={all} />
      <LimitField label={FIELD_LABELS.personDayLimit} limit={person} />
    </ReasonDialog>
  )
}
