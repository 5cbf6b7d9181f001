import type { CopyView, OrderView } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { textButtonClass } from '@fairlot/ui/controls/text-button.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { copyPath, OwnResult } from './figures.tsx'
import { useCopies, useCopy } from './queries.ts'

type CopiedPositionsProps = {
  /** An order with its receipts. */
  renderOrder: (order: OrderView) => ReactNode
}

/** The positions in the user's copies, by copy: beside the own ones, never among them. Nothing without any. */
export function CopiedPositions({ renderOrder }: CopiedPositionsProps) {
  const t = useTranslations('copying')
  const { data: copies } = useCopies()
  const open = copies?.filter(({ positions }) => positions > 0) ?? []
  if (open.length === 0) return null
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-4">
      <h2 className="font-bold">{t('inCopies')}</h2>
      {open.map((copy) => (
        <PositionsOf key={copy.id} copy={copy} renderOrder={renderOrder} />
      ))}
    </section>
  )
}

function PositionsOf({ copy, renderOrder }: CopiedPositionsProps & { copy: CopyView }) {
  const { data } = useCopy(copy.id)
  return (
    <div>
      <p className="flex flex-wrap items-center justify-between gap-x-3">
        <Link to={copyPath(copy.id)} className={textButtonClass}>
          <bdi translate="no" className="wrap-anywhere">
            {copy.name}
          </bdi>
        </Link>
        <OwnResult units={copy.result} />
      </p>
      <ul aria-label={copy.name} className="divide-y divide-line">
        {data?.orders.map((order) => (
          <li key={order.id}>{renderOrder(order)}</li>
        ))}
      </ul>
    </div>
  )
}
