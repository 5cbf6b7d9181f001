import { saveDepositChannel, type DepositChannel } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { amountField, readAmount } from './payment-text.ts'

/** Asks for an address, or for another one in its place. */
export function ChannelDialog({ row: opened, onClose }: { row: DepositChannel | null; onClose: () => void }) {
  const [row] = useState(opened)
  const [currencyCode, setCurrencyCode] = useState(row?.currencyCode ?? '')
  const [protocolCode, setProtocolCode] = useState(row?.protocolCode ?? '')
  const [address, setAddress] = useState(row?.address ?? '')
  const [limit, setLimit] = useState(amountField(row?.dayLimit ?? null))
  const dayLimit = limit.trim() === '' ? null : readAmount(limit)
  return (
    <ReasonDialog
      title={row ? 'Change the address' : 'Add an address'}
      text="Compare every character with its owner by another way than the one that it came by."
      endpoint={saveDepositChannel}
      inputOf={(reason) => ({
        ...{ id: row?.id ?? null, version: row?.version ?? 0, reason, dayLimit },
        ...{ currencyCode, protocolCode, address },
      })}
      changes={
        row && row.address !== address.trim()
          ? [{ label: 'Address', before: row.address, after: address }]
          : []
      }
      check={() => (limit.trim() !== '' && dayLimit === null ? 'The limit is no amount.' : null)}
      needsSecond="always"
      sendLabel="Ask"
      done="Asked."
      topics={['waiting']}
      onClose={onClose}
    >
      <TextField
        label="Currency"
        dir="ltr"
        value={currencyCode}
        onChange={setCurrencyCode}
        hint="Such as USDT."
      />
      <TextField
        label="Network"
        dir="ltr"
        value={protocolCode}
        onChange={setProtocolCode}
        hint="Such as TRC20, ERC20, BTC."
      />
      <TextField label="Address" dir="ltr" spellCheck={false} value={address} onChange={setAddress} />
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
