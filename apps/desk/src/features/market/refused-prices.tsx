import { listRefusedPrices, type RefusedPrice } from '@fairlot/contract/desk'
import { moment } from '../../i18n/moments.ts'
import { usePaged } from '../../live/use-paged.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { refusalName } from './refusal-words.ts'

const columnsAt = (now: number): readonly Column<RefusedPrice>[] => [
  { key: 'code', title: 'Instrument', cell: ({ code }) => code, onPhone: 'title' },
  { key: 'bid', title: 'Bid', cell: ({ bid }) => bid, align: 'end' },
  { key: 'ask', title: 'Ask', cell: ({ ask }) => ask, align: 'end' },
  { key: 'reason', title: 'Why', cell: ({ reason }) => refusalName(reason), onPhone: 'figure' },
  { key: 'source', title: 'Source', cell: ({ source }) => source },
  { key: 'at', title: 'Came', cell: ({ at }) => moment(at, now), align: 'end' },
]

/** The newest refused prices of each instrument, as their source wrote them. */
export function RefusedPrices() {
  const now = useNow()
  const { table } = usePaged(listRefusedPrices, { instrumentId: null }, { rowsOf: ({ prices }) => prices })
  return (
    <DataTable
      {...table}
      label="Refused prices"
      columns={columnsAt(now)}
      keyOf={({ instrumentId, number }) => `${instrumentId}:${number}`}
      empty={{ title: 'No price was refused' }}
    />
  )
}
