import type { WaitingCase } from '@fairlot/contract/desk'
import { Dot, type DotTone } from '@fairlot/ui/dot.tsx'
import { money, signedMoney } from '../../i18n/figures.ts'
import { since } from '../../i18n/moments.ts'
import type { Column } from '../../ui/table-column.ts'

const DOTS: Record<WaitingCase['risk'], DotTone> = { high: 'danger', raised: 'brass', usual: 'plain' }
const RISKS: Record<WaitingCase['risk'], string> = { high: 'high risk', raised: 'raised risk', usual: '' }

/** An adjustment may take away or give; what people ask for is an amount. */
export const amountText = ({ caseKey, amount }: Pick<WaitingCase, 'caseKey' | 'amount'>): string => {
  if (amount === null) return ''
  return caseKey.startsWith('adjustment:') ? signedMoney(amount) : money(amount)
}

export function holderText({ heldBy, needsSecond }: WaitingCase, ownId: number): string {
  if (heldBy) return heldBy.id === ownId ? 'you' : `${heldBy.name} (${heldBy.role})`
  return needsSecond ? 'second person' : 'nobody'
}

export const waitingColumns = (ownId: number, now: number): readonly Column<WaitingCase>[] => [
  {
    key: 'case',
    title: 'Case',
    cell: ({ title, what, risk }) => (
      <span className="flex min-w-0 items-baseline gap-2.5">
        <Dot tone={DOTS[risk]} />
        <span className="min-w-0">
          {title}
          <span className="sr-only"> {RISKS[risk]}</span>
          <span className="line-clamp-1 text-tiny font-normal text-second">{what}</span>
        </span>
      </span>
    ),
    onPhone: 'title',
  },
  { key: 'person', title: 'Person', cell: ({ accountId }) => accountId ?? '–' },
  { key: 'amount', title: 'Amount', cell: amountText, align: 'end', onPhone: 'figure' },
  {
    key: 'waits',
    title: 'Waits',
    cell: (row) => <span className="whitespace-nowrap text-second">{since(row.since, now)}</span>,
    align: 'end',
  },
  { key: 'held', title: 'Held by', cell: (row) => holderText(row, ownId) },
]
