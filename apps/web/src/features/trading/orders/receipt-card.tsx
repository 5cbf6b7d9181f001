import type { OrderView, Receipt } from '@fairlot/contract'
import { Check } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ReceiptProof, useReceiptCheck } from './receipt-proof.tsx'
import { useReceiptRows } from './receipt-rows.tsx'

type ReceiptCardProps = { receipt: Receipt; order: OrderView }

/** The proof of one decision: the tick it rests on, what was asked and what came of it. */
export function ReceiptCard({ receipt, order }: ReceiptCardProps) {
  const t = useTranslations('order')
  const checking = useReceiptCheck(receipt, order)
  return (
    <section className="rounded-card px-3.5 py-2 ring-1 ring-line ring-inset">
      <h3 className="flex justify-between gap-4 py-1 font-bold">
        <span>{t(`receiptOf.${receipt.action}`)}</span>
        {checking.checked?.verdict.is === 'genuine' && (
          <span className="flex items-center gap-1 text-note font-medium text-brass">
            <Icon of={Check} size={16} />
            {t('checked')}
          </span>
        )}
      </h3>
      <DefinitionList rows={useReceiptRows(receipt, order)} />
      {receipt.hash !== null && <ReceiptProof hash={receipt.hash} checking={checking} />}
    </section>
  )
}
