import { admitPrice, listHeldPrices, type HeldPrice } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useState } from 'react'
import { decimal } from '../../i18n/figures.ts'
import { since } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { refusalName } from './refusal-words.ts'

/** Prices that wait for an operator's word, or for the next sound price. */
export function HeldPrices() {
  const { data, problem, retry } = useDeskQuery(listHeldPrices, null)
  const mayAdmit = useMay('admitTick')
  const now = useNow()
  const [admitting, setAdmitting] = useState<HeldPrice | null>(null)
  const keyOf = ({ instrumentId, number }: HeldPrice) => `${instrumentId}:${number}`
  return (
    <>
      <DataTable
        label="Held prices"
        columns={columnsAt(now, mayAdmit ? setAdmitting : null)}
        rows={data?.prices}
        keyOf={keyOf}
        problem={problem}
        onRetry={retry}
        empty={{
          title: 'No price is held',
          text: 'A price outside its band waits here until it is confirmed.',
        }}
      />
      {admitting && <AdmitDialog price={admitting} onClose={() => setAdmitting(null)} />}
    </>
  )
}

const columnsAt = (
  now: number,
  onAdmit: ((price: HeldPrice) => void) | null,
): readonly Column<HeldPrice>[] => [
  { key: 'code', title: 'Instrument', cell: ({ code }) => code, onPhone: 'title' },
  { key: 'sent', title: 'Sent', cell: ({ bid, ask }) => `${decimal(bid)} / ${decimal(ask)}`, align: 'end' },
  {
    key: 'last',
    title: 'Last mid',
    cell: ({ lastMid }) => (lastMid === null ? 'none' : decimal(lastMid)),
    align: 'end',
  },
  {
    key: 'off',
    title: 'Off by',
    cell: ({ offByPercent }) => (offByPercent === null ? '–' : `${decimal(offByPercent)} %`),
    align: 'end',
  },
  { key: 'reason', title: 'Why', cell: ({ reason }) => refusalName(reason) },
  { key: 'source', title: 'Source', cell: ({ source }) => source, onPhone: 'hidden' },
  { key: 'since', title: 'Waits', cell: ({ at }) => since(at, now), align: 'end' },
  {
    key: 'admit',
    title: '',
    cell: (price) =>
      onAdmit && (
        <Button size="small" onClick={() => onAdmit(price)}>
          Admit
        </Button>
      ),
    align: 'end',
    onPhone: 'figure',
  },
]

const AdmitDialog = ({ price, onClose }: { price: HeldPrice; onClose: () => void }) => (
  <ReasonDialog
    title={`Admit the price of ${price.code}`}
    text={
      price.isFresh
        ? 'It counts as any price does: it fills and triggers what it reaches, for everybody.'
        : 'It is too old to count itself: the next price near it does.'
    }
    endpoint={admitPrice}
    inputOf={(reason) => ({ instrumentId: price.instrumentId, number: price.number, reason })}
    changes={[
      {
        label: `${price.code}, by ${price.source}`,
        before: price.lastMid === null ? 'no price' : decimal(price.lastMid),
        after: `${decimal(price.bid)} / ${decimal(price.ask)}`,
      },
    ]}
    sendLabel="Admit"
    done="The price is admitted."
    topics={['waiting']}
    onClose={onClose}
  />
)
